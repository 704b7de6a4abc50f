getent group metasched >/dev/null || groupadd --system metasched
getent passwd metasched >/dev/null || useradd --system --gid metasched --home-dir /var/lib/metasched --no-create-home --shell /sbin/nologin metasched
