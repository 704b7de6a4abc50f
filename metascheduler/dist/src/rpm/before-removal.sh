if [ "$1" -eq 0 ]; then
    if [ -d /run/systemd/system ]; then
        systemctl stop 'metasched*.service' || :
        systemctl disable metasched.service >/dev/null 2>&1 || :
    fi
    rm -f /var/cache/metasched/metasched.jsa
fi
