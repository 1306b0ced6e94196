#include "core/capture/targets/result_listing.h"

#include "core/base/values/parse.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <set>

namespace altiscope::capture {

namespace {

/// Lists end with NUL, since names may hold lines. Names of results cannot be options: paths are absolute. The folder
/// of results itself may be a link, as to another disk; below it none is followed. What is no file, as a pipe that
/// nobody writes, is not read. The last record, "Z", says that there is no more.
constexpr std::string_view kListingScript = R"sh(
root=$1; kind=$2; run=$3; config=$4; who=$5; pids=$6; env=$7; logs=$8 horizon=$9; shift 9
runs() { { read -r stat <"/proc/$1/stat"; } 2>/dev/null && case ${stat##*) } in [ZX]*) return 1 ;; esac; }
for p in $pids; do
  runs "$p" && { [ -z "$env" ] || grep -qaF -- "$env" "/proc/$p/environ" 2>/dev/null; } && printf 'P%s\0' "$p"
done
if [ -n "$run" ]; then
  if [ -s "$run/job.rc" ]; then out rc "$(cat -- "$run/job.rc")"
  else
    p=$(cat -- "$run/job.pid" 2>/dev/null)
    [ -n "$p" ] && [ "$(cut -d ' ' -f 22 "/proc/$p/stat" 2>/dev/null)" = "$(cat -- "$run/job.start")" ] &&
      [ "$(cut -d ' ' -f 3 "/proc/$p/stat" 2>/dev/null)" != Z ] ||
      [ -s "$run/job.rc" ] || {
        out gone 1
        # The process that would have removed it is gone, too: it may have passwords in it.
        rm -f -- "$run/launch.sh"
      }
  fi
  out log "$(tail -c 1000 -- "$run/job.log" 2>/dev/null | tr -d '\000' | tail -n 1)"
  # What it prints of its steps since then hides it from a look at the last line.
  out refusal "$(tail -c 4000 -- "$run/job.log" 2>/dev/null | tr -d '\000' |
    grep -aE '([Ss]tep|[Pp]rofil).*(not effective|not valid|is over)' | tail -n 1 | head -c 1000)"
  out iteration "$(tail -c 4000 -- "$run/job.log" 2>/dev/null | grep -aoE 'iteration +[0-9]+ */' | tail -n 1)"
fi
if [ -n "$config" ]; then
  if cmp -s -- "$config" "$config.altiscope/written"; then :
  elif [ -e "$config.altiscope/ended" ] && cmp -s -- "$config" "$config.altiscope/ended"; then out ended 1
  else out config changed
  fi
  log=$(ls -t -- "$logs"/dp_*.log 2>/dev/null | head -n 1)
  # What it said before is of another capture.
  [ ! -f "$log" ] || [ ! "$log" -nt "$config.altiscope/written" ] ||
    out watcher "$(tail -c 1000 -- "$log" | tr -d '\000' | tail -n 1)"
  n=0; host=$(uname -n)
  [ -z "$who" ] || for l in "$logs"/dp_*_rank_*.log; do
    [ -f "$l" ] || continue
    n=$((n + 1)); [ $n -le 1000 ] || break
    q=${l##*/dp_}; r=${q##*_rank_}; q=${q%_rank_*}; s=- p=0
    [ "${q%_*}" != "$host" ] || p=${q##*_}
    [ "$p" = 0 ] || runs "$p" || s=x
    [ -n "$pids" ] || [ "$p" = 0 ] || [ $s = x ] || for f in "/proc/$p/fd"/*; do
      [ "$f" -ef "$l" ] && { s=${s}o; break; }
    done
    [ "$l" -nt "$config.altiscope/written" ] && s=${s}n
    printf 'W%s %s %s\0' "${r%.log}" "$p" "$s"
  done
fi
# Folders of results, each behind the time in its name, those without one behind all others.
named() {
  find -H "$root" -maxdepth 4 -type d \( -name '*_ascend_pt' -o -name '*_ascend_ms' -o -name 'PROF_*' \) \
    -prune -print0 2>/dev/null | sed -zE -e 's#^(.*/)?[^/]*_([0-9]{17})[^/]*$#\2 &#' -e t -e 's#^#z #'
}
recent() {
  if [ -z "$horizon" ]; then named
  else { printf '%s\0' "$horizon"; named; } | sort -z | sed -z "0,/^$horizon\$/d"; fi | sed -z 's/^[^ ]* //'
}
# What is known is there twice, so that it is left out.
fresh() {
  if [ $# = 0 ]; then recent; else { recent; printf '%s\0' "$@" "$@"; } | sort -z | uniq -zu; fi
}
case $kind in
names) named | sed -z 's/^/N/' ;;
snapshots) find -H "$root" -maxdepth 2 -type f -name 'snapshot_*.pickle' -printf 'S%s %T@ %p\0' 2>/dev/null ;;
monitored)
  find -H "$root" -maxdepth 2 -type f \( -name 'msmonitor_*.db' -o -name 'msmonitor_*.jsonl' \) \
    -printf 'S%s %T@ %p\0' 2>/dev/null ;;
served)
  # The service keeps to the folder of its start: what it had before may grow.
  [ ! -e "$config.altiscope/written" ] || find -H "$root" -maxdepth 2 -type f -name '*.db' \
    -newer "$config.altiscope/written" -printf '%h\0' 2>/dev/null | sort -zu | xargs -0 -r sh -c '
      for d; do printf "D%s\0" "$d"; find "$d" -maxdepth 8 -type f -printf "F%s %T@ %P\0" 2>/dev/null; done' x ;;
