# shellcheck shell=sh
# "$2": the folder itself may be a link. The last record says that there is no more.
if [ -f "$1" ] && [ ! -L "$1" ]; then find "$1" -maxdepth 0 -printf '%s %f\0'
else [ -d "$1" ] && { [ -n "$2" ] || [ ! -L "$1" ]; } || exit 10; find -H "$1" -type f -printf '%s %P\0'; fi &&
printf '.\0'
