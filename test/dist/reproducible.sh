#!/usr/bin/env bash
# Builds the packages twice, in two clones of HEAD at paths of different length, and compares them byte for byte.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for clone in a another/one; do
    git clone -q . "$work/$clone"
    (cd "$work/$clone" && ${MVN:-mvn} -B -q -Dquick -DskipTests -Pdist -pl metascheduler/dist -am package)
done
outcome=0
for file in "$work"/a/metascheduler/dist/target/metasched*.deb "$work"/a/metascheduler/dist/target/metasched-*.tar.gz "$work"/a/metascheduler/dist/target/metasched-*.rpm "$work"/a/metascheduler/dist/target/python/*; do
    other=$work/another/one/${file#"$work/a/"}
    if cmp "$file" "$other"; then
        printf 'same: %s %s\n' "$(sha256sum <"$file" | cut -c1-16)" "$(basename "$file")"
    else
        outcome=1
        echo "different: $(basename "$file")"
        mkdir -p "$work/x" "$work/y"
        case $file in
            *.tar.gz) tar -xzf "$file" -C "$work/x" && tar -xzf "$other" -C "$work/y" ;;
            *.rpm) (cd "$work/x" && rpm2cpio "$file" | cpio -idm --quiet) && (cd "$work/y" && rpm2cpio "$other" | cpio -idm --quiet) ;;
            *.whl) unzip -q "$file" -d "$work/x" && unzip -q "$other" -d "$work/y" ;;
            *) dpkg-deb -R "$file" "$work/x" && dpkg-deb -R "$other" "$work/y" ;;
        esac
        diff -rq "$work/x" "$work/y" | head || true
        rm -rf "$work/x" "$work/y"
    fi
done
exit $outcome
