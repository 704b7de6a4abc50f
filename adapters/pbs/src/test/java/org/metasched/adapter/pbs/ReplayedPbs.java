package org.metasched.adapter.pbs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.settings.YamlSettings;

/** A folder of commands that print what they are told, whatever they are asked. */
final class ReplayedPbs {

    static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-21T07:32:00Z"), ZoneOffset.UTC);

    private final Path folder;

    ReplayedPbs(Path folder) {
        this.folder = folder;
        for (String command : List.of("pbs_rsub", "pbs_ralter", "pbs_rstat", "pbs_rdel", "pbsnodes", "qstat")) {
            answer(command, "", "", 0);
        }
    }

    void answer(String command, String out, String err, int exit) {
        try {
            Path stdout = Files.writeString(folder.resolve(command + ".out"), out);
            Path stderr = Files.writeString(folder.resolve(command + ".err"), err);
            Path program = folder.resolve(command);
            String script = err.isEmpty() && exit == 0
                    ? "exec cat '" + stdout + "'\n"
                    : "cat '" + stdout + "'\ncat '" + stderr + "' >&2\nexit " + exit + "\n";
            Files.writeString(program, "#!/bin/sh\n" + script);
            if (!program.toFile().setExecutable(true)) {
                throw new IllegalStateException(program + " cannot be made executable.");
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    YamlSettings settings(String more) {
        return YamlSettings.parse("site.yaml", "type: pbs\nrun: {path: ['" + folder + "'], timeout: 120s}\n" + more);
    }

    PbsScheduler scheduler(String more) {
        return (PbsScheduler) new PbsFactory().open(new SiteId("pbs"), settings(more), CLOCK);
    }
}
