package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNodes;
import org.metasched.dag.DagParser;
import org.metasched.dag.DagProblem;
import org.metasched.dag.NodeKind;
import org.metasched.submit.SubmitContext;
import org.metasched.submit.SubmitDescription;
import org.metasched.submit.SubmitException;

/** Data of a DAG that a run on Slurm needs before it begins: its nodes, and the jobs of each. Not thread-safe. */
public final class DagmanPlan {

    /** Most characters of a node's name in the names of its files and jobs, of which a file system takes 255. */
    private static final int LONGEST_STEM = 40;

    final Path file;
    /** The directory in which the DAG runs. */
    private final Path top;
    /** The folder of the run's journal, scripts and results. */
    final Path folder;

    /** Files of the DAGs around this one, the outermost first. */
    private final List<Path> outer;

    private final Setup setup;
    final DagmanSettings settings = new DagmanSettings();
    final DagNodes nodes;
    final Map<String, String> environment;
    private final Map<String, NodeExpander.Expanded> expanded = new HashMap<>();
    private final NodeParents parents;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> warnings;

    /**
     * Demands of the user.
     *
     * @param without names of commands to be left out
     * @param config configuration of condor_dagman, beside that of the DAG
     * @param hasContainers whether the site's machines have apptainer
     */
    public record Demands(Set<String> without, Optional<Path> config, boolean hasContainers) {
        public static final Demands NONE = new Demands(Set.of(), Optional.empty(), false);
    }

    private record Setup(Demands demands, Instant now) {}

    private DagmanPlan(Path file, Path top, Path folder, List<Path> outer, Map<String, String> environment, Setup setup)
            throws IOException, UnsupportedFeaturesException {
        this.file = file;
        this.top = top;
        this.folder = folder;
        this.outer = outer;
        this.setup = setup;
        this.nodes = new DagParser().nodes(file, top);
        if (!nodes.parsed().isSound()) {
            throw new UnsupportedFeaturesException(nodes.parsed().errors());
        }
        this.environment =
                Collections.unmodifiableMap(new LinkedHashMap<>(outer.isEmpty() ? environment : withOwn(environment)));
        var unsupported = new UnsupportedFeatures(setup.demands.without());
        nodes.runnerCommands().forEach(unsupported::check);
        readSettings(unsupported);
        unsupported.throwIfAny();
        this.parents = new NodeParents(nodes.parsed().dag());
        expand(expander(unsupported));
        unsupported.throwIfAny();
        this.warnings = unsupported.warnings();
    }

    /** The variables of the DAGs around a nested DAG, overridden by its own ENV SET. A binding has those of the outermost DAG already. */
    private Map<String, String> withOwn(Map<String, String> around) throws IOException, UnsupportedFeaturesException {
        Map<String, String> all = new LinkedHashMap<>(around);
        for (String setting : nodes.parsed().dag().environmentSettings()) {
            try {
                SubmitDescription.expandForNode(
                        Optional.of("executable = condor_dagman\nenvironment = " + setting + "\n"),
                        file.toString(),
                        SubmitContext.of(top, around).withoutFileChecks(),
                        List.of(),
                        List.of(),
                        job -> all.putAll(NodeExpander.variables(job.ad())),
                        (name, at, line) -> {});
            } catch (SubmitException e) {
                String reason = "ENV SET " + setting + ": " + e.reason();
                throw new UnsupportedFeaturesException(
                        List.of(DagProblem.at(new DagNode.Place(file.toString(), 0), "ENV", reason, "")));
            }
        }
        return all;
    }

    private void readSettings(UnsupportedFeatures unsupported) throws IOException {
        Optional<DagNodes.RunnerCommand> command = command("CONFIG");
        if (command.isPresent()) {
            settings.read(top.resolve(command.get().subject()), command.get().place(), unsupported);
        }
        if (setup.demands.config().isPresent()) {
            Path config = setup.demands.config().get();
            settings.read(config, new DagNode.Place(config.toString(), 0), unsupported);
        }
    }

    /** The first command of this name in the DAG files. */
    Optional<DagNodes.RunnerCommand> command(String name) {
        return nodes.runnerCommands().stream()
                .filter(found -> found.command().equals(name))
                .findFirst();
    }

    private NodeExpander expander(UnsupportedFeatures unsupported) {
        return new NodeExpander(top, environment, setup.now, unsupported, setup.demands.hasContainers());
    }

