# shellcheck shell=sh
# Lists end with NUL, since names may hold lines. Names of results cannot be options: paths are absolute. The folder of
# results itself may be a link, as to another disk; below it none is followed. What is no file, as a pipe that nobody
# writes, is not read. The last record, "Z", says that there is no more.
root=$1; kind=$2; run=$3; config=$4; who=$5; pids=$6; env=$7; logs=$8 horizon=$9; shift 9
runs() { { read -r stat <"/proc/$1/stat"; } 2>/dev/null && case ${stat##*) } in [ZX]*) return 1 ;; esac; }
for p in $pids; do
  runs "$p" && { [ -z "$env" ] || grep -qaF -- "$env" "/proc/$p/environ" 2>/dev/null; } && printf 'P%s\0' "$p"
done
if [ -n "$run" ]; then
  if [ -s "$run/job.rc" ]; then out rc "$(cat -- "$run/job.rc")"
  else
    p=$(cat -- "$run/job.pid" 2>/dev/null)
    [ -n "$p" ] && [ "$(cut -d ' ' -f 22 "/proc/$p/stat" 2>/dev/null)" = "$(cat -- "$run/job.start")" ] &&
      [ "$(cut -d ' ' -f 3 "/proc/$p/stat" 2>/dev/null)" != Z ] ||
      [ -s "$run/job.rc" ] || {
        out gone 1
        # The process that would have removed it is gone, too: it may have passwords in it.
        rm -f -- "$run/launch.sh"
      }
  fi
  out log "$(tail -c 1000 -- "$run/job.log" 2>/dev/null | tr -d '\000' | tail -n 1)"
  # What it prints of its steps since then hides it from a look at the last line.
  out refusal "$(tail -c 4000 -- "$run/job.log" 2>/dev/null | tr -d '\000' |
    grep -aE '([Ss]tep|[Pp]rofil).*(not effective|not valid|is over)' | tail -n 1 | head -c 1000)"
  out iteration "$(tail -c 4000 -- "$run/job.log" 2>/dev/null | grep -aoE 'iteration +[0-9]+ */' | tail -n 1)"
fi
if [ -n "$config" ]; then
  if cmp -s -- "$config" "$config.altiscope/written"; then :
  elif [ -e "$config.altiscope/ended" ] && cmp -s -- "$config" "$config.altiscope/ended"; then out ended 1
  else out config changed
  fi
  # shellcheck disable=SC2012 # names of the tool, by their times
  log=$(ls -t -- "$logs"/dp_*.log 2>/dev/null | head -n 1)
  # What it said before is of another capture.
  [ ! -f "$log" ] || [ ! "$log" -nt "$config.altiscope/written" ] ||
    out watcher "$(tail -c 1000 -- "$log" | tr -d '\000' | tail -n 1)"
  n=0; host=$(uname -n)
  [ -z "$who" ] || for l in "$logs"/dp_*_rank_*.log; do
    [ -f "$l" ] || continue
    n=$((n + 1)); [ $n -le 1000 ] || break
    q=${l##*/dp_}; r=${q##*_rank_}; q=${q%_rank_*}; s=- p=0
    [ "${q%_*}" != "$host" ] || p=${q##*_}
    [ "$p" = 0 ] || runs "$p" || s=x
    [ -n "$pids" ] || [ "$p" = 0 ] || [ $s = x ] || for f in "/proc/$p/fd"/*; do
      [ "$f" -ef "$l" ] && { s=${s}o; break; }
    done
    [ "$l" -nt "$config.altiscope/written" ] && s=${s}n
    printf 'W%s %s %s\0' "${r%.log}" "$p" "$s"
  done
fi
# Folders of results, each behind the time in its name, those without one behind all others.
named() {
  find -H "$root" -maxdepth 4 -type d \( -name '*_ascend_pt' -o -name '*_ascend_ms' -o -name 'PROF_*' \) \
    -prune -print0 2>/dev/null | sed -zE -e 's#^(.*/)?[^/]*_([0-9]{17})[^/]*$#\2 &#' -e t -e 's#^#z #'
}
recent() {
  if [ -z "$horizon" ]; then named
  else { printf '%s\0' "$horizon"; named; } | sort -z | sed -z "0,/^$horizon\$/d"; fi | sed -z 's/^[^ ]* //'
}
# What is known is there twice, so that it is left out.
fresh() {
  if [ $# = 0 ]; then recent; else { recent; printf '%s\0' "$@" "$@"; } | sort -z | uniq -zu; fi
}
case $kind in
names) named | sed -z 's/^/N/' ;;
snapshots) find -H "$root" -maxdepth 2 -type f -name 'snapshot_*.pickle' -printf 'S%s %T@ %p\0' 2>/dev/null ;;
monitored)
  find -H "$root" -maxdepth 2 -type f \( -name 'msmonitor_*.db' -o -name 'msmonitor_*.jsonl' \) \
    -printf 'S%s %T@ %p\0' 2>/dev/null ;;
