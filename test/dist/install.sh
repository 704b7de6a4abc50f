#!/usr/bin/env bash
# Installs the Debian package in a bare Debian 12, verifies its units, runs what they start as the user that they name, serves an
# agreement over two simulated sites, and purges: test/dist/install.sh [metasched_*.deb]
#
# A chroot has no systemd as process 1, so the units are checked by systemd-analyze and their ExecStart commands are started here, with
# a socket in NOTIFY_SOCKET that waits for READY=1 as systemd would. Needs root, mmdebstrap and Debian's packages; without them it is
# skipped with a sentence and exit code 77. Everything runs in a network of its own: no port of this machine is used.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() { echo "skipped: $*"; exit 77; }
say() { printf 'dist %3ds: %s\n' "$SECONDS" "$*"; }

deb=${1:-$(ls -t metascheduler/dist/target/metasched_*.deb 2>/dev/null | head -n 1)}
[ -f "$deb" ] || { echo "no package: run mvn -q -Pdist package first" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || skip "a chroot needs root"
for tool in mmdebstrap unshare chroot python3; do command -v $tool >/dev/null || skip "$tool is missing"; done

work=$(mktemp -d)
root=$work/root
tidy() {
    umount -R "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap tidy EXIT

if [ -f "${METASCHED_DEBIAN:-}" ]; then # a tar of such a system, for those who run this often
    mkdir "$root" && tar -xf "$METASCHED_DEBIAN" -C "$root"
else
    mmdebstrap --quiet --variant=minbase --include=openjdk-17-jre-headless,systemd --aptopt='Acquire::Retries "3"' \
        bookworm "$root" >"$work/log" 2>&1 || { tail -n 3 "$work/log"; skip "Debian's packages cannot be had"; }
fi
mount -t proc proc "$root/proc"
say "a bare Debian 12 with Java and systemd"
everything() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./run \) -prune -o -print; cat etc/passwd etc/group) | LC_ALL=C sort; }
inside() { chroot "$root" env PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"; }

cp "$deb" "$root/tmp/"
everything >"$work/before"
inside apt-get install -y --no-install-recommends "/tmp/$(basename "$deb")" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
say "installed: $(inside metasched --version)"
if inside metasched bench slots >"$work/log" 2>&1 || ! grep -q "part of a checkout" "$work/log"; then
    echo "the benches are installed"
    exit 1
fi
[ -s "$root/var/cache/metasched/metasched.jsa" ] || { echo "no class archive was made"; exit 1; }
inside systemd-analyze verify --man=no metasched.service metasched-adapter@simulated.service metasched-publish@simulated.service
say "units: systemd-analyze verify has no complaint"
for unit in metasched.service metasched-adapter@simulated.service metasched-publish@simulated.service; do
    inside systemd-analyze security --offline=yes "$unit" 2>/dev/null | tail -n 1
done

unshare --mount --net --pid --fork --kill-child python3 test/dist/serve.py "$root"

inside apt-get purge -y metasched >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
everything >"$work/after"
# dpkg's and apt's own notes of what happened are theirs to keep.
if ! diff <(grep -vE '^\./var/(lib/(dpkg|apt)|log|cache/apt)|^\./etc/(passwd|group|shadow|gshadow|subuid|subgid)-$' "$work/before") \
    <(grep -vE '^\./var/(lib/(dpkg|apt)|log|cache/apt)|^\./etc/(passwd|group|shadow|gshadow|subuid|subgid)-$' "$work/after"); then
    echo "the package left something behind"
    exit 1
fi
say "purged: nothing is left"
