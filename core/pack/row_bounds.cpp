#include "core/pack/row_bounds.h"

#include "core/base/values/time.h"
#include "core/store/rows/row_pack.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::pack {

namespace {

/// Columns of times and durations that do not say so by their ends.
constexpr std::array<std::string_view, 19> kTimeColumns{"ts",
                                                        "dur",
                                                        "wait",
                                                        "elapsed",
                                                        "transit",
                                                        "synchronization",
                                                        "idle",
                                                        "free",
                                                        "stage",
                                                        "total",
                                                        "min",
                                                        "max",
                                                        "computing",
                                                        "communication",
                                                        "bubble",
                                                        "not_overlapped",
                                                        "overlapped",
                                                        "preparing",
                                                        "not_overlapped_excl_receive"};

bool isTimeColumn(std::string_view name) {
    return name.ends_with("_ts") || name.ends_with("_dur") ||
           std::find(kTimeColumns.begin(), kTimeColumns.end(), name) != kTimeColumns.end();
}

bool isWithin(std::int64_t cell, bool isDevice) {
    if (cell == kNoCell) return true;
    return isDevice ? cell >= -1 && cell <= kMaxDevice : isTraceTime(cell);
}

}  // namespace

std::shared_ptr<const RowTables> boundedRows(std::shared_ptr<const RowTables> rows, std::uint64_t& beyond) {
    beyond = 0;
    if (rows == nullptr) return rows;
    for (std::size_t t = 0; t < rows->tables().size(); ++t) {
        const RowKind kind = rows->tables()[t].kind();
        const auto columns = rowColumns(kind);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const bool isDevice = columns[i].name == "device_id";
            if (columns[i].cell != RowCell::Integer || (!isDevice && !isTimeColumn(columns[i].name))) continue;
            const RowTable& table = rows->tables()[t];
            std::vector<std::int64_t> cells(table.size());
            std::uint64_t inColumn = 0;
            for (std::size_t first = 0; first < cells.size(); first += RowBlock::kBlock) {
                const auto part = std::span(cells).subspan(first, std::min(RowBlock::kBlock, cells.size() - first));
                unpackBlock(table.columns()[i], first / RowBlock::kBlock, part);
                for (std::int64_t& cell : part) {
                    if (isWithin(cell, isDevice)) continue;
                    cell = kNoCell;
                    ++inColumn;
                }
            }
            if (inColumn > 0) rows = std::make_shared<const RowTables>(rows->with(kind, i, cells));
            beyond += inColumn;
        }
    }
    return rows;
}

}  // namespace altiscope::pack
