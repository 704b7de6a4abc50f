#!/bin/bash
# A throw-away OAR batch server on the loopback interface, without systemd: its own PostgreSQL cluster, Almighty, and eight
# nodes that are names only (whatever OAR would run on them over ssh, runs on this machine).
# Debian packages: oar-server oar-server-pgsql oar-node oar-user oar-user-pgsql postgresql. Run as root; running it again
# changes nothing. OAR's set-uid programs read /etc/oar/oar.conf and no other file, so that one is replaced; the packaged
# one is kept beside it as oar.conf.before-metasched and put back by "stop".
# Leaves $METASCHED_LIVE/oar/site.yaml.
set -u
. "$(dirname "$(readlink -f "$0")")/common.sh"
HOME_DIR=$LIVE/oar
NODES=8 CORES=4 OAR_PORT=${METASCHED_LIVE_OAR_PORT:-17666}
SQL_PORT=$((OAR_PORT + 1))
CONF=/etc/oar/oar.conf KEPT=$CONF.before-metasched SCHEMA=/usr/lib/oar/database
UNLIMITED=/var/lib/oar/unlimited_reservation.users
POSTGRES=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)

sql() { psql -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p $SQL_PORT "$@"; }
as_postgres() { su -s /bin/bash postgres -c "$*"; }

make_database() {
  if [ ! -s "$HOME_DIR/db/PG_VERSION" ]; then
    install -d -o postgres -g postgres -m 700 "$HOME_DIR/db"
    as_postgres "'$POSTGRES/initdb' -D '$HOME_DIR/db' --auth=trust --no-sync --encoding=UTF8 --locale=C" \
      > "$HOME_DIR/initdb.log" 2>&1 || fail "initdb failed, see $HOME_DIR/initdb.log"
    printf '%s\n' "listen_addresses = '127.0.0.1'" "port = $SQL_PORT" "unix_socket_directories = '$HOME_DIR/db'" \
      "fsync = off" "shared_buffers = '16MB'" >> "$HOME_DIR/db/postgresql.conf"
  fi
  sql -U postgres -l >/dev/null 2>&1 \
    || as_postgres "'$POSTGRES/pg_ctl' -D '$HOME_DIR/db' -w -t 30 -l '$HOME_DIR/db/log' start" > "$HOME_DIR/pg_ctl.log" \
    || fail "PostgreSQL did not start, see $HOME_DIR/db/log"
}

fill_database() {
  sql -U postgres postgres -c "create role oar login password 'oar'" -c "create role oar_ro login password 'oar_ro'" \
    -c "create database oar owner oar" \
  && sql -U oar oar -f $SCHEMA/pg_structure.sql -f $SCHEMA/pg_default_admission_rules.sql -f $SCHEMA/default_data.sql \
  && sql -U oar oar -c "grant select on all tables in schema public to oar_ro" || return 1
}

# Starting oarnodesetting once a core takes a second each, one statement takes none.
add_nodes() {
  oarproperty -a core && oarproperty -c -a host && oarproperty -c -a speed && sql -U oar oar <<SQL
insert into resources (type, network_address, host, core, cpuset, speed, state, next_state, finaud_decision, next_finaud_decision)
select 'default', 'o' || n, 'o' || n, (n - 1) * $CORES + c, (c - 1)::text, case when n <= $NODES / 2 then 'fast' else 'slow' end,
       'Alive', 'UnChanged', 'NO', 'NO'
from generate_series(1, $NODES) n cross join generate_series(1, $CORES) c order by n, c;
SQL
}

