#!/bin/sh
# Writes SHA256SUMS of all files of a folder, and signs it where a key is given: sign.sh FOLDER
#   GPG_KEY        name of a key of gpg: SHA256SUMS.asc          MINISIGN_KEY   file of a secret key of minisign: SHA256SUMS.minisig
set -eu
cd "$1"
rm -f SHA256SUMS SHA256SUMS.asc SHA256SUMS.minisig
sums=$(sha256sum -- *)
printf '%s\n' "$sums" | tee SHA256SUMS
if [ -n "${GPG_KEY:-}" ]; then gpg --batch --yes --local-user "$GPG_KEY" --armor --detach-sign SHA256SUMS; fi
if [ -n "${MINISIGN_KEY:-}" ]; then minisign -S -s "$MINISIGN_KEY" -m SHA256SUMS; fi
