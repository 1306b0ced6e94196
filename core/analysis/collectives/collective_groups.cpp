#include "core/analysis/collectives/collective_groups.h"

#include "core/base/text/json_text.h"
#include "core/base/values/digits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace altiscope {

namespace {

/// The names of groups in rows of collectives and links, each once.
std::vector<std::string_view> namedGroups(const RowTables& rows) {
    std::vector<bool> isNamed(rows.texts().size());
    for (const RowKind kind : {RowKind::Collective, RowKind::Link}) {
        const RowTable* table = rows.find(kind);
        const std::size_t column = rowColumn(kind, "group_name");
        for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
            if (const auto name = table->text(column, row)) isNamed[name->value] = true;
        }
    }
    std::vector<std::string_view> names;
    for (std::uint32_t id = 0; id < isNamed.size(); ++id) {
        if (isNamed[id] && !rows.text({id}).empty()) names.push_back(rows.text({id}));
    }
    return names;
}

/// The id of a group in its track's name; empty where the track has a number of its own instead.
std::string_view groupOfTrack(std::string_view name) {
    static constexpr std::string_view kBefore = "Group ", kSuffix = " Communication";
    if (!name.starts_with(kBefore) || !name.ends_with(kSuffix) || name.size() <= kBefore.size() + kSuffix.size())
        return {};
    name = name.substr(kBefore.size(), name.size() - kBefore.size() - kSuffix.size());
    constexpr std::size_t kMaxNumberLength = 6;  // a hash has more digits
    return isDigits(name) && name.size() <= kMaxNumberLength ? std::string_view() : name;
}

/// "586" of "hcom_allReduce__586_0_1".
std::string_view hashEnd(std::string_view opName) {
    const std::size_t at = opName.find("__");
    if (at == std::string_view::npos) return {};
    const std::size_t end = opName.find('_', at + 2);
    return end == std::string_view::npos ? std::string_view() : opName.substr(at + 2, end - at - 2);
}

/// A list of `comm_group`: ranks by place, null where one is not known.
std::vector<std::optional<std::int64_t>> placesOf(std::string_view json) {
    std::vector<std::optional<std::int64_t>> places;
    const auto list = parseJson(json);
    if (!list.is_array()) return places;
    bool isWhole = true;
    for (const auto& item : list) {
        isWhole = isWhole && item.is_number_integer();
        places.push_back(item.is_number_integer() ? std::optional(item.get<std::int64_t>()) : std::nullopt);
    }
    if (isWhole) std::sort(places.begin(), places.end());
    return places;
}

/// Whether an unknown place lies after a lower rank and before a higher one.
bool hasRoomFor(std::int64_t rank, const std::vector<std::optional<std::int64_t>>& places) {
    bool isRoom = false;
    for (const auto& known : places) {
        if (known == rank) return false;
        if (known && *known > rank) return isRoom;
        isRoom = !known;
    }
    return isRoom;
}

}  // namespace

CaptureGroups::CaptureGroups(const RowTables* tables) {
    constexpr auto K = RowKind::CommGroup;
    const RowTable* table = tables == nullptr ? nullptr : tables->find(K);
    if (table == nullptr) return;
    const auto text = [&](std::string_view column, std::size_t row) {
        const auto id = table->text(rowColumn(K, column), row);
        return id ? tables->text(*id) : std::string_view();
    };
    for (std::size_t row = 0; row < table->size(); ++row) {
        m_groups.push_back({std::string(text("group_name", row)),
                            std::string(text("hash", row)),
                            std::string(text("parallel_type", row)),
                            {},
                            placesOf(text("ranks", row))});
        Group& group = m_groups.back();
        if (group.places.empty()) m_ofAnyRank.push_back(row);
        const bool isWhole =
            std::all_of(group.places.begin(), group.places.end(), [](const auto& rank) { return rank.has_value(); });
        for (const auto& rank : group.places) {
            if (!rank) continue;
            m_ofRank[*rank].push_back(row);
            if (isWhole) group.ranks.push_back(*rank);
        }
        if (!isWhole) m_partly.push_back(row);
    }
}

