#!/bin/bash
# A throw-away Slurm cluster on the loopback interface, without systemd: munged, slurmctld and eight slurmd, or as many as
# METASCHED_LIVE_SLURM_NODES says, that are all this machine under different names. Debian packages: slurm-wlm munge. Run as
# root; running it again changes nothing.
# Leaves $METASCHED_LIVE/slurm/{slurm.conf,site.yaml}.
set -u
. "$(dirname "$(readlink -f "$0")")/common.sh"
HOME_DIR=$LIVE/slurm
BASE_PORT=${METASCHED_LIVE_SLURM_PORT:-17817}
. "$(dirname "$(readlink -f "$0")")/slurm.sh"

in_slurm() { "$@"; }

boot() {
  need_programs "slurm-wlm munge" munged slurmctld slurmd scontrol setpriv
  make_accounts
  boot_slurm
  write_site slurm slurm "runuser, -u, '{user}', --" "" > "$HOME_DIR/site.yaml"
}

shut() { shut_slurm; }

main "$@"
