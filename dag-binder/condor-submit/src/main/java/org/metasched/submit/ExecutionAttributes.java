package org.metasched.submit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.submit.ArgumentList.QuotingException;

/** The program with arguments, environment and standard files. */
final class ExecutionAttributes extends AttributeGroup {

    private static final String NULL_FILE = "/dev/null";

    ExecutionAttributes(AdMaker maker) {
        super(maker);
    }

    void directory() throws SubmitException {
        Optional<String> given = settings.get("initialdir", "Iwd");
        if (given.isEmpty()) {
            given = settings.get("initial_dir", "job_iwd");
        }
        String directory = AdMaker.compress(maker.inDirectory(given.orElse("")));
        directory = directory.length() > 1 && directory.endsWith("/") && given.isEmpty()
                ? directory.substring(0, directory.length() - 1)
                : directory;
        maker.jobDirectory(directory);
        if (maker.context.checkFiles() && !Files.isDirectory(Path.of(directory))) {
            maker.noteMissing("No such directory: " + directory);
        }
        ad.putString("Iwd", directory);
    }

    void executable() throws SubmitException {
        images();
        boolean onlyAName = maker.universe.executableIsOnlyAName();
        Optional<String> name = settings.get("executable", "Cmd");
        boolean inImage = maker.universe.docker() || maker.universe.container();
        if (name.isEmpty()) {
            settings.refuseIf(!inImage, "executable", "No 'executable' parameter was provided");
            onlyAName = true;
        }
        boolean transfer = true;
        Optional<String> transferring = settings.get("transfer_executable", "TransferExecutable");
        if (transferring.isPresent()) {
            transfer = !transferring.get().toLowerCase(Locale.ROOT).startsWith("f");
        } else if (inImage && name.isPresent() && name.get().startsWith("/")) {
            transfer = false;
        }
        transfer &= !onlyAName;
        if (!transfer) {
            ad.put("TransferExecutable", false);
        }
        String command = name.orElse("");
        ad.putString("Cmd", transfer ? maker.inDirectory(command) : command);
        if (transfer
                && maker.context.checkFiles()
                && !AdMaker.isUrl(command)
                && !command.contains("$$")
                && !Files.exists(Path.of(maker.inDirectory(command)))) {
            maker.noteMissing("Can't access executable file " + command + ": No such file or directory");
        }
    }

    private void images() throws SubmitException {
        if (maker.universe.docker()) {
            Optional<String> image = settings.get("docker_image", "DockerImage");
            settings.refuseIf(image.isEmpty(), "universe", "docker jobs require a docker_image");
            ad.putString("DockerImage", AdMaker.unquoted(image.get()));
        } else if (maker.universe.container()) {
            Optional<String> dockerImage = settings.get("docker_image", "DockerImage");
            Optional<String> image = settings.get("container_image", "ContainerImage");
            settings.refuseIf(
                    dockerImage.isEmpty() && image.isEmpty(),
                    "universe",
                    "container jobs require a container_image or docker_image");
            dockerImage.ifPresent(name -> ad.putString("DockerImage", AdMaker.unquoted(name)));
            if (image.isPresent()) {
                containerImage(AdMaker.unquoted(image.get()));
            }
        }
    }

    private void containerImage(String image) throws SubmitException {
        for (String refused : List.of("instance://", "library://", "shub://")) {
            settings.refuseIf(
                    image.startsWith(refused), "container_image", "'%s' is not a valid container image", image);
        }
        ad.putString("ContainerImage", image);
        ad.put(
                image.startsWith("docker:")
                        ? "WantDockerImage"
                        : image.endsWith(".sif") ? "WantSIF" : "WantSandboxImage",
                true);
    }

    void arguments() throws SubmitException {
        Optional<String> plain = settings.get("arguments", "Args");
        Optional<String> quoted = settings.get("arguments2");
        refuseBoth("arguments", plain, quoted);
        putArguments("Args", "Arguments", quoted.isPresent() ? quoted : plain, "arguments", true);
        settings.refuseIf(
                maker.universe.is(Universe.JAVA) && plain.isEmpty() && quoted.isEmpty(),
                "universe",
                "In Java universe, you must specify the class name to run.");
    }

    /** Refuses a command in both syntaxes, unless the description allows it. */
    private void refuseBoth(String key, Optional<String> plain, Optional<String> modern) throws SubmitException {
        if (plain.isPresent() && modern.isPresent() && !settings.truth(false, "allow_" + key + "_v1")) {
            throw settings.error(
                    key + "2",
                    "If you wish to specify both '" + key + "' and '" + key + "2' for maximal compatibility"
                            + " with different versions of Condor, then you must also specify allow_" + key
                            + "_v1=true.");
        }
    }

