#include "core/analysis/collective_groups.h"
#include "core/analysis/collective_times.h"
#include "core/analysis/fact_readers.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace altiscope {

namespace {

std::string textOf(const RowTables& tables, const RowTable& table, std::size_t column, std::size_t row) {
    const auto text = table.text(column, row);
    return text ? std::string(tables.text(*text)) : std::string();
}

}  // namespace

void readCollectiveFacts(const RankEntry& rank, const RowTables* groups, const DeviceActivity& activity, RankFacts& facts,
                         const CancelToken& cancel) {
    const TraceStore& trace = *rank.trace;
    const CollectiveGroups directory(groups, rank.info.rankId);
    const StepSums sums(trace, activity.steps, StepSums::Clock::Device);
    std::map<std::pair<std::string, bool>, CollectiveFacts> byType;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.tracks()[t];
        if (!isGroupTrack(track)) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            if (cancel.cancelled()) return;
            const TimeRange range{trace.begin({i}), trace.end({i})};
            const bool isPeerToPeer = isPeerToPeerName(trace.name({i}));
            CollectiveFacts& sum = byType[{directory.parallelType(track.name, trace.name({i})), isPeerToPeer}];
            sums.add(sum.all, {i}, range.length().value);
            sums.add(sum.exposed, {i}, range.length().value - lengthWithin(activity.computing, range).value);
        }
    }
    for (auto& [key, sum] : byType) {
        sum.parallelType = key.first;
        sum.isPeerToPeer = key.second;
        facts.collectives.push_back(std::move(sum));
    }
}

void readMemoryFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts) {
    static constexpr auto kComponent = rowColumn(RowKind::MemorySample, "component");
    static constexpr auto kTime = rowColumn(RowKind::MemorySample, "ts");
    static constexpr auto kAllocated = rowColumn(RowKind::MemorySample, "allocated");
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::MemorySample);
    if (table == nullptr) return;
    // The pool of the framework, by its name (formats/csv.md section 6).
    std::optional<StringId> component;
    for (const std::string_view name : {"PTA", "MindSpore"}) {
        if (!component) component = rank.rows->texts().find(name);
    }
    std::vector<TimeNs> borders;
    for (const StepSpan& span : steps) {
        if (!span.host) continue;
        if (borders.empty()) borders.push_back(span.host->begin);
        borders.push_back(span.host->end);
    }
    if (!component || borders.empty()) return;
    std::optional<std::int64_t> first;
    std::vector<std::pair<TimeNs, std::int64_t>> last(borders.size(), {{-kMaxTimeNs}, -1});
    for (std::size_t row = 0; row < table->size(); ++row) {
        const auto time = table->integer(kTime, row), allocated = table->integer(kAllocated, row);
        if (table->text(kComponent, row) != component || !time || !allocated) continue;
        if (!first) first = *allocated;
        // The first border at or behind the sample; the sample holds for it until a later one comes.
        const auto border = std::lower_bound(borders.begin(), borders.end(), TimeNs{*time});
        if (border == borders.end()) continue;
        auto& known = last[static_cast<std::size_t>(border - borders.begin())];
        if (known.first <= TimeNs{*time}) known = {TimeNs{*time}, *allocated};
    }
    for (std::size_t i = 1; i < last.size(); ++i) {
        if (last[i].second < 0) last[i].second = last[i - 1].second;
    }
    for (const auto& [time, bytes] : last) {
        // Before the first sample the pool is as that one shows it, but for one block.
        facts.allocatedAtBorders.push_back(bytes >= 0 ? bytes : first.value_or(0));
    }
}

