#include "core/session/packing/units.h"

#include "core/base/files/file.h"
#include "core/base/files/pending_file.h"
#include "core/base/text/json_text.h"
#include "core/base/text/printable_text.h"
#include "core/base/threads/parallel.h"
#include "core/import/ranks/diagnostics_json.h"
#include "core/pack/pack_set.h"
#include "core/session/packing/unit_note.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

namespace altiscope {

namespace {

constexpr std::uint64_t kMaxListBytes = std::uint64_t{64} << 20;

std::string numbered(std::size_t unit) {
    std::string digits = std::to_string(unit);
    // Names sort as numbers up to 99,999.
    constexpr std::size_t kDigits = 5;
    return std::string(digits.size() < kDigits ? kDigits - digits.size() : 0, '0') + digits;
}

/// Ranks of the units that a folder's list has; nullopt if it has none that can be read.
std::optional<std::vector<std::vector<std::int64_t>>> listedRanks(const std::filesystem::path& folder) {
    const auto file = ReadOnlyFile::open(folder / pack::kUnitsFile);
    if (!file.ok() || file.value().size() > kMaxListBytes) return std::nullopt;
    std::string text(file.value().size(), '\0');
    const auto read = file.value().read(0, text);
    const nlohmann::json list = read.ok() && read.value() == text.size() ? parseJson(text) : nlohmann::json();
    if (!list.is_array()) return std::nullopt;
    std::vector<std::vector<std::int64_t>> ranks;
    for (const nlohmann::json& unit : list) {
        std::vector<std::int64_t>& of = ranks.emplace_back();
        if (!unit.is_object() || !unit.contains("ranks") || !unit["ranks"].is_array()) return std::nullopt;
        for (const nlohmann::json& rank : unit["ranks"]) {
            if (!rank.is_number_integer()) return std::nullopt;
            of.push_back(rank.get<std::int64_t>());
        }
    }
    return ranks;
}

/// State of the pack of a unit.
struct UnitPack {
    bool isThere = false;  ///< Whole, and of the ranks and the capture of now.
    bool hasLost = false;  ///< No events of a rank whose files could not be read.
    std::string lacks;     ///< Files that could not be read.
};

bool isBelow(std::string_view file, std::string_view folder) {
    if (folder.empty() || folder == ".") return true;
    return file.starts_with(folder) && (file.size() == folder.size() || file[folder.size()] == '/');
}

/// Says what of the unit's ranks could not be read.
void addLosses(const pack::PackSet& set, const CancelToken& cancel, UnitPack& unit) {
    const auto text = textOf(*set.files.front(), pack::SectionKind::Diagnostics, pack::kJsonVersion, cancel);
    const auto said = text.ok() ? reader::diagnosticsOfJson(text.value().bytes) : std::nullopt;
    if (!said) return;
    for (const Diagnostic& one : said->entries()) {
        if (one.severity != Severity::Lost) continue;
        for (const pack::PackedRank& rank : set.list.ranks) {
            if (!isBelow(one.file, rank.info.path)) continue;
            unit.hasLost = unit.hasLost || !rank.hasStore;
            if (!unit.lacks.empty() && rank.hasStore) continue;
            unit.lacks = one.file + " could not be read whole (" + one.code + ")";
        }
    }
}

UnitPack unitPack(const UnitPlan& plan, std::size_t unit, const CancelToken& cancel) {
    const auto set = pack::openPackSet(plan.packOf(unit), cancel);
    if (!set.ok() || set.value().files.front()->wholeUntil()) return {};
    const pack::PackedRanks& list = set.value().list;
    if (!plan.identity.empty() && list.identity != plan.identity) return {};
    std::vector<std::int64_t> ranks;
    for (const pack::PackedRank& rank : list.ranks)
        if (rank.info.rankId) ranks.push_back(*rank.info.rankId);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    UnitPack found;
    found.isThere = ranks == plan.units[unit].ranks;
    if (found.isThere) addLosses(set.value(), cancel, found);
    return found;
}

std::filesystem::path contentFile(const UnitPlan& plan) { return plan.workFolder() / "options.json"; }

/// Options with which a folder's units are packed; nullopt if nothing says so.
std::optional<nlohmann::json> listedContent(const UnitPlan& plan) {
    const auto file = ReadOnlyFile::open(contentFile(plan));
    if (!file.ok() || file.value().size() > kMaxListBytes) return std::nullopt;
    std::string text(file.value().size(), '\0');
    const auto read = file.value().read(0, text);
    return read.ok() && read.value() == text.size() ? std::optional(parseJson(text)) : std::nullopt;
}

}  // namespace

std::string_view unitStateName(PackUnit::State state) {
    switch (state) {
    case PackUnit::State::Waiting: return "waiting";
    case PackUnit::State::Running: return "running";
    case PackUnit::State::Done: return "done";
    case PackUnit::State::Failed: return "failed";
    }
    return {};
}

std::filesystem::path UnitPlan::packOf(std::size_t unit) const {
    return folder / ("unit-" + numbered(unit) + ".altipack");
}

std::filesystem::path UnitPlan::noteOf(std::size_t unit) const { return workFolder() / (numbered(unit) + ".json"); }

std::vector<std::string> UnitPlan::commandOf(std::size_t unit) const {
    std::vector<std::string> words{
        program, "pack", "--quiet", "--out", packOf(unit).string(), "--note", noteOf(unit).string()};
    if (!units[unit].ranks.empty()) words.insert(words.end(), {"--ranks", ranksText(units[unit].ranks)});
    if (!identity.empty()) words.insert(words.end(), {"--identity", identity});
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", capture.string()});
    return words;
}

std::string ranksText(const std::vector<std::int64_t>& ranks) {
    std::string text;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t end = i + 1;
        while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
        text += (text.empty() ? "" : ",") + std::to_string(ranks[i]);
        if (end > i + 1) text += "-" + std::to_string(ranks[end - 1]);
        i = end;
    }
    return text;
}

