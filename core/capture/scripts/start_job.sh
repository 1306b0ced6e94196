# shellcheck shell=sh
# The user's command may have passwords in it: its file goes when it has run.
mask=$(umask); umask 077
base=${XDG_STATE_HOME:-$HOME/.local/state}/altiscope/captures
mkdir -p -- "$base" && r=$base/$1 && mkdir -- "$r" || exit 30
out folder "$r"
printf '%s\n' "$3" >"$r/launch.sh" && printf '%s\n' "$4" >"$r/run.sh" || exit 31
cd -- "$2" || exit 32
umask "$mask"
setsid sh -c '
  cut -d " " -f 22 "/proc/$$/stat" >"$1/job.start"; echo "$$" >"$1/.pid" && mv "$1/.pid" "$1/job.pid"
  sh "$1/run.sh" "$1" >"$1/job.log" 2>&1; rc=$?
  rm -f -- "$1/launch.sh"; echo "$rc" >"$1/.rc" && mv "$1/.rc" "$1/job.rc"
' x "$r" </dev/null >/dev/null 2>&1 &
i=0
while [ ! -e "$r/job.pid" ] && [ $i -lt 300 ]; do sleep 0.1; i=$((i + 1)); done
[ -e "$r/job.pid" ] || exit 33
