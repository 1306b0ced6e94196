#include "core/store/raw/graph_allocations.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace altiscope {

std::vector<GraphAllocation> graphAllocations(const std::vector<GraphMemoryRecord>& events) {
    struct Open {
        const GraphMemoryRecord* begin;
        std::size_t place;  // among all that were ever open
    };
    using Key = std::tuple<std::string_view, std::uint64_t, std::uint32_t>;
    std::map<Key, Open> open;
    std::vector<GraphAllocation> found;
    std::size_t next = 0;
    for (const GraphMemoryRecord& one : events) {
        const Key key(one.op, one.address, one.device);
        if (one.bytes > 0) {
            const auto [known, isNew] = open.try_emplace(key, Open{&one, next});
            if (isNew) ++next;
            else known->second.begin = &one;
        } else if (const auto known = open.find(key); one.bytes < 0 && known != open.end()) {
            found.push_back({known->second.begin, &one});
            open.erase(known);
        }
    }
    std::vector<Open> left;
    for (const auto& entry : open) left.push_back(entry.second);
    std::sort(left.begin(), left.end(), [](const Open& a, const Open& b) { return a.place < b.place; });
    for (const Open& one : left) found.push_back({one.begin, nullptr});
    return found;
}

}  // namespace altiscope