write_configuration() {
  [ -e $KEPT ] || cp --preserve $CONF $KEPT
  local keys='DB_[A-Z_]*|SERVER_HOSTNAME|SERVER_PORT|OPENSSH_CMD|PINGCHECKER_[A-Z_]*|FINAUD_FREQUENCY|JOB_RESOURCE_MANAGER_[A-Z_]*|CPUSET_PATH|LOG_FILE|LOG_LEVEL|SCHEDULER_MIN_TIME_BETWEEN_2_CALLS'
  {
    grep -vE "^($keys)=" $KEPT
    cat <<CONF
DB_TYPE="Pg"
DB_HOSTNAME="127.0.0.1"
DB_PORT="$SQL_PORT"
DB_BASE_NAME="oar"
DB_BASE_LOGIN="oar"
DB_BASE_PASSWD="oar"
DB_BASE_LOGIN_RO="oar_ro"
DB_BASE_PASSWD_RO="oar_ro"
SERVER_HOSTNAME="127.0.0.1"
SERVER_PORT="$OAR_PORT"
OPENSSH_CMD="$HOME_DIR/no-ssh"
PINGCHECKER_GENERIC_COMMAND="/bin/true"
FINAUD_FREQUENCY="0"
LOG_FILE="$HOME_DIR/log/oar.log"
LOG_LEVEL="2"
SCHEDULER_MIN_TIME_BETWEEN_2_CALLS="1"
CONF
  } > $CONF.metasched
  chown oar:root $CONF.metasched; chmod 600 $CONF.metasched; mv $CONF.metasched $CONF
  # OAR lets nobody hold more than two waiting reservations unless named here.
  printf '%s\n' $LIVE_USERS > $UNLIMITED
  cat > "$HOME_DIR/no-ssh" <<'STUB'
#!/bin/bash
# Called like ssh. The nodes are names only: the command runs here.
while getopts ':p:o:i:l:F:e:xTtqn' flag; do :; done
shift "$OPTIND"
exec sh -c "$*"
STUB
  chmod 755 "$HOME_DIR/no-ssh"
}

write_site() {
  cat <<YAML
# written by start-oar.sh: this cluster as a metasched site
site: live-oar
look-ahead: PT72H
identity:
  default: gridalice
scheduler:
  type: oar
  become: [runuser, -u, '{user}', --]
  wake: [oarnotify, Scheduling]
  publish-folder: $HOME_DIR/published
  programs: {launch: [env, 'METASCHED_NODE={node}']}
YAML
}

listens() { (exec 3<>/dev/tcp/127.0.0.1/$OAR_PORT); }
healthy() { pid_of almighty >/dev/null && listens && [ "$(oarnodes -l | wc -l)" -eq $NODES ]; }

boot() {
  need_programs "oar-server oar-server-pgsql oar-node oar-user oar-user-pgsql postgresql" \
    /usr/sbin/Almighty /usr/sbin/oarproperty oarsub oarnodes psql "$POSTGRES/initdb"
  make_accounts
  umask 022; mkdir -p "$HOME_DIR/log"; touch "$HOME_DIR/log/oar.log"; chown -R oar "$HOME_DIR/log"
  make_database
  write_configuration; write_site > "$HOME_DIR/site.yaml"
  if [ ! -e "$HOME_DIR/filled" ]; then
    fill_database > "$HOME_DIR/fill.log" 2>&1 || fail "loading OAR's schema failed, see $HOME_DIR/fill.log"
    add_nodes >> "$HOME_DIR/fill.log" 2>&1 || fail "adding nodes failed, see $HOME_DIR/fill.log"
    touch "$HOME_DIR/filled"
  fi
  if ! pid_of almighty >/dev/null; then
    (cd / && exec setsid /usr/sbin/Almighty < /dev/null > "$HOME_DIR/log/almighty.out" 2>&1) &
    remember almighty $!
    await 60 listens || fail "Almighty does not listen on port $OAR_PORT, see $HOME_DIR/log/oar.log"
  fi
  await 60 healthy || fail "oarnodes does not name $NODES nodes"
}

shut() {
  local group
  if group=$(pid_of almighty); then
    kill -TERM "$group"; await 8 sh -c "! kill -0 $group"
    kill -KILL -- "-$group" 2>/dev/null # its helpers share its process group
  fi
  [ -e "$HOME_DIR/db/postmaster.pid" ] && as_postgres "'$POSTGRES/pg_ctl' -D '$HOME_DIR/db' -m fast -w -t 20 stop" >/dev/null
  [ -e $KEPT ] && mv $KEPT $CONF && rm -f $UNLIMITED
  return 0
}

main "$@"
