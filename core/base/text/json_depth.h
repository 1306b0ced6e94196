#pragma once

#include <cstddef>
#include <string_view>

namespace altiscope {

/// Whether lists and objects of a JSON text nest deeper than so many levels. Ask it before parseJson() where somebody
/// else wrote the text: the library recurses when it copies, compares or writes a value. Of a text that is no JSON,
/// whichever. One pass, no memory.
bool isNestedDeeper(std::string_view json, std::size_t levels);

}  // namespace altiscope
