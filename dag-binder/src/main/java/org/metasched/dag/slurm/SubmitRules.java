package org.metasched.dag.slurm;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.metasched.dag.DagNode;
import org.metasched.submit.JobAd;

/**
 * The check of a node's submit description for what Slurm, or a job without file transfer, cannot honour.
 *
 * @param used the commands of the node's description, without underscores
 */
record SubmitRules(DagNode node, Map<String, DagNode.Place> used, UnsupportedFeatures unsupported) {

    /** Vanilla, scheduler and local. */
    private static final Set<String> UNIVERSES = Set.of("5", "7", "12");

    /** The attributes from which Slurm's job is made, in which no {@code $$()} may be left. */
    private static final Pattern READ = Pattern.compile(
            "(?i)cmd|arg(ument)?s|env(ironment)?|in|out|err|iwd|transfer(in|out)put|(container|docker)image|request.*");

    /** Notes a command that the description uses. Underscores and case do not count: {@code RequestMemory} is {@code request_memory}. */
    void note(String name, DagNode.Place place) {
        used.putIfAbsent(SubmitCommandTable.plain(name), place);
    }

    void checkCommands() {
        used.forEach((plain, place) -> SubmitCommandTable.find(plain).ifPresent(entry -> {
            switch (entry.kind()) {
                case REFUSED -> unsupported.refuse(place, entry.name(), about(entry.reason()), "");
                case WAIVABLE -> unsupported.refuseUnlessWaived(place, entry.name(), about(entry.reason()));
                case WARNED -> unsupported.noteNoEffect(entry.name());
                case SUPPORTED -> {
                    // The value is checked in the job's ad.
                }
            }
        }));
    }

    /** The image of a job in a container, one of Docker's with its scheme. */
    static Optional<String> image(JobAd ad) {
        return ad.string("ContainerImage")
                .or(() -> ad.string("DockerImage").map(name -> name.contains("://") ? name : "docker://" + name));
    }

    void check(JobAd ad, boolean hasContainers) {
        if (image(ad).isPresent() && !hasContainers) {
            String command = ad.string("ContainerImage").isPresent() ? "container_image" : "docker_image";
            unsupported.refuse(place(command), command, about("The site's ad did not say HasApptainer = true"), "");
        }
        String universe = ad.get("JobUniverse").orElse("");
        if (!UNIVERSES.contains(universe)) {
            unsupported.refuse(
                    place("universe"),
                    "universe",
                    about("Slurm runs only jobs of the universes vanilla, local and scheduler"),
                    "");
        }
        if (ad.get("JobStatus").filter("5"::equals).isPresent()) {
            unsupported.refuse(place("hold"), "hold", about("The DAG would wait for it for ever"), "");
        }
        refuse(ad, "TransferInput", "transfer_input_files", true);
        refuse(ad, "TransferOutput", "transfer_output_files", false);
        ad.attributes().forEach((name, text) -> {
            if (text.contains("$$(") && READ.matcher(name).matches()) {
                unsupported.refuse(
                        node.place(),
                        "$$()",
                        about("The value of " + name + " still asks for a machine's attribute"),
                        "");
            }
        });
    }

    /** Refuses files to be transferred that are neither in the job's initial directory, in which it runs, nor linked there. */
    private void refuse(JobAd ad, String attribute, String command, boolean mayLink) {
        names(ad, attribute)
                .filter(name -> isElsewhere(name) && !(mayLink && isLinked(name)))
                .forEach(name -> unsupported.refuse(
                        place(command),
                        command,
                        about("The file (" + name + ") is not in the job's directory, and nothing is transferred"),
                        "Jobs run in their initialdir, on a file system that the machines share."));
    }

    private static Stream<String> names(JobAd ad, String attribute) {
        return Stream.of(ad.string(attribute).orElse("").split(",")).map(String::strip);
    }

    private static boolean isElsewhere(String name) {
        return name.contains("/") && !name.matches("\\./[^/]+/?|[^/]+/");
    }

    private static boolean isLinked(String name) {
        return isElsewhere(name) && !name.contains("://") && !name.endsWith("/");
    }

    /** The inputs of a job that lie elsewhere and are linked into its directory. */
    static List<String> linked(JobAd ad) {
        return names(ad, "TransferInput").filter(SubmitRules::isLinked).toList();
    }

    private DagNode.Place place(String command) {
        return used.getOrDefault(SubmitCommandTable.plain(command), node.place());
    }

    private String about(String reason) {
        return reason + " (node " + node.name() + ")";
    }

    /**
     * A whole number that a description asks for.
     *
     * @return empty if the description does not ask for one, or it was refused
     */
    OptionalLong amount(JobAd ad, String command, String attribute) {
        DagNode.Place place =
                used.getOrDefault(SubmitCommandTable.plain(command), used.get(SubmitCommandTable.plain(attribute)));
        String text = ad.get(attribute).orElse("");
        if (place == null || text.isEmpty()) {
            return OptionalLong.empty();
        }
        if (text.matches("\\d{1,15}")) {
            return OptionalLong.of(Long.parseLong(text));
        }
        unsupported.refuse(place, command, about("The amount (" + text + ") must be a whole number below 10^15"), "");
        return OptionalLong.empty();
    }
}
