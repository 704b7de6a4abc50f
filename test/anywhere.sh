#!/usr/bin/env bash
# Tests a clone in places unlike the author's machine: test/anywhere.sh [--whole] [PLACE...]
# prints a line for each place: passed, failed or skipped, and what it is. Exit code 1 if one failed.
#
# HEAD is cloned and built once, each place gets a copy of that clone, and Maven runs there what is sensitive to the place. With --whole
# each place gets a clone that is not built, and both commands of the README run in it. Some places need root, or mmdebstrap (chroot).
#   METASCHED_REPOSITORY   what the places know of Maven's repository (default ~/.m2/repository; what it lacks is downloaded; none: nothing)
#   METASCHED_DEBIAN       a tar of a Debian 12 with maven, a JDK 17 and git, instead of one that mmdebstrap makes
#   METASCHED_PLACES       the folder that the places are in (default: a new one in /var/tmp, removed at the end)
set -uo pipefail
cd "$(dirname "$0")/.."
source=$PWD
known=${METASCHED_REPOSITORY:-${HOME:-/root}/.m2/repository}
all="root user chroot tmp repository home german turkish zone blanks ipv6 umask"
user=65533:65533

whole=
places=()
for word in "$@"; do
    case $word in
        --whole) whole=yes ;;
        *) [[ " $all " == *" $word "* ]] || { echo "no such place: $word; there are: $all" >&2; exit 2; }; places+=("$word") ;;
    esac
