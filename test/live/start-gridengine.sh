#!/bin/bash
# A throw-away Grid Engine cell on the loopback interface, without systemd: one qmaster, one execd (this machine), and eight
# hosts simulated by the qmaster itself (qmaster_params SIMULATE_EXECDS with a "simhost" complex on each).
# Debian packages: gridengine-master gridengine-exec gridengine-client. Run as root; running it again changes nothing.
# The simulated hosts need names that resolve: lines marked "# metasched-live" go into /etc/hosts and are taken out by "stop".
# Simulated hosts run no processes: start-gridengine-real.sh is another cell, whose one host is this machine.
# Leaves $METASCHED_LIVE/gridengine/site.yaml, or $METASCHED_LIVE/gridengine-real/site.yaml.
set -u
. "$(dirname "$(readlink -f "$0")")/common.sh"
REAL=${METASCHED_LIVE_REAL:+-real}
HOME_DIR=$LIVE/gridengine$REAL
NODES=8 CORES=4 PORT=17444 HOSTS=$(seq -f 'ge%.0f' 8 | paste -sd' ')
[ -z "$REAL" ] || NODES=1 PORT=17454 HOSTS=$(hostname)
export SGE_ROOT=$HOME_DIR SGE_CELL=live SGE_CLUSTER_NAME=live
export SGE_QMASTER_PORT=${METASCHED_LIVE_GRIDENGINE_PORT:-$PORT}
export SGE_EXECD_PORT=$((SGE_QMASTER_PORT + 1))
unset SGE_ARCH
PROGRAMS=/usr/lib/gridengine SHARED=/usr/share/gridengine
CELL=$SGE_ROOT/$SGE_CELL SPOOL=$SGE_ROOT/spool ME=$(hostname)

name_hosts() {
  local n
  [ -z "$REAL" ] || return 0
  for n in $(seq $NODES); do
    grep -q "[[:space:]]ge$n[[:space:]]*# metasched-live" /etc/hosts || echo "127.0.2.$n ge$n # metasched-live" >> /etc/hosts
  done
}
unname_hosts() { [ -z "$REAL" ] || return 0; local rest; rest=$(grep -v '# metasched-live$' /etc/hosts) && printf '%s\n' "$rest" > /etc/hosts; }

# set_lines FILE "key value"...: the file with these lines in place of those with the same first word
set_lines() {
  local file=$1 line; shift
  for line in "$@"; do awk -v key="${line%% *}" -v line="$line" '$1 != key { print } END { print line }' "$file" > "$file.new" && mv "$file.new" "$file"; done
}

make_cell() {
  local folder spooling="$CELL/common;$SPOOL/qmaster"
  mkdir -p "$CELL/common" "$SPOOL/qmaster/job_scripts" "$SPOOL/execd"
  for folder in bin lib utilbin; do mkdir -p "$SGE_ROOT/$folder"; ln -sfn $PROGRAMS "$SGE_ROOT/$folder/lx-amd64"; done
  ln -sfn $SHARED/util "$SGE_ROOT/util"
  cp $SHARED/default-bootstrap "$CELL/common/bootstrap"
  set_lines "$CELL/common/bootstrap" "spooling_method classic" "spooling_lib libspoolc" "spooling_params $spooling" "qmaster_spool_dir $SPOOL/qmaster"
  echo "$ME" > "$CELL/common/act_qmaster"
  # 127.0.0.1 must resolve back to the name that the qmaster goes by, whatever else this machine is called
  { echo "$ME"; echo localhost; getent hosts 127.0.0.1 "$ME" | cut -d' ' -f2- | tr -s ' ' '\n'; } | awk 'NF && !seen[$1]++ { printf "%s ", $1 }' > "$CELL/common/host_aliases"
  cp $SHARED/default-configuration "$HOME_DIR/global.conf"
  set_lines "$HOME_DIR/global.conf" "execd_spool_dir $SPOOL/execd" "mailer /bin/true" "min_uid 0" "min_gid 0" "qmaster_params $([ -n "$REAL" ] && echo none || echo SIMULATE_EXECDS=TRUE)"
  chown -R sgeadmin: "$HOME_DIR"
  su -s /bin/bash sgeadmin -c "export SGE_ROOT='$SGE_ROOT' SGE_CELL=$SGE_CELL; cd $PROGRAMS &&
    ./spoolinit classic libspoolc '$spooling' init && ./spooldefaults configuration '$HOME_DIR/global.conf' &&
    ./spooldefaults complexes $SHARED/util/resources/centry && ./spooldefaults usersets $SHARED/util/resources/usersets &&
    ./spooldefaults managers root sgeadmin" > "$HOME_DIR/cell.log" 2>&1 || return 1
}

# from_file OPTION: gives standard input to qconf as the file it wants
from_file() { cat > "$HOME_DIR/qconf.in" && qconf "$1" "$HOME_DIR/qconf.in"; }

