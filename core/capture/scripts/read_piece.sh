# shellcheck shell=sh
# "$1" folder, "$2" offset, "$3" bytes, then the one name.
[ -f "$1/$4" ] || exit 10
tail -c "+$(($2 + 1))" -- "$1/$4" | head -c "$3"
