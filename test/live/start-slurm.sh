#!/bin/bash
# A throw-away Slurm cluster on the loopback interface, without systemd: munged, slurmctld and eight slurmd that are all
# this machine under different names. Debian packages: slurm-wlm munge. Run as root; running it again changes nothing.
# Leaves $METASCHED_LIVE/slurm/{slurm.conf,site.yaml}.
set -u
. "$(dirname "$(readlink -f "$0")")/common.sh"
HOME_DIR=$LIVE/slurm
NODES=8 CORES=4 BASE_PORT=${METASCHED_LIVE_SLURM_PORT:-17817}
export SLURM_CONF=$HOME_DIR/slurm.conf
MUNGE=$HOME_DIR/munge

write_configuration() {
  local me n features; me=$(hostname -s)
  cat <<CONF
ClusterName=live
SlurmctldHost=$me(127.0.0.1)
SlurmctldPort=$BASE_PORT
SlurmUser=slurm
SlurmdUser=root
AuthInfo=socket=$MUNGE/socket
StateSaveLocation=$HOME_DIR/state
SlurmdSpoolDir=$HOME_DIR/spool-%n
SlurmctldPidFile=$HOME_DIR/state/slurmctld.pid
SlurmdPidFile=$HOME_DIR/slurmd-%n.pid
SlurmctldLogFile=$HOME_DIR/state/slurmctld.log
SlurmdLogFile=$HOME_DIR/slurmd-%n.log
# loopback addresses, no cgroups, no accounting database
CommunicationParameters=NoAddrCache
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_interval=5,bf_window=4320,sched_interval=1,sched_min_interval=500000
MaxArraySize=20001
MaxJobCount=30000
ReturnToService=2
KillWait=2
CONF
  for n in $(seq $NODES); do
    features=slow; [ "$n" -le $((NODES / 2)) ] && features=fast
    echo "NodeName=s$n NodeHostname=$me NodeAddr=127.0.0.1 Port=$((BASE_PORT + n)) CPUs=$CORES SocketsPerBoard=1 CoresPerSocket=$CORES ThreadsPerCore=1 RealMemory=500 Feature=$features"
  done
  echo "PartitionName=grid Nodes=s[1-$NODES] Default=YES MaxTime=INFINITE State=UP"
}

write_site() {
  cat <<YAML
# written by start-slurm.sh: this cluster as a metasched site
site: live-slurm
look-ahead: PT72H
identity:
  default: gridalice
run:
  environment:
    SLURM_CONF: $SLURM_CONF
scheduler:
  type: slurm
  partition: grid
  publish-folder: $HOME_DIR/published
  programs: {become: [runuser, -u, '{user}', --]}
YAML
}

answers() { timeout 5 scontrol ping | grep -q 'is UP'; }
nodes_ready() { [ "$(sinfo -h -N -o '%t' | grep -cvE 'down|unk|\*')" -eq $NODES ]; }
healthy() { pid_of slurmctld >/dev/null && answers && nodes_ready; }

boot() {
  need_programs "slurm-wlm munge" munged slurmctld slurmd scontrol setpriv
  make_accounts
  umask 022; mkdir -p "$HOME_DIR/state" "$MUNGE"
  chown slurm "$HOME_DIR/state"; chown munge: "$MUNGE"
  if [ ! -s "$MUNGE/key" ]; then
    head -c 256 /dev/urandom > "$MUNGE/key"; chown munge: "$MUNGE/key"; chmod 400 "$MUNGE/key"
  fi
  write_configuration > "$SLURM_CONF"; write_site > "$HOME_DIR/site.yaml"
  if ! pid_of munged >/dev/null; then
    rm -f "$MUNGE"/socket*
    setpriv --reuid munge --regid munge --clear-groups -- munged --key-file="$MUNGE/key" --socket="$MUNGE/socket" \
      --pid-file="$MUNGE/pid" --log-file="$MUNGE/log" --seed-file="$MUNGE/seed" || fail "munged did not start, see $MUNGE/log"
    await 10 munge --no-input --socket="$MUNGE/socket" || fail "munged does not answer, see $MUNGE/log"
    remember munged "$(cat "$MUNGE/pid")"
  fi
  if ! pid_of slurmctld >/dev/null; then
    rm -f "$HOME_DIR/state/slurmctld.pid"
    slurmctld || fail "slurmctld did not start, see $HOME_DIR/state/slurmctld.log"
    await 20 answers || fail "slurmctld does not answer, see $HOME_DIR/state/slurmctld.log"
    remember slurmctld "$(cat "$HOME_DIR/state/slurmctld.pid")"
  fi
  local n
  for n in $(seq $NODES); do
    pid_of "slurmd-s$n" >/dev/null && continue
    mkdir -p "$HOME_DIR/spool-s$n"
    rm -f "$HOME_DIR/slurmd-s$n.pid"
    slurmd -N "s$n" || fail "slurmd s$n did not start, see $HOME_DIR/slurmd-s$n.log"
    await 10 test -s "$HOME_DIR/slurmd-s$n.pid" || fail "slurmd s$n wrote no pid file"
    remember "slurmd-s$n" "$(cat "$HOME_DIR/slurmd-s$n.pid")"
  done
  await 30 nodes_ready || fail "the nodes are not ready: $(sinfo -h -N -o '%N=%t' | paste -sd' ')"
}

shut() {
  [ -d "$HOME_DIR" ] || return 0
  pid_of slurmctld >/dev/null && timeout 5 squeue -h -o %A | xargs -r timeout 5 scancel --quiet
  halt $(seq -f 'slurmd-s%.0f' $NODES) slurmctld munged
}

main "$@"
