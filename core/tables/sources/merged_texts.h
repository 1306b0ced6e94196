#pragma once

#include "core/base/columns/string_pool.h"
#include "core/base/values/cancel.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope {

/// The texts of several pools with one numbering: a text's number is its place among all, in their order.
struct MergedTexts {
    std::vector<std::string_view> texts;              ///< Sorted, each once; as long as the pools.
    std::vector<std::vector<std::uint32_t>> numbers;  ///< By pool, of each of its texts.
};

/// O(texts * log); incomplete if cancelled.
MergedTexts mergedTexts(const std::vector<const StringPool*>& pools, const CancelToken& cancel);

}  // namespace altiscope
