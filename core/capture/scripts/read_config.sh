# shellcheck shell=sh
# Prints a configuration and who changes it now. The text comes last, since it may hold anything.
f=$1
[ -d "$f.altiscope.back" ] && out owner "$(head -c 300 -- "$f.altiscope.back/owner" 2>/dev/null || echo unknown)"
[ -d "$f.altiscope" ] && out owner "$(head -c 300 -- "$f.altiscope/owner" 2>/dev/null || echo unknown)"
[ -e "$f" ] || exit 0
[ -f "$f" ] && [ -r "$f" ] && [ "$(stat -c %s -- "$f")" -le 1048576 ] || exit 10
printf 'text='
exec cat -- "$f"
