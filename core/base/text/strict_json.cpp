#include "core/base/text/strict_json.h"

#include <algorithm>
#include <array>

namespace altiscope {

std::string strictJson(std::string_view json) {
    static constexpr std::array<std::string_view, 3> kBare{"-Infinity", "Infinity", "NaN"};
    std::string strict;
    bool inString = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inString && c == '\\' && i + 1 < json.size()) {
            strict.append(json, i++, 2);
            continue;
        }
        if (c == '"') inString = !inString;
        const auto* bare =
            inString ? kBare.end() : std::find_if(kBare.begin(), kBare.end(), [&](std::string_view word) {
                return json.substr(i).starts_with(word);
            });
        if (bare == kBare.end()) {
            strict += c;
            continue;
        }
        ((strict += '"') += *bare) += '"';
        i += bare->size() - 1;
    }
    return strict;
}

}  // namespace altiscope
