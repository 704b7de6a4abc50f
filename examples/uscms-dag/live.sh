#!/bin/sh
# The paper of 2003, live: three DAGs without a site's name are bound to two ARC computing elements, condor's grid universe submits their
# nodes, a site goes down, and its DAG moves. As root; the sites are those of test/live/start-arc.sh, which it starts.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
metasched=${METASCHED:-$here/../../metasched}
sites=$here/../../test/live/start-arc.sh
arc=${METASCHED_LIVE:-/tmp/metasched-live}/arc
export PATH="$arc/bin:$PATH"

await() { # SECONDS COMMAND...
    left=$1
    shift
    until "$@" >/dev/null 2>&1; do
        left=$((left - 1))
        [ $left -gt 0 ] || { echo "live.sh: nothing after a while: $*" >&2; exit 1; }
        sleep 1
    done
}
submit() { # GROUP
    chmod -R a+rwX "$paper" # condor runs the DAG as gridalice
    (cd "bound/$1" && condor_submit_dag "$1.dag" >submitted.out)
    await 60 test -e "bound/$1/$1.dag.lock"
}
matches() {
    "$metasched" matches repair --ledger ledger
    "$metasched" matches list --ledger ledger
}

"$sites" start
paper=$(mktemp -d "$arc/work/paper.XXXXXX")
trap 'condor_rm -all >/dev/null 2>&1 || :; "$sites" start alder; rm -rf "$paper"' EXIT
cp "$here"/live/* "$paper"
cd "$paper"
for group in one two three; do sed "s/\"one\"/\"$group\"/" group.dag >"$group.dag"; done

echo "== Bound: birch takes two, alder one."
"$metasched" dag bind one.dag two.dag three.dag --sites "$arc/sites.ads" --ledger ledger --out bound
grep grid_resource bound/one/step.sub bound/two/step.sub
matches

echo "== Submitted: one runs at birch, alder goes down before two has begun."
"$sites" stop alder
submit one
submit two
"$metasched" dag wait bound/one
cat bound/one/*.txt
await 120 grep '^026' bound/two/group.log
grep '^026' bound/two/group.log

echo "== CurMatches falls: the match of one ended with it."
matches

echo "== Moved: two goes to birch."
"$metasched" dag cancel bound/two
"$metasched" dag rebind bound/two --sites "$arc/sites.ads" --ledger ledger
submit two
submit three
"$metasched" dag wait bound/two bound/three
cat bound/two/simulate.txt bound/three/simulate.txt
wc -l "$arc"/sites/*/*.simulated

echo "== In the end nothing is held."
matches
