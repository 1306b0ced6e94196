#pragma once

#include <string>
#include <string_view>

namespace altiscope {

/// What kind of collective a name is of, in the words that keys of the communication matrix begin with: the leftmost of
/// these words, of several at one place the first; of other names what stands before "__". Lower case. Source:
/// core/import/communication/FORMAT.md section 3.
std::string matrixKind(std::string_view name);

}  // namespace altiscope
