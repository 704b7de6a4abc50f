#!/bin/bash
# A throw-away HTCondor pool of Debian 13 in a folder of its own (chroot), on the loopback interface, with eight slots of one core.
# Debian packages: mmdebstrap. Run as root; running it again changes nothing. The system in the chroot is installed once
# (about a minute) and kept in $METASCHED_LIVE_HTCONDOR (default $METASCHED_LIVE-htcondor); "clean" removes it.
# Leaves $METASCHED_LIVE/htcondor/bin: condor_submit_dag and its like, which run in the chroot as the account gridalice (condor_advertise
# as root), and $METASCHED_LIVE/htcondor/work, a folder that the pool sees.
set -u
. "$(dirname "$(readlink -f "$0")")/common.sh"
. "$(dirname "$(readlink -f "$0")")/chroot.sh"
HOME_DIR=$LIVE/htcondor
ROOT=$(realpath -m "${METASCHED_LIVE_HTCONDOR:-$LIVE-htcondor}")
BASE_PORT=${METASCHED_LIVE_HTCONDOR_PORT:-31400}
SLOTS=8

write_configuration() {
  cat <<CONF
CONDOR_HOST = 127.0.0.1
COLLECTOR_HOST = 127.0.0.1:$BASE_PORT
SHARED_PORT_PORT = $BASE_PORT
LOWPORT = $((BASE_PORT + 1))
HIGHPORT = $((BASE_PORT + 400))
NETWORK_INTERFACE = 127.0.0.1
BIND_ALL_INTERFACES = False
ENABLE_IPV6 = False
DAEMON_LIST = MASTER COLLECTOR NEGOTIATOR SCHEDD STARTD
START = True
UID_DOMAIN = live.pool
FILESYSTEM_DOMAIN = live.pool
TRUST_UID_DOMAIN = True
NUM_CPUS = $SLOTS
MEMORY = $((SLOTS * 1024))
NUM_SLOTS_TYPE_1 = $SLOTS
SLOT_TYPE_1 = cpus=1
SLOT_TYPE_1_PARTITIONABLE = False
NEGOTIATOR_INTERVAL = 5
NEGOTIATOR_CYCLE_DELAY = 2
NEGOTIATOR_MIN_INTERVAL = 1
SCHEDD_INTERVAL = 5
DAGMAN_USER_LOG_SCAN_INTERVAL = 1
# every process of this machine may speak to the pool
ALLOW_READ = *
ALLOW_WRITE = *
ALLOW_DAEMON = *
ALLOW_ADMINISTRATOR = *
ALLOW_NEGOTIATOR = *
SEC_DEFAULT_AUTHENTICATION_METHODS = FS, CLAIMTOBE
SEC_CLIENT_AUTHENTICATION_METHODS = FS, CLAIMTOBE
# folders of tests are below the temporary folder: the strict check refuses logs there, and jobs would see an empty one
DAGMAN_USE_STRICT = 0
MOUNT_UNDER_SCRATCH =
CONF
}

write_tools() {
  local tool account
  mkdir -p "$HOME_DIR/bin"
  for tool in q rm submit submit_dag status wait history hold release userprio config_val version advertise; do
    account=gridalice; [ $tool = advertise ] && account=root
    cat > "$HOME_DIR/bin/condor_$tool" <<TOOL
#!/bin/sh
exec chroot --userspec=$account --groups= "$ROOT" /bin/sh -c 'cd "\$0" 2>/dev/null || cd /; PATH=/usr/bin:/usr/sbin:/bin exec "\$@"' "\$PWD" condor_$tool "\$@"
TOOL
    chmod 755 "$HOME_DIR/bin/condor_$tool"
  done
}

slots_ready() { [ "$(inside timeout 5 condor_status -af Name 2>/dev/null | wc -l)" -ge $SLOTS ] && inside timeout 5 condor_q; }
healthy() { pid_of master >/dev/null && slots_ready; }

boot() {
  make_accounts
  install_system condor procps python3
  umask 022; mkdir -p "$HOME_DIR"
  write_configuration > "$ROOT/etc/condor/config.d/99-live"
  printf 'site: live-htcondor\nrun: {path: [%s/bin]}\nscheduler: {type: simulated}\n' "$HOME_DIR" > "$HOME_DIR/site.yaml"
  ln -sfn "$ROOT/var/log/condor" "$HOME_DIR/log"
  write_tools
  install -d -m 1777 "$HOME_DIR/work"
  mount_folders "$LIVE"
  if ! pid_of master >/dev/null; then
    inside install -d -o condor -g condor /run/condor /var/lock/condor
    rm -f "$ROOT/run/condor/master.pid"
    inside condor_master -pidfile /run/condor/master.pid || fail "condor_master did not start, see $ROOT/var/log/condor/MasterLog"
    await 15 test -s "$ROOT/run/condor/master.pid" || fail "condor_master wrote no pid file"
    remember master "$(cat "$ROOT/run/condor/master.pid")"
  fi
  await 60 slots_ready || fail "the pool has no $SLOTS slots, see $ROOT/var/log/condor"
}

shut() {
  [ -d "$HOME_DIR" ] && halt master
  leave_system
}

main_of_system "$@"
