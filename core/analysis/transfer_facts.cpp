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
        if (track.kind != TrackKind::Communication || track.name.starts_with("Plane")) continue;
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
    std::vector<std::pair<TimeNs, std::int64_t>> last(borders.size(), {{-kMaxTimeNs}, -1});
    for (std::size_t row = 0; row < table->size(); ++row) {
        const auto time = table->integer(kTime, row), allocated = table->integer(kAllocated, row);
        if (table->text(kComponent, row) != component || !time || !allocated) continue;
        // The first border at or behind the sample; the sample holds for it until a later one comes.
        const auto border = std::lower_bound(borders.begin(), borders.end(), TimeNs{*time});
        if (border == borders.end()) continue;
        auto& known = last[static_cast<std::size_t>(border - borders.begin())];
        if (known.first <= TimeNs{*time}) known = {TimeNs{*time}, *allocated};
    }
    for (std::size_t i = 1; i < last.size(); ++i) {
        if (last[i].second < 0) last[i].second = last[i - 1].second;
    }
    // Before the first sample nothing is known.
    for (const auto& [time, bytes] : last) {
        if (bytes >= 0) facts.allocatedAtBorders.push_back(bytes);
    }
}

void readTransferFacts(const RankEntry& rank, RankFacts& facts) {
    if (rank.rows == nullptr) return;
    const RowTables& tables = *rank.rows;
    if (const RowTable* table = tables.find(RowKind::Packet)) {
        constexpr auto K = RowKind::Packet;
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
