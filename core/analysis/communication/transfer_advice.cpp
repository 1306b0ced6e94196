#include "core/analysis/communication/transfer_advice.h"

#include "core/analysis/communication/link_matrix.h"
#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/support/matrix_kernels.h"
#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

// The rule contention judges the same transfers.
static_assert(kContendedBytes == LinkSum::kSmallTransfer);

/// What one collective of a rank moved, and what of its packets is not as it should be.
struct CallMoved {
    std::uint32_t item = 0;
    std::int64_t sdmaBytes = 0, sdmaTime = 0, remoteTime = 0;
    struct Packets {
        std::int64_t count = 0, bytes = 0, time = 0;
        void add(std::int64_t size, std::int64_t packets, std::int64_t ns) {
            addSaturated(count, packets);
            addSaturated(bytes, saturatedRound(static_cast<double>(size) * static_cast<double>(packets)));
            addSaturated(time, ns);
        }
    };
    Packets unaligned, small;
    std::int64_t alignable = 0, all = 0;  ///< ns of packets
};

/// Collectives by step, name and group, by ids of texts: a name holds only some digits of its group's.
using MovedKey = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;
using CallsOfRank = std::map<MovedKey, CallMoved>;

/// Rows of one rank's bandwidths and packets, given to its collectives. The texts of both may have different numbers.
class MovedReader {
public:
    MovedReader(const RankCollectives& rank, const RowTables& tables)
        : m_rank(rank), m_tables(tables), m_ids(tables.texts().size(), kUnknown) {
        for (std::uint32_t i = 0; i < rank.items.size(); ++i)
            m_calls[{rank.items[i].step.value_or(kNoCell), rank.items[i].name.value, rank.items[i].group.value}].item =
                i;
    }

    CallsOfRank read(const CancelToken& cancel) {
        constexpr RowKind B = RowKind::Bandwidth, P = RowKind::Packet;
        forEach(B, cancel, [&](const RowTable& table, std::size_t row, CallMoved& call) {
            const std::string_view transport = transportOf(table, row);
            const std::int64_t bytes = table.integer(fixedColumn(B, "size"), row).value_or(0),
                               time = table.integer(fixedColumn(B, "transit"), row).value_or(0);
            if (transport == "RDMA") addSaturated(call.remoteTime, time);
            if (transport != "SDMA") return;
            addSaturated(call.sdmaBytes, bytes);
            addSaturated(call.sdmaTime, time);
        });
        forEach(P, cancel, [&](const RowTable& table, std::size_t row, CallMoved& call) {
            const auto size = table.integer(fixedColumn(P, "packet_size"), row),
                       count = table.integer(fixedColumn(P, "count"), row),
                       time = table.integer(fixedColumn(P, "dur"), row);
            const std::string_view transport = transportOf(table, row);
            // SDMA repeats the transports that it consists of.
            if (!size || !count || !time || transport == "SDMA") return;
            const bool isRemote = transport == "RDMA";
            addSaturated(call.all, *time);
            if (*size < (isRemote ? TransferAdvice::kSmallRemotePacket : TransferAdvice::kSmallPacket))
                call.small.add(*size, *count, *time);
            if (isRemote) return;
            addSaturated(call.alignable, *time);
            if (*size > TransferAdvice::kAlignedBytes && *size % TransferAdvice::kAlignedBytes != 0)
                call.unaligned.add(*size, *count, *time);
        });
        return std::move(m_calls);
    }

private:
    static constexpr std::int64_t kUnknown = -2, kNone = -1;
    static constexpr std::uint32_t kLastId = std::numeric_limits<std::uint32_t>::max();

