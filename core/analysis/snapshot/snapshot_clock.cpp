#include "core/analysis/snapshot/snapshot_clock.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

/// Sizes that a place is looked for by, and after which a gap counts as over.
constexpr std::size_t kPlaceSizes = 8, kAgreeingSizes = 4;
constexpr std::size_t kSearchedPlaces = 64, kMaxVotes = 4096, kMaxOffsets = 8;
/// How many allocations may be missing in one go.
constexpr std::size_t kGapReach = 64;
constexpr std::size_t kMinShared = 16;
constexpr std::size_t kPollClockEvery = 8192;
constexpr std::int64_t kAllocatorUnit = 512;
/// More cannot be right.
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 50;

struct SizedEntry {
    std::int64_t size = 0;
    std::int64_t at = 0;  ///< EventNumber, or ns.
    std::uint32_t row = 0;
    std::int64_t time = kNoCell;  ///< Of an entry, on its own clock.
};

std::int64_t allocatorSize(std::int64_t requested) {
    return (requested + kAllocatorUnit - 1) / kAllocatorUnit * kAllocatorUnit;
}

std::int64_t ownTime(const DeviceSnapshot& snapshot, EventNumber event) {
    const auto time = snapshot.firstTime ? snapshot.timeAt(event) : std::nullopt;
    return time ? time->value : kNoCell;
}

/// @param padding  That the sizes are rounded with: profilers write what the allocator took or what was requested.
std::vector<SizedEntry> historyEntries(const DeviceSnapshot& snapshot, std::int64_t padding,
                                       const CancelToken& cancel) {
    std::vector<SizedEntry> entries;
    for (EventNumber event = 0; event < snapshot.events; ++event) {
        if (static_cast<std::size_t>(event) % kPollClockEvery == 0 && cancel.cancelled()) return {};
        const SnapshotEntryView entry = snapshot.entry(event);
        if (entry.action == SnapshotAction::Alloc && entry.size != kNoCell)
            entries.push_back({allocatorSize(entry.size + padding), event, 0, ownTime(snapshot, event)});
    }
    return entries;
}

/// Those of the framework's allocator: memory that operators of CANN have from elsewhere has no stream.
std::vector<SizedEntry> profileEntries(const RowTables* profile, std::int64_t device, const CancelToken& cancel) {
    constexpr RowKind A = RowKind::Allocation;
    const RowTable* rows = profile == nullptr ? nullptr : profile->find(A);
    std::vector<SizedEntry> entries, withStream;
    if (rows == nullptr) return entries;
    bool isDeviceKnown = false;
    for (std::size_t row = 0; row < rows->size(); ++row) {
        if (row % kPollClockEvery == 0 && cancel.cancelled()) return {};
        const auto time = rows->integer(fixedColumn(A, "alloc_ts"), row),
                   size = rows->integer(fixedColumn(A, "size"), row);
        if (!time || !size || *size <= 0 || *size > kMaxBytes) continue;
        const SizedEntry entry{allocatorSize(*size), *time, static_cast<std::uint32_t>(row), kNoCell};
        const bool isOfDevice = rows->integer(fixedColumn(A, "device_id"), row) == device;
        if (isOfDevice && !std::exchange(isDeviceKnown, true)) {
            entries.clear();
            withStream.clear();
        }
        if (isDeviceKnown && !isOfDevice) continue;
        entries.push_back(entry);
        if (rows->integer(fixedColumn(A, "stream"), row)) withStream.push_back(entry);
    }
    if (!withStream.empty()) entries = std::move(withStream);
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    return entries;
}

/// The two sequences, and how they agree from a place on.
class SizeAlignment {
public:
    SizeAlignment(const std::vector<SizedEntry>& history, const std::vector<SizedEntry>& profile)
        : m_history(history), m_profile(profile) {}

    struct Pairs {
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        std::ptrdiff_t offset = 0;
    };