served)
  # The service keeps to the folder of its start: what it had before may grow.
  [ ! -e "$config.altiscope/written" ] || find -H "$root" -maxdepth 2 -type f -name '*.db' \
    -newer "$config.altiscope/written" -printf '%h\0' 2>/dev/null | sort -zu | xargs -0 -r sh -c '
      for d; do printf "D%s\0" "$d"; find "$d" -maxdepth 8 -type f -printf "F%s %T@ %P\0" 2>/dev/null; done' x ;;
features)
  [ ! -f "$root/data.jsonl" ] || {
    printf 'D%s\0L%s\0' "$root" "$(wc -l <"$root/data.jsonl" | tr -d ' ')"
    find -H "$root" -maxdepth 2 -type f -printf 'F%s %T@ %P\0' 2>/dev/null
  } ;;
*)
  fresh "$@" | HOST=$(uname -n) xargs -0 -r sh -c '
      inner=
      # Of a process in a container of this host the name has the number and the host name that it has there. Sets y to
      # its number here, and maybe to a number that some contained process has which cannot be looked into.
      contained() {
        y= maybe=
        case $1 in "" | *[!0-9]*) return ;; esac
        # " INNER:HOST" of each; searched without another program, since there may be thousands of results.
        [ -n "$inner" ] || inner=" $(grep -sE "^NSpid:([[:space:]]+[0-9]+){2,}" /proc/[0-9]*/status |
          sed -E "s#^/proc/([0-9]+)/.*[[:space:]]([0-9]+)\$#\\2:\\1#" | tr "\n" " ")"
        rest=$inner
        while :; do
          case $rest in *" $1:"*) rest=${rest#*" $1:"} ;; *) return ;; esac
          h=${rest%% *}; rest=" ${rest#* }"
          s=$(cat "/proc/$h/stat" 2>/dev/null) || continue
          case ${s##*) } in [ZX]*) continue ;; esac
          { [ ${#2} -ge 12 ] && grep -qsF -- "$2" "/proc/$h/cgroup"; } ||
            grep -qsazxF -- "HOSTNAME=$2" "/proc/$h/environ" ||
            { f=/proc/$h/root; f=$f/etc/hostname; [ -f "$f" ] && [ "$(head -c 256 "$f" 2>/dev/null)" = "$2" ]; } ||
              { [ -d "/proc/$h/root/." ] || maybe=$h; continue; }
          y=$h; return
        done
      }
      for d; do
        printf "D%s\0" "$d"
        find "$d" -maxdepth 8 -type f -printf "F%s %T@ %P\0" 2>/dev/null
        l=; [ ! -d "$d/logs" ] || l=$(ls -t "$d"/logs/*ProfilingParser*.log 2>/dev/null | head -n 1)
        [ ! -f "$l" ] || ! grep -qE "ERROR|Traceback" "$l" 2>/dev/null || printf "E\0"
        name=${d##*/}; worker=${name%_*_ascend_*}; pid=${worker##*_}
        if [ "$worker" = "$name" ]; then :
        elif [ "${worker%_*}" = "$HOST" ]; then
          # A container may share the name of its host, and not the numbers.
          [ -d "/proc/$pid" ] || {
            contained "$pid" "$HOST"
            if [ -n "$y" ]; then printf "Y%s\0" "$y"; elif [ -z "$maybe" ]; then printf "X\0"; fi
          }
        else
          contained "$pid" "${worker%_*}"
          [ -z "$y" ] || printf "Y%s\0" "$y"
        fi
      done' x ;;
esac
printf 'Z\0'
