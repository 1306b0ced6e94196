#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/support/link_totals.h"
#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace altiscope {

namespace {

/// What tells one collective from the others in the profiler's files, by ids of texts.
using CollectiveKey = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;

CollectiveKey collectiveKey(const RowTable& table, std::size_t row) {
    const auto text = [&](std::string_view column) {
        return table.text(rowColumn(table.kind(), column), row).value_or(StringId{}).value;
    };
    return {table.integer(rowColumn(table.kind(), "step"), row).value_or(kNoCell), text("group_name"), text("op_name")};
}

/// Transit times of collectives, requested in about the order of their rows. Files list millions of them, so nothing is
/// kept of them unless their order is another one, and then only that.
class Transits {
public:
    explicit Transits(const RowTable* table) : m_table(table) {}

    /// Of the collective with this key, ns; 0 if it is not known.
    std::int64_t of(const CollectiveKey& key) {
        if (m_table == nullptr) return 0;
        const auto row = find(key);
        return row ? m_table->integer(fixedColumn(RowKind::Collective, "transit"), *row).value_or(0) : 0;
    }

private:
    std::optional<std::size_t> find(const CollectiveKey& key) {
        constexpr std::size_t kWithoutPackets = 16;  // so many collectives in a row may have sent none
        const std::size_t end = std::min(m_table->size(), m_next + kWithoutPackets);
        for (std::size_t row = m_next; m_order.empty() && row < end; ++row) {
            if (collectiveKey(*m_table, row) != key) continue;
            m_next = row + 1;
            return row;
        }
        if (m_order.empty()) {
            m_order.resize(m_table->size());
            std::iota(m_order.begin(), m_order.end(), 0U);
            std::sort(m_order.begin(), m_order.end(), [this](std::uint32_t a, std::uint32_t b) {
                return std::pair(collectiveKey(*m_table, a), a) < std::pair(collectiveKey(*m_table, b), b);
            });
        }
        const auto found = std::lower_bound(
            m_order.begin(), m_order.end(), key,
            [this](std::uint32_t row, const CollectiveKey& wanted) { return collectiveKey(*m_table, row) < wanted; });
        return found == m_order.end() || collectiveKey(*m_table, *found) != key ? std::nullopt
                                                                                : std::optional<std::size_t>(*found);
    }

    const RowTable* m_table;
    std::size_t m_next = 0;
    std::vector<std::uint32_t> m_order;  // rows by key; empty as long as nobody needed it
};

/// Sums over the packets of one collective, which are neighbours in the table.
class PacketSums {
public:
    PacketSums(const RowTables& tables, const RowTable& table)
        : m_table(table), m_transits(tables.find(RowKind::Collective)), m_sdma(tables.texts().find("SDMA")),
          m_sends(tables.texts().prefixRange("hcom_send")) {}

    /// Adds the packets of the collective that begins at a row; returns the first row after them.
    std::size_t add(std::size_t first) {
        const CollectiveKey key = collectiveKey(m_table, first);
        std::size_t last = first;
        std::int64_t packets = 0;
        for (; last < m_table.size() && collectiveKey(m_table, last) == key; ++last) {
            // SDMA repeats the transports that it consists of.
            if (!m_sdma || m_table.text(kTransport, last) != m_sdma)
                addSaturated(packets, m_table.integer(kTime, last).value_or(0));
        }
        // Packets go over several planes at once: what part of the sum of their times passes on the main plane.
        const std::int64_t transit = m_transits.of(key);
        const bool isKnown = transit > 0 && packets > transit;
        const double share = isKnown ? static_cast<double>(transit) / static_cast<double>(packets) : 1;
        const StringId name{std::get<2>(key)}, group{std::get<1>(key)};
        const bool isSend = !(name < m_sends.first) && name < m_sends.second;
        for (std::size_t row = first; row < last; ++row)
            addRow({std::get<0>(key), isSend ? group : StringId{}, {}, 0}, row, share);
        return last;
    }

    std::vector<PacketFacts> facts(const StringPool& texts) {
        std::vector<PacketFacts> facts;
        for (auto& [key, sum] : m_sums) {
            if (std::get<0>(key) != kNoCell) sum.step = std::get<0>(key);
            sum.receivedIn = texts.text(std::get<1>(key));
            if (const auto& transport = std::get<2>(key)) sum.transport = texts.text(*transport);
            sum.packetSize = std::get<3>(key);
            facts.push_back(std::move(sum));
        }
        return facts;
    }

private:
    /// Step, group of sends, transport, size of a packet.
    using SumKey = std::tuple<std::int64_t, StringId, std::optional<StringId>, std::int64_t>;

    static constexpr std::size_t kTransport = fixedColumn(RowKind::Packet, "transport"),
                                 kTime = fixedColumn(RowKind::Packet, "dur"),
                                 kSize = fixedColumn(RowKind::Packet, "packet_size"),
                                 kCount = fixedColumn(RowKind::Packet, "count");

