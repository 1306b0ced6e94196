#include "core/import/files/timeline_files.h"

#include "core/import/files/file_names.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace altiscope::reader {

SourceFile traceFile(const ListedFolder& folder, const ListedFile& file) {
    return {folder.path / file.name, folder.relativeTo(file.name), SourceFormat::TraceJson, file.size, 0, {}};
}

const ListedFile* plainOrPacked(const ListedFolder& folder, const std::string& name) {
    const ListedFile* plain = folder.file(name);
    return plain != nullptr ? plain : folder.file(name + ".gz");
}

std::vector<SourceFile> cannTimeline(const ListedFolder& folder, const CancelToken& cancel) {
    static constexpr std::size_t kStampDigits = 14;
    struct Part {
        const ListedFile* file;
        std::string stamp;
        std::int64_t slice;
    };
    std::vector<Part> parts;
    for (const ListedFile& file : folder.files) {
        if (cancel.cancelled()) return {};
        const std::string plain(unpackedName(file.name));
        const auto name = cannTimelineName(plain);
        // A packed file beside the same one unpacked is a copy of it.
        if (!name || plainOrPacked(folder, plain) != &file) continue;
        const std::string last = name->numbers.substr(name->numbers.rfind('_') + 1);
        parts.push_back({&file, last.size() >= kStampDigits ? last : std::string{}, name->slice.value_or(0)});
    }
    if (parts.empty()) return {};
    const auto newest =
        std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.stamp < b.stamp; });
    std::erase_if(parts, [stamp = newest->stamp](const Part& part) { return part.stamp != stamp; });
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.slice < b.slice; });
    std::vector<SourceFile> files;
    for (const Part& part : parts) {
        if (cancel.cancelled()) break;
        files.push_back(traceFile(folder, *part.file));
    }
    return files;
}

}  // namespace altiscope::reader
