# Sourced by both launchers, the installed one and that of a checkout: runs "$jar" with "$java", beside it the jar "$benches" of a
# checkout, with the class archive "$archive" if there is one. A JVM ignores an archive that another JVM made or that is older than the
# jars; by -Xlog it does so without a message.
# The program is told its "$launcher": a job of Slurm may have to start it.
# shellcheck shell=sh disable=SC2154
case ${1:-} in
    server | demo | adapter | bench | gang) tuning= ;;
    *) tuning="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" ;; # short commands: start fast
esac
case "${METASCHED_OPTS:-}" in *-XX:+Use*GC*) tuning=${tuning% -XX:+UseSerialGC} ;; esac # a JVM takes one collector
case " $* " in *" --jsonl "*) tuning= ;; esac # a long stream of cases

# A JVM reads and passes names of files and words of commands in the locale's encoding; in C all letters beyond ASCII would be lost.
case "${LC_ALL:-${LC_CTYPE:-${LANG:-C}}}" in C | POSIX) export LC_ALL=C.UTF-8 ;; esac

# How wide the terminal is: tables fit it, and what is watched is drawn in place.
if [ -t 1 ] && columns=$(stty size 2>/dev/null </dev/tty) && columns=${columns#* } && [ "${columns:-0}" -gt 0 ]; then
    tuning="$tuning -Dmetasched.columns=$columns"
fi

if [ -f "$archive" ]; then
    # shellcheck disable=SC2086
    exec "$java" $tuning "-XX:SharedArchiveFile=$archive" -Xlog:disable -Xlog:all=error:stderr "-Xlog:cds*=off:stderr" ${METASCHED_OPTS:-} "-Dmetasched.launcher=$launcher" -cp "$jar${benches:+:$benches}" org.metasched.cli.Main "$@"
fi
# shellcheck disable=SC2086
exec "$java" $tuning -Xshare:auto ${METASCHED_OPTS:-} "-Dmetasched.launcher=$launcher" -cp "$jar${benches:+:$benches}" org.metasched.cli.Main "$@"
