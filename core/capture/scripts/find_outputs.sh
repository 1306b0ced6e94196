# shellcheck shell=sh
# "$1" folder of logs, "$2" processes. A forked process has open what its parent has, so a log counts for the process
# that it is named after: by its own number, which in a container is another one. A pipe is read by others, and what
# they write is read here: the flags of a descriptor end with 0 where it is for reading only.
logs=$1; pids=$2; n=0
[ -z "$logs" ] || for f in $(find /proc/[0-9]*/fd -maxdepth 1 -lname '*/dp_*_rank_*.log' 2>/dev/null | head -n 9999); do
  l=$(readlink "$f") || continue
  l=${l##*/}; q=${l%_rank_*}; q=${q##*_}; p=${f#/proc/}; p=${p%%/*}
  case " $known " in *" $p "*) continue ;; esac
  i=$(grep -s '^NSpid:' "/proc/$p/status"); i=${i##*[!0-9]}
  [ "$q" = "$p" ] || [ "$q" = "$i" ] || continue
  [ "$f" -ef "$logs/$l" ] || continue
  n=$((n + 1)); [ $n -le 1000 ] || break
  known="$known $p "; pids="$pids $p"; r=${l##*_rank_}
  printf 'R%s %s %s\0' "$p" "${r%.log}" "$l"
done
seen=
file() {
  case " $seen " in *" $2 "*) return ;; esac
  seen="$seen $2"
  [ -r "$1" ] && printf 'F%s %s %s\0' "$3" "$1" "$(readlink "$1")"
}
# shellcheck disable=SC2086 # numbers with blanks between
for p in $(printf '%s\n' $pids | sort -nu); do
  [ -d "/proc/$p" ] || continue
  open=
  for d in 1 2; do
    k=$(stat -L -c '%F:%d:%i' "/proc/$p/fd/$d" 2>/dev/null) || continue
    k=$(printf %s "$k" | tr ' ' _)
    case $k in
    regular*) [ -r "/proc/$p/fd/$d" ] && open=1; file "/proc/$p/fd/$d" "$k" "$p" ;;
    fifo*)
      case " $seen " in *" $k+ "*) open=1; continue ;; *" $k "*) continue ;; esac
      seen="$seen $k"
      for f in $(find /proc/[0-9]*/fd -maxdepth 1 -lname "pipe:\[${k##*:}\]" 2>/dev/null | head -n 2000); do
        q=${f#/proc/}; q=${q%%/*}
        case $(grep -s '^flags:' "/proc/$q/fdinfo/${f##*/}") in *0) ;; *) continue ;; esac
        for g in "/proc/$q/fd"/*; do
          case $(grep -s '^flags:' "/proc/$q/fdinfo/${g##*/}") in *[12]) ;; *) continue ;; esac
          h=$(stat -L -c '%F:%d:%i' "$g" 2>/dev/null | tr ' ' _)
          case $h in regular*) file "$g" "$h" "$p"; open=1; seen="$seen $k+" ;; esac
        done
      done ;;
    esac
  done
  if [ -n "$open" ]; then printf 'P%s\0' "$p"; else printf 'C%s\0' "$p"; fi
done
exit 0
