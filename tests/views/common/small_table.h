#pragma once

#include "core/tables/sources/column_table.h"
#include "views/common/tables/data_table.h"

#include <QTest>

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

namespace altiscope::test {

using namespace Qt::StringLiterals;

/// Texts that other programs take for formulas and separators, in no order.
inline std::shared_ptr<const ColumnTable> smallTable() {
    ColumnTableBuilder builder({{"name", CellType::Text},
                                {"dur", CellType::Integer, CellUnit::Duration},
                                {"share", CellType::Real, CellUnit::Share}});
    const std::tuple<const char*, std::int64_t, double> rows[] = {
        {"=SUM(A1)", 9, 0.5}, {"a\t\"b\"", 10'000, 0.25}, {"c,d", 1, 0}};
    for (const auto& [name, dur, share] : rows) {
        builder.addRow();
        builder.setText(0, name);
        builder.setInteger(1, dur);
        builder.setReal(2, share);
    }
    return builder.finish();
}

inline std::vector<ColumnHeading> headings() { return {{u"Name"_s, {}}, {u"Time"_s, u"sum"_s}, {u"Share"_s, {}}}; }

inline void settle(DataTable& table) { QTRY_VERIFY(!table.loader().busy()); }

/// The rows as they are copied, without their headings.
inline QString shown(DataTable& table) { return tableAsText(table.shownPart(), 100).section(u'\n', 1); }

}  // namespace altiscope::test
