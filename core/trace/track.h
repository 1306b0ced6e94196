#pragma once

#include "core/base/values/ids.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace altiscope {

/// Kind of a track; the words of resources/help/reference/sql.md.
enum class TrackKind : std::uint8_t {
    Python,
    Stack,
    Cann,
    Hardware,
    Communication,
    Overlap,
    Counter,
    Mstx,
    Scope,
    Gc,
    Other,
};

std::string_view trackKindName(TrackKind kind);

/// Recorded by the profiler, or computed by Altiscope from recorded events.
enum class Origin : std::uint8_t { Recorded, Computed };

std::string_view originName(Origin origin);

/// One horizontal row group of a rank: a thread, a stream, a communication group or plane, or a counter.
/// All texts are UTF-8.
struct Track {
    TrackId id;
    TrackKind kind = TrackKind::Other;
    Origin origin = Origin::Recorded;
    std::string pid;               ///< As the source states it ("3170820512"); not shown to people.
    std::string tid;               ///< Empty for counters.
    std::string process;           ///< Name of the process, or a fallback made from pid.
    std::string thread;            ///< Name of the thread or stream, or a fallback made from tid; empty for counters.
    std::string name;              ///< Name of the row: the thread's name, or the counter's.
    std::string labels;            ///< process_labels of the source ("CPU", "NPU 0"), may be empty.
    std::int64_t processSort = 0;  ///< process_sort_index, or the largest value if the source has none.
    std::int64_t threadSort = 0;   ///< thread_sort_index, likewise.
    bool hasProcessSort = false;   ///< Whether the file states them.
    bool hasThreadSort = false;
};

}  // namespace altiscope
