#include "core/tables/sources/table_source.h"

namespace altiscope {

std::string TableSource::label(std::size_t column, std::size_t row) const {
    if (!columns()[column].hasBeside) return {};
    const std::string_view text = beside(column, row);
    if (text.empty()) return {};
    const std::int64_t number = cell(column, row);
    return number == kAbsentCell ? std::string(text) : std::to_string(number) + " · " + std::string(text);
}

}  // namespace altiscope
