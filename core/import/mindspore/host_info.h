#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// A record of host_info_{rank}.csv, which MindSpore writes about its own work on the host, or of
/// host_memory_{rank}.csv, which has the same columns. Source: core/import/mindspore/FORMAT.md section 2.
struct HostInfoRow {
    enum class Mark : std::uint8_t { Start, End, Instant, Other };
    std::string tid, pid, parentPid, module, event, stage, custom;
    Mark mark = Mark::Other;
    std::int64_t memoryKb = 0;  ///< 0: not recorded.
    std::int64_t stampUs = 0;   ///< 0: not recorded.
    std::uint64_t row = 0;      ///< In the file, from 1.
    std::uint64_t byte = 0;     ///< Where it begins.
};

/// The rank in "host_info_3.csv", what follows the last '_'; nullopt for other names, and where that is no number.
std::optional<std::int64_t> rankInHostInfoName(std::string_view name);

/// Calls `visit` for each record in file order. A record without all columns or with text where a number belongs is
/// left out:
/// "host_info.bad_record" (lost) in `problems`, if that is given.
/// @return Error of eachCsvRecord(), or "csv.no_column".
Result<Done> eachHostInfoRow(const SourceFile& file, Diagnostics* problems, ProgressSlot& progress,
                             const CancelToken& cancel, const std::function<void(const HostInfoRow&)>& visit);

/// Finds the start of each end: the last one of the same event, stage, thread and process that no other end has taken.
class HostInfoPairs {
public:
    enum class Outcome : std::uint8_t {
        Opened,
        Replaced,   ///< Opened; an earlier start without an end is forgotten.
        Closed,     ///< `start` is the row that opened it.
        Unmatched,  ///< An end without a start.
        Single,     ///< An instant, or an unknown mark: starts are not touched.
    };
    Outcome take(const HostInfoRow& row);
    const HostInfoRow& start() const { return m_start; }
    /// Rows that were opened and not closed, by event, stage, thread and process.
    const std::map<std::string, HostInfoRow>& open() const { return m_open; }

private:
    std::map<std::string, HostInfoRow> m_open;
    HostInfoRow m_start;
};

}  // namespace altiscope::reader
