# shellcheck shell=sh
# Whether "$1" is an address or a name of the host itself: calls, which may have a key, go to no other one.
isOwn() {
  case $1 in
  localhost | ::1 | 0.0.0.0 | ::) return 0 ;;
  *[!0-9.]*) ;;
  127.*) return 0 ;;
  esac
  for a in $(uname -n) $(hostname -f 2>/dev/null) $(hostname -I 2>/dev/null || hostname -i 2>/dev/null) \
    $(ip -o addr show 2>/dev/null | sed -n 's/.* inet6* \([^ /]*\).*/\1/p'); do
    [ "$a" != "$1" ] || return 0
  done
  return 1
}
