# Sourced after common.sh by the start scripts whose scheduler is one of a newer Debian (LIVE_SUITE, 13 if not set), in a chroot; not run by
# itself. They set ROOT, its folder. It is installed once, and its accounts are those of the same uid outside.
SUITE=${LIVE_SUITE:-trixie}

inside() { chroot "$ROOT" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"; }
mounted() { awk -v root="$ROOT" '$5 == root || index($5, root "/") == 1 { print $5 }' /proc/self/mountinfo | sort -r; }

install_system() { # packages...
  if [ ! -e "$ROOT/.complete" ]; then
    need_programs mmdebstrap mmdebstrap
    [ -z "$(mounted)" ] && rm -rf --one-file-system "$ROOT"
    mkdir -p "$(dirname "$ROOT")"
    local mirror; mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' | head -1)
    # A mirror of testing may be older than its lists are good for: they are still signed.
    mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
      --essential-hook="printf '127.0.0.1 localhost %s\n' $(hostname) > \"\$1/etc/hosts\"" --include="$(IFS=,; echo "$*")" "$SUITE" "$ROOT" "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $SUITE main" \
      || fail "Debian $SUITE with $1 cannot be installed in $ROOT"
    local user
    for user in $LIVE_USERS; do inside useradd -m -u "$(id -u "$user")" -s /bin/bash "$user"; done
    touch "$ROOT/.complete"
  fi
  printf '127.0.0.1 localhost %s\n' "$(hostname)" > "$ROOT/etc/hosts"
}

# Folders that the scheduler and the tests see at the same path, /proc and /dev among them.
mount_folders() { # folders...
  local folder
  # HTCondor's starter makes / private for each job, so / of the chroot is to be a mount.
  mounted | grep -qxF "$ROOT" || mount --bind --make-private "$ROOT" "$ROOT"
  for folder in /proc /dev "$@"; do
    folder=$(realpath "$folder")
    mkdir -p "$ROOT$folder"
    mounted | grep -qxF "$ROOT$folder" || mount --rbind --make-rprivate "$folder" "$ROOT$folder" || fail "$folder cannot be mounted in $ROOT"
  done
}

# Ends what the daemons and jobs left behind, and takes the folders away.
leave_system() {
  local folder process
  for process in /proc/[0-9]*; do
    [ "$(readlink "$process/root" 2>/dev/null)" = "$ROOT" ] && kill -KILL "${process#/proc/}" 2>/dev/null
  done
  for folder in $(mounted); do umount -l "$folder"; done
  return 0
}

# main, and "clean": the system goes too.
main_of_system() {
  [ "${1:-}" = clean ] || { main "$@"; return; }
  need_root; shut
  [ -z "$(mounted)" ] && rm -rf --one-file-system "$ROOT" "$HOME_DIR"
}
