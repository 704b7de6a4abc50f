[ "$0" = find ] || exit 2;
me=$(id -un);
[ -z "$1" ] || [ "$1" = "$me" ] || { printf '%s\n' "$me"; exit 76; };
shift;
for name; do
  [ ! -d "$name" ] && command -v -- "$name" > /dev/null || { printf '%s\n' "$name"; exit 1; };
done