features)
  [ ! -f "$root/data.jsonl" ] || {
    printf 'D%s\0L%s\0' "$root" "$(wc -l <"$root/data.jsonl" | tr -d ' ')"
    find -H "$root" -maxdepth 2 -type f -printf 'F%s %T@ %P\0' 2>/dev/null
  } ;;
*)
  fresh "$@" | HOST=$(uname -n) xargs -0 -r sh -c '
      inner=
      # Of a process in a container of this host the name has the number and the host name that it has there. Sets y to
      # its number here, and maybe to a number that some contained process has which cannot be looked into.
      contained() {
        y= maybe=
        case $1 in "" | *[!0-9]*) return ;; esac
        # " INNER:HOST" of each; searched without another program, since there may be thousands of results.
        [ -n "$inner" ] || inner=" $(grep -sE "^NSpid:([[:space:]]+[0-9]+){2,}" /proc/[0-9]*/status |
          sed -E "s#^/proc/([0-9]+)/.*[[:space:]]([0-9]+)\$#\\2:\\1#" | tr "\n" " ")"
        rest=$inner
        while :; do
          case $rest in *" $1:"*) rest=${rest#*" $1:"} ;; *) return ;; esac
          h=${rest%% *}; rest=" ${rest#* }"
          s=$(cat "/proc/$h/stat" 2>/dev/null) || continue
          case ${s##*) } in [ZX]*) continue ;; esac
          { [ ${#2} -ge 12 ] && grep -qsF -- "$2" "/proc/$h/cgroup"; } ||
            grep -qsazxF -- "HOSTNAME=$2" "/proc/$h/environ" ||
            { f=/proc/$h/root; f=$f/etc/hostname; [ -f "$f" ] && [ "$(head -c 256 "$f" 2>/dev/null)" = "$2" ]; } ||
              { [ -d "/proc/$h/root/." ] || maybe=$h; continue; }
          y=$h; return
        done
      }
      for d; do
        printf "D%s\0" "$d"
        find "$d" -maxdepth 8 -type f -printf "F%s %T@ %P\0" 2>/dev/null
        l=; [ ! -d "$d/logs" ] || l=$(ls -t "$d"/logs/*ProfilingParser*.log 2>/dev/null | head -n 1)
        [ ! -f "$l" ] || ! grep -qE "ERROR|Traceback" "$l" 2>/dev/null || printf "E\0"
        name=${d##*/}; worker=${name%_*_ascend_*}; pid=${worker##*_}
        if [ "$worker" = "$name" ]; then :
        elif [ "${worker%_*}" = "$HOST" ]; then
          # A container may share the name of its host, and not the numbers.
          [ -d "/proc/$pid" ] || {
            contained "$pid" "$HOST"
            if [ -n "$y" ]; then printf "Y%s\0" "$y"; elif [ -z "$maybe" ]; then printf "X\0"; fi
          }
        else
          contained "$pid" "${worker%_*}"
          [ -z "$y" ] || printf "Y%s\0" "$y"
        fi
      done' x ;;
esac
printf 'Z\0'
)sh";

/// Names have the time of the job's own zone: between two of them, and with clocks that go wrong, it is less than that.
constexpr auto kZones = std::chrono::hours(48);

/// A time in UTC as names of results have it: 17 digits.
std::string namedTime(std::chrono::system_clock::time_point time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::milliseconds>(time - day));
    char text[64];
    std::snprintf(text, sizeof text, "%04d%02u%02u%02d%02d%02d%03d", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return text;
}

/// "SIZE TIME NAME".
std::optional<ListedFile> listedFile(std::string_view text) {
    const auto first = text.find(' '), second = text.find(' ', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
    const auto size = wholeNumber<std::uint64_t>(text.substr(0, first));
    if (!size) return std::nullopt;
    return ListedFile{std::string(text.substr(second + 1)), *size,
                      std::string(text.substr(first + 1, second - first - 1))};
}

void takeRecord(std::string_view record, Listing& listing) {
    const std::string_view rest = record.substr(1);
    auto& results = listing.results;
    switch (record[0]) {
    case 'D': results.push_back({std::string(rest), {}, false, false, 0, 0, false}); return;
    case 'F':
        if (auto file = listedFile(rest); file && !results.empty()) results.back().files.push_back(std::move(*file));
        return;
    case 'S':
        if (auto file = listedFile(rest)) {
            results.push_back({file->name, {}, false, false, 0, 0, false});
            file->name.clear();
            results.back().files.push_back(std::move(*file));
        }
        return;
    case 'E':
        if (!results.empty()) results.back().hasErrors = true;
        return;
    case 'X':
        if (!results.empty()) results.back().isProcessGone = true;
        return;
    case 'Y':
        if (!results.empty()) results.back().process = wholeNumber(rest).value_or(0);
        return;
    case 'W':
        if (const auto rank = wholeNumber(rest.substr(0, rest.find(' ')))) {
            const std::string_view state = rest.substr(rest.rfind(' ') + 1);
            const std::string_view process = rest.substr(std::min(rest.size(), rest.find(' ') + 1));
            listing.watchers.push_back({*rank, state.find('x') != std::string_view::npos,
                                        state.find('n') != std::string_view::npos,
                                        state.find('o') != std::string_view::npos,
                                        wholeNumber(process.substr(0, process.find(' '))).value_or(0)});
        }
        return;
    case 'P':
        if (const auto process = wholeNumber(rest)) listing.processes.push_back(*process);
        return;
    case 'L':
        if (!results.empty()) results.back().samples = wholeNumber<std::uint64_t>(rest).value_or(0);
        return;
    default: return;
    }
}

/// @param kind  As the script takes it.
Result<std::string> listingReply(const RemoteShell& shell, const ListingQuery& query, std::string_view kind,
                                 const ShellLimits& limits) {
    std::vector<std::string> arguments{
        query.results, std::string(kind), query.jobFolder, query.config, query.wantsWatchers ? "yes" : "",
        std::string(), query.environment, query.logs,      query.horizon};
    for (const std::int64_t process : query.processes) arguments[5] += std::to_string(process) + " ";
    // Single files are all listed: nobody looks into them.
    if (query.kind == ResultKind::Folders) arguments.insert(arguments.end(), query.known.begin(), query.known.end());
    auto reply = shell.run(kListingScript, arguments, limits);
    if (!reply.ok()) return reply.as<std::string>();
    if (!reply.value().output.ends_with(std::string_view("Z\0", 2)))
        return Error{"capture.remote.list_cut", query.results, {}, {{"host", shell.target().name}}};
    return std::move(reply.value().output);
}

/// Calls take(record) for each that begins with a capital letter.
template <class Take>
void forEachRecord(std::string_view output, const Take& take) {
    for (std::size_t at = 0; at < output.size();) {
        const std::size_t end = std::min(output.find('\0', at), output.size());
        if (end > at && output[at] >= 'A' && output[at] <= 'Z') take(output.substr(at, end - at));
        at = end + 1;
    }
}

}  // namespace

Result<Listing> listResults(const RemoteShell& shell, const ListingQuery& query) {
    static constexpr std::string_view kKinds[] = {"folders", "snapshots", "features", "monitored", "served"};
    const auto reply = listingReply(shell, query, kKinds[static_cast<int>(query.kind)], {});
    if (!reply.ok()) return reply.as<Listing>();
    Listing listing;
    const auto records = replyRecords(reply.value());
    if (const auto rc = records.find("rc"); rc != records.end())
        listing.jobStatus = wholeNumber<int>(rc->second).value_or(-1);
    if (const auto log = records.find("log"); log != records.end()) listing.logLine = log->second;
    if (const auto line = records.find("refusal"); line != records.end()) listing.refusal = line->second;
    if (const auto line = records.find("iteration"); line != records.end()) listing.iteration = line->second;
    if (const auto line = records.find("watcher"); line != records.end()) listing.watcherLine = line->second;
    listing.isJobGone = records.contains("gone");
    listing.isConfigChanged = records.contains("config");
    listing.isConfigEnded = records.contains("ended");
    static constexpr std::size_t kMaxListed = 10'000;
    const std::set<std::string_view> known(query.known.begin(), query.known.end());
    forEachRecord(reply.value(), [&](std::string_view record) {
        if (listing.results.size() > kMaxListed) return;
        takeRecord(record, listing);
        if (query.kind != ResultKind::Folders && !listing.results.empty() &&
            known.contains(listing.results.back().path)) {
            // Features lie in the named folder itself: what is new there is no other result.
            if (query.kind == ResultKind::Features) listing.results.back().wasThere = true;
            else listing.results.pop_back();
        }
    });
    if (listing.results.size() > kMaxListed)
        return Error{"capture.remote.too_many_results",
                     query.results,
                     {},
                     {{"host", shell.target().name}, {"limit", std::to_string(kMaxListed)}}};
    return listing;
}

Result<KnownResults> knownResults(const RemoteShell& shell, const ListingQuery& query) {
    KnownResults known;
    if (query.kind != ResultKind::Folders) {
        auto listing = listResults(shell, query);
        if (!listing.ok()) return listing.as<KnownResults>();
        for (const ListedResult& result : listing.value().results) known.paths.push_back(result.path);
        known.count = known.paths.size();
        return known;
    }
    static constexpr std::size_t kMaxNameBytes = std::size_t{64} << 20, kRemembered = 2000, kMaxRemembered = 20'000;
    const auto reply = listingReply(shell, query, "names", {kMaxNameBytes});
    if (!reply.ok()) return reply.as<KnownResults>();
    Listing listing;
    std::vector<std::pair<std::string_view, std::string_view>> found;  // time, path
    forEachRecord(reply.value(), [&](std::string_view record) {
        const std::size_t blank = record.find(' ');
        if (record[0] != 'N') takeRecord(record, listing);
        else if (blank != std::string_view::npos)
            found.emplace_back(record.substr(1, blank - 1), record.substr(blank + 1));
    });
    known.watchers = std::move(listing.watchers);
    known.count = found.size();
    // Those without a time in their names come first: "z".
    std::sort(found.begin(), found.end(), std::greater<>());
    const std::string recent = namedTime(std::chrono::system_clock::now() - kZones);
    std::size_t kept = 0, timed = 0;
    for (; kept < found.size(); ++kept) {
        const std::size_t wanted = found[kept].first >= recent ? kMaxRemembered : kRemembered;
        if (timed >= wanted && found[kept].first != known.horizon) break;
        if (found[kept].first != "z") {
            ++timed;
            known.horizon = found[kept].first;
        }
        known.paths.emplace_back(found[kept].second);
    }
    if (kept == found.size()) known.horizon.clear();
    else if (timed < kMaxRemembered) known.horizon = std::min(known.horizon, recent);
    return known;
}

}  // namespace altiscope::capture
