#!/usr/bin/env bash
# packaging/deb.sh [OUT]
# Builds the Debian package of both programs into the folder OUT (build/deb): programs, icon, desktop entry, MIME types, man
# pages, completion for bash and zsh, the manual. Prints what lintian finds; its errors fail. DEBFULLNAME and DEBEMAIL are
# the maintainer, as for Debian's own tools. packaging/deb_test.sh tries the package in a root of its own.
set -euo pipefail
# shellcheck source=packaging/setup.sh
source "$(dirname "$0")/setup.sh"

case ${1:-} in
    -h | --help)
        sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"
        exit 0
        ;;
esac
out=$(realpath -m "${1:-$root/build/deb}")
install_packages build run package
build_preset release
build=$root/build/release
maintainer="${DEBFULLNAME:-Altiscope developers} <${DEBEMAIL:-developers@altiscope.example}>"
rm -rf -- "$build/package" "$build/cpack"
mkdir -p "$build/package" "$out"
date=$(git -C "$root" log -1 --format=%cs 2>/dev/null || date +%F)
for name in altiscope altiscope-cli; do
    program=$build/app/$([[ $name == altiscope ]] && echo gui || echo cli)/$name
    what='viewer and analyser for profiling data of Ascend NPUs'
    [[ $name == altiscope ]] || what='query, export and check profiling data of Ascend NPUs'
    QT_QPA_PLATFORM=offscreen python3 "$root/packaging/man_page.py" "$program" "$name" "$what" "$date" |
        gzip -9n >"$build/package/$name.1.gz"
done
# For hosts whose captures are opened.
ALTISCOPE_BUILD=$build "$root/packaging/tarball.sh" "$(dpkg --print-architecture)" "$build/package" >&2
# Debian's own Python has the module.
/usr/bin/python3 "$root/packaging/manual.py" "$build/package/manual"
{
    printf 'altiscope (%s) unstable; urgency=low\n\n' "$("$build/app/cli/altiscope-cli" --version | awk '{ print $2 }')"
    printf '  * See CHANGELOG.md.\n\n'
    printf ' -- %s  %s\n' "$maintainer" "$(date -R -d "$date")"
} | gzip -9n >"$build/package/changelog.gz"
(cd "$build" && cpack -G DEB -B "$build/cpack" -D CPACK_PACKAGE_CONTACT="$maintainer" >&2)
package=$(find "$build/cpack" -maxdepth 1 -name 'altiscope_*.deb')
lintian --fail-on error --tag-display-limit 0 --allow-root "$package" >&2
mv -- "$package" "$out"
echo "$out/${package##*/}"
