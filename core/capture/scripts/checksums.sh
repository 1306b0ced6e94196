# shellcheck shell=sh
# Prints checksums of files: "$1" folder, then their names.
command -v sha256sum >/dev/null 2>&1 || exit 10
d=$1; shift
for f; do [ -f "$d/$f" ] && sha256sum <"$d/$f" | head -c 64 || exit 11; done
