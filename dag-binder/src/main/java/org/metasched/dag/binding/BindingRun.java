package org.metasched.dag.binding;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.classad.match.Match;
import org.metasched.dag.CommandTexts;
import org.metasched.dag.Dag;
import org.metasched.dag.DagLimits;
import org.metasched.dag.DagPart;
import org.metasched.dag.DagProblem;
import org.metasched.submit.JobEnvironment;

/** One binding of one DAG; runs once. */
final class BindingRun {

    private static final int MOST_COMPLAINTS = 1000;
    private static final long MOST_SUBMIT_BYTES = 64L << 20;

    private final NestedDag dag;
    private final DagJobAd job;
    private final Match match;
    private final DagBinder.Options options;
    private final OutputTree tree;
    private final StagedFiles staged;
    private final List<UnboundReference> unbound = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    /** The variables that {@link #forDag} sees; {@link #run} adds the site's. */
    private final Map<String, String> dagmanVariables;

    private final SiteValues forDag;
    private boolean hasGetenv;

    BindingRun(NestedDag dag, DagJobAd job, Match match, DagBinder.Options options, OutputTree tree) {
        this.dag = dag;
        this.job = job;
        this.match = match;
        this.options = options;
        this.tree = tree;
        this.staged = new StagedFiles(dag.directory(), tree);
        this.dagmanVariables = new HashMap<>(options.environment());
        this.forDag = new SiteValues(match, dagmanVariables, InheritedVariables.NONE, false);
    }

    BoundDag run(BindingRecord.Origin origin, Optional<Path> out) throws IOException, UnboundReferenceException {
        if (!dag.isSound()) {
            DagProblem first = dag.errors().get(0);
            throw new IllegalArgumentException(first.toString());
        }
        warnings.addAll(job.warnings());
        Map<String, String> siteVariables = siteEnvironment();
        // For nodes, the site's variables win; the DAG's own job is submitted here, where those of the submitter win.
        environment.putAll(decoded(siteVariables));
        environment.forEach(dagmanVariables::putIfAbsent);
        dagEnvironment();
        bindJobDescription(siteVariables);
        SiteValues forNodes = new SiteValues(
                match,
                environment,
                new InheritedVariables(
                        options.environment(), Set.copyOf(dag.root().dag().environmentNames())),
                options.keepMatchMacros());
        bindParts(forNodes);
        if (!unbound.isEmpty()) {
            throw new UnboundReferenceException(BoundDag.siteName(match.offer()), unbound);
        }
        Map<String, String> seen = new HashMap<>(options.environment());
        seen.putAll(environment);
        warnings.addAll(new NodeFiles(dag, forNodes, seen, staged, out).stage());
        staged.stage(dag);
        tree.listInputs(dag.directory());
        BindingRecord record = record(origin, forNodes);
        try (OutputStream file = tree.create(BindingRecord.FILE)) {
            file.write(record.toBytes());
        }
        tree.commit();
        return new BoundDag(match, record, out, warnings);
    }

    private BindingRecord record(BindingRecord.Origin origin, SiteValues forNodes) {
        Map<String, String> matched = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        matched.putAll(forDag.matched());
        matched.putAll(forNodes.matched());
        return new BindingRecord(
                origin,
                BoundDag.siteName(match.offer()),
                match.rank(),
                dag.root().dag().nodeCount(),
                environment,
                matched,
                tree.files(),
                options.staging(),
                tree.inputs());
    }

    private static Map<String, String> decoded(Map<String, String> latin1) {
        Map<String, String> decoded = new LinkedHashMap<>();
        latin1.forEach((name, value) -> decoded.put(SiteValues.utf8(name), SiteValues.utf8(value)));
        return decoded;
    }

    private void complain(UnboundReference reference) {
        if (unbound.size() < MOST_COMPLAINTS) {
            unbound.add(reference);
        }
    }

    /** The variables of the site's {@code SiteEnvironment}, in either syntax; none if it is UNDEFINED. */
    private Map<String, String> siteEnvironment() {
        Value value = match.offer()
                .evaluate("SiteEnvironment", Scope.matching(match.offer(), match.customer(), LookupMode.OLD));
        if (value.isUndefined()) {
            return Map.of();
        }
        String subject =
                "The SiteEnvironment (" + value.print() + ") of the site (" + BoundDag.siteName(match.offer()) + ") ";
        if (!(value instanceof Value.Text text)) {
            throw new IllegalArgumentException(subject + "must be a string.");
        }
        if (text.text().chars().anyMatch(c -> c < ' ' && c != '\t')) {
            throw new IllegalArgumentException(subject + "has a line break or another control character in it.");
        }
        try {
            return JobEnvironment.parseAttribute(SiteValues.latin1(text.text())).variables();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(subject + "is no environment: " + e.getMessage(), e);
        }
    }

