package org.metasched.cli.classad;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.OfferPool;
import org.metasched.classad.match.PoolVerdict;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.classad.match.Verdict;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.PrintingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched classad match}: one job ad against machine ads. */
@Command(name = "match", description = "Finds machines for a job ad: Requirements met both ways, best by Rank.")
final class ClassAdMatchCommand extends PrintingCommand implements Runnable {

    @Parameters(index = "0", paramLabel = "JOB", description = "A file with one ad.")
    private Path job;

    @Parameters(index = "1", paramLabel = "MACHINES", description = "A file with any number of ads.")
    private Path machines;

    @Option(names = "--all", description = "Print every match, best first.")
    private boolean all;

    @Option(names = "--explain", description = "Say for each clause how many machines satisfy it, and what would help.")
    private boolean explain;

    @Mixin
    private DialectOption dialect = new DialectOption();

    @Override
    public void run() {
        ExitCodeException.badInputIf(
                job.equals(machines) && job.equals(Path.of("-")),
                "Standard input (-) can be read once only; a file is needed for JOB or MACHINES.");
        ClassAd customer = AdFiles.one(job, dialect.chosen());
        OfferPool pool = OfferPool.of(AdFiles.all(machines, dialect.chosen()));
        var matchmaker = new RankedMatchmaker();
        List<Match> matches = all
                ? matchmaker.matchAll(customer, pool)
                : matchmaker.match(customer, pool).stream().toList();
        boolean isOnePair = explain && pool.size() == 1;
        var result = new Result(
                pool.size(),
                !matches.isEmpty(),
                matches.stream().map(Matched::of).toList(),
                explain ? Optional.of(matchmaker.explain(customer, pool)) : Optional.empty(),
                isOnePair ? Optional.of(matchmaker.explain(customer, pool.ad(0))) : Optional.empty());
        output.print(result, result::print);
        if (matches.isEmpty()) {
            throw ExitCodeException.no("No match among " + pool.size() + " offers."
                    + (explain || pool.size() == 0 ? "" : "\nMaybe --explain shows which clause is in the way."));
        }
    }

    private record Matched(String ad, int number, double rank, double offerRank, boolean preempts) {

        static Matched of(Match match) {
            String name = match.offer().findString("Name").orElse("#" + match.number());
            return new Matched(name, match.number(), match.rank(), match.offerRank(), match.preempts());
        }
    }

    @JsonInclude(Include.NON_ABSENT)
    private record Result(
            int offers,
            boolean matched,
            List<Matched> matches,
            Optional<PoolVerdict> explain,
            Optional<Verdict> conjuncts) {

        void print(PrintWriter out) {
            for (Matched match : matches) {
                out.printf(
                        "%s rank %s, its rank %s%s%n",
                        OutputOptions.plain(match.ad()),
                        match.rank(),
                        match.offerRank(),
                        match.preempts() ? ", pre-empts" : "");
            }
            explain.ifPresent(verdict -> MatchReport.print(verdict, out));
            conjuncts.ifPresent(verdict -> MatchReport.print(verdict, out));
        }
    }
}
