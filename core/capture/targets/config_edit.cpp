#include "core/capture/targets/config_edit.h"

#include "core/base/values/parse.h"

namespace altiscope::capture {

namespace {

/// The text comes last, since it may hold anything.
constexpr std::string_view kRead = R"sh(
f=$1
[ -d "$f.altiscope.back" ] && out owner "$(head -c 300 -- "$f.altiscope.back/owner" 2>/dev/null || echo unknown)"
[ -d "$f.altiscope" ] && out owner "$(head -c 300 -- "$f.altiscope/owner" 2>/dev/null || echo unknown)"
[ -e "$f" ] || exit 0
[ -f "$f" ] && [ -r "$f" ] && [ "$(stat -c %s -- "$f")" -le 1048576 ] || exit 10
printf 'text='
exec cat -- "$f"
)sh";

/// Its last step that changes anything is the one that gives the file its name: what kRestore moves away before it
/// never happens.
constexpr std::string_view kWrite = R"sh(
f=$1; m=$f.altiscope
umask 077
[ ! -e "$m.back" ] || { out owner "$(head -c 300 -- "$m.back/owner" 2>/dev/null || echo unknown)"; exit 20; }
# It appears with its owner in it: on a shared disk targets come at the same time.
t=$m.${2%% *}.$(uname -n).$$.new
mkdir -- "$t" && printf '%s\n' "$2" >"$t/owner" || { rm -rf -- "$t"; exit 23; }
if ! mv -T -- "$t" "$m" 2>/dev/null; then
  rm -rf -- "$t"
  [ -d "$m" ] || exit 23
  out owner "$(head -c 300 -- "$m/owner" 2>/dev/null || echo unknown)"; exit 20
fi
undo() { rm -rf -- "$m"; exit "$1"; }
if [ -n "$5" ]; then
  # The file itself is kept, with all that a copy would lack: links to it, attributes.
  [ -f "$f" ] && { ln -- "$f" "$m/original" 2>/dev/null || cp -p -- "$f" "$m/original"; } || undo 22
  printf %s "$3" | cmp -s - "$m/original" || undo 22
  cp -p -- "$f" "$m/next" || undo 21
  # Who may not give a file away would put it back as another one's.
  [ "$(stat -c %u:%g -- "$f")" = "$(stat -c %u:%g -- "$m/next")" ] || {
    out group "$(stat -c %U:%G -- "$f")"; undo 25
  }
else
  [ ! -e "$f" ] || undo 22
  : >"$m/next" && chmod 644 "$m/next" || undo 21
fi
printf %s "$4" >"$m/next" && printf %s "$4" >"$m/written" || undo 21
[ -z "$6" ] || printf %s "$6" >"$m/ended" || undo 21
if [ -n "$5" ]; then
  i=0
  while [ "$(stat -c %Y -- "$f")" -ge "$(date +%s)" ] && [ $i -lt 30 ]; do sleep 0.1; i=$((i + 1)); done
  before=$(stat -c %Y -- "$f")
  printf %s "$3" | cmp -s - "$f" || undo 22
else
  [ ! -e "$f" ] || undo 22
fi
touch -- "$m/next"
[ -z "$before" ] || [ "$before" -lt "$(stat -c %Y -- "$m/next")" ] || touch -d "@$((before + 1))" -- "$m/next"
[ -z "$7" ] || [ "$7" -lt "$(stat -c %Y -- "$m/next")" ] || touch -d "@$(($7 + 1))" -- "$m/next"
mv -f -- "$m/next" "$f" || undo 23
cmp -s -- "$f" "$m/written" || exit 24
)sh";

/// Hosts that share a disk may do this at the same time: one after the other, or the second could take the file that
/// the first has just put back for one that is to be removed. A lock that nobody gives back for three seconds was left.
constexpr std::string_view kRestore = R"sh(
f=$1; m=$f.altiscope; lock=$m.lock; i=0
rm -rf -- "$m.$2."*.new
while [ -d "$m" ] || [ -d "$m.back" ]; do
  mkdir -- "$lock" 2>/dev/null && break
  sleep 0.1; i=$((i + 1))
  [ $i -lt 30 ] || break
done
# The reply that said so may have been lost.
kept() { [ ! -e "$f.$2.original" ] || { out others 1; out original "$f.$2.original"; }; exit 0; }
[ -d "$m" ] || [ -d "$m.back" ] || { rmdir -- "$lock" 2>/dev/null; kept "$@"; }
trap 'rmdir -- "$lock" 2>/dev/null' EXIT
if [ -d "$m" ] && [ ! -e "$m.back" ]; then
  read -r owner rest <"$m/owner" 2>/dev/null
  [ "$owner" = "$2" ] || { [ -z "$owner" ] && [ -n "$3" ]; } || exit 0
  mv -T -- "$m" "$m.back" || exit 23
