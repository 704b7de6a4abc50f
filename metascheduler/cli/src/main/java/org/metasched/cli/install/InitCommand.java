package org.metasched.cli.install;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.ResourceText;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code metasched init}: finds the local scheduler, asks a few questions and writes commented configurations. */
@Command(
        name = "init",
        description = {
            "Looks for Slurm, OAR, Grid Engine and PBS on this machine, asks a few questions, and writes a commented",
            "server.yaml, a site.yaml and systemd units. Touches nothing else, and no file that is there."
        })
public final class InitCommand extends PrintingCommand implements Callable<Integer> {

    private static final List<String> UNITS =
            List.of("metasched.service", "metasched-adapter@.service", "metasched-publish@.service");

    @Option(names = "--dir", paramLabel = "DIR", description = "Where the files go; ${DEFAULT-VALUE}.")
    private Path directory = Path.of("metasched-config");

    @Option(names = "--yes", description = "Ask nothing: take what was found.")
    private boolean yes;

    @Option(names = "--site", paramLabel = "NAME", description = "The site's name; this machine's if not given.")
    private @Nullable String site;

    @Option(
            names = "--scheduler",
            paramLabel = "TYPE",
            description = "slurm, oar, gridengine, pbs or simulated, instead of the one found.")
    private @Nullable FoundScheduler scheduler;

    @Option(names = "--programs", description = "The site runs the programs of offers; asked if not given.")
    private boolean programs;

    private @Nullable BufferedReader answers;

