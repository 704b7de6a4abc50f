#!/bin/sh
# Installs a stand-in of a scheduler's command line into a folder: an executable state machine that keeps its state there
# and speaks the scheduler's formats. No scheduler is needed, only a JDK.
#
#   sh test/standins/install.sh pbs|ccs|easy FOLDER [NODES [CORES]]
#
# Afterwards FOLDER/bin holds the scheduler's commands and `standin`, which plays the operator:
#   standin clock EPOCH-SECONDS     stop its clock there            standin node NAME offline|free
#   standin job NAME NODES CORES SECONDS|none                       standin mishap WORD (see Cluster.java), or "none"
set -eu
kind=$1 folder=$2 nodes=${3:-8} cores=${4:-4}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$folder/bin" "$folder/classes"
folder=$(CDPATH='' cd -- "$folder" && pwd)
if [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/javac" ]; then bin=$JAVA_HOME/bin/; else bin=; fi

case $kind in
    pbs) class=PbsStandin commands="pbs_rsub pbs_ralter pbs_rstat pbs_rdel pbsnodes qstat" ;;
    ccs) class=CcsStandin commands="ccsalloc ccsinfo ccskill" ;;
    easy) class=EasyStandin commands="spreserve sprelease spq spnodes" ;;
    *) echo "install.sh: no stand-in ($kind); there are pbs, ccs, easy" >&2; exit 2 ;;
esac

# Plain string concatenation, a class archive and no compiler: a command takes about 50 ms of processor time.
"${bin}javac" -XDstringConcat=inline -d "$folder/classes" "$here/Cluster.java" "$here/$class.java"
(cd "$folder/classes" && "${bin}jar" --create --file ../standin.jar .)
for command in $commands standin; do
    cat >"$folder/bin/$command" <<EOF
#!/bin/sh
exec "${bin}java" -Xint -XX:-UsePerfData -XX:+UseSerialGC -Xshare:auto -XX:SharedArchiveFile="$folder/standin.jsa" \\
    -Xlog:disable -cp "$folder/standin.jar" $class "$folder" $command "\$@"
EOF
    chmod +x "$folder/bin/$command"
done
"$folder/bin/standin" init "$nodes" "$cores"
"${bin}java" -XX:ArchiveClassesAtExit="$folder/standin.jsa" -Xlog:disable -cp "$folder/standin.jar" $class "$folder" standin warm \
    >/dev/null 2>&1 || true
