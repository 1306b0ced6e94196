#include "core/pack/pack_set.h"

#include "core/base/files/pending_file.h"
#include "core/base/text/json_text.h"
#include "core/base/threads/parallel.h"
#include "core/import/ranks/diagnostics_json.h"
#include "core/pack/group_rows.h"
#include "core/pack/rank_sections.h"
#include "core/pack/section_writer.h"
#include "core/store/file/store_file.h"

#include <nlohmann/json.hpp>

#include <xxhash.h>

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

namespace altiscope::pack {

namespace {

namespace stdfiles = std::filesystem;

/// Packs that stay open; more are opened for each reading.
constexpr std::size_t kKeptOpen = 128;
/// A list of units is some hundred bytes for each.
constexpr std::uint64_t kMaxUnitsBytes = std::uint64_t{64} << 20;

bool isPackName(const stdfiles::path& path) { return path.extension() == ".altipack"; }

std::vector<stdfiles::path> packsIn(const stdfiles::path& folder) {
    std::vector<stdfiles::path> packs;
    std::error_code error;
    stdfiles::directory_iterator entry(folder, error);
    for (; !error && entry != stdfiles::directory_iterator{}; entry.increment(error)) {
        std::error_code unknown;
        if (isPackName(entry->path()) && entry->path().filename() != kClusterPack && entry->is_regular_file(unknown))
            packs.push_back(entry->path());
    }
    std::sort(packs.begin(), packs.end());
    return packs;
}

/// How many units of a folder are not done; 0 where no list says so.
std::uint64_t missingUnits(const stdfiles::path& folder) {
    const auto file = ReadOnlyFile::open(folder / kUnitsFile);
    if (!file.ok() || file.value().size() > kMaxUnitsBytes) return 0;
    std::string text(file.value().size(), '\0');
    const auto read = file.value().read(0, text);
    if (!read.ok() || read.value() != text.size()) return 0;
    const nlohmann::json units = parseJson(text);
    if (!units.is_array()) return 0;
    return static_cast<std::uint64_t>(std::count_if(units.begin(), units.end(), [](const nlohmann::json& unit) {
        return unit.is_object() && unit.contains("state") && unit["state"].is_string() &&
               unit["state"].get_ref<const std::string&>() != "done";
    }));
}

Result<PackedRanks> ranksIn(const PackFile& file, const CancelToken& cancel) {
    const auto text = textOf(file, SectionKind::Ranks, kJsonVersion, cancel);
    if (!text.ok()) return text.as<PackedRanks>();
    auto ranks = ranksFromJson(text.value().bytes);
    if (!ranks) return Error{"pack.damaged", file.path().string(), {}, {}};
    return std::move(*ranks);
}

using Opened = std::pair<std::shared_ptr<const PackFile>, PackedRanks>;

Result<Opened> openedPack(const stdfiles::path& path, PackFile::Access access, const CancelToken& cancel,
                          const std::shared_ptr<const PackSource>& source = {}) {
    const auto file = PackFile::open(path, access, source);
    if (!file.ok()) return file.as<Opened>();
    auto ranks = ranksIn(*file.value(), cancel);
    if (!ranks.ok()) return ranks.as<Opened>();
    return Opened{file.value(), std::move(ranks).value()};
}

/// Adds a file's ranks that no file before it has.
void addFile(Opened opened, std::map<std::tuple<std::optional<std::int64_t>, std::string>, std::size_t>& known,
             PackSet& set) {
    PackedRanks& list = opened.second;
    const std::size_t file = set.files.size();
    set.files.push_back(std::move(opened.first));
    set.list.hasGroups = set.list.hasGroups || list.hasGroups;
    if (list.state != CaptureStore::State::Ok) set.list.state = list.state;
    if (file > 0 && set.list.identity != list.identity) set.list.identity.clear();
    std::uint64_t repeated = 0;
    for (std::uint32_t i = 0; i < list.ranks.size(); ++i) {
        PackedRank& rank = list.ranks[i];
        const auto [entry, isNew] = known.try_emplace({rank.info.rankId, rank.info.path}, set.list.ranks.size());
        if (isNew) {
            set.list.ranks.push_back(std::move(rank));
            set.places.push_back({file, i});
        } else if (!set.list.ranks[entry->second].hasStore && rank.hasStore) {
            set.list.ranks[entry->second] = std::move(rank);
            set.places[entry->second] = {file, i};
        } else {
            ++repeated;
        }
    }
    if (repeated > 0)
        set.problems.add("pack.repeated_ranks", Severity::Info, set.nameOf(file), {},
                         {{"count", std::to_string(repeated)}}, repeated);
}

}  // namespace

std::optional<std::string> otherVersion(const PackSection* section, std::uint32_t version) {
    if (section == nullptr || section->header.version == version) return std::nullopt;
    return std::to_string(section->header.version);
}

Result<PackBytes> textOf(const PackFile& file, SectionKind kind, std::uint32_t version, const CancelToken& cancel) {
    const PackSection* section = file.find(kind);
    if (section == nullptr) return Error{"pack.damaged", file.path().string(), {}, {}};
    if (const auto other = otherVersion(section, version))
        return Error{"pack.list_version", file.path().string(), {}, {{"version", *other}}};
    return file.content(*section, cancel);
}

bool isPackFolder(const stdfiles::path& path) {
    std::error_code error;
    if (!stdfiles::is_directory(path, error)) return false;
    bool hasPack = false, hasUnits = false, hasOther = false;
    stdfiles::directory_iterator entry(path, error);
    for (; !error && entry != stdfiles::directory_iterator{}; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        std::error_code unknown;
        if (name == kClusterPack || name == kUnitsFile) hasUnits = true;
        else if (isPackName(entry->path()) && entry->is_regular_file(unknown)) hasPack = true;
        else if (!name.starts_with('.')) hasOther = true;
    }
    return hasPack && (hasUnits || !hasOther);
}

Result<PackSet> openPackSet(const stdfiles::path& path, const CancelToken& cancel,
                            const std::shared_ptr<const PackSource>& source) {
    PackSet set;
    set.path = path;
    set.list.state = CaptureStore::State::Ok;
    std::error_code error;
    std::map<std::tuple<std::optional<std::int64_t>, std::string>, std::size_t> known;
    if (!stdfiles::is_directory(path, error)) {
        auto opened = openedPack(path, PackFile::Access::Kept, cancel, source);
        if (!opened.ok()) return opened.as<PackSet>();
        const auto& list = opened.value().second;
        set.list = {list.identity, list.path, list.program, list.state, list.hasGroups, {}};
        // The list is the file's own, repeated ranks or not.
        set.files.push_back(opened.value().first);
        set.list.ranks = list.ranks;
        for (std::uint32_t i = 0; i < list.ranks.size(); ++i) set.places.push_back({0, i});
        return set;
    }
    const std::vector<stdfiles::path> packs = packsIn(path);
    const PackFile::Access access = packs.size() > kKeptOpen ? PackFile::Access::Again : PackFile::Access::Kept;
    std::vector<std::optional<Result<Opened>>> opened(packs.size());
    parallelFor(packs.size(), [&](std::size_t i) {
        if (!cancel.cancelled()) opened[i] = openedPack(packs[i], access, cancel);
    });
    if (cancel.cancelled()) return Cancelled{};
    std::optional<Error> first;
    for (std::size_t i = 0; i < packs.size(); ++i) {
        if (opened[i]->ok()) {
            if (set.files.empty()) {
                const PackedRanks& list = opened[i]->value().second;
                set.list.identity = list.identity;
                set.list.path = list.path;
                set.list.program = list.program;
            }
            addFile(std::move(*opened[i]).value(), known, set);
        } else if (opened[i]->failed()) {
            if (!first) first = opened[i]->error();
            set.problems.add(opened[i]->error().code, Severity::Lost, packs[i].filename().string(), {},
                             opened[i]->error().parameters);
        }
    }
    if (set.files.empty()) return first ? *first : Error{"pack.damaged", path.string(), {}, {}};
    if (const std::uint64_t missing = missingUnits(path); missing > 0)
        set.problems.add("pack.units_missing", Severity::Lost, std::string(kUnitsFile), {},
                         {{"count", std::to_string(missing)}}, missing);
    if (set.problems.anyLost()) set.list.state = CaptureStore::State::Partial;
    return set;
}

Diagnostics mergedDiagnostics(const std::vector<Diagnostics>& parts) {
    std::map<std::pair<std::string, std::string>, std::pair<std::uint64_t, std::size_t>> largest;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (const Diagnostic& one : parts[i].entries()) {
            auto& [count, part] = largest[{one.file, one.code}];
            if (one.count > count) count = one.count, part = i;
        }
    }
    Diagnostics merged;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (const Diagnostic& one : parts[i].entries()) {
            if (largest[{one.file, one.code}].second != i) continue;
            // The last place that is named stands for all that follow.
            const std::size_t places = std::max<std::size_t>(1, one.places.size());
            for (std::size_t p = 0; p < places; ++p)
                merged.add(one.code, one.severity, one.file, one.places.empty() ? Place{} : one.places[p],
                           one.parameters, p + 1 < places ? 1 : one.count - p);
        }
    }
    return merged;
}

