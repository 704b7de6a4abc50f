#!/bin/bash
# Two throw-away ARC computing elements of Debian 13, sites "birch" and "alder" (jobs by fork), and an HTCondor whose grid universe
# submits to them, in a folder of their own (chroot), on the loopback interface. "stop SITE" and "start SITE" take one down and up.
# Debian packages: mmdebstrap. Run as root; running it again changes nothing. The system in the chroot is installed once
# (about a minute) and kept in $METASCHED_LIVE_ARC (default $METASCHED_LIVE-arc); "clean" removes it.
# Leaves in $METASCHED_LIVE/arc: bin, condor_submit_dag and its like, which run in the chroot as the account gridalice, who has a proxy
# certificate; work, a folder for DAGs; sites.ads, the ads of the sites; sites/SITE, the site's disks.
set -u
. "$(dirname "$(readlink -f "$0")")/common.sh"
. "$(dirname "$(readlink -f "$0")")/chroot.sh"
. "$(dirname "$(readlink -f "$0")")/condor.sh"
HOME_DIR=$LIVE/arc
ROOT=$(realpath -m "${METASCHED_LIVE_ARC:-$LIVE-arc}")
BASE_PORT=${METASCHED_LIVE_ARC_PORT:-32300}
PORTS=60
SITES="birch alder"

as_alice() { inside HOME=/home/gridalice setpriv --reuid gridalice --regid gridalice --clear-groups "$@"; }
port_of() { case $1 in birch) echo $((BASE_PORT + 80)) ;; *) echo $((BASE_PORT + 81)) ;; esac; }

