#include "core/import/contracts/group_directory.h"

#include "core/base/text/json_text.h"
#include "core/base/values/parse.h"
#include "core/import/contracts/strategy_facts.h"
#include "core/store/cache/store_cache.h"
#include "core/store/rows/row_builder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::string_view kGroupPrefix = "parallel_group_info.";

std::vector<std::int64_t> sortedRanks(std::string_view text) {
    const nlohmann::json list = parseJson(text);
    std::vector<std::int64_t> ranks;
    if (!list.is_array()) return ranks;
    for (const nlohmann::json& rank : list) {
        // A null is a rank that links do not tell: such a list is one of places too, and they are found anew.
        if (rank.is_null()) return {};
        if (rank.is_number_integer()) ranks.push_back(rank.get<std::int64_t>());
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

/// The group in which an operator communicates: {"group": "2-6301172352641561019", "ranks": "0-1"}.
std::optional<KnownGroup> groupOfOperator(std::string_view facts) {
    const nlohmann::json json = parseJson(facts);
    const auto group = json.is_object() ? json.find("group") : json.end();
    const auto ranks = json.is_object() ? json.find("ranks") : json.end();
    if (!json.is_object() || group == json.end() || ranks == json.end() || !group->is_string() || !ranks->is_string())
        return std::nullopt;
    KnownGroup found{group->get<std::string>(), groupHash(group->get_ref<const std::string&>()), {}, {}};
    for (std::string_view rest = ranks->get_ref<const std::string&>(); !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find('-'));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        const auto rank = wholeNumber(word);
        if (!rank || *rank < 0) return std::nullopt;
        found.ranks.push_back(*rank);
    }
    std::sort(found.ranks.begin(), found.ranks.end());
    return found;
}

/// Empty if no rank is known.
std::string rankList(const KnownGroup& group) {
    if (!group.ranks.empty()) return dumpJson(nlohmann::json(group.ranks));
    if (!group.places) return {};
    nlohmann::json list = nlohmann::json::array();
    bool isAnyKnown = false;
    for (const auto& rank : group.places->ranks) {
        list.push_back(rank ? nlohmann::json(*rank) : nlohmann::json());
        isAnyKnown = isAnyKnown || rank;
    }
    if (!group.places->isWhole && (list.empty() || !list.back().is_null())) list.push_back(nullptr);
    return isAnyKnown ? dumpJson(list) : std::string();
}

}  // namespace

std::string groupHash(std::string_view id) {
    std::uint32_t a = 0, b = 0;
    for (const char c : id) {
        const auto code = static_cast<unsigned char>(c);
        a = a * 29 + code;
        b = b * 131 + code;
    }
    return std::to_string((std::uint64_t{a} << 32) | b);
}

void GroupDirectory::add(KnownGroup group) {
    const auto [known, isNew] = m_groups.try_emplace(group.hash, group);
    if (isNew) return;
    KnownGroup& ours = known->second;
    if (ours.name == ours.hash) ours.name = std::move(group.name);
    if (ours.parallelType.empty()) ours.parallelType = std::move(group.parallelType);
    if (ours.ranks.empty()) ours.ranks = std::move(group.ranks);
}

void GroupDirectory::add(const RankInfo& rank) {
    std::set<std::string_view> seen;  // groups of operators, as their facts state them
    for (const auto& [key, value] : rank.metadata) {
        if (key.starts_with(kStrategyOperatorPrefix)) {
            const std::size_t group = value.find("\"group\":"), ranks = value.find("\"ranks\":\"", group);
            if (ranks == std::string::npos) continue;
            const std::size_t end = value.find('"', ranks + std::string_view("\"ranks\":\"").size());
            if (!seen.insert(std::string_view(value).substr(group, end - group)).second) continue;
            if (auto known = groupOfOperator(value)) add(std::move(*known));
            continue;
        }
        if (!key.starts_with(kGroupPrefix)) continue;
        // The id of a group is an address and holds dots itself, its facts do not.
        const std::size_t dot = key.rfind('.');
        if (dot < kGroupPrefix.size()) continue;
        const std::string id = key.substr(kGroupPrefix.size(), dot - kGroupPrefix.size());
        const std::string_view fact = std::string_view(key).substr(dot + 1);
        KnownGroup group{id, groupHash(id), {}, {}};
        if (fact == "group_name") group.parallelType = value;
        else if (fact == "global_ranks") group.ranks = sortedRanks(value);
        else if (fact != "group_rank") continue;
        add(std::move(group));
    }
}

