#!/bin/bash
# Slurm 26.05 of Debian testing, of which slurmrestd makes reservations: as start-slurm2411.sh, with a site.yaml of type slurm-rest.
LIVE_NAME=slurm2605 LIVE_SUITE=forky LIVE_TYPE=slurm-rest LIVE_API=v0.0.43 METASCHED_LIVE_SLURM2411_PORT=${METASCHED_LIVE_SLURM2605_PORT:-32100} \
  exec "$(dirname "$(readlink -f "$0")")/start-slurm2411.sh" "$@"
