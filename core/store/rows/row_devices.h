#pragma once

#include "core/store/rows/row_table.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// The devices that the rows of a table name in `device_id`, ascending; empty where none does, and for kinds without
/// that column. O(blocks of rows), and O(rows) of blocks that name several.
std::vector<std::int64_t> devicesIn(const RowTable& table);

/// Whether they are several, recorded into one folder: then what is summed up or drawn is that of each device.
bool hasSeveralDevices(const RowTable& table);

}  // namespace altiscope
