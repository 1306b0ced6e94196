#include "core/pack/pack_writer.h"

#include "core/base/files/file.h"
#include "core/base/files/pending_file.h"
#include "core/base/threads/parallel.h"
#include "core/import/contracts/import_options.h"
#include "core/import/ranks/diagnostics_json.h"
#include "core/pack/group_rows.h"
#include "core/pack/pack_json.h"
#include "core/pack/section_writer.h"
#include "core/pack/stored_content.h"
#include "core/pack/text_map.h"
#include "core/store/file/store_file.h"

#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <new>
#include <set>
#include <utility>

namespace altiscope::pack {

namespace {

using Captures = std::span<const std::shared_ptr<const CaptureStore>>;

/// nullopt unless the file is as it was when the capture was read of it, from the first byte to the last.
std::optional<std::uint64_t> checksumOf(const FileStamp& stamp, const CancelToken& cancel) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 20;
    if (stampOf(stamp.path) != stamp) return std::nullopt;
    const auto file = ReadOnlyFile::open(stamp.path);
    if (!file.ok()) return std::nullopt;
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
    if (!state) throw std::bad_alloc();
    XXH3_64bits_reset(state.get());
    std::string bytes(std::min<std::uint64_t>(kAtOnce, file.value().size() + 1), '\0');
    for (std::uint64_t at = 0; at < file.value().size();) {
        const auto read = file.value().read(at, bytes);
        if (!read.ok() || read.value() == 0 || cancel.cancelled()) return std::nullopt;
        XXH3_64bits_update(state.get(), bytes.data(), read.value());
        at += read.value();
    }
    if (stampOf(stamp.path) != stamp) return std::nullopt;
    return XXH3_64bits_digest(state.get());
}

std::vector<PackedSource> sourcesOf(const std::vector<const RankEntry*>& ranks, const Redaction* redaction,
                                    const CancelToken& cancel) {
    std::vector<PackedSource> sources;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i]->sources == nullptr) continue;
        for (const FileStamp& stamp : *ranks[i]->sources) sources.push_back({i, stamp, {}});
    }
    // The checksum of a small file would let somebody try what stands in it.
    for (PackedSource& source : sources)
        if (redaction != nullptr) source.stamp.path = redaction->path(source.stamp.path.string());
    if (redaction != nullptr) return sources;
    parallelFor(sources.size(), [&](std::size_t i) {
        if (!cancel.cancelled()) sources[i].checksum = checksumOf(sources[i].stamp, cancel);
    });
    return sources;
}

/// Numbers that no rank of the captures has, as a text.
std::string missingRanks(Captures captures, const PackOptions& options) {
    constexpr std::size_t kNamed = 10;
    std::set<std::int64_t> known;
    for (const auto& capture : captures)
        for (const RankEntry& rank : capture->ranks)
            if (rank.info.rankId) known.insert(*rank.info.rankId);
    std::string text;
    std::size_t missing = 0;
    for (const std::int64_t number : options.ranks.value_or(std::vector<std::int64_t>())) {
        if (known.count(number) > 0 || ++missing > kNamed) continue;
        text += (missing == 1 ? "" : ", ") + std::to_string(number);
    }
    return missing > kNamed ? text + ", ..." : text;
}

bool isChosen(const RankInfo& rank, const PackOptions& options) {
    reader::RankChoice choice;
    choice.onlyNumbers = options.ranks;
    return choice.accepts(rank);
}

/// A name for each capture, different from the others'; empty where there is only one.
std::vector<std::string> captureNames(Captures captures) {
    std::vector<std::string> names(captures.size());
    std::set<std::string> taken;
    for (std::size_t i = 0; i < captures.size() && captures.size() > 1; ++i) {
        std::filesystem::path path(captures[i]->path);
        if (!path.has_filename()) path = path.parent_path();
        const std::string name = path.filename().empty() ? std::string("capture") : path.filename().string();
        names[i] = name;
        for (int number = 2; !taken.insert(names[i]).second; ++number) names[i] = name + "-" + std::to_string(number);
    }
    return names;
}

std::string below(const std::string& name, const std::string& path) {
    if (name.empty()) return path;
    return path.empty() || path == "." ? name : name + "/" + path;
}

