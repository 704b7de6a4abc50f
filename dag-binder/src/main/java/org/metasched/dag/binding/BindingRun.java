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
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.classad.match.Match;
import org.metasched.dag.CommandTexts;
import org.metasched.dag.Dag;
import org.metasched.dag.DagLimits;
import org.metasched.dag.DagPart;
import org.metasched.dag.InheritedVariables;
import org.metasched.submit.JobEnvironment;
import org.metasched.submit.SubmitStatement;

/** One binding of one DAG; runs once. */
final class BindingRun {

    private final NestedDag dag;
    private final DagJobAd job;
    private final Match match;
    private final DagBinder.Options options;
    private final OutputTree tree;
    private final StagedFiles staged;
    private final List<UnboundReference> unbound = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    /** The last use of each file, by its name relative to the root's directory or, outside it, its absolute path. */
    private final Map<String, Use> uses = new HashMap<>();

    /** The values for the DAG's own job: the user's variables, to which {@link #run} adds those of the site. */
    private final SiteValues forDag;

    private boolean hasGetenv;

    /** A directory in which a description is submitted, and whether an absolute name leads there: not into the bound DAG. */
    private record Folder(Path path, boolean isOriginal) {}

    /** A use of a file: the values with which it is bound, and the line that names it. */
    private record Use(SiteValues values, String place) {}

    BindingRun(NestedDag dag, DagJobAd job, Match match, DagBinder.Options options, OutputTree tree) {
        this.dag = dag;
        this.job = job;
        this.match = match;
        this.options = options;
        this.tree = tree;
        this.staged = new StagedFiles(dag.directory(), tree);
        this.forDag =
                new SiteValues(match, new HashMap<>(options.environment()), InheritedVariables.usual(Map.of()), false);
    }

    BoundDag run(BindingRecord.Origin origin, Optional<Path> out) throws IOException, UnboundReferenceException {
        if (!dag.isSound()) {
            throw new IllegalArgumentException(dag.errors().get(0).toString());
        }
        warnings.addAll(job.warnings());
        Map<String, String> siteVariables = siteEnvironment();
        // For nodes, the site's variables win; the DAG's own job is submitted here, where those of the submitter win.
        environment.putAll(decoded(siteVariables));
        environment.forEach(forDag.variables::putIfAbsent);
        environment.putAll(setBy(dag.root().dag()));
        bindJobDescription(siteVariables);
        Map<NestedDag.Member, SiteValues> forNodes = bindParts();
        if (!unbound.isEmpty()) {
            throw new UnboundReferenceException(BoundDag.siteName(match.offer()), unbound);
        }
        warnings.addAll(new NodeFiles(dag, forNodes, options.environment(), staged, out).stage());
        staged.stage(dag);
        tree.listInputs(dag.directory());
        BindingRecord record = record(origin, forNodes);
        write(BindingRecord.FILE, record.toBytes());
        tree.commit().ifPresent(warnings::add);
        return new BoundDag(match, record, out, warnings);
    }

    private void write(String name, byte[] content) throws IOException {
        try (OutputStream file = tree.create(name)) {
            file.write(content);
        }
    }

    private BindingRecord record(BindingRecord.Origin origin, Map<NestedDag.Member, SiteValues> forNodes) {
        Map<String, String> matched = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        matched.putAll(forDag.matched());
        forNodes.values().forEach(values -> matched.putAll(values.matched()));
        return new BindingRecord(
                origin,
                BoundDag.siteName(match.offer()),
                match.rank(),
                dag.root().dag().nodeCount(),
                environment,
                matched,
                tree.files(),
                options.staging(),
                options.keepMatchMacros(),
                tree.inputs());
    }

    /** Names and values as text, from Latin-1 with a character for each byte. */
    private static Map<String, String> decoded(Map<String, String> latin1) {
        Map<String, String> decoded = new LinkedHashMap<>();
        latin1.forEach((name, value) -> decoded.put(SiteValues.utf8(name), SiteValues.utf8(value)));
        return decoded;
    }

