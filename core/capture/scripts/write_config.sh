# shellcheck shell=sh
# Writes a configuration: "$1" file, "$2" owner, "$3" text before, "$4" after, "$5" not empty: it is there, "$6" text at
# the end of its tool, "$7" time before. Its last step that changes anything gives the file its name: nothing that
# restore_config.sh moves away before it ever happens.
f=$1; m=$f.altiscope
umask 077
[ ! -e "$m.back" ] || { out owner "$(head -c 300 -- "$m.back/owner" 2>/dev/null || echo unknown)"; exit 20; }
# It appears with its owner in it: on a shared disk targets come at the same time.
t=$m.${2%% *}.$(uname -n).$$.new
mkdir -- "$t" && printf '%s\n' "$2" >"$t/owner" || { rm -rf -- "$t"; exit 23; }
if ! mv -T -- "$t" "$m" 2>/dev/null; then
  rm -rf -- "$t"
  [ -d "$m" ] || exit 23
  out owner "$(head -c 300 -- "$m/owner" 2>/dev/null || echo unknown)"; exit 20
fi
undo() { rm -rf -- "$m"; exit "$1"; }
if [ -n "$5" ]; then
  # The file itself is kept, with all that a copy would lack: links to it, attributes.
  [ -f "$f" ] && { ln -- "$f" "$m/original" 2>/dev/null || cp -p -- "$f" "$m/original"; } || undo 22
  printf %s "$3" | cmp -s - "$m/original" || undo 22
  cp -p -- "$f" "$m/next" || undo 21
  # Who may not give a file away would put it back as another one's.
  [ "$(stat -c %u:%g -- "$f")" = "$(stat -c %u:%g -- "$m/next")" ] || {
    out group "$(stat -c %U:%G -- "$f")"; undo 25
  }
else
  [ ! -e "$f" ] || undo 22
  : >"$m/next" && chmod 644 "$m/next" || undo 21
fi
printf %s "$4" >"$m/next" && printf %s "$4" >"$m/written" || undo 21
[ -z "$6" ] || printf %s "$6" >"$m/ended" || undo 21
if [ -n "$5" ]; then
  i=0
  while [ "$(stat -c %Y -- "$f")" -ge "$(date +%s)" ] && [ $i -lt 30 ]; do sleep 0.1; i=$((i + 1)); done
  before=$(stat -c %Y -- "$f")
  printf %s "$3" | cmp -s - "$f" || undo 22
else
  [ ! -e "$f" ] || undo 22
fi
touch -- "$m/next"
[ -z "$before" ] || [ "$before" -lt "$(stat -c %Y -- "$m/next")" ] || touch -d "@$((before + 1))" -- "$m/next"
[ -z "$7" ] || [ "$7" -lt "$(stat -c %Y -- "$m/next")" ] || touch -d "@$(($7 + 1))" -- "$m/next"
mv -f -- "$m/next" "$f" || undo 23
cmp -s -- "$f" "$m/written" || exit 24
