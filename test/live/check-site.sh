#!/bin/sh
# For the admin of a real site, PBS above all: all rules of the adapter, a real job of a second, and one file to send.
#   check-site.sh SITE.yaml [OUT.tar.gz] [options of "adapter check", such as --requester '/O=Grid/CN=me' --others ./others]
# Makes reservations in the next hours and gives each up. METASCHED is the program, if it is not on the path. The file holds site.yaml
# without lines of passwords and tokens, outputs and the versions of the scheduler: look into it before you send it.
# Exit code: 0 all passed, 1 a rule or the job failed, 2 wrong use.
set -u
[ $# -ge 1 ] && [ -r "$1" ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
site=$1 out=metasched-check.tar.gz
shift
case ${1-} in *.tar.gz) out=$1; shift ;; esac
metasched=${METASCHED:-metasched}
command -v "$metasched" >/dev/null || { echo "check-site: no program ($metasched); set METASCHED" >&2; exit 2; }
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
report=$dir/report outcome=0 subject='' last=''
mkdir "$report"
for word; do [ "$last" != --requester ] || subject=$word; last=$word; done

grep -viE 'password|token|secret' "$site" > "$report/site.yaml"
{
    date -u; uname -srm; "$metasched" --version
    for command in 'qstat --version' 'pbsnodes -a -v' 'qmgr -c "print server"' 'sinfo --version' 'oarstat --version' 'qconf -help'; do
        command -v "${command%% *}" >/dev/null && { echo "== $command"; sh -c "$command" 2>&1 | head -n 400; }
    done
} > "$report/machine.txt" 2>&1

echo "rules of the adapter (some minutes)"
"$metasched" adapter check --config "$site" --verbose --report "$report/rules.html" "$@" > "$report/rules.txt" 2>&1 || outcome=1
grep -E '^[A-Z][0-9]+ +failed|passed,' "$report/rules.txt" || cat "$report/rules.txt"

echo "programs: processes on nodes and on virtual nodes, files, environments, the user"
"$metasched" adapter check --config "$site" --verbose --nodes 2 --lead PT10S --only J4,J5,J6,J7,J8 ${subject:+--requester "$subject"} \
    > "$report/programs.txt" 2>&1 || outcome=1
grep -E '^J[0-9]+ ' "$report/programs.txt" || cat "$report/programs.txt"

echo "a job of a second: how long after its slot it began"
# the site as one of a server's; its listener and what it publishes are not the server's
{
    echo "port: 0"; echo "data: $dir/data"; echo "sites:"
    grep -vE '^(#|---|[[:space:]]*$)' "$site" \
        | awk '/^[a-z]/ { skip = /^(serve|publish|adapters):/ } !skip { print (begun++ ? "    " : "  - ") $0 }'
} > "$dir/server.yaml"
"$metasched" doctor --config "$dir/server.yaml" --try ${subject:+"$subject"} > "$report/job.txt" 2>&1 || outcome=1
grep -E '(site|job at) ' "$report/job.txt" || cat "$report/job.txt"

tar -C "$dir" -czf "$out" report && echo "send $out"
exit $outcome