done
[ ${#places[@]} -gt 0 ] || read -ra places <<<"$all"

work=${METASCHED_PLACES:-$(mktemp -d /var/tmp/metasched-anywhere.XXXXXX)}
mkdir -p "$work"
below_tmp=$(mktemp -d /tmp/metasched-anywhere.XXXXXX)
chmod 755 "$work" "$below_tmp"
tidy() {
    umount -R "$work"/chroot/root/proc 2>/dev/null
    rm -rf --one-file-system "$below_tmp"
    [ -n "${METASCHED_PLACES:-}" ] || rm -rf --one-file-system "$work"
}
trap tidy EXIT

# The tests that are sensitive to a place: what doctor says of it, messages and forms, what is published to other projects, pages as pasted.
first="FirstHourTest,TypicalMistakesTest,FailureCausesTest"
forms="$first,ShownFormsOfServerTest,EvaluationTimeTest,ConformanceTextTest,CalendarTextTest,PublicConformanceTest,TypedTimesTest,SiteClockTest,MainTest"
artifacts=ClassAdArtifactsIT,AdapterArtifactsIT
pages=DocumentsIT
hour=-Dmetasched.documents=docs/first-hour.md

command_of() { # unit tests, integration tests, more options: the command of Maven
    if [ -n "$whole" ]; then
        echo "sh .git/readme-commands"
    else
        local last=test
        [ -n "${2:-}" ] || last=metascheduler/cli
        echo "mvn -q -B -Dquick -DexcludedGroups=none -pl $last -am verify -Dtest=${1:-NONE} -Dit.test=${2:-NONE} ${3:-} -Dsurefire.failIfNoSpecifiedTests=false \
-Dfailsafe.failIfNoSpecifiedTests=false -DargLine=-XX:TieredStopAtLevel=1 -Dmaven.compiler.useIncrementalCompilation=false"
    fi
}

base() { # the clone that the others are copies of
    [ -d "$work/base" ] && return
    git clone -q "$source" "$work/base" || return
    sed -n 's/^    \(\.\/metasched demo\|mvn .*verify\)$/\1 || exit/p' README.md | head -n 2 >"$work/base/.git/readme-commands"
    [ "$(wc -l <"$work/base/.git/readme-commands")" -eq 2 ] || { echo "README.md: both commands were expected" >"$work/base.log"; return 1; }
    # One test, so that all that tests need is in the local repository.
    [ -n "$whole" ] || (cd "$work/base" && mvn -q -B -Dquick -pl test -am verify -Dtest=FirstHourTest -Dit.test=NONE \
        -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false) >"$work/base.log" 2>&1
}

here() { # folder: a copy of the clone, at that path
    mkdir -p "$(dirname "$1")" && cp -a "$work/base" "$1"
}

repository() { # folder: what is known, to be written to
    mkdir -p "$1"
    if [ -d "$known" ]; then cp -a --reflink=auto "$known/." "$1/"; fi
}

as_user() { # home, command...: as an ordinary user
    local home=$1; shift
    setpriv --reuid=${user%:*} --regid=${user#*:} --clear-groups env -u USER -u LOGNAME HOME="$home" "$@"
}

maven() { # folder, command...: runs it there, and counts
    local folder=$1; shift
    (cd "$folder" && "$@") </dev/null >"$work/$place.log" 2>&1
}

needs_root() { [ "$(id -u)" -eq 0 ] || { said="needs root"; return 77; }; }

in_root() {
    said="root, its usual repository"
    needs_root || return
    here "$work/root/clone"
    maven "$work/root/clone" $(command_of "$first" $pages $hour)
}

in_user() {
    said="an ordinary user without a name, in a home of its own"
    needs_root || return
    here "$work/user/clone" && repository "$work/user/home/.m2/repository" && chown -R $user "$work/user" || return
    maven "$work/user/clone" as_user "$work/user/home" $(command_of "$first" $pages "$hour -Duser.home=$work/user/home")
}

in_chroot() {
    said="a bare Debian 12 in a chroot that is no mount point${whole:+, an ordinary user}"
    needs_root || return
    local root=$work/chroot/root
    mkdir -p "$work/chroot"
    if [ -f "${METASCHED_DEBIAN:-}" ]; then
        mkdir "$root" && tar -xf "$METASCHED_DEBIAN" -C "$root"
    elif ! command -v mmdebstrap >/dev/null \
        || ! mmdebstrap --quiet --variant=minbase --include=openjdk-17-jdk-headless,maven,git,ca-certificates bookworm "$root" >"$work/chroot.log" 2>&1; then
        said="Debian's packages cannot be had"
        return 77
    fi
    here "$root/srv/clone" && repository "$root/root/.m2/repository"
    # Names are found as they are outside; proc is there, as in any container.
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    # What this machine trusts, Java's too: there may be an authority between it and Maven Central.
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null
    cp /etc/ssl/certs/java/cacerts "$root/etc/ssl/certs/java/" 2>/dev/null
    mount -t proc proc "$root/proc"
    local as=() home=/root
    if [ -n "$whole" ]; then # PostgreSQL does not run as root, and in a chroot root cannot become another by a namespace
        echo "anyone:x:$user::/home/anyone:/bin/sh" >>"$root/etc/passwd"
        mkdir -p "$root/home/anyone" && mv "$root/root/.m2" "$root/home/anyone/" && chown -R $user "$root/home/anyone" "$root/srv/clone"
        as=("--userspec=$user") home=/home/anyone
    fi
    maven / chroot "${as[@]}" "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=$home LC_ALL=C sh -c "cd /srv/clone && $(command_of "$first" $pages $hour)"
    local ended=$?
    umount "$root/proc"
    return $ended
}

in_tmp() {
    said="a clone below /tmp"
    here "$below_tmp/clone"
    maven "$below_tmp/clone" $(command_of "$first" $pages -Dmetasched.documents=docs/own-slurm.md)
    local ended=$?
    mkdir -p "$work/tmp" && mv "$below_tmp/clone" "$work/tmp/"
    return $ended
}

in_repository() {
    said="the local repository elsewhere: -Dmaven.repo.local, then localRepository in settings.xml"
    here "$work/repository/clone" && repository "$work/repository/else where" && mkdir -p "$work/repository/home" || return
    maven "$work/repository/clone" env HOME="$work/repository/home" \
        $(command_of "" $artifacts "-Duser.home=$work/repository/home") "-Dmaven.repo.local=$work/repository/else where" || return
    mkdir -p "$work/repository/home/.m2"
    echo "<settings><localRepository>$work/repository/else where</localRepository></settings>" >"$work/repository/home/.m2/settings.xml"
    maven "$work/repository/clone" env HOME="$work/repository/home" $(command_of "" ClassAdArtifactsIT "-Duser.home=$work/repository/home")
}

in_home() {
    said="an ordinary user whose home cannot be written"
    needs_root || return
    mkdir -p "$work/home/home" && here "$work/home/clone" && repository "$work/home/repository" || return
    chown -R $user "$work/home" && chown root:root "$work/home/home" && chmod 555 "$work/home/home" || return
    maven "$work/home/clone" as_user "$work/home/home" \
        $(command_of "$first" $pages "$hour -Duser.home=$work/home/home -Dmaven.repo.local=$work/home/repository")
}

locale_of() { # its name: in LOCPATH, as most machines have C only
    mkdir -p "$work/$place/locale"
    localedef -i "$1" -f UTF-8 "$work/$place/locale/$1.UTF-8" >"$work/$place.log" 2>&1 && return
    said="the locale $1 cannot be made (Debian: locales)"
    return 77
}

in_german() {
    said="locale de_DE"
    locale_of de_DE || return
    here "$work/german/clone"
    maven "$work/german/clone" env LOCPATH="$work/german/locale" LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 $(command_of "$forms")
}

in_turkish() {
    said="locale tr_TR, where i is no small I"
    locale_of tr_TR || return
    here "$work/turkish/clone"
    maven "$work/turkish/clone" env LOCPATH="$work/turkish/locale" LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 $(command_of "$forms")
}

in_zone() {
    said="zone Pacific/Chatham, 12:45 or 13:45 from UTC"
    here "$work/zone/clone"
    maven "$work/zone/clone" env TZ=Pacific/Chatham $(command_of "$forms")
}

in_blanks() {
    said="a path with blanks"
    here "$work/blanks/my own clone"
    maven "$work/blanks/my own clone" $(command_of "$first" $artifacts,$pages $hour)
}

in_ipv6() {
    said="a network that is ::1 and no more: the demo, what doctor says, then a server, reserved at and stopped"
    needs_root || return
    here "$work/ipv6/clone"
    printf '::1 localhost\n' >"$work/ipv6/hosts"
    cat >"$work/ipv6/walk" <<'WALK'
set -eu
ip link set lo up
ip address del 127.0.0.1/8 dev lo
mount --bind ../hosts /etc/hosts
"$@"
./metasched init --yes --scheduler simulated --site lab --dir six
./metasched demo
./metasched doctor --config six/server.yaml
./metasched server --config six/server.yaml --port 8080 --background
./metasched sites
for server in 'http://[::1]:8080' http://localhost:8080; do
    ./metasched sites --server $server
    ./metasched reserve --site lab:nodes=2 --duration 30m --earliest +2h --server $server
done
./metasched server stop --config six/server.yaml
WALK
    maven "$work/ipv6/clone" unshare --net --mount sh ../walk $(command_of "FirstHourTest" "" -o)
}

in_umask() {
    said="umask 077"
    here "$work/umask/clone" && chmod -R go= "$work/umask/clone"
    (umask 077 && maven "$work/umask/clone" $(command_of "$first" $pages $hour))
}

counted() { # folder: tests, failures and skips of all reports
    find "$work/$place" "$work/base" -path "*-reports/TEST-*.xml" -newer "$work/$place.begun" -exec grep -ho '<testsuite [^>]*' {} + 2>/dev/null | awk '
        { for (i = 1; i <= NF; i++) if (match($i, /^(tests|failures|errors|skipped)="[0-9]+"/)) { split($i, part, "\""); sum[part[1]] += part[2] } }
        END { printf "%d tests, %d failed, %d skipped", sum["tests="], sum["failures="] + sum["errors="], sum["skipped="] }'
}

outcome=0
began=$SECONDS
base || { tail -n 30 "$work/base.log"; echo "the clone is not built" >&2; exit 1; }
printf 'a clone of HEAD%s, %d s\n' "$([ -n "$whole" ] || echo ' is built')" $((SECONDS - began))
for place in "${places[@]}"; do
    began=$SECONDS
    touch "$work/$place.begun"
    "in_$place"
    ended=$?
    case $ended in
        0) word=passed ;;
        77) word=skipped ;;
        *) word=failed; outcome=1 ;;
    esac
    tests=$(counted)
    # A command that ends well without a test has proven nothing.
    if [ $word = passed ] && [[ $tests == "0 tests"* ]]; then word=failed outcome=1; fi
    printf '%-10s | %-7s | %4d s | %-36s | %s\n' "$place" $word $((SECONDS - began)) "$tests" "$said"
    if [ $word = failed ]; then grep -E 'ERROR|FAIL' "$work/$place.log" | head -n 40 || tail -n 40 "$work/$place.log"; fi
    [ $word = failed ] || [ -n "${METASCHED_PLACES:-}" ] || rm -rf --one-file-system "${work:?}/$place"
done
exit $outcome
