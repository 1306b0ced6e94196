#!/usr/bin/env bash
# packaging/tidy.sh [BASE]
# Runs clang-tidy (package clang-tidy) on the sources that differ from the commit BASE (default: HEAD), with the rules of
# .clang-tidy. Needs a configured preset dev or ci, for the compiler options.
set -euo pipefail
cd "$(dirname "$0")/.."

build=
for preset in dev ci; do
    if [[ -e build/$preset/compile_commands.json ]]; then
        build=build/$preset
        break
    fi
done
if [[ -z $build ]]; then
    echo "tidy.sh: configure first: cmake --preset dev" >&2
    exit 1
fi
mapfile -t files < <(git diff --name-only --diff-filter=d "${1:-HEAD}" -- 'app/*.cpp' 'core/*.cpp' 'views/*.cpp' 'tests/*.cpp')
if [[ ${#files[@]} -eq 0 ]]; then
    echo "tidy.sh: no changed sources"
    exit 0
fi
# GCC's options that clang does not know are of no interest here.
clang-tidy -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-optimization-argument "${files[@]}"