    /// Offsets at which most of some places of the history are found in the profile, the most first.
    std::vector<std::pair<std::ptrdiff_t, std::size_t>> candidates(const CancelToken& cancel) const {
        std::unordered_map<std::uint64_t, std::vector<std::size_t>> places;
        const std::size_t last = m_history.size() - kPlaceSizes;
        for (std::size_t i = 0; i < kSearchedPlaces; ++i) {
            const std::size_t at = last * i / (kSearchedPlaces - 1);
            auto& same = places[hashAt(m_history, at)];
            if (same.empty() || same.back() != at) same.push_back(at);
        }
        std::map<std::ptrdiff_t, std::pair<std::size_t, std::size_t>> votes;  // count, a place in the history
        std::unordered_map<std::size_t, std::size_t> used;
        for (std::size_t at = 0; at + kPlaceSizes <= m_profile.size(); ++at) {
            if (at % kPollClockEvery == 0 && cancel.cancelled()) return {};
            const auto found = places.find(hashAt(m_profile, at));
            if (found == places.end()) continue;
            for (const std::size_t place : found->second) {
                if (++used[place] > kMaxVotes) continue;
                auto& vote = votes[static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(place)];
                ++vote.first;
                vote.second = place;
            }
        }
        std::vector<std::pair<std::size_t, std::pair<std::ptrdiff_t, std::size_t>>> ordered;
        for (const auto& [offset, vote] : votes) ordered.push_back({vote.first, {offset, vote.second}});
        std::stable_sort(ordered.begin(), ordered.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        if (ordered.size() > kMaxOffsets) ordered.resize(kMaxOffsets);
        std::vector<std::pair<std::ptrdiff_t, std::size_t>> best;
        for (const auto& entry : ordered) best.push_back(entry.second);
        return best;
    }

    /// The same by the entries' own times, were the two clocks one: steps that are alike leave most offsets out above.
    std::vector<std::pair<std::ptrdiff_t, std::size_t>> candidatesByTime() const {
        std::vector<std::pair<std::ptrdiff_t, std::size_t>> found;
        const std::size_t last = m_history.size() - kPlaceSizes;
        for (std::size_t i = 0; i < kSearchedPlaces && found.size() < kMaxOffsets; ++i) {
            const std::size_t place = last * i / (kSearchedPlaces - 1);
            const std::int64_t time = m_history[place].time;
            if (time == kNoCell) continue;
            const auto from = std::partition_point(m_profile.begin(), m_profile.end(), [&](const SizedEntry& row) {
                return row.at < time - HistoryTimes::kTolerance.value;
            });
            // The nearest row of these sizes.
            std::optional<std::pair<std::int64_t, std::ptrdiff_t>> nearest;
            for (auto row = from; row != m_profile.end() && row->at <= time + HistoryTimes::kTolerance.value; ++row) {
                const std::ptrdiff_t at = row - m_profile.begin();
                if (at - (from - m_profile.begin()) > static_cast<std::ptrdiff_t>(kMaxVotes)) break;
                const std::int64_t distance = std::abs(row->at - time);
                if (nearest && nearest->first <= distance) continue;
                if (agreesFrom(static_cast<std::ptrdiff_t>(place), at, 1)) nearest = {distance, at};
            }
            if (!nearest) continue;
            const std::pair offset{nearest->second - static_cast<std::ptrdiff_t>(place), place};
            const bool isNew = std::none_of(found.begin(), found.end(),
                                            [&](const auto& other) { return other.first == offset.first; });
            if (isNew) found.push_back(offset);
        }
        return found;
    }

    HistoryTimes timesOf(const Pairs& found) const {
        std::vector<DurationNs> differences;
        for (const auto& [a, b] : found.pairs)
            if (m_history[a].time != kNoCell) differences.push_back({m_profile[b].at - m_history[a].time});
        return historyTimes(std::move(differences));
    }

    /// From a place in both directions; gaps of either side are stepped over.
    Pairs pairsFrom(std::ptrdiff_t offset, std::size_t place) const {
        Pairs found;
        found.offset = offset;
        const auto at = static_cast<std::ptrdiff_t>(place);
        walk(at, at + offset, 1, found.pairs);
        std::vector<std::pair<std::size_t, std::size_t>> before;
        walk(at - 1, at + offset - 1, -1, before);
        found.pairs.insert(found.pairs.begin(), before.rbegin(), before.rend());
        return found;
    }

private:
    static std::uint64_t hashAt(const std::vector<SizedEntry>& entries, std::size_t at) {
        std::uint64_t hash = 1469598103934665603U;
        for (std::size_t i = 0; i < kPlaceSizes; ++i)
            hash = (hash ^ static_cast<std::uint64_t>(entries[at + i].size)) * 1099511628211U;
        return hash;
    }

    bool isSame(std::ptrdiff_t a, std::ptrdiff_t b) const {
        return a >= 0 && b >= 0 && a < std::ssize(m_history) && b < std::ssize(m_profile) &&
               m_history[static_cast<std::size_t>(a)].size == m_profile[static_cast<std::size_t>(b)].size;
    }

    bool agreesFrom(std::ptrdiff_t a, std::ptrdiff_t b, std::ptrdiff_t by) const {
        for (std::size_t i = 0; i < kAgreeingSizes; ++i, a += by, b += by)
            if (!isSame(a, b)) return false;
        return true;
    }

    void walk(std::ptrdiff_t a, std::ptrdiff_t b, std::ptrdiff_t by,
              std::vector<std::pair<std::size_t, std::size_t>>& pairs) const {
        const auto isWithin = [&] {
            return a >= 0 && b >= 0 && a < std::ssize(m_history) && b < std::ssize(m_profile);
        };
        while (isWithin()) {
            if (isSame(a, b)) {
                pairs.emplace_back(a, b);
                a += by;
                b += by;
                continue;
            }
            bool isOver = false;
            for (std::ptrdiff_t gap = 1; gap <= static_cast<std::ptrdiff_t>(kGapReach) && !isOver; ++gap) {
                constexpr std::array<std::pair<std::ptrdiff_t, std::ptrdiff_t>, 3> kSides{{{1, 1}, {1, 0}, {0, 1}}};
                for (const auto& [inHistory, inProfile] : kSides) {
                    const std::ptrdiff_t nextA = a + by * gap * inHistory, nextB = b + by * gap * inProfile;
                    if (!agreesFrom(nextA, nextB, by)) continue;
                    a = nextA;
                    b = nextB;
                    isOver = true;
                    break;
                }
            }
            if (!isOver) return;
        }
    }

    const std::vector<SizedEntry>& m_history;
    const std::vector<SizedEntry>& m_profile;
};

/// Whether two alignments are one that was reached from two places.
bool isSameAlignment(const SizeAlignment::Pairs& a, const SizeAlignment::Pairs& b) {
    if (a.pairs.empty() || b.pairs.empty()) return false;
    const auto& middle = a.pairs[a.pairs.size() / 2];
    return std::binary_search(b.pairs.begin(), b.pairs.end(), middle);
}

std::uint64_t unsharedIn(const SizeAlignment::Pairs& found) {
    const auto& [firstA, firstB] = found.pairs.front();
    const auto& [lastA, lastB] = found.pairs.back();
    return lastA - firstA + 1 + lastB - firstB + 1 - 2 * found.pairs.size();
}

/// Alignments from all candidates, each once, the longest first.
std::vector<SizeAlignment::Pairs> alignments(const SizeAlignment& alignment, const CancelToken& cancel) {
    std::vector<SizeAlignment::Pairs> found;
    auto candidates = alignment.candidatesByTime();
    const auto bySizes = alignment.candidates(cancel);
    candidates.insert(candidates.end(), bySizes.begin(), bySizes.end());
    for (const auto& [offset, place] : candidates) {
        if (cancel.cancelled()) return {};
        auto pairs = alignment.pairsFrom(offset, place);
        const auto same = std::find_if(found.begin(), found.end(),
                                       [&pairs](const auto& other) { return isSameAlignment(pairs, other); });
        if (same == found.end()) found.push_back(std::move(pairs));
        else if (pairs.pairs.size() > same->pairs.size()) *same = std::move(pairs);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.pairs.size() > b.pairs.size(); });
    return found;
}

