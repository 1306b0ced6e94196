#include "core/base/text/catalogue.h"

#include "core/base/text/embedded_catalogue.h"
#include "core/base/text/percent_text.h"
#include "core/base/values/parse.h"

#include <map>

namespace altiscope {

namespace {

struct Sentences {
    std::string_view english;
    std::string_view chinese;
};

using Catalogue = std::map<std::string_view, Sentences>;

/// Reads "[code]", "en = sentence", "zh_CN = sentence"; lines that begin with '#' are comments.
Catalogue parseCatalogue(std::string_view text) {
    Catalogue catalogue;
    Sentences* current = nullptr;
    while (!text.empty()) {
        const std::size_t lineEnd = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, lineEnd));
        text.remove_prefix(lineEnd == std::string_view::npos ? text.size() : lineEnd + 1);
        if (line.empty() || line.front() == '#') continue;
        if (line.front() == '[' && line.back() == ']') {
            current = &catalogue[line.substr(1, line.size() - 2)];
            continue;
        }
        const std::size_t equals = line.find('=');
        if (current == nullptr || equals == std::string_view::npos) continue;
        const std::string_view key = trimmed(line.substr(0, equals));
        const std::string_view value = trimmed(line.substr(equals + 1));
        if (key == "en") current->english = value;
        if (key == "zh_CN") current->chinese = value;
    }
    return catalogue;
}

const Catalogue& catalogue() {
    static const Catalogue parsed = parseCatalogue(embeddedCatalogue());
    return parsed;
}

std::string filled(std::string_view sentence, std::string_view language, const MessageParameters& parameters) {
    std::string text;
    while (!sentence.empty()) {
        const std::size_t open = sentence.find('{');
        text += sentence.substr(0, open);
        if (open == std::string_view::npos) break;
        sentence.remove_prefix(open);
        const std::size_t close = sentence.find('}');
        bool known = false;
        if (close != std::string_view::npos) {
            for (const auto& [name, value] : parameters) {
                if (name != sentence.substr(1, close - 1)) continue;
                text += inLanguage(value, language);
                sentence.remove_prefix(close + 1);
                known = true;
                break;
            }
        }
        if (!known) {
            text += '{';
            sentence.remove_prefix(1);
        }
    }
    return text;
}

}  // namespace

std::string catalogueText(std::string_view code, std::string_view language, const MessageParameters& parameters) {
    const auto found = catalogue().find(code);
    if (found == catalogue().end()) return std::string(code);
    return filled(language == "zh_CN" ? found->second.chinese : found->second.english, language, parameters);
}

std::string errorText(const Error& error, std::string_view language) {
    MessageParameters parameters = error.parameters;
    parameters.emplace_back("file", error.file);
    parameters.emplace_back("place", error.place);
    return catalogueText(error.code, language, parameters);
}

std::vector<std::string> catalogueCodes() {
    std::vector<std::string> codes;
    for (const auto& [code, sentences] : catalogue()) codes.emplace_back(code);
    return codes;
}

}  // namespace altiscope
