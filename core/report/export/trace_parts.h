#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/text/text_buffer.h"
#include "core/base/values/result.h"
#include "core/report/export/chrome_json.h"
#include "core/report/export/trace_export.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Part of one rank that goes into an exported trace, and its names there.
struct ExportedRank {
    const RankEntry* entry = nullptr;
    std::optional<TimeRange> range{};    ///< On its own clock; see TraceExportOptions::range.
    std::vector<bool> takes{};           ///< By track.
    std::vector<std::string> process{};  ///< By track: its pid as JSON.
    std::vector<std::string> thread{};   ///< By track: its tid as JSON; empty for counters.
    std::uint64_t firstFlow = 0;         ///< Ids of its flows begin here.

    const TraceStore& trace() const { return *entry->trace; }
};

/// @return Error "export.no_rank", "export.no_track" or "export.no_timeline".
Result<std::vector<ExportedRank>> selectRanks(const CaptureStore& capture, const TraceExportOptions& options);

/// A part of the events that is written as one.
struct ExportPart {
    enum class Kind : std::uint8_t { Names, Slices, Samples, Instants, Flows };
    Kind kind = Kind::Names;
    std::uint32_t selected = 0;  ///< Position of its rank in the list of selectRanks().
    std::uint32_t track = 0;     ///< Slices, samples, instants.
    /// Slices, instants, flows: numbers in the store. Samples: times in ns.
    std::int64_t first = 0, last = 0;
};

/// All parts in the order in which they are written, each some thousand events at most.
std::vector<ExportPart> partsOf(const std::vector<ExportedRank>& ranks);

/// A part as text, and what it holds.
struct WrittenPart {
    TextBuffer text;
    std::uint64_t slices = 0, samples = 0, instants = 0, flows = 0;
    Diagnostics diagnostics;
};

/// Thread-safe for parts of their own.
void writePart(const std::vector<ExportedRank>& ranks, const ExportPart& part, WrittenPart& written);

}  // namespace altiscope
