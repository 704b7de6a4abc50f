#!/bin/bash
# The Grid Engine cell whose jobs are real processes; see start-gridengine.sh.
METASCHED_LIVE_REAL=yes exec "$(dirname "$(readlink -f "$0")")/start-gridengine.sh" "$@"
