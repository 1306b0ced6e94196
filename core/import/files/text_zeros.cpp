#include "core/import/files/text_zeros.h"

namespace altiscope::reader {

void findZeros(std::string_view text, std::uint64_t offset, std::vector<std::uint64_t>& places) {
    for (std::size_t at = text.find('\0'); at != std::string_view::npos; at = text.find('\0', at)) {
        places.push_back(offset + at);
        at = text.find_first_not_of('\0', at);
        if (at == std::string_view::npos) return;
    }
}

void tellZeros(const std::vector<std::uint64_t>& places, const std::string& file, Diagnostics& diagnostics) {
    for (const std::uint64_t place : places) diagnostics.add("text.zeros", Severity::Lost, file, {PlaceUnit::Byte, place});
}

}  // namespace altiscope::reader
