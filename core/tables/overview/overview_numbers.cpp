#include "core/tables/overview/overview_numbers.h"

#include "core/analysis/steps/step_breakdown.h"
#include "core/analysis/steps/step_parts.h"
#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"
#include "core/store/rows/row_devices.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

Origin originOf(const RowTables& rows, const RowTable& table, std::size_t column, std::size_t row) {
    const auto id = table.text(column, row);
    return id && rows.text(*id) == originName(Origin::Computed) ? Origin::Computed : Origin::Recorded;
}

/// The time within at least one of the ranges, ns.
std::int64_t coveredTime(std::vector<TimeRange> ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
    std::int64_t covered = 0;
    TimeNs end = ranges.empty() ? TimeNs{} : ranges.front().begin;
    for (const TimeRange& range : ranges) {
        if (range.end <= end) continue;
        covered += range.end.value - std::max(range.begin, end).value;
        end = range.end;
    }
    return covered;
}

std::string textOf(const RowTables& rows, const RowTable& table, std::size_t column, std::size_t row) {
    const auto id = table.text(column, row);
    return id ? std::string(rows.text(*id)) : std::string();
}

StepTime stepTimeOf(const RowTable& table, std::size_t row) {
    const StepBreakdown breakdown = stepBreakdownAt(table, row);
    StepTime time;
    time.step = breakdown.step;
    for (const StepPartInfo& info : stepParts())
        time.parts[static_cast<std::size_t>(info.part)] = valueOf(breakdown, info.part);
    return time;
}

bool isWithin(const std::vector<TimeRange>& times, TimeNs time) {
    const auto after = std::upper_bound(times.begin(), times.end(), time,
                                        [](TimeNs t, const TimeRange& range) { return t < range.begin; });
    return after != times.begin() && time < (after - 1)->end;
}

/// @param times  By begin, disjoint; nullopt: all.
std::vector<MemoryPeak> peaksOf(const RowTables& rows, RankIndex rank,
                                const std::optional<std::vector<TimeRange>>& times) {
    const RowTable* table = rows.find(RowKind::MemorySample);
    if (table == nullptr) return {};
    constexpr RowKind kKind = RowKind::MemorySample;
    using Device = std::optional<std::int64_t>;
    const bool byDevice = hasSeveralDevices(*table);
    std::map<std::pair<std::string, Device>, MemoryPeak> peaks;
    std::map<std::pair<std::int64_t, Device>, MemoryPeak*> byText;
    for (std::size_t row = 0; row < table->size(); ++row) {
        const auto reserved = table->integer(fixedColumn(kKind, "reserved"), row);
        const auto component = table->integer(fixedColumn(kKind, "component"), row);
        if (!reserved || !component) continue;
        const auto time = table->integer(fixedColumn(kKind, "ts"), row);
        if (times && (!time || !isWithin(*times, TimeNs{*time}))) continue;
        const Device device = byDevice ? table->integer(fixedColumn(kKind, "device_id"), row) : std::nullopt;
        MemoryPeak*& peak = byText[{*component, device}];
        if (peak == nullptr) {
            const std::string name = textOf(rows, *table, fixedColumn(kKind, "component"), row);
            const MemoryPeak none{.rank = rank, .device = device, .component = name, .reserved = -1, .allocated = {}};
            peak = &peaks.try_emplace({name, device}, none).first->second;
        }
        if (*reserved <= peak->reserved) continue;
        peak->reserved = *reserved;
        peak->allocated = table->integer(fixedColumn(kKind, "allocated"), row);
        peak->at = time.value_or(0);
    }
    std::vector<MemoryPeak> list;
    for (auto& [key, peak] : peaks) list.push_back(std::move(peak));
    return list;
}

}  // namespace

