#include "core/import/scan/unread_kinds.h"

#include <algorithm>

namespace altiscope::reader {

namespace {

constexpr std::string_view kFeatures = "SoRA features";

void addUnread(std::vector<UnreadKind>& kinds, std::string_view what, const ListedFolder& folder, std::uint64_t files) {
    if (files == 0) return;
    const auto same = [what](const UnreadKind& kind) { return kind.what == what; };
    const auto known = std::find_if(kinds.begin(), kinds.end(), same);
    if (known != kinds.end()) known->files += files;
    else kinds.push_back({what, folder.relative, files});
}

}  // namespace

std::vector<UnreadKind> unreadKinds(const FolderListing& listing) {
    std::vector<UnreadKind> kinds;
    for (const ListedFolder& folder : listing.folders) {
        const ListedFolder* features =
            folder.file("data.jsonl") != nullptr ? listing.child(folder, "features") : nullptr;
        if (features == nullptr) continue;
        const auto tensors = std::count_if(features->files.begin(), features->files.end(),
                                           [](const ListedFile& file) { return file.name.ends_with(".pt"); });
        addUnread(kinds, kFeatures, folder, static_cast<std::uint64_t>(tensors));
    }
    return kinds;
}

}  // namespace altiscope::reader
