#include "views/timeline/picture/short_name.h"

#include <algorithm>

namespace altiscope {

namespace {

/// The part after the last place of a text; the whole name if there is none.
std::string_view after(std::string_view name, std::string_view text) {
    const std::size_t at = name.rfind(text);
    const std::size_t begin = at == std::string_view::npos ? 0 : at + text.size();
    return begin < name.size() ? name.substr(begin) : name;
}

}  // namespace

std::string_view shortName(std::string_view name) {
    static constexpr std::string_view kCollective = "hcom_", kCall = "aclnn";
    if (name.starts_with(kCollective)) {
        const std::string_view rest = name.substr(kCollective.size());
        const std::string_view operation = rest.substr(0, rest.find("__"));
        return operation.empty() ? name : operation;
    }
    if (name.starts_with(kCall) && std::count(name.begin(), name.end(), '_') >= 2) return after(name, "_");
    name = after(name, ": ");
    if (name.find("::") != std::string_view::npos) return after(name, "::");
    // Names of scopes; a path with blanks, say in a command line, is none.
    return name.find(' ') == std::string_view::npos ? after(name, "/") : name;
}

}  // namespace altiscope
