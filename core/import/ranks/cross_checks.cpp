#include "core/import/ranks/cross_checks.h"

#include "core/base/threads/parallel_sort.h"
#include "core/base/values/parse.h"
#include "core/import/mindspore/legacy_times.h"
#include "core/import/ranks/table_formats.h"
#include "core/import/ranks/tables_alone.h"
#include "core/store/recording_parts.h"
#include "core/store/rows/fixed_column.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

/// Of an end in a text: begin and duration are rounded by themselves.
constexpr std::int64_t kEndTolerance = 3;
/// Of what went through doubles of microseconds since 1970, which are good to 250 ns, and differences of such.
constexpr std::int64_t kDoubleTolerance = 1000;

struct Busy {
    std::int64_t device, begin, end;
    bool isCommunication, hasSlice;
    std::optional<std::int64_t> wait;
};

/// By device and begin; of one begin in the order of the file.
std::vector<Busy> kernelsOf(const RowTables& rows) {
    std::vector<Busy> kernels;
    const RowTable* table = rows.find(RowKind::Kernel);
    const auto communication = rows.texts().find("communication");
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        const auto ts = table->integer(fixedColumn(RowKind::Kernel, "ts"), row);
        if (!ts) continue;
        kernels.push_back(
            {table->integer(fixedColumn(RowKind::Kernel, "device_id"), row).value_or(-1), *ts,
             std::min(kMaxTimeNs, *ts + table->integer(fixedColumn(RowKind::Kernel, "dur"), row).value_or(0)),
             communication && table->text(fixedColumn(RowKind::Kernel, "kind"), row) == communication,
             table->integer(fixedColumn(RowKind::Kernel, "slice_id"), row).has_value(),
             table->integer(fixedColumn(RowKind::Kernel, "wait"), row)});
    }
    const auto earlier = [](const Busy& a, const Busy& b) {
        return std::tuple(a.device, a.begin) < std::tuple(b.device, b.begin);
    };
    if (!std::is_sorted(kernels.begin(), kernels.end(), earlier))
        std::stable_sort(kernels.begin(), kernels.end(), earlier);
    return kernels;
}

/// Each waited since the end of the row before, and the first one not at all.
void reportWaits(const std::string& file, std::span<const Busy> kernels, Diagnostics& diagnostics) {
    std::uint64_t others = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (!kernels[i].wait) continue;
        // The vendor goes from one device to the next without a break.
        if (i > 0 && kernels[i - 1].device != kernels[i].device) continue;
        const std::int64_t gap =
            i == 0 ? 0 : std::clamp<std::int64_t>(kernels[i].begin - kernels[i - 1].end, 0, kMaxTimeNs);
        others += std::abs(*kernels[i].wait - gap) > kDoubleTolerance ? 1 : 0;
    }
    if (others > 0) diagnostics.add("files.waits_differ", Severity::Info, file, {}, {}, others);
}

std::int64_t sumOf(std::int64_t a, std::int64_t b) { return std::min(kMaxTimeNs, a + std::min(kMaxTimeNs, b)); }

using Intervals = std::vector<std::pair<std::int64_t, std::int64_t>>;

Intervals united(Intervals some) {
    if (!std::is_sorted(some.begin(), some.end())) parallelSort(std::span(some), std::less<>(), {});
    Intervals all;
    for (const auto& one : some) {
        if (!all.empty() && one.first <= all.back().second + 2 * kEndTolerance)
            all.back().second = std::max(all.back().second, one.second);
        else all.push_back(one);
    }
    return all;
}

/// How many of `some` lie in none of `all`.
std::uint64_t countOutside(const Intervals& some, const Intervals& all) {
    std::uint64_t count = 0;
    for (const auto& [begin, end] : some) {
        auto at = std::upper_bound(all.begin(), all.end(), begin + kEndTolerance,
                                   [](std::int64_t time, const auto& one) { return time < one.first; });
        count += at == all.begin() || (at - 1)->second + kEndTolerance < end ? 1 : 0;
    }
    return count;
}

Intervals overlapOf(const TraceStore& trace, std::string_view name) {
    Intervals found;
    const auto wanted = trace.texts().find(name);
    for (const DepthRun& run : trace.runs()) {
        if (!wanted || trace.track({run.track}).kind != TrackKind::Overlap) continue;
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
            if (trace.nameId({i}) == *wanted) found.emplace_back(trace.begin({i}).value, trace.end({i}).value);
        }
    }
    return found;
}

