#include "core/analysis/snapshot/range_clock.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr std::uint64_t kFewestRanges = 3;
constexpr std::size_t kNamedSlicesPerPoll = std::size_t{1} << 16;

/// When ranges of one text begin, ascending.
struct TwiceNamed {
    std::vector<TimeNs> inHistory, inProfile;
};

std::vector<TwiceNamed> rangesOfBoth(const DeviceSnapshot& snapshot, const TraceStore& trace,
                                     const CancelToken& cancel) {
    std::vector<TwiceNamed> all;
    std::unordered_map<std::uint32_t, std::size_t> byText;            // of the snapshot
    std::vector<std::uint32_t> bySliceName(trace.texts().size(), 0);  // place in `all` + 1
    for (const SnapshotRange& range : snapshot.ranges) {
        if (!range.hasBegin) continue;
        const auto [known, isNew] = byText.try_emplace(range.name, all.size());
        if (isNew) {
            const auto id = trace.texts().find(snapshot.rows->text(StringId{range.name}));
            all.emplace_back();
            if (id && id->value < bySliceName.size()) bySliceName[id->value] = static_cast<std::uint32_t>(all.size());
        }
        all[known->second].inHistory.push_back(range.time.begin);
    }
    for (std::uint32_t slice = 0; slice < trace.sliceCount(); ++slice) {
        if (slice % kNamedSlicesPerPoll == 0 && cancel.cancelled()) return {};
        const StringId name = trace.nameId({slice});
        if (name.value >= bySliceName.size() || bySliceName[name.value] == 0) continue;
        all[bySliceName[name.value] - 1].inProfile.push_back(trace.begin({slice}));
    }
    std::erase_if(all, [](const TwiceNamed& named) { return named.inProfile.empty(); });
    for (TwiceNamed& named : all) std::sort(named.inProfile.begin(), named.inProfile.end());
    return all;
}

bool agree(const HistoryTimes& times) {
    return times.fitting >= kFewestRanges && times.fitting * 10 >= times.timed * 9;
}

/// Were the two clocks one: differences to the nearest slice of the same text.
HistoryTimes nearestTimes(const std::vector<TwiceNamed>& all, TimeRange span) {
    HistoryTimes times;
    std::vector<DurationNs> near;
    for (const TwiceNamed& named : all) {
        for (const TimeNs time : named.inHistory) {
            // What begins at the very end may be after it.
            if (time + HistoryTimes::kTolerance < span.begin || span.end - HistoryTimes::kTolerance < time) continue;
            ++times.timed;
            const auto after = std::lower_bound(named.inProfile.begin(), named.inProfile.end(), time);
            std::optional<DurationNs> nearest;
            for (const auto each : {after, after == named.inProfile.begin() ? after : after - 1}) {
                if (each == named.inProfile.end()) continue;
                const DurationNs difference = *each - time;
                if (!nearest || std::abs(difference.value) < std::abs(nearest->value)) nearest = difference;
            }
            if (nearest && std::abs(nearest->value) <= HistoryTimes::kTolerance.value) near.push_back(*nearest);
        }
    }
    const std::uint64_t timed = times.timed;
    times = historyTimes(std::move(near));
    times.timed = timed;
    return times;
}

/// Differences in the order of ranges of the same text, of texts that both have equally often.
HistoryTimes orderedTimes(const std::vector<TwiceNamed>& all) {
    std::vector<DurationNs> differences;
    for (const TwiceNamed& named : all) {
        if (named.inHistory.size() != named.inProfile.size()) continue;
        for (std::size_t i = 0; i < named.inHistory.size(); ++i)
            differences.push_back(named.inProfile[i] - named.inHistory[i]);
    }
    return historyTimes(std::move(differences));
}

}  // namespace

JoinedClock joinByRanges(const DeviceSnapshot& snapshot, const TraceStore& trace, const CancelToken& cancel) {
    JoinedClock joined;
    if (!snapshot.firstTime || snapshot.ranges.empty()) return joined;
    const auto all = rangesOfBoth(snapshot, trace, cancel);
    HistoryTimes times = nearestTimes(all, trace.homeRange());
    if (!agree(times)) times = orderedTimes(all);
    if (!agree(times)) return joined;
    for (EventNumber event = 0; joined.clock.moments.empty() && event < snapshot.events; ++event) {
        if (const auto own = snapshot.timeAt(event))
            joined.clock.moments.push_back({event, *own + times.ahead, SnapshotMoment::kNoRow});
    }
    addOwnTimes(snapshot, times.ahead, joined.clock.moments, cancel);
    joined.agreement.verdict = SnapshotAgreement::Verdict::Agrees;
    joined.agreement.ranges = times.fitting;
    joined.agreement.times = times;
    return cancel.cancelled() ? JoinedClock{} : joined;
}

}  // namespace altiscope
