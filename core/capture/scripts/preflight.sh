# shellcheck shell=sh
# Prints all that is checked on a target before anything is changed there. Follows own_address.sh.
out time "$(date +%s)"
for t in find stat setsid head tail cmp cut xargs mktemp readlink sha256sum df; do
  command -v "$t" >/dev/null 2>&1 || out missing "$t"
done
find / -maxdepth 0 -printf x >/dev/null 2>&1 || out missing 'find -printf'
command -v rsync >/dev/null 2>&1 && out rsync 1
k=Ascend/ascend-toolkit/latest
for a in "$ASCEND_TOOLKIT_HOME" "$ASCEND_HOME_PATH" "/usr/local/$k" "$HOME/$k"; do
  [ -n "$a" ] && [ -d "$a" ] || continue
  v=$(cat -- "$a"/*/ascend_toolkit_install.info "$a"/version.info 2>/dev/null | tr -d '\000' | grep -i '^version=' |
    head -n 1)
  out cann "${v#*=} $a"; break
done
for t in $4; do ! command -v "$t" >/dev/null 2>&1 || { out program "$t"; break; }; done
# OPTIONS asks for nothing: a path that is there refuses it, one that is not is not found.
if [ -n "${10}" ]; then
  u=${10#http://}; u=${u%%/*}
  case $u in \[*) u=${u#\[}; u=${u%%\]*} ;; *) u=${u%:*} ;; esac
  if ! isOwn "$u"; then c=elsewhere
  elif command -v curl >/dev/null 2>&1; then
    c=$(curl -s --noproxy '*' -m 10 -o /dev/null -w '%{http_code}' -X OPTIONS "${10}" 2>/dev/null)
  else
    c=$(python3 -c '
import sys, urllib.error, urllib.request
class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *unused):
        return None
try:
    request = urllib.request.Request(sys.argv[1], method="OPTIONS")
    print(urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect).open(request, timeout=10).status)
except urllib.error.HTTPError as refusal:
    print(refusal.code)
except OSError:
    pass
' "${10}" 2>/dev/null)
  fi
  out service "${c:-000}"
fi
if [ -n "$9" ] && command -v "$4" >/dev/null 2>&1; then
  h=$("$4" --help 2>/dev/null | head -c 200000 | tr -d '\000')
  case $h in *--output*) for o in $9; do case $h in *"$o"*) ;; *) out option "$o" ;; esac; done ;; esac
fi
cd -- "$1" 2>/dev/null && out workdir "$(pwd -P)"
case $2 in
/*) r=$2 ;;
*)
  # Two slashes are one: what is left behind a point is no path from the root.
  r=$2; while :; do case $r in ./*) r=${r#./} ;; /*) r=${r#/} ;; *) break ;; esac; done
  case $r in . | '') r=$(pwd -P) ;; *) r=$(pwd -P)/$r ;; esac ;;
esac
out results "$r"
p=$r
while [ ! -e "$p" ] && [ "$p" != / ]; do p=${p%/*}; [ -n "$p" ] || p=/; done
[ -d "$p" ] && [ -r "$p" ] && [ -x "$p" ] && out readable 1
[ -w "$p" ] && out writable 1
out free "$(df -Pk -- "$p" 2>/dev/null | tail -n 1 | tr -s ' ' | cut -d ' ' -f 4)"
out inodes "$(df -Pi -- "$p" 2>/dev/null | tail -n 1 | tr -s ' ' | cut -d ' ' -f 4)"
h=${XDG_STATE_HOME:-$HOME/.local/state}
while [ ! -e "$h" ] && [ "$h" != / ] && [ -n "$h" ]; do h=${h%/*}; done
[ -n "$h" ] && [ -w "$h" ] && out state 1
if [ -n "$8" ]; then
  for v in $6; do
    eval "e=\${${v%%=*}-}"
    case $v in *=*) [ "$e" != "${v#*=}" ] ;; *) [ -z "$e" ] ;; esac || out variable "$v"
  done
fi
if [ -n "$7" ]; then
  [ -d "/proc/$7" ] && out process 1
  [ ! -r "/proc/$7/environ" ] || tr '\000' '\n' <"/proc/$7/environ" | grep -qx PROFILING_MODE=dynamic || out mode other
fi
[ -n "$3" ] || exit 0
f=$(readlink -f -- "$3") || f=
out config "$f"
logged() { for l in "$1"/dp_*_rank_*.log; do [ -f "$l" ] && return 0; done; return 1; }
# Who looks at a link keeps its logs beside that; who knows nothing of the link, beside the file.
g=$(cd -- "${3%/*}/" 2>/dev/null && pwd -P)/log
[ -z "$f" ] || logged "$g" || ! logged "${f%/*}/log" || g=${f%/*}/log
out logs "$g"
[ -n "$f" ] && [ -d "${f%/*}/" ] && out folder 1 && [ -w "${f%/*}/" ] && out config_writable 1
[ -d "$f" ] && out config_kind folder
[ -e "$f" ] && [ ! -f "$f" ] && out config_kind special
[ -f "$f" ] && [ ! -r "$f" ] && out config_kind unreadable
[ -f "$f" ] && [ ! -w "$f" ] && out config_kept 1
[ -n "$5" ] || exit 0
n=0; live=0; seen=
for l in "$g"/dp_*_rank_*.log; do
  [ -f "$l" ] || continue
  n=$((n + 1)); [ $n -le 1000 ] || break
  q=${l##*/dp_}; q=${q%_rank_*}
  [ "${q%_*}" = "$(uname -n)" ] || { live=$((live + 1)); continue; }
  case " $seen " in *" ${q##*_} "*) continue ;; esac
  seen="$seen ${q##*_}"; [ -d "/proc/${q##*_}" ] || continue
  live=$((live + 1))
  for v in $6; do
    case $v in *=*) e="^$v\$" ;; *) e="^$v=." ;; esac
    tr '\000' '\n' <"/proc/${q##*_}/environ" 2>/dev/null | grep -q "$e" && out variable "$v"
  done
done
for s in /dev/shm/DynamicProfileNpuShm*; do [ ! -e "$s" ] || out shared "$s"; done
out watchers "$n"; out live "$live"
exit 0
