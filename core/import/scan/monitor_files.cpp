#include "core/import/scan/monitor_files.h"

#include "core/import/files/profiler_info.h"
#include "core/import/monitor/monitor_lines.h"
#include "core/import/monitor/monitor_reader.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

bool isOfLines(const ListedFile& file) { return monitorFileName(file.name).has_value(); }

}  // namespace

bool hasMonitorLines(const ListedFolder& folder) {
    return std::any_of(folder.files.begin(), folder.files.end(), isOfLines);
}

ListedFolder withoutMonitorLines(const ListedFolder& folder) {
    ListedFolder rest = folder;
    std::erase_if(rest.files, isOfLines);
    return rest;
}

RankManifest monitorRank(const ListedFolder& folder, const std::vector<ListedFile>& files, const std::string& path) {
    RankManifest rank;
    RankInfo& info = rank.info;
    info.path = path;
    info.framework = Framework::Cann;
    for (const ListedFile& file : files)
        rank.traces.push_back(
            {folder.path / file.name, folder.relativeTo(file.name), SourceFormat::MonitorLines, file.size, 0, {}});
    if (const auto name = monitorFileName(files.front().name)) info.rankId = name->rank;
    MonitorFacts facts = readMonitorFacts(rank.traces.back().path);
    // A new file may begin between its last two lines.
    if (facts.groups.empty() && rank.traces.size() > 1) {
        MonitorFacts before = readMonitorFacts(rank.traces[rank.traces.size() - 2].path);
        facts.groups = std::move(before.groups);
        if (!facts.device) facts.device = before.device;
    }
    info.deviceId = facts.device;
    if (!facts.groups.empty()) addMetadata(info.metadata, "parallel_group_info", facts.groups);
    info.present = presentData({"timeline"}, info.metadata);
    return rank;
}

std::vector<RankManifest> monitorRanks(const ListedFolder& folder, const CancelToken& cancel) {
    using Part = std::pair<std::string, ListedFile>;  // its stamp first
    std::map<std::string, std::vector<Part>> processes;
    for (const ListedFile& file : folder.files) {
        if (const auto name = monitorFileName(file.name)) processes[name->process].push_back({name->stamp, file});
    }
    std::vector<RankManifest> ranks;
    for (auto& [process, parts] : processes) {
        if (cancel.cancelled()) break;
        std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
            return std::tie(a.first, a.second.name) < std::tie(b.first, b.second.name);
        });
        std::vector<ListedFile> files;
        for (Part& part : parts) files.push_back(std::move(part.second));
        const std::string path = folder.relativeTo(files.front().name);
        ranks.push_back(monitorRank(folder, files, path));
    }
    return ranks;
}

}  // namespace altiscope::reader
