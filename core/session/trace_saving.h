#pragma once

#include "core/base/values/error.h"
#include "core/base/values/ids.h"
#include "core/base/values/time.h"
#include "core/store/capture_store.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

class Session;

/// A part of a capture that is to be a file of its own.
struct TraceCut {
    std::shared_ptr<const CaptureStore> capture;
    std::optional<TimeRange> range;  ///< On the capture's clock; see TraceExportOptions::range.
    std::vector<std::pair<RankIndex, TrackId>> tracks;
    std::vector<DurationNs> clocks{};  ///< See TraceExportOptions::clocks.
};

/// Outcome of saving. Neither a problem nor cancelled: the file is complete.
struct TraceSaved {
    std::optional<Error> problem;
    bool cancelled = false;
    std::uint64_t slices = 0, samples = 0, instants = 0, flows = 0;
    bool lostArguments = false;  ///< Some could not be read any more.
};

/// Writes a cut as Chrome JSON: exact times, arguments as in the source, flows whose ends both lie in it, counters and
/// names. A visible job; `done` runs on the GUI thread, at once if the file may not be written
/// (Session::refusedToWrite). GUI thread.
void saveTrace(Session& session, TraceCut cut, const QString& file, std::function<void(const TraceSaved&)> done);

}  // namespace altiscope
