#pragma once

#include "core/base/text/text_buffer.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/generate/records/allocator_states.h"
#include "core/generate/records/unit_record.h"
#include "core/generate/support/capture_tally.h"
#include "core/generate/support/output_target.h"
#include "core/generate/text/communication_json.h"
#include "core/generate/text/summary_csv.h"

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace altiscope::generate {

/// How units are played for writing.
struct PassContext {
    const Run& run;
    ProgressSlot& progress;
    const CancelToken& cancel;
    std::size_t unitsAtOnce = 1;             ///< Units of one rank that are in memory at the same time.
    bool lateMetadata = false;               ///< See GenerateOptions.
    Framework framework = Framework::Torch;  ///< Whose names files and folders have.
    std::string_view exportTypes = "text";   ///< Formats that share the rank's folder, as profilerInfoJson takes them.
};

/// What rendering one unit gives: text for up to four files, and what was counted.
struct RenderedUnit {
    std::array<TextBuffer, 4> texts;
    TraceTally tally;
    Statistics kernels;
    Statistics apis;
    StepCommunication communication;
    UnitRecord record;
};

/// One way through the units of a rank, in order.
struct UnitPass {
    UnitParts parts = UnitParts::Host;
    std::vector<OutputStream*> streams;                  ///< Get the texts of every unit.
    std::function<void(RenderedUnit&)> render;           ///< Fills the unit from its record. Any thread.
    std::function<Result<Done>(RenderedUnit&)> collect;  ///< Called unit after unit, one at a time; may be empty.
    std::size_t dropAtBegin = 0;                         ///< Bytes of the first text that are not written.
};

/// Plays all units of a rank and writes what they render, several units at a time on the workers of the current arena;
/// the files are the same for any number of workers.
/// @param tally  Gets what render counted; its number of tracks is that of the unit's tallies.
/// @return Error of a stream, or Cancelled.
Result<Done> runUnitPass(const PassContext& context, std::uint32_t rank, const UnitPass& pass, TraceTally& tally);

}  // namespace altiscope::generate
