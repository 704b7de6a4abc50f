#!/usr/bin/env bash
# Runs the sweeps of docs/simulation.md again: test/evaluation.sh TRACES OUT [SCENARIO...]
# TRACES is a folder with the archive's traces of KTH-SP2, NASA-iPSC and LANL-CM5; OUT gets runs and pages. Some minutes on two cores.
set -u
cd "$(dirname "$0")/.." || exit 3
[ $# -ge 2 ] || { sed -n '2,3p' "$0" >&2; exit 2; }
traces=$1 out=$2
shift 2
arguments=()
for name in kth:KTH-SP2 nasa:NASA-iPSC lanl:LANL-CM5; do
    file=$(ls "$traces/${name#*:}"-*-cln.swf.gz 2>/dev/null | head -1)
    [ -n "$file" ] || { echo "$traces: there is no trace of ${name#*:}" >&2; exit 2; }
    arguments+=(--trace "${name%%:*}=$file")
done
for scenario in "${@:-shares policies local load sites}"; do
    for one in $scenario; do
        ./metasched simulate run "examples/parco-evaluation/$one.yaml" "${arguments[@]}" --out "$out/$one" --processes 2 --quiet || exit
        ./metasched simulate compare "$out/$one" --out "$out/$one-page" || exit
    done
done
