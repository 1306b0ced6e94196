#include "core/analysis/account/candidates.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace altiscope {

std::int64_t CauseCandidate::total() const {
    std::int64_t sum = 0;
    for (const GraphChange& change : changes) sum -= change.delta;
    return sum;
}

void keepSlice(CauseCandidate& candidate, const TraceStore& trace, RankIndex rank, SliceIndex slice,
               std::int64_t amount) {
    constexpr std::size_t kMaxSlices = 5;
    if (slice == kNoSlice || amount <= 0) return;
    auto& kept = candidate.slices;
    if (kept.size() == kMaxSlices && kept.back().amount >= amount) return;
    const auto at = std::upper_bound(kept.begin(), kept.end(), amount,
                                     [](std::int64_t value, const CauseSlice& one) { return value > one.amount; });
    kept.insert(
        at, {rank, trace.id(slice), std::string(trace.name(slice)), {trace.begin(slice), trace.end(slice)}, amount});
    if (kept.size() > kMaxSlices) kept.pop_back();
}

void joinCommon(std::vector<CauseCandidate>& found, std::size_t first, std::size_t rankCount) {
    if (rankCount < 2) return;
    using Key = std::pair<Cause, CauseKind>;
    std::set<Key> causes;
    for (std::size_t i = first; i < found.size(); ++i) causes.emplace(found[i].cause, found[i].kind);
    for (const Key& cause : causes) {
        const auto isOfCause = [&cause](const CauseCandidate& one) { return Key(one.cause, one.kind) == cause; };
        const auto begin = found.begin() + static_cast<std::ptrdiff_t>(first);
        const auto count = static_cast<std::size_t>(std::count_if(begin, found.end(), isOfCause));
        if (count < 2 || 4 * count < 3 * rankCount) continue;
        CauseCandidate all;
        std::tie(all.cause, all.kind) = cause;
        bool isFirst = true;
        for (auto one = begin; one != found.end(); ++one) {
            if (!isOfCause(*one)) continue;
            if (isFirst || all.name == one->name) all.name = one->name;
            else all.name.clear();
            isFirst = false;
            all.isUncertain = all.isUncertain || one->isUncertain;
            all.ranks.insert(all.ranks.end(), one->ranks.begin(), one->ranks.end());
            all.changes.insert(all.changes.end(), one->changes.begin(), one->changes.end());
            all.slices.insert(all.slices.end(), one->slices.begin(), one->slices.end());
        }
        std::stable_sort(all.slices.begin(), all.slices.end(),
                         [](const CauseSlice& a, const CauseSlice& b) { return a.amount > b.amount; });
        constexpr std::size_t kMaxSlices = 5;
        if (all.slices.size() > kMaxSlices) all.slices.resize(kMaxSlices);
        found.erase(std::remove_if(begin, found.end(), isOfCause), found.end());
        found.push_back(std::move(all));
    }
}

std::vector<CauseCandidate> findCandidates(const CandidateInput& input, const CancelToken& cancel) {
    std::vector<CauseCandidate> found;
    addKernelCandidates(input, found, cancel);
    addHostCandidates(input, found, cancel);
    addTransferCandidates(input, found);
    addPacketCandidates(input, found);
    addOverlapCandidates(input, found, cancel);
    std::erase_if(found, [](const CauseCandidate& one) { return one.total() <= 0; });
    return found;
}

}  // namespace altiscope
