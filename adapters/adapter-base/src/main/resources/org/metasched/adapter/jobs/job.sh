#!/bin/sh
# metasched wrote this: it runs one part of an agreement inside its reservation, once, and tells how it ended.
#   job.sh DIR               the whole part, on its first node
#   job.sh DIR rank I        one of its processes
#   job.sh DIR hold T E      wait until second T, then the whole part until second E at most
# metasched writes the files program, nodes, machinefile, sites, secret and go, this script the others. The user's own files
# are in the directory work, so that their names cannot be the same as these.
ms_dir=$1 ms_mode=${2-part} ms_third=${3-} ms_fourth=${4-}
cd "$ms_dir" || exit 72
METASCHED_DIR=$ms_dir/work METASCHED_MACHINEFILE=$ms_dir/machinefile METASCHED_SITES_FILE=$ms_dir/sites METASCHED_SECRET_FILE=$ms_dir/secret
PATH=${PATH:-/usr/local/bin:/usr/bin:/bin}
# sudo and the like may leave the adapter's USER and HOME; for an account without a name, id prints its number and fails
USER=$(id -un 2> /dev/null); LOGNAME=$USER; export USER LOGNAME
ms_home=$(getent passwd "$USER" | cut -d: -f6)
HOME=${ms_home:-$HOME}
# a launcher may give a process fewer folders in PATH than the scheduler gave the job
[ "$ms_mode" != rank ] || [ ! -f path ] || IFS= read -r PATH < path
export PATH HOME METASCHED_DIR METASCHED_MACHINEFILE METASCHED_SITES_FILE METASCHED_SECRET_FILE

say() { printf '%s\n' "$*" > "$ms_dir/.state" && mv -f "$ms_dir/.state" "$ms_dir/state"; }
ended() { say ended "$@"; exit "$1"; }

# bring NAME HOW PLACE add|keep|replace fetches a file before the program runs, take (same words) sends it away afterwards
put() {
  case $3 in
    keep) [ -e "$2" ] || cp -- "$1" "$2" ;;
    add) cat -- "$1" >> "$2" ;;
    *) cp -- "$1" "$2" ;;
  esac
}
bring() {
  mkdir -p -- "$(dirname -- "$1")" || return 1
  case $2 in
    file) put "$3" "$1" "$4" ;;
    scp | rsync) [ "$4" = keep ] && [ -e "$1" ] && return 0
       remote "$2" "$3" "$ms_dir/.brought" && put "$ms_dir/.brought" "$1" "$4" && rm -f "$ms_dir/.brought" ;;
    *) [ "$4" = keep ] && [ -e "$1" ] && return 0
       curl -fsSL --proto =http,https --max-time 3600 -o "$ms_dir/.brought" -- "$3" &&
         put "$ms_dir/.brought" "$1" "$4" && rm -f "$ms_dir/.brought" ;;
  esac
}
remote() { if [ "$1" = scp ]; then scp -qB -- "$2" "$3"; else rsync -q -- "$2" "$3"; fi; }
take() { if [ "$2" = file ]; then put "$1" "$3" "$4"; else remote "$2" "$1" "$3"; fi; }

