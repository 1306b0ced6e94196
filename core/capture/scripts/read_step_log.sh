# shellcheck shell=sh
# Prints what a log has got since an offset, and where it ends now. One that is shorter than it was, or is another file
# now, began anew. Of more than a MiB at once the last part is read. The x keeps the ends of lines that $() would take
# away.
s=$(stat -Lc '%s %d:%i' -- "$1" 2>/dev/null) && [ -f "$1" ] || { out missing 1; exit 0; }
i=${s#* }; s=${s%% *}
out size "$s"
out file "$i"
[ -n "$2" ] || exit 0
from=$2; [ "$s" -ge "$from" ] && [ "$i" = "${3:-$i}" ] || from=0
[ $((s - from)) -le 1048576 ] || from=$((s - 1048576))
out from "$from"
out text "$(tail -c "+$((from + 1))" -- "$1" 2>/dev/null | head -c $((s - from)) | tr '\000' ' '; printf x)"
