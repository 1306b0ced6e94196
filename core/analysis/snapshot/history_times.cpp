#include "core/analysis/snapshot/history_times.h"

#include "core/base/values/median.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kTimesPollEvery = 8192;
/// How far from the known moments an entry may be: a day.
constexpr DurationNs kFarthest{std::int64_t{24} * 3600 * 1'000'000'000};

/// Also where the difference of the two leaves 64 bits.
bool isNear(std::int64_t a, std::int64_t b) {
    const auto [low, high] = std::minmax(a, b);
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) <=
           static_cast<std::uint64_t>(HistoryTimes::kTolerance.value);
}

}  // namespace

HistoryTimes historyTimes(std::vector<DurationNs> differences) {
    HistoryTimes times;
    times.timed = differences.size();
    if (differences.empty()) return times;
    times.ahead = upperMedian(differences);
    times.fitting =
        static_cast<std::uint64_t>(std::count_if(differences.begin(), differences.end(), [&](DurationNs difference) {
            return isNear(difference.value, times.ahead.value);
        }));
    return times;
}

void addOwnTimes(const DeviceSnapshot& snapshot, DurationNs ahead, std::vector<SnapshotMoment>& moments,
                 const CancelToken& cancel) {
    if (moments.empty()) return;
    const std::size_t stride = static_cast<std::size_t>(snapshot.events) / kMaxOwnTimes + 1;
    std::vector<SnapshotMoment> all;
    all.reserve(moments.size() + static_cast<std::size_t>(snapshot.events) / stride);
    auto known = moments.begin();
    TimeNs latest = moments.front().time - kFarthest;
    const TimeNs last = moments.back().time + kFarthest;
    for (EventNumber event = 0; event < snapshot.events; ++event) {
        const auto number = static_cast<std::size_t>(event);
        if (number % kTimesPollEvery == 0 && cancel.cancelled()) return;
        if (known != moments.end() && known->event == event) {
            latest = known->time;
            all.push_back(*known++);
            continue;
        }
        const auto own = number % stride == 0 ? snapshot.timeAt(event) : std::nullopt;
        if (!own) continue;
        const TimeNs time = *own + ahead;
        const TimeNs within = std::clamp(time, latest, known == moments.end() ? last : known->time);
        if (!isNear(time.value, within.value)) continue;
        latest = within;
        all.push_back({event, within, SnapshotMoment::kNoRow});
    }
    moments = std::move(all);
}

}  // namespace altiscope
