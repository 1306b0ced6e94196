#!/usr/bin/env bash
# Measures and writes the performance table: tests/bench/results.json, then resources/help/performance.md between its marks.
# Usage: tests/bench/report.sh [FOLDER_FOR_BIG_FILES] [--only NAME...]
# NAME is a part of results.json that is measured alone; the others keep their figures: see report.py.
# Builds preset bench, optimised as users have it. Needs about 8 GB in the folder, and some minutes on an otherwise idle machine.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=${TMPDIR:-/tmp}/altiscope-bench
if [[ $# -gt 0 && $1 != --* ]]; then
    work=$1
    shift
fi
mkdir -p "$work"
(cd "$root" && cmake --preset bench >/dev/null && cmake --build --preset bench)
exec python3 "$root/tests/bench/report.py" --root "$root" --build "$root/build/bench" --work "$work" "$@"