/// Calls take(part, isFolder) with the names of folders in the text that tells a rank from others, "run_2/a · NPU 3",
/// and with all between them.
template <class Take>
void eachPlacePart(std::string_view place, const Take& take) {
    constexpr std::string_view kDot = " · ", kDevice = "NPU ";
    while (!place.empty()) {
        const std::size_t end = std::min({place.find(kDot), place.find('/'), place.size()});
        const std::string_view part = place.substr(0, end);
        const bool isDevice =
            part.starts_with(kDevice) && part.find_first_not_of("0123456789", kDevice.size()) == std::string_view::npos;
        take(part, !isDevice && !part.empty() && part != ".");
        place.remove_prefix(end);
        const std::size_t between = place.starts_with('/') ? 1 : place.empty() ? 0 : kDot.size();
        take(place.substr(0, between), false);
        place.remove_prefix(between);
    }
}

std::string redactedPlace(const RankInfo& info, const Redaction& redaction) {
    if (info.place == info.path) return redaction.path(info.place);
    std::string place;
    eachPlacePart(info.place, [&](std::string_view part, bool isFolder) {
        place += !isFolder ? std::string(part) : part == info.host ? redaction.host(part) : redaction.path(part);
    });
    return place;
}

void redact(RankInfo& info, const Redaction& redaction) {
    info.place = redactedPlace(info, redaction);
    info.host = redaction.host(info.host);
    info.path = redaction.path(info.path);
    for (std::string& other : info.alternatives) other = redaction.path(other);
    for (auto& [key, value] : info.metadata) {
        value = redaction.text(value, key);
        key = redaction.text(key);
    }
}

Diagnostics diagnosticsOf(Captures captures, const std::vector<std::string>& names, const Redaction* redaction) {
    Diagnostics all;
    for (std::size_t i = 0; i < captures.size(); ++i) {
        all.merge(withTexts(
            captures[i]->diagnostics,
            [&](std::string_view file) {
                const std::string path = below(names[i], std::string(file));
                return redaction == nullptr ? path : redaction->path(path);
            },
            [&](std::string_view name, std::string_view value) {
                return redaction == nullptr ? std::string(value) : redaction->text(value, name);
            }));
    }
    return all;
}

CaptureStore::State stateOf(Captures captures) {
    const bool isPartial = std::any_of(captures.begin(), captures.end(),
                                       [](const auto& capture) { return capture->state != CaptureStore::State::Ok; });
    return isPartial ? CaptureStore::State::Partial : CaptureStore::State::Ok;
}

}  // namespace

PackWriter::PackWriter(const std::filesystem::path& path, PackOptions options, const CancelToken& cancel)
    : m_path(path), m_options(std::move(options)), m_cancel(cancel), m_spool(path.parent_path()) {}

Error PackWriter::notWritten(const std::string& reason) const {
    return {"pack.not_written", m_path.string(), {}, {{"reason", reason}}};
}

void PackWriter::fail(const Error& error) {
    if (!m_error) m_error = error;
}

std::optional<SpooledSection> PackWriter::spooled(const std::optional<CodedSection>& section) {
    if (!section) return std::nullopt;
    const SpooledSection place{section->header, m_spool.size(), section->bytes.size()};
    if (!m_spool.write(section->bytes)) fail(notWritten(m_spool.problem()));
    return place;
}

void PackWriter::take(std::size_t capture, std::size_t place, RankEntry& rank) {
    if ((rank.trace == nullptr && rank.rows == nullptr) || !isChosen(rank.info, m_options)) return;
    Taken taken;
    taken.hasTrace = rank.trace != nullptr;
    const bool goesOn = [this] {
        const std::lock_guard lock(m_mutex);
        return !m_error && m_spool.opened() && !m_cancel.cancelled();
    }();
    if (goesOn) {
        const auto computed = m_options.computedRows ? m_options.computedRows(rank) : nullptr;
        taken.sums = sumsOf(rank, computed.get());
        const auto sections = rankSections(rank.info.path, rank, m_options.content, m_cancel);
        const std::lock_guard lock(m_mutex);
        if (sections.failed()) fail(sections.error());
        if (sections.ok()) {
            taken.store = spooled(sections.value().store);
            taken.arguments = spooled(sections.value().arguments);
        }
    }
    taken.links = rank.rows == nullptr ? std::make_shared<const RowTables>(std::vector<RowTable>(), StringPool())
                                       : onlyKind(*rank.rows, RowKind::Link);
    rank.trace = nullptr;
    rank.arguments = nullptr;
    rank.rows = taken.links;
    const std::lock_guard lock(m_mutex);
    m_taken[{capture, place}] = std::move(taken);
}

