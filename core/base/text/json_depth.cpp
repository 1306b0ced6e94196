#include "core/base/text/json_depth.h"

namespace altiscope {

bool isNestedDeeper(std::string_view json, std::size_t levels) {
    std::size_t depth = 0;
    bool isInText = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (isInText && c == '\\') ++i;
        else if (c == '"') isInText = !isInText;
        else if (isInText) continue;
        else if (c == '[' || c == '{') ++depth;
        else if ((c == ']' || c == '}') && depth > 0) --depth;
        if (depth > levels) return true;
    }
    return false;
}

}  // namespace altiscope
