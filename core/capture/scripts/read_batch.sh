# shellcheck shell=sh
# "$1" folder, then pairs of size and name.
d=$1; shift
while [ $# -gt 1 ]; do [ -f "$d/$2" ] && head -c "$1" -- "$d/$2" || exit 10; shift 2; done
