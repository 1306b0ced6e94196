#include "core/compare/measures.h"

#include "core/analysis/steps/kernel_devices.h"
#include "core/analysis/support/cell_reader.h"
#include "core/analysis/support/link_totals.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/time.h"
#include "core/compare/host_pauses.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <string_view>
#include <unordered_map>

namespace altiscope {

namespace {

constexpr std::size_t kRowsBetweenPolls = 4096;
constexpr std::uint32_t kNoText = std::numeric_limits<std::uint32_t>::max();

/// Key of the sums by step: some texts.
using Texts = std::array<std::uint32_t, 3>;
struct HashOfTexts {
    std::size_t operator()(const Texts& texts) const {
        std::uint64_t hash = 0;
        for (const std::uint32_t text : texts) hash = (hash ^ text) * 0x9E3779B97F4A7C15ULL + (hash >> 29U);
        return hash;
    }
};
using Sums = std::unordered_map<Texts, std::vector<StepSum>, HashOfTexts>;

/// Sums of rows of the same texts.
struct RowSums {
    std::vector<StepSum> steps;
    std::size_t rows = 0;
};

/// One rank of a side while it is read.
struct RankReading {
    const RankEntry& rank;
    const MeasuredPart& part;
    const RecordedTexts& kernelTexts;
    Measures& to;
    const CancelToken& cancel;
};

/// A table of a rank whose rows are summed up by step and texts.
struct SummedTable {
    RowKind kind;
    Dimension dimension;
    std::string_view value;
    std::array<std::string_view, 3> texts;  // empty: none
};
constexpr SummedTable kKernels{RowKind::Kernel, Dimension::Kernel, "dur", {"name", "type", "input_shapes"}};
constexpr SummedTable kOperators{RowKind::Operator, Dimension::Operator, "self_dur", {"name", "", ""}};

std::string joined(const RowTables& tables, const Texts& texts, const SummedTable& summed) {
    std::string key;
    for (std::size_t i = 0; i < texts.size() && !summed.texts[i].empty(); ++i) {
        if (i > 0) key += " | ";
        if (texts[i] != kNoText) key += tables.text(StringId{texts[i]});
    }
    return key;
}

/// The steps of a rank on its host's clock, by begin, each with some number.
using HostSteps = std::vector<std::pair<TimeRange, std::size_t>>;

constexpr TimeRange kWhole{{std::numeric_limits<std::int64_t>::min()}, {std::numeric_limits<std::int64_t>::max()}};

void sortByBegin(HostSteps& ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](const auto& a, const auto& b) { return a.first.begin.value < b.first.begin.value; });
}

/// Those that are looked at, with their places among these.
HostSteps hostSteps(const RankReading& reading) {
    HostSteps ranges;
    for (const Step& step : reading.rank.steps) {
        const auto place = reading.part.step(step.number);
        if (place && step.range) ranges.emplace_back(*step.range, *place);
    }
    // A recording that states no steps is one.
    if (const auto place = reading.part.step(std::nullopt); place && reading.rank.steps.empty())
        ranges.emplace_back(kWhole, *place);
    sortByBegin(ranges);
    return ranges;
}

/// The number of the step that a time lies in; nullopt if in none.
std::optional<std::size_t> stepAt(const HostSteps& steps, std::int64_t time) {
    const auto after = std::upper_bound(steps.begin(), steps.end(), time,
                                        [](std::int64_t t, const auto& step) { return t < step.first.begin.value; });
    if (after == steps.begin() || time >= std::prev(after)->first.end.value) return std::nullopt;
    return std::prev(after)->second;
}

/// As stepAt(), or the place of the step that a collection between it and the one before it delays.
std::optional<std::size_t> stepOfCollection(const HostSteps& steps, const std::vector<Step>& all, std::int64_t time) {
    if (const auto at = stepAt(steps, time)) return at;
    const auto next = std::upper_bound(steps.begin(), steps.end(), time,
                                       [](std::int64_t t, const auto& step) { return t < step.first.begin.value; });
    if (next == steps.begin() || next == steps.end()) return std::nullopt;
    const bool isNext = all[next->second].number == all[std::prev(next)->second].number + 1;
    return isNext ? std::optional(next->second) : std::nullopt;
}

