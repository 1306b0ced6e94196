#include "core/analysis/communication/collective_set.h"

#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/time.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <map>
#include <set>

namespace altiscope {

namespace {

void addKnown(std::optional<std::int64_t>& sum, std::optional<std::int64_t> value) {
    if (value) sum = saturatedSum(sum.value_or(0), *value);
}

std::optional<double> shareWith(std::int64_t part, std::optional<std::int64_t> other, bool lacksOther) {
    if (!other || lacksOther) return std::nullopt;
    const double all = static_cast<double>(part) + static_cast<double>(*other);
    return all > 0 ? static_cast<double>(part) / all : 0;
}

/// Which texts of a column are wanted: looked up once, or compared once for each that occurs.
class RowFilterByTexts {
public:
    RowFilterByTexts(const RowTables& tables, const RowTable& table, const CollectiveQuery& query)
        : m_table(table), m_query(query), m_group(rowColumn(table.kind(), "group_name")),
          m_op(rowColumn(table.kind(), "op_name")), m_step(rowColumn(table.kind(), "step")) {
        m_byOp = !query.type.empty() || !query.name.empty();
        if (!query.groups.empty()) {
            m_groups.resize(tables.texts().size());
            for (const std::string& name : query.groups) {
                if (const auto id = tables.texts().find(name)) m_groups[id->value] = 1;
            }
        }
        if (!m_byOp) return;
        m_ops.assign(tables.texts().size(), -1);
        for (std::size_t row = 0; row < table.size(); ++row) {
            const StringId id = table.text(m_op, row).value_or(StringId{});
            if (m_ops[id.value] >= 0) continue;
            const std::string_view name = tables.text(id);
            m_ops[id.value] =
                (query.name.empty() || query.name == name) && (query.type.empty() || collectiveType(name) == query.type)
                    ? 1
                    : 0;
        }
    }
    bool holds(std::size_t row) const {
        if (!m_query.steps.empty()) {
            const auto step = m_table.integer(m_step, row);
            if (!step || std::find(m_query.steps.begin(), m_query.steps.end(), *step) == m_query.steps.end())
                return false;
        }
        if (!m_groups.empty() && m_groups[m_table.text(m_group, row).value_or(StringId{}).value] == 0) return false;
        return !m_byOp || m_ops[m_table.text(m_op, row).value_or(StringId{}).value] == 1;
    }

private:
    const RowTable& m_table;
    const CollectiveQuery& m_query;
    std::size_t m_group, m_op, m_step;
    bool m_byOp = false;
    std::vector<signed char> m_groups, m_ops;
};

/// One rank's items, with types by places in a list of its own.
struct RankPart {
    RankCollectives rank;
    std::vector<std::string> types;
};

RankPart rankPart(const CollectiveRows& source, const CollectiveQuery& query, const CancelToken& cancel) {
    constexpr RowKind K = RowKind::Collective;
    RankPart part{{source.rank, source.isComputed, source.rows, {}, {}}, {}};
    const RowTable* table = source.rows == nullptr ? nullptr : source.rows->find(K);
    if (table == nullptr) return part;
    const RowTables& tables = *source.rows;
    const auto range =
        query.range
            ? std::optional(TimeRange{query.range->begin - source.drawnLater, query.range->end - source.drawnLater})
            : std::nullopt;
    const RowFilterByTexts wanted(tables, *table, query);
    const auto pairwise = tables.texts().find("p2p");
    std::vector<std::int32_t> typeOf(tables.texts().size(), -1);
    const auto number = [&](std::size_t column, std::size_t row) { return table->integer(column, row); };
    constexpr std::size_t kStep = fixedColumn(K, "step"), kGroup = fixedColumn(K, "group_name"),
                          kOp = fixedColumn(K, "op_name"), kKind = fixedColumn(K, "kind"), kTs = fixedColumn(K, "ts"),
                          kElapsed = fixedColumn(K, "elapsed"), kTransit = fixedColumn(K, "transit"),
                          kWait = fixedColumn(K, "wait"), kSync = fixedColumn(K, "synchronization"),
                          kIdle = fixedColumn(K, "idle");
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return part;
        if (!wanted.holds(row)) continue;
        CollectiveItem item;
        if (const auto begin = number(kTs, row)) item.begin = TimeNs{*begin};
        if (range && !(item.begin &&
                       overlaps({*item.begin, *item.begin + DurationNs{number(kElapsed, row).value_or(0)}}, *range)))
            continue;
        item.spent = {number(kElapsed, row).value_or(0), number(kWait, row).value_or(0), number(kSync, row).value_or(0),
                      number(kTransit, row), number(kIdle, row)};
        item.step = number(kStep, row);
        item.name = table->text(kOp, row).value_or(StringId{});
        item.group = table->text(kGroup, row).value_or(StringId{});
        item.isPeerToPeer = pairwise && table->text(kKind, row) == pairwise;
        std::int32_t& type = typeOf[item.name.value];
        if (type < 0) {
            const std::string word = collectiveType(tables.text(item.name));
            const auto known = std::find(part.types.begin(), part.types.end(), word);
            type = static_cast<std::int32_t>(known - part.types.begin());
            if (known == part.types.end()) part.types.push_back(word);
        }
        item.type = static_cast<std::uint32_t>(type);
        part.rank.sum.add(item.spent);
        part.rank.items.push_back(item);
    }
    return part;
}

RankTransfers transfersOf(RankIndex rank, const RowTables& tables, const CollectiveQuery& query,
                          const CancelToken& cancel) {
    constexpr RowKind B = RowKind::Bandwidth, P = RowKind::Packet;
    RankTransfers transfers{rank, false, {}, {}};
    const auto transportAt = [&](const RowTable& table, std::size_t row) {
        const auto id = table.text(rowColumn(table.kind(), "transport"), row);
        return id ? std::string(tables.text(*id)) : std::string();
    };
    if (const RowTable* table = tables.find(B)) {
        const RowFilterByTexts wanted(tables, *table, query);
        std::map<std::string, TransportSum> sums;
        for (std::size_t row = 0; row < table->size(); ++row) {
            if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return transfers;
            if (!wanted.holds(row)) continue;
            TransportSum& sum = sums[transportAt(*table, row)];
            addSaturated(sum.size, table->integer(fixedColumn(B, "size"), row).value_or(0));
            addSaturated(sum.time, table->integer(fixedColumn(B, "transit"), row).value_or(0));
        }
        for (auto& [transport, sum] : sums) {
            sum.transport = transport;
            transfers.transports.push_back(std::move(sum));
        }
    }
    if (const RowTable* table = tables.find(P)) {
        const RowFilterByTexts wanted(tables, *table, query);
        std::map<std::pair<std::string, std::int64_t>, PacketSum> sums;
        for (std::size_t row = 0; row < table->size(); ++row) {
            if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return transfers;
            const auto size = table->integer(fixedColumn(P, "packet_size"), row);
            if (!size || !wanted.holds(row)) continue;
            PacketSum& sum = sums[{transportAt(*table, row), *size}];
            addSaturated(sum.count, table->integer(fixedColumn(P, "count"), row).value_or(0));
            addSaturated(sum.time, table->integer(fixedColumn(P, "dur"), row).value_or(0));
        }
        for (auto& [key, sum] : sums) {
            sum.transport = key.first;
            sum.packetSize = key.second;
            transfers.packets.push_back(std::move(sum));
        }
    }
    return transfers;
}

}  // namespace