Intervals intervalsOf(std::span<const Busy> kernels, bool isCommunication) {
    Intervals found;
    for (const Busy& one : kernels) {
        if (one.isCommunication == isCommunication) found.emplace_back(one.begin, one.end);
    }
    return found;
}

/// Each kernel is a slice of the timeline; what lies beyond its ends is reported as that.
void reportUnplaced(std::span<const Busy> kernels, const std::string& timeline, const std::string& file,
                    const TimeRange& home, Diagnostics& diagnostics) {
    const auto others = std::count_if(kernels.begin(), kernels.end(), [&home](const Busy& one) {
        return !one.hasSlice && home.begin.value <= one.begin && one.begin < home.end.value;
    });
    if (others > 0)
        diagnostics.add("files.kernels_unplaced", Severity::Info, timeline, {}, {{"other", file}},
                        static_cast<std::uint64_t>(others));
}

void reportOverlap(const std::string& file, const std::string& timeline, std::span<const Busy> kernels,
                   const TraceStore& trace, Diagnostics& diagnostics) {
    const Intervals computing = overlapOf(trace, "Computing"), communication = overlapOf(trace, "Communication");
    const Intervals kernelsComputing = intervalsOf(kernels, false), collectives = intervalsOf(kernels, true);
    if (computing.empty() && communication.empty()) return;
    std::uint64_t kernelsMissing = countOutside(computing, united(kernelsComputing));
    // Of some levels the list has no collectives.
    if (!collectives.empty()) kernelsMissing += countOutside(communication, united(collectives));
    if (kernelsMissing > 0)
        diagnostics.add("files.kernels_missing", Severity::Info, file, {}, {{"other", timeline}}, kernelsMissing);
    Intervals busy = computing;
    busy.insert(busy.end(), communication.begin(), communication.end());
    busy = united(std::move(busy));
    // What lies beyond the ends of a timeline is reported as that.
    const TimeRange home = trace.homeRange();
    Intervals all;
    for (const Busy& one : kernels) {
        const bool isEmpty = one.begin == one.end;  // the Overlap Analysis leaves such out
        if (!isEmpty && home.begin.value <= one.begin && one.begin <= home.end.value)
            all.emplace_back(one.begin, one.end);
    }
    if (const std::uint64_t count = countOutside(all, busy); count > 0)
        diagnostics.add("files.overlap_missing", Severity::Info, timeline, {}, {{"other", file}}, count);
}

std::int64_t busyTime(const Intervals& some) {
    std::int64_t length = 0;
    for (const auto& [begin, end] : some) length = sumOf(length, end - begin);
    return length;
}

/// Steps have what their kernels take together, so that all of them have no more than all kernels.
void reportStepTimes(const std::string& file, std::span<const Busy> kernels, const RowTable& steps,
                     const std::string& stepFile, Diagnostics& diagnostics) {
    for (const bool isCommunication : {false, true}) {
        std::int64_t ofKernels = 0;
        for (std::size_t from = 0, to = 0; from < kernels.size(); from = to) {
            while (to < kernels.size() && kernels[to].device == kernels[from].device) ++to;
            ofKernels =
                sumOf(ofKernels, busyTime(united(intervalsOf(kernels.subspan(from, to - from), isCommunication))));
        }
        if (ofKernels == 0) continue;
        std::int64_t ofSteps = 0;
        for (std::size_t row = 0; row < steps.size(); ++row) {
            const auto one = steps.integer(isCommunication ? fixedColumn(RowKind::StepBreakdown, "communication")
                                                           : fixedColumn(RowKind::StepBreakdown, "computing"),
                                           row);
            ofSteps = sumOf(ofSteps, one.value_or(0));
        }
        const auto tolerance = kDoubleTolerance * static_cast<std::int64_t>(steps.size()) +
                               kEndTolerance * static_cast<std::int64_t>(kernels.size());
        if (ofSteps <= sumOf(ofKernels, tolerance)) continue;
        diagnostics.add(
            "files.steps_longer", Severity::Info, file, {},
            {{"found", std::to_string(ofKernels)}, {"other", stepFile}, {"expected", std::to_string(ofSteps)}});
    }
}

