#include "views/communication/data/link_calls.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/finding_texts.h"
#include "views/communication/data/link_texts.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <tuple>

namespace altiscope {

namespace {

struct LinkCallTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::LinkCallTexts)
};

constexpr RowKind kLinkKind = RowKind::Link, kCollectiveKind = RowKind::Collective;

/// Begin and length of operators by step, group and name, as one rank's rows list them.
class KnownOperators {
public:
    explicit KnownOperators(const RowTables* tables) {
        const RowTable* table = tables == nullptr ? nullptr : tables->find(kCollectiveKind);
        for (std::size_t row = 0; table != nullptr && row < table->size(); ++row)
            m_rows.emplace(key(*tables, *table, row),
                           std::pair(table->integer(fixedColumn(kCollectiveKind, "ts"), row),
                                     table->integer(fixedColumn(kCollectiveKind, "elapsed"), row).value_or(0)));
    }
    /// The operator of a link's row of the same rank; the texts of its tables may have other numbers.
    std::pair<std::optional<std::int64_t>, std::int64_t> of(const RowTables& links, std::size_t row) const {
        const auto known = m_rows.find(key(links, *links.find(kLinkKind), row));
        return known == m_rows.end() ? std::pair<std::optional<std::int64_t>, std::int64_t>() : known->second;
    }

private:
    using Key = std::tuple<std::int64_t, std::string, std::string>;
    static Key key(const RowTables& tables, const RowTable& table, std::size_t row) {
        const auto text = [&](std::string_view column) {
            return std::string(tables.text(table.text(rowColumn(table.kind(), column), row).value_or(StringId{})));
        };
        return {table.integer(rowColumn(table.kind(), "step"), row).value_or(kNoCell), text("group_name"),
                text("op_name")};
    }
    std::map<Key, std::pair<std::optional<std::int64_t>, std::int64_t>> m_rows;
};

}  // namespace

std::shared_ptr<const LinkCallList> linkCallList(const CommunicationSource& source, const LinkQuery& query,
                                                 const LinkNode& from, const LinkNode& to, TimeNs origin,
                                                 const CancelToken& cancel) {
    ColumnTableBuilder builder(
        {{.name = "op_name", .type = CellType::Text},
         {.name = "step", .type = CellType::Integer},
         {.name = "transport", .type = CellType::Text},
         {.name = "bandwidth", .type = CellType::Real, .unit = CellUnit::Rate},
         {.name = "size", .type = CellType::Integer, .unit = CellUnit::Bytes},
         {.name = "transit", .type = CellType::Integer, .unit = CellUnit::Duration},
         {.name = "ts", .type = CellType::Integer, .unit = CellUnit::Time, .origin = origin.value},
         {.name = "rank_id", .type = CellType::Integer},
         {.name = "group_name", .type = CellType::Text},
         {.name = "origin", .type = CellType::Text}});
    const auto at = [](CallColumn column) { return static_cast<std::size_t>(column); };
    auto list = std::make_shared<LinkCallList>();
    std::optional<double> lowest;
    std::map<RankIndex, KnownOperators> known;
    for (const LinkRow& found : linkCalls(*source.capture, query, from, to, cancel)) {
        const RankEntry& rank = source.capture->ranks[found.rank.value];
        const RowTable& table = *found.rows->find(kLinkKind);
        const auto text = [&](std::string_view column) {
            const auto id = table.text(rowColumn(kLinkKind, column), found.row);
            return id ? std::string(found.rows->text(*id)) : std::string();
        };
        const auto number = [&](std::string_view column) {
            return table.integer(rowColumn(kLinkKind, column), found.row);
        };
        const auto place = static_cast<std::size_t>(std::find(source.ranks.begin(), source.ranks.end(), found.rank) -
                                                    source.ranks.begin());
        const auto [begin, elapsed] =
            known.try_emplace(found.rank, source.collectives(place)).first->second.of(*found.rows, found.row);
        const auto size = number("size"), time = number("transit");
        builder.addRow();
        builder.setText(at(CallColumn::Operator), text("op_name"));
        builder.setInteger(at(CallColumn::Step), number("step"));
        builder.setText(at(CallColumn::Group), text("group_name"));
        builder.setText(at(CallColumn::Transport), text("transport"));
        if (size && time && *time > 0) {
            const double rate = static_cast<double>(*size) / static_cast<double>(*time) * 1e9;
            builder.setReal(at(CallColumn::Bandwidth), rate);
            if (!lowest || rate < *lowest) {
                lowest = rate;
                list->slowest = static_cast<std::uint32_t>(list->calls.size());
            }
        }
        builder.setInteger(at(CallColumn::Size), size);
        builder.setInteger(at(CallColumn::Time), time);
        builder.setInteger(at(CallColumn::Begin), begin);
        builder.setRank(at(CallColumn::Rank), rank.info);
        builder.setText(at(CallColumn::Origin), found.isComputed ? "computed" : "recorded");
        list->calls.push_back(
            {found.rank, text("op_name"), begin ? std::optional(TimeNs{*begin}) : std::nullopt, elapsed});
    }
    if (cancel.cancelled()) return nullptr;
    list->table = builder.finish();
    return list;
}

std::vector<ColumnHeading> linkCallHeadings() {
    return {
        {LinkCallTexts::tr("Operator"),
         LinkCallTexts::tr("Matrix files list individual calls: of each type the fastest, the "
                           "median and the slowest three, by bandwidth. Old files list all.")},
        {LinkCallTexts::tr("Step"), {}},
        {metricTitle(LinkMetric::Transport), {}},
        {metricTitle(LinkMetric::Bandwidth), LinkCallTexts::tr("size / transit; 10^9 bytes per second are 1 GB/s.")},
        {metricTitle(LinkMetric::Size), {}},
        {metricTitle(LinkMetric::Time), {}},
        {LinkCallTexts::tr("Start"), LinkCallTexts::tr("Start of the operator on this rank, on the rank's own clock.")},
        {LinkCallTexts::tr("Rank"), LinkCallTexts::tr("Rank whose file or timeline has it.")},
        {LinkCallTexts::tr("Group"), {}},
        {LinkCallTexts::tr("Source"),
         LinkCallTexts::tr(
             "Recorded by the profiler in its matrix file, or computed by Altiscope from the tasks on the "
             "planes of the timeline where that is missing."),
         originWord}};
}

}  // namespace altiscope
