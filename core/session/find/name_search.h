#pragma once

#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// A name that slices have, and how many.
struct FoundName {
    std::string name;
    std::uint64_t count = 0;  ///< Slices of all captures.
    std::int64_t total = 0;   ///< Sum of their durations, ns.
    bool operator==(const FoundName&) const = default;
};

/// Names of slices that hold all words of a text, in any case and order, from what stores know of each name: no slice
/// is looked at, however many there are. Exact names first, then names that begin with the text, then by total.
/// @param most     No more names than these.
/// @param publish  Given what is known from time to time, best first; may be empty.
/// @return As far as it came, if cancelled. Nothing for a text without words.
/// @note  A worker. O(names * words + names of each track), each text is compared once for each rank.
std::vector<FoundName> findNames(const std::vector<std::shared_ptr<const CaptureStore>>& captures,
                                 std::string_view text, std::size_t most,
                                 const std::function<void(std::vector<FoundName>)>& publish, const CancelToken& cancel);

}  // namespace altiscope
