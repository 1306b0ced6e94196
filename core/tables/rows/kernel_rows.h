#pragma once

#include "core/analysis/kernels/kernel_index.h"
#include "core/analysis/slices/slice_details.h"
#include "core/base/values/cancel.h"
#include "core/tables/scope/context_filter.h"
#include "core/tables/scope/rank_windows.h"
#include "core/tables/sources/merged_texts.h"
#include "core/tables/sources/table_source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// The kernels that a context holds, by rank, and by device where a rank recorded several: what is summed up or
/// compared is that of one. Ranks without any are left out. Empty if cancelled.
/// @param context  Of this capture (see ContextFilter::forCapture).
/// @param marked   Only kernels that overlap this time.
/// @note  O(kernels); parallel on the arena.
std::vector<FilteredKernels> filteredKernels(const CaptureStore& capture, const ContextFilter& context,
                                             const std::optional<MarkedTime>& marked, const CancelToken& cancel);

/// The rows of the SQL table `kernel` that a context holds, with every further column that the capture has, read from
/// the stores in place: at most 4 bytes a row, and what the texts of the ranks' tables take. Rows stand by rank (and
/// device), in the order of their source.
class KernelRows : public TableSource {
public:
    /// @param context  Of this capture (see ContextFilter::forCapture).
    /// @param marked   Only kernels that overlap this time.
    /// @param origin   Where times count from; nullopt, if the capture has no timeline: from the first kernel.
    /// @return Null if cancelled. O(kernels + texts); on a worker.
    static std::shared_ptr<const KernelRows> make(std::shared_ptr<const CaptureStore> capture,
                                                  const ContextFilter& context, const std::optional<MarkedTime>& marked,
                                                  std::optional<TimeNs> origin, const CancelToken& cancel);
    /// The same of kernels that are known.
    static std::shared_ptr<const KernelRows> make(std::shared_ptr<const CaptureStore> capture,
                                                  const std::vector<FilteredKernels>& selected,
                                                  std::optional<TimeNs> origin, const CancelToken& cancel);
    /// Some of the kernels of its ranks, with its columns and texts: those need not be merged again. O(rows).
    std::shared_ptr<const KernelRows> only(const std::vector<FilteredKernels>& selected) const;

    /// The slice of a row; nullopt if the timeline has none. @pre row < rowCount()
    std::optional<SliceRef> slice(std::size_t row) const;
    /// When a kernel ran, for those without a slice.
    std::optional<TimeRange> time(std::size_t row) const;
    /// Its rank.
    RankIndex rank(std::size_t row) const { return partOf(row).rank; }
    /// The row of a slice. O(kernels of its rank).
    std::optional<std::size_t> rowOf(SliceRef slice) const;
    const CaptureStore& capture() const { return *m_capture; }

    std::size_t rowCount() const override { return m_rows; }
    std::span<const TableColumn> columns() const override { return m_columns; }
    void read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const override;
    std::string_view text(std::size_t column, std::int64_t number) const override;
    std::size_t textCount(std::size_t column) const override;
    std::string_view beside(std::size_t column, std::size_t row) const override;

private:
    struct Part {
        std::size_t firstRow = 0;
        RankIndex rank{};
        FilteredRows rows;  ///< Rows of the table.
        const RowTable* table = nullptr;
        /// Index in the table of each column but the rank; nullopt where it has none.
        std::vector<std::optional<std::size_t>> places;
        std::size_t texts = 0;  ///< Index in MergedTexts::numbers.
    };
    void nameColumns(TimeNs origin);
    const Part& partOf(std::size_t row) const;
    static std::uint32_t rowIn(const Part& part, std::size_t row) { return part.rows[row - part.firstRow]; }
    std::int64_t cellOf(const Part& part, std::size_t column, std::uint32_t row) const;

    std::shared_ptr<const CaptureStore> m_capture;
    // The rank, then those of rowColumns(Kernel) (device_id only where a rank has several), then the further ones.
    std::vector<TableColumn> m_columns;
    std::vector<Part> m_parts;
    std::size_t m_rows = 0;                      // of all parts
    std::shared_ptr<const MergedTexts> m_texts;  // null if there is one rank alone
    const RowTables* m_pool = nullptr;           // of that one
};

}  // namespace altiscope
