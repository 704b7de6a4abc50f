#!/bin/bash
# Ends every scheduler that the start scripts of this folder started. What they wrote stays in $METASCHED_LIVE for a look
# after the fact, until they are started again; "stop-all.sh clean" removes it at once.
set -u
. "$(dirname "$(readlink -f "$0")")/common.sh"
need_root
for scheduler in slurm gridengine gridengine-real oar htcondor arc slurm2411 slurm2605; do
  [ -d "$LIVE/$scheduler" ] && "$(dirname "$(readlink -f "$0")")/start-$scheduler.sh" stop
done
[ "${1:-}" != clean ] || rm -rf "$LIVE"/slurm "$LIVE"/gridengine "$LIVE"/gridengine-real "$LIVE"/oar "$LIVE"/htcondor "$LIVE"/arc "$LIVE"/slurm2411 "$LIVE"/slurm2605
