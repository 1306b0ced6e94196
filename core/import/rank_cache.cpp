#include "core/import/rank_cache.h"

#include "core/base/file.h"

#include <nlohmann/json.hpp>

namespace altiscope::reader {

namespace {

nlohmann::json toJson(const Diagnostics& diagnostics) {
    nlohmann::json list = nlohmann::json::array();
    for (const Diagnostic& entry : diagnostics.entries()) {
        nlohmann::json places = nlohmann::json::array();
        for (const Place& place : entry.places) places.push_back({static_cast<int>(place.unit), place.value});
        list.push_back({{"code", entry.code},
                        {"severity", static_cast<int>(entry.severity)},
                        {"file", entry.file},
                        {"count", entry.count},
                        {"places", places},
                        {"parameters", entry.parameters}});
    }
    return list;
}

Diagnostics fromJson(const nlohmann::json& list) {
    Diagnostics diagnostics;
    for (const nlohmann::json& item : list) {
        const auto code = item.at("code").get<std::string>();
        const auto file = item.at("file").get<std::string>();
        const auto severity = static_cast<Severity>(item.at("severity").get<int>());
        const auto parameters = item.at("parameters").get<MessageParameters>();
        auto count = item.at("count").get<std::uint64_t>();
        // The places one by one; the first brings the rest of the count.
        const nlohmann::json& places = item.at("places");
        count -= places.size() - 1;
        for (const nlohmann::json& place : places) {
            diagnostics.add(code, severity, file,
                            {static_cast<PlaceUnit>(place.at(0).get<int>()), place.at(1).get<std::uint64_t>()},
                            parameters, count);
            count = 1;
        }
    }
    return diagnostics;
}

}  // namespace

std::optional<std::string> rankCacheKey(const RankManifest& rank) {
    // The file numbers decide the ids of slices, the rank's path those of tracks, and names stand in diagnostics.
    std::string text = rank.info.path;
    std::vector<const SourceFile*> sources;
    for (const SourceFile& source : rank.traces) sources.push_back(&source);
    for (const TableFile& table : rank.tables) sources.push_back(&table.source);
    for (const SourceFile* source : sources) {
        // A copy is another file each time.
        if (source->copy) return std::nullopt;
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
        return CachedRank{hasTrace ? content->store : nullptr, content->rows, fromJson(list.at("diagnostics"))};
    } catch (const nlohmann::json::exception&) { return std::nullopt; }
}

void keepRank(const StoreCache& cache, const std::string& key, const RankManifest& rank, const CachedRank& content,
              Diagnostics& problems) {
    const std::string source = rank.traces.empty() ? rank.info.path : rank.traces.front().path.string();
    const nlohmann::json list = {{"trace", content.trace != nullptr}, {"diagnostics", toJson(content.diagnostics)}};
    const std::string note = source + '\n' + list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    // An entry always holds a store; the note says whether it counts.
    const TraceStore none(TraceColumns{}, false);
    const auto kept = cache.put(key, content.trace ? *content.trace : none, note, content.rows.get());
    if (kept.failed()) problems.add(kept.error().code, Severity::Info, {}, {}, kept.error().parameters);
}

}  // namespace altiscope::reader
