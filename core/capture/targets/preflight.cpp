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
k=Ascend/ascend-toolkit/latest
for a in "$ASCEND_TOOLKIT_HOME" "$ASCEND_HOME_PATH" "/usr/local/$k" "$HOME/$k"; do
  [ -n "$a" ] && [ -d "$a" ] || continue
  v=$(cat -- "$a"/*/ascend_toolkit_install.info "$a"/version.info 2>/dev/null | tr -d '\000' | grep -i '^version=' |
    head -n 1)
  out cann "${v#*=} $a"; break
done
[ -z "$4" ] || ! command -v "$4" >/dev/null 2>&1 || out program 1
cd -- "$1" 2>/dev/null && out workdir "$(pwd -P)"
case $2 in /*) r=$2 ;; *) r=$(pwd -P)/$2 ;; esac
out results "$r"
p=$r
while [ ! -e "$p" ] && [ "$p" != / ]; do p=${p%/*}; [ -n "$p" ] || p=/; done
[ -d "$p" ] && [ -r "$p" ] && [ -x "$p" ] && out readable 1
[ -w "$p" ] && out writable 1
out free "$(df -Pk -- "$p" 2>/dev/null | tail -n 1 | tr -s ' ' | cut -d ' ' -f 4)"
out inodes "$(df -Pi -- "$p" 2>/dev/null | tail -n 1 | tr -s ' ' | cut -d ' ' -f 4)"
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
[ -n "$5" ] || exit 0
n=0; live=0; seen=
for l in "${f%/*}"/log/dp_*_rank_*.log; do
  [ -f "$l" ] || continue
  n=$((n + 1)); [ $n -le 1000 ] || break
  q=${l##*/dp_}; q=${q%_rank_*}
  [ "${q%_*}" = "$(uname -n)" ] || { live=$((live + 1)); continue; }
  case " $seen " in *" ${q##*_} "*) ;; *) seen="$seen ${q##*_}"; [ -d "/proc/${q##*_}" ] && live=$((live + 1)) ;; esac
done
out watchers "$n"; out live "$live"
exit 0
)sh";

/// Below this a capture hardly fits.
constexpr std::int64_t kLowSpaceKb = 1 << 20;
constexpr std::int64_t kMaxClockOffset = 2, kLowInodes = 10'000;

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
                                             needs.program, needs.isWatched ? "yes" : ""};
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
    const auto check = [&](const char* name, bool good, Error problem, Check::State bad = Check::State::Failed,
                           std::string detail = {}) {
        problem.parameters.emplace_back("host", host);
        flight.checks.push_back(
            {name, good ? Check::State::Good : bad, good ? Error{} : std::move(problem), std::move(detail)});
    };
    check("reach", true, {}, Check::State::Failed, shell.target().name);
    check("tools", !found.contains("missing"), Error{"capture.check.tools", {}, {}, {{"tool", value("missing")}}});
    check("workdir", !flight.workdir.empty(), Error{"capture.check.workdir", needs.workdir, {}, {}},
          Check::State::Failed, flight.workdir);
    const bool hasResults = found.contains("readable") && found.contains("writable");
    // Where results go may only be known from the file, and is looked at then.
    if (!needs.results.empty()) {
        check("results", hasResults, Error{"capture.check.results", flight.results, {}, {}}, Check::State::Failed,
              flight.results);
        const auto free = wholeNumber(value("free")), inodes = wholeNumber(value("inodes"));
        check("space", !free || *free >= kLowSpaceKb,
              Error{"capture.check.space", flight.results, {}, {{"free", std::to_string(free.value_or(0) / 1024)}}},
              Check::State::Warning, free ? std::to_string(*free / 1024) + " MB" : std::string());
        // Some file systems count none, and say 0 of 0.
        if (inodes && *inodes > 0 && *inodes < kLowInodes) {
            check("space", false,
                  Error{"capture.check.inodes", flight.results, {}, {{"free", std::to_string(*inodes)}}},
                  Check::State::Warning);
        }
    }
    if (needs.launches) check("state", found.contains("state"), Error{"capture.check.state", {}, {}, {}});
    if (!needs.program.empty()) {
        check("program", found.contains("program"),
              Error{"capture.check.program", {}, {}, {{"program", needs.program}}}, Check::State::Failed,
              needs.program);
    }
    if (!needs.config.empty()) {
        const bool isFile = found.contains("folder") && !found.contains("config_kind");
        check("config", isFile, Error{"capture.check.config", needs.config, {}, {}});
        if (isFile) {
            flight.checks.pop_back();
            check("config", found.contains("config_writable"),
                  Error{"capture.check.config_denied", needs.config, {}, {}}, Check::State::Failed, flight.config);
        }
    }
    if (needs.isWatched && !needs.config.empty()) {
        const auto watchers = wholeNumber(value("watchers")).value_or(0), live = wholeNumber(value("live")).value_or(0);
        check("watcher", live > 0, Error{"capture.check.watcher", flight.config, {}, {}}, Check::State::Warning,
              live > 0 ? std::to_string(watchers) + " logs" : std::string());
    }
    const std::int64_t offset = wholeNumber(value("time")).value_or(0) - static_cast<std::int64_t>(std::time(nullptr));
    check("clock", std::abs(offset) <= kMaxClockOffset,
          Error{"capture.check.clock", {}, {}, {{"offset", std::to_string(offset)}}}, Check::State::Warning,
          std::to_string(offset) + " s");
    // What is copied on this machine needs none.
    if (!shell.target().isLocal) {
        check("rsync", found.contains("rsync") && shell.target().runtime.empty(),
              Error{"capture.check.rsync", {}, {}, {}}, Check::State::Warning);
    }
    if (found.contains("cann")) check("cann", true, {}, Check::State::Good, value("cann"));
    return flight;
}

}  // namespace altiscope::capture