    /** Reads the variables that DAG files set by ENV SET. */
    private void dagEnvironment() {
        for (String setting : dag.root().dag().environmentSettings()) {
            try {
                environment.putAll(
                        decoded(EnvironmentLine.variables(SiteValues.latin1(setting), forDag, text -> text)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("ENV SET " + setting + " " + e.getMessage(), e);
            }
        }
    }

    /** The submit description of the condor_dagman job, if there is one. */
    private void bindJobDescription(Map<String, String> siteVariables) throws IOException {
        if (job.description().isEmpty()) {
            return;
        }
        Path file = job.description().get();
        ReferenceSubstitution substitution = new ReferenceSubstitution(forDag, file.toString(), this::complain);
        SubmitRewriter rewriter = new SubmitRewriter(substitution, siteVariables, "");
        String bound = rewriter.rewrite(description(file), 1);
        environment.putAll(decoded(rewriter.environment()));
        String name = String.valueOf(file.getFileName());
        String dagName = String.valueOf(dag.file().getFileName());
        // condor_submit_dag refuses to overwrite its own file, and would not take ours.
        String target = name.equals(dagName + DagJobAd.SUBMIT_SUFFIX) ? dagName + ".bound.sub" : name;
        if (dag.all().stream()
                .flatMap(member -> member.parsed().dag().parts().stream())
                .anyMatch(part -> part.path().normalize().equals(dag.directory().resolve(target)))) {
            throw new IllegalArgumentException(
                    "The submit description of the DAG (" + file + ") has the name of a file of the DAG.");
        }
        try (OutputStream out = tree.create(target)) {
            out.write(bound.getBytes(StandardCharsets.ISO_8859_1));
        }
        if (rewriter.writesEnvironment()) {
            warnings.add("The environment of " + target
                    + " is written in the new syntax, in double quotes: condor_submit takes a"
                    + " dollar sign that begins it for a delimiter.");
        }
    }

    private void bindParts(SiteValues forNodes) throws IOException {
        Map<String, DagPart> descriptions = new LinkedHashMap<>();
        Map<String, Path> dagFiles = new LinkedHashMap<>();
        for (NestedDag.Member member : dag.all()) {
            collect(member, descriptions, dagFiles);
        }
        for (Map.Entry<String, DagPart> entry : descriptions.entrySet()) {
            bindDescription(forNodes, entry.getKey(), entry.getValue());
        }
        String root = String.valueOf(dag.file().getFileName());
        for (Map.Entry<String, Path> entry : dagFiles.entrySet()) {
            if (!entry.getKey().equals(root)) {
                bindDagFile(forNodes, entry.getKey(), entry.getValue(), false);
            }
        }
        bindDagFile(forNodes, root, dag.file(), true);
    }

    /**
     * Collects the files of a DAG that are to be bound, by their names relative to the root's directory; a submit description outside
     * it by its absolute path.
     */
    private void collect(NestedDag.Member member, Map<String, DagPart> descriptions, Map<String, Path> dagFiles) {
        if (member.file().startsWith(dag.directory())) {
            dagFiles.putIfAbsent(dag.directory().relativize(member.file()).toString(), member.file());
        }
        Map<String, String> absent = new HashMap<>();
        for (DagPart part : member.parsed().dag().parts()) {
            Path path = part.path().toAbsolutePath().normalize();
            if (!path.startsWith(dag.directory())) {
                if (!part.name().startsWith("/")) {
                    throw new IllegalArgumentException(part.owner() + ":" + part.line() + ": The file (" + part.name()
                            + ") must not lead out of the directory of the DAG (" + dag.directory() + ").");
                }
                descriptions.putIfAbsent(path.toString(), part);
            } else if (part.role() == DagPart.Role.SUBMIT_FILE) {
                descriptions.putIfAbsent(dag.directory().relativize(path).toString(), part);
            } else if (Files.isRegularFile(path)) {
                dagFiles.putIfAbsent(dag.directory().relativize(path).toString(), path);
            } else if (absent.putIfAbsent(part.name(), part.node()) == null) {
                warnings.add(part.owner() + ":" + part.line() + ": The DAG (" + part.name()
                        + ") is not there yet; whatever writes it must know the site by itself.");
            }
        }
    }

    private void bindDescription(SiteValues forNodes, String name, DagPart part) throws IOException {
        Path path = part.path().toAbsolutePath().normalize();
        boolean outside = name.startsWith("/");
        if (!Files.isRegularFile(path)) {
            warnings.add(part.owner() + ":" + part.line() + ": The submit description (" + part.name() + ") of node "
                    + part.node() + " is not there.");
            return;
        }
        boolean hasNoReferences = !ReferenceScanner.occurIn(path);
        ParsedDescription description = description(path);
        hasGetenv |= description.hasGetenv();
        if (hasNoReferences && outside) {
            return;
        }
        if (outside) {
            throw new IllegalArgumentException(part.owner() + ":" + part.line() + ": The submit description ("
                    + part.name() + ") depends on the site, so it must be in the directory of the DAG ("
                    + dag.directory() + ").");
        }
        if (hasNoReferences) {
            tree.copy(path, name);
        } else {
            ReferenceSubstitution substitution = new ReferenceSubstitution(forNodes, name, this::complain);
            String bound = new SubmitRewriter(substitution, null, part.node()).rewrite(description, 1);
            try (OutputStream out = tree.create(name)) {
                out.write(bound.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        staged.inspect(description, part.directory());
        followIncludes(forNodes, description, name, part);
    }

    /** Binds the files that a description includes. */
    private void followIncludes(SiteValues forNodes, ParsedDescription description, String name, DagPart part)
            throws IOException {
        for (String include : description.includes()) {
            // condor_submit resolves an include in the directory of submission; one beside the description is taken if
            // that is not there.
            Path path = part.path().resolveSibling(include).toAbsolutePath().normalize();
            Path fromDirectory =
                    dag.directory().resolve(part.directory()).resolve(include).normalize();
            Path included = Files.isRegularFile(fromDirectory) ? fromDirectory : path;
            if (!included.startsWith(dag.directory())) {
                throw new IllegalArgumentException(name + ": The included file (" + include
                        + ") must not lead out of the directory of the DAG (" + dag.directory() + ").");
            }
            String inner = dag.directory().relativize(included).toString();
            if (Files.isRegularFile(included) && !tree.has(inner)) {
                bindDescription(
                        forNodes,
                        inner,
                        new DagPart(part.role(), name, 1, part.node(), part.directory(), include, included));
            }
        }
    }

    private void bindDagFile(SiteValues forNodes, String name, Path path, boolean isRoot) throws IOException {
        boolean mayNeedEnvironment = job.description().isEmpty() && !environment.isEmpty();
        // Only the rewriter reads inline descriptions, and tells whether one has getenv: then the root, bound last,
        // gets the environment.
        boolean mayUseEnvironment = isRoot && usesEnvironment() || isAny(Dag::hasInlineDescriptions);
        if (!(mayNeedEnvironment && mayUseEnvironment) && !ReferenceScanner.occurIn(path)) {
            tree.copy(path, name);
            return;
        }
        ReferenceSubstitution inNodes = new ReferenceSubstitution(forNodes, name, this::complain);
        ReferenceSubstitution inDag = new ReferenceSubstitution(forDag, name, this::complain);
        try (CommandTexts in = new CommandTexts(Files.newInputStream(path), DagLimits.DEFAULT.lineBytes());
                OutputStream out = tree.create(name)) {
            DagRewriter rewriter = new DagRewriter(inNodes, inDag, in, out);
            rewriter.rewrite();
            hasGetenv |= rewriter.hasGetenv();
            if (isRoot && mayNeedEnvironment && usesEnvironment()) {
                appendEnvironment(rewriter.endedWithNewline(), out);
            }
        }
    }

    /** Whether scripts or getenv see the environment of condor_dagman. */
    private boolean usesEnvironment() {
        return hasGetenv || isAny(Dag::hasScripts);
    }

    private boolean isAny(Predicate<Dag> kind) {
        return dag.all().stream().map(member -> member.parsed().dag()).anyMatch(kind);
    }

    private void appendEnvironment(boolean afterNewline, OutputStream out) throws IOException {
        List<String> entries = new ArrayList<>();
        environment.forEach((name, value) -> entries.add(name + "=" + ValueQuoting.protectDollars(value)));
        String all = String.join("", entries);
        String delimiters = ";|!~^:,/#@";
        int unused = 0;
        while (unused < delimiters.length() && all.indexOf(delimiters.charAt(unused)) >= 0) {
            unused++;
        }
        if (unused == delimiters.length()) {
            throw new IllegalArgumentException("The environment of the site (" + BoundDag.siteName(match.offer())
                    + ") has so many kinds of delimiters in it that ENV SET cannot say it.");
        }
        String delimiter = delimiters.substring(unused, unused + 1);
        String line = "ENV SET " + (unused == 0 ? "" : delimiter) + String.join(delimiter, entries) + "\n";
        String text = (afterNewline ? "" : "\n") + "# The environment of the site, for scripts and getenv.\n" + line;
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    static ParsedDescription description(Path file) throws IOException {
        if (Files.size(file) > MOST_SUBMIT_BYTES) {
            throw new IllegalArgumentException(
                    "The submit description (" + file + ") is longer than " + MOST_SUBMIT_BYTES + " bytes.");
        }
        return ParsedDescription.of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1), file.toString());
    }
}
