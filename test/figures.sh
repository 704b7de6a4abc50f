#!/usr/bin/env bash
# Prints size and shape of the house, as HouseFiguresTest and ClassCyclesTest measure and bound them. Exit 1: a bound is broken.
cd "$(dirname "$0")/.." || exit 3
mvn -q -Dquick -pl test -am test -Dtest='HouseFiguresTest,ClassCyclesTest' -Dsurefire.failIfNoSpecifiedTests=false
outcome=$?
sed -n 's/^HouseFigures: //p' test/target/surefire-reports/*Test-output.txt
exit $outcome
