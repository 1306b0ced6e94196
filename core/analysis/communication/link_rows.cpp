#include "core/analysis/communication/link_matrix.h"

#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/support/link_totals.h"
#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace altiscope {

// How rows of links become a matrix.

namespace {

constexpr RowKind kLink = RowKind::Link;
constexpr std::size_t kStep = fixedColumn(kLink, "step"), kGroup = fixedColumn(kLink, "group_name"),
                      kOp = fixedColumn(kLink, "op_name"), kSelection = fixedColumn(kLink, "selection"),
                      kSource = fixedColumn(kLink, "src_rank"), kTarget = fixedColumn(kLink, "dst_rank"),
                      kSourceLocal = fixedColumn(kLink, "src_local"), kTargetLocal = fixedColumn(kLink, "dst_local"),
                      kTransport = fixedColumn(kLink, "transport"), kSize = fixedColumn(kLink, "size"),
                      kLinkTime = fixedColumn(kLink, "transit");
constexpr std::size_t kMaxTransports = 16;

/// The rows of links that count for a rank: what is computed, or else its files' own.
struct RankLinkRows {
    std::shared_ptr<const RowTables> tables;
    const RowTable* table = nullptr;  ///< Null: there are none.
    bool isComputed = false;
};

/// @param place  Of the rank in the question.
RankLinkRows linkRowsOf(const CaptureStore& capture, const LinkQuery& query, std::size_t place) {
    if (place < query.computed.size() && query.computed[place] != nullptr)
        return {query.computed[place], query.computed[place]->find(kLink), true};
    const auto& recorded = capture.ranks[query.ranks[place].value].rows;
    return {recorded, recorded == nullptr ? nullptr : recorded->find(kLink), false};
}

std::string_view textAt(const RowTables& tables, const RowTable& table, std::size_t column, std::size_t row) {
    const auto id = table.text(column, row);
    return id ? tables.text(*id) : std::string_view();
}

/// The groups of rows: their names, and of those without one what operators' names hold of it ("__586"), so that places
/// of different groups are not taken for one.
class GroupTexts {
public:
    GroupTexts(const RowTables& tables, const RowTable& table) : m_tables(tables), m_table(table) {}
    std::string_view of(std::size_t row) const {
        const std::string_view name = textAt(m_tables, m_table, kGroup, row);
        return name.empty() ? groupDigits(textAt(m_tables, m_table, kOp, row)) : name;
    }
    /// A number of its own for each.
    std::int64_t keyOf(std::size_t row) {
        if (const auto id = m_table.text(kGroup, row); id && id->value != 0) return id->value;
        const std::string_view digits = of(row);
        const auto known = std::find(m_digits.begin(), m_digits.end(), digits);
        const auto place = known - m_digits.begin();
        if (known == m_digits.end()) m_digits.push_back(digits);
        return -1 - static_cast<std::int64_t>(place);
    }

private:
    const RowTables& m_tables;
    const RowTable& m_table;
    std::vector<std::string_view> m_digits;
};

/// Whether a text is wanted, looked at once for each that occurs.
class TextChoice {
public:
    template <class Wanted>
    TextChoice(const RowTables& tables, const RowTable& table, std::size_t column, Wanted wanted)
        : m_table(table), m_column(column), m_known(tables.texts().size(), -1) {
        for (std::size_t row = 0; row < table.size(); ++row) {
            const std::uint32_t id = table.text(column, row).value_or(StringId{}).value;
            if (m_known[id] < 0) m_known[id] = wanted(tables.text({id})) ? 1 : 0;
        }
    }
    bool holds(std::size_t row) const { return m_known[m_table.text(m_column, row).value_or(StringId{}).value] == 1; }

private:
    const RowTable& m_table;
    std::size_t m_column;
    std::vector<signed char> m_known;
};

/// The rows of one rank that a query is about.
class WantedRows {
public:
    WantedRows(const RowTables& tables, const RowTable& table, const LinkQuery& query)
        : m_tables(tables), m_table(table), m_query(query), m_total(tables.texts().find("total")),
          m_groups(tables, table, kGroup,
                   [&](std::string_view name) {
                       return query.groups.empty() ||
                              std::find(query.groups.begin(), query.groups.end(), name) != query.groups.end();
                   }),
          m_operators(tables, table, kOp,
                      [&](std::string_view name) {
                          const LinkCalls& calls = query.calls;
                          switch (calls.kind) {
                          case LinkCalls::Kind::All: return true;
                          // A total's name is its type already.
                          case LinkCalls::Kind::Type:
                          case LinkCalls::Kind::Selection:
                              return name == calls.type || collectiveType(name) == calls.type;
                          case LinkCalls::Kind::Operator: return name == calls.name;
                          }
                          return false;
                      }),
          m_selection(tables.texts().find(query.calls.selection)) {
        m_hasTotals = m_total && summedSelection(tables, table) == m_total;
        const auto single = tables.texts().find("single");
        m_listsAll = single && table.size() > 0 && table.text(kSelection, 0) == single;
        if (m_listsAll && query.calls.kind == LinkCalls::Kind::Selection) pick();
    }
    bool isTotal(std::size_t row) const { return m_total && m_table.text(kSelection, row) == m_total; }
    bool inScope(std::size_t row) const {
        if (!m_query.steps.empty()) {
            const auto step = m_table.integer(kStep, row);
            if (!step || std::find(m_query.steps.begin(), m_query.steps.end(), *step) == m_query.steps.end())
                return false;
        }
        return m_groups.holds(row) && m_operators.holds(row);
    }
    bool holds(std::size_t row) const {
        if (!inScope(row)) return false;
        switch (m_query.calls.kind) {
        case LinkCalls::Kind::All:
        case LinkCalls::Kind::Type: return isTotal(row) == m_hasTotals;
        case LinkCalls::Kind::Selection:
            return m_listsAll ? m_picked[row] != 0 : m_selection && m_table.text(kSelection, row) == m_selection;
        case LinkCalls::Kind::Operator: return !isTotal(row);
        }
        return false;
    }

private:
    /// Of a table that lists all calls: the one of each link that the selection means.
    void pick();