bool isEnough(const SizeAlignment::Pairs& found) {
    return found.pairs.size() >= kMinShared && unsharedIn(found) * 4 <= found.pairs.size();
}

/// Which of several alignments is the one.
struct ChosenAlignment {
    std::size_t number = 0;
    bool isByTimes = false;  ///< Others agree as well by their sizes.
};

/// Of those that are as good as the longest; nullopt: neither sizes nor times say.
std::optional<ChosenAlignment> chosenOf(const std::vector<SizeAlignment::Pairs>& found,
                                        const SizeAlignment& alignment) {
    const SizeAlignment::Pairs& best = found.front();
    std::vector<std::size_t> asGood{0};
    for (std::size_t i = 1; i < found.size(); ++i) {
        // Moved by a step, sequences that repeat agree but for that step.
        const auto moved = static_cast<std::size_t>(std::abs(found[i].offset - best.offset));
        const std::size_t min = std::max<std::size_t>(4, moved / 4);
        if (best.pairs.size() - found[i].pairs.size() < min) asGood.push_back(i);
    }
    if (asGood.size() == 1) return ChosenAlignment{};
    std::erase_if(asGood,
                  [&](std::size_t i) { return !isEnough(found[i]) || !alignment.timesOf(found[i]).isSameClock(); });
    if (asGood.size() != 1) return std::nullopt;
    return ChosenAlignment{asGood.front(), true};
}

