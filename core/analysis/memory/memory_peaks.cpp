#include "core/analysis/memory/memory_peaks.h"

#include "core/analysis/facts/fact_readers.h"
#include "core/store/rows/row_devices.h"

#include <algorithm>
#include <map>
#include <utility>

namespace altiscope {

namespace {

constexpr RowKind kModuleRows = RowKind::ModuleMemory;
constexpr auto kModule = fixedColumn(kModuleRows, "component");
constexpr auto kModuleTime = fixedColumn(kModuleRows, "ts");
constexpr auto kModuleReserved = fixedColumn(kModuleRows, "reserved");
constexpr auto kModuleDevice = fixedColumn(kModuleRows, "device_id");

/// Samples of a series within times.
std::vector<std::pair<std::size_t, std::size_t>> spansOf(const MemorySeries& series,
                                                         const std::optional<std::vector<TimeRange>>& times) {
    if (!times) return {{0, series.size()}};
    std::vector<std::pair<std::size_t, std::size_t>> spans;
    for (const TimeRange& range : *times) spans.emplace_back(series.firstAt(range.begin), series.firstAt(range.end));
    return spans;
}

/// The first sample with the largest value.
std::optional<std::size_t> highest(const MemorySeries& series, MemoryQuantity quantity,
                                   const std::vector<std::pair<std::size_t, std::size_t>>& spans) {
    std::optional<std::size_t> best;
    for (const auto& [from, to] : spans) {
        const auto peak = series.peak(quantity, from, to);
        if (peak && (!best || series.value(quantity, *peak) > series.value(quantity, *best))) best = peak;
    }
    return best;
}

std::optional<MemoryPeakPoint> pointOf(const MemorySeries& series, MemoryQuantity quantity,
                                       std::optional<std::size_t> sample) {
    if (!sample) return std::nullopt;
    return MemoryPeakPoint{series.value(quantity, *sample).value_or(0), series.time(*sample)};
}

bool isWithin(const std::optional<std::vector<TimeRange>>& times, std::optional<std::int64_t> at) {
    if (!times) return true;
    return at &&
           std::any_of(times->begin(), times->end(), [&](const TimeRange& range) { return range.contains({*at}); });
}

}  // namespace

bool isSumComponent(std::string_view component) { return component.find('+') != std::string_view::npos; }

std::vector<ComponentPeak> componentPeaks(const MemorySeriesSet& set,
                                          const std::optional<std::vector<TimeRange>>& times) {
    std::vector<ComponentPeak> peaks;
    for (const auto& series : set.series) {
        const auto spans = spansOf(*series, times);
        ComponentPeak peak{.owner = series->owner(),
                           .allocated = {},
                           .reserved = {},
                           .active = {},
                           .fragmentation = {},
                           .allocatedThen = {}};
        for (const auto& [from, to] : spans) peak.samples += to - from;
        if (peak.samples == 0) continue;
        const auto point = [&](MemoryQuantity quantity) {
            return pointOf(*series, quantity, highest(*series, quantity, spans));
        };
        peak.allocated = point(MemoryQuantity::Allocated);
        peak.active = point(MemoryQuantity::Active);
        peak.fragmentation = point(MemoryQuantity::Fragmentation);
        const auto reserved = highest(*series, MemoryQuantity::Reserved, spans);
        peak.reserved = pointOf(*series, MemoryQuantity::Reserved, reserved);
        if (reserved) peak.allocatedThen = series->value(MemoryQuantity::Allocated, *reserved);
        peaks.push_back(std::move(peak));
    }
    return peaks;
}

std::vector<ComponentPeak> modulePeaks(const RowTables& rows, const std::optional<std::vector<TimeRange>>& times,
                                       const CancelToken& cancel) {
    const RowTable* table = rows.find(kModuleRows);
    if (table == nullptr) return {};
    const bool byDevice = hasSeveralDevices(*table);
    std::map<std::pair<std::int64_t, std::optional<std::int64_t>>, ComponentPeak> byModule;
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return {};
        const auto module = table->integer(kModule, row), at = table->integer(kModuleTime, row),
                   reserved = table->integer(kModuleReserved, row);
        if (!isWithin(times, at)) continue;
        const auto device = byDevice ? table->integer(kModuleDevice, row) : std::nullopt;
        ComponentPeak& peak = byModule[{module.value_or(kNoCell), device}];
        ++peak.samples;
        if (reserved && *reserved >= 0 && at &&
            (!peak.reserved || *reserved > peak.reserved->value ||
             (*reserved == peak.reserved->value && *at < peak.reserved->at.value)))
            peak.reserved = MemoryPeakPoint{*reserved, {*at}};
    }
    std::vector<ComponentPeak> peaks;
    for (auto& [key, peak] : byModule) {
        peak.isModule = true;
        peak.owner.device = key.second;
        if (key.first != kNoCell) peak.owner.component = rows.text(StringId{static_cast<std::uint32_t>(key.first)});
        peaks.push_back(std::move(peak));
    }
    return peaks;
}

namespace {

/// Of the streams of one pool the busiest one leads; of devices the fullest.
bool leads(const MemorySeries& series, const MemorySeries& other) {
    if (series.device() == other.device()) return series.size() > other.size();
    const auto most = [](const MemorySeries& of) {
        const bool isAllocated = of.has(MemoryQuantity::Allocated);
        return of.whole(isAllocated ? MemoryQuantity::Allocated : MemoryQuantity::Reserved).max;
    };
    return most(series) > most(other);
}

}  // namespace

std::shared_ptr<const MemorySeries> leadingSeries(const MemorySeriesSet& set) {
    std::shared_ptr<const MemorySeries> best;
    int bestRank = 0;
    for (const auto& series : set.series) {
        const bool isPool = series->component() == "PTA" || series->component() == "MindSpore";
        const int rank = (series->has(MemoryQuantity::Allocated) ? 4 : 0) +
                         (isSumComponent(series->component()) ? 2
                          : isPool                            ? 1
                                                              : 0) +
                         1;
        if (rank < bestRank || (rank == bestRank && !leads(*series, *best))) continue;
        best = series;
        bestRank = rank;
    }
    return best;
}

std::optional<MemoryPeakPoint> leadingPeak(const MemorySeries& series,
                                           const std::optional<std::vector<TimeRange>>& times) {
    const auto spans = spansOf(series, times);
    if (const auto allocated = highest(series, MemoryQuantity::Allocated, spans))
        return pointOf(series, MemoryQuantity::Allocated, allocated);
    return pointOf(series, MemoryQuantity::Reserved, highest(series, MemoryQuantity::Reserved, spans));
}

}  // namespace altiscope