namespace {

/// Packets of a collective go over several planes at once: what part of the sum of their times passes on the main plane.
class PlaneShares {
public:
    explicit PlaneShares(const RowTables& tables) {
        const RowTable* packets = tables.find(RowKind::Packet);
        const RowTable* collectives = tables.find(RowKind::Collective);
        const auto sdma = tables.texts().find("SDMA");
        for (std::size_t row = 0; packets != nullptr && row < packets->size(); ++row) {
            if (sdma && packets->text(rowColumn(RowKind::Packet, "transport"), row) == sdma) continue;
            m_shares[keyOf(*packets, row)].packets += packets->integer(rowColumn(RowKind::Packet, "dur"), row).value_or(0);
        }
        for (std::size_t row = 0; collectives != nullptr && row < collectives->size(); ++row) {
            const auto known = m_shares.find(keyOf(*collectives, row));
            if (known != m_shares.end())
                known->second.transit += collectives->integer(rowColumn(RowKind::Collective, "transit"), row).value_or(0);
        }
    }
    /// 0..1 for a row of `packet`; 1 where the collective is not known.
    double of(const RowTable& packets, std::size_t row) const {
        const auto known = m_shares.find(keyOf(packets, row));
        if (known == m_shares.end() || known->second.transit <= 0 || known->second.packets <= known->second.transit) return 1;
        return static_cast<double>(known->second.transit) / static_cast<double>(known->second.packets);
    }

private:
    using Key = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;
    struct Times {
        std::int64_t packets = 0, transit = 0;  ///< ns
    };
    static Key keyOf(const RowTable& table, std::size_t row) {
        const auto text = [&](std::string_view column) {
            return table.text(rowColumn(table.kind(), column), row).value_or(StringId{}).value;
        };
        return {table.integer(rowColumn(table.kind(), "step"), row).value_or(kNoCell), text("group_name"), text("op_name")};
    }
    std::map<Key, Times> m_shares;
};

}  // namespace

void readTransferFacts(const RankEntry& rank, RankFacts& facts) {
    if (rank.rows == nullptr) return;
    const RowTables& tables = *rank.rows;
    if (const RowTable* table = tables.find(RowKind::Packet)) {
        constexpr auto K = RowKind::Packet;
        const PlaneShares shares(tables);
        std::map<std::tuple<std::optional<std::int64_t>, std::string, std::int64_t>, PacketFacts> sums;
        for (std::size_t row = 0; row < table->size(); ++row) {
            const auto size = table->integer(rowColumn(K, "packet_size"), row), count = table->integer(rowColumn(K, "count"), row);
            const auto time = table->integer(rowColumn(K, "dur"), row);
            if (!size || !count || !time) continue;
            const auto step = table->integer(rowColumn(K, "step"), row);
            std::string transport = textOf(tables, *table, rowColumn(K, "transport"), row);
            PacketFacts& sum = sums[{step, transport, *size}];
            sum.step = step;
            sum.transport = std::move(transport);
            sum.packetSize = *size;
            sum.count += *count;
            sum.time += *time;
            ++sum.operators;
            const double share = shares.of(*table, row);
            sum.mainTime += static_cast<double>(*time) * share;
            sum.mainBytes += static_cast<double>(*size) * static_cast<double>(*count) * share;
        }
        for (auto& [key, sum] : sums) facts.packets.push_back(std::move(sum));
    }
    if (const RowTable* table = tables.find(RowKind::Link)) {
        constexpr auto K = RowKind::Link;
        const auto total = tables.texts().find("total");
        std::map<std::tuple<std::optional<std::int64_t>, std::int64_t, std::int64_t, std::string>, LinkFacts> sums;
        for (std::size_t row = 0; row < table->size(); ++row) {
            if (!total || table->text(rowColumn(K, "selection"), row) != total) continue;
            const auto source = table->integer(rowColumn(K, "src_rank"), row), target = table->integer(rowColumn(K, "dst_rank"), row);
            const auto size = table->integer(rowColumn(K, "size"), row), time = table->integer(rowColumn(K, "transit"), row);
            if (!source || !target || *source == *target || !size || !time) continue;
            const auto step = table->integer(rowColumn(K, "step"), row);
            std::string transport = textOf(tables, *table, rowColumn(K, "transport"), row);
            LinkFacts& sum = sums[{step, *source, *target, transport}];
            sum.step = step;
            sum.source = *source;
            sum.target = *target;
            sum.transport = std::move(transport);
            sum.size += *size;
            sum.time += *time;
        }
        for (auto& [key, sum] : sums) facts.links.push_back(std::move(sum));
    }
}

}  // namespace altiscope
