#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/store/capture_store.h"
#include "core/store/rows/row_builder.h"
#include "core/store/seal/trace_builder.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace altiscope::reader {

/// Context of a reader while it reads one file.
struct ImportContext {
    TraceBuilder& builder;     ///< Builder of the trace of the file's rank. May hold other files already.
    Diagnostics& diagnostics;  ///< Touched on the calling thread only.
    ProgressSlot& progress;    ///< Gets the bytes that were read; its total already holds the file's size.
    const CancelToken& cancel;
    std::size_t chunkBytes;
    /// Gets rows of tables that a trace file holds beside its events; null: they are not wanted. A reader that may have
    /// to read again (see ReadSummary) gives none.
    RowTablesBuilder* rows = nullptr;
    bool inOrder = false;  ///< Read from front to back with one worker that never guesses; see ReadSummary.
    /// Called when more was committed to the builder, with the bytes of the file that are covered so far; on any
    /// worker, one call at a time. May be empty.
    std::function<void(std::uint64_t)> committed;
    /// Whether the file is also read as a table, which reports what is wrong with its records.
    bool isTableToo = false;
};

/// Result of reading one file.
struct ReadSummary {
    std::uint64_t bytes = 0;
    std::uint64_t rows = 0;
    /// Workers read something that turned out to be no record, and texts of it have reached the builder, where they
    /// cannot be taken back. Committed events are right, but the store would not depend on the file alone: read again
    /// in order.
    bool guessedWrong = false;
};

/// Reads one source file of a capture and commits its records to the context's builder. One object reads a file once,
/// on the workers of the current arena; holds no more than some chunks per worker in memory.
class TraceReader {
public:
    virtual ~TraceReader() = default;

    /// @return Counts of what was read. A bad record is not an Error: it goes to context.diagnostics.
    ///         Error only if nothing after this point can be read, or the file is no trace; what was committed before
    ///         stays valid.
    virtual Result<ReadSummary> read(const SourceFile& file, ImportContext& context) = 0;

    /// Called once after the last file that the object has read, for what is made of several files. One object reads
    /// the files of a rank one after the other where their format joins files (FormatTraits), else one file.
    virtual Result<Done> finish(ImportContext& context) {
        static_cast<void>(context);
        return Done{};
    }
};

}  // namespace altiscope::reader