Result<std::vector<PackUnit>> unitsOf(const CaptureStore& capture, const std::optional<std::vector<std::int64_t>>& only,
                                      std::size_t perUnit) {
    if (capture.ranks.empty()) return Error{"pack.empty", capture.path, {}, {}};
    std::vector<std::int64_t> numbers;
    std::size_t unknown = 0;
    for (const RankEntry& rank : capture.ranks) {
        if (!rank.info.rankId) ++unknown;
        else if (!only || std::find(only->begin(), only->end(), *rank.info.rankId) != only->end())
            numbers.push_back(*rank.info.rankId);
    }
    if (only && numbers.empty()) return Error{"pack.no_ranks", capture.path, {}, {{"ranks", ranksText(*only)}}};
    if (numbers.empty()) return std::vector<PackUnit>(1);
    if (unknown > 0 && !only)
        return Error{"pack.units.no_number", capture.path, {}, {{"count", std::to_string(unknown)}}};
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    std::vector<PackUnit> units;
    for (std::size_t i = 0; i < numbers.size(); i += perUnit) {
        const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(i);
        const auto end = begin + static_cast<std::ptrdiff_t>(std::min(perUnit, numbers.size() - i));
        units.push_back({{begin, end}, PackUnit::State::Waiting, {}, {}});
    }
    return units;
}

Result<Done> prepareFolder(const UnitPlan& plan) {
    for (const std::string& path : {plan.capture.string(), plan.folder.string(), plan.program})
        if (path.find_first_of("\n\r") != std::string::npos)
            return Error{"pack.units.line", {}, {}, {{"path", printableText(path)}}};
    for (const std::string& option : plan.options)
        if (option.find_first_of("\n\r") != std::string::npos)
            return Error{"pack.units.line", {}, {}, {{"path", printableText(option)}}};
    std::error_code error;
    std::filesystem::create_directories(plan.workFolder(), error);
    if (error) return Error{"pack.not_written", plan.folder.string(), {}, {{"reason", error.message()}}};
    const auto listed = listedRanks(plan.folder);
    const nlohmann::json content(plan.content);
    const auto before = listed ? listedContent(plan) : std::nullopt;
    if (before && *before != content) return Error{"pack.units.other", plan.folder.string(), {}, {}};
    if (!before) {
        PendingFile file(contentFile(plan), PendingFile::Access::Shared);
        if (!file.opened() || !file.write(dumpJson(content)) || !file.keep())
            return Error{"pack.not_written", contentFile(plan).string(), {}, {{"reason", file.problem()}}};
    }
    if (!listed) return Done{};
    const bool isSame =
        std::equal(listed->begin(), listed->end(), plan.units.begin(), plan.units.end(),
                   [](const std::vector<std::int64_t>& ranks, const PackUnit& unit) { return ranks == unit.ranks; });
    if (!isSame) return Error{"pack.units.other", plan.folder.string(), {}, {}};
    return Done{};
}

bool refreshUnit(UnitPlan& plan, std::size_t unit, const CancelToken& cancel) {
    PackUnit& one = plan.units[unit];
    const auto note = readUnitNote(plan.noteOf(unit));
    if (note) one.host = note->host;
    one.reason.clear();
    const bool isRunning = note && note->state == ReadNote::State::Running;
    const UnitPack found = isRunning ? UnitPack{} : unitPack(plan, unit, cancel);
    if (found.isThere) one.reason = found.lacks;
    if (isRunning) one.state = PackUnit::State::Running;
    else if (found.isThere) one.state = found.hasLost ? PackUnit::State::Failed : PackUnit::State::Done;
    else if (!note || note->state == ReadNote::State::Done) one.state = PackUnit::State::Waiting;
    else {
        one.state = PackUnit::State::Failed;
        one.reason = note->state == ReadNote::State::Failed ? note->reason : "it ended before its pack was written";
    }
    return one.state == PackUnit::State::Done;
}

void refreshUnits(UnitPlan& plan, const CancelToken& cancel) {
    parallelFor(plan.units.size(), [&](std::size_t i) {
        if (!cancel.cancelled()) refreshUnit(plan, i, cancel);
    });
}

std::string unitsToJson(const std::vector<PackUnit>& units) {
    std::string text = "[";
    for (std::size_t i = 0; i < units.size(); ++i) {
        // In this order of keys.
        text += (i == 0 ? "\n{\"unit\":" : ",\n{\"unit\":") + std::to_string(i) +
                ",\"ranks\":" + dumpJson(nlohmann::json(units[i].ranks)) + ",\"state\":\"" +
                std::string(unitStateName(units[i].state)) + "\",\"host\":" + dumpJson(nlohmann::json(units[i].host)) +
                ",\"reason\":" + dumpJson(nlohmann::json(units[i].reason)) + "}";
    }
    return text + "\n]\n";
}

Result<Done> writeUnits(const UnitPlan& plan) {
    PendingFile file(plan.folder / pack::kUnitsFile, PendingFile::Access::Shared);
    if (!file.opened() || !file.write(unitsToJson(plan.units)) || !file.keep())
        return Error{"pack.not_written", (plan.folder / pack::kUnitsFile).string(), {}, {{"reason", file.problem()}}};
    return Done{};
}

}  // namespace altiscope
