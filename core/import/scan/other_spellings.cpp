#include "core/import/scan/other_spellings.h"

#include "core/base/text/ascii.h"
#include "core/import/files/file_names.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace altiscope::reader {

namespace {

constexpr std::string_view kOutputs[] = {"ASCEND_PROFILER_OUTPUT", "mindstudio_profiler_output"};

bool isNameInOtherLetters(const ListedFolder& folder, const std::string& name) {
    const std::string lower = asciiLower(name);
    if (lower == name || !fileContent(name).empty()) return false;
    // Elsewhere a file of the user may be called so.
    return isDeliverable(fileContent(lower)) && folderKind(folder.name) != FolderKind::Other;
}

bool holdsDeliverables(const ListedFolder& folder) {
    return std::any_of(folder.files.begin(), folder.files.end(),
                       [](const ListedFile& file) { return isDeliverable(fileContent(asciiLower(file.name))); });
}

/// Whether `output` is read as part of the folder around it, a rank's; elsewhere it is a rank of its own.
bool isRead(const FolderListing& listing, const ListedFolder& around, std::string_view output) {
    const FolderKind kind = folderKind(around.name);
    return listing.child(around, output) != nullptr || kind == FolderKind::TorchRank ||
           kind == FolderKind::MindSporeRank || kind == FolderKind::RawCann;
}

}  // namespace

void reportOtherSpellings(const FolderListing& listing, Diagnostics& diagnostics, const CancelToken& cancel) {
    const auto report = [&diagnostics](const std::string& name, std::string_view known) {
        diagnostics.add("scan.other_spelling", Severity::Lost, name, {}, {{"known", std::string(known)}});
    };
    for (const ListedFolder& folder : listing.folders) {
        for (const ListedFile& file : folder.files) {
            if (cancel.cancelled()) return;
            if (isNameInOtherLetters(folder, file.name)) report(folder.relativeTo(file.name), asciiLower(file.name));
        }
        for (const std::size_t number : folder.folders) {
            if (cancel.cancelled()) return;
            const ListedFolder& below = listing.folders[number];
            for (const std::string_view output : kOutputs) {
                if (below.name != output && asciiLower(below.name) == asciiLower(output) && holdsDeliverables(below) &&
                    isRead(listing, folder, output))
                    report(below.relative, output);
            }
        }
    }
}

}  // namespace altiscope::reader
