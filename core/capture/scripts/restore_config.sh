# shellcheck shell=sh
# Hosts that share a disk may do this at the same time: one after the other, or the second could take the file that the
# first has just put back for one that is to be removed. A lock that nobody gives back for three seconds was left.
f=$1; m=$f.altiscope; lock=$m.lock; i=0
rm -rf -- "$m.$2."*.new
while [ -d "$m" ] || [ -d "$m.back" ]; do
  mkdir -- "$lock" 2>/dev/null && break
  sleep 0.1; i=$((i + 1))
  [ $i -lt 30 ] || break
done
# The reply that said so may have been lost.
kept() { [ ! -e "$f.$2.original" ] || { out others 1; out original "$f.$2.original"; }; exit 0; }
[ -d "$m" ] || [ -d "$m.back" ] || { rmdir -- "$lock" 2>/dev/null; kept "$@"; }
trap 'rmdir -- "$lock" 2>/dev/null' EXIT
if [ -d "$m" ] && [ ! -e "$m.back" ]; then
  read -r owner rest <"$m/owner" 2>/dev/null
  [ "$owner" = "$2" ] || { [ -z "$owner" ] && [ -n "$3" ]; } || exit 0
  mv -T -- "$m" "$m.back" || exit 23
fi
m=$m.back
[ -d "$m" ] || kept "$@"
read -r owner rest <"$m/owner" 2>/dev/null
[ -z "$owner" ] || [ "$owner" = "$2" ] || exit 0
if [ ! -e "$m/written" ]; then :
elif [ -e "$m/original" ] && cmp -s -- "$f" "$m/original"; then :
elif [ ! -e "$m/original" ] && [ ! -e "$f" ]; then :
elif cmp -s -- "$f" "$m/written" || { [ -e "$m/ended" ] && cmp -s -- "$f" "$m/ended"; }; then
  out time "$(stat -c %Y -- "$f")"
  if [ -e "$m/original" ]; then mv -f -- "$m/original" "$f" || exit 23
  else rm -f -- "$f" || exit 23
  fi
else
  out others 1
  out written "$(cat -- "$m/written")"
  # The person who changed it may want to see the original.
  [ ! -e "$m/original" ] || mv -f -- "$m/original" "$f.$2.original" || exit 23
  [ ! -e "$f.$2.original" ] || out original "$f.$2.original"
fi
rm -rf -- "$m" || exit 23
