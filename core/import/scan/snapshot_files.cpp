#include "core/import/scan/snapshot_files.h"

#include "core/base/files/file.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/import/files/file_names.h"
#include "core/import/snapshot/pickle_place.h"
#include "core/import/snapshot/snapshot_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

struct FoundSnapshot {
    SourceFile file;
    std::string folder;  ///< Relative to the capture.
    std::optional<std::int64_t> rankId;
    bool isOutOfMemory = false;
};

struct SnapshotCandidate {
    const ListedFolder* folder;
    const ListedFile* file;
};

/// Whether a name speaks of what a snapshot holds.
bool saysMemory(std::string_view name) {
    return name.find("snapshot") != std::string_view::npos || name.find("memory") != std::string_view::npos ||
           name.find("oom") != std::string_view::npos;
}

bool isLikelier(const SnapshotCandidate& a, const SnapshotCandidate& b) {
    const auto key = [](const SnapshotCandidate& one) {
        return std::tuple(!saysMemory(one.file->name), std::numeric_limits<std::uint64_t>::max() - one.file->size,
                          std::string_view(one.folder->relative), std::string_view(one.file->name));
    };
    return key(a) < key(b);
}

/// Files that may be snapshots by their names.
std::vector<SnapshotCandidate> candidatesIn(const FolderListing& listing, const CancelToken& cancel) {
    std::vector<SnapshotCandidate> candidates;
    for (const ListedFolder& folder : listing.folders) {
        if (cancel.cancelled()) return candidates;
        for (const ListedFile& file : folder.files) {
            if (isSnapshotName(file.name)) candidates.push_back({&folder, &file});
        }
    }
    return candidates;
}

std::vector<FoundSnapshot> snapshotsIn(const FolderListing& listing, Diagnostics& diagnostics,
                                       const CancelToken& cancel) {
    // A folder of something else may hold any number of pickles, and each look costs a read.
    constexpr std::size_t kMaxLooks = 1000;
    std::vector<FoundSnapshot> found;
    std::vector<SnapshotCandidate> candidates = candidatesIn(listing, cancel);
    if (candidates.size() > kMaxLooks) {
        const auto middle = candidates.begin() + kMaxLooks;
        std::nth_element(candidates.begin(), middle, candidates.end(), isLikelier);
        diagnostics.add("scan.pickle_limit", Severity::Info, {}, {}, {{"limit", std::to_string(kMaxLooks)}},
                        candidates.size() - kMaxLooks);
        candidates.resize(kMaxLooks);
    }
    for (const auto& [folder, file] : candidates) {
        if (cancel.cancelled()) return found;
        const std::filesystem::path path = folder->path / file->name;
        const std::string name = folder->relativeTo(file->name);
        if (!holdsSnapshot(path)) {
            // Its content is not known before it is unpacked: the name says whether it matters.
            if (isCompressedFile(path))
                diagnostics.add("snapshot.compressed", saysMemory(file->name) ? Severity::Lost : Severity::Info, name,
                                {});
            continue;
        }
        found.push_back(
            {{path, name, SourceFormat::Other, file->size, 0, {}}, folder->relative, rankInSnapshotName(file->name)});
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
    // With several runs that have such a rank none is meant.
    if (owner == ranks.end() || std::find_if(std::next(owner), ranks.end(), hasNumber) != ranks.end()) return nullptr;
    return &*owner;
}

/// Whether a pickle holds the word of an entry "oom", in any of its forms of short texts. O(size).
bool holdsOutOfMemory(const std::filesystem::path& path, const CancelToken& cancel) {
    using namespace std::string_view_literals;
    constexpr std::array kWords{"\x8c\x03oom"sv, "X\x03\0\0\0oom"sv, "U\x03oom"sv};
    constexpr std::size_t kPart = std::size_t{4} << 20, kOverlap = 8;
    const auto file = ReadOnlyFile::open(path);
    if (!file.ok()) return false;
    std::string bytes(kPart + kOverlap, '\0');
    for (std::uint64_t at = 0; at < file.value().size() && !cancel.cancelled(); at += kPart) {
        const auto read = file.value().read(at, std::span(bytes.data(), bytes.size()));
        if (!read.ok()) return false;
        const std::string_view part = std::string_view(bytes).substr(0, read.value());
        if (std::any_of(kWords.begin(), kWords.end(),
                        [part](std::string_view word) { return part.find(word) != std::string_view::npos; }))
            return true;
    }
    return false;
}

/// The first is what a rank shows: one that ends in a request that failed, else the last by number of iteration or
/// time, which names hold. Names are compared as people count: 10 after 9.
void sortSnapshots(std::vector<FoundSnapshot>& found, const CancelToken& cancel) {
    if (found.size() < 2) return;
    for (FoundSnapshot& snapshot : found) snapshot.isOutOfMemory = holdsOutOfMemory(snapshot.file.path, cancel);
    std::sort(found.begin(), found.end(), [](const FoundSnapshot& a, const FoundSnapshot& b) {
        if (a.isOutOfMemory != b.isOutOfMemory) return a.isOutOfMemory;
        return naturalCompare(a.file.name, b.file.name) > 0;
    });
}

}  // namespace

std::optional<std::int64_t> rankInSnapshotName(std::string_view name) {
    constexpr std::size_t kMaxDigits = 6;  // more are a time
    if (const auto rank = rankInFolderName(name)) return rank;
    // Other programs count files, or say how far a training came: only these two forms are a rank's.
    constexpr std::string_view kSnapshot = "snapshot_";
    if (!name.starts_with(kSnapshot)) return std::nullopt;
    name = name.substr(kSnapshot.size(), name.rfind('.') - kSnapshot.size());
    const auto isOfTime = [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == '_'; };
    if (!std::all_of(name.begin(), name.end(), isOfTime)) return std::nullopt;
    const std::size_t border = name.rfind('_');
    const std::string_view last = border == std::string_view::npos ? name : name.substr(border + 1);
    if (last.size() > kMaxDigits) return std::nullopt;
    const auto rank = wholeNumber(last);
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
    sortSnapshots(found, cancel);
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
            diagnostics.add("snapshot.further", Severity::Info, snapshot.file.name, {},
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
