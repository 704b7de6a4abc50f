mkdir -p -- "$2" && cd -- "$2" || exit 73;
mkdir -p .new || exit 73;
while IFS= read -r line; do
  case $line in
    '>'*) name=.new/${line#?}; : > "$name" || exit 73 ;;
    *) printf '%s\n' "${line#?}" >> "$name" || exit 73 ;;
  esac;
done;
for name in .new/*; do mv -f "$name" . || exit 73; done;
pwd