Result<std::vector<std::optional<PackedRankSums>>> packSums(const PackSet& set, const CancelToken& cancel) {
    std::vector<std::optional<std::vector<PackedRankSums>>> ofFiles(set.files.size());
    parallelFor(set.files.size(), [&](std::size_t i) {
        const auto text = textOf(*set.files[i], SectionKind::Sums, kSumsVersion, cancel);
        if (text.ok()) ofFiles[i] = sumsFromJson(text.value().bytes);
    });
    if (cancel.cancelled()) return Cancelled{};
    std::vector<std::optional<PackedRankSums>> sums;
    for (const PackSet::Place& place : set.places) {
        const auto& file = ofFiles[place.file];
        sums.push_back(file && place.number < file->size() ? std::optional((*file)[place.number]) : std::nullopt);
    }
    return sums;
}

Result<Done> writeClusterPack(const stdfiles::path& folder, const CancelToken& cancel) {
    const auto set = openPackSet(folder, cancel);
    if (!set.ok()) return set.as<Done>();
    const auto sums = packSums(set.value(), cancel);
    if (!sums.ok()) return sums.as<Done>();
    std::vector<PackedRankSums> known;
    for (const auto& rank : sums.value()) known.push_back(rank.value_or(PackedRankSums{}));
    PackedRanks list = set.value().list;
    for (PackedRank& rank : list.ranks) rank.hasTrace = rank.hasStore = rank.hasArguments = false;
    std::vector<Diagnostics> notes;
    std::vector<std::shared_ptr<const RowTables>> groups;
    nlohmann::json sources = nlohmann::json::array();
    std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> numbers;
    for (std::size_t i = 0; i < set.value().places.size(); ++i)
        numbers[{set.value().places[i].file, set.value().places[i].number}] = i;
    for (std::size_t i = 0; i < set.value().files.size(); ++i) {
        const PackFile& file = *set.value().files[i];
        const auto text = textOf(file, SectionKind::Diagnostics, kJsonVersion, cancel);
        if (auto said = text.ok() ? reader::diagnosticsOfJson(text.value().bytes) : std::nullopt)
            notes.push_back(std::move(*said));
        const auto from = textOf(file, SectionKind::Provenance, kJsonVersion, cancel);
        if (from.ok()) {
            for (nlohmann::json source : parseJson(from.value().bytes)) {
                if (!source.is_object() || !source.contains("rank") || !source["rank"].is_number_unsigned()) continue;
                const auto number = numbers.find({i, source["rank"].get<std::uint32_t>()});
                if (number == numbers.end()) continue;
                source["rank"] = number->second;
                sources.push_back(std::move(source));
            }
        }
        const PackSection* section = file.find(SectionKind::Groups);
        if (section == nullptr || otherVersion(section, kStoreFileVersion)) continue;
        const auto content = file.content(*section, cancel);
        if (!content.ok()) continue;
        const auto store = readStoreBytes({content.value().owner, content.value().bytes}, file.path(), cancel);
        if (store.ok()) groups.push_back(store.value().rows);
    }
    const auto rows = mergedGroups(groups, cancel);
    list.hasGroups = rows != nullptr;
    // Without the sums of steps where there is no end of them.
    if (sumsToJson(known).size() > kMaxJsonBytes)
        for (PackedRankSums& rank : known) rank.steps.clear();
    const std::string listText = ranksToJson(list), sourcesText = dumpJson(sources), sumsText = sumsToJson(known),
                      notesText = reader::diagnosticsJson(mergedDiagnostics(notes));
    if (cancel.cancelled()) return Cancelled{};
    for (const std::string* text : {&listText, &sourcesText, &sumsText, &notesText})
        if (text->size() > kMaxJsonBytes)
            return Error{"pack.too_large", folder.string(), {}, {{"megabytes", std::to_string(kMaxJsonBytes >> 20U)}}};
    const std::string all = listText + sourcesText;
    PendingFile file(folder / kClusterPack, PendingFile::Access::Shared, &cancel);
    SectionWriter writer(file, XXH3_64bits(all.data(), all.size()), cancel);
    const auto texts = [&](SectionKind kind, std::uint32_t version, const std::string& content) {
        return writer.add(codedSection(kind, version, content, BlockContent::Texts, cancel));
    };
    bool isWell = file.opened() && texts(SectionKind::Sums, kSumsVersion, sumsText) &&
                  texts(SectionKind::Ranks, kJsonVersion, listText) &&
                  texts(SectionKind::Diagnostics, kJsonVersion, notesText) &&
                  texts(SectionKind::Provenance, kJsonVersion, sourcesText);
    if (isWell && rows != nullptr) isWell = writer.add(storeSection(SectionKind::Groups, nullptr, rows.get(), cancel));
    isWell = isWell && writer.finish() && file.keep();
    if (cancel.cancelled()) return Cancelled{};
    if (!isWell) return Error{"pack.not_written", (folder / kClusterPack).string(), {}, {{"reason", file.problem()}}};
    return Done{};
}

}  // namespace altiscope::pack
