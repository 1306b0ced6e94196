#include "core/import/scan/db_sources.h"

#include "core/import/scan/source_sniffing.h"
#include "core/import/sqlite/db_copy.h"

#include <algorithm>
#include <set>
#include <string>

namespace altiscope::reader {

namespace {

/// 0 is taken first; nullopt: no database of a timeline by its name.
std::optional<int> order(const ListedFile& file) {
    const std::string& name = file.name;
    const bool isNamed = file.content == "database";
    if (name.starts_with("ascend_pytorch_profiler") || name.starts_with("ascend_mindspore_profiler")) return 0;
    if (isNamed && name.starts_with("msprof_")) return 1;
    if (isNamed) return 2;
    return std::nullopt;
}

}  // namespace

std::vector<const ListedFile*> timelineDatabases(const ListedFolder& folder) {
    std::vector<const ListedFile*> found;
    for (const ListedFile& file : folder.files) {
        const bool isKnown = file.content == "database";
        // A look costs a read, so only what says half of it is looked at: users rename the endings.
        if (isKnown || (order(file) && fileTypeOf(folder.path / file.name) == FileType::Database))
            found.push_back(&file);
    }
    std::stable_sort(found.begin(), found.end(), [](const ListedFile* a, const ListedFile* b) {
        const int first = order(*a).value_or(3), second = order(*b).value_or(3);
        if (first != second) return first < second;
        // Names of CANN end in the time of the export.
        return first > 0 && a->name > b->name;
    });
    return found;
}

SourceFile databaseFile(const std::filesystem::path& path, const std::string& name, std::uint64_t size,
                        const SourceChoice& choice, Diagnostics& diagnostics) {
    SourceFile file{path, name, SourceFormat::Database, size, 0, {}};
    if (!DbCopy::isNeeded(path)) return file;
    const auto copy = DbCopy::make(path, choice.scratchFolder, choice.cancel);
    if (copy.cancelled()) return file;
    if (copy.failed()) {
        diagnostics.add(copy.error().code, Severity::Lost, name, {}, copy.error().parameters);
        return file;
    }
    if (copy.value()->namedAnotherJournal()) diagnostics.add("db.other_journal", Severity::Repaired, name, {});
    file.copied = path;
    file.path = copy.value()->path();
    file.copy = copy.value();
    return file;
}

Framework frameworkOfDatabase(std::string_view name) {
    const std::string_view last = name.substr(name.rfind('/') + 1);  // npos + 1 is 0
    if (last.starts_with("ascend_mindspore")) return Framework::MindSpore;
    if (last.starts_with("msprof_") || last.starts_with("msmonitor_")) return Framework::Cann;
    return Framework::Torch;
}

void applyFacts(const DbFacts& facts, RankManifest& rank) {
    RankInfo& info = rank.info;
    if (!info.rankId) info.rankId = facts.rankId;
    if (!info.deviceId) info.deviceId = facts.deviceId;
    if (info.host.empty()) info.host = facts.host;
    std::set<std::string> known;
    for (const auto& [key, value] : info.metadata) known.insert(key);
    for (const auto& [key, value] : facts.metadata) {
        if (known.insert(key).second) info.metadata.emplace_back(key, value);
    }
    rank.steps = facts.steps;
}

}  // namespace altiscope::reader
