#pragma once

#include <string>
#include <string_view>

namespace altiscope::remote {

/// A script that may ask "ours FOLDER": whether a folder, or the one that a link leads to, belongs to the account, and
/// nobody else can make, replace or rename what is in it. Nothing else there is run or written into.
inline std::string withOwnership(std::string_view script) {
    return R"sh(
ours() { [ -d "$1" ] && [ -O "$1" ] && [ -z "$(find -H "$1" -prune \( -perm -020 -o -perm -002 \))" ]; }
)sh" + std::string(script);
}

}  // namespace altiscope::remote
