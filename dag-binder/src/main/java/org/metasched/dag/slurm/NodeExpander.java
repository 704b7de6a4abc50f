package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.metasched.dag.DagNode;
import org.metasched.dag.NodeKind;
import org.metasched.submit.JobAd;
import org.metasched.submit.JobEnvironment;
import org.metasched.submit.SubmitContext;
import org.metasched.submit.SubmitDescription;
import org.metasched.submit.SubmitException;
import org.metasched.submit.SubmitLimits;

/**
 * Turns the submit description of a node into jobs and options of sbatch.
 *
 * @param top directory in which the DAG runs
 * @param environment variables of the DAG at its site
 * @param now one instant for the whole DAG, so that expanding a description twice gives the same
 * @param unsupported receiver of what Slurm cannot honour
 * @param hasContainers whether the site's machines have apptainer
 */
record NodeExpander(
        Path top,
        Map<String, String> environment,
        Instant now,
        UnsupportedFeatures unsupported,
        boolean hasContainers) {

    /** A node's expanded description. */
    record Expanded(List<NodeJob> jobs, List<String> options) {

        /** Stands for the one job of a description that the node's PRE script writes. */
        static final Expanded LATER = new Expanded(
                List.of(new NodeJob("", List.of(), Map.of(), Path.of(""), "", "", "", List.of())), List.of());
    }

    /**
     * Values that condor_dagman gives to the description at each submission.
     *
     * @param attempt number of the attempt, from 0
     * @param status number of the DAG's status
     * @param failed number of nodes that have failed
     */
    record DagmanMacros(int attempt, int status, int failed) {
        static final DagmanMacros FIRST = new DagmanMacros(0, 0, 0);
    }

    /**
     * Expands the description of a node. One that is refused has no jobs.
     *
     * @param number number of the node, the value of $(Cluster)
     * @param parents names of the nodes that the node waits for
     */
    Expanded expand(DagNode node, int number, List<String> parents, DagmanMacros macros) throws IOException {
        Path directory = top.resolve(node.directory()).normalize();
        SubmitRules rules = new SubmitRules(node, new LinkedHashMap<>(), unsupported);
        node.variables().forEach(variable -> rules.note(variable.name(), node.place()));
        try {
            List<JobAd> ads = ads(rules, directory, number, parents, macros);
            // Values of a first retry: attempt 1, DAG status 2 (a node has failed), one failed node.
            boolean mayVary = node.rules().retry().times() > 0 || node.kind() == NodeKind.FINAL;
            List<JobAd> adsOfRetry = mayVary ? ads(rules, directory, number, parents, new DagmanMacros(1, 2, 1)) : ads;
            rules.checkCommands();
            if (adsOfRetry.size() != ads.size()) {
                unsupported.refuse(
                        node.place(),
                        "RETRY",
                        "The submit description of node " + node.name() + " makes another number of jobs at each try",
                        "");
            }
            ads.forEach(ad -> rules.check(ad, hasContainers));
            List<NodeJob> jobs = new ArrayList<>();
            for (JobAd ad : ads) {
                jobs.add(job(node, ad, directory));
            }
            return new Expanded(jobs, options(rules, ads));
        } catch (SubmitException e) {
            rules.checkCommands();
            DagNode.Place place = e.line() > 0 ? new DagNode.Place(e.file(), e.line()) : node.place();
            unsupported.refuse(place, "JOB", e.reason() + " (node " + node.name() + ")", "");
            return new Expanded(List.of(), List.of());
        }
    }

    private List<JobAd> ads(SubmitRules rules, Path directory, int number, List<String> parents, DagmanMacros macros)
            throws IOException, SubmitException {
        DagNode node = rules.node();
        List<String> before = new ArrayList<>(List.of(
                "JOB = " + node.name(),
                "RETRY = " + macros.attempt(),
                "FAILED_COUNT = " + macros.failed(),
                "DAG_STATUS = " + macros.status(),
                "DAGManJobId = 0",
                "DAG_PARENT_NAMES = " + String.join(",", parents)));
        before.addAll(node.settings(false));
        SubmitContext context = new SubmitContext(
                directory,
                environment,
                environment.getOrDefault("USER", "nobody"),
                Clock.fixed(now, ZoneId.systemDefault()),
                new SplittableRandom(now.toEpochMilli() + number),
                number,
                false,
                SubmitLimits.DEFAULT);
        List<JobAd> ads = new ArrayList<>();
        String name = node.inlineDescription().isPresent() ? node.place().file() : node.description();
        // Comments and blank lines of an inline description are gone, so only the node's own line is certain.
        SubmitDescription.expandForNode(
                node.inlineDescription(),
                name,
                context,
                before,
                node.settings(true),
                job -> ads.add(job.ad()),
                (setting, file, line) -> rules.note(
                        setting,
                        line == 0 || node.inlineDescription().isPresent() && file.equals(name)
                                ? node.place()
                                : new DagNode.Place(file, line)));
        return ads;
    }

    private NodeJob job(DagNode node, JobAd ad, Path submitDirectory) throws IOException {
        Path directory = submitDirectory.resolve(ad.string("Iwd").orElse("")).normalize();
        Path program = directory.resolve(ad.string("Cmd").orElse("")).normalize();
        if (Files.isRegularFile(program) && !Files.isExecutable(program)) {
            unsupported.refuse(
                    node.place(),
                    "executable",
                    "The program (" + program + ") of node " + node.name() + " may not be executed",
                    "HTCondor makes its copy executable; here the file itself is run: chmod +x.");
        }
        List<String> words = SubmitRules.image(ad).isPresent()
                ? container(node, ad, directory, SubmitRules.image(ad).get())
                : new ArrayList<>(List.of(program.toString()));
        words.addAll(arguments(ad));
        var job = new NodeJob(
                words.get(0),
                words.subList(1, words.size()),
                variables(ad),
                directory,
                ad.string("In").orElse("/dev/null"),
                ad.string("Out").orElse("/dev/null"),
                ad.string("Err").orElse("/dev/null"),
                SubmitRules.linked(ad));
        try {
            // Only to refuse a text that a script cannot have.
            String unused = NodeScript.task(job);
        } catch (IllegalArgumentException e) {
            unsupported.refuse(node.place(), "JOB", e.getMessage() + " (node " + node.name() + ")", "");
        }
        return job;
    }

    /** Words before the arguments of a job in a container, which sees its directory and those of its inputs. */
    private List<String> container(DagNode node, JobAd ad, Path directory, String image) throws IOException {
        String command = ad.string("Cmd").orElse("");
        var seen = new TreeSet<String>(Set.of(directory.toString()));
        for (String name : (command + "," + ad.string("TransferInput").orElse("")).split(",")) {
            Path file = directory.resolve(name.strip());
            if (Files.isRegularFile(file)) {
                seen.add(String.valueOf(file.toRealPath().getParent()));
            }
        }
        for (String folder : seen) {
            if (folder.matches(".*[,:].*")) {
                unsupported.refuse(
                        node.place(),
                        "container",
                        "Apptainer cannot bind the directory (" + folder + ") of node " + node.name(),
                        "Its name must have neither a comma nor a colon.");
            }
        }
        List<String> words = new ArrayList<>(List.of("apptainer", command.isEmpty() ? "run" : "exec"));
        words.addAll(List.of("--bind", String.join(",", seen), "--pwd", directory.toString()));
        words.add(image.contains("://") ? image : directory.resolve(image).toString());
        if (!command.isEmpty()) {
            words.add(directory.resolve(command).normalize().toString());
        }
        return words;
    }

    private static List<String> arguments(JobAd ad) {
        if (ad.string("Arguments").isPresent()) {
            return JobEnvironment.entries(quoted(ad.string("Arguments").get()));
        }
        return Stream.of(ad.string("Args").orElse("").split("[ \\t]+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    static Map<String, String> variables(JobAd ad) {
        String text =
                ad.string("Env").orElseGet(() -> quoted(ad.string("Environment").orElse("")));
        return JobEnvironment.parse(text).variables();
    }

    /** The value of an attribute, in the new syntax, with the outer quotes that a job ad leaves out. */
    private static String quoted(String attribute) {
        return "\"" + attribute.replace("\"", "\"\"") + "\"";
    }

    /** The options of sbatch: the jobs of a node are one array, so each gets as much as the largest of them needs. */
    private static List<String> options(SubmitRules rules, List<JobAd> ads) {
        Map<String, Long> most = new TreeMap<>();
        for (JobAd ad : ads) {
            putLargest(most, "--cpus-per-task=%d", rules.amount(ad, "request_cpus", "RequestCpus"));
            putLargest(most, "--mem=%dM", rules.amount(ad, "request_memory", "RequestMemory"));
            putLargest(most, "--gres=gpu:%d", rules.amount(ad, "request_gpus", "RequestGPUs"));
        }
        List<String> options = new ArrayList<>();
        most.forEach((format, amount) -> {
            if (amount > 0) {
                options.add(String.format(Locale.ROOT, format, amount));
            }
        });
        return options;
    }

    private static void putLargest(Map<String, Long> most, String format, OptionalLong amount) {
        amount.ifPresent(value -> most.merge(format, value, Math::max));
    }
}
