package org.metasched.cli.gang;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.classad.gang.GangCycle;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.MalformedAdException;
import org.metasched.classad.gang.PortedAd;
import org.metasched.cli.classad.AdFiles;
import org.metasched.cli.classad.DialectOption;
import org.metasched.cli.classad.MatchReport;
import org.metasched.cli.gang.GangMatchResult.Assigned;
import org.metasched.cli.gang.GangMatchResult.Explained;
import org.metasched.cli.gang.GangMatchResult.Refused;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.PrintingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched gang match}: one cycle over the ads of some files. */
@Command(name = "match", description = "Marshals gangs for every root ad, in the order of the files.")
final class GangMatchCommand extends PrintingCommand implements Runnable {

    @Option(names = "--ads", arity = "1..*", required = true, description = "Files of ads in any written form.")
    private List<Path> files;

    @Option(names = "--algorithm", description = "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private GangAlgorithm algorithm = GangAlgorithm.DYNAMIC;

    @Mixin
    private DialectOption dialect = new DialectOption();

    @Option(
            names = "--root",
            description =
                    "Which ads begin gangs, as an expression; by default those with Ports of which none is labelled"
                            + " requester, and those with Root = true.")
    private @Nullable String rootExpression;

    @Option(names = "--list", description = "Print the ads of each gang.")
    private boolean list;

    @Option(names = "--explain", description = "Say for roots without gang what each port found.")
    private boolean explain;

    /** The ads of all files by their part in gangs, and the place of each in its file. */
    private record Sorted(
            List<PortedAd> roots, List<ClassAd> offers, List<GangPool.Refusal> refusals, Map<ClassAd, String> places) {

        /** The ad's Name, or a name with its place. */
        String name(ClassAd ad) {
            String place = places.get(ad);
            boolean named = ad.evaluate("Name") instanceof Value.Text;
            return named || place == null ? PortedAd.nameOf(ad) : PortedAd.nameOf(ad) + " (" + place + ")";
        }
    }

    @Override
    public void run() {
        Sorted ads = sorted();
        if (ads.roots().isEmpty() && ads.refusals().isEmpty()) {
            throw ExitCodeException.badInput("None of the ads in " + files
                    + " begins a gang.\nMaybe Ports are missing in one, or --root should say which ads do.");
        }
        var pool = new GangPool(ads.offers());
        long start = System.nanoTime();
        CycleOutcome outcome = GangCycle.run(ads.roots(), pool, algorithm);
        double millis = (System.nanoTime() - start) / 1e6;
        var refusals = new ArrayList<>(ads.refusals());
        refusals.addAll(pool.refusals());
        GangMatchResult result = result(ads, outcome, refusals, millis);
        output.print(result, out -> print(ads, outcome, result));
        if (outcome.gangs() == 0) {
            throw ExitCodeException.no("No root got a gang."
                    + (explain || ads.roots().isEmpty() ? "" : "\nMaybe --explain shows which clause is in the way."));
        }
    }

    private Sorted sorted() {
        var sorted = new Sorted(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new IdentityHashMap<>());
        Expr isRoot = rootExpression == null ? null : dialect.expression("--root", rootExpression);
        for (Path file : files) {
            int number = 0;
            for (ClassAd ad : AdFiles.all(file, dialect.chosen())) {
                sorted.places().put(ad, "ad " + ++number + " of " + file);
                sort(ad, isRoot, sorted);
            }
        }
        return sorted;
    }

    private static void sort(ClassAd ad, @Nullable Expr isRoot, Sorted into) {
        PortedAd ported;
        try {
            ported = PortedAd.of(ad);
        } catch (MalformedAdException e) {
            into.refusals().add(new GangPool.Refusal(ad, String.valueOf(e.getMessage())));
            return;
        }
        boolean root =
                isRoot == null ? ported.isRoot() : isRoot.evaluate(Scope.of(ad)).satisfies();
        if (root) {
            into.roots().add(ported);
        } else {
            into.offers().add(ad);
        }
    }

    private GangMatchResult result(Sorted ads, CycleOutcome outcome, List<GangPool.Refusal> refusals, double millis) {
        var refused = refusals.stream()
                .map(refusal -> new Refused(
                        PortedAd.nameOf(refusal.ad()),
                        refusal.reason(),
                        String.valueOf(ads.places().get(refusal.ad()))))
                .toList();
        var assigned = outcome.assignments().stream()
                .flatMap(assignment -> assignment.gang().stream())
                .map(Assigned::of)
                .toList();
        var explained = new ArrayList<Explained>();
        int more = !explain
                ? 0
                : new RootExplanations(ads.offers(), outcome, algorithm)
                        .forEach((root, why) -> explained.add(new Explained(ads.name(root.ad()), why)));
        return new GangMatchResult(
                GangSummary.of(algorithm, ads.roots().size(), outcome, millis),
                refused,
                list ? Optional.of(assigned) : Optional.empty(),
                explain ? Optional.of(explained) : Optional.empty(),
                more > 0 ? Optional.of(more) : Optional.empty());
    }

    private void print(Sorted ads, CycleOutcome outcome, GangMatchResult result) {
        var out = output.out();
        for (Refused refusal : result.refused()) {
            String line = OutputOptions.plain("Refused " + refusal.place() + ": " + refusal.reason());
            if (explain) {
                out.println(line);
            } else {
                output.say(line);
            }
        }
        if (list) {
            outcome.assignments()
                    .forEach(assignment -> out.println(OutputOptions.plain(assignment
                            .gang()
                            .map(gang -> Assigned.of(gang).line())
                            .orElseGet(() -> ads.name(assignment.root().ad()) + ": no gang"))));
        }
        if (explain && outcome.gangs() < ads.roots().size()) {
            out.println(MatchReport.LEGEND);
            result.explanations()
                    .ifPresent(all -> all.forEach(root -> GangReport.print(root.root(), root.explanation(), out)));
            result.rootsNotExplained()
                    .ifPresent(more ->
                            out.printf("%d more roots got no gang; --root tells which ads are to begin one.%n", more));
        }
        var summary = result.summary();
        out.printf(
                "%d of %d roots got a gang (%s): %d probes, %d evaluations, %d backtracks, %.1f ms%n",
                summary.gangs(),
                summary.roots(),
                summary.algorithm(),
                summary.probes(),
                summary.evaluations(),
                summary.backtracks(),
                summary.millis());
        int refused = result.refused().size();
        if (refused > 0) {
            out.printf("%d %s refused.%n", refused, refused == 1 ? "ad was" : "ads were");
        }
        outcome.shortfall().ifPresent(out::println);
        outcome.rankNote().ifPresent(out::println);
    }
}
