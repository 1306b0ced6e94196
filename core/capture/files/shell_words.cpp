#include "core/capture/files/shell_words.h"

namespace altiscope::capture {

std::string shellQuoted(std::string_view word) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
    std::string text = "'";
    for (const char c : word) {
        if (c == '\'') text += "'\\''";
        else text += c;
    }
    return text + "'";
}

std::string shellCommand(std::span<const std::string> words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + shellQuoted(word);
    return text;
}

}  // namespace altiscope::capture
