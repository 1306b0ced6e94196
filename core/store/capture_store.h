#pragma once

#include "core/base/files/file.h"
#include "core/base/text/diagnostics.h"
#include "core/base/values/time.h"
#include "core/store/columns/argument_source.h"
#include "core/store/columns/trace_store.h"
#include "core/store/rows/row_table.h"
#include "core/trace/rank.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// One rank of a capture: who it is, and its events once they are read.
struct RankEntry {
    RankInfo info;
    std::shared_ptr<const TraceStore> trace;          ///< Null until something of it is read.
    std::shared_ptr<const ArgumentSource> arguments;  ///< Null where the source has none.
    std::shared_ptr<const RowTables> rows;            ///< Rows of its summary files; null if nothing.
    std::vector<Step> steps;                          ///< By number.
    /// Only this time of the trace was read, on its own clock; nullopt: all of it. What is kept then: TraceBuilder.
    std::optional<TimeRange> window;
    std::shared_ptr<const std::vector<FileStamp>> sources;  ///< Files of the trace; null until something of it is read.
    /// Equal ones mean equal content: the rank's key in the cache. Empty: no cache is used, or not all of it was read.
    std::string contentKey;
};

/// A capture as it stands: a constant value that is replaced as a whole when more has been read.
struct CaptureStore {
    enum class State : std::uint8_t { Loading, Ok, Partial, Failed };

    std::string path;  ///< As the user gave it.
    State state = State::Loading;
    bool sealed = false;                    ///< No trace is provisional.
    std::vector<RankEntry> ranks;           ///< Ordered by rank id (unknown first), then path.
    std::shared_ptr<const RowTables> rows;  ///< Rows of no rank: communication groups. Null if there are none.
    Diagnostics diagnostics;
    /// As RankEntry::contentKey, of all ranks and what is said of them together.
    std::string contentKey;
};

}  // namespace altiscope
