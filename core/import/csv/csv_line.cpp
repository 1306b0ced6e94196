#include "core/import/csv/csv_line.h"

#include <span>
#include <string_view>

namespace altiscope::reader {

Result<std::string> csvLineAt(const ReadOnlyFile& file, std::uint64_t byte, std::size_t size) {
    static constexpr std::string_view kMark = "\xEF\xBB\xBF";
    std::string text(size, '\0');
    const auto got = file.read(byte, std::span(text));
    if (!got.ok()) return got.as<std::string>();
    text.resize(got.value());
    bool isQuoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') isQuoted = !isQuoted;
        if ((text[i] == '\n' || text[i] == '\r') && !isQuoted) text.resize(i);
    }
    if (text.starts_with(kMark)) text.erase(0, kMark.size());
    return text;
}

}  // namespace altiscope::reader
