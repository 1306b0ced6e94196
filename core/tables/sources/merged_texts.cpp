#include "core/tables/sources/merged_texts.h"

#include <algorithm>
#include <unordered_set>

namespace altiscope {

MergedTexts mergedTexts(const std::vector<const StringPool*>& pools, const CancelToken& cancel) {
    MergedTexts merged;
    std::unordered_set<std::string_view> known;
    for (const StringPool* pool : pools) {
        if (cancel.cancelled()) return merged;
        for (std::uint32_t id = 0; id < pool->size(); ++id) known.insert(pool->text({id}));
    }
    merged.texts.assign(known.begin(), known.end());
    std::sort(merged.texts.begin(), merged.texts.end());
    for (const StringPool* pool : pools) {
        if (cancel.cancelled()) return merged;
        std::vector<std::uint32_t>& numbers = merged.numbers.emplace_back(pool->size());
        // Both are sorted: what is looked for lies after what was found before.
        auto at = merged.texts.begin();
        for (std::uint32_t id = 0; id < pool->size(); ++id) {
            at = std::lower_bound(at, merged.texts.end(), pool->text({id}));
            numbers[id] = static_cast<std::uint32_t>(at - merged.texts.begin());
        }
    }
    return merged;
}

}  // namespace altiscope