    const RowTables& m_tables;
    const RowTable& m_table;
    const LinkQuery& m_query;
    std::optional<StringId> m_total;
    TextChoice m_groups, m_operators;
    std::optional<StringId> m_selection;
    bool m_hasTotals = false;
    bool m_listsAll = false;             ///< Each call once, as old files and what is computed do.
    std::vector<std::uint8_t> m_picked;  // by row
};

/// Which of `count` calls, fastest first, a selection means (core/import/communication/FORMAT.md section 3).
std::optional<std::size_t> placeOfSelection(std::string_view selection, std::size_t count) {
    if (selection == "top1") return 0;
    if (selection == "middle") return count / 2;
    if (selection == "bottom1") return count - 1;
    if (selection == "bottom2" && count >= 2) return count - 2;
    if (selection == "bottom3" && count >= 3) return count - 3;
    return std::nullopt;
}

void WantedRows::pick() {
    m_picked.assign(m_table.size(), 0);
    GroupTexts groups(m_tables, m_table);
    std::map<std::array<std::int64_t, 6>, std::vector<std::pair<double, std::size_t>>> links;
    const auto number = [&](std::size_t column, std::size_t row) {
        return m_table.integer(column, row).value_or(kNoCell);
    };
    for (std::size_t row = 0; row < m_table.size(); ++row) {
        if (!inScope(row)) continue;
        const std::int64_t group = groups.keyOf(row);
        const auto time = m_table.integer(kLinkTime, row);
        // Nobody knows how fast it was.
        if (!time) continue;
        const double bandwidth =
            *time > 0 ? static_cast<double>(m_table.integer(kSize, row).value_or(0)) / static_cast<double>(*time) : 0;
        links[{number(kStep, row), group, number(kSource, row), number(kTarget, row), number(kSourceLocal, row),
               number(kTargetLocal, row)}]
            .emplace_back(-bandwidth, row);
    }
    for (auto& [link, calls] : links) {
        std::stable_sort(calls.begin(), calls.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        if (const auto place = placeOfSelection(m_query.calls.selection, calls.size()))
            m_picked[calls[*place].second] = 1;
    }
}

/// Whether a row has the call's name and link of the row before. What is computed has a row for each transport of a
/// call, one after the other.
bool continuesCall(const RowTable& table, std::size_t row) {
    if (row == 0) return false;
    for (const std::size_t column : {kStep, kSourceLocal, kTargetLocal}) {
        if (table.integer(column, row) != table.integer(column, row - 1)) return false;
    }
    return table.text(kGroup, row) == table.text(kGroup, row - 1) && table.text(kOp, row) == table.text(kOp, row - 1);
}

/// The same call of the same link: files repeat it under several selections.
using CallKey =
    std::tuple<std::int64_t, std::uint32_t, std::uint32_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

CallKey callKey(const RowTable& table, std::size_t row) {
    const auto number = [&](std::size_t column) { return table.integer(column, row).value_or(kNoCell); };
    return {number(kStep),
            table.text(kGroup, row).value_or(StringId{}).value,
            table.text(kOp, row).value_or(StringId{}).value,
            number(kSource),
            number(kTarget),
            number(kSourceLocal),
            number(kTargetLocal)};
}

/// How many operators of a type a rank's files list, by step, group and type.
class CallCounts {
public:
    explicit CallCounts(const RowTables& tables) {
        constexpr RowKind K = RowKind::Collective;
        const RowTable* table = tables.find(K);
        if (table == nullptr) return;
        std::vector<std::string> types(tables.texts().size());
        for (std::size_t row = 0; row < table->size(); ++row) {
            const StringId op = table->text(fixedColumn(K, "op_name"), row).value_or(StringId{});
            if (types[op.value].empty()) types[op.value] = collectiveType(tables.text(op));
            ++m_counts[{table->integer(fixedColumn(K, "step"), row).value_or(kNoCell),
                        table->text(fixedColumn(K, "group_name"), row).value_or(StringId{}).value, types[op.value]}];
        }
    }
    std::uint32_t of(std::int64_t step, StringId group, std::string_view type) const {
        const auto known = m_counts.find({step, group.value, std::string(type)});
        return known == m_counts.end() ? 0 : known->second;
    }

private:
    std::map<std::tuple<std::int64_t, std::uint32_t, std::string>, std::uint32_t> m_counts;
};

/// What one rank's file states, with nodes and transports by places of its own.
struct RankLinks {
    std::vector<LinkNode> nodes;
    std::vector<std::string> transports;
    std::vector<LinkSum> sums;
    bool isComputed = false;
};

/// Numbers of nodes in the order of their coming.
class NodeNumbers {
public:
    NodeNumbers(const LinkEnds& ends, std::vector<LinkNode>& nodes) : m_ends(ends), m_nodes(nodes) {}
    std::uint32_t of(std::optional<std::int64_t> rank, std::int64_t group, std::string_view groupName,
                     std::optional<std::int64_t> local) {
        const std::pair<std::int64_t, std::int64_t> key =
            rank ? std::pair(*rank, kNoCell) : std::pair(local.value_or(kNoCell), group);
        const auto [known, isNew] = m_numbers.try_emplace(key, 0);
        if (isNew) {
            // Two keys may mean one node; that shows when the nodes of all ranks are joined.
            known->second = static_cast<std::uint32_t>(m_nodes.size());
            m_nodes.push_back(m_ends.node(rank, groupName, local));
        }
        return known->second;
    }

private:
    const LinkEnds& m_ends;
    std::vector<LinkNode>& m_nodes;
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> m_numbers;
};

RankLinks rankLinks(const RankLinkRows& rows, const LinkQuery& query, const LinkEnds& ends, const CancelToken& cancel) {
    RankLinks links;
    const RowTable* table = rows.table;
    if (table == nullptr) return links;
    links.isComputed = rows.isComputed;
    const RowTables& tables = *rows.tables;
    const WantedRows wanted(tables, *table, query);
    const CallCounts calls(tables);
    NodeNumbers numbers(ends, links.nodes);
    GroupTexts groups(tables, *table);
    std::set<CallKey> seen;
    const bool repeats = query.calls.kind == LinkCalls::Kind::Operator && !rows.isComputed;
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return {};
        if (!wanted.holds(row) || (repeats && !seen.insert(callKey(*table, row)).second)) continue;
        const StringId group = table->text(kGroup, row).value_or(StringId{});
        const std::int64_t groupKey = groups.keyOf(row);
        const std::string_view groupName = groups.of(row), transport = textAt(tables, *table, kTransport, row);
        auto known = std::find(links.transports.begin(), links.transports.end(), transport);
        if (known == links.transports.end()) known = links.transports.insert(known, std::string(transport));
        const auto place = std::min(kMaxTransports - 1, static_cast<std::size_t>(known - links.transports.begin()));
        LinkSum sum{numbers.of(table->integer(kSource, row), groupKey, groupName, table->integer(kSourceLocal, row)),
                    numbers.of(table->integer(kTarget, row), groupKey, groupName, table->integer(kTargetLocal, row)),
                    table->integer(kSize, row).value_or(0),
                    table->integer(kLinkTime, row).value_or(LinkSum::kTimeUnknown),
                    1,
                    static_cast<std::uint16_t>(1U << place)};
        if (rows.isComputed && query.calls.kind != LinkCalls::Kind::Selection && continuesCall(*table, row) &&
            !links.sums.empty() && (links.sums.back().transports & sum.transports) == 0) {
            LinkSum& call = links.sums.back();
            addSaturated(call.size, sum.size);
            if (call.hasTime() && sum.hasTime()) addSaturated(call.time, sum.time);
            else call.time = LinkSum::kTimeUnknown;
            call.transports = static_cast<std::uint16_t>(call.transports | sum.transports);
            continue;
        }
        if (wanted.isTotal(row))
            sum.calls = calls.of(table->integer(kStep, row).value_or(kNoCell), group, textAt(tables, *table, kOp, row));
        links.sums.push_back(sum);
    }
    return links;
}

/// The slower the earlier; what nobody knows comes last.
std::size_t speedOf(std::string_view transport) {
    static constexpr std::array<std::string_view, 6> kSlowFirst = {"RDMA", "PCIE", "SDMA", "SIO", "HCCS", "LOCAL"};
    return static_cast<std::size_t>(std::find(kSlowFirst.begin(), kSlowFirst.end(), transport) - kSlowFirst.begin());
}

std::vector<std::string> allTransports(const std::vector<RankLinks>& ranks) {
    std::vector<std::string> all;
    for (const RankLinks& rank : ranks) {
        for (const std::string& transport : rank.transports) {
            if (std::find(all.begin(), all.end(), transport) == all.end()) all.push_back(transport);
        }
    }
    std::sort(all.begin(), all.end(), [](const std::string& a, const std::string& b) {
        return std::pair(speedOf(a), a) < std::pair(speedOf(b), b);
    });
    if (all.size() > kMaxTransports) all.resize(kMaxTransports);
    return all;
}

}  // namespace