/// Collections of garbage stop the operators of a rank, and are none of their own time: each step's sum by name.
void addCollections(const RankReading& reading, std::vector<bool>& recorded) {
    if (reading.rank.trace == nullptr) return;
    const TraceStore& trace = *reading.rank.trace;
    HostSteps steps;
    for (std::size_t i = 0; i < reading.rank.steps.size(); ++i)
        if (reading.rank.steps[i].range) steps.emplace_back(*reading.rank.steps[i].range, i);
    sortByBegin(steps);
    std::map<std::string_view, std::vector<StepSum>> sums;
    std::size_t visited = 0;
    for (const SliceIndex slice : garbageCollections(trace, reading.cancel)) {
        if (visited++ % kRowsBetweenPolls == 0 && reading.cancel.cancelled()) return;
        // As operators: what lies in no step counts where the whole run is one.
        const auto at = stepOfCollection(steps, reading.rank.steps, trace.begin(slice).value);
        const auto step = reading.part.step(at ? std::optional(reading.rank.steps[*at].number) : std::nullopt);
        if (!step) continue;
        recorded[*step] = true;
        addTo(sums[trace.name(slice)], *step, static_cast<double>(trace.duration(slice).value));
    }
    for (auto& [name, ofSteps] : sums)
        reading.to.add({.dimension = Dimension::Operator, .rankId = {}, .key = std::string(name)}, std::move(ofSteps));
}

/// Operators of a rank without a table of them; its steps are recorded where it has collections.
void measureCollections(const RankReading& reading) {
    const RowTables* tables = reading.rank.rows.get();
    if (reading.rank.trace == nullptr || (tables != nullptr && tables->find(RowKind::Operator) != nullptr)) return;
    const auto& tracks = reading.rank.trace->tracks();
    if (std::none_of(tracks.begin(), tracks.end(), [](const auto& track) { return track.kind == TrackKind::Gc; }))
        return;
    std::vector<bool> recorded(reading.part.stepCount(), false);
    for (const auto& [range, step] : hostSteps(reading)) recorded[step] = true;
    addCollections(reading, recorded);
    reading.to.addRecorded(Dimension::Operator, recorded);
}

/// Kernels by their keys, how often they run, and their types.
void addKernelSums(const RankReading& reading, std::unordered_map<Texts, RowSums, HashOfTexts> sums) {
    const RowTables& tables = *reading.rank.rows;
    std::map<std::string_view, std::vector<StepSum>> types;
    for (auto& [key, ofRows] : sums) {
        if (reading.cancel.cancelled()) return;
        if (key[1] != kNoText) {
            std::vector<StepSum>& type = types[tables.text(StringId{key[1]})];
            type.insert(type.end(), ofRows.steps.begin(), ofRows.steps.end());
        }
        std::string name = joined(tables, key, kKernels);
        reading.to.addKernels(name, ofRows.rows);
        reading.to.add({.dimension = Dimension::Kernel, .rankId = {}, .key = std::move(name)}, std::move(ofRows.steps));
    }
    for (auto& [type, steps] : types)
        reading.to.add({.dimension = Dimension::KernelType, .rankId = {}, .key = std::string(type)}, std::move(steps));
}

/// Steps, values and keys of the rows of a table, as far as they are compared.
class SummedRows {
public:
    SummedRows(const RankReading& reading, const SummedTable& summed, const RowTable& table)
        : m_reading(reading), m_isCompared{true, !isKernel(summed) || reading.kernelTexts.types,
                                           !isKernel(summed) || reading.kernelTexts.shapes},
          // Collectives are a dimension of their own.
          m_collective(isKernel(summed) ? reading.rank.rows->texts().find("communication") : std::nullopt),
          m_steps(table, rowColumn(summed.kind, "step")), m_values(table, rowColumn(summed.kind, summed.value)),
          m_kinds(table, m_collective ? fixedColumn(RowKind::Kernel, "kind") : 0),
          m_device(reading.part.device(reading.rank.info.rankId)) {
        for (const std::string_view column : summed.texts)
            if (!column.empty()) m_texts.emplace_back(table, rowColumn(summed.kind, column));
        if (m_device && isKernel(summed)) m_devices.emplace(reading.rank);
        if (summed.dimension == Dimension::Operator && reading.rank.trace != nullptr)
            m_pauses = pausesOfOperators(reading.rank, reading.cancel);
    }

    struct Value {
        std::size_t step = 0;
        std::int64_t value = 0;
    };
    /// nullopt if the row has no value, or is of another device or step.
    std::optional<Value> value(std::size_t row) {
        std::int64_t value = m_values.at(row);
        if (value == kNoCell || (m_devices && m_devices->of(row) != m_device)) return std::nullopt;
        if (const auto paused = m_pauses.find(row); paused != m_pauses.end())
            value = std::max<std::int64_t>(0, value - paused->second);
        const std::int64_t number = m_steps.at(row);
        const auto step = m_reading.part.step(number == kNoCell ? std::nullopt : std::optional(number));
        if (!step) return std::nullopt;
        return Value{*step, value};
    }

    bool isCollective(std::size_t row) { return m_collective && m_kinds.at(row) == m_collective->value; }

