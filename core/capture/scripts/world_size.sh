# shellcheck shell=sh
# "$1" folder of the job, whose processes are a session of their own.
p=$(cat -- "$1/job.pid" 2>/dev/null); [ -n "$p" ] || exit 0
for s in /proc/[0-9]*/stat; do
  { read -r l <"$s"; } 2>/dev/null || continue
  # shellcheck disable=SC2086 # numbers with blanks between
  set -- ${l##*) }
  [ "$4" = "$p" ] || continue
  tr '\000' '\n' <"${s%/stat}/environ" 2>/dev/null |
    grep -aE '^(WORLD_SIZE|RANK_SIZE|OMPI_COMM_WORLD_SIZE|MS_WORKER_NUM)=[0-9]+$' | head -n 1
done | head -n 1000
exit 0