LinkEnds::LinkEnds(const CaptureStore& capture, const LinkQuery& query, const CancelToken& cancel) {
    std::vector<std::shared_ptr<const RowTables>> computed(capture.ranks.size());
    for (std::size_t r = 0; r < std::min(query.ranks.size(), query.wholeRun.size()); ++r)
        computed[query.ranks[r].value] = query.wholeRun[r];
    std::vector<std::vector<std::pair<LinkNode, std::int64_t>>> known(capture.ranks.size());
    parallelFor(capture.ranks.size(), [&](std::size_t r) {
        const RankEntry& rank = capture.ranks[r];
        if (!rank.info.rankId) return;
        for (const RowTables* rows : {rank.rows.get(), computed[r].get()}) {
            const RowTable* table = rows == nullptr ? nullptr : rows->find(kLink);
            if (table == nullptr || table->presentCount(kSource) == table->size()) continue;
            const GroupTexts groups(*rows, *table);
            for (std::size_t row = 0; row < table->size(); ++row) {
                if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
                const auto local = table->integer(kSourceLocal, row);
                if (table->integer(kSource, row) || !local || table->integer(kTargetLocal, row) != local) continue;
                LinkNode node{{}, std::string(groups.of(row)), *local};
                if (known[r].empty() || !(known[r].back().first == node))
                    known[r].emplace_back(std::move(node), *rank.info.rankId);
            }
        }
    });
    for (auto& ofRank : known) m_ranks.insert(m_ranks.end(), ofRank.begin(), ofRank.end());
    std::sort(m_ranks.begin(), m_ranks.end(), [](const auto& a, const auto& b) {
        return a.first < b.first || (a.first == b.first && a.second < b.second);
    });
    m_ranks.erase(std::unique(m_ranks.begin(), m_ranks.end()), m_ranks.end());
}

