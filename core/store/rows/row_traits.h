#pragma once

#include "core/store/rows/row_kinds.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace altiscope {

/// On which clock the times of a kind's rows stand.
enum class RowClock : std::uint8_t {
    Unstated,
    None,    ///< They have no times.
    Trace,   ///< That of the rank's timeline: rows that lie elsewhere are of another recording.
    Slices,  ///< They are times of slices: rows without one have none.
    Own,     ///< The clock of the recorder itself.
};

/// Which files fill a kind.
enum class RowFiller : std::uint8_t {
    Unstated,
    Tables,     ///< Only files of tables.
    Timelines,  ///< Readers of timelines too, so that it cannot be read without the timeline.
};

/// Whose number is in the column `device_id`.
enum class RowDevices : std::uint8_t {
    Unstated,
    None,     ///< There is no such column.
    Rank,     ///< The rank's own: rows of several devices are of several recordings.
    Process,  ///< Any that the process used.
};

/// Facts about a kind, beside its columns, that readers and queries rely on.
struct RowTraits {
    RowKind kind = RowKind::Operator;
    RowClock clock = RowClock::Unstated;
    RowFiller filler = RowFiller::Unstated;
    RowDevices devices = RowDevices::Unstated;
    std::string_view time;  ///< The column by which rows of RowClock::Trace stand in time.
};

namespace row_kinds {

inline constexpr std::array<RowTraits, kRowKinds> kTraits{{
    {RowKind::Operator, RowClock::Slices, RowFiller::Timelines, RowDevices::None, ""},
    {RowKind::Kernel, RowClock::Trace, RowFiller::Timelines, RowDevices::Rank, "ts"},
    {RowKind::OpStat, RowClock::None, RowFiller::Tables, RowDevices::Rank, ""},
    {RowKind::ApiStat, RowClock::None, RowFiller::Tables, RowDevices::None, ""},
    {RowKind::MemorySample, RowClock::Trace, RowFiller::Timelines, RowDevices::Rank, "ts"},
    {RowKind::Allocation, RowClock::Trace, RowFiller::Timelines, RowDevices::Rank, "alloc_ts"},
    {RowKind::ModuleMemory, RowClock::Trace, RowFiller::Timelines, RowDevices::Rank, "ts"},
    {RowKind::StaticMemory, RowClock::None, RowFiller::Tables, RowDevices::None, ""},
    {RowKind::StepBreakdown, RowClock::None, RowFiller::Tables, RowDevices::Rank, ""},
    {RowKind::StepPhase, RowClock::Trace, RowFiller::Tables, RowDevices::Rank, "ts"},
    {RowKind::Collective, RowClock::Trace, RowFiller::Tables, RowDevices::None, "ts"},
    {RowKind::Bandwidth, RowClock::None, RowFiller::Tables, RowDevices::None, ""},
    {RowKind::Packet, RowClock::None, RowFiller::Tables, RowDevices::None, ""},
    {RowKind::Link, RowClock::None, RowFiller::Tables, RowDevices::None, ""},
    {RowKind::CommGroup, RowClock::None, RowFiller::Tables, RowDevices::None, ""},
    {RowKind::DatasetOp, RowClock::None, RowFiller::Tables, RowDevices::None, ""},
    {RowKind::PipelineQueue, RowClock::None, RowFiller::Tables, RowDevices::None, ""},
    {RowKind::L2Cache, RowClock::None, RowFiller::Tables, RowDevices::Rank, ""},
    {RowKind::HardwareStat, RowClock::None, RowFiller::Tables, RowDevices::Rank, ""},
    {RowKind::SnapshotEvent, RowClock::Own, RowFiller::Tables, RowDevices::Process, ""},
    {RowKind::SnapshotBlock, RowClock::None, RowFiller::Tables, RowDevices::Process, ""},
    {RowKind::SnapshotAnnotation, RowClock::Own, RowFiller::Tables, RowDevices::Process, ""},
}};

constexpr bool hasColumn(RowKind kind, std::string_view name) {
    return rowColumn(kind, name) < rowColumns(kind).size();
}

/// Whether a row says of its kind what follows from the columns, and stands where the enumeration has the kind.
constexpr bool fits(const RowTraits& traits, std::size_t place) {
    const auto columns = rowColumns(traits.kind);
    const bool hasTimes = std::any_of(columns.begin(), columns.end(), [](const RowColumn& column) {
        return column.name == "ts" || column.name.ends_with("_ts");
    });
    return traits.kind == RowKind(place) && traits.filler != RowFiller::Unstated &&
           traits.clock != RowClock::Unstated && (traits.clock != RowClock::None) == hasTimes &&
           (traits.clock == RowClock::Trace) == hasColumn(traits.kind, traits.time) &&
           traits.devices != RowDevices::Unstated &&
           (traits.devices != RowDevices::None) == hasColumn(traits.kind, "device_id");
}

static_assert(
    [] {
        for (std::size_t i = 0; i < kTraits.size(); ++i)
            if (!fits(kTraits[i], i)) return false;
        return true;
    }(),
    "a kind of rows does not say on which clock its times are, which files fill it, or whose devices it names");

}  // namespace row_kinds

constexpr const RowTraits& rowTraits(RowKind kind) { return row_kinds::kTraits[static_cast<std::size_t>(kind)]; }

/// Whether rows of the kind are recorded, computed, or both: they have the column `origin`.
constexpr bool hasComputedRows(RowKind kind) { return row_kinds::hasColumn(kind, "origin"); }

}  // namespace altiscope