void GroupDirectory::addUnnamed(std::vector<std::int64_t> ranks, std::string parallelType) {
    m_unnamed.emplace(std::move(ranks), std::move(parallelType));
}

void GroupDirectory::setPlaces(std::string_view name, GroupPlaces places) {
    const auto known =
        std::find_if(m_groups.begin(), m_groups.end(), [name](const auto& group) { return group.second.name == name; });
    if (known != m_groups.end()) {
        known->second.places = std::move(places);
        return;
    }
    // A group without an entry is called by its hash.
    m_groups.emplace(std::string(name), KnownGroup{std::string(name), std::string(name), {}, {}, std::move(places)});
}

void GroupDirectory::add(const RowTables& rows) {
    constexpr auto kind = RowKind::CommGroup;
    const RowTable* table = rows.find(kind);
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        const auto cell = [&](std::string_view column) {
            const auto text = table->text(rowColumn(kind, column), row);
            return text ? std::string(rows.text(*text)) : std::string();
        };
        KnownGroup group{cell("group_name"), cell("hash"), cell("parallel_type"), sortedRanks(cell("ranks"))};
        if (group.hash.empty()) addUnnamed(std::move(group.ranks), std::move(group.parallelType));
        else add(std::move(group));
    }
}

void GroupDirectory::finish() {
    std::string text;
    for (const auto& [hash, group] : m_groups) {
        text += '\n' + hash + '\n' + group.name + '\n' + group.parallelType;
        for (const std::int64_t rank : group.ranks) text += ' ' + std::to_string(rank);
    }
    for (const auto& [ranks, type] : m_unnamed) {
        text += "\n" + type;
        for (const std::int64_t rank : ranks) text += ' ' + std::to_string(rank);
    }
    m_key = text.empty() ? text : StoreCache::key(text);
}

const KnownGroup* GroupDirectory::find(std::string_view hash) const {
    const auto found = m_groups.find(hash);
    return found == m_groups.end() ? nullptr : &found->second;
}

std::string_view GroupDirectory::name(std::string_view hash) const {
    const KnownGroup* group = find(hash);
    return group == nullptr ? hash : std::string_view(group->name);
}

Result<std::shared_ptr<const RowTables>> groupRows(const GroupDirectory& groups, const CancelToken& cancel) {
    constexpr auto G = RowKind::CommGroup;
    std::vector<const KnownGroup*> byName;
    for (const auto& [hash, group] : groups.groups()) byName.push_back(&group);
    std::sort(byName.begin(), byName.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    std::set<std::vector<std::int64_t>> stated;
    RowTablesBuilder builder;
    RowBatch batch = builder.batch(G);
    for (const KnownGroup* group : byName) {
        stated.insert(group->ranks);
        batch.addRow();
        batch.setText(fixedColumn(G, "group_name"), group->name);
        batch.setText(fixedColumn(G, "hash"), group->hash);
        if (!group->parallelType.empty()) batch.setText(fixedColumn(G, "parallel_type"), group->parallelType);
        if (const std::string ranks = rankList(*group); !ranks.empty()) batch.setText(fixedColumn(G, "ranks"), ranks);
    }
    for (const auto& [ranks, type] : groups.unnamed()) {
        if (type.empty() && stated.contains(ranks)) continue;
        batch.addRow();
        if (!type.empty()) batch.setText(fixedColumn(G, "parallel_type"), type);
        batch.setText(fixedColumn(G, "ranks"), dumpJson(nlohmann::json(ranks)));
    }
    builder.commit(batch);
    return builder.seal(cancel);
}

}  // namespace altiscope::reader