    void addRow(SumKey key, std::size_t row, double share) {
        const auto size = m_table.integer(kSize, row), count = m_table.integer(kCount, row),
                   time = m_table.integer(kTime, row);
        if (!size || !count || !time) return;
        std::get<2>(key) = m_table.text(kTransport, row);
        std::get<3>(key) = *size;
        PacketFacts& sum = m_sums[key];
        addSaturated(sum.count, *count);
        addSaturated(sum.time, *time);
        ++sum.operators;
        sum.mainTime += static_cast<double>(*time) * share;
        sum.mainBytes += static_cast<double>(*size) * static_cast<double>(*count) * share;
    }

    const RowTable& m_table;
    Transits m_transits;
    std::optional<StringId> m_sdma;
    std::pair<StringId, StringId> m_sends;  // ids of their names
    std::map<SumKey, PacketFacts> m_sums;
};

/// What groups are for, by name; of those that nothing states it of the number of their ranks.
class GroupKinds {
public:
    GroupKinds(const CaptureGroups& groups, std::optional<std::int64_t> rank) {
        for (const CaptureGroups::Group* group : groups.groupsOf(rank)) {
            const std::string size = group->ranks.empty() ? std::string() : std::to_string(group->ranks.size());
            m_kinds.emplace(group->name, group->type.empty() ? size : group->type);
        }
    }
    std::string of(std::string_view name) const {
        const auto known = m_kinds.find(name);
        return known == m_kinds.end() ? std::string() : known->second;
    }

private:
    std::map<std::string, std::string, std::less<>> m_kinds;
};

std::vector<LinkFacts> linkFacts(const RowTables& tables, const RowTable& table, const GroupKinds& kinds,
                                 const CancelToken& cancel) {
    constexpr auto K = RowKind::Link;
    const auto summed = summedSelection(tables, table);
    constexpr std::size_t kSelection = fixedColumn(K, "selection");
    using Text = std::optional<StringId>;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, Text, Text, Text>, LinkFacts> sums;
    for (std::size_t row = 0; row < table.size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) break;
        if (!summed || table.text(kSelection, row) != summed) continue;
        const auto source = table.integer(fixedColumn(K, "src_rank"), row),
                   target = table.integer(fixedColumn(K, "dst_rank"), row);
        const auto size = table.integer(fixedColumn(K, "size"), row),
                   time = table.integer(fixedColumn(K, "transit"), row);
        if (!source || !target || *source == *target || !size || !time) continue;
        const auto step = table.integer(fixedColumn(K, "step"), row);
        LinkFacts& sum =
            sums[{step.value_or(kNoCell), *source, *target, table.text(fixedColumn(K, "transport"), row),
                  table.text(fixedColumn(K, "op_name"), row), table.text(fixedColumn(K, "group_name"), row)}];
        sum.step = step;
        sum.source = *source;
        sum.target = *target;
        addSaturated(sum.size, *size);
        addSaturated(sum.time, *time);
    }
    std::vector<LinkFacts> facts;
    for (auto& [key, sum] : sums) {
        const auto textOf = [&](const Text& id) { return id ? std::string(tables.text(*id)) : std::string(); };
        sum.transport = textOf(std::get<3>(key));
        sum.operation = textOf(std::get<4>(key));
        sum.groupKind = kinds.of(textOf(std::get<5>(key)));
        facts.push_back(std::move(sum));
    }
    return facts;
}

/// Names of the groups in which a rank receives from one other. O(collectives), if there are any such.
std::vector<std::string> receivingGroups(const RowTables& tables, const CancelToken& cancel) {
    const RowTable* table = tables.find(RowKind::Collective);
    const auto [first, last] = tables.texts().prefixRange("hcom_receive");
    std::set<std::string> groups;
    if (table == nullptr || !(first < last)) return {};
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) break;
        const auto name = table->text(fixedColumn(RowKind::Collective, "op_name"), row),
                   group = table->text(fixedColumn(RowKind::Collective, "group_name"), row);
        if (name && group && !(*name < first) && *name < last) groups.emplace(tables.text(*group));
    }
    return {groups.begin(), groups.end()};
}

}  // namespace

void readTransferFacts(const RankEntry& rank, const CaptureGroups& groups, RankFacts& facts,
                       const CancelToken& cancel) {
    if (rank.rows == nullptr) return;
    const RowTables& tables = *rank.rows;
    facts.receivesIn = receivingGroups(tables, cancel);
    if (const RowTable* table = tables.find(RowKind::Packet)) {
        PacketSums sums(tables, *table);
        // As many operators as may have rows enough for a while.
        for (std::size_t row = 0, added = 0; row < table->size() && (added % 1024 != 0 || !cancel.cancelled()); ++added)
            row = sums.add(row);
        facts.packets = sums.facts(tables.texts());
    }
    if (const RowTable* table = tables.find(RowKind::Link))
        facts.links = linkFacts(tables, *table, GroupKinds(groups, rank.info.rankId), cancel);
}

}  // namespace altiscope