    std::string_view transportOf(const RowTable& table, std::size_t row) const {
        return m_tables.text(table.text(rowColumn(table.kind(), "transport"), row).value_or(StringId{}));
    }
    template <class Take>
    void forEach(RowKind kind, const CancelToken& cancel, Take take) {
        const RowTable* table = m_tables.find(kind);
        for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
            if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
            const auto name = ownId(table->text(rowColumn(kind, "op_name"), row));
            if (!name) continue;
            if (CallMoved* call = find(table->integer(rowColumn(kind, "step"), row).value_or(kNoCell), *name,
                                       table->text(rowColumn(kind, "group_name"), row)))
                take(*table, row, *call);
        }
    }
    /// In the collectives' pool; nullopt: it does not stand there.
    std::optional<std::uint32_t> ownId(std::optional<StringId> text) {
        if (!text) return std::nullopt;
        std::int64_t& id = m_ids[text->value];
        if (id == kUnknown) {
            const auto own = m_rank.rows->texts().find(m_tables.text(*text));
            id = own ? std::int64_t{own->value} : kNone;
        }
        return id == kNone ? std::nullopt : std::optional(static_cast<std::uint32_t>(id));
    }
    /// Where either side states no group, the only one of this name.
    CallMoved* find(std::int64_t step, std::uint32_t name, std::optional<StringId> groupText) {
        const bool isKnown = groupText && !m_tables.text(*groupText).empty();
        const auto group = isKnown ? ownId(groupText) : std::nullopt;
        if (group) {
            const auto exact = m_calls.find({step, name, *group});
            if (exact != m_calls.end()) return &exact->second;
        }
        const auto first = m_calls.lower_bound({step, name, 0}), last = m_calls.upper_bound({step, name, kLastId});
        if (first == last || std::next(first) != last) return nullptr;
        return isKnown && !m_rank.group(m_rank.items[first->second.item]).empty() ? nullptr : &first->second;
    }

    const RankCollectives& m_rank;
    const RowTables& m_tables;
    std::vector<std::int64_t> m_ids;  // in the collectives' pool, by id in the tables'
    CallsOfRank m_calls;
};

TransferAdvice::Priority priorityOf(double share) {
    if (share < TransferAdvice::kSmallShare) return TransferAdvice::Priority::Low;
    return share < TransferAdvice::kHighShare ? TransferAdvice::Priority::Medium : TransferAdvice::Priority::High;
}

/// Adds calls up to one piece of advice.
class AdviceSum {
public:
    AdviceSum(TransferAdvice::Kind kind, std::size_t row) { m_sum.kind = kind, m_sum.row = row; }
    void add(const CallMoved& call, std::int64_t packets, std::int64_t size, std::int64_t time) {
        if (m_sum.operators++ == 0 || time > m_worst) m_sum.worst = call.item, m_worst = time;
        addSaturated(m_sum.packets, packets);
        addSaturated(m_sum.size, size);
        addSaturated(m_sum.time, time);
    }
    bool empty() const { return m_sum.operators == 0; }
    TransferAdvice of(std::int64_t all) const {
        TransferAdvice advice = m_sum;
        if (all > 0) advice.share = static_cast<double>(advice.time) / static_cast<double>(all);
        advice.priority = priorityOf(advice.share.value_or(0));
        return advice;
    }

private:
    TransferAdvice m_sum;
    std::int64_t m_worst = 0;
};

struct RankAdvice {
    std::vector<TransferAdvice> found;
    std::array<bool, TransferAdvice::kKinds> isJudged{};
};

RankAdvice adviceOfRank(const RankEntry& entry, const RankCollectives& rank, std::size_t row,
                        const CallsOfRank& calls) {
    using Kind = TransferAdvice::Kind;
    AdviceSum unaligned(Kind::Alignment, row), small(Kind::SmallPackets, row), contended(Kind::Contention, row);
    std::int64_t all = 0, alignable = 0, sdma = 0;
    RankAdvice advice;
    const auto judged = [&](Kind kind) -> bool& { return advice.isJudged[static_cast<std::size_t>(kind)]; };
    const MatrixKernels kernels(entry);
    for (const auto& [key, call] : calls) {
        addSaturated(all, call.all);
        addSaturated(alignable, call.alignable);
        addSaturated(sdma, call.sdmaTime);
        if (call.unaligned.count > 0)
            unaligned.add(call, call.unaligned.count, call.unaligned.bytes, call.unaligned.time);
        if (call.small.count > 0) small.add(call, call.small.count, call.small.bytes, call.small.time);
        const CollectiveItem& item = rank.items[call.item];
        if (call.remoteTime > 0) judged(Kind::Retransmission) = true;
        if (!item.begin || !kernels.isKnown() || call.sdmaTime <= 0 || call.sdmaBytes < LinkSum::kSmallTransfer)
            continue;
        judged(Kind::Contention) = true;
        const double bandwidth = static_cast<double>(call.sdmaBytes) / static_cast<double>(call.sdmaTime);
        if (bandwidth >= TransferAdvice::kContendedBandwidth ||
            !kernels.ranWithin({*item.begin, *item.begin + DurationNs{item.spent.elapsed}}))
            continue;
        contended.add(call, 0, call.sdmaBytes, call.sdmaTime);
    }
    judged(Kind::Alignment) = alignable > 0;
    judged(Kind::SmallPackets) = all > 0;
    if (!unaligned.empty()) advice.found.push_back(unaligned.of(alignable));
    if (!small.empty() && small.of(all).share.value_or(0) > TransferAdvice::kSmallShare)
        advice.found.push_back(small.of(all));
    if (!contended.empty()) advice.found.push_back(contended.of(sdma));
    return advice;
}

