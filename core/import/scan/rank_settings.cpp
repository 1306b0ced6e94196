#include "core/import/scan/rank_settings.h"

#include "core/base/values/parse.h"
#include "core/import/files/file_names.h"

#include <cstddef>
#include <iterator>
#include <string>

namespace altiscope::reader {

std::optional<std::int64_t> knownRank(const Metadata& metadata, std::string_view key) {
    const std::string* stated = findKey(metadata, key);
    const auto rank = stated != nullptr ? wholeNumber(*stated) : std::nullopt;
    // Tools write -1 where they do not know.
    return rank && *rank >= 0 ? rank : std::nullopt;
}

std::optional<std::int64_t> readRankSettings(RankInfo& info, const ListedFolder& folder, Diagnostics& diagnostics,
                                             const CancelToken& cancel) {
    std::optional<std::int64_t> rank;
    const auto read = [&](const ListedFile& file) {
        Metadata metadata = readMetadata(folder.path / file.name, folder.relativeTo(file.name), diagnostics);
        info.metadata.insert(info.metadata.end(), std::make_move_iterator(metadata.begin()),
                             std::make_move_iterator(metadata.end()));
    };
    for (const ListedFile& file : folder.files) {
        if (cancel.cancelled()) break;
        const auto number = rankInInfoName(file.name);
        if (!number && file.name != "profiler_info.json") continue;
        if (!rank) rank = number;
        const auto before = static_cast<std::ptrdiff_t>(info.metadata.size());
        read(file);
        const auto within = knownRank({info.metadata.begin() + before, info.metadata.end()}, "rank_id");
        if (rank && within && *within != *rank)
            diagnostics.add("rank.id_conflict", Severity::Info, folder.relativeTo(file.name), {},
                            {{"taken", std::to_string(*rank)}, {"other", std::to_string(*within)}});
    }
    if (const ListedFile* file = folder.file("profiler_metadata.json")) read(*file);
    return rank ? rank : knownRank(info.metadata, "rank_id");
}

}  // namespace altiscope::reader