CaptureGroups::CaptureGroups(const CaptureStore& capture) : CaptureGroups(capture.rows.get()) {
    std::unordered_map<std::string, std::size_t> known;
    for (std::size_t place = 0; place < m_groups.size(); ++place) {
        known.emplace(m_groups[place].name, place);
        known.emplace(m_groups[place].hash, place);
    }
    const std::size_t stated = m_groups.size();
    for (const RankEntry& rank : capture.ranks) {
        if (rank.rows == nullptr) continue;
        std::set<std::size_t> own;
        for (const std::string_view name : namedGroups(*rank.rows)) {
            const auto [group, isNew] = known.try_emplace(std::string(name), m_groups.size());
            if (isNew) {
                m_named.push_back(m_groups.size());
                // A hash stands for the name that no source states.
                m_groups.push_back({std::string(name), isDigits(name) ? std::string(name) : std::string(), {}, {}, {}});
            }
            const Group& one = m_groups[group->second];
            const bool isPartly = one.ranks.empty() && !one.places.empty();
            if (group->second >= stated || isPartly) own.insert(group->second);
        }
        if (!rank.info.rankId || own.empty()) continue;
        std::vector<std::size_t>& places = m_namedBy[*rank.info.rankId];
        places.insert(places.end(), own.begin(), own.end());
    }
}

std::vector<const CaptureGroups::Group*> CaptureGroups::groupsOf(std::optional<std::int64_t> rank) const {
    std::vector<const Group*> groups;
    if (!rank) {
        for (const Group& group : m_groups) groups.push_back(&group);
        return groups;
    }
    std::vector<std::size_t> places = m_ofAnyRank;
    if (const auto known = m_ofRank.find(*rank); known != m_ofRank.end())
        places.insert(places.end(), known->second.begin(), known->second.end());
    if (const auto own = m_namedBy.find(*rank); own != m_namedBy.end())
        places.insert(places.end(), own->second.begin(), own->second.end());
    if (places.size() == m_ofAnyRank.size()) places.insert(places.end(), m_named.begin(), m_named.end());
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (const std::size_t place : places) groups.push_back(&m_groups[place]);
    return groups;
}

std::vector<const CaptureGroups::Group*> CaptureGroups::possibleGroupsOf(std::optional<std::int64_t> rank) const {
    std::vector<const Group*> groups;
    if (!rank) return groups;
    for (const std::size_t place : m_partly) {
        if (hasRoomFor(*rank, m_groups[place].places)) groups.push_back(&m_groups[place]);
    }
    return groups;
}

std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> CaptureGroups::pipelineStages() const {
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> stages;
    for (const Group& group : m_groups) {
        // Each rank lists a group of its own where it is alone.
        if (group.type != "pp" || group.ranks.size() < 2) continue;
        std::int64_t stage = 0;
        for (const std::int64_t rank : group.ranks)
            stages.emplace(rank, std::pair(stage++, static_cast<std::int64_t>(group.ranks.size())));
    }
    return stages;
}

bool areOfGradients(std::string_view parallelType) {
    return parallelType.starts_with("dp") || parallelType.starts_with("edp") || parallelType.starts_with("default");
}

CollectiveGroups::CollectiveGroups(const CaptureGroups& directory, std::optional<std::int64_t> rank)
    : m_groups(directory.groupsOf(rank)), m_possible(directory.possibleGroupsOf(rank)) {}

const CaptureGroups::Group* CollectiveGroups::find(std::string_view trackName, std::string_view opName) const {
    const std::string_view track = groupOfTrack(trackName), end = hashEnd(opName);
    for (const auto* groups : {&m_groups, &m_possible}) {
        const auto named = std::find_if(groups->begin(), groups->end(), [&](const CaptureGroups::Group* group) {
            return !track.empty() && (group->name == track || group->hash == track);
        });
        if (named != groups->end()) return *named;
    }
    if (end.empty()) return nullptr;
    for (const auto* groups : {&m_groups, &m_possible}) {
        const CaptureGroups::Group* found = nullptr;
        for (const CaptureGroups::Group* group : *groups) {
            if (!group->hash.ends_with(end)) continue;
            if (found != nullptr) return nullptr;
            found = group;
        }
        if (found != nullptr) return found;
    }
    return nullptr;
}

std::string CollectiveGroups::name(std::string_view trackName, std::string_view opName) const {
    const CaptureGroups::Group* group = find(trackName, opName);
    return group != nullptr ? group->name : std::string(groupOfTrack(trackName));
}

std::vector<std::optional<std::int64_t>> CollectiveGroups::places(std::string_view trackName,
                                                                  std::string_view opName) const {
    const CaptureGroups::Group* group = find(trackName, opName);
    return group != nullptr ? group->places : std::vector<std::optional<std::int64_t>>();
}

std::string CollectiveGroups::parallelType(std::string_view trackName, std::string_view opName) const {
    const CaptureGroups::Group* group = find(trackName, opName);
    return group != nullptr ? group->type : std::string();
}

}  // namespace altiscope
