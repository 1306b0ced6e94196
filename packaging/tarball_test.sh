#!/usr/bin/env bash
# packaging/tarball_test.sh [ARCHIVE]
# Tries the relocatable altiscope-cli (of packaging/tarball.sh, which is run without an ARCHIVE) where a host may have it: below a
# path with spaces, through a link and the PATH, on a read-only mount, in an empty root, and in one whose libc is no use. What
# this machine does not allow is skipped, and said. ALTISCOPE_OLD_ROOT names a root of an old system to be tried, too.
set -euo pipefail
# shellcheck source=packaging/setup.sh
source "$(dirname "$0")/setup.sh"

case ${1:-} in
    -h | --help)
        sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"
        exit 0
        ;;
esac
step() { printf '   %s\n' "$*" >&2; }
skip() {
    skipped=$((skipped + 1))
    printf '   SKIPPED: %s\n' "$*" >&2
}
fail() {
    echo "tarball_test: $*" >&2
    exit 1
}
skipped=0
archive=$(realpath "${1:-$("$root/packaging/tarball.sh")}")
work=$(mktemp -d)
trap 'rm -rf --one-file-system -- "$work"' EXIT
cd "$work"

step "size"
# Megabytes that a user waits for on a slow line.
[[ $(stat -c %s "$archive") -le 60000000 ]] || fail "$(stat -c %s "$archive") bytes, at most 60 MB"

step "content"
mkdir content
tar -xzf "$archive" -C content
set -- content/*
[[ $# -eq 1 && -x $1/altiscope-cli ]] || fail "the archive is not one folder with altiscope-cli"
folder=$1
[[ -s $folder/licenses/altiscope && -s $folder/licenses/common/GPL-3 ]] || fail "no licence"
for library in "$folder"/lib/*; do
    [[ ${library##*/} == altiscope-cli ]] || grep -q "^${library##*/}: " "$folder/README" || fail "${library##*/} has no licence"
done
while read -r package; do
    [[ -s $folder/licenses/$package ]] || fail "$package has no licence"
