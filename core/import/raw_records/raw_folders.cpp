#include "core/import/raw_records/raw_folders.h"

#include "core/import/files/file_names.h"
#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_files/raw_files.h"
#include "core/import/raw_records/raw_hwts.h"

#include <algorithm>
#include <string_view>
#include <system_error>

namespace altiscope::reader {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kFramework = "FRAMEWORK";

}  // namespace

RawFolders rawFolders(const SourceFile& file) {
    RawFolders folders;
    const std::string prefix = file.name == "." ? std::string() : file.name + '/';
    std::error_code error;
    std::size_t looks = 0;
    for (fs::directory_iterator at(file.path, error), end; !error && at != end && looks < kMaxRawFiles;
         at.increment(error), ++looks) {
        std::error_code ignored;
        if (at->is_symlink(ignored) || !at->is_directory(ignored)) continue;
        const std::string name = at->path().filename().string();
        if (name == kFramework) folders.framework.emplace(at->path(), prefix + name);
        else if (folderKind(name) == FolderKind::RawCann) folders.profs.emplace_back(at->path(), prefix + name);
    }
    if (folders.profs.empty() && !folders.framework) {
        folders.profs.emplace_back(file.path, file.name);
        return folders;
    }
    std::sort(folders.profs.begin(), folders.profs.end());
    const auto other = std::stable_partition(folders.profs.begin(), folders.profs.end(), [](const RawFolder& prof) {
        return hasReadableTasks(prof.first, prof.second);
    });
    for (auto prof = other; prof != folders.profs.end(); ++prof) folders.unreadable.push_back(prof->second);
    folders.profs.erase(other, folders.profs.end());
    return folders;
}

bool hasReadableTasks(const fs::path& path, const std::string& name) {
    Diagnostics unused;
    const RawFiles files = listRawFiles(path, name, unused, {});
    const auto logOf = [&unused](const fs::path& folder, const std::string& own, const std::string& ending) {
        return rawTaskLog(readRawSettings(folder, own, ending, unused).platform);
    };
    // Empty files stand for what an archive holds until it is unpacked.
    const auto hasBytes = [](const std::vector<RawFileSeries>& all) {
        return std::any_of(all.begin(), all.end(), [](const RawFileSeries& series) {
            return std::any_of(series.slices.begin(), series.slices.end(),
                               [](const RawSlice& slice) { return slice.size > 0; });
        });
    };
    if (files.devices.empty())
        return hasBytes(files.host) && logOf(files.hostFolder, files.hostName, {}) != RawTaskLog::None;
    return std::any_of(files.devices.begin(), files.devices.end(), [&](const RawDeviceFiles& device) {
        const auto has = [&device](RawTaskLog log) {
            return std::any_of(device.series.begin(), device.series.end(), [log](const RawFileSeries& series) {
                return log == RawTaskLog::Stars ? series.stem == "stars_soc.data" : isRawHwtsLog(series.stem);
            });
        };
        const RawTaskLog log = logOf(device.folder, device.name, '.' + std::to_string(device.device));
        const bool hasAny = has(RawTaskLog::Stars) || has(RawTaskLog::Hwts);
        return log != RawTaskLog::None && (has(log) || (!hasAny && hasBytes(device.series)));
    });
}

std::vector<fs::path> rawFilesOf(const SourceFile& file) {
    std::vector<fs::path> found;
    const auto add = [&found](const fs::path& folder) {
        std::error_code error;
        for (fs::directory_iterator at(folder, error), end; !error && at != end && found.size() < kMaxRawFiles;
             at.increment(error)) {
            std::error_code ignored;
            if (!at->is_symlink(ignored) && at->is_regular_file(ignored)) found.push_back(at->path());
        }
    };
    const RawFolders folders = rawFolders(file);
    if (folders.framework) {
        add(file.path);
        add(folders.framework->first);
    }
    for (const auto& [path, name] : folders.profs) {
        std::error_code error;
        for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
            const std::string part = at->path().filename().string();
            if (part != "host" && !part.starts_with("device_")) continue;
            add(at->path());
            add(at->path() / "data");
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace altiscope::reader
