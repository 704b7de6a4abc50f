#!/bin/sh
# One run of a sweep as a task of a Slurm array job; the lines are what `metasched simulate run … --list` printed:
#   metasched simulate run shares.yaml --trace … --out /shared/shares --list > runs.txt
#   sbatch --array=1-$(wc -l < runs.txt) slurm-array.sh runs.txt
# A task that is killed is listed again, and may be submitted again.
#SBATCH --ntasks=1
set -e
line=$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$1")
eval "$line --quiet"
