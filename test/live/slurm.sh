# Sourced after common.sh by the start scripts of Slurm; not run by itself. They set HOME_DIR, BASE_PORT and define in_slurm, which runs a
# command where that Slurm is.
NODES=${METASCHED_LIVE_SLURM_NODES:-8} CORES=4
export SLURM_CONF=$HOME_DIR/slurm.conf
MUNGE=$HOME_DIR/munge

write_configuration() {
  local me n features; me=$(hostname -s)
  cat <<CONF
ClusterName=live
SlurmctldHost=$me(127.0.0.1)
SlurmctldPort=$BASE_PORT
# a busy machine answers late
MessageTimeout=60
TCPTimeout=30
SlurmUser=slurm
SlurmdUser=root
AuthInfo=socket=$MUNGE/socket
${JWT_KEY:+AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=$JWT_KEY
}StateSaveLocation=$HOME_DIR/state
SlurmdSpoolDir=$HOME_DIR/spool-%n
SlurmctldPidFile=$HOME_DIR/state/slurmctld.pid
SlurmdPidFile=$HOME_DIR/slurmd-%n.pid
SlurmctldLogFile=$HOME_DIR/state/slurmctld.log
SlurmdLogFile=$HOME_DIR/slurmd-%n.log
# loopback addresses, no cgroups, no accounting database
${COMMUNICATION:-CommunicationParameters=NoAddrCache}
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
ReturnToService=${RETURN:-2}
KillWait=2
CONF
  for n in $(seq $NODES); do
    features=slow; [ "$n" -le $((NODES / 2)) ] && features=fast
    echo "NodeName=s$n NodeHostname=$me NodeAddr=127.0.0.1 Port=$((BASE_PORT + n)) CPUs=$CORES SocketsPerBoard=1 CoresPerSocket=$CORES ThreadsPerCore=1 RealMemory=500 Feature=$features"
  done
  echo "PartitionName=grid Nodes=s[1-$NODES] Default=YES MaxTime=INFINITE State=UP"
}

write_site() { # NAME TYPE "words that become a user" "further settings of run: and scheduler:"
  cat <<YAML
# written by $WHO.sh: this cluster as a metasched site
site: live-$1
look-ahead: PT72H
identity:
  default: gridalice
run:
  environment:
    SLURM_CONF: $SLURM_CONF${4:+
$4}
scheduler:
  type: $2
  partition: grid
  publish-folder: $HOME_DIR/published
  programs: {become: [$3]}
YAML
}

answers() { in_slurm timeout 20 scontrol ping | grep -q 'is UP'; }
nodes_ready() { [ "$(in_slurm sinfo -h -N -o '%t' | grep -cvE 'down|unk|\*')" -eq $NODES ]; }
healthy() { pid_of slurmctld >/dev/null && answers && nodes_ready; }

boot_slurm() {
  umask 022; mkdir -p "$HOME_DIR/state" "$MUNGE"
  in_slurm chown slurm "$HOME_DIR/state"; in_slurm chown munge: "$MUNGE"
  if [ ! -s "$MUNGE/key" ]; then
    head -c 256 /dev/urandom > "$MUNGE/key"; in_slurm chown munge: "$MUNGE/key"; chmod 400 "$MUNGE/key"
  fi
  write_configuration > "$SLURM_CONF"
  if ! pid_of munged >/dev/null; then
    rm -f "$MUNGE"/socket*
    in_slurm setpriv --reuid munge --regid munge --clear-groups -- munged --key-file="$MUNGE/key" --socket="$MUNGE/socket" \
      --pid-file="$MUNGE/pid" --log-file="$MUNGE/log" --seed-file="$MUNGE/seed" || fail "munged did not start, see $MUNGE/log"
    await 60 in_slurm munge --no-input --socket="$MUNGE/socket" || fail "munged does not answer, see $MUNGE/log"
    remember munged "$(cat "$MUNGE/pid")"
  fi
  if ! pid_of slurmctld >/dev/null; then
    rm -f "$HOME_DIR/state/slurmctld.pid"
    in_slurm slurmctld || fail "slurmctld did not start, see $HOME_DIR/state/slurmctld.log"
    await 60 answers || fail "slurmctld does not answer, see $HOME_DIR/state/slurmctld.log"
    remember slurmctld "$(cat "$HOME_DIR/state/slurmctld.pid")"
  fi
  local n
  for n in $(seq $NODES); do
    pid_of "slurmd-s$n" >/dev/null && continue
    mkdir -p "$HOME_DIR/spool-s$n"
    rm -f "$HOME_DIR/slurmd-s$n.pid"
    in_slurm slurmd -N "s$n" || fail "slurmd s$n did not start, see $HOME_DIR/slurmd-s$n.log"
  done
  for n in $(seq $NODES); do
    pid_of "slurmd-s$n" >/dev/null && continue
    await 60 test -s "$HOME_DIR/slurmd-s$n.pid" || fail "slurmd s$n wrote no pid file"
    remember "slurmd-s$n" "$(cat "$HOME_DIR/slurmd-s$n.pid")"
  done
  await 120 nodes_ready || fail "the nodes are not ready: $(in_slurm sinfo -h -N -o '%N=%t' | paste -sd' ')"
}

shut_slurm() {
  [ -d "$HOME_DIR" ] || return 0
  local n
  # one that was given up while it started would keep its port
  for n in $(seq $NODES); do
    if ! pid_of "slurmd-s$n" >/dev/null && [ -s "$HOME_DIR/slurmd-s$n.pid" ] && kill -0 "$(cat "$HOME_DIR/slurmd-s$n.pid")"; then
      remember "slurmd-s$n" "$(cat "$HOME_DIR/slurmd-s$n.pid")"
    fi
  done
  pid_of slurmctld >/dev/null && in_slurm timeout 20 squeue -h -o %A | in_slurm xargs -r timeout 20 scancel --quiet
  halt $(find "$HOME_DIR/pids" -name 'slurmd-*' -printf '%f ' 2>/dev/null) slurmctld munged
}
