package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagParser;
import org.metasched.dag.DagProblem;
import org.metasched.dag.NodeKind;
import org.metasched.submit.JobAd;
import org.metasched.submit.SubmitContext;
import org.metasched.submit.SubmitDescription;
import org.metasched.submit.SubmitException;

/**
 * The submit descriptions of nodes, expanded with their VARS as condor_submit does. Of nodes that use a description in the same way
 * ({@link FileVariables}), only the first is expanded. Not thread-safe.
 */
public final class NodeDescriptions {

    private static final int MOST_NODES = 100_000;
    private static final Predicate<String> NAMES_SITE = text -> text.contains("$ENV(") || text.contains("$$");

    private final Map<String, String> environment;
    private final Set<Object> seen = new HashSet<>();
    /** Descriptions by directory and name of their files. */
    private final Map<Path, Map<String, Optional<Description>>> files = new HashMap<>();

    private record Description(ParsedDescription text, FileVariables variables) {
        Description(ParsedDescription text) {
            this(text, new FileVariables(text));
        }
    }

    /** @param environment variables for the descriptions */
    NodeDescriptions(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * Finds the nodes whose descriptions condor_submit would refuse with their VARS. Descriptions with references to the site are left to
     * the binder, which knows the site. A DAG with more than {@value #MOST_NODES} nodes is not checked.
     *
     * @param file DAG file of a sound DAG
     */
    public static List<DagProblem> refused(Path file, Map<String, String> environment) throws IOException {
        var descriptions = new NodeDescriptions(environment);
        var problems = new ArrayList<DagProblem>();
        var nodes = new DagParser().nodes(file).all();
        for (DagNode node : nodes.size() > MOST_NODES ? List.<DagNode>of() : nodes) {
            if (!node.isDone() && !node.isNoop() && node.kind() != NodeKind.SUBDAG) {
                descriptions
                        .refusal(node, DagParser.folderOf(file).resolve(node.directory()))
                        .ifPresent(problems::add);
            }
        }
        return problems;
    }

    private Optional<DagProblem> refusal(DagNode node, Path directory) throws IOException {
        Optional<ParsedDescription> text = firstOfItsKind(node, directory, false);
        boolean isWithoutSite = text.isPresent()
                && text.get().statements().stream().noneMatch(statement -> NAMES_SITE.test(statement.raw()))
                && node.variables().stream().noneMatch(variable -> NAMES_SITE.test(variable.value()));
        if (isWithoutSite) {
            try {
                expand(node, node.inlineDescription(), directory, ad -> {});
            } catch (SubmitException e) {
                return Optional.of(DagProblem.at(
                        node.place(),
                        "JOB",
                        "condor_submit refuses node " + node.name() + ": " + e.getMessage(),
                        "Maybe a value in its VARS needs quotes doubled or escaped."));
            }
        }
        return Optional.empty();
    }

    /**
     * The description of a node; empty if its file is not there, or if an earlier node used it in the same way.
     *
     * @param mustExist whether the node's files must exist now; it is not compared with nodes for which this differs
     */
    Optional<ParsedDescription> firstOfItsKind(DagNode node, Path directory, boolean mustExist) throws IOException {
        return description(node, directory)
                .filter(description -> seen.add(List.of(
                        directory,
                        node.description(),
                        node.inlineDescription(),
                        mustExist,
                        description.variables().of(node))))
                .map(Description::text);
    }

    /** Whether a node has its description: its own, or a file. */
    boolean isThere(DagNode node, Path directory) throws IOException {
        return description(node, directory).isPresent();
    }

    private Optional<Description> description(DagNode node, Path directory) throws IOException {
        if (node.inlineDescription().isPresent()) {
            return Optional.of(new Description(ParsedDescription.of(
                    node.inlineDescription().get(), node.place().file())));
        }
        var ofDirectory = files.computeIfAbsent(directory, path -> new HashMap<>());
        var known = ofDirectory.get(node.description());
        if (known == null) {
            Path file = directory.resolve(node.description());
            known = Files.isRegularFile(file)
                    ? Optional.of(new Description(ParsedDescription.read(file)))
                    : Optional.empty();
            ofDirectory.put(node.description(), known);
        }
        return known;
    }

    /** @param source text of the description, if it is not to be read from its file */
    void expand(DagNode node, Optional<String> source, Path directory, Consumer<JobAd> jobs)
            throws IOException, SubmitException {
        var before =
                new ArrayList<>(List.of("JOB = " + node.name(), "RETRY = 0", "FAILED_COUNT = 0", "DAG_STATUS = 0"));
        before.addAll(node.settings(false));
        SubmitDescription.expandForNode(
                source,
                node.description(),
                SubmitContext.of(directory, environment).withoutFileChecks(),
                before,
                node.settings(true),
                job -> jobs.accept(job.ad()),
                (name, file, line) -> {});
    }
}
