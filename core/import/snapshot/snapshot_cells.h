#pragma once

#include "core/base/values/cancel.h"
#include "core/import/snapshot/snapshot_replay.h"
#include "core/store/rows/row_builder.h"

#include <cstdint>
#include <vector>

namespace altiscope::reader {

/// Texts of stacks as cells: "FILE(LINE): FUNCTION", a line for each frame, the innermost first; without a known file
/// just the function.
struct StackTexts {
    /// Bytes of a text; a longer one is cut at a frame.
    static constexpr std::size_t kMaxLength = std::size_t{1} << 20;
    /// Bytes of all texts of a file; what is more is left out. In a file of nothing but stacks a frame is five bytes,
    /// and a text of a hundred.
    static constexpr std::uint64_t mostBytes(std::uint64_t fileBytes) {
        constexpr std::uint64_t kMax = std::uint64_t{1} << 30, kFree = std::uint64_t{64} << 20;
        return fileBytes > kMax / 32 ? kMax : kFree + fileBytes * 32 < kMax ? kFree + fileBytes * 32 : kMax;
    }

    std::vector<std::int64_t> ids;  ///< By number of StackTable; kNoCell: none.
    std::uint64_t cut = 0;          ///< Stacks of which not all frames are there.
};
/// @param mostBytes  See StackTexts.
/// @return False if cancelled.
bool stackTexts(const PickleObjects& objects, std::uint64_t mostBytes, RowTablesBuilder& builder, StackTexts& texts,
                const CancelToken& cancel);

/// Rows of `snapshot_event` of a piece: totals after each entry, in requested bytes.
/// @return False if cancelled, as below.
bool addEventRows(const PickleObjects& objects, const SnapshotDevice& device, const SnapshotHistory& history,
                  std::size_t piece, const StackTexts& texts, RowBatch& batch, const CancelToken& cancel);

/// Rows [first, end) of `snapshot_block`: those of the segments, then past ones by their release.
bool addBlockRows(const PickleObjects& objects, const SnapshotDevice& device, const SnapshotHistory& history,
                  std::size_t first, std::size_t end, const StackTexts& texts, RowBatch& batch,
                  const CancelToken& cancel);

/// Rows of `snapshot_annotation`.
bool addRangeRows(const PickleObjects& objects, const std::vector<NamedRange>& ranges, RowBatch& batch,
                  const CancelToken& cancel);

}  // namespace altiscope::reader