/// Steps whose marks are on the timeline.
std::set<std::int64_t> markedSteps(const TraceStore& trace) {
    static constexpr std::string_view kStepPrefix = "ProfilerStep#";
    std::set<std::int64_t> steps;
    const auto [first, last] = trace.texts().prefixRange(kStepPrefix);
    for (const NameStat& one : trace.columns().nameStats) {
        if (one.name < first || !(one.name < last)) continue;
        if (const auto step = wholeNumber(trace.text(one.name).substr(kStepPrefix.size()))) steps.insert(*step);
    }
    return steps;
}

std::uint64_t countOthers(const std::set<std::int64_t>& some, const std::set<std::int64_t>& all) {
    return static_cast<std::uint64_t>(
        std::count_if(some.begin(), some.end(), [&all](std::int64_t step) { return !all.contains(step); }));
}

void reportSteps(const std::set<std::int64_t>& marked, const std::string& timeline,
                 const std::set<std::int64_t>& listed, const std::string& file, Diagnostics& diagnostics) {
    if (marked.empty() || listed.empty()) return;
    if (const auto count = countOthers(marked, listed); count > 0)
        diagnostics.add("files.steps_differ", Severity::Info, file, {}, {{"other", timeline}}, count);
    if (const auto count = countOthers(listed, marked); count > 0)
        diagnostics.add("files.steps_differ", Severity::Info, timeline, {}, {{"other", file}}, count);
}

using Times = std::vector<std::int64_t>;

void sortTimes(Times& times) {
    if (!std::is_sorted(times.begin(), times.end())) parallelSort(std::span(times), std::less<>(), {});
    times.erase(std::unique(times.begin(), times.end()), times.end());
}

/// @param all  In order.
bool isLone(std::int64_t time, const Times& all) {
    const auto at = std::lower_bound(all.begin(), all.end(), time - kDoubleTolerance);
    return at == all.end() || *at > time + kDoubleTolerance;
}

std::uint64_t countLone(const Times& some, const Times& all) {
    return static_cast<std::uint64_t>(
        std::count_if(some.begin(), some.end(), [&all](std::int64_t time) { return isLone(time, all); }));
}

/// Whether a spreadsheet took the digits of times.
bool isRounded(const std::string& file, const Diagnostics& diagnostics) {
    const auto known = diagnostics.about(file).entries();
    return std::any_of(known.begin(), known.end(),
                       [](const Diagnostic& one) { return one.code == "csv.low_precision"; });
}

/// A pool that is the sum of others has a sample where one of these has, and each allocation changes one.
void reportSamples(const RankManifest& rank, const RowTables& rows, Diagnostics& diagnostics) {
    constexpr auto S = RowKind::MemorySample;
    constexpr auto A = RowKind::Allocation;
    const RowTable *samples = rows.find(S), *allocations = rows.find(A);
    if (samples == nullptr) return;
    Times sums, parts, all;
    for (std::size_t row = 0; row < samples->size(); ++row) {
        const auto component = samples->text(fixedColumn(S, "component"), row);
        const auto ts = samples->integer(fixedColumn(S, "ts"), row);
        if (!component || !ts) continue;
        const std::string_view name = rows.text(*component);
        // MindSpore+GE has the samples of other components too.
        if (name == "PTA+GE") sums.push_back(*ts);
        else if (name == "PTA" || name == "GE") parts.push_back(*ts);
        all.push_back(*ts);
    }
    for (Times* times : {&sums, &parts, &all}) sortTimes(*times);
    std::uint64_t lone = sums.empty() || parts.empty() ? 0 : countLone(sums, parts) + countLone(parts, sums);
    const std::string file = fileOfTable(rank, S);
    if (isRounded(file, diagnostics) || isRounded(fileOfTable(rank, A), diagnostics)) return;
    for (std::size_t row = 0; allocations != nullptr && !all.empty() && row < allocations->size(); ++row) {
        for (const std::size_t column : {fixedColumn(A, "alloc_ts"), fixedColumn(A, "release_ts")}) {
            const auto time = allocations->integer(column, row);
            lone += time && isLone(*time, all) ? 1 : 0;
        }
    }
    if (lone > 0) diagnostics.add("files.samples_missing", Severity::Info, file, {}, {}, lone);
}