LinkNode LinkEnds::node(std::optional<std::int64_t> rank, std::string_view group,
                        std::optional<std::int64_t> local) const {
    if (rank) return {rank, {}, 0};
    LinkNode node{{}, std::string(group), local.value_or(-1)};
    const auto [first, last] = std::equal_range(m_ranks.begin(), m_ranks.end(), std::pair(node, std::int64_t{0}),
                                                [](const auto& a, const auto& b) { return a.first < b.first; });
    // Several ranks that claim one place contradict each other: then it is nobody's.
    if (last - first == 1) return {first->second, {}, 0};
    return node;
}

std::shared_ptr<const LinkMatrix> linkMatrix(const CaptureStore& capture, const LinkQuery& query,
                                             const CancelToken& cancel) {
    const LinkEnds ends(capture, query, cancel);
    std::vector<RankLinks> ranks(query.ranks.size());
    parallelFor(ranks.size(),
                [&](std::size_t r) { ranks[r] = rankLinks(linkRowsOf(capture, query, r), query, ends, cancel); });
    if (cancel.cancelled()) return nullptr;
    std::vector<LinkNode> nodes;
    std::size_t count = 0;
    for (const RankLinks& rank : ranks) {
        nodes.insert(nodes.end(), rank.nodes.begin(), rank.nodes.end());
        count += rank.sums.size();
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    std::vector<std::string> transports = allTransports(ranks);
    std::vector<LinkSum> sums;
    sums.reserve(count);
    std::vector<std::uint8_t> isComputed;
    if (std::any_of(ranks.begin(), ranks.end(), [](const RankLinks& rank) { return rank.isComputed; }))
        isComputed.resize(nodes.size());
    for (RankLinks& rank : ranks) {
        std::vector<std::uint32_t> place;
        for (const LinkNode& node : rank.nodes)
            place.push_back(
                static_cast<std::uint32_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin()));
        std::array<std::uint16_t, kMaxTransports> bits{};
        for (std::size_t i = 0; i < std::min(kMaxTransports, rank.transports.size()); ++i) {
            const auto at = static_cast<std::size_t>(
                std::find(transports.begin(), transports.end(), rank.transports[i]) - transports.begin());
            bits[i] = static_cast<std::uint16_t>(1U << std::min(at, kMaxTransports - 1));
        }
        for (LinkSum sum : rank.sums) {
            sum.source = place[sum.source];
            sum.target = place[sum.target];
            if (rank.isComputed) isComputed[sum.source] = 1;
            std::uint16_t all = 0;
            for (std::size_t i = 0; i < kMaxTransports; ++i) {
                if ((sum.transports & 1U << i) != 0) all = static_cast<std::uint16_t>(all | bits[i]);
            }
            sum.transports = all;
            sums.push_back(sum);
        }
        rank = {};
    }
    if (cancel.cancelled()) return nullptr;
    return std::make_shared<const LinkMatrix>(
        LinkMatrix::make(std::move(nodes), std::move(transports), std::move(sums), std::move(isComputed)));
}