/// Enters the numbers of ranks that were known once all ranks were read.
void PackWriter::completeLinks(Taken& taken, const std::shared_ptr<const RowTables>& links) {
    const RowTable* completed = links == nullptr || links == taken.links ? nullptr : links->find(RowKind::Link);
    if (completed == nullptr || !taken.store) return;
    const auto content = storedContent(*taken.store, m_spool, m_path, m_cancel);
    if (content.failed()) return fail(content.error());
    if (!content.ok() || content.value().rows == nullptr) return;
    RowTables rows = *content.value().rows;
    for (const std::size_t column : {fixedColumn(RowKind::Link, "src_rank"), fixedColumn(RowKind::Link, "dst_rank")}) {
        std::vector<std::int64_t> cells(completed->size());
        for (std::size_t row = 0; row < cells.size(); ++row)
            cells[row] = completed->integer(column, row).value_or(kNoCell);
        rows = rows.with(RowKind::Link, column, cells);
    }
    taken.store = spooled(storeSection(SectionKind::Store, content.value().store.get(), &rows, m_cancel));
}

Result<PackSummary> PackWriter::written(Captures captures, const std::vector<Key>& order, std::string missing) {
    const std::vector<std::string> names = captureNames(captures);
    const Redaction* redaction = m_options.content.redaction;
    const bool isOne = captures.size() == 1;
    PackedRanks list{isOne && redaction == nullptr ? m_options.identity : std::string(),
                     isOne ? captures.front()->path : std::string(),
                     m_options.program,
                     stateOf(captures),
                     false,
                     {}};
    if (redaction != nullptr) list.path = redaction->path(list.path);
    std::vector<const RankEntry*> entries;
    std::vector<PackedRankSums> sums;
    for (const Key& key : order) {
        const RankEntry& rank = *entries.emplace_back(&captures[key.first]->ranks[key.second]);
        const auto taken = m_taken.find(key);
        const bool isTaken = taken != m_taken.end();
        PackedRank packed{rank.info, rank.steps, isTaken && taken->second.hasTrace, isTaken,
                          isTaken && taken->second.arguments.has_value()};
        if (!names[key.first].empty()) packed.info.place = below(names[key.first], packed.info.place);
        packed.info.path = below(names[key.first], packed.info.path);
        if (redaction != nullptr) redact(packed.info, *redaction);
        list.ranks.push_back(std::move(packed));
        sums.push_back(isTaken ? taken->second.sums : PackedRankSums{});
    }
    std::vector<std::shared_ptr<const RowTables>> groups;
    for (const auto& capture : captures) groups.push_back(capture->rows);
    std::shared_ptr<const RowTables> rows = mergedGroups(groups, m_cancel);
    if (rows != nullptr && redaction != nullptr)
        rows = withTexts(*rows, [redaction](std::string_view text) { return redaction->text(text); });
    list.hasGroups = rows != nullptr;
    // Without the sums of steps where there is no end of them.
    if (sumsToJson(sums).size() > kMaxJsonBytes)
        for (PackedRankSums& rank : sums) rank.steps.clear();
    const std::string sumsText = sumsToJson(sums), listText = ranksToJson(list),
                      sources = sourcesToJson(sourcesOf(entries, redaction, m_cancel)),
                      notes = reader::diagnosticsJson(diagnosticsOf(captures, names, redaction));
    if (m_cancel.cancelled()) return Cancelled{};
    for (const std::string* text : {&sumsText, &listText, &sources, &notes})
        if (text->size() > kMaxJsonBytes)
            return Error{"pack.too_large", m_path.string(), {}, {{"megabytes", std::to_string(kMaxJsonBytes >> 20U)}}};
    const std::string all = listText + sources;
    PendingFile file(m_path, PendingFile::Access::Shared, &m_cancel);
    SectionWriter writer(file, XXH3_64bits(all.data(), all.size()), m_cancel);
    const auto texts = [&](SectionKind kind, std::uint32_t version, const std::string& content) {
        return writer.add(codedSection(kind, version, content, BlockContent::Texts, m_cancel));
    };
    bool isWell = file.opened() && texts(SectionKind::Sums, kSumsVersion, sumsText) &&
                  texts(SectionKind::Ranks, kJsonVersion, listText) &&
                  texts(SectionKind::Diagnostics, kJsonVersion, notes) &&
                  texts(SectionKind::Provenance, kJsonVersion, sources);
    if (isWell && rows != nullptr)
        isWell = writer.add(storeSection(SectionKind::Groups, nullptr, rows.get(), m_cancel));
    PackSummary summary{order.size(), 0, 0, std::move(missing)};
    for (std::uint32_t i = 0; isWell && i < order.size(); ++i) {
        const auto taken = m_taken.find(order[i]);
        if (taken == m_taken.end()) continue;
        if (taken->second.store) isWell = writer.add(*taken->second.store, i, m_spool);
        const std::uint64_t before = writer.bytes();
        if (isWell && taken->second.arguments) isWell = writer.add(*taken->second.arguments, i, m_spool);
        summary.argumentBytes += writer.bytes() - before;
    }
    isWell = isWell && writer.finish() && file.keep();
    if (m_cancel.cancelled()) return Cancelled{};
    if (!isWell) return notWritten(file.problem().empty() ? m_spool.problem() : file.problem());
    summary.bytes = writer.bytes();
    return summary;
}

