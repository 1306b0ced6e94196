#include "core/capture/targets/preflight.h"

#include "core/base/parse.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>

namespace altiscope::capture {

namespace {

constexpr std::string_view kPreflightScript = R"sh(
out time "$(date +%s)"
for t in find stat setsid head tail cmp cut xargs mktemp readlink sha256sum df; do
  command -v "$t" >/dev/null 2>&1 || out missing "$t"
done
find / -maxdepth 0 -printf x >/dev/null 2>&1 || out missing 'find -printf'
command -v rsync >/dev/null 2>&1 && out rsync 1
[ -z "$4" ] || ! command -v "$4" >/dev/null 2>&1 || out program 1
cd -- "$1" 2>/dev/null && out workdir "$(pwd -P)"
case $2 in /*) r=$2 ;; *) r=$(pwd -P)/$2 ;; esac
out results "$r"
p=$r
while [ ! -e "$p" ] && [ "$p" != / ]; do p=${p%/*}; [ -n "$p" ] || p=/; done
[ -d "$p" ] && [ -r "$p" ] && [ -x "$p" ] && out readable 1
[ -w "$p" ] && out writable 1
out free "$(df -Pk -- "$p" 2>/dev/null | tail -n 1 | tr -s ' ' | cut -d ' ' -f 4)"
h=${XDG_STATE_HOME:-$HOME/.local/state}
while [ ! -e "$h" ] && [ "$h" != / ] && [ -n "$h" ]; do h=${h%/*}; done
[ -n "$h" ] && [ -w "$h" ] && out state 1
[ -n "$3" ] || exit 0
f=$(readlink -f -- "$3") || f=
out config "$f"
[ -n "$f" ] && [ -d "${f%/*}/" ] && out folder 1 && [ -w "${f%/*}/" ] && out config_writable 1
[ -d "$f" ] && out config_kind folder
[ -e "$f" ] && [ ! -f "$f" ] && out config_kind special
[ -f "$f" ] && [ ! -r "$f" ] && out config_kind unreadable
exit 0
)sh";

/// Below this a capture hardly fits.
constexpr std::int64_t kLowSpaceKb = 1 << 20;
constexpr std::int64_t kMaxClockOffset = 2;

/// Paths that a tool could take for an option or "the last folder" begin with a dot.
std::string plainPath(const std::string& path) {
    if (path.empty()) return ".";
    return path.front() == '/' ? path : "./" + path;
}

}  // namespace

const Check* Preflight::failure() const {
    const auto found = std::find_if(checks.begin(), checks.end(),
                                    [](const Check& check) { return check.state == Check::State::Failed; });
    return found == checks.end() ? nullptr : &*found;
}

Result<Preflight> preflight(const RemoteShell& shell, const Needs& needs) {
    const std::vector<std::string> arguments{plainPath(needs.workdir), plainPath(needs.results),
                                             needs.config.empty() ? std::string() : plainPath(needs.config),
                                             needs.program};
    const auto reply = shell.run(kPreflightScript, arguments);
    if (!reply.ok()) return reply.as<Preflight>();
    const auto found = replyRecords(reply.value().output);
    const auto value = [&found](std::string_view key) {
        const auto record = found.find(key);
        return record == found.end() ? std::string() : record->second;
    };
    const std::string& host = shell.target().name;
    Preflight flight;
    flight.workdir = value("workdir");
    flight.results = value("results");
    flight.config = value("config");
    flight.hasRsync = found.contains("rsync");
    const auto check = [&](const char* name, bool good, Error problem, Check::State bad = Check::State::Failed) {
        problem.parameters.emplace_back("host", host);
        flight.checks.push_back(good ? Check{name, Check::State::Good, {}} : Check{name, bad, std::move(problem)});
    };
    check("tools", !found.contains("missing"), Error{"capture.check.tools", {}, {}, {{"tool", value("missing")}}});
    check("workdir", !flight.workdir.empty(), Error{"capture.check.workdir", needs.workdir, {}, {}});
    const bool hasResults = found.contains("readable") && found.contains("writable");
    // Where results go may only be known from the file, and is looked at then.
    if (!needs.results.empty()) {
        check("results", hasResults, Error{"capture.check.results", flight.results, {}, {}});
        const auto free = wholeNumber(value("free"));
        check("space", !free || *free >= kLowSpaceKb,
              Error{"capture.check.space", flight.results, {}, {{"free", std::to_string(free.value_or(0) / 1024)}}},
              Check::State::Warning);
    }
    if (needs.launches) check("state", found.contains("state"), Error{"capture.check.state", {}, {}, {}});
    if (!needs.program.empty()) {
        check("program", found.contains("program"),
              Error{"capture.check.program", {}, {}, {{"program", needs.program}}});
    }
    if (!needs.config.empty()) {
        const bool isFile = found.contains("folder") && !found.contains("config_kind");
        check("config", isFile, Error{"capture.check.config", needs.config, {}, {}});
        if (isFile) {
            check("config", found.contains("config_writable"),
                  Error{"capture.check.config_denied", needs.config, {}, {}});
        }
    }
    const std::int64_t offset = wholeNumber(value("time")).value_or(0) - static_cast<std::int64_t>(std::time(nullptr));
    check("clock", std::abs(offset) <= kMaxClockOffset,
          Error{"capture.check.clock", {}, {}, {{"offset", std::to_string(offset)}}}, Check::State::Warning);
    return flight;
}

}  // namespace altiscope::capture
