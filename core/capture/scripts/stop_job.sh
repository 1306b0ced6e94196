# shellcheck shell=sh
# Ends the job of the folder "$1", and removes its command.
case $1 in /*) r=$1 ;; *) r=${XDG_STATE_HOME:-$HOME/.local/state}/altiscope/captures/$1 ;; esac
[ -d "$r" ] && : >"$r/stop"
[ -s "$r/job.pid" ] && [ ! -e "$r/job.rc" ] || { rm -f -- "$r/launch.sh"; exit 0; }
p=$(cat "$r/job.pid")
[ "$(cut -d ' ' -f 22 "/proc/$p/stat" 2>/dev/null)" = "$(cat "$r/job.start")" ] || {
  rm -f -- "$r/launch.sh"; exit 0
}
kill -s TERM -- "-$p" 2>/dev/null
i=0
while kill -s 0 -- "-$p" 2>/dev/null && [ $i -lt 20 ]; do sleep 0.1; i=$((i + 1)); done
kill -s KILL -- "-$p" 2>/dev/null
rm -f -- "$r/launch.sh"
exit 0
