#include "core/capture/targets/result_listing.h"

#include "core/base/values/parse.h"
#include "core/capture/files/target_scripts.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <set>

namespace altiscope::capture {

namespace {

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
std::optional<TargetFile> listedFile(std::string_view text) {
    const auto first = text.find(' '), second = text.find(' ', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
    const auto size = wholeNumber<std::uint64_t>(text.substr(0, first));
    if (!size) return std::nullopt;
    return TargetFile{std::string(text.substr(second + 1)), *size,
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
    auto reply = shell.run(listResultsScript(), arguments, limits);
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
