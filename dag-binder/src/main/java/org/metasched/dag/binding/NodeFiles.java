package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNodes;
import org.metasched.dag.DagParser;
import org.metasched.dag.NodeKind;
import org.metasched.submit.JobAd;
import org.metasched.submit.SubmitException;

/**
 * The files that nodes read under relative names: executables and inputs of each node's description, expanded with its VARS as
 * condor_submit does, and its scripts. Files that exist are staged; others are missing, unless an earlier node or a script can make them.
 * Directories to which nodes write are made in the bound DAG if the original has them.
 */
final class NodeFiles {

    private static final int MOST_LATER = 100_000;
    private static final int MOST_MISSING = 100;

    private final NestedDag dag;
    private final Map<NestedDag.Member, SiteValues> valuesOf;
    private final Map<String, String> submitter;
    private final StagedFiles staged;
    private final Optional<Path> out;
    private final Set<String> missing = new LinkedHashSet<>();
    private final Set<String> later = new LinkedHashSet<>();
    private final List<String> warnings = new ArrayList<>();

    // Values, variables and descriptions of the DAG whose nodes are added at the moment.
    private SiteValues forNodes;
    private Map<String, String> environment = Map.of();
    private NodeDescriptions descriptions = new NodeDescriptions(Map.of());
    private final Map<String, Path> directories = new HashMap<>();

    /**
     * @param valuesOf values for the nodes of each DAG
     * @param submitter variables of the submitter
     */
    NodeFiles(
            NestedDag dag,
            Map<NestedDag.Member, SiteValues> valuesOf,
            Map<String, String> submitter,
            StagedFiles staged,
            Optional<Path> out) {
        this.dag = dag;
        this.valuesOf = valuesOf;
        this.forNodes = Objects.requireNonNull(valuesOf.get(dag.all().get(0)));
        this.submitter = submitter;
        this.staged = staged;
        this.out = out.map(RebindTransaction::placeOf);
    }

