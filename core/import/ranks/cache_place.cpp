#include "core/import/ranks/cache_place.h"

#include <system_error>

namespace altiscope::reader {

namespace fs = std::filesystem;

namespace {

/// Whether a path lies in a folder, or is it.
bool liesBelow(const fs::path& path, const fs::path& folder) {
    std::error_code error;
    for (fs::path at = fs::weakly_canonical(fs::absolute(path, error), error); !at.empty(); at = at.parent_path()) {
        // By identity and not by name: the same folder may be mounted twice.
        if (fs::equivalent(at, folder, error)) return true;
        if (!at.has_relative_path()) break;
    }
    return false;
}

}  // namespace

bool touchesCapture(const fs::path& capture, const fs::path& folder) {
    return liesBelow(folder, capture) || liesBelow(capture, folder);
}

fs::path temporaryPlace(const fs::path& capture) {
    std::error_code error;
    for (const fs::path& place : {fs::temp_directory_path(error), fs::path("/tmp"), fs::path("/var/tmp")}) {
        if (!place.empty() && fs::is_directory(place, error) && !liesBelow(place, capture)) return place;
    }
    return {};
}

}  // namespace altiscope::reader
