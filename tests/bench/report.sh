#!/usr/bin/env bash
# Measures and writes the performance table: tests/bench/results.json, then resources/help/performance.md between its marks.
# Usage: tests/bench/report.sh [BUILD_DIR] [FOLDER_FOR_BIG_FILES] [--only NAME...]
# NAME is a part of results.json that is measured alone; the others keep their figures: see report.py.
# Needs about 8 GB in the folder, the ci build (optimised, with the benchmarks), and some minutes on an otherwise idle machine.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/ci}
work=${2:-${TMPDIR:-/tmp}/altiscope-bench}
mkdir -p "$work"
exec python3 "$root/tests/bench/report.py" --root "$root" --build "$build" --work "$work" "${@:3}"
