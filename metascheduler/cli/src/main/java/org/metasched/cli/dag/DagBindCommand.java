package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.metasched.adapter.DisplayText;
import org.metasched.classad.ClassAd;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.binding.InputStaging;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.binding.NestedDag;
import org.metasched.dag.binding.UnboundReferenceException;
import org.metasched.dag.life.DagPicture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched dag bind}: matches a DAG with site ads and writes the DAG bound to the best site. */
@Command(
        name = "bind",
        description = {
            "Matches a DAG with site ads and writes a copy of it, bound to the best site, ready for condor_submit_dag.",
            "Exits with 1 if no site matches, with 2 if a reference stays unresolved or the DAG is wrong; nothing is written then."
        })
final class DagBindCommand extends PrintingCommand implements Callable<Integer> {

    @Mixin
    private SiteChoice sites;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "The directory to be made, or where one is made for each of several DAGs. Needed unless --dry-run.")
    private Path out;

    @Option(names = "--each", description = "Make a directory for each DAG below --out, for a single one too.")
    private boolean each;

    @Mixin
    private BindingOptions reading = new BindingOptions();

    @Option(
            names = "--at-pre",
            description = {
                "In a PRE script: bind the DAG that the script has written, to the site of the bound DAG around it.",
                "It shares that DAG's match. One that has begun already is left as it is."
            })
    private boolean atPre;

    @Option(names = "--dry-run", description = "Say what would be written; write nothing.")
    private boolean dryRun;

    @Option(names = "--explain", description = "Say of each site, condition by condition, why it matches or not.")
    private boolean explain;

    @Option(names = "--dot", paramLabel = "OUT", description = "Write the bound DAG in the language of Graphviz.")
    private Path dot;

    @Option(names = "--svg", paramLabel = "OUT", description = "Draw the bound DAG as SVG.")
    private Path svg;

    @Parameters(paramLabel = "F.dag", arity = "1..*", description = "The DAG file, or several.")
    private List<Path> dags = List.of();

    /** The greatest number of sites that are explained without {@code --explain} if none matches. */
    private static final int MOST_FINDINGS = 1_000;

    private DagBatch batch = new DagBatch(output, dags);
    private Optional<LeasingBinder> leasing = Optional.empty();

    @Override
    public Integer call() {
        if (out == null && !dryRun) {
            throw ExitCodeException.badInput(
                    "Where the bound DAG goes (--out DIR) is missing.\nMaybe --dry-run was meant.");
        }
        if (dags.size() > 1 && (dot != null || svg != null)) {
            throw ExitCodeException.badInput(
                    "One picture (--dot, --svg) shows one DAG, and there are " + dags.size() + ".");
        }
        batch = new DagBatch(output, dags);
        Map<Path, Path> dagByStem = new HashMap<>();
        return batch.each(dag -> {
            Path earlier = out == null ? null : dagByStem.putIfAbsent(Path.of(BindingOptions.stem(dag)), dag);
            if (earlier != null) {
                throw ExitCodeException.badInput(
                        "another DAG of this base name (" + earlier
                                + ") has its place in the output, so this one is not bound.\nMaybe give each an --out of its own.");
            }
            return bind(dag);
        });
    }

    private int bind(Path file) throws IOException {
        try {
            return match(file, dags.size() == 1 && !each || out == null ? out : out.resolve(BindingOptions.stem(file)));
        } catch (NoSuchFileException | FileAlreadyExistsException e) {
            throw ExitCodeException.badInput(ErrorMessages.of(e));
        }
    }

    private int match(Path file, Path place) throws IOException {
        NestedDag dag = BindingOptions.read(file, output.err());
        DagJobAd job = reading.job(dag);
        DagBinder binder = reading.binder();
        if (atPre) {
            return bindWithin(file, dag, job, binder, place);
        }
        List<ClassAd> ads = sites.ads();
        LeasingBinder shared = shared(binder);
        List<ClassAd> counted = shared.counted(ads);
        List<SiteFinding> findings = explain ? findings(job, counted) : List.of();
        try {
            Optional<BoundDag> bound = dryRun ? shared.plan(dag, job, ads) : shared.bind(dag, job, ads, place);
            if (bound.isEmpty()) {
                return noMatch(file, job, counted, findings);
            }
            draw(dag, bound.get());
            print(file, bound.get(), findings);
            return 0;
        } catch (UnboundReferenceException e) {
            if (output.json()) {
                Optional<Match> match = new RankedMatchmaker().match(job.ad(), counted);
                output.printJson(new BindingResults.Unbound(
                        match.map(best -> BoundDag.siteName(best.offer())),
                        match.map(best -> best.rank() + 0.0),
                        dag.root().dag().nodeCount(),
                        Map.of(),
                        List.of(),
                        e.references()));
            }
            throw unbound(e);
        }
    }

    /** The binder for all the DAGs, made once: putting a ledger in order costs time for each of its matches. */
    private LeasingBinder shared(DagBinder binder) throws IOException {
        LeasingBinder shared =
                leasing.isPresent() ? leasing.get() : dryRun ? sites.planning(binder) : sites.leasing(binder);
        leasing = Optional.of(shared);
        return shared;
    }

    private static ExitCodeException unbound(UnboundReferenceException e) {
        return ExitCodeException.badInput(e.getMessage()
                + "\nMaybe the site's ad lacks an entry, or a default is wanted: $ENV(X:default), $$(A:default)."
                + " Nothing has been written.");
    }

    /** Binds a DAG of {@code --at-pre} to the site of the bound DAG around it, without a match of its own. */
    private int bindWithin(Path file, NestedDag dag, DagJobAd job, DagBinder binder, Path place) throws IOException {
        BindingRecord outer = BindingRecord.around(dag.directory())
                .orElseThrow(
                        () -> ExitCodeException.badInput(
                                "(" + file
                                        + ") lies in no bound DAG whose site it could take.\nWithout --at-pre it takes a match of its own."));
        ClassAd site = !sites.isGiven()
                ? outer.siteAd()
                : sites.ads().stream()
                        .filter(ad -> BoundDag.siteName(ad).equalsIgnoreCase(outer.site()))
                        .findFirst()
                        .orElseThrow(() -> ExitCodeException.no(
                                "The site (" + outer.site() + ") of the outer DAG has no ad any more."));
        String name = String.valueOf(dag.file().getFileName());
        if (!dryRun && BindingRecord.find(place).isPresent() && DagProgress.of(place, name) != DagProgress.BOUND) {
            output.say("The DAG of (" + place + ") has begun already, and is left as it is.");
            return 0;
        }
        var match = new Match(job.ad(), site, 0, outer.rank(), 0, false);
        try {
            BoundDag bound = dryRun ? binder.plan(dag, job, match) : binder.bind(dag, job, match, place);
            draw(dag, bound);
            print(file, bound, List.of());
            return 0;
        } catch (UnboundReferenceException e) {
            throw unbound(e);
        }
    }

    private static List<SiteFinding> findings(DagJobAd job, List<ClassAd> ads) {
        return ads.stream()
                .map(ad -> SiteFinding.of(new RankedMatchmaker().explain(job.ad(), ad)))
                .toList();
    }

    private int noMatch(Path file, DagJobAd job, List<ClassAd> ads, List<SiteFinding> findings) {
        List<SiteFinding> all =
                findings.isEmpty() ? findings(job, ads.subList(0, Math.min(ads.size(), MOST_FINDINGS))) : findings;
        output.print(
                new BindingResults.NoSite(Optional.empty(), ads.size(), all),
                text -> all.forEach(finding -> finding.print(text)));
        throw ExitCodeException.no("No site of " + ads.size() + " matches and has room for the DAG (" + file + ").");
    }

    private void print(Path file, BoundDag bound, List<SiteFinding> findings) {
        BindingRecord record = bound.record();
        bound.warnings().forEach(warning -> output.say("warning: " + warning));
        if (batch.count((dryRun ? "would be bound to " : "bound to ") + record.site())) {
            return;
        }
        output.print(BindingResults.Bound.of(bound, findings), text -> {
            findings.forEach(finding -> finding.print(text));
            String which = dags.size() == 1 ? "" : file + ": ";
            text.println(which + "site " + record.site() + ", rank " + record.rank() + ", "
                    + DisplayText.count(record.nodes(), "node"));
            record.environment().forEach((name, value) -> text.println("  " + name + "=" + value));
            String where = bound.directory().map(Path::toString).orElse("would be written");
            text.println(DisplayText.count(record.files().size(), "file") + ", " + inputs(record) + ": " + where);
        });
    }

    /** The number of inputs in words, such as {@code 1 link}, {@code 2 copies} or {@code 3 listed}. */
    private static String inputs(BindingRecord record) {
        int number = record.inputs().size();
        return record.staging() == InputStaging.MANIFEST
                ? number + " listed"
                : DisplayText.count(number, record.staging().name().toLowerCase(Locale.ROOT));
    }

    private void draw(NestedDag dag, BoundDag bound) throws IOException {
        if (dryRun || dot == null && svg == null) {
            return;
        }
        DagPicture picture = new DagPicture(dag.root().dag(), bound.record().site(), Map.of());
        if (dot != null) {
            try (var writer = Files.newBufferedWriter(dot)) {
                picture.writeDot(writer);
            }
        }
        if (svg != null) {
            try (var writer = Files.newBufferedWriter(svg)) {
                picture.writeSvg(writer);
            }
        }
    }
}
