package org.metasched.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Dialect;
import org.metasched.classad.collector.Query;
import org.metasched.classad.match.Match;
import org.metasched.classad.match.RankedMatchmaker;
import org.metasched.classad.match.Verdict;
import org.metasched.dag.DagLimits;
import org.metasched.dag.DagPicture;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.NestedDag;
import org.metasched.dag.binding.UnboundReference;
import org.metasched.dag.binding.UnboundReferenceException;
import org.metasched.soap.collector.RemoteCollector;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched dag bind}: matches a DAG with site ads and writes the DAG bound to the best site. */
@Command(
        name = "bind",
        mixinStandardHelpOptions = true,
        description = {
            "Matches a DAG with site ads and writes a copy of it, bound to the best site, ready for condor_submit_dag.",
            "Exits with 1 if no site matches, with 2 if the DAG or the site leaves something open; nothing is written then."
        })
final class DagBindCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Mixin
    private OutputOptions output;

    @ArgGroup(multiplicity = "1")
    private Sites sites = new Sites();

    /** Where site ads come from. */
    static final class Sites {
        @Option(names = "--sites", paramLabel = "ADS", description = "A file of site ads, in any of the written forms.")
        private Path file;

        @Option(names = "--server", paramLabel = "URL", description = "A server whose collector has the site ads.")
        private java.net.URI server;
    }

    @Option(names = "--out", paramLabel = "DIR", description = "The directory to be made. Needed unless --dry-run.")
    private Path out;

    @Option(
            names = "--job-ad",
            paramLabel = "F",
            description = "The DAG's job ad, or the submit description of its condor_dagman job;"
                    + " else <DAG>.condor.sub is taken if it is there, else defaults.")
    private Path jobAd;

    @Option(names = "--site", paramLabel = "NAME", description = "Bind to this site, if it matches.")
    private String site;

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "A variable for $ENV() in the DAG's own submit description, beside those of this process.")
    private Map<String, String> environment = new LinkedHashMap<>();

    @Option(names = "--keep-match-macros", description = "Leave $$() in nodes for the machines of the site.")
    private boolean keepMatchMacros;

    @Option(names = "--dry-run", description = "Say what would be written; write nothing.")
    private boolean dryRun;

    @Option(names = "--explain", description = "Say of each site, condition by condition, why it matches or not.")
    private boolean explain;

    @Option(names = "--dot", paramLabel = "FILE", description = "Draw the bound DAG for Graphviz.")
    private Path dot;

    @Option(names = "--svg", paramLabel = "FILE", description = "Draw the bound DAG.")
    private Path svg;

    @Parameters(index = "0", description = "The DAG file.")
    private Path file;

    @Override
    public Integer call() {
        if (out == null && !dryRun) {
            throw Failure.badInput("Where the bound DAG goes (--out DIR) is missing.\nMaybe --dry-run was meant.");
        }
        try {
            return bind();
        } catch (FileSystemException e) {
            throw Failure.badInput(
                    e.getReason() == null
                            ? "The file (" + e.getFile() + ") cannot be used: "
                                    + e.getClass().getSimpleName() + "."
                            : String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw Failure.badInput(String.valueOf(e.getMessage()));
        }
    }

    private int bind() throws IOException {
        NestedDag dag = NestedDag.read(file, DagLimits.DEFAULT);
        if (!dag.isSound()) {
            dag.errors().forEach(problem -> output.err().println(problem.toString()));
            output.err().flush();
            throw Failure.badInput("The DAG (" + file + ") would not run, so it is not bound.");
        }
        List<ClassAd> ads = siteAds();
        Map<String, String> variables = variables();
        DagJobAd job = DagJobAd.of(
                dag.file(), Optional.ofNullable(jobAd), dag.root().dag().jobAttributes(), variables);
        List<Verdict> verdicts = explain ? verdicts(job, ads) : List.of();
        Optional<Match> match = new RankedMatchmaker().match(job.ad(), ads);
        if (match.isEmpty()) {
            return noMatch(job, ads, verdicts);
        }
        DagBinder binder = new DagBinder(new DagBinder.Options(variables, keepMatchMacros, 8 << 20));
        try {
            BoundDag bound = dryRun ? binder.plan(dag, job, match.get()) : binder.bind(dag, job, match.get(), out);
            draw(dag, bound);
            print(bound, verdicts);
            return 0;
        } catch (UnboundReferenceException e) {
            if (output.json()) {
                output.printJson(refusal(dag, match.get(), e.references()));
            }
            throw Failure.badInput(e.getMessage()
                    + "\nMaybe the site's ad lacks an entry, or a default is wanted: $ENV(X:default), $$(A:default)."
                    + " Nothing has been written.");
        }
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new HashMap<>(System.getenv());
        variables.putIfAbsent("USER", System.getProperty("user.name", "nobody"));
        variables.putAll(environment);
        return variables;
    }

    private List<ClassAd> siteAds() {
        List<ClassAd> ads = sites.file != null ? AdFiles.all(sites.file, Dialect.REFERENCE) : collected();
        if (site == null) {
            return ads;
        }
        List<ClassAd> named = ads.stream()
                .filter(ad -> BoundDag.siteName(ad).equalsIgnoreCase(site))
                .toList();
        if (named.isEmpty()) {
            String known = ads.stream().map(BoundDag::siteName).limit(20).collect(Collectors.joining(", "));
            throw Failure.badInput("The site (" + site + ") has no ad; there are ads of [" + known + "].");
        }
        return named;
    }

    private List<ClassAd> collected() {
        try (RemoteCollector collector = RemoteCollector.at(sites.server, PATIENCE)) {
            return collector.query(Query.ofType("Machine"));
        } catch (RuntimeException e) {
            throw Failure.world("The server (" + sites.server + ") does not answer: " + e.getMessage());
        }
    }

    private static List<Verdict> verdicts(DagJobAd job, List<ClassAd> ads) {
        return ads.stream()
                .map(ad -> new RankedMatchmaker().explain(job.ad(), ad))
                .toList();
    }

    private int noMatch(DagJobAd job, List<ClassAd> ads, List<Verdict> verdicts) {
        List<Verdict> all = verdicts.isEmpty() ? verdicts(job, ads.subList(0, Math.min(ads.size(), 1000))) : verdicts;
        if (output.json()) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("site", null);
            json.put("sites", ads.size());
            json.put("explain", all.stream().map(DagBindCommand::verdict).toList());
            output.printJson(json);
        } else {
            all.forEach(this::print);
        }
        throw Failure.no("No site of " + ads.size() + " matches the DAG (" + file + ").");
    }

    private void print(BoundDag bound, List<Verdict> verdicts) {
        BindingRecord record = bound.record();
        bound.warnings().forEach(warning -> output.say("warning: " + warning));
        if (output.json()) {
            output.printJson(json(bound, verdicts));
            return;
        }
        verdicts.forEach(this::print);
        output.out().println("site " + record.site() + ", rank " + record.rank() + ", " + record.nodes() + " nodes");
        record.environment().forEach((name, value) -> output.out().println("  " + name + "=" + value));
        String where = bound.directory().map(Path::toString).orElse("would be written");
        output.out().println(record.files().size() + " files, " + record.links().size() + " links: " + where);
        output.out().flush();
    }

    private void print(Verdict verdict) {
        output.out()
                .println(BoundDag.siteName(verdict.offer())
                        + (verdict.matches() ? ": matches, rank " + verdict.rank() : ": no match"));
        verdict.customerSide().forEach(conjunct -> print("DAG ", conjunct));
        verdict.offerSide().forEach(conjunct -> print("site", conjunct));
        verdict.notes().forEach(note -> output.out().println("  " + note));
        output.out().flush();
    }

    private void print(String side, Verdict.Conjunct conjunct) {
        String operands = conjunct.operands().entrySet().stream()
                .map(entry -> entry.getKey() + " is " + entry.getValue().print())
                .collect(Collectors.joining(", "));
        output.out()
                .println("  " + (conjunct.met() ? "met " : "NOT ") + side + " " + conjunct.expression() + " -> "
                        + conjunct.value().print() + (operands.isEmpty() ? "" : "   (" + operands + ")"));
    }

    private static Map<String, Object> json(BoundDag bound, List<Verdict> verdicts) {
        BindingRecord record = bound.record();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("site", record.site());
        json.put("rank", record.rank());
        json.put("nodes", record.nodes());
        json.put("environment", record.environment());
        json.put("files", record.files());
        json.put("links", record.links());
        json.put("matched", record.matched());
        json.put("unresolved", List.of());
        json.put("warnings", bound.warnings());
        json.put("directory", bound.directory().map(Path::toString).orElse(null));
        if (!verdicts.isEmpty()) {
            json.put("explain", verdicts.stream().map(DagBindCommand::verdict).toList());
        }
        return json;
    }

    private static Map<String, Object> refusal(NestedDag dag, Match match, List<UnboundReference> references) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("site", BoundDag.siteName(match.offer()));
        json.put("rank", match.rank() + 0.0);
        json.put("nodes", dag.root().dag().nodeCount());
        json.put("environment", Map.of());
        json.put("files", List.of());
        json.put(
                "unresolved",
                references.stream().map(DagBindCommand::unresolved).toList());
        return json;
    }

    private static Map<String, Object> unresolved(UnboundReference reference) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("node", reference.node());
        json.put("file", reference.file());
        json.put("line", reference.line());
        json.put("reference", reference.reference());
        json.put("reason", reference.reason());
        return json;
    }

    private static Map<String, Object> verdict(Verdict verdict) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("site", BoundDag.siteName(verdict.offer()));
        json.put("matches", verdict.matches());
        json.put("rank", verdict.rank());
        List<Map<String, Object>> conditions = new ArrayList<>();
        verdict.customerSide().forEach(conjunct -> conditions.add(condition("dag", conjunct)));
        verdict.offerSide().forEach(conjunct -> conditions.add(condition("site", conjunct)));
        json.put("conditions", conditions);
        json.put("notes", verdict.notes());
        return json;
    }

    private static Map<String, Object> condition(String side, Verdict.Conjunct conjunct) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("side", side);
        json.put("expression", conjunct.expression());
        json.put("value", conjunct.value().print());
        json.put("met", conjunct.met());
        return json;
    }

    private void draw(NestedDag dag, BoundDag bound) throws IOException {
        DagPicture picture = new DagPicture(dag.root().dag(), bound.record().site());
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
