#!/bin/bash
# A throw-away HTCondor pool of Debian 13 in a folder of its own (chroot), on the loopback interface, with eight slots of one core.
# Debian packages: mmdebstrap. Run as root; running it again changes nothing. The system in the chroot is installed once
# (about a minute) and kept in $METASCHED_LIVE_HTCONDOR (default $METASCHED_LIVE-htcondor); "clean" removes it.
# Leaves $METASCHED_LIVE/htcondor/bin: condor_submit_dag and its like, which run in the chroot as the account gridalice (condor_advertise
# as root), and $METASCHED_LIVE/htcondor/work, a folder that the pool sees.
set -u
. "$(dirname "$(readlink -f "$0")")/common.sh"
. "$(dirname "$(readlink -f "$0")")/chroot.sh"
. "$(dirname "$(readlink -f "$0")")/condor.sh"
HOME_DIR=$LIVE/htcondor
ROOT=$(realpath -m "${METASCHED_LIVE_HTCONDOR:-$LIVE-htcondor}")
BASE_PORT=${METASCHED_LIVE_HTCONDOR_PORT:-31400}
SLOTS=8

write_configuration() {
  condor_configuration
  cat <<CONF
DAEMON_LIST = MASTER COLLECTOR NEGOTIATOR SCHEDD STARTD
START = True
NUM_CPUS = $SLOTS
MEMORY = $((SLOTS * 1024))
NUM_SLOTS_TYPE_1 = $SLOTS
SLOT_TYPE_1 = cpus=1
SLOT_TYPE_1_PARTITIONABLE = False
NEGOTIATOR_INTERVAL = 5
NEGOTIATOR_CYCLE_DELAY = 2
NEGOTIATOR_MIN_INTERVAL = 1
# a test of fair share reads each cycle from the log, and wants each job to give its slot back
NEGOTIATOR_DEBUG = D_FULLDEBUG
MAX_NEGOTIATOR_LOG = 200 Mb
PRIORITY_HALFLIFE = 60
CLAIM_WORKLIFE = 0
CONF
}

slots_ready() { [ "$(inside timeout 20 condor_status -af Name 2>/dev/null | wc -l)" -ge $SLOTS ] && inside timeout 20 condor_q; }
healthy() { pid_of master >/dev/null && slots_ready; }

boot() {
  make_accounts
  install_system condor procps python3
  umask 022; mkdir -p "$HOME_DIR"
  write_configuration > "$ROOT/etc/condor/config.d/99-live"
  printf 'site: live-htcondor\nrun: {path: [%s/bin]}\nscheduler: {type: simulated}\n' "$HOME_DIR" > "$HOME_DIR/site.yaml"
  write_tools
  install -d -m 1777 "$HOME_DIR/work"
  mount_folders "$LIVE"
  start_condor
  await 120 slots_ready || fail "the pool has no $SLOTS slots, see $ROOT/var/log/condor"
}

shut() {
  [ -d "$HOME_DIR" ] && halt master
  leave_system
}

main_of_system "$@"
