#include "core/import/communication/cluster_groups.h"

#include "core/base/files/file.h"
#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/import/json/json_keys.h"
#include "core/import/json/json_text.h"
#include "core/import/json/json_tokens.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

/// Lists of ranks of some thousand groups take some megabytes.
constexpr std::uint64_t kMaxGroupFileBytes = std::uint64_t{64} << 20;

constexpr const char* kCollective = "collective";
constexpr const char* kPointToPoint = "p2p";

using RankSet = std::vector<std::int64_t>;

/// A set is complete whatever stands twice in it.
RankList uniqueRanks(std::vector<std::int64_t> ranks) {
    std::sort(ranks.begin(), ranks.end());
    const auto rest = std::unique(ranks.begin(), ranks.end());
    const auto repeated = static_cast<std::uint64_t>(ranks.end() - rest);
    ranks.erase(rest, ranks.end());
    return {std::move(ranks), repeated};
}

/// The ranks of a JSON list; nullopt if it is none, or holds anything else.
std::optional<RankList> ranksOfList(const nlohmann::json& list) {
    if (!list.is_array()) return std::nullopt;
    std::vector<std::int64_t> ranks;
    for (const nlohmann::json& rank : list) {
        if (!rank.is_number_integer()) return std::nullopt;
        const auto number = rank.get<std::int64_t>();
        if (number < 0 || number > kMaxClusterRank) return std::nullopt;
        ranks.push_back(number);
    }
    return uniqueRanks(std::move(ranks));
}

std::string textMember(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? repairedUtf8(found->get_ref<const std::string&>())
                                                       : std::string();
}

/// Reads one parsed file.
class GroupFile {
public:
    GroupFile(const nlohmann::json& json, std::string_view name, GroupDirectory& groups, std::set<std::int64_t>& ranks,
              Diagnostics& diagnostics)
        : m_json(json), m_name(name), m_groups(groups), m_ranks(ranks), m_diagnostics(diagnostics) {}

    void read() {
        static constexpr const char* kInfo = "comm_group_parallel_info";
        // Each writer has one of them.
        if (!m_json.contains(kCollective) && !m_json.contains(kInfo)) bad(0);
        std::size_t row = 0;
        each(kInfo, [&](const nlohmann::json& entry) { return readInfo(entry, ++row); });
        // The plain lists hold the same sets once more, and they are all that old files have.
        for (const char* list : {kCollective, kPointToPoint}) {
            std::size_t place = 0;
            each(list, [&](const nlohmann::json& entry) {
                ++place;
                const auto ranks = takeRanks(entry, place);
                if (!ranks) return false;
                m_groups.addUnnamed(*ranks, list == kPointToPoint ? kPointToPoint : std::string());
                return true;
            });
        }
    }

private:
    template <class Take>
    void each(const char* key, Take take) {
        const auto list = m_json.find(key);
        if (list == m_json.end()) return;
        if (!list->is_array()) return bad(0);
        for (std::size_t i = 0; i < list->size(); ++i) {
            if (!take((*list)[i])) bad(i + 1);
        }
    }

    std::optional<RankSet> takeRanks(const nlohmann::json& entry, std::size_t row) {
        auto list = ranksOfList(entry);
        if (!list) return std::nullopt;
        m_ranks.insert(list->ranks.begin(), list->ranks.end());
        if (list->repeated > 0) reportRepeatedRanks(m_name, {PlaceUnit::Row, row}, list->repeated, m_diagnostics);
        return std::move(list->ranks);
    }

    bool readInfo(const nlohmann::json& entry, std::size_t row) {
        const auto set = entry.is_object() ? entry.find("rank_set") : entry.end();
        const auto ranks = set != entry.end() ? takeRanks(*set, row) : std::nullopt;
        if (!ranks) return false;
        std::string hash = textMember(entry, "group_name"), type = textMember(entry, "pg_name");
        const std::string id = textMember(entry, "group_id"), list = textMember(entry, "type");
        if (hash.empty() && !id.empty()) hash = groupHash(id);
        if (type.empty() && list == kPointToPoint) type = kPointToPoint;
        if (!hash.empty() && contradicts(list, hash, id, *ranks))
            m_diagnostics.add("cluster.repeated_group", Severity::Lost, m_name, {PlaceUnit::Row, row});
        if (hash.empty()) m_groups.addUnnamed(*ranks, type);
        else m_groups.add({id.empty() ? hash : id, hash, type, *ranks});
        return true;
    }