# the scheduler's own command by its absolute path: on the job's path, or where its daemons say that it is installed
find_tool() {
  for found in "$(command -v -- "$1")" "${SGE_BINARY_PATH-}/$1" /opt/pbs/bin/"$1" \
    "$(sed -n 's/^PBS_EXEC=//p' "${PBS_CONF_FILE:-/etc/pbs.conf}" 2>/dev/null)/bin/$1"; do
    case $found in /*) if [ -f "$found" ] && [ -x "$found" ]; then launcher=$found; return; fi ;; esac
  done
  launcher=$1; return 1
}
# PBS starts processes on hosts, whose names differ from those of virtual nodes; PBS_NODEFILE has a line for each chunk
hosts=$ms_dir/nodes
[ ! -f "${PBS_NODEFILE-}" ] || hosts=$PBS_NODEFILE

# program sets limits, processes, per_node, gate, swept, directory, input, output, error and "$@", and defines find_launcher,
# launch, bring_all, take_all and export_all (the user's variables); for a sweep, directory, streams, variables and "$@" are
# those of rank ms_third, and clear_all is defined too
. ./program || exit 72

if [ "$ms_mode" = rank ]; then
  METASCHED_LOCAL_RANK=$ms_third
  cd -- work && cd -- "${directory:-.}" || exit 72
  [ -z "$swept" ] || exec < "$input" >> "$output" 2>> "$error"
  # last: these may have the name of any variable above
  export_all
  METASCHED_RANK=$((METASCHED_RANK_OFFSET + METASCHED_LOCAL_RANK))
  export METASCHED_RANK METASCHED_LOCAL_RANK
  exec "$@"
fi

if [ "$ms_mode" = hold ]; then
  mkdir held 2>/dev/null || exit 0
  echo $$ > pid
  wait_for=$((ms_third - $(date +%s)))
  [ "$wait_for" -gt 0 ] && sleep "$wait_for"
  left=$((ms_fourth - $(date +%s)))
  [ "$left" -ge 1 ] || left=1
  exec timeout --foreground -k 5 "$left" sh "$ms_dir/job.sh" "$ms_dir"
fi

mkdir started 2>/dev/null || exit 0
say running "$(date +%s)" "$(hostname)"
stop() { [ -n "$pids" ] && kill -TERM $pids 2>/dev/null; stopped=yes; }
pids='' stopped=''
trap stop TERM INT

await() { # FILE SECONDS
  last=$(($(date +%s) + $2))
  until [ -f "$1" ]; do
    [ "$(date +%s)" -lt "$last" ] && [ -z "$stopped" ] || return 1
    sleep 0.3 2>/dev/null || sleep 1
  done
}
await machinefile 600 || ended 75 the machine file did not come
[ -z "$gate" ] || await go "$gate" || ended 75 the other parts did not run within "$gate" s
mkdir -p -m 700 work && printf '%s\n' "$PATH" > path || ended 73 the working directory cannot be made
(cd work && bring_all) 2> transfers.log || ended 74 a file could not be brought, see "$ms_dir/transfers.log"

# run_slot SLOT: runs, one after the other, the instances of a sweep that no other slot has begun
run_slot() {
  trap 'stopped=yes; kill -TERM $child 2>/dev/null' TERM INT
  node=$(sed -n "$(($1 / per_node % count + 1))p" "$hosts") i=0
  while [ "$i" -lt "$processes" ] && [ -z "$stopped" ]; do
    if mkdir "task-$i" 2>/dev/null; then
      launch "$node" sh "$ms_dir/job.sh" "$ms_dir" rank "$i" &
      child=$!
      wait "$child"; code=$?
      while kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done
      echo "$code" > "task-$i/code"
    fi
    i=$((i + 1))
  done
}
[ "$processes" -eq 1 ] || find_launcher || ended 72 the host "$(hostname)" has no program "$launcher" to start processes by, see programs: launch:
if [ -n "$swept" ]; then
  count=$(wc -l < "$hosts") i=0 result=0 codes=''
  [ "$count" -ge 1 ] || count=1
  clear_all || ended 73 an output cannot be written
  while [ "$i" -lt $((count * per_node)) ] && [ "$i" -lt "$processes" ]; do
    run_slot "$i" &
    pids="$pids $!"
    i=$((i + 1))
  done
  for pid in $pids; do
    while kill -0 "$pid" 2>/dev/null; do wait "$pid"; done
  done
  i=0
  while [ "$i" -lt "$processes" ]; do
    code=-
    [ ! -f "task-$i/code" ] || read -r code < "task-$i/code"
    codes="$codes $code"
    [ "$result" -ne 0 ] || [ "$code" = 0 ] || { [ "$code" = - ] && result=143 || result=$code; }
    i=$((i + 1))
  done
  (cd work && take_all) 2>> transfers.log || ended 74 a file could not be taken away, see "$ms_dir/transfers.log"
  ended "$result" "exit codes of the instances:$codes"
fi

cd -- work && cd -- "${directory:-.}" || ended 72 the working directory cannot be entered
count=$(wc -l < "$hosts")
[ "$count" -ge 1 ] || count=1
[ "$per_node" -ge 1 ] || per_node=$(((processes + count - 1) / count))
# true and not ":", because a shell ends when the redirection of ":" fails
true > "$output" || ended 73 the output cannot be written
[ "$error" = "$output" ] || true > "$error" || ended 73 the error output cannot be written
i=0
while [ "$i" -lt "$processes" ]; do
  node=$(sed -n "$((i / per_node % count + 1))p" "$hosts")
  if [ "$processes" -eq 1 ]; then
    sh "$ms_dir/job.sh" "$ms_dir" rank "$i" < "$input" >> "$output" 2>> "$error" &
  else
    launch "$node" sh "$ms_dir/job.sh" "$ms_dir" rank "$i" < "$input" >> "$output" 2>> "$error" &
  fi
  pids="$pids $!"
  i=$((i + 1))
done
result=0
for pid in $pids; do
  wait "$pid"; code=$?
  while kill -0 "$pid" 2>/dev/null; do wait "$pid"; code=$?; done
  [ "$result" -ne 0 ] || result=$code
done
cd "$ms_dir/work" || ended 72
take_all 2>> "$ms_dir/transfers.log" || ended 74 a file could not be taken away, see "$ms_dir/transfers.log"
ended "$result"
