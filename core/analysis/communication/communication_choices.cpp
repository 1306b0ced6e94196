#include "core/analysis/communication/communication_choices.h"

#include "core/analysis/facts/fact_readers.h"
#include "core/base/text/json_text.h"
#include "core/base/threads/parallel.h"
#include "core/trace/collective_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace altiscope {

namespace {

/// Which single calls can be listed, the fastest first.
constexpr std::array<std::string_view, 5> kSelections = {"top1", "middle", "bottom3", "bottom2", "bottom1"};

/// What occurs in one rank's rows.
struct RankChoices {
    std::set<std::int64_t> steps;
    std::set<std::string> groups, types, selections, operators;

    void add(const RowTables& tables, RowKind kind, const CancelToken& cancel) {
        const RowTable* table = tables.find(kind);
        if (table == nullptr) return;
        const std::size_t step = rowColumn(kind, "step"), group = rowColumn(kind, "group_name"),
                          op = rowColumn(kind, "op_name");
        const bool isLink = kind == RowKind::Link;
        // Texts come again and again: each is looked at once.
        constexpr std::uint8_t kGroup = 1, kOperator = 2, kSelection = 4, kType = 8;
        std::vector<std::uint8_t> seen(tables.texts().size());
        const auto isNew = [&](StringId id, std::uint8_t as) {
            return (seen[id.value] & as) == 0 && (seen[id.value] |= as) != 0;
        };
        std::int64_t lastStep = kNoCell;
        for (std::size_t row = 0; row < table->size(); ++row) {
            if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
            const std::int64_t number = table->integer(step, row).value_or(kNoCell);
            if (number != kNoCell && number != lastStep) steps.insert(number);
            lastStep = number;
            const StringId groupId = table->text(group, row).value_or(StringId{}),
                           opId = table->text(op, row).value_or(StringId{});
            if (isNew(groupId, kGroup)) groups.emplace(tables.text(groupId));
            bool isTotal = false;
            if (isLink) {
                const StringId selection =
                    table->text(fixedColumn(RowKind::Link, "selection"), row).value_or(StringId{});
                isTotal = tables.text(selection) == "total";
                if (isNew(selection, kSelection) && !isTotal) {
                    if (tables.text(selection) == "single") selections.insert(kSelections.begin(), kSelections.end());
                    else selections.emplace(tables.text(selection));
                }
            }
            if (isTotal) {
                if (isNew(opId, kType)) types.emplace(tables.text(opId));
            } else if (isNew(opId, kOperator)) {
                operators.emplace(tables.text(opId));
                types.insert(collectiveType(tables.text(opId)));
            }
        }
    }
};

std::vector<std::int64_t> numbersOf(std::string_view json) {
    std::vector<std::int64_t> numbers;
    const auto list = parseJson(json);
    if (!list.is_array()) return numbers;
    for (const auto& item : list) {
        // Not all ranks are known.
        if (item.is_null()) return {};
        if (item.is_number_integer()) numbers.push_back(item.get<std::int64_t>());
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// Groups that files describe, by name.
std::map<std::string, CommunicationGroup, std::less<>> groupsByName(const RowTables* tables) {
    constexpr RowKind K = RowKind::CommGroup;
    std::map<std::string, CommunicationGroup, std::less<>> groups;
    const RowTable* table = tables == nullptr ? nullptr : tables->find(K);
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row) {
        const auto text = [&](std::string_view column) {
            const auto id = table->text(rowColumn(K, column), row);
            return id ? std::string(tables->text(*id)) : std::string();
        };
        CommunicationGroup group{text("group_name"), text("hash"), text("parallel_type"), numbersOf(text("ranks")),
                                 false};
        if (group.name.empty()) continue;
        group.ranksKnown = !group.ranks.empty();
        groups.emplace(group.name, std::move(group));
    }
    return groups;
}

}  // namespace

std::vector<CommunicationGroup> knownGroups(const CaptureStore& capture) {
    std::vector<CommunicationGroup> groups;
    for (auto& [name, group] : groupsByName(capture.rows.get())) {
        if (group.ranksKnown) groups.push_back(std::move(group));
    }
    return groups;
}

std::optional<CommunicationChoices> communicationChoices(
    const CaptureStore& capture, const std::vector<RankIndex>& ranks,
    const std::vector<std::vector<std::shared_ptr<const RowTables>>>& computed, const CancelToken& cancel) {
    std::vector<RankChoices> byRank(ranks.size());
    parallelFor(ranks.size(), [&](std::size_t r) {
        const auto& rows = capture.ranks[ranks[r].value].rows;
        if (rows != nullptr) {
            byRank[r].add(*rows, RowKind::Collective, cancel);
            byRank[r].add(*rows, RowKind::Link, cancel);
        }
        for (const auto& more : computed) {
            if (r >= more.size() || more[r] == nullptr) continue;
            byRank[r].add(*more[r], RowKind::Collective, cancel);
            byRank[r].add(*more[r], RowKind::Link, cancel);
        }
    });
    if (cancel.cancelled()) return std::nullopt;
    std::set<std::int64_t> steps;
    std::set<std::string> types, selections, operators;
    std::map<std::string, std::vector<std::int64_t>> members;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        steps.merge(byRank[r].steps);
        types.merge(byRank[r].types);
        selections.merge(byRank[r].selections);
        operators.merge(byRank[r].operators);
        for (const std::string& group : byRank[r].groups) {
            std::vector<std::int64_t>& known = members[group];
            if (const auto rank = capture.ranks[ranks[r].value].info.rankId) known.push_back(*rank);
        }
    }
    CommunicationChoices choices;
    choices.steps.assign(steps.begin(), steps.end());
    choices.types.assign(types.begin(), types.end());
    choices.selections.assign(selections.begin(), selections.end());
    const auto placeOf = [](const std::string& selection) {
        return std::find(kSelections.begin(), kSelections.end(), selection) - kSelections.begin();
    };
    std::stable_sort(choices.selections.begin(), choices.selections.end(),
                     [&](const std::string& a, const std::string& b) { return placeOf(a) < placeOf(b); });
    choices.operatorCount = operators.size();
    for (const std::string& op : operators) {
        if (choices.operators.size() == CommunicationChoices::kMaxOperators) break;
        choices.operators.push_back(op);
    }
    const auto stated = groupsByName(capture.rows.get());
    for (auto& [name, own] : members) {
        CommunicationGroup group;
        if (const auto known = stated.find(name); known != stated.end()) group = known->second;
        group.name = name;
        if (!group.ranksKnown) {
            std::sort(own.begin(), own.end());
            own.erase(std::unique(own.begin(), own.end()), own.end());
            group.ranks = std::move(own);
        }
        choices.groups.push_back(std::move(group));
    }
    std::stable_sort(choices.groups.begin(), choices.groups.end(),
                     [](const CommunicationGroup& a, const CommunicationGroup& b) {
                         const std::int64_t first = a.ranks.empty() ? -1 : a.ranks.front(),
                                            other = b.ranks.empty() ? -1 : b.ranks.front();
                         return std::tie(a.parallelType, first, a.name) < std::tie(b.parallelType, other, b.name);
                     });
    return choices;
}

}  // namespace altiscope