    /// A group has a description for its collectives and one for its transfers, each once; a second one that says the
    /// same hides nothing.
    bool contradicts(const std::string& list, const std::string& hash, const std::string& id, const RankSet& ranks) {
        const auto [known, isNew] = m_seen.try_emplace({list, hash}, id, ranks);
        if (isNew) return false;
        auto& [knownId, knownRanks] = known->second;
        if (knownId.empty()) knownId = id;
        return (!id.empty() && id != knownId) || ranks != knownRanks;
    }

    void bad(std::size_t row) {
        m_diagnostics.add("cluster.bad_group", Severity::Lost, m_name, row == 0 ? Place{} : Place{PlaceUnit::Row, row});
    }

    const nlohmann::json& m_json;
    const std::string_view m_name;
    GroupDirectory& m_groups;
    std::set<std::int64_t>& m_ranks;
    Diagnostics& m_diagnostics;
    std::map<std::pair<std::string, std::string>, std::pair<std::string, RankSet>> m_seen;  // by list and hash
};

}  // namespace

std::optional<std::int64_t> clusterRankOf(std::string_view text) {
    const auto rank = wholeNumber(text);
    return rank && *rank >= 0 && *rank <= kMaxClusterRank ? rank : std::nullopt;
}

std::optional<RankList> rankSetOf(std::string_view text) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') return std::nullopt;
    text = text.substr(1, text.size() - 2);
    std::vector<std::int64_t> ranks;
    while (!text.empty()) {
        std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        while (one.starts_with(' ')) one.remove_prefix(1);
        while (one.ends_with(' ')) one.remove_suffix(1);
        // A set of one rank ends in a comma.
        if (one.empty() && text.empty() && !ranks.empty()) break;
        const auto rank = clusterRankOf(one);
        if (!rank) return std::nullopt;
        ranks.push_back(*rank);
    }
    return uniqueRanks(std::move(ranks));
}

void reportRepeatedRanks(std::string_view file, const Place& place, std::uint64_t count, Diagnostics& diagnostics) {
    diagnostics.add("cluster.repeated_rank", Severity::Repaired, file, place, {}, count);
}

void readClusterGroups(const SourceFile& file, GroupDirectory& groups, std::set<std::int64_t>& ranks,
                       Diagnostics& diagnostics) {
    const auto content = readSmallText(file.path, kMaxGroupFileBytes);
    if (!content.ok())
        return diagnostics.add(content.error().code, Severity::Lost, file.name, {}, content.error().parameters);
    const std::string_view text = content.value();
    const auto broken = [&](std::uint64_t byte) {
        diagnostics.add("metadata.broken", Severity::Lost, file.name, {PlaceUnit::Byte, byte});
    };
    std::size_t begin = 0;
    while (begin < text.size() && isJsonBlank(text[begin])) ++begin;
    // Also keeps the depth within bounds: the library recurses.
    const ValueExtent extent = valueExtent(text.substr(begin));
    if (extent.isTooDeep)
        return diagnostics.add("json.too_deep", Severity::Lost, file.name, {PlaceUnit::Byte, begin + extent.length},
                               {{"limit", std::to_string(kMaxValueDepth)}});
    if (extent.end != ValueExtent::End::Complete) return broken(begin + extent.length);
    try {
        std::size_t errorByte = 0;
        const nlohmann::json json = parseJson(text, &errorByte);
        if (!json.is_object()) return broken(errorByte == 0 ? begin : errorByte - 1);
        reportRepeatedKeys(text, file.name, diagnostics);
        GroupFile(json, file.name, groups, ranks, diagnostics).read();
    } catch (const nlohmann::json::exception&) { broken(begin); }
}

}  // namespace altiscope::reader
