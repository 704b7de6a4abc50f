package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.it.InPlaceKills;
import org.metasched.it.ServerProcess;

/**
 * At a Slurm of 64 nodes of its own. A step is one side of a {@code scontrol}, which shows, makes, changes or deletes reservations: the server is killed before
 * the command is run, which then is not, or after it has ended and before the server hears of it. A change may also outlive the server: it is made right after
 * the next one has looked.
 */
class LiveSlurmInPlaceKillsIT extends InPlaceKills {

    private static final Map<String, String> CLUSTER =
            Map.of("METASCHED_LIVE_SLURM_PORT", "18017", "METASCHED_LIVE_SLURM_NODES", "64");
    private static final Pattern NODES = Pattern.compile("ReservationName=.* NodeCnt=(\\d+) ");
    /** Put before each command of the site. */
    private static final String KILLER = """
            #!/bin/sh
            here=${0%/*}
            case " $* " in
              *" scontrol update "*) sides=3 ;;
              *" scontrol "*) sides=2 ;;
              *) exec "$@" ;;
            esac
            exec 9>>"$here/lock" && flock 9
            step=$(cat "$here/step")
            echo $((step - sides)) > "$here/step"
            exec 9>&-
            die() { kill -9 "$(cat "$here/server")"; exit 137; }
            if [ $step -eq 1 ]; then
              die
            elif [ $step -eq 3 ] && [ $sides -eq 3 ]; then
              printf '%s\n' "$@" > "$here/late"
              die
            fi
            "$@"
            ended=$?
            [ $step -ne 2 ] || die
            case " $* " in
              *" show reservation "?*)
                if mv "$here/late" "$here/made" 2>/dev/null; then
                  xargs -d '\n' -a "$here/made" env >/dev/null 2>&1
                  rm "$here/made"
                fi ;;
            esac
            exit $ended
            """;

    @TempDir
    private static Path cluster;

    private static LiveSite slurm;

    LiveSlurmInPlaceKillsIT() {
        super(1, "live-slurm");
    }

    @BeforeAll
    static void startCluster() throws Exception {
        LiveSite.named("slurm");
        // its daemons run as other users
        Files.setPosixFilePermissions(cluster, PosixFilePermissions.fromString("rwxr-xr-x"));
        slurm = LiveSite.ownIn(cluster, "slurm");
        slurm.start(CLUSTER);
    }

    @AfterAll
    static void stopCluster() throws Exception {
        if (slurm != null) {
            slurm.stop();
        }
    }

    @Override
    protected String listed() throws IOException {
        Path killer = Files.writeString(folder().resolve("killer"), KILLER);
        Files.setPosixFilePermissions(killer, PosixFilePermissions.fromString("rwxr-xr-x"));
        return slurm.asListed().replaceFirst("( *)environment:", "$1prefix: ['" + killer + "']\n$0");
    }

    @Override
    protected ServerProcess start(Path config) throws IOException, InterruptedException {
        dieAt(0);
        var server = ServerProcess.start(config);
        Files.writeString(folder().resolve("server"), Long.toString(server.pid()));
        return server;
    }

    @Override
    protected void dieAt(int step) throws IOException, InterruptedException {
        String counter = folder().resolve("step").toString();
        String said = slurm.command(
                "flock", folder().resolve("lock").toString(), "sh", "-c", "echo " + step + " > '" + counter + "'");
        assertThat(said).isEmpty();
    }

    @Override
    protected boolean isUnderWay() {
        return Files.exists(folder().resolve("late")) || Files.exists(folder().resolve("made"));
    }

    @Override
    protected List<List<Integer>> held() throws IOException, InterruptedException {
        var shown = slurm.command("scontrol", "-o", "show", "reservation");
        return List.of(NODES.matcher(shown)
                .results()
                .map(found -> Integer.valueOf(found.group(1)))
                .toList());
    }
}
