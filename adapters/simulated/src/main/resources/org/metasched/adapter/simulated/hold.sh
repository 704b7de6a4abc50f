setsid -f "$@" > /dev/null 2>&1 < /dev/null || exit 1;
tries=0;
until [ -f "$3/pid" ] || [ $tries -ge 200 ]; do
  sleep 0.05;
  tries=$((tries + 1));
done
