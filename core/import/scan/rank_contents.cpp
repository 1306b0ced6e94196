#include "core/import/scan/rank_contents.h"

#include "core/base/memory/discard.h"
#include "core/import/csv/task_times.h"
#include "core/import/files/file_names.h"
#include "core/import/files/profiler_info.h"
#include "core/import/scan/source_sniffing.h"
#include "core/import/scan/table_files.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace altiscope::reader {

void describeRank(RankManifest& rank, const RankFolders& found, const SourceChoice& choice, Diagnostics& diagnostics) {
    const ListedFolder& output = *found.output;
    const ListedFolder* analyze = found.analyze;
    RankInfo& info = rank.info;
    std::vector<std::string> contents;
    std::map<std::string, std::uint64_t> unread;
    std::vector<TableFile> readable = tableFiles(output, choice.cancel);
    // A folder may hold any number of parts of a table.
    std::unordered_set<std::string> read;
    const DiscardOnCancel later(choice.cancel, contents, readable, read);
    for (const TableFile& table : readable) {
        if (choice.cancel.cancelled()) return;
        read.insert(table.source.name);
    }
    std::vector<const ListedFolder*> folders{&output};
    if (analyze != nullptr) folders.push_back(analyze);
    rank.tables = chosenTables(std::move(readable), info.source, folders, choice, diagnostics);
    // Tasks are where they come from.
    if (std::any_of(rank.tables.begin(), rank.tables.end(),
                    [](const TableFile& table) { return table.format == kTaskTimesFormat; }))
        contents.emplace_back("kernels");
    if (found.hostInfo != nullptr) {
        const std::size_t before = rank.tables.size();
        addHostInfoTables(rank, *found.hostInfo);
        if (rank.tables.size() > before) contents.emplace_back("host_info");
    }
    const auto isRead = [&](std::string_view name) {
        return isAnalysisDatabase(name) || read.contains(output.relativeTo(name));
    };
    for (const ListedFile& file : output.files) {
        if (choice.cancel.cancelled()) return;
        const std::string content(file.content);
        if (content.empty() || content == "timeline") continue;
        if (content == "database") continue;
        contents.push_back(content);
        if (!isRead(file.name)) ++unread[content];
        if (content == "kernels" || content == "memory" || content == "module_memory") {
            if (!info.deviceId) info.deviceId = deviceInCsv(output.path / file.name);
        }
    }
    if (analyze != nullptr) {
        for (const ListedFile& file : analyze->files) contents.emplace_back(file.content);
        std::erase(contents, "");
    }
    const bool hasTimeline = !rank.traces.empty();
    if (hasTimeline) contents.emplace_back("timeline");
    contents.insert(contents.end(), found.inDatabase.begin(), found.inDatabase.end());
    if (found.hasRaw) contents.emplace_back("raw");
    info.present = presentData(contents, info.metadata);
    info.missing = missingData(info.present, info.metadata);
    const bool isRawOnly = found.hasRaw && !hasTimeline && contents.size() == 1;
    if (!hasTimeline)
        info.missing.insert(info.missing.begin(), missingTimeline(isRawOnly ? "analyse" : found.timelineSwitch));

    if (isRawOnly) {
        info.source = SourceKind::Raw;
        info.state = RankState::Raw;
        diagnostics.add("raw_only", Severity::Info, info.path, {});
    }
    if (!unread.empty()) {
        std::string what;
        std::uint64_t count = 0;
        for (const auto& [content, files] : unread) {
            what += (what.empty() ? "" : ", ") + content;
            count += files;
        }
        diagnostics.add("files_not_read", Severity::Info, output.relative, {}, {{"what", what}}, count);
    }
}

}  // namespace altiscope::reader
