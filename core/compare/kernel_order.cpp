#include "core/compare/kernel_order.h"

#include "core/analysis/support/saturating.h"
#include "core/compare/measures.h"
#include "core/compare/sequence_alignment.h"
#include "core/compare/step_kernels.h"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

/// A kernel of one side: its stream among the pairs, and its place on it.
struct KernelPlace {
    std::uint32_t pair = 0, place = 0;
};

/// Kernels that no equal ones stand beside, between two that have some.
struct OrderGap {
    std::vector<KernelPlace> base, current;
};

struct StreamPair {
    const StreamKernels *base = nullptr, *current = nullptr;  ///< Never null.
};

std::vector<std::uint32_t> keysOf(const StreamKernels& kernels) {
    std::vector<std::uint32_t> keys;
    keys.reserve(kernels.size());
    for (const StepKernel& kernel : kernels) keys.push_back(kernel.key);
    return keys;
}

/// How many kernels two streams have in common, in any order.
std::size_t commonOf(const StreamKernels& first, const StreamKernels& second) {
    std::map<std::uint32_t, std::size_t> counts;
    for (const StepKernel& kernel : first) ++counts[kernel.key];
    std::size_t common = 0;
    for (const StepKernel& kernel : second) {
        const auto found = counts.find(kernel.key);
        if (found == counts.end() || found->second == 0) continue;
        --found->second;
        ++common;
    }
    return common;
}

/// Numbers of streams mean nothing on the other side: what runs on them tells which is which.
std::vector<StreamPair> pairedStreams(const StepOrder& base, const StepOrder& current) {
    static const StreamKernels kNone;
    std::vector<StreamPair> pairs;
    std::vector<bool> isTaken(current.streams.size(), false);
    for (const StreamKernels& stream : base.streams) {
        std::optional<std::size_t> best;
        std::size_t most = 0;
        for (std::size_t i = 0; i < current.streams.size(); ++i) {
            const std::size_t common = isTaken[i] ? 0 : commonOf(stream, current.streams[i]);
            if (common > std::exchange(most, std::max(most, common))) best = i;
        }
        if (best) isTaken[*best] = true;
        pairs.push_back({&stream, best ? &current.streams[*best] : &kNone});
    }
    for (std::size_t i = 0; i < isTaken.size(); ++i)
        if (!isTaken[i]) pairs.push_back({&kNone, &current.streams[i]});
    return pairs;
}

/// Makes rows of what is found.
class OrderRows {
public:
    OrderRows(const std::vector<StreamPair>& pairs, const SharedNumbers& keys) : m_pairs(pairs), m_keys(keys) {}

    const std::vector<StreamPair>& pairs() const { return m_pairs; }

    void add(OrderKind kind, const std::vector<KernelPlace>& base, const std::vector<KernelPlace>& current) {
        Texts texts;
        for (const KernelPlace at : base) texts.first.push_back(baseKernel(at).key);
        for (const KernelPlace at : current) texts.second.push_back(currentKernel(at).key);
        Found& found = m_found[{kind, texts.first, texts.second}];
        ++found.count;
        for (const KernelPlace at : base) addSaturated(found.baseTime, baseKernel(at).length);
        for (const KernelPlace at : current) addSaturated(found.currentTime, currentKernel(at).length);
        if (!found.base && !base.empty()) found.base = base.front();
        if (!found.current && !current.empty()) found.current = current.front();
    }

    const StepKernel& baseKernel(KernelPlace at) const { return (*m_pairs[at.pair].base)[at.place]; }
    const StepKernel& currentKernel(KernelPlace at) const { return (*m_pairs[at.pair].current)[at.place]; }

    void finish(const ComparisonSide& base, const ComparisonSide& current, OrderComparison& order) const {
        for (const auto& [what, found] : m_found) {
            OrderRow row;
            row.kind = std::get<0>(what);
            for (const std::uint32_t key : std::get<1>(what)) row.base.push_back(m_keys.text(key));
            for (const std::uint32_t key : std::get<2>(what)) row.current.push_back(m_keys.text(key));
            row.count = found.count;
            row.change = changeBetween(static_cast<double>(found.baseTime), static_cast<double>(found.currentTime));
            if (found.base) {
                row.basePlace = found.base->place;
                row.baseSlice = sliceOfKernel(base, order.base, baseKernel(*found.base));
            }
            if (found.current) {
                row.currentPlace = found.current->place;
                row.currentSlice = sliceOfKernel(current, order.current, currentKernel(*found.current));
            }
            order.rows.push_back(std::move(row));
        }
        const auto sizeOfChange = [](const OrderRow& row) {
            return row.change.change < 0 ? saturatedDifference(0, row.change.change) : row.change.change;
        };
        std::stable_sort(order.rows.begin(), order.rows.end(), [&](const OrderRow& a, const OrderRow& b) {
            return std::tuple(sizeOfChange(b), a.kind, a.base, a.current) <
                   std::tuple(sizeOfChange(a), b.kind, b.base, b.current);
        });
        if (order.rows.size() <= OrderComparison::kMaxRows) return;
        order.omitted = order.rows.size() - OrderComparison::kMaxRows;
        order.rows.resize(OrderComparison::kMaxRows);
    }

private:
    using Texts = std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>;
    struct Found {
        std::size_t count = 0;
        std::int64_t baseTime = 0, currentTime = 0;
        std::optional<KernelPlace> base, current;
    };

