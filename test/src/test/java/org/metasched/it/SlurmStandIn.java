package org.metasched.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Slurm's commands as scripts over one folder, in which jobs run when the queue is looked at; a runner's runs at once, beside its caller. A folder may have {@code every} (each
 * n-th submission kills its caller, before or after), {@code stuck} (no job runs), {@code full} (no runner's either) and {@code refuses}, a program that is asked about
 * each submission with the folder of its job.
 */
final class SlurmStandIn {

    private SlurmStandIn() {}

    /** @param bin for the commands and their queue */
    static void install(Path bin) throws IOException {
        script(bin.resolve("sbatch"), """
                n=$(( $(cat "$here/count" 2>/dev/null || echo 0) + 1 )); echo $n > "$here/count"
                dies=no
                [ -s "$here/every" ] && [ $((n % $(cat "$here/every"))) = 0 ] && dies=yes
                [ $dies = yes ] && [ $((n % 2)) = 1 ] && { kill -9 $PPID; exit 1; }
                job=$here/jobs/$n; mkdir -p "$job"
                for word; do case $word in
                  --job-name=*) echo "${word#*=}" > "$job/name" ;;
                  --chdir=*) echo "${word#*=}" > "$job/chdir" ;;
                  --array=0-*) echo "${word#*-*-*-}" > "$job/array" ;;
                  -*) ;;
                  *) echo "$word" > "$job/script" ;;
                esac; done
                [ -x "$here/refuses" ] && "$here/refuses" "$job" && { rm -r "$job"; echo refused >&2; exit 1; }
                echo $n
                [ $dies = yes ] && kill -9 $PPID
                case $(cat "$job/name") in metasched-dag-*) [ -e "$here/full" ] || {
                  cd "$(cat "$job/chdir")"
                  SLURM_JOB_ID=$n setsid sh "$(cat "$job/script")" >> .metasched-slurm/runner.log 2>&1 9>&- < /dev/null &
                  echo $! > "$job/runs"
                  (while kill -0 $!; do sleep 0.1; done; rm -r "$job") > /dev/null 2>&1 9>&- &
                } ;; esac
                exit 0
                """);
        script(bin.resolve("squeue"), """
                more=yes
                while [ $more = yes ] && [ ! -e "$here/stuck" ]; do
                  more=no
                  for job in $(ls "$here/jobs" 2>/dev/null | sort -n); do
                    case $(cat "$here/jobs/$job/name") in metasched-dag-*) continue ;; esac
                    last=$(cat "$here/jobs/$job/array" 2>/dev/null || echo 0)
                    for task in $(seq 0 $last); do
                      (cd "$(cat "$here/jobs/$job/chdir")" && SLURM_JOB_ID=$job SLURM_JOB_NAME=$(cat "$here/jobs/$job/name") \\
                        SLURM_ARRAY_TASK_ID=$task sh "$(cat "$here/jobs/$job/script")") 9>&- > /dev/null 2>&1
                    done
                    rm -r "$here/jobs/$job"; more=yes
                  done
                done
                name=; format=%A
                for word; do case $word in
                  --name=*) name=${word#*=} ;;
                  --format=*) format=${word#*=} ;;
                esac; done
                for job in $(ls "$here/jobs" 2>/dev/null | sort -n); do
                  its=$(cat "$here/jobs/$job/name")
                  [ -n "$name" ] && [ "$name" != "$its" ] && continue
                  case $format in
                    %j) echo "$its" ;;
                    *) [ -e "$here/jobs/$job/runs" ] && echo "$job RUNNING" || echo "$job PENDING" ;;
                  esac
                done
                """);
        script(bin.resolve("scancel"), """
                for word; do
                  for job in $(ls "$here/jobs" 2>/dev/null); do
                    [ "$word" = "--name=$(cat "$here/jobs/$job/name")" ] || continue
                    [ -e "$here/jobs/$job/runs" ] && kill -9 -- -$(cat "$here/jobs/$job/runs")
                    rm -r "$here/jobs/$job"
                  done
                done
                exit 0
                """);
    }

    /** Each command works alone; the script finds its queue beside itself. */
    static void script(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/bash\nhere=$(dirname \"$0\")\nexec 9> \"$here/lock\"; flock 9\n" + text);
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made a program.");
        }
    }
}