# Once: certificates for ten years, a listener on the loopback interface only, and states of jobs that are at most 15 seconds old, not a minute:
# this period is in tenths of a second, and each look takes a second of processor time.
prepare_system() {
  [ -e "$ROOT/etc/grid-security/.live" ] && return
  local authority="inside arcctl test-ca --ca-id live" programs=$ROOT/usr/share/arc
  rm -rf "$ROOT"/etc/grid-security/certificates/* "$ROOT/etc/grid-security/testCA.allowed-subjects"
  { $authority init --validity 3650 && $authority hostcert --validity 3650 --force \
      && $authority usercert --username alice --install-user gridalice --validity 3650 --force; } >/dev/null 2>&1 \
    || fail "arcctl made no certificates"
  sed -i 's|<tcp:Listen><tcp:Port>|<tcp:Listen><tcp:Interface>127.0.0.1</tcp:Interface><tcp:Port>|' "$programs/arc-arex-ws-start"
  sed -i 's|</arex:gmconfig>$|&<arex:InfoproviderWakeupPeriod>150</arex:InfoproviderWakeupPeriod>|' "$programs/arc-arex-start"
  sed -i 's/^sleep 10$/sleep 1/' "$programs/scan-fork-job"
  touch "$ROOT/etc/grid-security/.live"
}

# As the sites publish it: a gatekeeper each, and what differs between them.
write_ads() {
  local site room=2
  for site in $SITES; do
    cat <<AD
MyType = "Machine"
Name = "$site"
CurMatches = 0
MaxMatches = $room
Requirements = CurMatches < MaxMatches && TARGET.WANT_USCMS_MATCHMAKER =?= True
SiteEnvironment = "SiteName=$site;SiteGatekeeperURL=https://localhost:$(port_of "$site");SiteStorage=$HOME_DIR/sites/$site"

AD
    room=1
  done
}

write_site() { # SITE
  local own=/var/spool/arc/$1
  install -d "$ROOT$own" "$ROOT$own/control" "$ROOT$own/log" "$HOME_DIR/sites"
  install -d -o gridalice -g gridalice "$HOME_DIR/sites/$1"
  # else it makes a group of 4096 bits for minutes
  [ -e "$ROOT$own/control/dhparam.pem" ] || inside openssl genpkey -genparam -algorithm DH -pkeyopt group:ffdhe2048 > "$ROOT$own/control/dhparam.pem"
  cat > "$ROOT/etc/arc-$1.conf" <<CONF
[common]
hostname = localhost
x509_host_key = /etc/grid-security/testCA-hostkey.pem
x509_host_cert = /etc/grid-security/testCA-hostcert.pem
[authgroup:testCA]
file = /etc/grid-security/testCA.allowed-subjects
[mapping]
map_to_user = testCA gridalice:gridalice
[lrms]
lrms = fork
[arex]
controldir = $own/control
sessiondir = $own/session
logfile = $own/log/arex.log
joblog = $own/log/jobs.log
pidfile = /run/arex-$1.pid
wakeupperiod = 1
[arex/ws]
wsurl = https://localhost:$(port_of "$1")/arex
logfile = $own/log/ws.log
pidfile = /run/arex-ws-$1.pid
[arex/ws/jobs]
allowaccess = testCA
[infosys]
logfile = $own/log/info.log
[infosys/glue2]
[infosys/cluster]
[queue:fork]
CONF
}

start_site() { # SITE
  local part
  for part in arex arex-ws; do
    pid_of "$part-$1" >/dev/null && continue
    rm -f "$ROOT/run/$part-$1.pid"
    inside ARC_CONFIG="/etc/arc-$1.conf" "/usr/share/arc/arc-$part-start" >/dev/null 2>&1 || fail "$part of $1 did not start, see $ROOT/var/spool/arc/$1/log"
    await 60 test -s "$ROOT/run/$part-$1.pid" || fail "$part of $1 wrote no pid file"
    remember "$part-$1" "$(cat "$ROOT/run/$part-$1.pid")"
  done
}

stop_site() { halt "arex-ws-$1" "arex-$1"; }

answers() { # SITE
  as_alice curl -sf --cert "$(proxy)" --key "$(proxy)" \
    --cacert "$(proxy)" --capath /etc/grid-security/certificates "https://localhost:$(port_of "$1")/arex/rest/1.0/jobs"
}
proxy() { echo "/tmp/x509up_u$(id -u gridalice)"; }
healthy() { pid_of master >/dev/null && inside timeout 20 condor_q && answers birch && answers alder; }

boot() {
  local site
  make_accounts
  install_system condor procps python3 openssl curl nordugrid-arc-arex nordugrid-arc-client
  # what an earlier one had in its queues, it keeps
  [ -e "$HOME_DIR/site.yaml" ] || rm -rf "$ROOT"/var/spool/arc/* "$ROOT"/var/spool/condor/job_queue.log*
  umask 022; mkdir -p "$HOME_DIR"
  { condor_configuration; cat <<CONF
DAEMON_LIST = MASTER COLLECTOR SCHEDD
GRIDMANAGER_JOB_PROBE_INTERVAL = 2
GRIDMANAGER_RESOURCE_PROBE_INTERVAL = 5
GRIDMANAGER_CONTACT_SCHEDD_DELAY = 1
CONF
  } > "$ROOT/etc/condor/config.d/99-live"
  printf 'site: live-arc\nrun: {path: [%s/bin]}\nscheduler: {type: simulated}\n' "$HOME_DIR" > "$HOME_DIR/site.yaml"
  write_ads > "$HOME_DIR/sites.ads"
  write_tools
  install -d -m 1777 "$HOME_DIR/work"
  mount_folders "$LIVE"
  prepare_system
  rm -f "$ROOT$(proxy)"
  as_alice arcproxy --proxy "$(proxy)" -c validityPeriod=168H >/dev/null || fail "arcproxy made no proxy certificate"
  for site in $SITES; do write_site "$site"; start_site "$site"; done
  start_condor
  await 120 healthy || fail "the sites do not answer, see $ROOT/var/spool/arc and $ROOT/var/log/condor"
}

shut() {
  local site
  [ -d "$HOME_DIR" ] && { halt master; for site in $SITES; do stop_site "$site"; done; }
  leave_system
}

case "${1:-} ${2:-}" in
  "stop birch" | "stop alder") need_root; stop_site "$2" ;;
  "start birch" | "start alder") need_root; start_site "$2"; await 60 answers "$2" || fail "$2 does not answer" ;;
  *) main_of_system "$@" ;;
esac