    const std::vector<StreamPair>& m_pairs;
    const SharedNumbers& m_keys;
    std::map<std::tuple<OrderKind, std::vector<std::uint32_t>, std::vector<std::uint32_t>>, Found> m_found;
};

/// Kernels of one name and type with other shapes are the same ones; what is left between them are smaller gaps.
/// @return False if cancelled.
bool takeReshaped(const OrderGap& gap, OrderRows& rows, std::vector<OrderGap>& gaps, const CancelToken& cancel) {
    std::vector<std::uint32_t> base, current;
    for (const KernelPlace at : gap.base) base.push_back(rows.baseKernel(at).name);
    for (const KernelPlace at : gap.current) current.push_back(rows.currentKernel(at).name);
    const auto aligned = alignSequences(base, current, OrderComparison::kMaxEdits, cancel);
    if (!aligned) return false;
    std::size_t x = 0, y = 0;
    const auto closeAt = [&](std::size_t first, std::size_t second) {
        OrderGap part;
        part.base.assign(gap.base.begin() + static_cast<std::ptrdiff_t>(x),
                         gap.base.begin() + static_cast<std::ptrdiff_t>(first));
        part.current.assign(gap.current.begin() + static_cast<std::ptrdiff_t>(y),
                            gap.current.begin() + static_cast<std::ptrdiff_t>(second));
        if (!part.base.empty() || !part.current.empty()) gaps.push_back(std::move(part));
        x = first + 1;
        y = second + 1;
    };
    for (const AlignedPair& pair : aligned->same) {
        rows.add(OrderKind::Reshaped, {gap.base[pair.first]}, {gap.current[pair.second]});
        closeAt(pair.first, pair.second);
    }
    closeAt(gap.base.size(), gap.current.size());
    return true;
}

/// The gaps of a pair of streams. @return False if cancelled.
bool findGaps(std::uint32_t number, OrderRows& rows, OrderComparison& order, std::vector<OrderGap>& gaps,
              const CancelToken& cancel) {
    const StreamPair& pair = rows.pairs()[number];
    auto aligned = alignSequences(keysOf(*pair.base), keysOf(*pair.current), OrderComparison::kMaxEdits, cancel);
    if (!aligned) return false;
    order.same += aligned->same.size();
    order.isLongest = order.isLongest && aligned->isLongest;
    aligned->same.push_back(
        {static_cast<std::uint32_t>(pair.base->size()), static_cast<std::uint32_t>(pair.current->size())});
    std::uint32_t x = 0, y = 0;
    for (const AlignedPair& same : aligned->same) {
        OrderGap gap;
        for (; x < same.first; ++x) gap.base.push_back({number, x});
        for (; y < same.second; ++y) gap.current.push_back({number, y});
        x = same.first + 1;
        y = same.second + 1;
        if (gap.base.empty() && gap.current.empty()) continue;
        if (!takeReshaped(gap, rows, gaps, cancel)) return false;
    }
    return true;
}

/// Equal kernels that are gone from one gap and came into another have moved.
void takeMoved(std::vector<OrderGap>& gaps, OrderRows& rows) {
    std::map<std::uint32_t, std::deque<KernelPlace>> came;
    for (const OrderGap& gap : gaps)
        for (const KernelPlace at : gap.current) came[rows.currentKernel(at).key].push_back(at);
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> isTaken;
    for (OrderGap& gap : gaps)
        std::erase_if(gap.base, [&](const KernelPlace at) {
            const auto found = came.find(rows.baseKernel(at).key);
            if (found == came.end() || found->second.empty()) return false;
            const KernelPlace to = found->second.front();
            found->second.pop_front();
            isTaken[{to.pair, to.place}] = true;
            rows.add(OrderKind::Moved, {at}, {to});
            return true;
        });
    for (OrderGap& gap : gaps)
        std::erase_if(gap.current, [&](const KernelPlace at) { return isTaken.contains({at.pair, at.place}); });
}

