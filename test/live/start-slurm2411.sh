#!/bin/bash
# A throw-away Slurm of a Debian in a folder of its own (chroot), on the loopback interface: the cluster of start-slurm.sh, and slurmrestd
# with JSON web tokens. 24.11 of Debian 13, or what start-slurm2605.sh says. Debian packages: mmdebstrap, curl. Run as root; running it again
# changes nothing. The system in the chroot is installed once (half a minute) and kept in $METASCHED_LIVE-slurm2411; "clean" removes it.
# Leaves $METASCHED_LIVE/slurm2411/{slurm.conf,url,token,site.yaml}, and bin: its commands, which run in the chroot.
set -u
. "$(dirname "$(readlink -f "$0")")/common.sh"
. "$(dirname "$(readlink -f "$0")")/chroot.sh"
NAME=${LIVE_NAME:-slurm2411} WHO=start-${LIVE_NAME:-slurm2411}
HOME_DIR=$LIVE/$NAME
ROOT=$(realpath -m "$LIVE-$NAME")
BASE_PORT=${METASCHED_LIVE_SLURM2411_PORT:-31900}
REST=127.0.0.1:$((BASE_PORT + 90))
. "$(dirname "$(readlink -f "$0")")/slurm.sh"
JWT_KEY=$HOME_DIR/jwt.key
COMMUNICATION=CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
# A node that a test takes out stays out: 2 brings it back with the next registration.
RETURN=1

in_slurm() { inside SLURM_CONF="$SLURM_CONF" "$@"; }

write_tools() {
  local tool
  mkdir -p "$HOME_DIR/bin"
  for tool in scontrol sinfo squeue sbatch scancel srun; do
    # In the chroot, where a command of a user's runs, there is no $ROOT.
    cat > "$HOME_DIR/bin/$tool" <<TOOL
#!/bin/sh
[ -d "$ROOT" ] || exec /usr/bin/$tool "\$@"
exec chroot "$ROOT" /usr/bin/$tool "\$@"
TOOL
    chmod 755 "$HOME_DIR/bin/$tool"
  done
}

rest_answers() { curl -sf -m 5 -o /dev/null -H "X-SLURM-USER-TOKEN: $(cat "$HOME_DIR/token")" "http://$REST/slurm/${LIVE_API:-v0.0.42}/ping/"; }

boot_rest() {
  echo "http://$REST" > "$HOME_DIR/url"
  (umask 077; in_slurm scontrol token username=slurm lifespan=86400 | sed 's/^SLURM_JWT=//' > "$HOME_DIR/token")
  pid_of slurmrestd >/dev/null && return
  # It refuses to be root or SlurmUser.
  inside SLURM_CONF="$SLURM_CONF" SLURM_JWT=daemon setpriv --reuid gridbob --regid gridbob --clear-groups -- \
    slurmrestd -s slurmctld -a rest_auth/jwt "$REST" > "$HOME_DIR/slurmrestd.log" 2>&1 < /dev/null &
  remember slurmrestd $!
  await 60 rest_answers || fail "slurmrestd does not answer, see $HOME_DIR/slurmrestd.log"
}

boot() {
  need_programs curl curl
  make_accounts
  install_system slurmctld slurmd slurm-client slurmrestd slurm-wlm-jwt-plugin munge procps
  umask 022; mkdir -p "$HOME_DIR"
  mount_folders "$LIVE" /home
  write_tools
  if [ ! -s "$JWT_KEY" ]; then
    head -c 32 /dev/urandom > "$JWT_KEY"; in_slurm chown slurm "$JWT_KEY"; chmod 400 "$JWT_KEY"
  fi
  echo CgroupPlugin=disabled > "$HOME_DIR/cgroup.conf"
  boot_slurm
  boot_rest
  write_site "$NAME" "${LIVE_TYPE:-slurm}" "chroot, '--userspec={user}', $ROOT" "  path: [$HOME_DIR/bin]" > "$HOME_DIR/site.yaml"
  [ "${LIVE_TYPE:-slurm}" = slurm ] || printf '  url: http://%s\n  token-file: %s/token\n' "$REST" "$HOME_DIR" >> "$HOME_DIR/site.yaml"
}

shut() {
  [ -d "$HOME_DIR" ] && halt slurmrestd
  shut_slurm
  leave_system
}

main_of_system "$@"
