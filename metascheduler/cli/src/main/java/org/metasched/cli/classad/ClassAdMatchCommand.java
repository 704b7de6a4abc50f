package org.metasched.cli.classad;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Dialect;
import org.metasched.classad.Value;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.OfferPool;
import org.metasched.classad.match.PoolVerdict;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.classad.match.Verdict;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched classad match}: one job ad against machine ads. */
@Command(
        name = "match",
        mixinStandardHelpOptions = true,
        description = "Matches a job ad with machine ads: both constraints true, best by Rank.")
final class ClassAdMatchCommand implements Runnable {

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", paramLabel = "JOB", description = "A file with one ad.")
    private Path job;

    @Parameters(index = "1", paramLabel = "MACHINES", description = "A file with any number of ads.")
    private Path machines;

    @Option(names = "--all", description = "Print every match, best first.")
    private boolean all;

    @Option(names = "--explain", description = "Say for each clause how many offers satisfy it, and what would help.")
    private boolean explain;

    @Option(
            names = "--dialect",
            defaultValue = "reference",
            description = "What is accepted: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Dialect dialect;

    @Override
    public void run() {
        ClassAd customer = AdFiles.one(job, dialect);
        OfferPool pool = OfferPool.of(AdFiles.all(machines, dialect));
        var matchmaker = new RankedMatchmaker();
        List<Match> matches = all
                ? matchmaker.matchAll(customer, pool)
                : matchmaker.match(customer, pool).stream().toList();
        if (output.json()) {
            printJson(customer, pool, matches, matchmaker);
        } else {
            print(customer, pool, matches, matchmaker);
        }
        if (matches.isEmpty()) {
            throw Failure.no("No match among " + pool.size() + " offers."
                    + (explain || pool.size() == 0 ? "" : "\nMaybe --explain shows which clause is in the way."));
        }
    }

    private void print(ClassAd customer, OfferPool pool, List<Match> matches, RankedMatchmaker matchmaker) {
        PrintWriter out = output.out();
        for (Match match : matches) {
            out.printf(
                    "%s rank %s, its rank %s%s%n",
                    OutputOptions.plain(name(match)),
                    match.rank(),
                    match.offerRank(),
                    match.preempts() ? ", pre-empts" : "");
        }
        if (explain) {
            MatchReport.print(matchmaker.explain(customer, pool), out);
            if (pool.size() == 1) {
                MatchReport.print(matchmaker.explain(customer, pool.ad(0)), out);
            }
        }
        out.flush();
    }

    private void printJson(ClassAd customer, OfferPool pool, List<Match> matches, RankedMatchmaker matchmaker) {
        var document = new LinkedHashMap<String, Object>();
        document.put("offers", pool.size());
        document.put("matched", !matches.isEmpty());
        var list = new ArrayList<Map<String, Object>>();
        for (Match match : matches) {
            var entry = new LinkedHashMap<String, Object>();
            entry.put("ad", name(match));
            entry.put("number", match.number());
            entry.put("rank", match.rank());
            entry.put("offerRank", match.offerRank());
            entry.put("preempts", match.preempts());
            list.add(entry);
        }
        document.put("matches", list);
        if (explain) {
            PoolVerdict verdict = matchmaker.explain(customer, pool);
            document.put("explain", MatchReport.json(verdict));
            if (pool.size() == 1) {
                Verdict pair = matchmaker.explain(customer, pool.ad(0));
                document.put("conjuncts", MatchReport.json(pair));
            }
        }
        output.printJson(document);
    }

    private static String name(Match match) {
        return match.offer().evaluate("Name") instanceof Value.Text text ? text.text() : "#" + match.number();
    }
}
