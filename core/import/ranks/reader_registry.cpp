#include "core/import/ranks/reader_registry.h"

#include "core/import/database/db_trace_reader.h"
#include "core/import/database_lookup/db_arguments.h"
#include "core/import/database_lookup/db_position.h"
#include "core/import/mindspore/host_info_timeline.h"
#include "core/import/monitor/monitor_reader.h"
#include "core/import/raw/raw_arguments.h"
#include "core/import/raw/raw_trace_reader.h"
#include "core/import/trace/json_arguments.h"
#include "core/import/trace/trace_json_reader.h"

namespace altiscope::reader {

namespace {

struct Registration {
    SourceFormat format;
    std::unique_ptr<TraceReader> (*makeReader)();
    std::shared_ptr<const ArgumentSource> (*makeArguments)(const SourceFile&);
};

constexpr Registration kRegistry[] = {
    {SourceFormat::TraceJson, makeTraceJsonReader, makeJsonArguments},
    {SourceFormat::Database, makeDbTraceReader, makeDbArguments},
    {SourceFormat::HostInfo, makeHostInfoReader, makeHostInfoArguments},
    {SourceFormat::Raw, makeRawReader, makeRawArguments},
    {SourceFormat::MonitorLines, makeMonitorReader, makeMonitorArguments},
};

const Registration* find(SourceFormat format) {
    for (const Registration& entry : kRegistry) {
        if (entry.format == format) return &entry;
    }
    return nullptr;
}

}  // namespace

std::unique_ptr<TraceReader> makeReader(SourceFormat format) {
    const Registration* entry = find(format);
    return entry == nullptr ? nullptr : entry->makeReader();
}

FormatTraits traitsOf(SourceFormat format) {
    switch (format) {
    case SourceFormat::TraceJson: return {.hasEventRecords = true};
    case SourceFormat::Database: return {.fillsTables = true, .hasEventRecords = true, .position = PlaceUnit::Row};
    case SourceFormat::HostInfo: return {};
    case SourceFormat::Raw: return {.fillsTables = true, .position = PlaceUnit::Whole};
    case SourceFormat::MonitorLines: return {.joinsFiles = true, .fillsTables = true, .hasEventRecords = true};
    case SourceFormat::Other: break;
    }
    return {};
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
    const Registration* entry = find(file.format);
    return entry == nullptr ? nullptr : entry->makeArguments(file);
}

}  // namespace altiscope::reader
