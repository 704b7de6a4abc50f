package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.metasched.it.CliProcess;

/** The live pool of HTCondor, or a skipped test: a folder that it sees, and its commands, many of them in one call. */
final class HtcondorPool {

    private static final String ACCOUNT = "gridalice";
    private static final int AT_ONCE = 2;

    private final LiveSite live = LiveSite.named("htcondor");
    private final Path folder;

    HtcondorPool() throws IOException {
        folder = Files.createTempDirectory(live.folder().resolve("work"), "it");
    }

    Path folder() {
        return folder;
    }

    Path log(String daemon) {
        return live.folder().resolve("log").resolve(daemon);
    }

    /** Gives the folder to the account that the commands run as. */
    void handOver() throws IOException, InterruptedException {
        assertThat(live.command("chown", "-R", ACCOUNT + ":", folder.toString()))
                .isEmpty();
    }

    /** What a command of the pool prints, both streams. */
    String command(String... words) throws IOException, InterruptedException {
        words[0] = live.folder().resolve("bin").resolve(words[0]).toString();
        return live.command(words);
    }

    /**
     * Runs a script, in the folder, with a part of the names each time.
     *
     * @return all that it printed, line by line
     */
    List<String> forEach(String script, List<String> names, int perCall) throws Exception {
        Path file = Files.createTempFile(folder, "script", ".sh");
        Files.writeString(file, "cd '" + folder + "' || exit 1\n" + script);
        handOver();
        var calls = new ArrayList<Callable<String>>();
        for (int i = 0; i < names.size(); i += perCall) {
            var words = new ArrayList<>(List.of("pool_sh", file.toString()));
            words.addAll(names.subList(i, Math.min(names.size(), i + perCall)));
            calls.add(() -> command(words.toArray(String[]::new)));
        }
        var threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            var lines = new ArrayList<String>();
            for (Future<String> call : threads.invokeAll(calls)) {
                Collections.addAll(lines, call.get().split("\n"));
            }
            return lines;
        } finally {
            threads.shutdownNow();
        }
    }

    /** A command of ours, in this JVM. */
    static CliProcess.Ended ours(String... words) {
        return CliProcess.here(words);
    }
}
