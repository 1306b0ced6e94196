#include "core/store/rows/row_devices.h"

#include <algorithm>
#include <set>

namespace altiscope {

std::vector<std::int64_t> devicesIn(const RowTable& table) {
    const std::size_t column = rowColumn(table.kind(), "device_id");
    if (column == rowColumns(table.kind()).size()) return {};
    std::set<std::int64_t> devices;
    for (std::size_t first = 0; first < table.size(); first += RowBlock::kBlock) {
        const RowBlock& block = table.block(column, first);
        if (block.nulls == RowBlock::Nulls::All) continue;
        devices.insert(block.min);
        if (block.min == block.max) continue;
        const std::size_t last = std::min(table.size(), first + RowBlock::kBlock);
        for (std::size_t row = first; row < last; ++row) {
            if (const auto device = table.integer(column, row)) devices.insert(*device);
        }
    }
    return {devices.begin(), devices.end()};
}

bool hasSeveralDevices(const RowTable& table) { return devicesIn(table).size() > 1; }

}  // namespace altiscope
