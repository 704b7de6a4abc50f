# Sourced by the start scripts of this folder; not run by itself.
# METASCHED_LIVE is the folder that holds everything the live schedulers write (default /tmp/metasched-live).
LIVE=${METASCHED_LIVE:-/tmp/metasched-live}
WHO=$(basename "$0" .sh)
# Two local accounts that reservations are made for: the tests map certificate subjects to them.
LIVE_USERS="gridalice gridbob"

fail() { echo "$WHO: $*" >&2; exit 1; }

need_root() { [ "$EUID" -eq 0 ] || fail "must be run as root (is $(id -un))"; }

# need_programs "packages to install" program...
need_programs() {
  local packages=$1 program; shift
  for program in "$@"; do
    [ -x "$program" ] || command -v "$program" >/dev/null \
      || fail "the program ($program) is missing. Maybe: apt-get install --no-install-recommends $packages"
  done
}

make_accounts() {
  local user
  for user in $LIVE_USERS; do
    getent passwd "$user" >/dev/null || useradd --create-home --shell /bin/bash "$user" || fail "cannot make the account $user"
  done
}

# await SECONDS COMMAND...: true as soon as the command succeeds. The seconds are those of a machine with a load of 20.
await() {
  local deadline=$((SECONDS + $1)); shift
  while ! "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 0.2
  done
}

# A daemon is known by its pid and the tick it was started at (field 22 of /proc/PID/stat): a pid that was given to
# another program since is never ours.
birth() { local stat; stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1; set -- ${stat##*) }; echo "${20}"; }
remember() { # NAME PID
  local tick; tick=$(birth "$2") || fail "$1 (pid $2) ended at once"
  mkdir -p "$HOME_DIR/pids"; echo "$2 $tick" > "$HOME_DIR/pids/$1"
}
pid_of() { # NAME: prints the pid while it lives
  local pid tick
  read -r pid tick 2>/dev/null < "$HOME_DIR/pids/$1" || return 1
  [ "$(birth "$pid")" = "$tick" ] && echo "$pid"
}
halt() { # NAME...: asks all to end, then waits for each, then insists
  local name pid
  for name in "$@"; do pid=$(pid_of "$name") && kill -TERM "$pid"; done
  for name in "$@"; do
    if pid=$(pid_of "$name"); then
      await 30 sh -c "! kill -0 $pid" || kill -KILL "$pid"
    fi
    rm -f "$HOME_DIR/pids/$name"
  done
}

# A cluster of which nothing runs begins with nothing: what an earlier one left (reservations, drained nodes, jobs) must not
# meet the tests of this one.
begin_afresh() {
  local file
  for file in "$HOME_DIR"/pids/*; do
    [ -e "$file" ] && pid_of "$(basename "$file")" >/dev/null && return
  done
  shut; rm -rf "${HOME_DIR:?}"
}

# Every script defines boot, shut and healthy.
main() {
  local began=$EPOCHREALTIME
  case ${1:-start} in
    start) need_root; begin_afresh; boot
      awk -v who="$WHO" -v from="$began" -v to="$EPOCHREALTIME" 'BEGIN { printf "%s: up after %.1f s\n", who, to - from }' ;;
    stop) need_root; shut; echo "$WHO: stopped" ;;
    status) healthy && echo "$WHO: up" || { echo "$WHO: down"; exit 3; } ;;
    *) echo "usage: $WHO.sh [start|stop|status]" >&2; exit 2 ;;
  esac
}