/// A collective in words that are the same on all ranks.
using CallText = std::tuple<std::int64_t, std::string_view, std::string_view>;  // step, name, group

void addRetransmissions(const CollectiveSet& set, const std::vector<CallsOfRank>& calls,
                        std::vector<TransferAdvice>& all) {
    std::map<CallText, std::int64_t> shortest;
    const auto textOf = [&](std::size_t r, std::uint32_t i) {
        const CollectiveItem& item = set.ranks[r].items[i];
        return CallText{item.step.value_or(kNoCell), set.ranks[r].name(item), set.ranks[r].group(item)};
    };
    for (std::size_t r = 0; r < calls.size(); ++r) {
        for (const auto& [key, call] : calls[r]) {
            if (call.remoteTime > TransferAdvice::kLostPacketNs)
                shortest.emplace(textOf(r, call.item), set.ranks[r].items[call.item].spent.elapsed);
        }
    }
    if (shortest.empty()) return;
    for (std::size_t r = 0; r < set.ranks.size(); ++r) {
        for (std::uint32_t i = 0; i < set.ranks[r].items.size(); ++i) {
            const auto known = shortest.find(textOf(r, i));
            if (known != shortest.end()) known->second = std::min(known->second, set.ranks[r].items[i].spent.elapsed);
        }
    }
    for (std::size_t r = 0; r < calls.size(); ++r) {
        AdviceSum lost(TransferAdvice::Kind::Retransmission, r);
        for (const auto& [key, call] : calls[r]) {
            if (call.remoteTime > TransferAdvice::kLostPacketNs &&
                shortest.at(textOf(r, call.item)) >= TransferAdvice::kLostPacketNs)
                lost.add(call, 0, 0, call.remoteTime);
        }
        if (lost.empty()) continue;
        all.push_back(lost.of(0));
        all.back().priority = TransferAdvice::Priority::High;
    }
}

}  // namespace

TransferAdvices transferAdvice(const CaptureStore& capture, const CollectiveSet& set,
                               const std::vector<const RowTables*>& transfers, const CancelToken& cancel) {
    std::vector<CallsOfRank> calls(set.ranks.size());
    std::vector<RankAdvice> byRank(set.ranks.size());
    parallelFor(set.ranks.size(), [&](std::size_t r) {
        if (cancel.cancelled() || r >= transfers.size() || transfers[r] == nullptr) return;
        const RankCollectives& rank = set.ranks[r];
        calls[r] = MovedReader(rank, *transfers[r]).read(cancel);
        byRank[r] = adviceOfRank(capture.ranks[rank.rank.value], rank, r, calls[r]);
    });
    TransferAdvices all;
    if (cancel.cancelled()) return all;
    for (RankAdvice& rank : byRank) {
        std::move(rank.found.begin(), rank.found.end(), std::back_inserter(all.found));
        for (std::size_t kind = 0; kind < all.judged.size(); ++kind) all.judged[kind] += rank.isJudged[kind] ? 1 : 0;
    }
    addRetransmissions(set, calls, all.found);
    std::stable_sort(all.found.begin(), all.found.end(), [](const TransferAdvice& a, const TransferAdvice& b) {
        return a.priority != b.priority ? a.priority > b.priority : a.time > b.time;
    });
    return all;
}

}  // namespace altiscope
