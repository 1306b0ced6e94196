# shellcheck shell=bash
# Functions that run.sh and test.sh share; to be sourced by bash. Nothing here asks questions, and nothing is fetched but
# by the package manager.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Compiled files are kept between builds, in the user's cache folder; enough for all presets.
export CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-5G}

say() { printf '== %s\n' "$*" >&2; }

# packages GROUP...: names in packages.txt under the headings "# --- GROUP".
packages() {
    awk -v wanted=" $* " '
        /^# ---/ { sub(/^# --- */, ""); sub(/:.*/, ""); take = index(wanted, " " $0 " "); next }
        take && /^[^#[:space:]]/ { print $1 }' "$root/packaging/packages.txt"
}

# install_packages GROUP...: installs what is missing, as root or through sudo. Does nothing, fast, if all is there.
install_packages() {
    local missing=() name as_root=()
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "No Debian package manager here. packaging/packages.txt lists what must be installed."
        return 0
    fi
    for name in $(packages "$@"); do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
    done
    if [[ ${#missing[@]} -eq 0 ]]; then
        return 0
    fi
    say "Installing packages: ${missing[*]}"
    if [[ $(id -u) -ne 0 ]]; then
        if ! command -v sudo >/dev/null; then
            say "That needs an administrator. Ask for: apt-get install --no-install-recommends ${missing[*]}"
            return 1
        fi
        as_root=(sudo)
    fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" \
        </dev/null >&2
}

# build_preset NAME [OPTION...]: configures and builds; the build folder is build/NAME.
build_preset() {
    local preset=$1
    shift
    say "Building preset $preset in $root/build/$preset"
    (cd "$root" && cmake --preset "$preset" "$@" >&2 && cmake --build --preset "$preset" >&2)
}
