#include "core/capture/session/diagnosis.h"

#include "core/capture/session/secrets.h"

#include <algorithm>
#include <set>

namespace altiscope::capture {

namespace {

constexpr std::chrono::seconds kPatience(10), kSlow(60);
constexpr std::size_t kMaxNamedRanks = 16;

bool isRefusal(const std::string& line) {
    return line.find("not effective") != std::string::npos || line.find("not valid") != std::string::npos ||
           line.find("is over") != std::string::npos;
}

std::string rankText(const std::set<std::int64_t>& ranks) {
    std::string text;
    std::size_t count = 0;
    for (const std::int64_t rank : ranks) {
        if (++count > kMaxNamedRanks) return text + ", ...";
        text += (text.empty() ? "" : ", ") + std::to_string(rank);
    }
    return text;
}

}  // namespace

std::optional<Error> diagnosis(const Listing& listing, const PendingConfig& pending) {
    const auto cause = [&pending](const char* code, const char* name = nullptr, const std::string& value = {}) {
        Error error{code, pending.config, {}, {}};
        if (name != nullptr) error.parameters.emplace_back(name, value);
        return error;
    };
    for (const std::string* line : {&listing.watcherLine, &listing.logLine, &listing.refusal}) {
        if (isRefusal(*line)) return cause("capture.diagnosis.step_over", "line", withoutSecrets(*line));
    }
    if (pending.time < kPatience) return std::nullopt;
    if (!pending.isLogged) {
        if (pending.time < kSlow) return std::nullopt;
        return cause("capture.event.not_effective");
    }
    if (listing.watchers.empty()) return cause("capture.diagnosis.nobody_looks");
    std::set<std::int64_t> running;
    for (const Watcher& watcher : listing.watchers) {
        if (!watcher.isGone) running.insert(watcher.rank);
    }
    if (running.empty()) return cause("capture.diagnosis.job_gone");
    const bool isListed =
        pending.expectedRanks.empty() || std::any_of(pending.expectedRanks.begin(), pending.expectedRanks.end(),
                                                     [&running](std::int64_t rank) { return running.contains(rank); });
    if (!isListed) return cause("capture.diagnosis.rank_not_listed", "ranks", rankText(running));
    if (pending.time < kSlow) return std::nullopt;
    const bool hasLooked = std::any_of(listing.watchers.begin(), listing.watchers.end(),
                                       [](const Watcher& watcher) { return watcher.hasLooked; });
    return cause(hasLooked ? "capture.diagnosis.waits" : "capture.diagnosis.slow_poll");
}

}  // namespace altiscope::capture
