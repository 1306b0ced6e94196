#include "core/analysis/kernels/filtered_kernels.h"

#include "core/analysis/support/cell_reader.h"

#include <algorithm>

namespace altiscope {

std::vector<IndexPiece> piecesOf(const std::vector<FilteredKernels>& selected, std::size_t size) {
    std::vector<IndexPiece> pieces;
    for (std::size_t part = 0; part < selected.size(); ++part) {
        const std::size_t rows = selected[part].rows.size();
        for (std::size_t first = 0; first < rows; first += size)
            pieces.push_back({part, first, std::min(rows, first + size)});
    }
    return pieces;
}

std::vector<bool> slicesOfKernels(const RankEntry& rank, const FilteredRows& rows) {
    std::vector<bool> slices(rank.trace->sliceCount());
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::Kernel);
    if (table == nullptr) return slices;
    CellReader cells(*table, fixedColumn(RowKind::Kernel, "slice_id"));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (const std::int64_t slice = cells.at(rows[i]); slice != kNoCell)
            slices[static_cast<std::size_t>(slice)] = true;
    }
    return slices;
}

}  // namespace altiscope
