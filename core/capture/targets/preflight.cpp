#include "core/capture/targets/preflight.h"

#include "core/base/values/parse.h"

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
if [ -n "$9" ] && command -v "$4" >/dev/null 2>&1; then
  h=$("$4" --help 2>/dev/null | head -c 200000 | tr -d '\000')
  case $h in *--output*) for o in $9; do case $h in *"$o"*) ;; *) out option "$o" ;; esac; done ;; esac
fi
cd -- "$1" 2>/dev/null && out workdir "$(pwd -P)"
case $2 in
/*) r=$2 ;;
*)
  # Two slashes are one: what is left behind a point is no path from the root.
  r=$2; while :; do case $r in ./*) r=${r#./} ;; /*) r=${r#/} ;; *) break ;; esac; done
  case $r in . | '') r=$(pwd -P) ;; *) r=$(pwd -P)/$r ;; esac ;;
esac
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
if [ -n "$8" ]; then
  for v in $6; do
    eval "e=\${${v%%=*}-}"
    case $v in *=*) [ "$e" != "${v#*=}" ] ;; *) [ -z "$e" ] ;; esac || out variable "$v"
  done
fi
if [ -n "$7" ]; then
  [ -d "/proc/$7" ] && out process 1
  [ ! -r "/proc/$7/environ" ] || tr '\000' '\n' <"/proc/$7/environ" | grep -qx PROFILING_MODE=dynamic || out mode other
fi
[ -n "$3" ] || exit 0
f=$(readlink -f -- "$3") || f=
out config "$f"
logged() { for l in "$1"/dp_*_rank_*.log; do [ -f "$l" ] && return 0; done; return 1; }
# Who looks at a link keeps its logs beside that; who knows nothing of the link, beside the file.
g=$(cd -- "${3%/*}/" 2>/dev/null && pwd -P)/log
[ -z "$f" ] || logged "$g" || ! logged "${f%/*}/log" || g=${f%/*}/log
out logs "$g"
[ -n "$f" ] && [ -d "${f%/*}/" ] && out folder 1 && [ -w "${f%/*}/" ] && out config_writable 1
[ -d "$f" ] && out config_kind folder
[ -e "$f" ] && [ ! -f "$f" ] && out config_kind special
[ -f "$f" ] && [ ! -r "$f" ] && out config_kind unreadable
[ -f "$f" ] && [ ! -w "$f" ] && out config_kept 1
[ -n "$5" ] || exit 0
n=0; live=0; seen=
for l in "$g"/dp_*_rank_*.log; do
  [ -f "$l" ] || continue
  n=$((n + 1)); [ $n -le 1000 ] || break
  q=${l##*/dp_}; q=${q%_rank_*}
  [ "${q%_*}" = "$(uname -n)" ] || { live=$((live + 1)); continue; }
  case " $seen " in *" ${q##*_} "*) continue ;; esac
  seen="$seen ${q##*_}"; [ -d "/proc/${q##*_}" ] || continue
  live=$((live + 1))
  for v in $6; do
    case $v in *=*) e="^$v\$" ;; *) e="^$v=." ;; esac
    tr '\000' '\n' <"/proc/${q##*_}/environ" 2>/dev/null | grep -q "$e" && out variable "$v"
  done
done
for s in /dev/shm/DynamicProfileNpuShm*; do [ ! -e "$s" ] || out shared "$s"; done
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

/// The first of the variables that a command sets, to the forbidden value or to anything: a word of its own.
std::string variableSetIn(std::string_view command, std::string_view names) {
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find(' '));
        names.remove_prefix(std::min(names.size(), name.size() + 1));
        for (auto at = command.find(name); at != std::string_view::npos; at = command.find(name, at + 1)) {
            const bool begins =
                at == 0 || std::string_view(" \t\n;&|('\"").find(command[at - 1]) != std::string_view::npos;
            const std::string_view rest = command.substr(at + name.size());
            const auto isEnd = [&rest](std::size_t i) {
                return i >= rest.size() || std::string_view(" \t\n;&|'\"").find(rest[i]) != std::string_view::npos;
            };
            const bool isSet = name.find('=') == std::string_view::npos ? rest.starts_with('=') && !isEnd(1) : isEnd(0);
            if (begins && isSet) return std::string(name);
        }
    }
    return {};
}

}  // namespace

