#include "core/import/scan/rank_settings.h"

#include "core/base/text/json_text.h"
#include "core/base/values/parse.h"
#include "core/import/files/file_names.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <iterator>
#include <map>
#include <string>

namespace altiscope::reader {

std::optional<std::int64_t> knownRank(const Metadata& metadata, std::string_view key) {
    const std::string* stated = findKey(metadata, key);
    const auto rank = stated != nullptr ? wholeNumber(*stated) : std::nullopt;
    // Tools write -1 where they do not know.
    return rank && *rank >= 0 ? rank : std::nullopt;
}

std::optional<std::int64_t> readRankSettings(RankInfo& info, const ListedFolder& folder, Diagnostics& diagnostics,
                                             const CancelToken& cancel) {
    std::optional<std::int64_t> rank;
    const auto read = [&](const ListedFile& file) {
        Metadata metadata = readMetadata(folder.path / file.name, folder.relativeTo(file.name), diagnostics);
        info.metadata.insert(info.metadata.end(), std::make_move_iterator(metadata.begin()),
                             std::make_move_iterator(metadata.end()));
    };
    for (const ListedFile& file : folder.files) {
        if (cancel.cancelled()) break;
        const auto number = rankInInfoName(file.name);
        if (!number && file.name != "profiler_info.json") continue;
        if (!rank) rank = number;
        const auto before = static_cast<std::ptrdiff_t>(info.metadata.size());
        read(file);
        const auto within = knownRank({info.metadata.begin() + before, info.metadata.end()}, "rank_id");
        if (rank && within && *within != *rank)
            diagnostics.add("rank.id_conflict", Severity::Info, folder.relativeTo(file.name), {},
                            {{"taken", std::to_string(*rank)}, {"other", std::to_string(*within)}});
    }
    if (const ListedFile* file = folder.file("profiler_metadata.json")) read(*file);
    return rank ? rank : knownRank(info.metadata, "rank_id");
}

namespace {

using AdviceJson = nlohmann::ordered_json;

std::string adviceText(const AdviceJson& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// {"rule_type", "result": [{"rule_subtype", "rule_suggestion", "op_list"}]}
void addAdvice(const AdviceJson& rule, Metadata& metadata) {
    const auto results = rule.is_object() ? rule.find("result") : rule.end();
    if (!rule.is_object() || results == rule.end() || !results->is_array()) return;
    const std::string type = "prof_rule." + adviceText(rule, "rule_type");
    for (const AdviceJson& one : *results) {
        if (!one.is_object()) {
            metadata.emplace_back(type, plainJson(one));
            continue;
        }
        std::string text = adviceText(one, "rule_suggestion");
        if (const auto operators = one.find("op_list"); operators != one.end() && !operators->empty())
            text += (text.empty() ? "" : ": ") + plainJson(*operators);
        metadata.emplace_back(type + '.' + adviceText(one, "rule_subtype"), text.empty() ? dumpJson(one) : text);
    }
}

}  // namespace

void addTuningAdvice(const ListedFolder& folder, Metadata& metadata, Diagnostics& diagnostics) {
    static constexpr std::string_view kBegin = "prof_rule", kEnd = ".json", kData = "data";
    // By device; names of later times come later.
    std::map<std::string_view, const ListedFile*> newest;
    for (const ListedFile& file : folder.files) {
        const std::string_view name = file.name;
        if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) continue;
        const std::string_view rest = name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
        const ListedFile*& known = newest[rest.substr(0, rest.find('_', 1))];
        if (known == nullptr || known->name < file.name) known = &file;
    }
    for (const auto& [device, file] : newest) {
        for (const auto& [key, value] :
             readMetadata(folder.path / file->name, folder.relativeTo(file->name), diagnostics)) {
            if (key != kData) continue;
            const AdviceJson rules = parseOrderedJson(value);
            for (const AdviceJson& rule : rules) addAdvice(rule, metadata);
        }
    }
}

}  // namespace altiscope::reader
