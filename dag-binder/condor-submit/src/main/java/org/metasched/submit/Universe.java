package org.metasched.submit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A universe of condor: the environment in which a job runs.
 *
 * @param number as in the attribute JobUniverse
 * @param gridType the first word of the grid resource; empty outside the grid universe
 * @param docker whether it is the universe docker
 * @param container whether a container image is named, or it is the universe container
 */
record Universe(int number, String gridType, boolean docker, boolean container) {

    static final int VANILLA = 5;
    static final int SCHEDULER = 7;
    static final int MPI = 8;
    static final int GRID = 9;
    static final int JAVA = 10;
    static final int PARALLEL = 11;
    static final int LOCAL = 12;
    static final int VM = 13;

    /** The names by number; of those before the scheduler's only vanilla is still supported. */
    private static final List<String> NAMES =
            List.of(" standard pipe linda pvm vanilla pvmd scheduler mpi grid java parallel local vm".split(" "));

    private static final List<String> GRID_TYPES =
            List.of("blah", "batch", "pbs", "sge", "lsf", "nqs", "naregi", "condor", "arc", "ec2", "gce", "azure");

    static Universe of(SubmitSettings settings) throws SubmitException {
        Optional<String> given = settings.get("universe", "JobUniverse");
        String name = given.orElse("vanilla").strip();
        boolean docker = name.equalsIgnoreCase("docker");
        boolean container = name.equalsIgnoreCase("container");
        int number = docker || container ? VANILLA : number(name);
        if (number == VANILLA || number == LOCAL) {
            boolean image = settings.isSet("container_image", "ContainerImage");
            boolean dockerImage = settings.isSet("docker_image", "DockerImage");
            settings.refuseIf(
                    docker && image, "container_image", "docker universe does not allow use of container_image.");
            settings.refuseIf(
                    !docker && image && dockerImage,
                    "container_image",
                    "cannot declare both docker_image and container_image");
            return new Universe(number, "", docker, !docker && (container || image || dockerImage));
        }
        settings.refuseIf(
                number <= 0 || number > VM,
                "universe",
                "I don't know about the '%s' universe.%s",
                name,
                obsolete(name));
        if (number < SCHEDULER) {
            String old = NAMES.get(number);
            String shown = old.substring(0, 1).toUpperCase(Locale.ROOT) + old.substring(1);
            throw settings.error("universe", "'" + shown + "' is not a supported universe.");
        }
        return new Universe(number, number == GRID ? gridType(settings) : "", false, false);
    }

    private static String obsolete(String name) {
        return name.equalsIgnoreCase("globus")
                ? "\nMaybe the file is from before 2010: today it is 'universe = grid' with a grid_resource."
                : "";
    }

    private static int number(String name) {
        try {
            return Integer.parseInt(name.replaceFirst("^(\\d+).*", "$1"));
        } catch (NumberFormatException e) {
            return named(name);
        }
    }

    /** The number of a universe, ignoring case; 0 if there is none of that name. */
    static int named(String name) {
        return Math.max(0, NAMES.indexOf(name.toLowerCase(Locale.ROOT)));
    }

    private static String gridType(SubmitSettings settings) throws SubmitException {
        Optional<String> resource = settings.get("grid_resource", "GridResource");
        settings.refuseIf(resource.isEmpty(), "universe", "grid_resource attribute not defined for grid universe job");
        String type = resource.get().split(" ", 2)[0];
        settings.refuseIf(
                !GRID_TYPES.contains(type.toLowerCase(Locale.ROOT)),
                "grid_resource",
                "Invalid value '%s' for grid type\nMust be one of: condor, batch, arc, ec2, gce, or azure",
                type);
        return type;
    }

    boolean is(int other) {
        return number == other;
    }

    boolean isGrid(String type) {
        return number == GRID && gridType.equalsIgnoreCase(type);
    }

    /** Whether files may have to be transferred with the job. */
    boolean mightTransfer() {
        return is(VANILLA) || is(MPI) || is(PARALLEL) || is(JAVA) || is(VM);
    }

    /** Whether condor may reconnect to a running job after it has lost the connection. */
    boolean canReconnect() {
        return is(VANILLA) || is(JAVA) || is(PARALLEL) || is(VM);
    }

    /** Whether the executable is only a name, as in the clouds. */
    boolean executableIsOnlyAName() {
        return is(VM) || isGrid("ec2") || isGrid("gce") || isGrid("azure");
    }
}