const Check* Preflight::failure() const {
    const auto found = std::find_if(checks.begin(), checks.end(),
                                    [](const Check& check) { return check.state == Check::State::Failed; });
    return found == checks.end() ? nullptr : &*found;
}

std::string megabytes(std::uint64_t bytes, Rounded rounded) {
    constexpr std::uint64_t kMegabyte = 1'000'000;
    return std::to_string(bytes / kMegabyte + (rounded == Rounded::Up && bytes % kMegabyte != 0 ? 1 : 0));
}

Result<Preflight> preflight(const RemoteShell& shell, const Needs& needs) {
    const std::vector<std::string> arguments{plainPath(needs.workdir),
                                             plainPath(needs.results),
                                             needs.config.empty() ? std::string() : plainPath(needs.config),
                                             needs.program,
                                             needs.isWatched ? "yes" : "",
                                             needs.forbidden,
                                             needs.pid,
                                             needs.launches ? "yes" : "",
                                             needs.options};
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
    flight.logs = value("logs");
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
        if (free && *free >= 0) flight.free = static_cast<std::uint64_t>(*free) * 1024;
        const std::string space = megabytes(flight.free.value_or(0), Rounded::Down);
        check("space", !free || *free >= kLowSpaceKb,
              Error{"capture.check.space", flight.results, {}, {{"free", space}}}, Check::State::Warning,
              free ? space + " MB" : std::string());
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
    // Chips and versions differ.
    if (const std::string option = value("option"); !option.empty()) {
        check("options", false, Error{"capture.check.option", {}, {}, {{"program", needs.program}, {"option", option}}},
              Check::State::Warning);
    }
    if (!needs.config.empty()) {
        const bool isFile = found.contains("folder") && !found.contains("config_kind");
        check("config", isFile, Error{"capture.check.config", needs.config, {}, {}});
        if (isFile) {
            flight.checks.pop_back();
            check("config", found.contains("config_writable"),
                  Error{"capture.check.config_denied", needs.config, {}, {}}, Check::State::Failed, flight.config);
        }
        // To replace it would be possible, but its owner does not want it to be changed.
        if (isFile && found.contains("config_kept") && found.contains("config_writable")) {
            flight.checks.pop_back();
            check("config", false, Error{"capture.check.config_kept", needs.config, {}, {}});
        }
    }
    if (needs.isWatched && !needs.config.empty()) {
        const auto watchers = wholeNumber(value("watchers")).value_or(0), live = wholeNumber(value("live")).value_or(0);
        // The block that the ranks of a host share is named after the hour in which their job began.
        const Error nobody = found.contains("shared")
                                 ? Error{"capture.check.watcher_other", flight.config, {}, {{"name", value("shared")}}}
                                 : Error{"capture.check.watcher", flight.config, {}, {}};
        check("watcher", live > 0, nobody, Check::State::Warning,
              live > 0 ? std::to_string(watchers) + " dp_*.log" : std::string());
    }
    std::string variable = value("variable");
    if (variable.empty()) variable = variableSetIn(needs.launch, needs.forbidden);
    if (!variable.empty())
        check("environment", false, Error{"capture.check.environment", {}, {}, {{"name", variable}}});
    if (!needs.pid.empty()) {
        const bool isThere = found.contains("process");
        if (isThere && found.contains("mode")) {
            check("pid", false, Error{"capture.check.pid_mode", {}, {}, {{"pid", needs.pid}}}, Check::State::Warning);
        } else {
            check("pid", isThere, Error{"capture.check.pid", {}, {}, {{"pid", needs.pid}}}, Check::State::Failed,
                  needs.pid);
        }
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