std::vector<LinkRow> linkCalls(const CaptureStore& capture, const LinkQuery& query, const LinkNode& source,
                               const LinkNode& target, const CancelToken& cancel) {
    const LinkEnds ends(capture, query, cancel);
    std::vector<std::vector<LinkRow>> byRank(query.ranks.size());
    LinkQuery scope = query;
    if (scope.calls.kind == LinkCalls::Kind::Selection) scope.calls.kind = LinkCalls::Kind::Type;
    parallelFor(byRank.size(), [&](std::size_t r) {
        const RankLinkRows rows = linkRowsOf(capture, query, r);
        const RowTable* table = rows.table;
        if (table == nullptr) return;
        const WantedRows wanted(*rows.tables, *table, scope);
        const GroupTexts groups(*rows.tables, *table);
        std::set<CallKey> seen;
        std::vector<LinkRow> totals;
        for (std::size_t row = 0; row < table->size(); ++row) {
            if (row % kRowsBetweenPolls == 0 && cancel.cancelled()) return;
            if (!wanted.inScope(row)) continue;
            const std::string_view group = groups.of(row);
            if (!(ends.node(table->integer(kSource, row), group, table->integer(kSourceLocal, row)) == source))
                continue;
            if (!(ends.node(table->integer(kTarget, row), group, table->integer(kTargetLocal, row)) == target))
                continue;
            LinkRow found{query.ranks[r], static_cast<std::uint32_t>(row), rows.tables, rows.isComputed};
            if (wanted.isTotal(row)) totals.push_back(std::move(found));
            else if (rows.isComputed || seen.insert(callKey(*table, row)).second) byRank[r].push_back(std::move(found));
        }
        if (byRank[r].empty()) byRank[r] = std::move(totals);
    });
    std::vector<LinkRow> all;
    if (cancel.cancelled()) return all;
    for (const auto& rows : byRank) all.insert(all.end(), rows.begin(), rows.end());
    return all;
}

}  // namespace altiscope
