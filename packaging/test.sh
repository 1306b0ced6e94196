#!/usr/bin/env bash
# packaging/test.sh [--quick]
# Sets everything up (packages, builds) and runs all tests: the optimised build with warnings as errors, the address and
# undefined-behaviour sanitizers, the thread sanitizer, and the fuzz programs. One ctest run at the end covers all builds,
# so its summary counts everything. --quick takes the optimised build only.
set -euo pipefail
# shellcheck source=packaging/setup.sh
source "$(dirname "$0")/setup.sh"

presets=(ci asan tsan fuzz)
case ${1:-} in
    '') ;;
    --quick) presets=(ci) ;;
    -h | --help)
        sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"
        exit 0
        ;;
    *)
        echo "test.sh: unknown option $1; there is --quick" >&2
        exit 2
        ;;
esac

install_packages build test run
for preset in "${presets[@]}"; do
    start=$SECONDS
    build_preset "$preset"
    say "Built $preset in $((SECONDS - start)) s"
done

# A test folder whose only content are the build folders: ctest sees one project.
all=$root/build/all
mkdir -p "$all"
printf 'subdirs("%s")\n' "${presets[@]/#/$root/build/}" >"$all/CTestTestfile.cmake"
say "Testing ${presets[*]}"
cd "$all"
ctest --parallel "$(nproc)" --output-on-failure --no-tests=error
