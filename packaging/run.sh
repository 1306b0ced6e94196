#!/usr/bin/env bash
# packaging/run.sh [CAPTURE...]
# Sets everything up (packages, build) and opens the captures in the window of Altiscope; without one, a demo capture that
# it generates. Without a display it prints what the captures hold and writes a picture of the window instead. Can be run
# again; then only what changed is done.
set -euo pipefail
# shellcheck source=packaging/setup.sh
source "$(dirname "$0")/setup.sh"

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
    sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
fi

install_packages build run
build_preset release
programs=$root/build/release/app
cache=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$cache"

captures=("$@")
if [[ ${#captures[@]} -eq 0 ]]; then
    demo=$cache/altiscope-demo
    mark=.made-by-altiscope-run
    if [[ -e $demo && ! -f $demo/$mark ]]; then
        say "$demo was not made by this script, so it is opened as it is"
    elif [[ ! -f $demo/$mark || $programs/cli/altiscope-cli -nt $demo/$mark ]]; then
        say "Generating a demo capture in $demo"
        # Written aside first: a generator that was interrupted leaves no half capture behind.
        aside=$(mktemp -d "$demo.XXXXXX")
        trap 'rm -rf -- "$aside"' EXIT
        "$programs/cli/altiscope-cli" generate "$aside/demo" --ranks 16 --steps 3 --plant slow-rank=11:30 >&2
        touch "$aside/demo/$mark"
        [[ ! -f $demo/$mark ]] || rm -rf -- "$demo"
        mv -T "$aside/demo" "$demo"
        rm -rf -- "$aside"
        trap - EXIT
    fi
    captures=("$demo")
fi

if [[ -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]]; then
    say "Opening ${captures[*]}"
    exec "$programs/gui/altiscope" "${captures[@]}"
fi

say "There is no display (DISPLAY and WAYLAND_DISPLAY are empty), so here is what the capture holds:"
status=0
for capture in "${captures[@]}"; do
    "$programs/cli/altiscope-cli" info "$capture" || status=$?
done
picture=$cache/screenshot.png
say "Drawing the window offscreen"
QT_QPA_PLATFORM=offscreen "$programs/gui/altiscope" "${captures[@]}" --screenshot "$picture" || status=$?
if [[ $status -eq 0 ]]; then
    say "The picture of the window is $picture"
fi
exit "$status"