void CollectiveSpent::add(const CollectiveSpent& other) {
    lacksTransit = lacksTransit || other.lacksTransit || !other.transit;
    addSaturated(elapsed, other.elapsed);
    addSaturated(wait, other.wait);
    addSaturated(synchronization, other.synchronization);
    addKnown(transit, other.transit);
    addKnown(idle, other.idle);
}

std::optional<double> CollectiveSpent::synchronizationRatio() const {
    return shareWith(synchronization, transit, lacksTransit);
}

std::optional<double> CollectiveSpent::waitRatio() const { return shareWith(wait, transit, lacksTransit); }

std::shared_ptr<const CollectiveSet> collectiveSet(const std::vector<CollectiveRows>& ranks,
                                                   const CollectiveQuery& query, const CancelToken& cancel) {
    std::vector<RankPart> parts(ranks.size());
    parallelFor(ranks.size(), [&](std::size_t r) { parts[r] = rankPart(ranks[r], query, cancel); });
    if (cancel.cancelled()) return nullptr;
    auto set = std::make_shared<CollectiveSet>();
    std::set<std::string> types;
    for (const RankPart& part : parts) types.insert(part.types.begin(), part.types.end());
    set->types.assign(types.begin(), types.end());
    parallelFor(parts.size(), [&](std::size_t r) {
        std::vector<std::uint32_t> places;
        for (const std::string& type : parts[r].types)
            places.push_back(static_cast<std::uint32_t>(std::lower_bound(set->types.begin(), set->types.end(), type) -
                                                        set->types.begin()));
        for (CollectiveItem& item : parts[r].rank.items) item.type = places[item.type];
    });
    for (RankPart& part : parts) {
        if (!part.rank.items.empty()) set->ranks.push_back(std::move(part.rank));
    }
    return set;
}

std::vector<RankTransfers> rankTransfers(const CaptureStore& capture, const std::vector<RankIndex>& ranks,
                                         const std::vector<std::shared_ptr<const RowTables>>& computed,
                                         const CollectiveQuery& query, const CancelToken& cancel) {
    std::vector<RankTransfers> all(ranks.size());
    parallelFor(ranks.size(), [&](std::size_t r) {
        const RowTables* instead = r < computed.size() ? computed[r].get() : nullptr;
        const RowTables* rows = instead != nullptr ? instead : capture.ranks[ranks[r].value].rows.get();
        if (rows == nullptr) return;
        all[r] = transfersOf(ranks[r], *rows, query, cancel);
        all[r].isComputed = instead != nullptr;
    });
    if (cancel.cancelled()) return {};
    std::erase_if(
        all, [](const RankTransfers& transfers) { return transfers.transports.empty() && transfers.packets.empty(); });
    return all;
}

}  // namespace altiscope
