#!/bin/sh
# Removes what the steps before have left in the scratch folder.
set -eu
rm -f "$1/group.conf" "$1/events.out"
