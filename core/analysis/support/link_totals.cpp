#include "core/analysis/support/link_totals.h"

namespace altiscope {

std::optional<StringId> summedSelection(const RowTables& tables, const RowTable& links) {
    const std::size_t selection = fixedColumn(RowKind::Link, "selection");
    const auto total = tables.texts().find("total");
    for (std::size_t row = 0; total && row < links.size(); ++row)
        if (links.text(selection, row) == total) return total;
    return tables.texts().find("single");
}

}  // namespace altiscope
