#!/usr/bin/env bash
# packaging/tarball.sh [ARCH [OUT]]
# Makes altiscope-cli-ARCH.tar.gz in the folder OUT (build/tarball): a folder with altiscope-cli, its libraries and their loader,
# which runs on any Linux of this architecture, from anywhere, without root or packages, beside any libc. ARCH is a name of
# Debian's (amd64, arm64), without one this machine's; another one has a toolchain in packaging/cmake. ALTISCOPE_BUILD names
# a build folder to take the program from, ALTISCOPE_ROOT a root of Debian for ARCH that has its libraries.
# packaging/tarball_test.sh tries the archive. Altiscope puts it on hosts whose captures it opens; it is looked for beside
# altiscope-cli, in ../lib/altiscope from there, and in ~/.local/share/altiscope.
set -euo pipefail
# shellcheck source=packaging/setup.sh
source "$(dirname "$0")/setup.sh"

case ${1:-} in
    -h | --help)
        sed -n '2,9s/^# //p' "${BASH_SOURCE[0]}"
        exit 0
        ;;
esac
fail() {
    echo "tarball.sh: $*" >&2
    exit 1
}
own=$(dpkg --print-architecture)
arch=${1:-$own}
out=$(realpath -m "${2:-$root/build/tarball}")
triplet=$(dpkg-architecture -a "$arch" -q DEB_HOST_MULTIARCH 2>/dev/null) || fail "$arch is no architecture of Debian"
sysroot=${ALTISCOPE_ROOT:+$(realpath "$ALTISCOPE_ROOT")}
prefix=
[[ $arch == "$own" ]] || prefix=$triplet-
if [[ -n ${ALTISCOPE_BUILD:-} ]]; then
    build=$(realpath "$ALTISCOPE_BUILD")
elif [[ $arch == "$own" ]]; then
    install_packages build package
    build=$root/build/release
    say "Building altiscope-cli in $build"
    (cd "$root" && cmake --preset release >&2 && cmake --build --preset release --target altiscope-cli >&2)
else
    [[ -f $root/packaging/cmake/$arch.cmake ]] || fail "there is no packaging/cmake/$arch.cmake"
    build=$root/build/$arch
    say "Building altiscope-cli for $arch in $build"
    (cd "$root" && cmake --preset release -B "$build" -DALTI_GUI=OFF "-DALTI_ARM64_ROOT=$sysroot" \
        --toolchain "packaging/cmake/$arch.cmake" >&2 &&
        cmake --build "$build" --target altiscope-cli >&2)
fi
program=$build/app/cli/altiscope-cli
[[ -x $program ]] || fail "$program is not there"
version=$(sed -n 's/^project(altiscope VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
name=altiscope-cli-$version-$arch
folder=$work/$name
mkdir -p "$folder/lib" "$folder/licenses"

query=(dpkg-query)
[[ -z $sysroot ]] || query+=(--admindir "$sysroot/var/lib/dpkg")
# needed FILE: names of the libraries that it wants.
needed() { "${prefix}readelf" -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
# found LIBRARY: where Debian has it for this architecture.
found() {
    local place
    for place in "/lib/$triplet" "/usr/lib/$triplet" "/usr/$triplet/lib" /lib64 /lib; do
        if [[ -e $sysroot$place/$1 ]]; then
            echo "$sysroot$place/$1"
            return
        fi
    done
    fail "the library $1 is not there for $arch"
}
# licence_of FILE: the licence of the package that has it, once, and which package that is.
licence_of() {
    local path package version_of
    path=$(realpath "$1")
    path=${path#"$sysroot"}
    package=$("${query[@]}" -S "$path" "${1#"$sysroot"}" "${path#/usr}" 2>/dev/null | head -n 1 | cut -d : -f 1) || :
    [[ -n $package ]] || fail "no package has $1"
    cp -Ln -- "$sysroot/usr/share/doc/$package/copyright" "$folder/licenses/$package" || fail "$package has no licence"
    # shellcheck disable=SC2016
    version_of=$("${query[@]}" -W -f='${Version} (source ${source:Package} ${source:Version})' "$package:$arch")
    printf '%s: %s %s\n' "${1##*/}" "$package" "$version_of" >>"$work/libraries"
}

"${prefix}strip" -o "$folder/lib/altiscope-cli" "$program"
loader=$("${prefix}readelf" -l "$program" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
loader=${loader##*/}
waiting=("$program")
while [[ ${#waiting[@]} -gt 0 ]]; do
    file=${waiting[0]}
    waiting=("${waiting[@]:1}")
    for library in $(needed "$file") "$loader"; do
        [[ ! -e $folder/lib/$library ]] || continue
        path=$(found "$library")
        cp -L -- "$path" "$folder/lib/$library"
        licence_of "$path"
        waiting+=("$path")
    done
done
chmod 755 "$folder"/lib/*
"${prefix}gcc" -static -Os -s -Wall -Wextra -Werror "-DLOADER=\"$loader\"" -o "$folder/altiscope-cli" "$root/packaging/tarball_start.c"
cp -- "$root/LICENSE" "$folder/licenses/altiscope"
# Licences refer to these texts.
mkdir "$folder/licenses/common"
cp -L -- /usr/share/common-licenses/* "$folder/licenses/common/"
{
    printf 'altiscope-cli %s for Linux, %s: start altiscope-cli of this folder, from anywhere.\n\n' "$version" "$arch"
    printf 'Altiscope is free software under the GPL, version 3 or later. The libraries in lib are those of Debian, unchanged; their\n'
    printf 'licences are in licenses, by package. Their sources are at https://snapshot.debian.org:\n\n'
    sort "$work/libraries"
} >"$folder/README"
date=$(git -C "$root" -c safe.directory='*' log -1 --format=%ct 2>/dev/null || date +%s)
mkdir -p "$out"
archive=$out/altiscope-cli-$arch.tar.gz
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=go-w,a+rX "--mtime=@$date" -cf - "$name" | gzip -9n >"$archive.new"
mv -- "$archive.new" "$archive"
echo "$archive"
