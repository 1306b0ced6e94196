#include "core/import/ranks/unlinked_rows.h"

#include "core/import/mindspore/legacy_times.h"
#include "core/import/ranks/table_formats.h"
#include "core/import/ranks/tables_alone.h"
#include "core/store/recording_parts.h"
#include "core/store/rows/row_kinds.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

/// The file beside the timeline that fills a table of a rank; empty if there is none.
std::string summaryFileOf(const RankManifest& rank, RowKind kind) {
    const auto found = std::find_if(rank.tables.begin(), rank.tables.end(),
                                    [kind](const TableFile& table) { return fillsRows(table.format, kind); });
    return found == rank.tables.end() ? std::string() : found->source.name;
}

/// The database that holds a timeline and a table of a rank, if these lie days apart: a table of the same database may
/// well begin after a short timeline has ended.
std::string databaseApart(const RankManifest& rank, const TimeRange& home, const TimeRange& times) {
    static constexpr std::int64_t kDay = 86'400'000'000'000;  // as homeRange() has it
    const auto database = std::find_if(rank.traces.begin(), rank.traces.end(),
                                       [](const SourceFile& file) { return file.format == SourceFormat::Database; });
    const bool isApart = times.begin.value - kDay > home.end.value || times.end.value + kDay < home.begin.value;
    return database != rank.traces.end() && isApart ? database->name : std::string();
}

void reportOtherRecordings(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics) {
    for (const RowTable& table : entry.rows->tables()) {
        const RowKind kind = table.kind();
        if (timeColumn(kind).empty() || !isOfAnotherRecording(entry, kind)) continue;
        const auto times = usualTimes(table, timeColumn(kind));
        if (!times) continue;
        const TimeRange home = entry.trace->homeRange();
        std::string file = summaryFileOf(rank, kind);
        if (file.empty()) file = databaseApart(rank, home, *times);
        if (file.empty()) continue;
        diagnostics.add("files.other_recording", Severity::Info, file, {},
                        {{"table", std::string(rowKindName(kind))},
                         {"first", std::to_string(times->begin.value)},
                         {"last", std::to_string(times->end.value)},
                         {"begin", std::to_string(home.begin.value)},
                         {"end", std::to_string(home.end.value)}},
                        table.size());
    }
}

void reportKernels(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics) {
    static constexpr std::size_t kTime = fixedColumn(RowKind::Kernel, "ts"),
                                 kSlice = fixedColumn(RowKind::Kernel, "slice_id");
    const std::string file = summaryFileOf(rank, RowKind::Kernel);
    const RowTable* const table = entry.rows->find(RowKind::Kernel);
    if (table == nullptr || file.empty() || table->presentCount(kSlice) == table->size() ||
        !showsDevice(*entry.trace) || isOfAnotherRecording(entry, RowKind::Kernel))
        return;
    const TimeRange home = entry.trace->homeRange();
    std::uint64_t elsewhere = 0, unplaced = 0;
    for (std::size_t row = 0; row < table->size(); ++row) {
        const auto ts = table->integer(kTime, row);
        if (!ts || table->integer(kSlice, row)) continue;
        const bool isElsewhere = TimeNs{*ts} < home.begin || home.end < TimeNs{*ts};
        ++(isElsewhere ? elsewhere : unplaced);
    }
    if (elsewhere > 0) diagnostics.add("files.kernels_elsewhere", Severity::Info, file, {}, {}, elsewhere);
    if (unplaced > 0)
        diagnostics.add("files.kernels_unplaced", Severity::Info, file, {}, {{"other", rank.traces.front().name}},
                        unplaced);
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

/// Rows without times are joined with the timeline by their order alone, which takes all of them.
void reportOperators(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics) {
    const RowTable* const table = entry.rows->find(RowKind::Operator);
    const std::string file = summaryFileOf(rank, RowKind::Operator);
    if (table == nullptr || file.empty()) return;
    const std::uint64_t found = table->size(), expected = operatorsOnTimeline(*entry.trace);
    if (expected == 0 || found == expected) return;
    diagnostics.add("files.operators_differ", Severity::Info, file, {},
                    {{"found", std::to_string(found)},
                     {"other", rank.traces.front().name},
                     {"expected", std::to_string(expected)}});
}

}  // namespace

void reportUnlinkedRows(const RankManifest& rank, const RankEntry& entry, Diagnostics& diagnostics) {
    // Kernels of MindSpore up to 2.3 have a clock of their own, which is checked by itself.
    if (entry.rows == nullptr || entry.trace == nullptr || rank.traces.empty() || hasLegacyTimes(rank)) return;
    reportOtherRecordings(rank, entry, diagnostics);
    // Nothing can be missed in a part of the timeline; raw data reports itself what is.
    if (entry.window || isReadFromRaw(rank)) return;
    reportKernels(rank, entry, diagnostics);
    reportOperators(rank, entry, diagnostics);
}

}  // namespace altiscope::reader
