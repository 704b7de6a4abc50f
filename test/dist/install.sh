#!/usr/bin/env bash
# Tests the packages: lintian; the Debian package in a bare Debian 12, with its units, what they start as the user that they name, an
# agreement over two simulated sites, an ordinary user's first commands, purge; the RPM there too, by Debian's rpm; the tar.gz; compose
# file and Helm chart; the image, if it was built: test/dist/install.sh [metasched_*.deb]
#
# A chroot has no systemd as process 1, so the units are checked by systemd-analyze and their ExecStart commands are started here, with
# a socket in NOTIFY_SOCKET that waits for READY=1 as systemd would. Needs root, mmdebstrap and Debian's packages; without them it is
# skipped with a sentence and exit code 77. Everything runs in a network of its own: no port of this machine is used.
set -euo pipefail
cd "$(dirname "$0")/../.."

skip() { echo "skipped: $*"; exit 77; }
say() { printf 'dist %3ds: %s\n' "$SECONDS" "$*"; }

deb=${1:-$(ls -t metascheduler/dist/target/metasched_*.deb 2>/dev/null | head -n 1 || true)}
[ -f "$deb" ] || { echo "no package: run mvn -q -Pdist package first" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || skip "a chroot needs root"
for tool in mmdebstrap unshare chroot python3; do command -v $tool >/dev/null || skip "$tool is missing"; done

work=$(mktemp -d)
root=$work/root
dist=$(cd "$(dirname "$deb")" && pwd)
tidy() {
    umount -R "$root/proc" 2>/dev/null || true
    rm -rf --one-file-system "$work"
}
trap tidy EXIT

if command -v lintian >/dev/null; then
    # Errors, warnings and pedantic remarks; each override has its reason beside it.
    lintian --pedantic --fail-on error,warning,info,pedantic "$deb" || { echo "lintian complains"; exit 1; }
    say "lintian: no complaint, pedantic"
else
    say "skipped: lintian is missing"
fi

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

as_user() { # a program of the chroot, in a network of its own, as an ordinary user
    unshare --mount --net --pid --fork --kill-child sh -c 'ip link set lo up && mount -t proc proc "$0/proc" && exec chroot --userspec=65534:65534 "$0" "$@"' "$root" \
        env PATH=/usr/bin:/bin LC_ALL=C "$@"
}
install -m 0755 metascheduler/dist/src/autopkgtest/debian/tests/smoke "$root/tmp/smoke"
as_user /tmp/smoke >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
say "an ordinary user's server: started, reserved at, stopped"

inside apt-get purge -y metasched >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
everything >"$work/after"
# dpkg's and apt's own notes of what happened are theirs to keep.
if ! diff <(grep -vE '^\./var/(lib/(dpkg|apt)|log|cache/apt)|^\./etc/(passwd|group|shadow|gshadow|subuid|subgid)-$' "$work/before") \
    <(grep -vE '^\./var/(lib/(dpkg|apt)|log|cache/apt)|^\./etc/(passwd|group|shadow|gshadow|subuid|subgid)-$' "$work/after"); then
    echo "the package left something behind"
    exit 1
fi
say "purged: nothing is left"

tar -xzf "$(ls -t "$dist"/metasched-*.tar.gz | head -n 1)" -C "$root/opt"
as_user sh -c '/opt/metasched-*/bin/metasched demo --json >/dev/null' || { echo "the tar.gz does not run"; exit 1; }
rm -rf "$root"/opt/metasched-*
say "the tar.gz runs where it is unpacked"

rpm=$(ls -t "$dist"/metasched-*.noarch.rpm 2>/dev/null | head -n 1 || true)
if [ -f "$rpm" ] && command -v rpm >/dev/null; then
    rpm -K "$rpm" | grep -q 'digests OK' || { rpm -Kv "$rpm"; exit 1; }
    rpm -qp --requires "$rpm" | grep -q '^java-headless >= 1:17$'
    # The same files as in the Debian package, but for what each distribution has elsewhere.
    common() { sed -e 's|^\.||' -e 's|^/usr/lib/systemd|/lib/systemd|' | grep -vE '/$|/changelog.gz$|/LICENSE$|lintian|/zsh/' | LC_ALL=C sort; }
    diff <(dpkg-deb --fsys-tarfile "$deb" | tar -t | common) \
        <(rpm -qp --queryformat '[%{FILEMODES:perms} %{FILENAMES}\n]' "$rpm" | sed -n 's/^[^d][^ ]* //p' | common) || { echo "the RPM has other files"; exit 1; }
    { inside apt-get update && inside apt-get install -y --no-install-recommends rpm; } >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    cp "$rpm" "$root/tmp/metasched.rpm"
    # Debian's rpm knows none of Debian's packages, so what the package requires is not asked.
    inside rpm -i --force-debian --nodeps /tmp/metasched.rpm >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    [ -s "$root/var/cache/metasched/metasched.jsa" ] || { echo "the RPM made no class archive"; cat "$work/log"; exit 1; }
    inside rpm -V --nodeps metasched || { echo "the RPM's files are not as they were packaged"; exit 1; }
    [ "$(inside stat -c '%U:%G %a' /etc/metasched/server.yaml)" = "root:metasched 640" ] || { echo "rights of the RPM's server.yaml"; exit 1; }
    as_user /tmp/smoke >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    inside rpm -e --force-debian metasched
    [ ! -e "$root/usr/share/metasched" ] || { find "$root/usr/share/metasched"; echo "the RPM left its programs"; exit 1; }
    say "the RPM: digests, files, scripts, an ordinary user's server, removal"
else
    say "skipped: no RPM or no rpm"
fi

if command -v gpg >/dev/null; then # a throw-away key
    mkdir -m 700 "$work/keys" "$work/signed" && cp "$deb" "$work/signed/"
    export GNUPGHOME=$work/keys
    gpg --batch --quiet --passphrase '' --quick-generate-key release@example.org ed25519 sign never
    GPG_KEY=release@example.org metascheduler/dist/sign.sh "$work/signed" >"$work/log"
    (cd "$work/signed" && gpg --quiet --verify SHA256SUMS.asc SHA256SUMS 2>"$work/log" && sha256sum --quiet -c SHA256SUMS) || { cat "$work/log"; exit 1; }
    echo >>"$work/signed/SHA256SUMS"
    if (cd "$work/signed" && gpg --quiet --verify SHA256SUMS.asc SHA256SUMS 2>/dev/null); then echo "a changed SHA256SUMS has a good signature"; exit 1; fi
    gpgconf --kill all
    unset GNUPGHOME
    say "signed by GPG, and read back"
else
    say "skipped: gpg is missing"
fi

judged() { python3 "$@" || { local outcome=$?; [ $outcome -eq 77 ] || { echo "$1 fails: $outcome"; exit 1; }; }; }
judged test/dist/chart.py
# No image is no failure: ls says so, and the shell ends with a pipe that fails.
image=$(ls -t "$dist"/metasched-*-image.tar 2>/dev/null | head -n 1 || true)
if [ -f "$image" ]; then
    judged test/dist/image.py "$image"
    say "the image"
else
    say "skipped: the image was not built (-Dimage.base)"
fi
judged test/dist/compose.py ${image:+"$image"}
say "done"
