#include "core/base/catalogue.h"

#include "core/base/embedded_catalogue.h"

#include <algorithm>
#include <functional>
#include <map>

namespace altiscope {

namespace {

struct Sentence {
    std::string_view english;
    std::string_view chinese;
};

using Sentences = std::map<std::string_view, Sentence, std::less<>>;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The file is part of the program and tests/support/check_translations.py holds it to its format, so lines that this
/// loop does not understand (comments, blank lines) are simply passed over.
Sentences parseCatalogue(std::string_view text) {
    Sentences sentences;
    Sentence* current = nullptr;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.size() > 2 && line.front() == '[' && line.back() == ']') {
            current = &sentences[line.substr(1, line.size() - 2)];
            continue;
        }
        const std::size_t equals = line.find('=');
        if (current == nullptr || equals == std::string_view::npos) continue;
        const std::string_view key = trimmed(line.substr(0, equals));
        const std::string_view value = trimmed(line.substr(equals + 1));
        if (key == "en") current->english = value;
        if (key == "zh_CN") current->chinese = value;
    }
    return sentences;
}

const Sentences& sentences() {
    static const Sentences parsed = parseCatalogue(embeddedCatalogue());
    return parsed;
}

/// One pass over the sentence, so that a parameter whose value contains "{name}" is not expanded again.
std::string filledIn(std::string_view sentence, const MessageParameters& parameters) {
    std::string text;
    text.reserve(sentence.size() + 64);
    while (!sentence.empty()) {
        const std::size_t open = std::min(sentence.find('{'), sentence.size());
        text += sentence.substr(0, open);
        sentence.remove_prefix(open);
        const std::size_t close = sentence.find('}');
        if (close == std::string_view::npos) break;
        const std::string_view name = sentence.substr(1, close - 1);
        const auto known = std::find_if(parameters.begin(), parameters.end(),
                                        [name](const auto& parameter) { return parameter.first == name; });
        if (known == parameters.end()) {
            text += '{';
            sentence.remove_prefix(1);
        } else {
            text += known->second;
            sentence.remove_prefix(close + 1);
        }
    }
    text += sentence;
    return text;
}

} // namespace

std::string catalogueText(std::string_view code, std::string_view language, const MessageParameters& parameters) {
    const auto found = sentences().find(code);
    if (found == sentences().end()) return std::string(code);
    const Sentence& sentence = found->second;
    return filledIn(language == "zh_CN" ? sentence.chinese : sentence.english, parameters);
}

std::string errorText(const Error& error, std::string_view language) {
    MessageParameters parameters = error.parameters;
    parameters.emplace_back("file", error.file);
    parameters.emplace_back("place", error.place);
    return catalogueText(error.code, language, parameters);
}

std::vector<std::string> catalogueCodes() {
    std::vector<std::string> codes;
    codes.reserve(sentences().size());
    for (const auto& [code, sentence] : sentences()) codes.emplace_back(code);
    return codes;
}

} // namespace altiscope