    Texts key(std::size_t row) {
        Texts key{kNoText, kNoText, kNoText};
        for (std::size_t i = 0; i < m_texts.size(); ++i) {
            const std::int64_t text = m_isCompared[i] ? m_texts[i].at(row) : kNoCell;
            if (text != kNoCell) key[i] = static_cast<std::uint32_t>(text);
        }
        return key;
    }

    bool comparesTypes() const { return m_isCompared[1]; }

private:
    static bool isKernel(const SummedTable& summed) { return summed.kind == RowKind::Kernel; }

    const RankReading& m_reading;
    std::array<bool, 3> m_isCompared;  ///< By the text of the key.
    std::optional<StringId> m_collective;
    CellReader m_steps, m_values, m_kinds;
    std::vector<CellReader> m_texts;
    std::optional<std::int64_t> m_device;
    std::optional<KernelDevices> m_devices;
    std::unordered_map<std::size_t, std::int64_t> m_pauses;  ///< By the row of the operator.
};

void measureTable(const RankReading& reading, const SummedTable& summed) {
    const RowTables* tables = reading.rank.rows.get();
    const RowTable* table = tables == nullptr ? nullptr : tables->find(summed.kind);
    if (table == nullptr) return;
    SummedRows rows(reading, summed, *table);
    std::unordered_map<Texts, RowSums, HashOfTexts> sums;
    std::vector<bool> recorded(reading.part.stepCount(), false);
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && reading.cancel.cancelled()) return;
        const auto read = rows.value(row);
        if (!read) continue;
        recorded[read->step] = true;
        if (rows.isCollective(row)) continue;
        RowSums& ofKey = sums[rows.key(row)];
        addTo(ofKey.steps, read->step, static_cast<double>(read->value));
        ++ofKey.rows;
    }
    if (summed.dimension == Dimension::Operator) addCollections(reading, recorded);
    reading.to.addRecorded(summed.dimension, recorded);
    if (summed.kind == RowKind::Kernel) {
        if (rows.comparesTypes()) reading.to.addRecorded(Dimension::KernelType, recorded);
        return addKernelSums(reading, std::move(sums));
    }
    for (auto& [key, ofRows] : sums) {
        if (reading.cancel.cancelled()) return;
        reading.to.add({.dimension = summed.dimension, .rankId = {}, .key = joined(*tables, key, summed)},
                       std::move(ofRows.steps));
    }
}

void measureCalls(const RankReading& reading) {
    const auto steps = hostSteps(reading);
    if (reading.rank.trace == nullptr || steps.empty()) return;
    const TraceStore& trace = *reading.rank.trace;
    Sums sums;
    std::vector<bool> recorded(reading.part.stepCount(), false);
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.tracks()[t].kind != TrackKind::Cann) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            if (i % kRowsBetweenPolls == 0 && reading.cancel.cancelled()) return;
            const auto step = stepAt(steps, trace.begin({i}).value);
            if (!step) continue;
            recorded[*step] = true;
            addTo(sums[{trace.nameId({i}).value, kNoText, kNoText}], *step,
                  static_cast<double>(trace.selfDuration({i}).value));
        }
    }
    reading.to.addRecorded(Dimension::Api, recorded);
    for (auto& [key, ofSteps] : sums)
        reading.to.add({.dimension = Dimension::Api, .rankId = {}, .key = std::string(trace.text(StringId{key[0]}))},
                       std::move(ofSteps));
}

/// Links between two ranks that are known: the files' totals, or without these the single calls.
void measureLinks(const RankReading& reading) {
    constexpr RowKind kLink = RowKind::Link;
    const RowTables* tables = reading.rank.rows.get();
    const RowTable* table = tables == nullptr ? nullptr : tables->find(kLink);
    if (table == nullptr) return;
    const auto summed = summedSelection(*tables, *table);
    constexpr std::size_t kSelection = fixedColumn(kLink, "selection");
    std::map<std::string, std::vector<StepSum>> sums;
    std::vector<bool> recorded(reading.part.stepCount(), false);
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && reading.cancel.cancelled()) return;
        if (!summed || table->text(kSelection, row) != summed) continue;
        const auto source = table->integer(fixedColumn(kLink, "src_rank"), row);
        const auto target = table->integer(fixedColumn(kLink, "dst_rank"), row);
        const auto time = table->integer(fixedColumn(kLink, "transit"), row);
        const auto step = reading.part.step(table->integer(fixedColumn(kLink, "step"), row));
        if (!source || !target || source == target || !time || !step) continue;
        const auto transport = table->text(fixedColumn(kLink, "transport"), row);
        recorded[*step] = true;
        std::string key = std::to_string(*source);
        key.append("-").append(std::to_string(*target));
        if (transport) key.append(" ").append(tables->text(*transport));
        addTo(sums[key], *step, static_cast<double>(*time));
    }
    const auto rank = reading.rank.info.rankId;
    reading.to.addRecordedLinks(rank, recorded);
    for (auto& [key, ofSteps] : sums) reading.to.addLink(key, rank, std::move(ofSteps));
}