JoinedClock joinSizes(const std::vector<SizedEntry>& history, const std::vector<SizedEntry>& rows,
                      std::optional<TimeRange> span, const CancelToken& cancel) {
    using Verdict = SnapshotAgreement::Verdict;
    JoinedClock joined;
    SnapshotAgreement& agreement = joined.agreement;
    agreement.inHistory = history.size();
    agreement.inProfile = rows.size();
    if (cancel.cancelled() || history.empty() || rows.empty()) return joined;
    agreement.verdict = Verdict::NoAgreement;
    if (history.size() < kMinShared || rows.size() < kMinShared) return joined;

    const SizeAlignment alignment(history, rows);
    const auto found = alignments(alignment, cancel);
    if (found.empty() || found[0].pairs.size() < kMinShared) return joined;
    agreement.shared = found[0].pairs.size();
    agreement.unshared = unsharedIn(found[0]);
    if (!isEnough(found[0])) return joined;
    const auto chosen = chosenOf(found, alignment);
    agreement.verdict = chosen ? Verdict::Agrees : Verdict::Ambiguous;
    if (!chosen) return joined;
    const SizeAlignment::Pairs& best = found[chosen->number];
    agreement.shared = best.pairs.size();
    agreement.unshared = unsharedIn(best);
    agreement.times = alignment.timesOf(best);
    agreement.isTieBroken = chosen->isByTimes;
    joined.clock.moments.reserve(best.pairs.size());
    for (const auto& [a, b] : best.pairs) {
        const TimeNs time{rows[b].at};
        joined.clock.moments.push_back({static_cast<EventNumber>(history[a].at), time, rows[b].row});
        if (!span || time < span->begin || span->end < time) ++agreement.outside;
    }
    return joined;
}

}  // namespace

std::optional<TimeNs> SnapshotClock::timeOf(EventNumber event) const {
    if (moments.empty() || event < moments.front().event || event > moments.back().event) return std::nullopt;
    const auto after = std::lower_bound(moments.begin(), moments.end(), event,
                                        [](const SnapshotMoment& moment, EventNumber at) { return moment.event < at; });
    if (after->event == event) return after->time;
    const SnapshotMoment& before = *(after - 1);
    const double part = static_cast<double>(event - before.event) / static_cast<double>(after->event - before.event);
    const auto length = static_cast<double>((after->time - before.time).value);
    return TimeNs{before.time.value + static_cast<std::int64_t>(length * part)};
}

std::optional<EventNumber> SnapshotClock::eventAt(TimeNs time) const {
    if (moments.empty() || time < moments.front().time || moments.back().time < time) return std::nullopt;
    const auto after = std::upper_bound(moments.begin(), moments.end(), time,
                                        [](TimeNs at, const SnapshotMoment& moment) { return at < moment.time; });
    const SnapshotMoment& before = *(after - 1);
    if (after == moments.end() || before.time == time) return before.event;
    const double part =
        static_cast<double>((time - before.time).value) / static_cast<double>((after->time - before.time).value);
    return before.event + static_cast<EventNumber>(static_cast<double>(after->event - before.event) * part);
}

const SnapshotMoment* SnapshotClock::momentOf(EventNumber event) const {
    const auto found = std::lower_bound(moments.begin(), moments.end(), event,
                                        [](const SnapshotMoment& moment, EventNumber at) { return moment.event < at; });
    return found == moments.end() || found->event != event ? nullptr : &*found;
}

JoinedClock joinByAllocations(const DeviceSnapshot& snapshot, const RowTables* profile, std::optional<TimeRange> span,
                              const CancelToken& cancel) {
    const auto rows = profileEntries(profile, snapshot.where.device, cancel);
    JoinedClock joined = joinSizes(historyEntries(snapshot, 0, cancel), rows, span, cancel);
    if (snapshot.padding > 0) {
        JoinedClock padded = joinSizes(historyEntries(snapshot, snapshot.padding, cancel), rows, span, cancel);
        if (padded.agreement.shared > joined.agreement.shared) joined = std::move(padded);
    }
    if (joined.agreement.times.fits())
        addOwnTimes(snapshot, joined.agreement.times.ahead, joined.clock.moments, cancel);
    return cancel.cancelled() ? JoinedClock{} : joined;
}

SnapshotClock clockByHand(std::vector<SnapshotMoment> moments) {
    SnapshotClock clock;
    std::stable_sort(moments.begin(), moments.end(), [](const auto& a, const auto& b) { return a.event < b.event; });
    for (const SnapshotMoment& moment : moments) {
        if (!clock.moments.empty() && clock.moments.back().event == moment.event) clock.moments.back() = moment;
        else clock.moments.push_back(moment);
    }
    if (!std::is_sorted(clock.moments.begin(), clock.moments.end(),
                        [](const auto& a, const auto& b) { return a.time < b.time; }))
        return {};
    return clock;
}

}  // namespace altiscope
