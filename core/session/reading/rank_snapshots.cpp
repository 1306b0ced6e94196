#include "core/session/reading/rank_snapshots.h"

#include "core/session/reading/capture_loader.h"

#include <map>
#include <system_error>

namespace altiscope {

namespace {

/// By a further snapshot of a rank, the one that is read with it.
std::map<std::string, std::string> readSnapshots(const CaptureStore& capture) {
    std::map<std::string, std::string> read;
    for (const Diagnostic& entry : capture.diagnostics.entries()) {
        if (entry.code != "snapshot.further") continue;
        for (const auto& [name, value] : entry.parameters)
            if (name == "taken") read.emplace(entry.file, value);
    }
    return read;
}

}  // namespace

std::vector<std::vector<std::string>> snapshotFiles(const CaptureStore& capture) {
    const std::map<std::string, std::string> read = readSnapshots(capture);
    std::vector<std::vector<std::string>> files(capture.ranks.size());
    for (std::size_t r = 0; r < files.size() && !read.empty(); ++r) {
        for (const std::string& name : capture.ranks[r].info.alternatives) {
            const auto known = read.find(name);
            if (known == read.end()) continue;
            if (files[r].empty()) files[r].push_back(known->second);
            files[r].push_back(name);
        }
    }
    return files;
}

Result<std::shared_ptr<const RowTables>> readSnapshotFile(const std::filesystem::path& capture, const std::string& name,
                                                          ProgressSlot& progress, const CancelToken& cancel) {
    using Rows = std::shared_ptr<const RowTables>;
    std::error_code error;
    if (!std::filesystem::is_directory(capture, error)) return Error{"snapshot.not_at_hand", name, {}, {}};
    const auto loaded = loadCapture(capture / name, {}, progress, cancel);
    if (!loaded.ok()) return loaded.as<Rows>();
    for (const RankEntry& rank : loaded.value()->ranks)
        if (rank.rows != nullptr) return rank.rows;
    return Error{"capture.failed", name, {}, {}};
}

}  // namespace altiscope
