#pragma once

#include "core/analysis/snapshot/block_picture.h"
#include "core/analysis/snapshot/pool_state.h"
#include "core/analysis/snapshot/stack_tree.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/error.h"
#include "core/session/session.h"
#include "core/tables/scope/context_filter.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// One device of a snapshot of an open capture.
struct SnapshotChoice {
    CaptureId capture;
    RankIndex rank{};
    SnapshotRows device;
    std::shared_ptr<const RowTables> rows;  ///< Rows that are read of the rank.
    QString title;
    /// Another snapshot of the rank (snapshotFiles), which is read when it is wanted: its name, relative to `folder`.
    /// Only the number in `device` holds then. Empty: the one in `rows`.
    std::string file = {};
    std::string folder = {};  ///< CaptureStore::path.

    bool isSame(const SnapshotChoice& other) const {
        return rows == other.rows && device.device == other.device.device && file == other.file;
    }
};
/// Those of the ranks that the context holds, each rank's in the order of snapshotFiles(). Ranks without a number that
/// are a snapshot each: one with a request that failed first, then the last by name, as people count.
/// O(ranks · rows / 1024 + diagnostics).
std::vector<SnapshotChoice> snapshotChoices(CaptureId capture, const CaptureStore& store, const ContextFilter& context);

/// A device's memory with all that pictures, pools and sums need. Constant; made on a worker.
struct LoadedSnapshot {
    SnapshotChoice choice;
    std::shared_ptr<const DeviceSnapshot> device;
    std::shared_ptr<const SnapshotCurve> curve;
    std::shared_ptr<const BlockIndex> index;
    std::shared_ptr<const PoolHistory> pool;
    std::shared_ptr<const StackFrames> frames;
    std::vector<EventNumber> failures;  ///< Requests that failed.
    EventNumber peak = kBeforeHistory;  ///< When the program had most.
    std::optional<Error> error = {};    ///< Why there is nothing of all this.
};
/// @return Null if cancelled. Where the snapshot could not be read only `choice` and `error` are set. Must run inside a
///         WorkerArena if it is not read yet (SnapshotChoice::file).
std::shared_ptr<const LoadedSnapshot> loadSnapshot(const SnapshotChoice& choice, ProgressSlot* progress,
                                                   const CancelToken& cancel);

/// Why a capture shows no snapshot, one sentence each; translated.
QStringList snapshotGaps(const CaptureStore& store, const ContextFilter& context);

// How things of a snapshot read. Translated.
QString addressText(std::int64_t address);  ///< Hexadecimal; a dash if it is absent.
QString bytesText(std::int64_t bytes);
QString exactBytesText(std::int64_t bytes);  ///< "1.25 MiB (1,310,720 B)"
QString eventText(EventNumber event);        ///< "Event 1,234"; "Before the history".
/// When an entry was, since the first that has a time: "1.234 567 890 s"; empty: it has none.
QString entryTimeText(const DeviceSnapshot& snapshot, EventNumber event);
/// "Event 1,234 · 1.234 567 890 s", or without the time.
QString timedEventText(const DeviceSnapshot& snapshot, EventNumber event);
/// An annotation in one line, cut where it is too long for one.
QString annotationTitle(std::string_view annotation);
/// A frame without its folders: "model.py(76): forward".
QString shortFrame(std::string_view frame);
/// The innermost frame that is not of the allocator or of C++, which says where in the program it was.
QString stackTitle(std::string_view stack);

}  // namespace altiscope
