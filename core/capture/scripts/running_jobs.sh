# shellcheck shell=sh
# One record per fact, by its first letter; J begins the next process. Of many only so many are looked at: each costs a
# few programs. A forked process has open what its parent opened, so the log must be named after the process itself.
# Only words that are likely to name a configuration are looked for on the disk: others may lie on one that does not
# answer. A folder that merely holds a configuration is no proof that the job looks at it, except where torch_npu has a
# log of this process there; MindSpore keeps none, so for that one it is a guess.
cd /proc || exit 0
n=0 more=0
v='RANK|WORLD_SIZE|RANK_ID|RANK_SIZE|OMPI_COMM_WORLD_RANK|OMPI_COMM_WORLD_SIZE|PROF_CONFIG_PATH'
v=$v'|KINETO_USE_DAEMON|MSMONITOR_USE_DAEMON|PROFILING_MODE|PROFILING_OPTIONS|PROFILER_SAMPLECONFIG'
v=$v'|MS_PROFILER_OPTIONS|MS_ROLE|MS_WORKER_NUM|SERVICE_PROF_CONFIG_PATH'
printf 'O%s\0' "$(head -c 4096 /proc/self/cgroup 2>/dev/null)"
{
  grep -lsazE '^(.*/)?(python[0-9.]*|mindie[a-z_]*)$|^ray::' [0-9]*/cmdline | cut -d / -f 1
  for s in "$HOME"/dynamic_profiling_socket_*; do
    q=${s##*_}; case $q in '' | *[!0-9]*) ;; *) [ ! -d "/proc/$q" ] || printf '%s\n' "$q" ;; esac
  done
} | sort -nu | {
while read -r p; do
  n=$((n + 1)); [ $n -le 500 ] || { more=$((more + 1)); continue; }
  s=$(cat "$p/stat" 2>/dev/null) || continue
  s=${s##*) }; case $s in [ZX]*) continue ;; esac; s=${s#* }
  c=$(readlink "$p/cwd" 2>/dev/null)
  q=$(grep -s '^NSpid:' "$p/status"); q=${q##*[!0-9]}; q=${q:-$p}
  r=
  [ -d "$p/root/." ] && ! [ "$p/root/." -ef /. ] && r=/proc/$p/root
  printf 'J%s\0P%s\0U%s\0C%s\0' "$p" "${s%% *}" "$(stat -c %U "$p" 2>/dev/null)" "$c"
  [ "$(head -c 8193 "$p/cmdline" 2>/dev/null | wc -c)" -le 8192 ] || printf 'M\0'
  head -c 8192 "$p/cmdline" 2>/dev/null | xargs -0 -r sh -c '
    c=$1 p=$2 r=$3 w=; shift 3
    for a; do printf "A%s\0" "$a"; done
    at() { case $1 in /*) b=$1 ;; *) b=$c/$1 ;; esac; }
    look() {
      k=torch; head -c 100000 "$r$1" 2>/dev/null | grep -q "\"stop_step\"" && k=mindspore
      printf "F%s %s\0" $k "$1"
    }
    [ -n "$c" ] || exit 0
    # A file below another root. Links that begin at that root would be followed from ours.
    file() {
      [ -f "$r$1" ] || return 1
      i= t=${r:+$1}
      while [ -n "$t" ]; do
        t=${t#/}; i=$i/${t%%/*}
        case $t in */*) t=/${t#*/} ;; *) t= ;; esac
        [ ! -L "$r$i" ] || case $(readlink "$r$i") in /*) return 1 ;; esac
      done
    }
    for a; do
      v=$a; case $a in -*=*) w=${a%%=*} v=${a#*=} ;; esac
      at "$v"
      case $w in --mm-tool | --mm_tool)
        file "$b" && printf "T%s\0" "$b" && {
          case $b in
          *.yaml)
            t=$(head -c 100000 "$r$b" 2>/dev/null | tr -d "\000\r" | sed "s/[[:blank:]]#.*//; s/[\"\x27]//g")
            d=$(printf "%s\n" "$t" | sed -nE "s/^[[:blank:]]*config_path:[[:blank:]]*//p" | head -n 1)
            k=$(printf "%s\n" "$t" | sed -nE "s/^[[:blank:]]*profile_type:[[:blank:]]*//p" | head -n 1) ;;
          *)
            t=$(head -c 100000 "$r$b" 2>/dev/null | tr -d "\000\n")
            d=$(printf %s "$t" | grep -o "\"config_path\" *: *\"[^\"]*\"" | head -n 1)
            d=${d%\"}; d=${d##*\"}
            k=$(printf %s "$t" | grep -o "\"profile_type\" *: *\"dynamic\"") ;;
          esac
          at "$d"
          case $k in *dynamic*) [ -z "$d" ] || printf "Ftorch %s/profiler_config.json\0" "$b" ;; esac
        } ;;
      *) case $v in
        "" | -*) ;;
        *profiler_config.json) ! file "$b" || look "$b" ;;
        *) case $w in -*[Cc]onf* | -*CONF* | -*cfg* | -*[Pp]rof* | -*PROF*)
          b=${b%/}
          ! file "$b/profiler_config.json" || {
            k=; for l in "$r$b"/log/dp_*_"${p}"_rank_*.log; do [ ! -f "$l" ] || k=torch; done
            head -c 100000 "$r$b/profiler_config.json" 2>/dev/null | grep -q "\"stop_step\"" && k=mindspore
            [ -z "$k" ] || printf "F%s %s/profiler_config.json\0" "$k" "$b"
          } ;;
        esac ;;
        esac ;;
      esac
      w=$a
    done' x "$c" "$q" "$r"
  head -c 1 "$p/environ" >/dev/null 2>&1 && printf 'R\0' &&
    grep -zaE "^($v)=" "$p/environ" 2>/dev/null | head -c 8192 | xargs -0 -r printf 'E%s\0'
  find "$p/fd" \( -lname "*/dp_*_${q}_rank_*.log" -printf 'L%l\0' \) -o \
    \( -lname '/dev/davinci[0-9]*' -printf 'D\0' \) 2>/dev/null
  grep -qsaEe '-packages/torch_npu/|/libtorch_npu' "$p/maps" && printf 'Ktorch\0'
  grep -qsaEe '-packages/mindspore/|/libmindspore' "$p/maps" && printf 'Kmindspore\0'
  [ -z "$r" ] || printf 'N\0'
  printf 'I%s\0G%s\0' "$q" "$(head -c 4096 "$p/cgroup" 2>/dev/null)"
  [ -e "$HOME/dynamic_profiling_socket_$p" ] && printf 'S\0'
done
[ $more = 0 ] || printf 'X%s\0' "$more"
}
exit 0