Result<PackSummary> PackWriter::finish(Captures captures, ProgressSlot& progress) {
    progress.setPhase(ProgressPhase::Writing);
    std::vector<Key> order;
    bool isAnyThere = false;
    for (std::size_t c = 0; c < captures.size(); ++c) {
        for (std::size_t i = 0; i < captures[c]->ranks.size(); ++i) {
            isAnyThere = true;
            if (isChosen(captures[c]->ranks[i].info, m_options)) order.emplace_back(c, i);
        }
    }
    if (!isAnyThere) return Error{"pack.empty", captures.empty() ? std::string() : captures.front()->path, {}, {}};
    std::string missing = missingRanks(captures, m_options);
    if (order.empty()) return Error{"pack.no_ranks", captures.front()->path, {}, {{"ranks", std::move(missing)}}};
    if (!m_spool.opened()) return notWritten(m_spool.problem());
    for (const Key& key : order) {
        const RankEntry& rank = captures[key.first]->ranks[key.second];
        const auto taken = m_taken.find(key);
        if (taken != m_taken.end()) {
            completeLinks(taken->second, rank.rows);
            continue;
        }
        RankEntry copy = rank;
        take(key.first, key.second, copy);
    }
    if (m_cancel.cancelled()) return Cancelled{};
    if (m_error) return *m_error;
    return written(captures, order, std::move(missing));
}

Result<PackSummary> writePack(const CaptureStore& capture, const PackOptions& options,
                              const std::filesystem::path& path, ProgressSlot& progress, const CancelToken& cancel) {
    const std::shared_ptr<const CaptureStore> captures[] = {std::make_shared<const CaptureStore>(capture)};
    return PackWriter(path, options, cancel).finish(captures, progress);
}

void learnCapture(const CaptureStore& capture, Redaction& redaction) {
    redaction.learnPath(capture.path);
    for (const RankEntry& rank : capture.ranks) {
        const RankInfo& info = rank.info;
        redaction.learnHost(info.host);
        redaction.learnPath(info.path);
        eachPlacePart(info.place, [&](std::string_view part, bool isFolder) {
            if (isFolder && part != info.host) redaction.learnPath(part);
        });
        for (const std::string& other : info.alternatives) redaction.learnPath(other);
        for (const auto& [key, value] : info.metadata) {
            redaction.learn(key);
            redaction.learn(value, key);
        }
        if (rank.sources == nullptr) continue;
        for (const FileStamp& stamp : *rank.sources) redaction.learnPath(stamp.path.string());
    }
    for (const Diagnostic& one : capture.diagnostics.entries()) {
        redaction.learnPath(one.file);
        for (const auto& [name, value] : one.parameters) redaction.learn(value, name);
    }
    if (capture.rows == nullptr) return;
    const StringPool& texts = capture.rows->texts();
    for (std::uint32_t i = 0; i < texts.size(); ++i) redaction.learn(texts.text({i}));
}

}  // namespace altiscope::pack
