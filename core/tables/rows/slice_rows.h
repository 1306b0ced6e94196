#pragma once

#include "core/analysis/slices/slice_details.h"
#include "core/analysis/slices/slice_selection.h"
#include "core/base/values/cancel.h"
#include "core/tables/sources/table_source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Slices as the rows of a table, read from the stores in place: what it takes for itself depends on the number of
/// their names and tracks alone. Rows stand in the order of the slices given.
class SliceRows : public TableSource {
public:
    using ChosenSlices = std::shared_ptr<const std::vector<std::vector<std::uint32_t>>>;

    enum Column : std::size_t { Rank, Process, Track, Name, Category, Begin, Duration, Self, Depth, kColumns };

    /// @param origin  Where times in filters count from.
    /// @param chosen  Of each span, the slices that are rows, ascending; null: all. Kept.
    /// @return Null if cancelled. O(names of the ranks); on a worker.
    static std::shared_ptr<const SliceRows> make(const SliceSelection& selection, std::vector<SliceSpan> spans,
                                                 TimeNs origin, const CancelToken& cancel,
                                                 ChosenSlices chosen = nullptr);

    /// @pre row < rowCount()
    SliceRef slice(std::size_t row) const;
    /// The row of a slice; nullopt if it has none. O(spans).
    std::optional<std::size_t> rowOf(SliceRef slice) const;

    std::size_t rowCount() const override { return m_rows; }
    std::span<const TableColumn> columns() const override { return m_columns; }
    void read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const override;
    std::string_view text(std::size_t column, std::int64_t number) const override;
    std::size_t textCount(std::size_t column) const override;
    std::string_view beside(std::size_t column, std::size_t row) const override;

private:
    struct Stretch {
        std::size_t firstRow = 0;
        std::shared_ptr<const TraceStore> store;
        RankIndex rank{};
        std::uint32_t source = 0;               ///< Index in m_numbers.
        std::uint32_t first = 0;                ///< SliceIndex
        const std::uint32_t* chosen = nullptr;  ///< Slices of the rows; null: all from the first one on.
        std::uint32_t depth = 0;
        std::int64_t process = 0, track = 0;  ///< Numbers of texts.
        std::int64_t rankId = kAbsentCell;
    };

    void numberNames(const SliceSelection& selection, const CancelToken& cancel);
    void numberTracks(const SliceSelection& selection, const std::vector<SliceSpan>& spans);
    std::int64_t cellOf(const Stretch& stretch, std::size_t column, std::uint32_t slice) const;

    static std::uint32_t sliceOf(const Stretch& stretch, std::size_t row) {
        const std::size_t place = row - stretch.firstRow;
        return stretch.chosen != nullptr ? stretch.chosen[place] : stretch.first + static_cast<std::uint32_t>(place);
    }

    std::shared_ptr<const CaptureStore> m_capture;  ///< Whose texts are shown, also those of ranks without a row.
    ChosenSlices m_chosen;
    std::size_t m_rows = 0;
    std::vector<TableColumn> m_columns;
    std::vector<Stretch> m_stretches;
    /// By selected rank, of each of its texts; empty if there is one rank alone.
    std::vector<std::vector<std::uint32_t>> m_numbers;
    std::vector<std::string_view> m_texts;           ///< Texts of all ranks, sorted; empty if there is one rank alone.
    std::vector<std::string> m_processes, m_tracks;  ///< Sorted.
};

}  // namespace altiscope
