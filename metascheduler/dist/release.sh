#!/usr/bin/env bash
# Makes a release from a tag, in a clone of its own: metascheduler/dist/release.sh v0.1.0 OUT
# The version is the tag's; nothing in the working tree counts. PROJECT_URL and PROJECT_SCM, which Maven Central asks for, go into the POMs.
# REHEARSAL=1 builds without tests. OUT gets the packages, the jars with sources and Javadoc, and SHA256SUMS, signed if GPG_KEY or MINISIGN_KEY is given.
set -euo pipefail
[ $# -eq 2 ] || { echo "usage: $0 TAG OUT" >&2; exit 2; }
tag=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
case $tag in
    v[0-9]*.[0-9]*.[0-9]*) version=${tag#v} ;;
    *) echo "the tag ($tag) must be v and a version, such as v0.1.0" >&2; exit 2 ;;
esac
git -C "$root" rev-parse -q --verify "refs/tags/$tag^{commit}" >/dev/null || { echo "there is no tag $tag" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q --branch "$tag" --depth 1 "file://$root" "$work/source"
cd "$work/source"
sed -i "s|<description>Grid meta-scheduler|${PROJECT_URL:+<url>$PROJECT_URL</url>}${PROJECT_SCM:+<scm><connection>scm:git:$PROJECT_SCM</connection><url>$PROJECT_SCM</url><tag>$tag</tag></scm>}&|" pom.xml
stamp=$(git log -1 --format=%cI)
find . -name pom.xml -exec sed -i "s|<version>0\.1\.0-SNAPSHOT</version>|<version>$version</version>|" {} +
if grep -rl -- '-SNAPSHOT</version>' --include=pom.xml . >/dev/null; then echo "a pom still names a snapshot" >&2; exit 1; fi
mvn -B -q -Pdist,release -Dproject.build.outputTimestamp="$stamp" verify ${REHEARSAL:+-Dquick -DskipTests -DskipITs} ${IMAGE_BASE:+-Dimage.base="$IMAGE_BASE"}
cp metascheduler/dist/target/metasched*.deb metascheduler/dist/target/metasched*.rpm metascheduler/dist/target/metasched-*.tar* metascheduler/dist/target/python/* "$out"
for module in classad/durable classad/language classad/matching classad/gangs adapters/adapter-spi adapters/slot-table adapters/adapter-base adapters/adapter-testkit metascheduler/core metascheduler/client; do cp "$module"/target/*-"$version"*.jar "$out"; done
rm -f "$out"/*-tests.jar
cp classad/bom/pom.xml "$out/classad-bom-$version.pom"
sed "s|^version: .*|version: $version|; s|^appVersion: .*|appVersion: $version|" metascheduler/dist/src/helm/metasched/Chart.yaml >"$work/Chart.yaml"
cp -r metascheduler/dist/src/helm/metasched "$work/metasched" && cp "$work/Chart.yaml" "$work/metasched/Chart.yaml"
tar -C "$work" --sort=name --owner=0 --group=0 --mtime="$stamp" -czf "$out/metasched-chart-$version.tgz" metasched
cp metascheduler/dist/src/compose/compose.yaml "$out/compose.yaml"
metascheduler/dist/sign.sh "$out"
