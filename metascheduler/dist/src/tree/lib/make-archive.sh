#!/bin/sh
# Writes an archive of loaded classes (AppCDS), with which short commands start in about half the processor time:
#   make-archive.sh JAVA JAR ARCHIVE
# It holds for one JVM and these very jars. Training runs list the classes; a static dump is used because picocli's classes are too
# old for an archive that is written at exit.
set -eu
java=$1
jar=$2
archive=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

runs=0
train() {
    runs=$((runs + 1))
    "$java" -XX:DumpLoadedClassList="$work/run$runs" -jar "$jar" "$@" >/dev/null 2>&1 </dev/null || true
}
train --version
train classad eval 'size("1") + 1'
train sites --server http://127.0.0.1:1 # no server there: loads what every call to a server needs

# A DAG of one job and its site.
printf 'JOB one one.sub\n' >"$work/one.dag"
printf 'executable = $ENV(Tool)\nqueue\n' >"$work/one.sub"
printf '[MyType = "Machine"; Name = "here"; Requirements = true; SiteEnvironment = "Tool=/bin/true"]\n' >"$work/sites.ads"
train dag bind "$work/one.dag" --sites "$work/sites.ads" --ledger "$work/ledger" --out "$work/bound"
train dag status "$work/bound"
train gang match --help

# Each run numbers the classes anew, so the numbers are removed, and with them the classes of other loaders, which need a number.
sed -e '/ source: /d' -e 's/ id: [0-9].*$//' "$work"/run* | awk '!seen[$0]++' >"$work/classes"
"$java" -Xshare:dump -XX:SharedClassListFile="$work/classes" -XX:SharedArchiveFile="$archive.new" \
    -Xlog:disable -Xlog:all=error:stderr -jar "$jar" >/dev/null
mv -f "$archive.new" "$archive"
