# shellcheck shell=sh
# "$1" interpreter, "$2" types with a comma, then the folders. Programs are fixed texts; what differs they take as
# arguments. The functions that are called never raise: what became of it the folders tell.
python=$1; types=$2; shift 2
k=Ascend/ascend-toolkit
for e in "$ASCEND_TOOLKIT_HOME" "/usr/local/$k" "$HOME/$k"; do
  # shellcheck source=/dev/null
  [ -r "$e/set_env.sh" ] && . "$e/set_env.sh" && break
done
n=$(nproc 2>/dev/null || echo 2); n=$(((n + 1) / 2)); status=0
for p do
  echo "Analysing $p"
  case $p in
  *_ascend_pt) "$python" -c '
import sys
from torch_npu.profiler.profiler import analyse
analyse(profiler_path=sys.argv[1], max_process_number=int(sys.argv[2]), export_type=sys.argv[3].split(","))
' "$p" "$n" "$types" || status=$? ;;
  *_ascend_ms) "$python" -c '
import sys
from mindspore.profiler.profiler import analyse
analyse(sys.argv[1], max_process_number=int(sys.argv[2]))
' "${p%/*}" "$n" || status=$? ;;
  *) msprof --export=on --output="$p" --type="${types%%,*}" || status=$? ;;
  esac
done
exit $status
