#include "core/import/rank_cache.h"

#include "core/base/file.h"
#include "core/import/diagnostics_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace altiscope::reader {

std::optional<std::string> rankCacheKey(const RankManifest& rank, const GroupDirectory& groups) {
    // The file numbers decide the ids of slices, the rank's path those of tracks, and names stand in diagnostics.
    std::string text = rank.info.path;
    if (!rank.tables.empty() || rank.info.source == SourceKind::Db) text += '\n' + groups.key();
    std::vector<const SourceFile*> sources;
    for (const SourceFile& source : rank.traces) sources.push_back(&source);
    for (const TableFile& table : rank.tables) sources.push_back(&table.source);
    for (const SourceFile* source : sources) {
        // A copy is another file each time.
        if (source->copy) return std::nullopt;
        if (source->archive) {
            // An expanded copy is another file each time; the archive tells what it holds.
            text += '\n' + std::to_string(source->number) + '\n' + source->name + '\n' + source->archive->fingerprint;
            continue;
        }
        const auto file = ReadOnlyFile::open(source->path);
        if (!file.ok()) return std::nullopt;
        const auto fingerprint = StoreCache::fingerprint(file.value());
        if (!fingerprint.ok()) return std::nullopt;
        text += '\n' + std::to_string(source->number) + '\n' + source->name + '\n' + fingerprint.value();
    }
    return StoreCache::key(text);
}

std::optional<CachedRank> findCachedRank(const StoreCache& cache, const std::string& key) {
    auto content = cache.find(key);
    if (!content) return std::nullopt;
    // The source's path before it may hold line ends, the list does not.
    const std::string& note = content->note;
    const nlohmann::json list = nlohmann::json::parse(note.substr(note.rfind('\n') + 1), nullptr, false);
    if (!list.is_object()) return std::nullopt;
    try {
        const bool hasTrace = list.at("trace").get<bool>();
        auto diagnostics = diagnosticsOfJson(list.at("diagnostics").get<std::string>());
        if (!diagnostics) return std::nullopt;
        return CachedRank{hasTrace ? content->store : nullptr, content->rows, std::move(*diagnostics)};
    } catch (const nlohmann::json::exception&) { return std::nullopt; }
}

bool mayYieldMore(const Diagnostics& diagnostics) {
    static constexpr std::string_view kCodes[] = {"archive.damaged", "archive.truncated", "db.corrupt",   "db.no_space",  "db.not_copied",
                                                  "db.table_cut",    "db.unreadable",     "file.denied",  "file.missing", "file.unreadable"};
    const auto entries = diagnostics.entries();
    return std::any_of(entries.begin(), entries.end(), [](const Diagnostic& entry) {
        return entry.severity == Severity::Lost && std::find(std::begin(kCodes), std::end(kCodes), entry.code) != std::end(kCodes);
    });
}

void keepRank(const StoreCache& cache, const std::string& key, const RankManifest& rank, const CachedRank& content,
              Diagnostics& problems) {
    std::string source = rank.info.path;
    if (!rank.traces.empty()) {
        const SourceFile& file = rank.traces.front();
        source = (file.archive ? file.archive->archive / file.name : file.path).string();
    }
    const nlohmann::json list = {{"trace", content.trace != nullptr}, {"diagnostics", diagnosticsJson(content.diagnostics)}};
    const std::string note = source + '\n' + list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    // An entry always holds a store; the note says whether it counts.
    const TraceStore none(TraceColumns{}, false);
    const auto kept = cache.put(key, content.trace ? *content.trace : none, note, content.rows.get());
    if (kept.failed()) problems.add(kept.error().code, Severity::Info, {}, {}, kept.error().parameters);
}

}  // namespace altiscope::reader
