#pragma once

#include "core/base/values/cancel.h"
#include "core/tables/sources/table_source.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Words that may stand at a place of a filter.
struct FilterCompletion {
    std::size_t begin = 0, end = 0;  ///< Bytes of the text that a choice replaces.
    std::vector<std::string> words;  ///< As they are to be put there; best first. Empty if nothing fits.
};

inline constexpr std::size_t kMaxCompletions = 50;

/// Names of columns, comparisons, texts that occur in the column, or `and` and `or`, as the words before the cursor ask
/// for. Texts are looked for in the first 2^17 rows.
/// @param cursor  Byte of the text. @note Any thread.
FilterCompletion completeFilter(std::string_view text, std::size_t cursor, const TableSource& source,
                                const CancelToken& cancel);

}  // namespace altiscope