configure_cell() {
  local n pe rule nobody='user_lists NONE\nxuser_lists NONE\n'
  qconf -ah "$ME"; qconf -as "$ME"
  { qconf -sc | grep -v '^simhost\|^speed'; echo "simhost simhost STRING == YES NO NONE 0"; echo "speed speed RESTRING == YES NO NONE 0"; } | from_file -Mc
  for n in $([ -n "$REAL" ] || seq $NODES); do
    qconf -ah "ge$n"
    printf "hostname ge$n\nload_scaling NONE\ncomplex_values simhost=$ME,slots=$CORES,speed=$([ "$n" -le $((NODES / 2)) ] && echo fast || echo slow)\n${nobody}projects NONE\nxprojects NONE\nusage_scaling NONE\nreport_variables NONE\n" | from_file -Ae
  done
  printf 'group_name @grid\nhostlist %s\n' "$HOSTS" | from_file -Ahgrp
  for pe in "metanodes $CORES" 'metafill $fill_up'; do
    read -r pe rule <<< "$pe"
    printf "pe_name $pe\nslots 999\n${nobody}start_proc_args NONE\nstop_proc_args NONE\nallocation_rule %s\ncontrol_slaves TRUE\njob_is_first_task FALSE\nurgency_slots min\naccounting_summary FALSE\nqsort_args NONE\n" "$rule" | from_file -Ap
  done
  qconf -sq > "$HOME_DIR/queue"
  set_lines "$HOME_DIR/queue" "qname grid.q" "hostlist @grid" "pe_list metanodes metafill" "slots $CORES" "shell /bin/bash" "shell_start_mode unix_behavior" "load_thresholds NONE"
  qconf -Aq "$HOME_DIR/queue"
  qconf -au "$(echo $LIVE_USERS | tr ' ' ,)" arusers
  qconf -ssconf > "$HOME_DIR/scheduling"
  set_lines "$HOME_DIR/scheduling" "schedule_interval 0:0:1" "flush_submit_sec 1" "flush_finish_sec 1" "max_reservation 50" "default_duration 1:0:0"
  qconf -Msconf "$HOME_DIR/scheduling"
  qconf -sq grid.q >/dev/null && qconf -sp metanodes >/dev/null
}

write_site() {
  cat <<YAML
# written by start-gridengine.sh: this cell as a metasched site
site: live-gridengine$REAL
look-ahead: PT72H
identity:
  default: gridalice
run:
  environment:
    SGE_ROOT: $SGE_ROOT
    SGE_CELL: $SGE_CELL
    SGE_QMASTER_PORT: '$SGE_QMASTER_PORT'
    SGE_EXECD_PORT: '$SGE_EXECD_PORT'
scheduler:
  type: gridengine
  queue: grid.q
  parallel-environment: metanodes
  publish-folder: $HOME_DIR/published
  programs: {become: [runuser, -u, '{user}', --]}
YAML
}

answers() { timeout 20 qconf -sh; }
hosts_usable() { [ "$(qselect -q grid.q -U root | wc -l)" -eq $NODES ] && ! qstat -f -q grid.q -qs u | grep -q '^grid.q'; }
healthy() { pid_of qmaster >/dev/null && answers >/dev/null && hosts_usable; }

boot() {
  need_programs "gridengine-master gridengine-exec gridengine-client" /usr/sbin/sge_qmaster /usr/sbin/sge_execd qrsub qconf
  make_accounts; umask 022; name_hosts; mkdir -p "$HOME_DIR"
  if [ ! -e "$HOME_DIR/cell.done" ]; then
    make_cell || fail "making the cell failed, see $HOME_DIR/cell.log"
    touch "$HOME_DIR/cell.done"
  fi
  write_site > "$HOME_DIR/site.yaml"
  if ! pid_of qmaster >/dev/null; then
    rm -f "$SPOOL/qmaster/qmaster.pid"
    /usr/sbin/sge_qmaster > "$HOME_DIR/qmaster.out" 2>&1 || fail "the qmaster did not start: $(cat "$HOME_DIR/qmaster.out")"
    await 60 answers || fail "the qmaster does not answer, see $SPOOL/qmaster/messages"
    remember qmaster "$(cat "$SPOOL/qmaster/qmaster.pid")"
  fi
  if [ ! -e "$HOME_DIR/configured" ]; then
    configure_cell > "$HOME_DIR/configure.log" 2>&1 || fail "configuring the cell failed, see $HOME_DIR/configure.log"
    touch "$HOME_DIR/configured"
  fi
  if ! pid_of execd >/dev/null; then
    rm -f "$SPOOL"/execd/*/execd.pid
    /usr/sbin/sge_execd > "$HOME_DIR/execd.out" 2>&1 || fail "the execd did not start: $(cat "$HOME_DIR/execd.out")"
    await 60 sh -c "cat '$SPOOL'/execd/*/execd.pid" || fail "the execd wrote no pid file"
    remember execd "$(cat "$SPOOL"/execd/*/execd.pid | tail -n 1)"
  fi
  await 120 hosts_usable || fail "queue grid.q is not usable on $NODES hosts: $(qstat -f -q grid.q 2>&1 | tail -n 9)"
}

shut() { halt execd qmaster; unname_hosts; }

main "$@"
