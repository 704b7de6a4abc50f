# Sourced after chroot.sh by the start scripts that run an HTCondor in their system; not run by itself. They set BASE_PORT.

# What every HTCondor here has: one port and a few above it, on the loopback interface, open to every process of this machine.
condor_configuration() {
  cat <<CONF
CONDOR_HOST = 127.0.0.1
COLLECTOR_HOST = 127.0.0.1:$BASE_PORT
SHARED_PORT_PORT = $BASE_PORT
LOWPORT = $((BASE_PORT + 1))
HIGHPORT = $((BASE_PORT + ${PORTS:-400}))
NETWORK_INTERFACE = 127.0.0.1
BIND_ALL_INTERFACES = False
ENABLE_IPV6 = False
UID_DOMAIN = live.pool
FILESYSTEM_DOMAIN = live.pool
TRUST_UID_DOMAIN = True
SCHEDD_INTERVAL = 5
DAGMAN_USER_LOG_SCAN_INTERVAL = 1
ALLOW_READ = *
ALLOW_WRITE = *
ALLOW_DAEMON = *
ALLOW_ADMINISTRATOR = *
ALLOW_NEGOTIATOR = *
SEC_DEFAULT_AUTHENTICATION_METHODS = FS, CLAIMTOBE
SEC_CLIENT_AUTHENTICATION_METHODS = FS, CLAIMTOBE
# folders of tests are below the temporary folder: the strict check refuses logs there, and jobs would see an empty one
DAGMAN_USE_STRICT = 0
MOUNT_UNDER_SCRATCH =
CONF
}

# Its commands, which run in the system as gridalice, condor_advertise as root.
write_tools() {
  local tool account
  mkdir -p "$HOME_DIR/bin"
  for tool in q rm submit submit_dag status wait history hold release userprio config_val version advertise; do
    account=gridalice; [ $tool = advertise ] && account=root
    cat > "$HOME_DIR/bin/condor_$tool" <<TOOL
#!/bin/sh
exec chroot --userspec=$account --groups= "$ROOT" /bin/sh -c 'cd "\$0" 2>/dev/null || cd /; PATH=/usr/bin:/usr/sbin:/bin exec "\$@"' "\$PWD" condor_$tool "\$@"
TOOL
    chmod 755 "$HOME_DIR/bin/condor_$tool"
  done
  # A script with its arguments, so that many commands cost one chroot.
  cat > "$HOME_DIR/bin/pool_sh" <<TOOL
#!/bin/sh
exec chroot --userspec=gridalice --groups= "$ROOT" /usr/bin/env -i HOME=/home/gridalice USER=gridalice PATH=/usr/bin:/usr/sbin:/bin LANG=C.UTF-8 TZ=UTC /bin/sh "\$@"
TOOL
  chmod 755 "$HOME_DIR/bin/pool_sh"
}

start_condor() {
  ln -sfn "$ROOT/var/log/condor" "$HOME_DIR/log"
  pid_of master >/dev/null && return
  inside install -d -o condor -g condor /run/condor /var/lock/condor
  rm -f "$ROOT/run/condor/master.pid"
  inside condor_master -pidfile /run/condor/master.pid || fail "condor_master did not start, see $ROOT/var/log/condor/MasterLog"
  await 60 test -s "$ROOT/run/condor/master.pid" || fail "condor_master wrote no pid file"
  remember master "$(cat "$ROOT/run/condor/master.pid")"
}