    /**
     * Stages the files that exist.
     *
     * @return warnings
     * @throws IllegalArgumentException if a file is missing
     */
    List<String> stage() throws IOException {
        for (NestedDag.Member member : dag.all()) {
            forNodes = valuesOf.getOrDefault(member, forNodes);
            environment = new HashMap<>(submitter);
            environment.putAll(forNodes.variables);
            descriptions = new NodeDescriptions(environment);
            directories.clear();
            DagNodes nodes = new DagParser().nodesWithoutFamilies(member.file(), member.directory());
            Set<String> children = children(nodes);
            for (DagNode node : nodes.all()) {
                boolean isFirst =
                        member == dag.all().get(0) && !children.contains(node.name()) && node.kind() != NodeKind.FINAL;
                addNode(member, node, isFirst);
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", missing) + "\nNothing has been written.");
        }
        if (!later.isEmpty()) {
            warnings.add("Files that are not there yet, and that an earlier node or a script must write: "
                    + later.size() + ". The first: " + later.iterator().next());
        }
        return warnings;
    }

    private static Set<String> children(DagNodes nodes) {
        var dag = nodes.parsed().dag();
        var children = new BitSet();
        for (int vertex = 0; vertex < dag.vertexCount(); vertex++) {
            dag.children(vertex).forEach(children::set);
        }
        return children.stream().mapToObj(dag::name).collect(Collectors.toSet());
    }

    private void addNode(NestedDag.Member member, DagNode node, boolean isFirst) throws IOException {
        if (node.isDone()) {
            return;
        }
        Path directory = directories.computeIfAbsent(
                node.directory(), name -> member.directory().resolve(name).normalize());
        node.pre().ifPresent(script -> addScript(script, directory, node, isFirst));
        node.post().ifPresent(script -> addScript(script, directory, node, false));
        if (node.isNoop() || node.kind() == NodeKind.SUBDAG) {
            return;
        }
        boolean mustExist = isFirst && node.pre().isEmpty();
        Optional<ParsedDescription> text = descriptions.firstOfItsKind(node, directory, mustExist);
        if (text.isEmpty()) {
            if (mustExist && !descriptions.isThere(node, directory)) {
                complain(node.place() + ": JOB of node " + node.name() + ": the file ("
                        + directory.resolve(node.description()) + ") is not there.");
            }
            return;
        }
        if (node.inlineDescription().isPresent()) {
            staged.inspect(text.get(), dag.directory().relativize(directory).toString());
        }
        try {
            descriptions.expand(
                    node, node.inlineDescription(), directory, ad -> addAd(ad, text.get(), directory, node, mustExist));
        } catch (SubmitException e) {
            addBound(node, text.get(), directory, mustExist);
        }
    }

    /** Expands the description with its references replaced: where a number is expected, condor_submit refuses a reference. */
    private void addBound(DagNode node, ParsedDescription text, Path directory, boolean mustExist) throws IOException {
        var substitution = new ReferenceSubstitution(forNodes, node.description(), unbound -> {});
        String bound = new SubmitRewriter(substitution, null, node.name()).rewrite(text, 1);
        boolean isInline = node.inlineDescription().isPresent();
        try {
            descriptions.expand(
                    node,
                    Optional.of(isInline ? bound : SiteValues.utf8(bound)),
                    directory,
                    ad -> addAd(ad, text, directory, node, mustExist));
        } catch (SubmitException e) {
            warnings.add(node.place() + ": The submit description of node " + node.name() + " cannot be expanded: "
                    + e.getMessage());
        }
    }

    private void addAd(JobAd ad, ParsedDescription text, Path directory, DagNode node, boolean mustExist) {
        Path work = directory.resolve(ad.string("Iwd").orElse(""));
        String image = ad.string("ContainerImage").isPresent() ? "container_image" : "docker_image";
        if (ad.string("ContainerImage").or(() -> ad.string("DockerImage")).isPresent() && !forNodes.noteContainers()) {
            complain(about(image, text, node) + ": the site starts no containers: its ad has no HasApptainer = true.");
        }
        boolean isSent = !ad.get("TransferExecutable").filter("false"::equals).isPresent();
        addInput(ad.string("Cmd").orElse(""), directory, "executable", text, node, mustExist && isSent);
        addInput(ad.string("In").orElse(""), work, "input", text, node, mustExist);
        addInput(ad.string("x509userproxy").orElse(""), work, "x509userproxy", text, node, mustExist);
        for (String input : ad.string("TransferInput").orElse("").split(",")) {
            addInput(input.strip(), work, "transfer_input_files", text, node, mustExist);
        }
        // The empty name stands for the working directory itself.
        var outputs = new ArrayList<>(List.of(""));
        Stream.of("Out", "Err", "UserLog").forEach(output -> ad.string(output).ifPresent(outputs::add));
        for (String remap : ad.string("TransferOutputRemaps").orElse("").split(";")) {
            outputs.add(remap.substring(remap.indexOf('=') + 1).strip());
        }
        outputs.forEach(output -> addFolder(work, output.substring(0, output.lastIndexOf('/') + 1)));
    }

    /** Adds the directory of an output: condor_submit and the transfer of outputs make none. */
    private void addFolder(Path work, String name) {
        try {
            Path folder = asOriginal(work.resolve(name).normalize());
            if (folder.startsWith(dag.directory())) {
                staged.addFolder(folder);
            }
        } catch (InvalidPathException e) {
            // No directory has this name.
        }
    }

    private void addInput(
            String name, Path directory, String command, ParsedDescription text, DagNode node, boolean mustExist) {
        if (!name.isEmpty() && !name.contains("://") && !name.contains("$$")) {
            addFile(name, directory, about(command, text, node), mustExist);
        }
    }

    /** The beginning of a message: place, command and node. */
    private static String about(String command, ParsedDescription text, DagNode node) {
        Set<String> names = new HashSet<>(List.of(command, command.replace("_", "")));
        int line = text.statements().stream()
                .filter(statement -> statement.sets(names))
                .mapToInt(statement -> statement.line())
                .findFirst()
                .orElse(0);
        String where = line == 0 || node.inlineDescription().isPresent()
                ? node.place().toString()
                : node.description() + ":" + line;
        return where + ": " + command + " of node " + node.name();
    }

    private void addScript(DagNode.Script script, Path directory, DagNode node, boolean mustExist) {
        String program = script.words().get(0);
        boolean isInPath = !program.contains("/")
                && !Files.exists(directory.resolve(program))
                && Stream.of(environment.getOrDefault("PATH", "").split(":"))
                        .anyMatch(folder -> folder.startsWith("/") && Files.exists(Path.of(folder, program)));
        if (!isInPath) {
            addFile(program, directory, script.place() + ": SCRIPT of node " + node.name(), mustExist);
        }
    }

    /** Stages one file, or notes that it is missing; an absolute name outside of both places of the DAG may be the site's. */
    private void addFile(String name, Path directory, String about, boolean mustExist) {
        Path path;
        try {
            path = asOriginal(directory.resolve(name).normalize());
        } catch (InvalidPathException e) {
            return;
        }
        boolean isInside = path.startsWith(dag.directory());
        if (path.equals(dag.directory()) || !isInside && name.startsWith("/")) {
            return;
        }
        String relative = dag.directory().relativize(path).toString();
        if (!isInside) {
            boolean isThere =
                    out.isPresent() && Files.exists(out.get().resolve(relative).normalize());
            if (!isThere && directory.startsWith(dag.directory())) {
                complain(about + ": the file (" + name + ") leads out of the directory of the DAG (" + dag.directory()
                        + "), so it is not at its place beside the bound DAG. An absolute name would be.");
            }
        } else if (Files.exists(path)) {
            staged.add(relative);
        } else if (mustExist) {
            complain(about + ": the file (" + name + ") is not there"
                    + (name.startsWith("/") ? "." : ", expected " + path + "."));
        } else if (later.size() < MOST_LATER) {
            later.add(about + ", " + name + ".");
        }
    }

    /** The path in the original DAG of a file that may be named by its future place. */
    private Path asOriginal(Path path) {
        return out.filter(path::startsWith)
                .map(place -> dag.directory().resolve(place.relativize(path)))
                .orElse(path);
    }

    private void complain(String problem) {
        if (missing.size() < MOST_MISSING) {
            missing.add(problem);
        }
    }
}
