echo "The runner's job $SLURM_JOB_ID begins on $(uname -n)."
if ! [ -x "$launcher" ]; then
  echo "The program ($launcher) is not on the machine $(uname -n). Maybe it has another path there: --launcher."
  exit 3
fi
if [ -x "$java" ]; then METASCHED_JAVA=$java; export METASCHED_JAVA; fi
METASCHED_OPTS="-Xmx$((${SLURM_MEM_PER_NODE:-400} * 3 / 4))m"
export METASCHED_OPTS
again=
trap 'again=yes; kill "$runner"' USR1
run "$launcher" dag run --follow "$@" &
runner=$!
wait "$runner"
code=$?
[ -n "$again" ] || exit "$code"
wait "$runner"
slurm requeue "$SLURM_JOB_ID"
