#include "core/import/files/text_zeros.h"

namespace altiscope::reader {

bool findZeros(std::string_view text, std::uint64_t offset, bool afterZero, std::vector<std::uint64_t>& places) {
    if (text.empty()) return afterZero;
    for (std::size_t at = text.find('\0'); at != std::string_view::npos; at = text.find('\0', at)) {
        if (at != 0 || !afterZero) places.push_back(offset + at);
        at = text.find_first_not_of('\0', at);
        if (at == std::string_view::npos) break;
    }
    return text.back() == '\0';
}

void reportZeros(const std::vector<std::uint64_t>& places, const std::string& file, Diagnostics& diagnostics) {
    for (const std::uint64_t place : places)
        diagnostics.add("text.zeros", Severity::Lost, file, {PlaceUnit::Byte, place});
}

}  // namespace altiscope::reader
