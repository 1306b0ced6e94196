# shellcheck shell=sh
# Who looks at the file: the logs that those who run keep beside it.
[ -f "$1" ] || exit 0
for l in "${1%/*}"/log/dp_*_rank_*.log; do
  [ -f "$l" ] || continue
  q=${l##*/dp_}; q=${q%_rank_*}
  [ "${q%_*}" != "$(uname -n)" ] || [ -d "/proc/${q##*_}" ] || continue
  printf '%s ' "${l##*/}"
done