    private void complain(UnboundReference reference) {
        if (unbound.size() < UnboundReferenceException.MOST_KEPT) {
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

    /** The variables that a DAG, with its includes and splices, sets by ENV SET. */
    private Map<String, String> setBy(Dag which) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String setting : which.environmentSettings()) {
            try {
                variables.putAll(decoded(EnvironmentLine.variables(SiteValues.latin1(setting), forDag, text -> text)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("ENV SET " + setting + " " + e.getMessage(), e);
            }
        }
        return variables;
    }

    /** The submit description of the condor_dagman job, if there is one. */
    private void bindJobDescription(Map<String, String> siteVariables) throws IOException {
        if (job.description().isEmpty()) {
            return;
        }
        Path file = job.description().get();
        ReferenceSubstitution substitution = new ReferenceSubstitution(forDag, file.toString(), this::complain);
        SubmitRewriter rewriter = new SubmitRewriter(substitution, siteVariables, "");
        String bound = rewriter.rewrite(ParsedDescription.read(file), 1);
        environment.putAll(decoded(rewriter.environment));
        String name = String.valueOf(file.getFileName());
        String dagName = String.valueOf(dag.file().getFileName());
        // condor_submit_dag refuses to overwrite its own file, and would not take ours.
        String target = name.equals(dagName + DagJobAd.SUBMIT_SUFFIX) ? dagName + ".bound.sub" : name;
        if (dag.all().stream()
                .flatMap(member -> member.parsed().dag().parts().stream())
                .anyMatch(part -> part.path().normalize().equals(dag.directory().resolve(target)))) {
            throw new IllegalArgumentException("The submit description of the DAG (" + file + ") would be written to ("
                    + target + "), which is another file of the DAG.\nMaybe give it another name.");
        }
        write(target, bound.getBytes(StandardCharsets.ISO_8859_1));
        if (rewriter.writesEnvironment) {
            warnings.add("The environment of " + target
                    + " is now written in the new syntax (in double quotes), because in the old one"
                    + " condor_submit takes a leading dollar sign for the delimiter.");
        }
    }

    /** Binds the files of all DAGs; returns the values for the nodes of each DAG. Each nested DAG adds its own ENV lines. */
    private Map<NestedDag.Member, SiteValues> bindParts() throws IOException {
        Map<NestedDag.Member, SiteValues> forNodes = new HashMap<>();
        InheritedVariables inherited = InheritedVariables.usual(options.environment());
        NestedRuns runs = new NestedRuns(dag);
        SiteValues around = new SiteValues(match, environment, inherited, options.keepMatchMacros());
        runs.add(dag.file(), dag.directory(), around, "", false);
        for (int i = 0; i < runs.all.size(); i++) {
            NestedRuns.Run run = runs.all.get(i);
            Path file = run.member().file();
            Dag own = run.member().parsed().dag();
            SiteValues values = run.around().with(i == 0 ? Map.of() : setBy(own), own.environmentPatterns());
            if (forNodes.putIfAbsent(run.member(), values) == null && !run.isOriginal()) {
                warnOfRescueFile(file);
            }
            bindFilesOf(run, values, runs);
            if (!file.equals(dag.file())) {
                bindDagFile(values, file, run.place(), false);
            }
        }
        bindDagFile(Objects.requireNonNull(forNodes.get(dag.all().get(0))), dag.file(), "", true);
        return forNodes;
    }

    /** Warns if the DAG has rescue files, of which the first has number 1: condor_dagman would not find them beside the bound DAG. */
    private void warnOfRescueFile(Path file) {
        Path rescue = file.resolveSibling(file.getFileName() + ".rescue001");
        if (Files.exists(rescue)) {
            warnings.add(
                    "The rescue file (" + nameOf(rescue)
                            + ") is not bound: the nodes that it calls DONE run again, unless it is copied beside the bound DAG.");
        }
    }

    /** Binds the files that a DAG names; nested DAGs are added to {@code runs}, to be bound later. */
    private void bindFilesOf(NestedRuns.Run run, SiteValues values, NestedRuns runs) throws IOException {
        NestedDag.Member member = run.member();
        for (DagPart part : member.parsed().dag().parts()) {
            Path path = part.path().toAbsolutePath().normalize();
            String place = part.owner() + ":" + part.line();
            if (!path.startsWith(dag.directory()) && !part.name().startsWith("/")) {
                throw new IllegalArgumentException(place + ": The file (" + part.name()
                        + ") must not lead out of the directory of the DAG (" + dag.directory() + ").");
            }
            Folder folder = new Folder(
                    member.directory().resolve(part.directory()).normalize(),
                    run.isOriginal() || part.directory().startsWith("/"));
            checkPlace(part, path, place, folder);
            if (part.role() == DagPart.Role.SUBMIT_FILE) {
                bindDescription(values, part, folder);
            } else if (part.role() != DagPart.Role.SUBDAG) {
                bindDagFile(values, path, place, false);
            } else if (Files.isRegularFile(path)) {
                runs.add(path, folder.path(), values, place, folder.isOriginal());
            } else if (use("DAG file", path, values, place) == null) {
                warnings.add(place + ": The DAG (" + part.name()
                        + ") is not there yet; the program that writes it must find the site by itself.");
            }
        }
    }

    /** Refuses a file that depends on the site, if its name leads out of the directory of the DAG or, being absolute, to the original. */
    private void checkPlace(DagPart part, Path path, String place, Folder folder) throws IOException {
        boolean isCopied = !folder.isOriginal() && !part.name().startsWith("/") && path.startsWith(dag.directory());
        if (!isCopied && Files.isRegularFile(path) && ReferenceScanner.occurIn(path)) {
            String what = part.role() == DagPart.Role.SUBMIT_FILE ? "submit description" : "DAG file";
            throw new IllegalArgumentException(
                    place + ": The " + what + " (" + path + ") depends on the site, so it must be"
                            + " in the directory of the DAG (" + dag.directory() + ") under a relative name.");
        }
    }

    /** Notes a use of a file, and returns the one before it. The bound DAG has the file once, so both uses must give it the same text. */
    private @Nullable Use use(String what, Path path, SiteValues values, String place) throws IOException {
        Use before = uses.put(nameOf(path), new Use(values, place));
        if (before != null && before.values() != values && Files.isRegularFile(path)) {
            for (String name : ReferenceScanner.variablesOf(path)) {
                if (!values.agreesOn(name, before.values())) {
                    throw new IllegalArgumentException(place + ": The " + what + " (" + nameOf(path)
                            + ") would not be the same for "
                            + (before.place().equals(place) ? "all runs of this DAG" : before.place() + " and " + place)
                            + ", as the ENV lines around them give $ENV(" + name + ") other values.");
                }
            }
        }
        return before;
    }

    /** The name of a file in the bound DAG; that of a file outside the directory of the DAG is its absolute path. */
    private String nameOf(Path path) {
        return (path.startsWith(dag.directory()) ? dag.directory().relativize(path) : path).toString();
    }

    private void bindDescription(SiteValues values, DagPart part, Folder folder) throws IOException {
        Path path = part.path().toAbsolutePath().normalize();
        String name = nameOf(path);
        String place = part.owner() + ":" + part.line();
        Use before = use("submit description", path, values, place);
        if (before != null && before.values() == values) {
            return;
        }
        if (!Files.isRegularFile(path)) {
            if (before == null) {
                warnings.add(place + ": The submit description (" + part.name() + ") of node " + part.node()
                        + " is not there.");
            }
            return;
        }
        boolean hasReferences = ReferenceScanner.occurIn(path);
        ParsedDescription description = ParsedDescription.read(path);
        hasGetenv |= description.hasGetenv();
        if (before == null && hasReferences) {
            ReferenceSubstitution substitution = new ReferenceSubstitution(values, name, this::complain);
            String text = new SubmitRewriter(substitution, null, part.node()).rewrite(description, 1);
            write(name, text.getBytes(StandardCharsets.ISO_8859_1));
        } else if (before == null && !name.startsWith("/")) {
            tree.copy(path, name);
        }
        staged.inspect(description, dag.directory().relativize(folder.path()).toString());
        followIncludes(values, description, part, folder);
    }

    /** Binds the files that a description includes. */
    private void followIncludes(SiteValues values, ParsedDescription description, DagPart part, Folder folder)
            throws IOException {
        String name = nameOf(part.path().toAbsolutePath().normalize());
        for (SubmitStatement include : description.includes()) {
            String file = SiteValues.utf8(include.file());
            // condor_submit resolves an include in the directory of submission; one beside the description is taken if
            // that is not there.
            Path submitted = folder.path().resolve(file).normalize();
            Path included = Files.isRegularFile(submitted)
                    ? submitted
                    : part.path().resolveSibling(file).toAbsolutePath().normalize();
            if (!included.startsWith(dag.directory()) && !name.startsWith("/")) {
                throw new IllegalArgumentException(name + ":" + include.line() + ": The included file (" + file
                        + ") must not lead out of the directory of the DAG (" + dag.directory() + ").");
            }
            if (Files.isRegularFile(included)) {
                var inner = new DagPart(part.role(), name, include.line(), part.node(), "", file, included);
                checkPlace(inner, included, name + ":" + include.line(), folder);
                bindDescription(values, inner, folder);
            }
        }
    }

    private void bindDagFile(SiteValues values, Path path, String place, boolean isRoot) throws IOException {
        if (use("DAG file", path, values, place) != null) {
            return;
        }
        String name = nameOf(path);
        boolean hasReferences = ReferenceScanner.occurIn(path);
        boolean isOutside = name.startsWith("/");
        boolean mayNeedEnvironment = job.description().isEmpty() && !environment.isEmpty();
        // An inline description may have getenv; only the rewriter finds out. The root is bound last: by then all are
        // known.
        boolean mayUseEnvironment = isRoot && usesEnvironment() || isAny(Dag::hasInlineDescriptions);
        if (!(mayNeedEnvironment && mayUseEnvironment) && !hasReferences) {
            if (!isOutside) {
                tree.copy(path, name);
            }
            return;
        }
        ReferenceSubstitution inNodes = new ReferenceSubstitution(values, name, this::complain);
        ReferenceSubstitution inDag = new ReferenceSubstitution(forDag, name, this::complain);
        try (CommandTexts in = new CommandTexts(Files.newInputStream(path), DagLimits.DEFAULT.lineBytes());
                OutputStream out = isOutside ? OutputStream.nullOutputStream() : tree.create(name)) {
            DagRewriter rewriter = new DagRewriter(inNodes, inDag, in, out);
            rewriter.rewrite();
            hasGetenv |= rewriter.hasGetenv;
            if (isRoot && mayNeedEnvironment && usesEnvironment()) {
                if (in.endedInContinuation()) {
                    throw new IllegalArgumentException(
                            name + ": The last line ends with a backslash, so the environment"
                                    + " of the site (ENV SET) cannot follow it.\nMaybe a line is missing there.");
                }
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

    /** Appends ENV SET with a delimiter that no value has in it. */
    private void appendEnvironment(boolean afterNewline, OutputStream out) throws IOException {
        List<String> entries = new ArrayList<>();
        environment.forEach((name, value) -> entries.add(name + "=" + ValueQuoting.protectDollars(value)));
        String all = String.join("", entries);
        String delimiter = ";|!~^:,/#@"
                .chars()
                .filter(c -> all.indexOf(c) < 0)
                .mapToObj(Character::toString)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The environment of the site ("
                        + BoundDag.siteName(match.offer())
                        + ") has so many kinds of delimiters in it that ENV SET cannot say it."));
        String line = "ENV SET " + (delimiter.equals(";") ? "" : delimiter) + String.join(delimiter, entries) + "\n";
        String text = (afterNewline ? "" : "\n") + "# The environment of the site, for scripts and getenv.\n" + line;
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
