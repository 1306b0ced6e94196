#pragma once

#include "core/base/values/ids.h"

#include <cstdint>

namespace altiscope::reader {

/// Tables whose rows become records of a trace. The number is part of a record's position, and so of its id: it never
/// changes.
enum class DbTableCode : std::uint8_t {
    None = 0,  ///< No table: what is computed from several.
    Task = 1,
    CannApi = 2,
    PytorchApi = 3,
    CommunicationOp = 4,
    CommunicationTask = 5,
    MstxEvents = 6,
    GcRecord = 7,
    OverlapAnalysis = 8,
    OsrtApi = 9,
    Ccu = 10,
    DpuTask = 11,
    CommunicationRuns = 12,  ///< The first of several rows of which one is meant: what they differ in is not known.
    FirstCounter = 16,       ///< The counter tables follow, in the order of db_counter_scans.cpp.
};

/// Bits of a position that are the number of the row; the table's code stands above them.
inline constexpr unsigned kDbRowBits = 36;
inline constexpr std::int64_t kMaxDbRow = (std::int64_t{1} << kDbRowBits) - 1;

/// @param row  Row id, 0 <= row <= kMaxDbRow.
constexpr SourcePos dbPosition(std::uint32_t file, std::uint8_t table, std::int64_t row) {
    return SourcePos::make(file, (std::uint64_t{table} << kDbRowBits) | static_cast<std::uint64_t>(row));
}
constexpr DbTableCode dbTableOf(SourcePos pos) { return static_cast<DbTableCode>(pos.offset() >> kDbRowBits); }
constexpr std::int64_t dbRowOf(SourcePos pos) { return static_cast<std::int64_t>(pos.offset()) & kMaxDbRow; }

}  // namespace altiscope::reader
