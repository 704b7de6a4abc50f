shift;
for name; do
  [ -d "$name" ] || continue;
  alive=no;
  for file in pid id output state; do
    said=;
    [ -f "$name/$file" ] && IFS= read -r said < "$name/$file";
    eval "ms_$file=\$said";
  done;
  [ -n "$ms_pid" ] && kill -0 "$ms_pid" 2>/dev/null && alive=yes;
  printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$alive" "$ms_id" "$ms_output" "$ms_state";
done
