#!/usr/bin/env bash
# packaging/deb_test.sh [PACKAGE [ROOT]]
# Tries the Debian package (of packaging/deb.sh, which is run without one) as a user gets it: installs it in a bare Debian 12,
# starts both programs on a capture that they make, looks for everything that comes with them, and removes it. The bare root is
# made by debootstrap from DEBIAN_MIRROR and removed at the end, unless there is one at ROOT. Needs an administrator.
set -euo pipefail
# shellcheck source=packaging/setup.sh
source "$(dirname "$0")/setup.sh"

case ${1:-} in
    -h | --help)
        sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"
        exit 0
        ;;
esac
if [[ $(id -u) -ne 0 ]]; then
    echo "deb_test.sh: needs an administrator: it makes a root folder and enters it" >&2
    exit 1
fi
install_packages root
package=${1:-$("$root/packaging/deb.sh")}
bare=${2:-}
if [[ -z $bare ]]; then
    bare=$(mktemp -d)
    trap 'rm -rf --one-file-system -- "$bare"' EXIT
    say "Making a bare Debian 12 in $bare"
    debootstrap --variant=minbase bookworm "$bare" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >&2
fi
rm -rf -- "$bare/try"
mkdir "$bare/try"
cp -- "$package" "$bare/try/altiscope.deb"
cp -- "$root/packaging/deb_test_inside.sh" "$bare/try/inside.sh"
say "Installing and starting $package"
# Mounts of its own: they go with the last process in there.
unshare --mount --pid --fork --kill-child bash -c '
    mount --make-rprivate /
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    exec chroot "$0" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 bash /try/inside.sh' "$bare" >&2
rm -rf -- "$bare/try"
say "The package installs, starts and goes."
