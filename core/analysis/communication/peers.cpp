#include "core/analysis/communication/peers.h"

#include "core/analysis/communication/communication_choices.h"
#include "core/analysis/support/recordings.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace altiscope {

namespace {

/// Which elements belong together, by what ties two of them.
class Ties {
public:
    explicit Ties(std::size_t count) : m_parents(count) {
        std::iota(m_parents.begin(), m_parents.end(), std::size_t{0});
    }

    std::size_t rootOf(std::size_t one) {
        while (m_parents[one] != one) one = m_parents[one] = m_parents[m_parents[one]];
        return one;
    }
    void tie(std::size_t a, std::size_t b) {
        m_parents[std::max(rootOf(a), rootOf(b))] = std::min(rootOf(a), rootOf(b));
    }

private:
    std::vector<std::size_t> m_parents;
};

/// Ties ranks whose times overlap, and those without a timeline to the first.
void tieByTime(const CaptureStore& capture, std::vector<std::size_t>& ranks, Ties& ties) {
    const auto rangeOf = [&capture](std::size_t rank) {
        const auto& trace = capture.ranks[rank].trace;
        return trace == nullptr || trace->sliceCount() == 0 ? std::nullopt : std::optional(trace->homeRange());
    };
    for (const std::size_t rank : ranks)
        if (!rangeOf(rank)) ties.tie(ranks.front(), rank);
    std::erase_if(ranks, [&](std::size_t rank) { return !rangeOf(rank); });
    std::stable_sort(ranks.begin(), ranks.end(),
                     [&](std::size_t a, std::size_t b) { return rangeOf(a)->begin < rangeOf(b)->begin; });
    std::optional<std::size_t> last;  // to end of those before
    for (const std::size_t rank : ranks) {
        if (last && rangeOf(rank)->begin <= rangeOf(*last)->end) ties.tie(*last, rank);
        if (!last || rangeOf(rank)->end > rangeOf(*last)->end) last = rank;
    }
}

}  // namespace

std::vector<std::uint32_t> peersOf(const CaptureStore& capture) {
    const Recordings recordings = recordingsOf(capture);
    const std::size_t count = capture.ranks.size();
    Ties ties(count);
    std::map<std::pair<std::uint32_t, Framework>, std::vector<std::size_t>> alike;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::size_t> byNumber;
    for (std::size_t r = 0; r < count; ++r) {
        const RankInfo& info = capture.ranks[r].info;
        alike[{recordings.ofRank[r], info.framework}].push_back(r);
        if (info.rankId) byNumber.emplace(std::pair(recordings.ofRank[r], *info.rankId), r);
    }
    for (auto& [key, ranks] : alike) tieByTime(capture, ranks, ties);
    const std::size_t several = std::max<std::size_t>(1, recordings.names.size());
    for (const CommunicationGroup& group : knownGroups(capture)) {
        for (std::uint32_t recording = 0; recording < several; ++recording) {
            std::optional<std::size_t> first;
            for (const std::int64_t member : group.ranks) {
                const auto found = byNumber.find({recording, member});
                if (found == byNumber.end()) continue;
                if (first) ties.tie(*first, found->second);
                first = found->second;
            }
        }
    }
    std::map<std::size_t, std::uint32_t> numbers;
    std::vector<std::uint32_t> peers;
    for (std::size_t r = 0; r < count; ++r)
        peers.push_back(numbers.try_emplace(ties.rootOf(r), static_cast<std::uint32_t>(numbers.size())).first->second);
    return peers;
}

}  // namespace altiscope