void takeRest(const OrderGap& gap, OrderRows& rows) {
    const std::size_t gone = gap.base.size(), came = gap.current.size();
    const bool isFew = gone <= OrderComparison::kMaxFused && came <= OrderComparison::kMaxFused;
    if (gone > 0 && came > 0 && isFew) {
        const OrderKind kind = came == 1 && gone > 1   ? OrderKind::Fused
                               : gone == 1 && came > 1 ? OrderKind::Split
                                                       : OrderKind::Replaced;
        return rows.add(kind, gap.base, gap.current);
    }
    for (const KernelPlace at : gap.base) rows.add(OrderKind::Removed, {at}, {});
    for (const KernelPlace at : gap.current) rows.add(OrderKind::Added, {}, {at});
}

/// The ranks that are looked at: of a number that both sides have, else the first of each.
std::optional<std::pair<RankIndex, RankIndex>> ranksOfOrder(const ComparisonSide& base, const MeasuredPart& basePart,
                                                            const ComparisonSide& current,
                                                            const MeasuredPart& currentPart) {
    const auto withKernels = [](const ComparisonSide& side, const MeasuredPart& part) {
        std::vector<RankIndex> ranks;
        for (const RankIndex rank : part.ranks()) {
            const auto& rows = side.capture->ranks[rank.value].rows;
            if (rows != nullptr && rows->find(RowKind::Kernel) != nullptr) ranks.push_back(rank);
        }
        return ranks;
    };
    const auto first = withKernels(base, basePart), second = withKernels(current, currentPart);
    if (first.empty() || second.empty()) return std::nullopt;
    std::map<std::int64_t, RankIndex> byNumber;
    for (const RankIndex rank : first)
        if (const auto number = base.capture->ranks[rank.value].info.rankId) byNumber.emplace(*number, rank);
    std::map<std::int64_t, std::pair<RankIndex, RankIndex>> common;
    for (const RankIndex rank : second) {
        const auto number = current.capture->ranks[rank.value].info.rankId;
        if (!number || !byNumber.contains(*number)) continue;
        common.emplace(*number, std::pair(byNumber.at(*number), rank));
    }
    return common.empty() ? std::pair(first.front(), second.front()) : common.begin()->second;
}

}  // namespace

std::string joinedKernelKeys(const std::vector<std::string>& keys) {
    std::string text;
    for (const std::string& key : keys) text += (text.empty() ? "" : " + ") + key;
    return text;
}

std::string_view orderKindName(OrderKind kind) {
    switch (kind) {
    case OrderKind::Added: return "added";
    case OrderKind::Removed: return "removed";
    case OrderKind::Moved: return "moved";
    case OrderKind::Reshaped: return "reshaped";
    case OrderKind::Replaced: return "replaced";
    case OrderKind::Fused: return "fused";
    case OrderKind::Split: return "split";
    }
    return {};
}

std::optional<OrderComparison> compareOrder(const ComparisonSide& base, const MeasuredPart& basePart,
                                            const ComparisonSide& current, const MeasuredPart& currentPart,
                                            const CancelToken& cancel) {
    const auto ranks = ranksOfOrder(base, basePart, current, currentPart);
    if (!ranks) return std::nullopt;
    const auto ofBase = recordedTexts(base, basePart, ranks->first, cancel),
               ofCurrent = recordedTexts(current, currentPart, ranks->second, cancel);
    if (!ofBase || !ofCurrent) return std::nullopt;
    KernelNumbers numbers;
    numbers.texts = {ofBase->types && ofCurrent->types, ofBase->shapes && ofCurrent->shapes};
    const auto first = stepOrder(base, basePart, ranks->first, numbers, cancel);
    const auto second = stepOrder(current, currentPart, ranks->second, numbers, cancel);
    if (!first || !second) return std::nullopt;
    OrderComparison order;
    order.base = first->side;
    order.current = second->side;
    const std::vector<StreamPair> pairs = pairedStreams(*first, *second);
    OrderRows rows(pairs, numbers.keys);
    std::vector<OrderGap> gaps;
    for (std::uint32_t pair = 0; pair < pairs.size(); ++pair)
        if (!findGaps(pair, rows, order, gaps, cancel)) return std::nullopt;
    takeMoved(gaps, rows);
    for (const OrderGap& gap : gaps) takeRest(gap, rows);
    rows.finish(base, current, order);
    return order;
}

}  // namespace altiscope