fi
m=$m.back
[ -d "$m" ] || kept "$@"
read -r owner rest <"$m/owner" 2>/dev/null
[ -z "$owner" ] || [ "$owner" = "$2" ] || exit 0
if [ ! -e "$m/written" ]; then :
elif [ -e "$m/original" ] && cmp -s -- "$f" "$m/original"; then :
elif [ ! -e "$m/original" ] && [ ! -e "$f" ]; then :
elif cmp -s -- "$f" "$m/written" || { [ -e "$m/ended" ] && cmp -s -- "$f" "$m/ended"; }; then
  out time "$(stat -c %Y -- "$f")"
  if [ -e "$m/original" ]; then mv -f -- "$m/original" "$f" || exit 23
  else rm -f -- "$f" || exit 23
  fi
else
  out others 1
  out written "$(cat -- "$m/written")"
  # The person who changed it may want to see the original.
  [ ! -e "$m/original" ] || mv -f -- "$m/original" "$f.$2.original" || exit 23
  [ ! -e "$f.$2.original" ] || out original "$f.$2.original"
fi
rm -rf -- "$m" || exit 23
)sh";

constexpr std::string_view kReplace = R"sh(
n=$1.altiscope.next
umask 077
cp -p -- "$1" "$n" && printf %s "$3" >"$n" || { rm -f -- "$n"; exit 21; }
# Who may not give a file away would put it back as another one's.
[ "$(stat -c %u:%g -- "$1")" = "$(stat -c %u:%g -- "$n")" ] || { rm -f -- "$n"; exit 22; }
# A new time would be a new configuration for the job, which would record.
touch -r "$1" -- "$n"
printf %s "$2" | cmp -s - "$1" && mv -f -- "$n" "$1" || { rm -f -- "$n"; exit 22; }
)sh";

}  // namespace

Result<ConfigText> readConfig(const RemoteShell& shell, const std::string& path) {
    const std::vector<std::string> arguments{path};
    const auto reply = shell.run(kRead, arguments);
    if (!reply.ok()) return reply.as<ConfigText>();
    if (reply.value().status != 0) {
        return Error{"capture.config.unreadable", path, {}, {{"host", shell.target().name}}};
    }
    ConfigText config;
    std::string_view rest = reply.value().output;
    while (rest.starts_with("owner=")) {
        const auto zero = rest.find('\0');
        config.owner = rest.substr(6, zero - 6);
        rest.remove_prefix(zero == std::string_view::npos ? rest.size() : zero + 1);
    }
    if (rest.starts_with("text=")) config.text = rest.substr(5);
    return config;
}

Result<Done> writeConfig(const RemoteShell& shell, const std::string& path, const std::optional<std::string>& before,
                         const std::string& after, const std::string& owner, const std::string& ended,
                         const std::optional<std::int64_t>& lastTime) {
    const std::vector<std::string> arguments{path,
                                             owner,
                                             before.value_or(std::string()),
                                             after,
                                             before ? "edit" : "",
                                             ended,
                                             lastTime ? std::to_string(*lastTime) : std::string()};
    const auto reply = shell.run(kWrite, arguments);
    if (!reply.ok()) return reply.as<Done>();
    const MessageParameters host{{"host", shell.target().name}};
    switch (reply.value().status) {
    case 0: return Done{};
    case 20: {
        const auto records = replyRecords(reply.value().output);
        const auto found = records.find("owner");
        return Error{"capture.config.busy", path, {}, {{"owner", found == records.end() ? "?" : found->second}}};
    }
    case 22: return Error{"capture.config.changed", path, {}, host};
    case 25: {
        const auto records = replyRecords(reply.value().output);
        const auto found = records.find("group");
        const std::string group = found == records.end() ? "?" : found->second;
        return Error{"capture.config.group", path, {}, {{"host", shell.target().name}, {"group", group}}};
    }
    default: return Error{"capture.config.not_written", path, {}, host};
    }
}

Result<Restored> restoreConfig(const RemoteShell& shell, const std::string& path, const std::string& id,
                               bool mayBeUnnamed) {
    const std::vector<std::string> arguments{path, id, mayBeUnnamed ? "yes" : ""};
    const auto reply = shell.run(kRestore, arguments);
    if (!reply.ok()) return reply.as<Restored>();
    if (reply.value().status != 0) {
        return Error{"capture.config.not_restored", path, {}, {{"host", shell.target().name}}};
    }
    const auto records = replyRecords(reply.value().output);
    const auto value = [&records](std::string_view key) {
        const auto found = records.find(key);
        return found == records.end() ? std::string() : found->second;
    };
    return Restored{records.contains("others"), value("written"), value("original"), wholeNumber(value("time"))};
}

Result<Done> replaceConfig(const RemoteShell& shell, const std::string& path, const std::string& before,
                           const std::string& after) {
    const std::vector<std::string> arguments{path, before, after};
    const auto reply = shell.run(kReplace, arguments);
    if (!reply.ok()) return reply.as<Done>();
    if (reply.value().status == 0) return Done{};
    return Error{"capture.config.changed", path, {}, {{"host", shell.target().name}}};
}

}  // namespace altiscope::capture
