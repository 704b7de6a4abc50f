#!/bin/bash
# Exit code 0 if /health (or the path that is given) at the operators' address, 127.0.0.1:8081, says 200: for health checks, without a JVM.
exec 3<>/dev/tcp/127.0.0.1/8081 || exit 1
printf 'GET %s HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' "${1:-/health}" >&3
read -r -t 5 status <&3
[[ $status == HTTP/1.?' 200'* ]]