done < <(sed -n 's/^l[^ ]*: \([^ ]*\) .*/\1/p' "$folder/README")
arch=$(basename "$archive" .tar.gz)
arch=${arch#altiscope-cli-}
run=()
if [[ $arch != "$(dpkg --print-architecture)" ]]; then
    run=("qemu-$([[ $arch == arm64 ]] && echo aarch64 || echo "$arch")")
    command -v "${run[0]}" >/dev/null || run=("${run[0]}-static")
    if ! command -v "${run[0]}" >/dev/null; then
        skip "the program is for $arch, and ${run[0]} is not here"
        exit 0
    fi
    skip "the starter is for $arch: its loader is started instead"
    run+=("$work/$folder"/lib/ld-* --library-path "$work/$folder/lib")
    program=$work/$folder/lib/altiscope-cli
else
    program=$work/$folder/altiscope-cli
fi
version=$("${run[@]}" "$program" --version) || fail "it does not start"
"${run[@]}" "$program" generate capture --ranks 2 --steps 2 --quiet >/dev/null
"${run[@]}" "$program" pack capture --out capture.altipack --quiet --no-cache >/dev/null
count='SELECT count(*) FROM slice'
expected=$("${run[@]}" "$program" query capture --no-cache --format csv --sql "$count")
[[ $("${run[@]}" "$program" query capture.altipack --format csv --sql "$count") == "$expected" ]] || fail "the pack differs"
[[ ${#run[@]} -eq 0 ]] || exit 0

# answers WHERE WORD...: the program is started so, and counts as it did.
answers() {
    local where=$1
    shift
    [[ $("$@" --version) == "$version" ]] || fail "$where: no version"
    [[ $("$@" query "$capture" --no-cache --format csv --sql "$count") == "$expected" ]] || fail "$where: other counts"
}
capture=$work/capture
step "a path with spaces, a link, the PATH, preloaded libraries"
mkdir "a path  with 'spaces'"
cp -a "$folder" "a path  with 'spaces'/it"
answers "spaces" "$work/a path  with 'spaces'/it/altiscope-cli"
(cd "a path  with 'spaces'/it" && answers "from its folder" ./altiscope-cli)
cp -a "$folder" "split:here;and there"
answers "separators of paths" "$work/split:here;and there/altiscope-cli"
mkdir bin
ln -s "../$folder/altiscope-cli" bin/altiscope-cli
answers "a link" bin/altiscope-cli
answers "the PATH" env "PATH=$work/bin:$PATH" altiscope-cli
: >none.so
answers "preloaded libraries" env LD_PRELOAD="$work/none.so" LD_LIBRARY_PATH="$work" "$program"

step "an engine starts it again, from where it is"
engine=("$work/a path  with 'spaces'/it/altiscope-cli" pack "$capture" --engine script --out "$work/packed by units" --quiet)
commands=$("${engine[@]}")
[[ $commands == *"/it/altiscope-cli"* && $commands != */lib/* ]] || fail "an engine starts another program: $commands"
env -i PATH=/usr/bin:/bin sh -ec "$commands" || fail "commands of an engine"
"${engine[@]}" >/dev/null
[[ $("$program" query "$work/packed by units" --format csv --sql "$count") == "$expected" ]] || fail "packs of units differ"

# confined WORD...: in mounts of its own, as root or as one who may be root there; fails where that is not allowed.
confined() {
    if [[ $(id -u) -eq 0 ]]; then unshare --mount "$@"; else unshare --map-root-user --mount "$@"; fi
}
if ! confined true 2>/dev/null; then
    skip "mounts of one's own are not allowed here: read-only mount"
else
    step "a read-only mount"
    # shellcheck disable=SC2016
    confined bash -c 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && ! touch "$1/x" 2>/dev/null && cd / &&
        [[ $("$1/altiscope-cli" query "$2" --no-cache --format csv --sql "$3") == "$4" ]]' x \
        "$work/$folder" "$capture" "$count" "$expected" || fail "read-only mount"
fi

# rooted WHERE ROOT: the program is started in a root.
rooted() {
    local where=$1 bare=$2
    mkdir -p "$bare/try it" && cp -a "$folder/." "$bare/try it/" && cp -a capture "$bare/capture"
    capture=/capture
    answers "$where" "${enter[@]}" "$bare" "/try it/altiscope-cli"
    "${enter[@]}" "$bare" "/try it/altiscope-cli" pack /capture --out /made.altipack --quiet --no-cache >/dev/null || fail "$where: no pack"
    [[ $("$program" query "$bare/made.altipack" --format csv --sql "$count") == "$expected" ]] || fail "$where: another pack"
    rm -rf -- "$bare/try it" "$bare/capture" "$bare/made.altipack"
    capture=$work/capture
}
enter=(chroot)
[[ $(id -u) -eq 0 ]] || enter=(unshare --map-root-user chroot)
mkdir empty probe
cp -- "$folder/altiscope-cli" probe/
# Alone it says that its loader is missing.
said=$("${enter[@]}" "$work/probe" /altiscope-cli 2>&1) || :
if [[ $said != *'could not be started'* ]]; then
    skip "chroot is not allowed here: empty root, root with an old libc"
else
    step "an empty root"
    rooted "an empty root" "$work/empty"
    step "a root whose libc and loader are no use"
    for place in lib lib64 usr/lib etc "lib/$(dpkg-architecture -q DEB_HOST_MULTIARCH)"; do
        mkdir -p "old/$place"
        for library in "$folder"/lib/*.so*; do echo old >"old/$place/${library##*/}"; done
    done
    echo old >old/etc/ld.so.cache
    rooted "a root with another libc" "$work/old"
    if [[ -n ${ALTISCOPE_OLD_ROOT:-} ]]; then
        step "$ALTISCOPE_OLD_ROOT"
        rooted "$ALTISCOPE_OLD_ROOT" "$ALTISCOPE_OLD_ROOT"
    fi
fi
say "The archive runs where it was tried; skipped: $skipped."
