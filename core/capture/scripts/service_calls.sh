# shellcheck shell=sh disable=SC2154
# The reply to a call is kept in a file: curl and Python write it alike. The key of a service comes from a file on the
# target, and is on no command line. With "guard" as "$2" it waits, in a session of its own, for the end of the process
# that makes the calls, and ends the recording where that could not.
# Follows variables: what stands in `address`, `base`, `body`, `keyfile`, `ends`, `results` and `tenths`.
d=$1; what=$2
call() {
  rm -f -- "$d/reply"
  isOwn "$address" || { echo "$address is not on this host"; return 1; }
  if command -v curl >/dev/null 2>&1; then
    c=$({ [ -z "$keyfile" ] || printf 'header = "Authorization: Bearer %s"\n' \
        "$(head -n 1 -- "$keyfile" | tr -d '\r' | sed 's/[\\"]/\\&/g')"; } |
      curl -sS -K - --noproxy '*' -m "$3" --max-filesize 1000000 -o "$d/reply" -w '%{http_code}' -X POST \
        -H 'Content-Type: application/json' --data-binary "$2" "$base/$1")
  else
    c=$(python3 -c '
import sys, urllib.error, urllib.request
url, body, limit, keyfile, reply = sys.argv[1:]
headers = {"Content-Type": "application/json"}
if keyfile:
    with open(keyfile, encoding="utf-8") as file:
        headers["Authorization"] = "Bearer " + file.readline().strip()
request = urllib.request.Request(url, body.encode(), headers, method="POST")
class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *unused):
        return None
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stay)
try:
    answer = opener.open(request, timeout=float(limit))
except urllib.error.HTTPError as refusal:
    answer = refusal
except OSError as fault:
    sys.exit(f"{url}: {fault}")
with open(reply, "wb") as file:
    file.write(answer.read(10000))
print(answer.status if hasattr(answer, "status") else answer.code)
' "$base/$1" "$2" "$3" "$keyfile" "$d/reply")
  fi
  case $c in 2??) return 0 ;; '' | 000) return 1 ;; esac
  echo "$1: HTTP $c $(head -c 300 -- "$d/reply" 2>/dev/null | tr '\n\000' '  ')"
  return 1
}
answers() {
  if command -v curl >/dev/null 2>&1; then curl -s --noproxy '*' -m 5 -o /dev/null -X OPTIONS "$base/start_profile"
  else
    python3 -c '
import sys, urllib.error, urllib.request
class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *unused):
        return None
request = urllib.request.Request(sys.argv[1], method="OPTIONS")
try:
    urllib.request.build_opener(urllib.request.ProxyHandler({}), Stay).open(request, timeout=5)
except urllib.error.HTTPError:
    pass
except OSError:
    sys.exit(1)
' "$base/start_profile"
  fi
}
begin_of() { cut -d ' ' -f 22 "/proc/$1/stat" 2>/dev/null; }
if [ "$what" = guard ]; then
  while [ "$(begin_of "$3")" = "$4" ]; do sleep 0.2; done
  [ -e "$d/over" ] || call stop_profile '' 3600
  rm -f -- "$d/calls.sh"
  exit 0
fi
if [ "$what" = after ]; then
  p=$PPID
  until answers; do [ -d "/proc/$p" ] || exit 1; sleep 1; done
fi
: >"$d/begun"
if [ "$what" != after ]; then
  cp -- "$0" "$d/calls.sh" && setsid sh "$d/calls.sh" "$d" guard $$ "$(begin_of $$)" </dev/null &
fi
call start_profile "$body" 300 || {
  : >"$d/over"
  # The service goes on, but what was wanted of it has failed.
  [ "$what" != after ] || { echo 1 >"$d/.calls" && mv -- "$d/.calls" "$d/job.rc"; }
  exit 1
}
i=0
while [ $i -lt "$tenths" ] && [ ! -e "$d/stop" ]; do
  sleep 0.1; i=$((i + 1))
  [ -z "$ends" ] || [ $((i % 10)) != 0 ] ||
    [ -z "$(find -H "$results" -maxdepth 3 -name 'profiler_info*.json' -newer "$d/begun" 2>/dev/null | head -n 1)" ] ||
    { : >"$d/over"; exit 0; }
done
call stop_profile '' 3600; r=$?
: >"$d/over"
[ -z "$ends" ] || r=0
exit $r
