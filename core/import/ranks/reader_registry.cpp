#include "core/import/ranks/reader_registry.h"

#include "core/import/csv/task_times.h"
#include "core/import/database/db_groups.h"
#include "core/import/database/db_trace_reader.h"
#include "core/import/database_lookup/db_arguments.h"
#include "core/import/database_lookup/db_position.h"
#include "core/import/memscope/python_trace.h"
#include "core/import/mindspore/cpu_usage.h"
#include "core/import/mindspore/host_info_timeline.h"
#include "core/import/monitor/monitor_groups.h"
#include "core/import/monitor/monitor_reader.h"
#include "core/import/raw/raw_arguments.h"
#include "core/import/raw/raw_trace_reader.h"
#include "core/import/trace/json_arguments.h"
#include "core/import/trace/trace_json_reader.h"

#include <cstddef>
#include <iterator>

namespace altiscope::reader {

namespace {

using AddGroups = void (*)(const std::vector<RankManifest>&, GroupDirectory&, Diagnostics&, const CancelToken&);

struct Registration {
    SourceFormat format;
    std::unique_ptr<TraceReader> (*makeReader)();
    std::shared_ptr<const ArgumentSource> (*makeArguments)(const SourceFile&);
    AddGroups addGroups;  ///< Null: its files name no communication groups before they are read.
    FormatTraits traits;
};

void addLineGroups(const std::vector<RankManifest>& ranks, GroupDirectory& groups, Diagnostics&,
                   const CancelToken& cancel) {
    addMonitorGroups(ranks, groups, cancel);
}

constexpr Registration kRegistry[] = {
    {SourceFormat::TraceJson, makeTraceJsonReader, makeJsonArguments, nullptr, {.hasEventRecords = true}},
    {SourceFormat::Database,
     makeDbTraceReader,
     makeDbArguments,
     addDatabaseGroups,
     {.fillsTables = true, .hasEventRecords = true, .position = PlaceUnit::Row}},
    {SourceFormat::HostInfo, makeHostInfoReader, makeHostInfoArguments, nullptr, {}},
    {SourceFormat::Raw, makeRawReader, makeRawArguments, nullptr, {.fillsTables = true, .position = PlaceUnit::Whole}},
    {SourceFormat::CpuUsage, makeCpuUsageReader, nullptr, nullptr, {.position = PlaceUnit::Whole}},
    {SourceFormat::MonitorLines,
     makeMonitorReader,
     makeMonitorArguments,
     addLineGroups,
     {.joinsFiles = true, .fillsTables = true, .hasEventRecords = true}},
    {SourceFormat::TaskTimes, makeTaskTimeReader, makeTaskTimeArguments, nullptr, {}},
    {SourceFormat::PythonTrace, makePythonTraceReader, nullptr, nullptr, {.position = PlaceUnit::Row}},
    {SourceFormat::Other, nullptr, nullptr, nullptr, {}},
};

/// Each row where its format stands in the enumeration, which ends with Other.
constexpr bool areInOrder() {
    for (std::size_t i = 0; i < std::size(kRegistry); ++i)
        if (kRegistry[i].format != SourceFormat(i)) return false;
    return std::size(kRegistry) == static_cast<std::size_t>(SourceFormat::Other) + 1;
}
static_assert(areInOrder(), "a format has no row, or stands elsewhere in the enumeration");

constexpr const Registration& rowOf(SourceFormat format) { return kRegistry[static_cast<std::size_t>(format)]; }

}  // namespace

std::unique_ptr<TraceReader> makeReader(SourceFormat format) {
    const auto make = rowOf(format).makeReader;
    return make == nullptr ? nullptr : make();
}

const FormatTraits& traitsOf(SourceFormat format) { return rowOf(format).traits; }

void addGroupsOfTimelines(const std::vector<RankManifest>& ranks, GroupDirectory& groups, Diagnostics& diagnostics,
                          const CancelToken& cancel) {
    for (const Registration& row : kRegistry)
        if (row.addGroups != nullptr) row.addGroups(ranks, groups, diagnostics, cancel);
}

Place placeOfEvent(SourceFormat format, SourcePos pos) {
    switch (const PlaceUnit unit = traitsOf(format).position) {
    case PlaceUnit::Whole: return {};
    case PlaceUnit::Byte: return {unit, pos.offset()};
    case PlaceUnit::Row: return {unit, static_cast<std::uint64_t>(dbRowOf(pos))};
    }
    return {};
}

std::shared_ptr<const ArgumentSource> makeArgumentSource(const SourceFile& file) {
    const auto make = rowOf(file.format).makeArguments;
    return make == nullptr ? nullptr : make(file);
}

}  // namespace altiscope::reader