std::vector<std::int64_t> stepNumbers(const CaptureStore& capture) {
    std::vector<std::int64_t> numbers;
    const std::vector<Step>* before = nullptr;
    const auto sameNumber = [](const Step& a, const Step& b) { return a.number == b.number; };
    for (const RankEntry& rank : capture.ranks) {
        // The ranks of a job nearly always have the same steps.
        if (before != nullptr &&
            std::equal(rank.steps.begin(), rank.steps.end(), before->begin(), before->end(), sameNumber))
            continue;
        before = &rank.steps;
        for (const Step& step : rank.steps) numbers.push_back(step.number);
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

std::vector<StepTime> stepTimesOf(const RowTables& rows, RankIndex rank) {
    std::vector<StepTime> times;
    const RowTable* table = rows.find(RowKind::StepBreakdown);
    if (table == nullptr) return times;
    const std::size_t device = fixedColumn(RowKind::StepBreakdown, "device_id");
    std::set<std::optional<std::int64_t>> devices;
    for (std::size_t row = 0; row < table->size(); ++row) devices.insert(table->integer(device, row));
    for (std::size_t row = 0; row < table->size(); ++row) {
        StepTime& time = times.emplace_back(stepTimeOf(*table, row));
        time.rank = rank;
        if (devices.size() > 1) time.device = table->integer(device, row);
        time.origin = originOf(rows, *table, fixedColumn(RowKind::StepBreakdown, "origin"), row);
    }
    return times;
}

std::vector<StepPhases> stepPhasesOf(const RowTables& rows, RankIndex rank) {
    constexpr auto PH = RowKind::StepPhase;
    const RowTable* table = rows.find(PH);
    if (table == nullptr) return {};
    struct Known {
        std::array<std::optional<std::int64_t>, kStepPhases> durations{};
        std::vector<TimeRange> reduces;
    };
    const bool byDevice = hasSeveralDevices(*table);
    using Device = std::optional<std::int64_t>;
    std::map<std::pair<Device, std::optional<std::int64_t>>, Known> steps;
    for (std::size_t row = 0; row < table->size(); ++row) {
        const auto text = table->text(fixedColumn(PH, "phase"), row);
        const auto dur = table->integer(fixedColumn(PH, "dur"), row), ts = table->integer(fixedColumn(PH, "ts"), row);
        const std::string_view phase = text ? rows.text(*text) : std::string_view();
        const bool isPass = phase == "forward_backward" || phase == "forward";
        const auto which = phase == "iteration_interval" ? std::optional(StepPhase::Interval)
                           : isPass                      ? std::optional(StepPhase::Passes)
                           : phase == "tail"             ? std::optional(StepPhase::Tail)
                           : phase == "reduce"           ? std::optional(StepPhase::Reduce)
                                                         : std::nullopt;
        if (!which || !dur) continue;
        const Device device = byDevice ? table->integer(fixedColumn(PH, "device_id"), row) : std::nullopt;
        Known& known = steps[{device, table->integer(fixedColumn(PH, "step"), row)}];
        if (*which == StepPhase::Reduce) {
            if (ts) known.reduces.push_back({{*ts}, {*ts + *dur}});
            continue;
        }
        auto& sum = known.durations[static_cast<std::size_t>(*which)];
        std::int64_t value = sum.value_or(0);
        addSaturated(value, *dur);
        sum = value;
    }
    std::vector<StepPhases> list;
    for (auto& [key, known] : steps) {
        if (!known.reduces.empty())
            known.durations[static_cast<std::size_t>(StepPhase::Reduce)] = coveredTime(std::move(known.reduces));
        list.push_back({rank, key.first, key.second, known.durations});
    }
    return list;
}

void addConsumers(const RowTables& rows, std::vector<TopConsumer>& sums) {
    const RowTable* table = rows.find(RowKind::OpStat);
    if (table == nullptr) return;
    constexpr RowKind kKind = RowKind::OpStat;
    using Key = std::tuple<std::string, std::string, Origin>;
    std::map<Key, std::size_t> places;
    for (std::size_t i = 0; i < sums.size(); ++i) places.emplace(Key{sums[i].name, sums[i].core, sums[i].origin}, i);
    std::set<std::size_t> ofRank;  // a row for each of its devices
    for (std::size_t row = 0; row < table->size(); ++row) {
        const Key key{textOf(rows, *table, fixedColumn(kKind, "name"), row),
                      textOf(rows, *table, fixedColumn(kKind, "core_type"), row),
                      originOf(rows, *table, fixedColumn(kKind, "origin"), row)};
        const auto [place, isNew] = places.try_emplace(key, sums.size());
        if (isNew) {
            TopConsumer& fresh = sums.emplace_back();
            std::tie(fresh.name, fresh.core, fresh.origin) = key;
        }
        TopConsumer& sum = sums[place->second];
        addSaturated(sum.count, table->integer(fixedColumn(kKind, "count"), row).value_or(0));
        addSaturated(sum.total, table->integer(fixedColumn(kKind, "total"), row).value_or(0));
        sum.max = std::max(sum.max, table->integer(fixedColumn(kKind, "max"), row).value_or(0));
        if (ofRank.insert(place->second).second) ++sum.ranks;
    }
}

void sortConsumers(std::vector<TopConsumer>& sums) {
    std::sort(sums.begin(), sums.end(), [](const TopConsumer& a, const TopConsumer& b) {
        return std::tie(b.total, a.name, a.core, a.origin) < std::tie(a.total, b.name, b.core, b.origin);
    });
}

namespace {

/// @param first  Of the times, from which those of a rank and origin stand in the order of its rows.
void setUses(std::vector<StepTime>& times, std::size_t first, std::span<const StepUse> uses) {
    for (std::size_t i = 0; i < uses.size() && first + i < times.size(); ++i) times[first + i].use = uses[i];
}

/// Where nothing tells what the device did in a step. Times between marks of the timeline are the host's, others those
/// of a table of steps.
void addWholeSteps(OverviewNumbers& numbers) {
    std::set<RankIndex> known;
    for (const StepTime& time : numbers.steps) known.insert(time.rank);
    for (std::size_t i = 0; i < numbers.capture->ranks.size(); ++i) {
        if (known.contains(rankIndex(i))) continue;
        for (const Step& step : numbers.capture->ranks[i].steps) {
            if (!step.range || step.isOfDevice) continue;
            StepTime& time = numbers.steps.emplace_back();
            time.rank = rankIndex(i);
            time.step = step.number;
            time.isOfHost = numbers.capture->ranks[i].trace != nullptr;
            time.parts[static_cast<std::size_t>(StepPart::Step)] = step.range->end.value - step.range->begin.value;
        }
    }
}

}  // namespace

bool addComputed(OverviewNumbers& numbers, const CaptureAnalysis& analysis, const CancelToken& cancel) {
    // Makes the rows of all ranks too, side by side; findings need the facts at the same time.
    if (analysis.facts(cancel) == nullptr) return false;
    const std::size_t recorded = numbers.steps.size();
    for (RankIndex rank; rank.value < analysis.capture().ranks.size(); ++rank.value) {
        const auto computed = analysis.rank(rank, cancel);
        if (computed == nullptr) return false;
        const auto own =
            std::lower_bound(numbers.steps.begin(), numbers.steps.begin() + static_cast<std::ptrdiff_t>(recorded), rank,
                             [](const StepTime& time, RankIndex r) { return time.rank < r; });
        setUses(numbers.steps, static_cast<std::size_t>(own - numbers.steps.begin()), computed->stepUses.recorded);
        if (computed->rows == nullptr) continue;
        auto steps = stepTimesOf(*computed->rows, rank);
        setUses(steps, 0, computed->stepUses.computed);
        numbers.steps.insert(numbers.steps.end(), steps.begin(), steps.end());
        addConsumers(*computed->rows, numbers.top);
    }
    addWholeSteps(numbers);
    std::stable_sort(numbers.steps.begin(), numbers.steps.end(),
                     [](const StepTime& a, const StepTime& b) { return a.rank < b.rank; });
    sortConsumers(numbers.top);
    return !cancel.cancelled();
}

std::optional<OverviewNumbers> recordedOverview(std::shared_ptr<const CaptureStore> capture,
                                                const ContextFilter& context, const CancelToken& cancel) {
    struct Part {
        std::vector<StepTime> steps;
        std::vector<StepPhases> phases;
        std::vector<MemoryPeak> peaks;
        std::optional<std::int64_t> mostReserved;
    };
    const auto& ranks = capture->ranks;
    std::vector<Part> parts(ranks.size());
    parallelFor(ranks.size(), [&](std::size_t i) {
        if (cancel.cancelled() || ranks[i].rows == nullptr) return;
        const RankIndex rank = rankIndex(i);
        Part& part = parts[i];
        part.steps = stepTimesOf(*ranks[i].rows, rank);
        part.phases = stepPhasesOf(*ranks[i].rows, rank);
        part.peaks = peaksOf(*ranks[i].rows, rank, std::nullopt);
        for (const MemoryPeak& peak : part.peaks)
            part.mostReserved = std::max(part.mostReserved.value_or(0), peak.reserved);
        if (const auto times = timesOf(context.onClockOf(rank), ranks[i]))
            part.peaks = peaksOf(*ranks[i].rows, rank, times);
    });
    OverviewNumbers numbers;
    for (std::size_t i = 0; i < ranks.size() && !cancel.cancelled(); ++i) {
        numbers.steps.insert(numbers.steps.end(), parts[i].steps.begin(), parts[i].steps.end());
        numbers.phases.insert(numbers.phases.end(), parts[i].phases.begin(), parts[i].phases.end());
        std::move(parts[i].peaks.begin(), parts[i].peaks.end(), std::back_inserter(numbers.peaks));
        if (parts[i].mostReserved)
            numbers.mostReserved = std::max(numbers.mostReserved.value_or(0), *parts[i].mostReserved);
        if (ranks[i].rows != nullptr) addConsumers(*ranks[i].rows, numbers.top);
    }
    if (cancel.cancelled()) return std::nullopt;
    sortConsumers(numbers.top);
    numbers.capture = std::move(capture);
    return numbers;
}

}  // namespace altiscope
