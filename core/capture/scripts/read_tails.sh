# shellcheck shell=sh
# "$1" bytes, then "SOURCE", "PATH" of each file, "" before the names of logs. One program reads them all, and writes
# "==> NAME <==" before each.
size=$1; shift
n=$#; logs=
while [ "$n" -gt 0 ]; do
  a=$1; shift; n=$((n - 1))
  if [ -n "$logs" ]; then [ -f "$a" ] && set -- "$@" "$a"
  elif [ -z "$a" ]; then logs=1
  else
    b=$1; shift; n=$((n - 1))
    if [ -f "$a" ]; then set -- "$@" "$a"
    elif [ -f "$b" ] && [ ! -L "$b" ]; then set -- "$@" "$b"
    fi
  fi
done
[ $# = 0 ] || tail -v -c "$size" -- "$@" 2>/dev/null | tr -d '\000'
printf '\0Z'
