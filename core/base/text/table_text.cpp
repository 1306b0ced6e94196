#include "core/base/text/table_text.h"

#include "core/base/text/text.h"
#include "core/base/values/digits.h"

#include <cmath>

namespace altiscope {

std::string csvQuotedPart(std::string_view text) {
    if (!isValidUtf8(text)) return csvQuotedPart(repairedUtf8(text));
    std::string doubled;
    doubled.reserve(text.size());
    for (const char c : text) {
        if (c == '"') doubled += '"';
        doubled += c;
    }
    return doubled;
}

std::string csvField(std::string_view text) {
    const bool isPlain = !text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos &&
                         text.front() != ' ' && text.back() != ' ';
    if (isPlain) return isValidUtf8(text) ? std::string(text) : repairedUtf8(text);
    return '"' + csvQuotedPart(text) + '"';
}

bool isFormula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos;
}

std::string realText(double value) {
    if (std::isinf(value)) return value < 0 ? "-1e999" : "1e999";
    return shortestNumber(value);
}

std::string hexText(std::string_view bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += hexDigit(byte >> 4U);
        text += hexDigit(byte);
    }
    return text;
}

std::string hexNumber(std::uint64_t number) {
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; number >>= 4) text[i] = hexDigit(static_cast<unsigned>(number & 15U));
    return text;
}

}  // namespace altiscope
