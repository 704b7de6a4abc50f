#!/bin/sh
# A production manager's day: three DAGs are bound, a fourth waits, a site is drained, and in the evening nothing is held.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
metasched=$here/../../metasched
day=$(mktemp -d)
trap 'rm -rf "$day"' EXIT
cp -R "$here"/*.sub "$here"/*.ad "$here"/*.ads "$here"/steps "$day"
cd "$day"
for group in one two three four; do cp "$here/group.dag" "$group.dag"; done
count="--sites sites.ads --ledger ledger"

echo "In the morning: birch has room for two, alder for one."
"$metasched" dag check one.dag
# shellcheck disable=SC2086
"$metasched" dag bind one.dag two.dag three.dag $count --job-ad group.ad --out bound >bound.txt
sed -n 's/, rank.*//p' bound.txt
"$metasched" dag queue four.dag --job-ad group.ad --out bound --queue waiting --quiet

echo "At noon: one is given back, alder goes down, and its DAG moves."
"$metasched" dag release bound/one | sed 's,.*/,,'
# shellcheck disable=SC2086
"$metasched" site drain alder --move $count >drained.txt
sed -n 's,.*/three ,three ,p' drained.txt

echo "In the afternoon: alder is back and takes the DAG that waits."
# shellcheck disable=SC2086
"$metasched" site drain alder --end "$(sed -n 's/.*--end \([^ ]*\).*/\1/p' drained.txt)" $count
# shellcheck disable=SC2086
"$metasched" dag queue --queue waiting --bind $count >queue.txt
"$metasched" dag list bound

echo "In the evening: all is given back."
"$metasched" dag release bound/two bound/three bound/four >/dev/null
"$metasched" matches list --ledger ledger
