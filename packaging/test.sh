#!/usr/bin/env bash
# packaging/test.sh [--quick | --whole]
# Sets everything up (packages, builds) and runs the tests: all of them in an optimised build with warnings as errors, but
# one half or the other of those without real captures; and, by turns of the commits, under the address and
# undefined-behaviour sanitizers, by clang: the lower rooms with the fuzz programs, import, what computes, or a walk
# through the commands of the window. One ctest run at the end covers all builds, so its summary counts everything. --quick takes the optimised
# build only; --whole, before a release, all of everything under the address sanitizer, the thread sanitizer, and a build
# of each file by itself: hours on two cores.
set -euo pipefail
# shellcheck source=packaging/setup.sh
source "$(dirname "$0")/setup.sh"

presets=(ci asan)
# Built, not tested.
built=()
# A run must fit on a machine that is half as fast as usual, so that a commit has a part of what takes longest.
last_digit=$(git -C "$root" rev-parse HEAD 2>/dev/null | tail -c 2 || true)
turn=$((16#${last_digit:-0} % 4))
optimised=("-DALTI_BARE_TURN=$((turn % 2))")
case $turn in
    0) sanitized=('-DALTI_TEST_ROOMS=base;trace;store;pack' -DALTI_GUI=OFF -DALTI_FUZZ=ON) ;;
    1) sanitized=(-DALTI_TEST_ROOMS=import -DALTI_GUI=OFF -DALTI_FUZZ=OFF) ;;
    2) sanitized=('-DALTI_TEST_ROOMS=analysis;findings' -DALTI_GUI=OFF -DALTI_FUZZ=OFF) ;;
    3) sanitized=(-DALTI_TEST_ROOMS=base -DALTI_GUI=ON -DALTI_FUZZ=OFF) ;;
esac
case ${1:-} in
    '') ;;
    --quick) presets=(ci) ;;
    --whole)
        presets=(ci asan tsan)
        built=(separate)
        sanitized=(-DALTI_TEST_ROOMS= -DALTI_GUI=ON -DALTI_FUZZ=ON)
        optimised=(-DALTI_BARE_TURN=)
        ;;
    -h | --help)
        sed -n '2,8s/^# //p' "${BASH_SOURCE[0]}"
        exit 0
        ;;
    *)
        echo "test.sh: unknown option $1; there are --quick and --whole" >&2
        exit 2
        ;;
esac

install_packages build test run
all=$root/build/all
mkdir -p "$all"
# Where the time goes, told at the end.
times=$all/times.txt
: >"$times"
for preset in "${presets[@]}" "${built[@]}"; do
    options=()
    if [[ $preset == asan ]]; then options=("${sanitized[@]}"); fi
    if [[ $preset == ci ]]; then options=("${optimised[@]}"); fi
    { time -p build_preset "$preset" "${options[@]}" 2>&3; } 3>&2 2>"$all/time.txt"
    awk -v preset="$preset" '{ seconds[$1] = $2 } END {
        printf "%7.1f s, %7.1f processor seconds: building %s\n", seconds["real"], seconds["user"] + seconds["sys"], preset
    }' "$all/time.txt" >>"$times"
done

# A test folder whose only content are the build folders: ctest sees one project.
printf 'subdirs("%s")\n' "${presets[@]/#/$root/build/}" >"$all/CTestTestfile.cmake"
say "Testing ${presets[*]}"
cd "$all"
status=0
# Tests wait for windows, processes and disks for half of their time.
ctest --parallel "$(($(nproc) + 1))" --output-on-failure --no-tests=error --output-junit "$all/tests.xml" | tee "$all/tests.txt" ||
    status=$?

say "Where the time went"
sed -E -n 's/.*<testcase name="([^"]*)".* time="([^"]*)".*/\2 \1/p' "$all/tests.xml" | sort -rn | awk '
    { group = match($2, /^(asan|tsan|bare)\./) ? substr($2, 1, RLENGTH - 1) : "ci"; sum[group] += $1 }
    NR <= 10 { printf "%7.1f s: test %s\n", $1, $2 }
    END { for (group in sum) printf "%7.1f s: all tests of %s\n", sum[group], group }' >>"$times"
cat "$times" >&2
# The counts come last.
grep -E '^[0-9]+% tests passed' "$all/tests.txt" || true
exit "$status"
