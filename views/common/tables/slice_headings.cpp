#include "views/common/tables/slice_headings.h"

#include "core/tables/rows/slice_rows.h"

#include <QCoreApplication>

#include <algorithm>

namespace altiscope {

namespace {

struct SliceTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::SelectionTables)
};

}  // namespace

std::vector<ColumnHeading> sliceHeadings() {
    return {{SliceTexts::tr("Rank"), {}},
            {SliceTexts::tr("Process"), {}},
            {SliceTexts::tr("Track"), {}},
            {SliceTexts::tr("Name"), {}, {}, Qt::ElideMiddle},
            {SliceTexts::tr("Category"), {}},
            {SliceTexts::tr("Start"), SliceTexts::tr("On the trace's own clock, since the start of the run.")},
            {SliceTexts::tr("Duration"), {}},
            {SliceTexts::tr("Self"), SliceTexts::tr("Duration without the time of direct children.")},
            {SliceTexts::tr("Depth"), {}}};
}

void sortByBegin(TableLoader& rows) {
    // Sorting 10^8 rows takes some GB: only when the user requests it.
    constexpr std::size_t kMaxSortedByDefault = 10'000'000;
    const std::vector<SortKey> byBegin{{.column = SliceRows::Begin, .descending = false}};
    if (rows.source() == nullptr) return;
    const bool isMany = rows.source()->rowCount() > kMaxSortedByDefault;
    if (isMany && rows.sort() == byBegin) rows.setSort({});
    if (!isMany && rows.sort().empty()) rows.setSort(byBegin);
}

std::optional<std::size_t> shownPlaceOf(const TableRows& rows, std::uint32_t row) {
    if (rows.rows.empty()) return row < rows.count ? std::optional<std::size_t>(row) : std::nullopt;
    const auto last = rows.rows.begin() + static_cast<std::ptrdiff_t>(rows.count),
               found = std::find(rows.rows.begin(), last, row);
    return found == last ? std::nullopt : std::optional(static_cast<std::size_t>(found - rows.rows.begin()));
}

}  // namespace altiscope
