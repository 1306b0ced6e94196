#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// The UTF-8 text that bytes mean if they are GBK (GB18030), the encoding in which Chinese systems may write names;
/// nullopt if they are no such text, or hold no character beyond ASCII. Any thread. O(length).
std::optional<std::string> textOfGbk(std::string_view bytes);

}  // namespace altiscope::reader
