#!/bin/sh
# Copies one file and makes the folder that it goes to.
set -eu
mkdir -p "$(dirname "$2")"
cp "$1" "$2"