/// All that are no marks of steps.
std::uint64_t operatorsOnTimeline(const TraceStore& trace) {
    const auto category = trace.texts().find("cpu_op");
    const auto [first, last] = trace.texts().prefixRange("ProfilerStep#");
    std::uint64_t count = 0;
    for (const DepthRun& run : trace.runs()) {
        if (!category || trace.track({run.track}).kind != TrackKind::Python) continue;
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
            const StringId name = trace.nameId({i});
            count += trace.columns().category[i] == *category && (name < first || !(name < last)) ? 1 : 0;
        }
    }
    return count;
}

}  // namespace

std::string summaryFileOf(const RankManifest& rank, RowKind kind) {
    const auto found = std::find_if(rank.tables.begin(), rank.tables.end(),
                                    [kind](const TableFile& table) { return fillsRows(table.format, kind); });
    return found == rank.tables.end() ? std::string() : found->source.name;
}

std::string fileOfTable(const RankManifest& rank, RowKind kind) {
    std::string file = summaryFileOf(rank, kind);
    for (const SourceFile& trace : rank.traces) {
        if (file.empty() && trace.format == SourceFormat::Database) file = trace.name;
    }
    return file;
}

void crossCheckRows(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics,
                    const CancelToken& cancel) {
    if (entry.rows == nullptr || entry.window || isReadFromRaw(rank) || hasLegacyTimes(rank)) return;
    const TraceStore* const trace = entry.trace.get();
    const std::string timeline = rank.traces.empty() ? std::string() : rank.traces.front().name;
    const std::string kernelFile = fileOfTable(rank, RowKind::Kernel),
                      stepFile = fileOfTable(rank, RowKind::StepBreakdown);
    const RowTable* const steps = entry.rows->find(RowKind::StepBreakdown);
    const std::vector<Busy> kernels = kernelFile.empty() ? std::vector<Busy>() : kernelsOf(*entry.rows);
    if (!kernels.empty() && !isRounded(kernelFile, diagnostics)) {
        const auto known = diagnostics.about(kernelFile).entries();
        const bool isMixed = std::any_of(known.begin(), known.end(), [](const Diagnostic& one) {
            return one.code == "files.other_recording" || one.code == "files.kernels_elsewhere";
        });
        const auto files = std::count_if(rank.tables.begin(), rank.tables.end(), [](const TableFile& table) {
            return fillsRows(table.format, RowKind::Kernel);
        });
        // Of databases waits are computed, and each file of an iteration begins with none.
        if (kernelFile != timeline && !isMixed && files == 1) reportWaits(kernelFile, kernels, diagnostics);
        if (cancel.cancelled()) return;
        if (trace != nullptr && !isOfAnotherRecording(entry, RowKind::Kernel)) {
            reportUnplaced(kernels, timeline, kernelFile, trace->homeRange(), diagnostics);
            reportOverlap(kernelFile, timeline, kernels, *trace, diagnostics);
        }
        if (steps != nullptr) reportStepTimes(kernelFile, kernels, *steps, stepFile, diagnostics);
    }
    if (cancel.cancelled()) return;
    if (trace != nullptr) {
        const std::set<std::int64_t> marked = markedSteps(*trace);
        std::set<std::int64_t> listed, timed;
        for (std::size_t row = 0; steps != nullptr && row < steps->size(); ++row) {
            if (const auto step = steps->integer(fixedColumn(RowKind::StepBreakdown, "step"), row))
                listed.insert(*step);
        }
        for (const Step& step : rank.steps) timed.insert(step.number);
        reportSteps(marked, timeline, listed, stepFile, diagnostics);
        if (timed != listed) reportSteps(marked, timeline, timed, fileOfTable(rank, RowKind::Kernel), diagnostics);
    }
    reportSamples(rank, *entry.rows, diagnostics);
    if (cancel.cancelled()) return;
    const RowTable* const operators = entry.rows->find(RowKind::Operator);
    const std::string operatorFile = fileOfTable(rank, RowKind::Operator);
    if (trace == nullptr || operators == nullptr || operatorFile == timeline) return;
    const std::uint64_t found = operators->size(), expected = operatorsOnTimeline(*trace);
    if (expected == 0 || found == expected) return;
    diagnostics.add("files.operators_differ", Severity::Info, operatorFile, {},
                    {{"found", std::to_string(found)}, {"other", timeline}, {"expected", std::to_string(expected)}},
                    found < expected ? expected - found : found - expected);
}

}  // namespace altiscope::reader
