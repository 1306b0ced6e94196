#include "core/import/files/near_names.h"

#include <algorithm>

namespace altiscope::reader {

bool isNearlyName(std::string_view name, std::string_view known) {
    constexpr std::size_t kChanged = 2;
    constexpr std::size_t kShort = 4;
    const std::size_t shorter = std::min(name.size(), known.size()), longer = std::max(name.size(), known.size());
    if (name == known || longer - shorter > kChanged || shorter == 0) return false;
    std::size_t front = 0, back = 0;
    while (front < shorter && name[front] == known[front]) ++front;
    while (back < shorter - front && name[name.size() - 1 - back] == known[known.size() - 1 - back]) ++back;
    const std::size_t changed = longer - front - back;
    if (known.size() < kShort) return changed == 1 && longer == shorter;
    return changed <= kChanged;
}

}  // namespace altiscope::reader
