if [ -d /run/systemd/system ]; then systemctl daemon-reload || :; fi
# Short commands start faster with an archive of loaded classes; it holds for one JVM and these jars.
java=$(command -v java || :)
if [ -n "$java" ]; then
    /usr/share/metasched/lib/make-archive.sh "$java" /usr/share/metasched/lib/metasched.jar /var/cache/metasched/metasched.jsa \
        || echo "metasched: no class archive could be made; commands start slower" >&2
fi
# An upgrade goes on with what ran before it.
if [ "$1" -gt 1 ] && [ -d /run/systemd/system ]; then systemctl try-restart 'metasched*.service' || :; fi
