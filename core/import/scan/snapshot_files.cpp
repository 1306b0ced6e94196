#include "core/import/scan/snapshot_files.h"

#include "core/base/parse.h"
#include "core/import/files/file_names.h"
#include "core/import/snapshot/pickle_place.h"
#include "core/import/snapshot/snapshot_reader.h"

#include <algorithm>
#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

struct FoundSnapshot {
    SourceFile file;
    std::string folder;  ///< Relative to the capture.
    std::optional<std::int64_t> rankId;
};

std::vector<FoundSnapshot> snapshotsIn(const FolderListing& listing, Diagnostics& diagnostics,
                                       const CancelToken& cancel) {
    // A folder of something else may hold any number of pickles, and each look costs a read.
    constexpr std::size_t kMostLooks = 1000;
    std::vector<FoundSnapshot> found;
    std::size_t looks = 0;
    for (const ListedFolder& folder : listing.folders) {
        for (const ListedFile& file : folder.files) {
            if (cancel.cancelled()) return found;
            if (!isSnapshotName(file.name)) continue;
            if (++looks > kMostLooks) {
                diagnostics.add("scan.look_limit", Severity::Lost, folder.relative, {},
                                {{"limit", std::to_string(kMostLooks)}});
                return found;
            }
            if (!holdsSnapshot(folder.path / file.name)) continue;
            found.push_back(
                {{folder.path / file.name, folder.relativeTo(file.name), SourceFormat::Other, file.size, 0, {}},
                 folder.relative,
                 rankInSnapshotName(file.name)});
        }
    }
    return found;
}

bool liesIn(const std::string& folder, const std::string& rank) {
    return folder == rank || rank == "." || folder.starts_with(rank + '/');
}

bool hasSnapshot(const RankManifest& rank) {
    return std::any_of(rank.tables.begin(), rank.tables.end(),
                       [](const TableFile& table) { return table.format == kSnapshotFormat; });
}

/// The rank that a snapshot is of; null: none of them.
RankManifest* snapshotOwner(const FoundSnapshot& snapshot, std::vector<RankManifest>& ranks) {
    const auto& id = snapshot.rankId;
    const auto isOf = [&](const RankManifest& rank) {
        return liesIn(snapshot.folder, rank.info.path) && (!id || !rank.info.rankId || *rank.info.rankId == *id);
    };
    // The innermost folder of a rank around it.
    RankManifest* innermost = nullptr;
    for (RankManifest& rank : ranks) {
        const auto depth = [](const RankManifest& one) { return one.info.path == "." ? 0 : one.info.path.size(); };
        if (isOf(rank) && (innermost == nullptr || depth(rank) > depth(*innermost))) innermost = &rank;
    }
    if (innermost != nullptr) return innermost;
    if (!id) return nullptr;
    const auto hasNumber = [&](const RankManifest& rank) { return rank.info.rankId == id; };
    const auto owner = std::find_if(ranks.begin(), ranks.end(), hasNumber);
    // Of several runs with such a rank none is meant.
    if (owner == ranks.end() || std::find_if(std::next(owner), ranks.end(), hasNumber) != ranks.end()) return nullptr;
    return &*owner;
}

}  // namespace

std::optional<std::int64_t> rankInSnapshotName(std::string_view name) {
    constexpr std::size_t kMostDigits = 6;  // more are a time
    if (const auto rank = rankInFolderName(name)) return rank;
    name = name.substr(0, name.rfind('.'));
    const std::size_t border = name.rfind('_');
    if (border == std::string_view::npos || name.size() - border - 1 > kMostDigits) return std::nullopt;
    const auto rank = wholeNumber(name.substr(border + 1));
    return rank && *rank >= 0 ? rank : std::nullopt;
}

RankManifest snapshotRank(SourceFile file) {
    RankManifest rank;
    rank.info.framework = Framework::Torch;
    rank.info.path = file.name;
    rank.info.rankId = rankInSnapshotName(file.path.filename().string());
    rank.info.present = {"snapshot"};
    rank.tables.push_back({std::move(file), kSnapshotFormat});
    return rank;
}

void addSnapshots(const FolderListing& listing, std::vector<RankManifest>& ranks, Diagnostics& diagnostics,
                  const CancelToken& cancel) {
    std::vector<FoundSnapshot> found = snapshotsIn(listing, diagnostics, cancel);
    // The last by name, which mostly holds a time, comes first.
    std::sort(found.begin(), found.end(),
              [](const FoundSnapshot& a, const FoundSnapshot& b) { return a.file.name > b.file.name; });
    for (FoundSnapshot& snapshot : found) {
        if (cancel.cancelled()) return;
        RankManifest* owner = snapshotOwner(snapshot, ranks);
        if (owner == nullptr) {
            ranks.push_back(snapshotRank(std::move(snapshot.file)));
            continue;
        }
        if (hasSnapshot(*owner)) {
            const auto taken = std::find_if(owner->tables.begin(), owner->tables.end(),
                                            [](const TableFile& table) { return table.format == kSnapshotFormat; });
            diagnostics.add("source_not_taken", Severity::Info, snapshot.file.name, {},
                            {{"taken", taken->source.name}});
            owner->info.alternatives.push_back(snapshot.file.name);
            continue;
        }
        owner->tables.push_back({std::move(snapshot.file), kSnapshotFormat});
        auto& present = owner->info.present;
        present.insert(std::upper_bound(present.begin(), present.end(), "snapshot"), "snapshot");
    }
}

}  // namespace altiscope::reader