    /**
     * Puts arguments as they are written: those of the old syntax into one attribute, those of the new syntax into another.
     *
     * @param modern attribute for the new syntax
     * @param always whether an empty list of arguments is put too
     */
    void putArguments(String old, String modern, Optional<String> text, String setting, boolean always)
            throws SubmitException {
        try {
            if (text.isEmpty() || ArgumentList.isQuoted(text.get())) {
                List<String> words = text.isEmpty() ? List.of() : ArgumentList.split(ArgumentList.unquote(text.get()));
                if (always || !words.isEmpty()) {
                    ad.putString(modern, ArgumentList.join(words));
                }
            } else {
                ad.putString(old, String.join(" ", ArgumentList.splitOld(text.get())));
            }
        } catch (QuotingException e) {
            throw settings.error(
                    setting, e.getMessage() + "\nThe full arguments you specified were: " + text.orElse(""));
        }
    }

    void environment() throws SubmitException {
        Optional<String> plain = settings.get("environment", "env");
        Optional<String> modern = settings.get("environment2");
        refuseBoth("environment", plain, modern);
        Optional<String> text = modern.isPresent() ? modern : plain;
        JobEnvironment environment = JobEnvironment.EMPTY;
        boolean quoted = text.isPresent() && ArgumentList.isQuoted(text.get());
        if (text.isPresent()) {
            try {
                environment = JobEnvironment.parse(text.get());
            } catch (IllegalArgumentException e) {
                throw settings.error(
                        "environment", e.getMessage() + "\nThe environment you specified was: '" + text.get() + "'");
            }
        }
        environment = inherited(plain.isPresent() && modern.isEmpty()).with(environment);
        boolean prefersOld = plain.isPresent() && modern.isEmpty() && !quoted && settings.isSet("env");
        if (!prefersOld) {
            ad.putString("Environment", environment.toAttribute());
            return;
        }
        try {
            ad.putString("Env", environment.toOldAttribute());
        } catch (IllegalArgumentException e) {
            throw settings.error("env", "failed to insert environment into job ad: " + e.getMessage());
        }
        ad.putString("EnvDelim", ";");
    }

    /** Variables that {@code getenv} takes over from the submitting process. */
    private JobEnvironment inherited(boolean oldSyntax) throws SubmitException {
        Optional<String> getenv = settings.get("getenv", "get_env");
        if (getenv.isEmpty()) {
            return JobEnvironment.EMPTY;
        }
        Optional<Boolean> all = SubmitNumbers.truth(getenv.get());
        if (all.filter(every -> !every).isPresent()) {
            return JobEnvironment.EMPTY;
        }
        List<String> names = Stream.of((all.isPresent() ? "" : getenv.get()).split("[,; \t\r\n]+"))
                .filter(name -> !name.isEmpty())
                .toList();
        List<Pattern> wanted = patterns(names, name -> !name.startsWith("!"));
        List<Pattern> unwanted = patterns(names, name -> name.startsWith("!"));
        var variables = new TreeMap<>(maker.context.environment());
        variables.values().removeIf(value -> value.indexOf('\n') >= 0 || oldSyntax && value.indexOf(';') >= 0);
        variables.keySet().removeIf(name -> matches(unwanted, name) || !wanted.isEmpty() && !matches(wanted, name));
        return JobEnvironment.of(variables);
    }

    private static List<Pattern> patterns(List<String> names, Predicate<String> which) {
        return names.stream().filter(which).map(ExecutionAttributes::wildcard).toList();
    }

    private static boolean matches(List<Pattern> patterns, String name) {
        return patterns.stream().anyMatch(pattern -> pattern.matcher(name).matches());
    }

    /** The pattern of a name in which a {@code *} stands for any characters; a {@code !} before it is left out. */
    private static Pattern wildcard(String name) {
        String plain = name.startsWith("!") ? name.substring(1) : name;
        String pattern = Stream.of(plain.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
    }

    void standardFiles() throws SubmitException {
        standardFile("In", "input", "stdin");
        standardFile("Out", "output", "stdout");
        standardFile("Err", "error", "stderr");
    }

    private void standardFile(String attribute, String key, String otherKey) throws SubmitException {
        boolean wanted = settings.truth(true, "transfer_" + key, "Transfer" + attribute);
        boolean stream = settings.truth(false, "stream_" + key, "Stream" + attribute);
        String file = settings.get(key, otherKey).orElse(NULL_FILE);
        boolean isNull = file.equals(NULL_FILE);
        settings.refuseIf(
                !isNull && maker.universe.is(Universe.VM),
                key,
                "You cannot use input, ouput, and error parameters in the submit description file for vm universe");
        ad.putString(attribute, file);
        if (wanted && !isNull) {
            ad.put("Stream" + attribute, stream);
        } else {
            ad.put("Transfer" + attribute, false);
        }
    }
}