    private void expand(NodeExpander expander) throws IOException, UnsupportedFeaturesException {
        for (DagNode node : nodes.all()) {
            numbers.put(node.name(), numbers.size() + 1);
            if (node.isDone()) {
                continue;
            }
            if (node.kind() != NodeKind.SUBDAG && !node.isNoop()) {
                // The PRE script writes the description later.
                boolean isLater = node.pre().isPresent()
                        && node.inlineDescription().isEmpty()
                        && !Files.exists(directory(node).resolve(node.description()));
                expanded.put(
                        node.name(),
                        isLater
                                ? NodeExpander.Expanded.LATER
                                : expand(expander, node, NodeExpander.DagmanMacros.FIRST));
            } else if (!node.isNoop() && Files.exists(innerFile(node))) {
                // A file that is there already is checked before anything runs; others are once they have been written.
                DagmanPlan unused = inner(node, folder, setup.now);
            }
        }
    }

    private NodeExpander.Expanded expand(NodeExpander expander, DagNode node, NodeExpander.DagmanMacros macros)
            throws IOException {
        return expander.expand(node, number(node.name()), parents.names(node.name()), macros);
    }

    /**
     * Plans the run of a DAG.
     *
     * @param dagFile a DAG that {@code dag bind} has bound
     * @param environment variables of the DAG at its site, for its scripts and for {@code getenv}
     * @param now instant for macros about the time
     * @throws UnsupportedFeaturesException if the DAG asks for what Slurm cannot do, or would not run at all
     */
    public static DagmanPlan of(Path dagFile, Map<String, String> environment, Demands demands, Instant now)
            throws IOException, UnsupportedFeaturesException {
        Path file = dagFile.toAbsolutePath().normalize();
        Path top = DagParser.folderOf(file);
        var plan =
                new DagmanPlan(file, top, top.resolve(RunFolder.NAME), List.of(), environment, new Setup(demands, now));
        Optional<Path> rescue = RescueFile.newest(file);
        for (String name : rescue.isPresent() ? RescueFile.doneNodes(rescue.get()) : Set.<String>of()) {
            if (plan.nodes.find(name).isEmpty()) {
                throw new IOException("The rescue file (" + rescue.get() + ") says that the node (" + name
                        + ") is done, but the DAG has no such node.\nMaybe it is that of another DAG of this name.");
            }
        }
        return plan;
    }

    /** The DAG that a SUBDAG node runs, as it is now. */
    DagmanPlan inner(DagNode node, Path innerFolder, Instant now) throws IOException, UnsupportedFeaturesException {
        var chain = new ArrayList<>(outer);
        chain.add(file);
        Path inside = innerFile(node);
        if (chain.contains(inside) || !Files.isRegularFile(inside)) {
            String reason = "The DAG (" + inside + ") " + (chain.contains(inside) ? "runs itself" : "is not there");
            throw new UnsupportedFeaturesException(List.of(DagProblem.at(node.place(), "SUBDAG", reason, "")));
        }
        return new DagmanPlan(inside, directory(node), innerFolder, chain, environment, new Setup(setup.demands, now));
    }

    private Path directory(DagNode node) {
        return top.resolve(node.directory()).normalize();
    }

    private Path innerFile(DagNode node) {
        return directory(node).resolve(node.description()).normalize();
    }

    /** The directory in which the DAG runs; for the outermost DAG, that of its file. */
    public Path top() {
        return top;
    }

    /** Whether a file beside the DAG asks to halt it, as with condor. DAGs of its SUBDAG nodes are not halted. */
    boolean isToHalt() {
        return Files.exists(file.resolveSibling(file.getFileName() + ".halt"));
    }

    /** Sentences about the features that are left out. */
    public List<String> warnings() {
        return warnings;
    }

    /** The jobs of a node; none for NOOP and SUBDAG nodes. */
    List<NodeJob> jobs(String node) {
        return expanded.containsKey(node) ? expanded.get(node).jobs() : List.of();
    }

    /** The submission of a node with these macros, as its description is now: as many jobs as {@link #jobs}. */
    NodeExpander.Expanded submission(DagNode node, NodeExpander.DagmanMacros macros) throws IOException {
        try {
            var unsupported = new UnsupportedFeatures(setup.demands.without());
            NodeExpander.Expanded fresh = expand(expander(unsupported), node, macros);
            unsupported.throwIfAny();
            if (fresh.jobs().size() == jobs(node.name()).size()) {
                return fresh;
            }
            throw new SlurmException("The submit description of node " + node.name() + " makes "
                    + fresh.jobs().size() + " jobs now, and made "
                    + jobs(node.name()).size() + " before.");
        } catch (UnsupportedFeaturesException e) {
            throw new SlurmException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The number of a node, from 1: its value of {@code $(Cluster)}. */
    int number(String node) {
        return Optional.ofNullable(numbers.get(node))
                .orElseThrow(() -> new IllegalArgumentException("The DAG has no node " + node + "."));
    }

    /** The part of file and job names that stands for a node: its number and the beginning of its name. */
    String key(String node) {
        String stem = node.replaceAll("[^A-Za-z0-9_+-]", "_");
        return String.format(Locale.ROOT, "%06d-", number(node))
                + stem.substring(0, Math.min(LONGEST_STEM, stem.length()));
    }
}
