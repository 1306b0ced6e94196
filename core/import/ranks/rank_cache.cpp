#include "core/import/ranks/rank_cache.h"

#include "core/base/files/file.h"
#include "core/base/text/json_text.h"
#include "core/import/ranks/diagnostics_json.h"
#include "core/import/raw_records/raw_folders.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

namespace altiscope::reader {

namespace {

/// Texts and numbers one after the other, so that no two lists of them are the same text.
class KeyText {
public:
    void add(std::string_view text) { m_text.append(std::to_string(text.size())).append(1, ':').append(text); }
    void add(std::int64_t number) { add(std::to_string(number)); }
    void add(const std::optional<std::int64_t>& number) { add(number ? std::to_string(*number) : std::string("none")); }
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

/// Adds what the scan has found out about a rank, also from files of other ranks and of none. States, alternatives and
/// missing data are left out: they are for people only.
void addRank(KeyText& key, const RankManifest& rank) {
    const RankInfo& info = rank.info;
    // The path decides the ids of tracks, and names stand in diagnostics.
    key.add(info.path);
    key.add(static_cast<std::int64_t>(info.framework));
    key.add(static_cast<std::int64_t>(info.source));
    key.add(info.rankId);
    key.add(info.deviceId);
    key.add(info.host);
    for (const auto& [name, value] : info.metadata) {
        key.add(name);
        key.add(value);
    }
    key.add("steps");
    for (const Step& step : rank.steps) {
        key.add(step.number);
        key.add(step.range ? std::optional(step.range->begin.value) : std::nullopt);
        key.add(step.range ? std::optional(step.range->end.value) : std::nullopt);
    }
}

bool addFile(KeyText& key, const std::filesystem::path& path) {
    const auto file = ReadOnlyFile::open(path);
    if (!file.ok()) return false;
    const auto fingerprint = StoreCache::fingerprint(file.value());
    if (!fingerprint.ok()) return false;
    key.add(fingerprint.value());
    return true;
}

/// Adds the present content of a file. @return False if it cannot be found out, or is another one each time.
bool addContent(KeyText& key, const SourceFile& source) {
    // A copy is another file each time, except an unpacked file: it is as the file that was packed.
    if (source.copy && source.format != SourceFormat::TraceJson) return false;
    if (source.archive) {
        // An expanded file too stands for its archive, which tells what it holds.
        key.add(source.archive->fingerprint);
        return true;
    }
    if (source.format != SourceFormat::Raw) return addFile(key, source.originalFile());
    for (const std::filesystem::path& path : rawFilesOf(source)) {
        if (!addFile(key, path)) return false;
    }
    return true;
}

/// @param readAs  Name of its reader: other files decide that, too.
bool addSource(KeyText& key, const SourceFile& source, std::string_view readAs) {
    // Its number decides the ids of slices.
    key.add(std::int64_t{source.number});
    key.add(source.name);
    key.add(static_cast<std::int64_t>(source.format));
    key.add(readAs);
    return addContent(key, source);
}

}  // namespace

std::optional<std::string> rankCacheKey(const RankManifest& rank, const GroupDirectory& groups,
                                        const CancelToken& cancel) {
    KeyText key;
    addRank(key, rank);
    // A timeline names no group.
    if (!rank.tables.empty() || rank.info.source == SourceKind::Db) key.add(groups.key());
    for (const SourceFile& trace : rank.traces) {
        if (cancel.cancelled() || !addSource(key, trace, "trace")) return std::nullopt;
    }
    for (const TableFile& table : rank.tables) {
        if (cancel.cancelled() || !addSource(key, table.source, table.format)) return std::nullopt;
    }
    return StoreCache::key(key.text());
}

std::string captureContentKey(const CaptureStore& capture, const GroupDirectory& groups) {
    KeyText key;
    key.add("capture");
    key.add(capture.path);
    key.add(groups.key());
    key.add(diagnosticsJson(capture.diagnostics));
    for (const RankEntry& rank : capture.ranks) {
        // No entry of the cache holds what a cluster analysis says.
        if (rank.contentKey.empty()) return {};
        key.add(rank.contentKey);
        key.add(rank.info.place);
        key.add(static_cast<std::int64_t>(rank.info.state));
        for (const std::string& other : rank.info.alternatives) key.add(other);
        key.add("present");
        for (const std::string& kind : rank.info.present) key.add(kind);
        key.add("missing");
        for (const MissingData& one : rank.info.missing) key.add(one.what);
    }
    return capture.ranks.empty() ? std::string() : StoreCache::key(key.text());
}

std::optional<CachedRank> findCachedRank(const CacheBatch& cache, const std::string& key, const CancelToken& cancel) {
    auto content = cache.find(key, cancel);
    if (!content) return std::nullopt;
    // The source's path before it may hold line ends, the list does not.
    const std::string& note = content->note;
    const nlohmann::json list = parseJson(note.substr(note.rfind('\n') + 1));
    if (!list.is_object()) return std::nullopt;
    try {
        const bool hasTrace = list.at("trace").get<bool>();
        auto diagnostics = diagnosticsOfJson(list.at("diagnostics").get<std::string>());
        if (!diagnostics) return std::nullopt;
        return CachedRank{hasTrace ? content->store : nullptr, content->rows, std::move(*diagnostics)};
    } catch (const nlohmann::json::exception&) { return std::nullopt; }
}

bool mayYieldMore(const Diagnostics& diagnostics) {
    static constexpr std::string_view kCodes[] = {
        "archive.damaged", "archive.truncated", "db.corrupt",  "db.no_space",  "db.not_copied",
        "db.table_cut",    "db.unreadable",     "file.denied", "file.missing", "file.unreadable"};
    const auto entries = diagnostics.entries();
    return std::any_of(entries.begin(), entries.end(), [](const Diagnostic& entry) {
        return entry.severity == Severity::Lost &&
               std::find(std::begin(kCodes), std::end(kCodes), entry.code) != std::end(kCodes);
    });
}

bool keepRank(CacheBatch& cache, const std::string& key, const RankManifest& rank, const CachedRank& content,
              Diagnostics& problems, const CancelToken& cancel) {
    std::string source = rank.info.path;
    if (!rank.traces.empty()) {
        const SourceFile& file = rank.traces.front();
        source = (file.archive ? file.archive->archive / file.name : file.originalFile()).string();
    }
    const nlohmann::json list = {{"trace", content.trace != nullptr},
                                 {"diagnostics", diagnosticsJson(content.diagnostics)}};
    const std::string note = source + '\n' + dumpJson(list);
    // An entry always holds a store; the note says whether it counts.
    const TraceStore none(TraceColumns{}, false);
    const auto kept = cache.put(key, content.trace ? *content.trace : none, note, content.rows.get(), cancel);
    if (kept.failed()) problems.add(kept.error().code, Severity::Info, {}, {}, kept.error().parameters);
    return kept.ok();
}

}  // namespace altiscope::reader
