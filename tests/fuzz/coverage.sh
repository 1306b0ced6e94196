#!/usr/bin/env bash
# How much of the trace reader the committed fuzz corpus reaches: builds the replay program with gcov's counters, replays
# the corpus, and prints the share of lines per file of the reader and over all. Ends with 1 below 70 %. Files that look at
# folders and at small side files have tests of their own.
# Usage: tests/fuzz/coverage.sh [BUILD_DIR]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/coverage}
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DALTI_GUI=OFF "-DCMAKE_CXX_FLAGS=--coverage" >/dev/null
find "$build" -name '*.gcda' -delete
for source in "$root"/tests/fuzz/fuzz_*.cpp; do
    name=$(basename "${source#*fuzz/fuzz_}" .cpp)
    cmake --build "$build" --target "fuzz_${name}_replay" >/dev/null
    "$build/tests/fuzz/fuzz_${name}_replay" "$root/tests/fuzz/corpus/$name" >/dev/null
done
objects=$build/core/import/CMakeFiles/altiscope_import.dir
cd "$objects"
gcov --no-output -- *.gcda 2>/dev/null | awk -v folder="$root/core/import/" '
    /^File / { gsub(/\047/, "", $2); file = index($2, folder) == 1 ? substr($2, length(folder) + 1) : ""; next }
    /^Lines executed:/ && file ~ /^(event_writer|json_|problem_log|record_walk|trace_).*\.cpp$/ {
        split($0, part, /[:% ]+/)
        printf "%6.1f %%  of %4d lines  %s\n", part[3], part[5], file
        reached += part[3] * part[5] / 100; all += part[5]; file = ""
    }
    END { printf "%6.1f %%  of %4d lines  the reader\n", 100 * reached / all, all; exit 100 * reached / all < 70 }'