    @Override
    public Integer call() throws IOException {
        var kind = scheduler == null ? findScheduler() : scheduler;
        String name = site == null ? asked("Name of the site", machineName()) : site;
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
            throw ExitCodeException.badInput("The name of the site (" + name
                    + ") must be 1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or digit.");
        }
        var choices = kind.choices(System.getenv());
        String setting = kind.setting.isEmpty()
                ? ""
                : asked(
                        "The " + kind.setting + " to reserve in, one of " + choices,
                        choices.isEmpty() ? "CHANGE-ME" : choices.get(0));
        programs = programs || asked("Run programs of offers, yes or no", "no").matches("(?i)y(es)?");
        String account = System.getProperty("user.name", "grid");
        String user = account.equals("root") && (programs || kind.refusesRoot())
                ? asked("Local user to reserve for", System.getenv().getOrDefault("SUDO_USER", "CHANGE-ME"))
                : account;
        var lines = new ArrayList<>(kind.lines(setting, System.getenv()));
        lines.addAll(kind.programLines(programs, user.equals(account)));
        write(name, kind, user, lines);
        return 0;
    }

    /** The name of this machine without its domain; shells need not export HOSTNAME. */
    private static String machineName() throws IOException {
        Path kernels = Path.of("/proc/sys/kernel/hostname");
        String name = Files.isReadable(kernels)
                ? Files.readString(kernels).strip()
                : System.getenv().getOrDefault("HOSTNAME", "home");
        return name.replaceAll("\\..*", "");
    }

    private FoundScheduler findScheduler() throws IOException {
        var kinds = FoundScheduler.in(System.getenv().getOrDefault("PATH", ""));
        kinds.stream()
                .filter(kind -> kind != FoundScheduler.SIMULATED)
                .forEach(kind -> output.say("Found " + kind.type + " (" + kind.command + ")."));
        if (kinds.size() == 1) {
            output.say("No local scheduler was found; the site is a simulated one.");
            return FoundScheduler.SIMULATED;
        }
        String type = kinds.size() == 2 ? kinds.get(0).type : asked("Scheduler", kinds.get(0).type);
        return kinds.stream()
                .filter(kind -> kind.type.equalsIgnoreCase(type))
                .findFirst()
                .orElseThrow(() -> ExitCodeException.badInput("The scheduler (" + type + ") must be one of "
                        + kinds.stream().map(kind -> kind.type).toList() + "."));
    }

    /** Asks a question; returns the usual answer if there is no other, or with {@code --yes}. */
    private String asked(String question, String usual) throws IOException {
        if (yes) {
            return usual;
        }
        output.err().print(question + " [" + usual + "]: ");
        output.err().flush();
        if (answers == null) {
            answers = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        }
        String answer = answers.readLine();
        return answer == null || answer.isBlank() ? usual : answer.strip();
    }

    private void write(String name, FoundScheduler kind, String user, List<String> lines) throws IOException {
        Path place = directory.toAbsolutePath().normalize();
        Map<String, String> words = new LinkedHashMap<>();
        // First: the words of the user that follow may have it in them.
        words.put("/etc/metasched", place.toString());
        words.put("@SITE@", name);
        Path data = place.resolve("data");
        words.put("@DATA@", data.toString());
        // The packaged server keeps its data where its unit lets it write; this one in DIR, which may be in a home.
        words.put(
                "ProtectHome=true",
                "ProtectHome=read-only\n# The user of this unit must own this folder.\nReadWritePaths=" + data);
        boolean other = !user.equals(System.getProperty("user.name", "grid"));
        words.put("@RUN@", kind.runSettings(System.getenv(), other ? Optional.of(user) : Optional.empty()));
        words.put("@USER@", user.equals("root") ? "CHANGE-ME" : user);
        // Without a mapping, reservations belong to the account of the adapter; no mapping may lead to root.
        boolean maps = kind != FoundScheduler.SIMULATED && !user.equals("root");
        words.put("@REAL@", maps ? "" : "# ");
        words.put("@SCHEDULER@", String.join("\n  ", lines));
        words.put("@IN_LIST@", String.join("\n      ", lines));
        words.put("@ENVIRONMENT@", environment(System.getenv()));
        Map<Path, String> files = new LinkedHashMap<>();
        files.put(place.resolve("server.yaml"), filled("server.yaml", words));
        files.put(place.resolve("sites").resolve(name + ".yaml"), filled("site.yaml", words));
        for (String unit : UNITS) {
            files.put(place.resolve("systemd").resolve(unit), filled(unit, words));
        }
        for (Path file : files.keySet()) {
            if (Files.exists(file)) {
                throw ExitCodeException.badInput(
                        "The file (" + file + ") exists already; nothing was written.\nMaybe choose another --dir.");
            }
        }
        for (var file : files.entrySet()) {
            try {
                Files.createDirectories(data);
                Files.createDirectories(Objects.requireNonNull(file.getKey().getParent()));
                Files.writeString(file.getKey(), file.getValue());
            } catch (IOException e) {
                // What is left would be in the way of the next try.
                for (Path written : files.keySet()) {
                    Files.deleteIfExists(written);
                }
                throw ErrorMessages.named(file.getKey(), e);
            }
        }
        print(place, name, kind, List.copyOf(files.keySet()));
    }

    /** The variables by which commands find their scheduler on this machine, as a mapping in YAML. */
    static String environment(Map<String, String> all) {
        return FoundScheduler.schedulerVariables(all).entrySet().stream()
                .map(variable -> variable.getKey() + ": '" + variable.getValue().replace("'", "''") + "'")
                .collect(Collectors.joining(", ", "{", "}"));
    }

    /** A template with its placeholders replaced, in the order of the map. */
    private static String filled(String template, Map<String, String> words) {
        String text = ResourceText.of(InitCommand.class, template);
        for (var word : words.entrySet()) {
            text = text.replace(word.getKey(), word.getValue());
        }
        return text;
    }

    private record Written(String site, String scheduler, List<Path> files) {}

    private void print(Path place, String name, FoundScheduler kind, List<Path> files) {
        output.print(new Written(name, kind.type, files), out -> {
            files.forEach(file -> out.println("written: " + directory.resolve(place.relativize(file))));
            out.flush();
            if (!programs) {
                output.say("Keys behind # show what else there is; without programs: the site only reserves.");
            }
            output.say("Next: metasched doctor --config " + directory.resolve("server.yaml"));
            output.say("      metasched adapter check --config "
                    + directory.resolve("sites").resolve(name + ".yaml"));
            output.say("      metasched server --config " + directory.resolve("server.yaml"));
        });
    }
}