/// The pool of the framework (core/import/csv/FORMAT.md section 6), else all components.
std::optional<StringId> poolOf(const RowTables& tables) {
    for (const std::string_view name : {"PTA+GE", "PTA", "MindSpore"})
        if (const auto pool = tables.texts().find(name)) return pool;
    return std::nullopt;
}

/// Value of the rank, and as a part of the mean.
void addMemory(const RankReading& reading, const std::string& key, const std::vector<StepSum>& values) {
    if (values.empty()) return;
    MeasureKey measure{.dimension = Dimension::Memory, .unit = DifferenceUnit::Bytes, .rankId = {}, .key = key};
    reading.to.add(measure, values);
    measure.rankId = reading.rank.info.rankId;
    if (measure.rankId) reading.to.add(measure, values);
}

/// Peaks of a size in the steps of a rank, in the order of `steps`; nullopt before the first sample.
std::vector<std::optional<std::int64_t>> peaksOf(const RankReading& reading, const HostSteps& steps,
                                                 std::string_view column) {
    constexpr RowKind kSample = RowKind::MemorySample;
    const RowTables& tables = *reading.rank.rows;
    const RowTable& table = *tables.find(kSample);
    const auto pool = poolOf(tables);
    CellReader times(table, fixedColumn(kSample, "ts")), components(table, fixedColumn(kSample, "component"));
    CellReader sizes(table, rowColumn(kSample, column));
    std::vector<std::optional<std::int64_t>> peaks(steps.size());
    for (std::size_t row = 0; row < table.size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && reading.cancel.cancelled()) return {};
        const std::int64_t size = sizes.at(row), time = times.at(row);
        if (size == kNoCell || time == kNoCell || (pool && components.at(row) != pool->value)) continue;
        if (const auto step = stepAt(steps, time)) peaks[*step] = std::max(peaks[*step].value_or(size), size);
    }
    // Where nothing was sampled nothing changed.
    for (std::size_t i = 1; i < peaks.size(); ++i)
        if (!peaks[i]) peaks[i] = peaks[i - 1];
    return peaks;
}

void measureMemory(const RankReading& reading) {
    const RowTables* tables = reading.rank.rows.get();
    if (tables == nullptr || tables->find(RowKind::MemorySample) == nullptr) return;
    // All steps, as growth looks at the one before, which need not be among those that are looked at.
    HostSteps steps;
    for (std::size_t i = 0; i < reading.rank.steps.size(); ++i)
        if (reading.rank.steps[i].range) steps.emplace_back(*reading.rank.steps[i].range, i);
    sortByBegin(steps);
    std::vector<std::optional<std::size_t>> places;
    if (reading.rank.steps.empty() && reading.part.step(std::nullopt)) {
        steps.emplace_back(kWhole, 0);
        places.push_back(reading.part.step(std::nullopt));
    }
    for (std::size_t i = 0; i < reading.rank.steps.size() && i < steps.size(); ++i) {
        places.push_back(reading.part.step(reading.rank.steps[steps[i].second].number));
        steps[i].second = i;
    }
    for (const std::string_view column : {"allocated", "reserved"}) {
        const auto peaks = peaksOf(reading, steps, column);
        std::vector<StepSum> values, growth;
        for (std::size_t i = 0; i < peaks.size(); ++i) {
            if (!places[i] || !peaks[i]) continue;
            addTo(values, *places[i], static_cast<double>(*peaks[i]));
            // A leak grows by the same in each step.
            if (i > 0 && peaks[i - 1])
                addTo(growth, *places[i], static_cast<double>(*peaks[i]) - static_cast<double>(*peaks[i - 1]));
        }
        addMemory(reading, "peak_" + std::string(column), values);
        addMemory(reading, "growth_" + std::string(column), growth);
    }
}

}  // namespace

Result<Done> measureRows(const ComparisonSide& side, const MeasuredPart& part, const RecordedTexts& texts, Measures& to,
                         const CancelToken& cancel) {
    parallelFor(part.ranks().size(), [&](std::size_t i) {
        const RankReading reading{side.capture->ranks[part.ranks()[i].value], part, texts, to, cancel};
        measureTable(reading, kKernels);
        measureTable(reading, kOperators);
        measureCollections(reading);
        measureCalls(reading);
        measureLinks(reading);
        measureMemory(reading);
    });
    if (cancel.cancelled()) return Cancelled{};
    return Done{};
}

}  // namespace altiscope
