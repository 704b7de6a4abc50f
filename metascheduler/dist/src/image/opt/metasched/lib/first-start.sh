#!/bin/sh
# What the image runs: `server` (its usual argument) with the configuration METASCHED_CONFIG; any other command of metasched, and `server` with
# options, as it is.
#   METASCHED_CONFIG   /var/lib/metasched/server.yaml, which is made at the first start if it is missing: TLS at 0.0.0.0:8443 with a
#                      throw-away authority (30 days) and a certificate for localhost and METASCHED_HOST
#   METASCHED_DATABASE_URL, _USER, _PASSWORD_FILE   a PostgreSQL instead of the embedded database, in the configuration that is made
set -eu
home=/var/lib/metasched
config=${METASCHED_CONFIG:-$home/server.yaml}
if [ "${1:-server}" != server ] || [ $# -gt 1 ]; then exec /opt/metasched/bin/metasched "$@"; fi
if [ ! -e "$config" ]; then
    rm -rf "$home/pki.new"
    made=$(/opt/metasched/bin/metasched pki demo "$home/pki.new" ${METASCHED_HOST:+--host "$METASCHED_HOST"} 2>&1) || { echo "$made" >&2; exit 3; }
    mv "$home/pki.new" "$home/pki"
    {
        echo "# Made at the first start. All keys: settings.md in /opt/metasched/share/doc/metasched/docs."
        printf 'listen: 0.0.0.0\nport: 8443\noperators: 127.0.0.1:8081\ndata: %s/data\n' "$home"
        if [ -n "${METASCHED_DATABASE_URL:-}" ]; then
            printf 'database:\n  url: %s\n  user: %s\n' "$METASCHED_DATABASE_URL" "${METASCHED_DATABASE_USER:-metasched}"
            if [ -n "${METASCHED_DATABASE_PASSWORD_FILE:-}" ]; then printf '  password-file: %s\n' "$METASCHED_DATABASE_PASSWORD_FILE"; fi
        fi
        printf 'security:\n  certificate: %s/pki/server.pem\n  key: %s/pki/server.key\n  authorities: %s/pki/certificates\n' "$home" "$home" "$home"
        printf '  anonymous: false\n  roles:\n    operator: [/DC=org/DC=metasched-demo/CN=operator]\n    site: [/DC=org/DC=metasched-demo/CN=site]\n'
        echo "# Replace these, which are only simulated."
        printf 'sites:\n  - {site: a, scheduler: {type: simulated, nodes: 16}}\n  - {site: b, scheduler: {type: simulated, nodes: 16}}\n'
    } >"$config.new"
    mv "$config.new" "$config"
    # Printed once. Keys stay in the volume: a log is no place for them.
    echo "first start: $config and a throw-away authority are made. Copy $home/pki (docker cp CONTAINER:$home/pki .), then
  metasched sites --server https://localhost:8443 --ca pki/ca.pem --cert pki/operator.pem --key pki/operator.key" >&2
fi
exec /opt/metasched/bin/metasched server --config "$config"
