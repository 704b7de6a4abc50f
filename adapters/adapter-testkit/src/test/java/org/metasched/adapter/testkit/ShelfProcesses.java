package org.metasched.adapter.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.Program;

/** The processes of a program at the shelf's site, on this machine. */
record ShelfProcesses(Set<Fault> faults) {

    private boolean has(Fault fault) {
        return faults.contains(fault);
    }

    /** All processes at once, on this machine; returns when all have ended. */
    JobStatus run(JobStatus job, Program program) {
        try {
            Path folder = Files.createTempDirectory("shelf");
            if (has(Fault.RUNS_IN_A_DIRECTORY_OF_ANOTHER_USER)) {
                folder = anothers(folder);
            }
            boolean twice = has(Fault.RUNS_A_PROCESS_TWICE);
            int count = has(Fault.RUNS_THE_FIRST_PROCESS_ONLY) ? 1 : program.processes();
            Path output = folder.resolve(program.output()
                    .filter(file -> !has(Fault.PUTS_ALL_OUTPUT_INTO_ITS_DIRECTORY))
                    .orElse("stdout"));
            if (has(Fault.LETS_NO_USER_HAVE_AN_ID)) {
                Files.createDirectory(folder.resolve("id"));
            }
            var running = new ArrayList<Process>();
            for (int i = 0; i < count + (twice ? 1 : 0); i++) {
                running.add(process(program, i % program.processes(), folder, output));
            }
            int exit = 0;
            for (Process process : running) {
                exit = Math.max(exit, process.waitFor());
            }
            String id = has(Fault.READS_THE_USERS_FILES) && Files.exists(folder.resolve("id"))
                    ? Files.readString(folder.resolve("id")).strip()
                    : job.id();
            return new JobStatus(JobStatus.State.ENDED, id, Optional.of(exit), output.toString(), "");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Root gives its directory away; any other runs in one that it does not own. */
    private static Path anothers(Path folder) throws IOException {
        if (!System.getProperty("user.name").equals("root")) {
            return Path.of("/");
        }
        var lookup = folder.getFileSystem().getUserPrincipalLookupService();
        return Files.setOwner(folder, lookup.lookupPrincipalByName("nobody"));
    }

    /** As {@code id} prints it: for an account without a name its number, which the JVM calls "?". */
    private static String me() throws IOException {
        var id = new ProcessBuilder("id", "-un")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private Process process(Program program, int rank, Path folder, Path output) throws IOException {
        var builder = new ProcessBuilder(program.executable()).directory(folder.toFile());
        builder.command().addAll(program.arguments());
        if (has(Fault.GIVES_WORDS_TO_A_LOGIN_SHELL)) {
            // all is quoted but what a name may have, and the dollar
            String line = builder.command().stream()
                    .map(word -> word.replaceAll("[^A-Za-z0-9_$-]", "\\\\$0"))
                    .collect(Collectors.joining(" "));
            builder.command("/bin/sh", "-c", line);
        }
        String user = me();
        builder.environment()
                .putAll(Map.of(
                        "USER",
                        user,
                        "LOGNAME",
                        user,
                        "HOME",
                        System.getProperty("user.home"),
                        "METASCHED_LOCAL_RANK",
                        String.valueOf(rank)));
        builder.environment().remove("TZ");
        program.environment()
                .forEach((name, value) -> builder.environment()
                        .put(
                                name,
                                has(Fault.CUTS_LONG_VARIABLES) && value.length() > 1024
                                        ? value.substring(0, 1024)
                                        : has(Fault.LETS_A_SHELL_READ_VARIABLES) ? value.replace("$c", "") : value));
        if (has(Fault.DROPS_VARIABLES)) {
            builder.environment().keySet().removeAll(program.environment().keySet());
        }
        if (has(Fault.SETS_ITS_OWN_ZONE) || has(Fault.SPELLS_ZONES_AS_JAVA_DOES)) {
            builder.environment().put("TZ", "UTC+02:00");
        }
        if (has(Fault.LEAKS_ITS_HOME)) {
            builder.environment().put("HOME", "/srv/adapter");
        }
        if (has(Fault.LEAKS_ITS_NAME)) {
            builder.environment().put("LOGNAME", "adapter");
        }
        if (has(Fault.RUNS_THE_FIRST_PROCESS_ONLY)) {
            Path sleep = Files.writeString(folder.resolve("sleep"), "#!/bin/sh\n");
            Files.setPosixFilePermissions(sleep, PosixFilePermissions.fromString("rwx------"));
            builder.environment().merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
        }
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
    }
}
