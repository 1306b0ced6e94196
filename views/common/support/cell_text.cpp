#include "views/common/support/cell_text.h"

#include "core/base/text/text.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <bit>
#include <cmath>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct CellTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::CellTexts)
};

double realOf(const TableColumn& column, std::int64_t cell) {
    return column.type == CellType::Real ? std::bit_cast<double>(cell) : static_cast<double>(cell);
}

/// Whole numbers for functions that take them; times and sizes that are averages come as reals.
std::int64_t wholeOf(const TableColumn& column, std::int64_t cell) {
    return column.type == CellType::Real ? static_cast<std::int64_t>(std::llround(std::bit_cast<double>(cell))) : cell;
}

/// Sizes may be differences.
QString signedBytes(std::int64_t bytes, QString (*format)(std::uint64_t)) {
    const auto magnitude = bytes < 0 ? 0 - static_cast<std::uint64_t>(bytes) : static_cast<std::uint64_t>(bytes);
    return (bytes < 0 ? u"-"_s : QString()) + format(magnitude);
}

}  // namespace

QString cellText(const TableSource& source, std::size_t column, std::int64_t cell) {
    if (cell == kAbsentCell) return {};
    const TableColumn& about = source.columns()[column];
    if (about.type == CellType::Text) return toQString(source.text(column, cell));
    switch (about.unit) {
    case CellUnit::Duration: return formatDuration({wholeOf(about, cell)});
    case CellUnit::Time: return formatRelativeTime({cell}, {about.origin});
    case CellUnit::Bytes: return signedBytes(wholeOf(about, cell), formatBytes);
    case CellUnit::Rate: return formatRate(realOf(about, cell));
    case CellUnit::Share: return formatPercent(realOf(about, cell));
    case CellUnit::Count: return signedBytes(wholeOf(about, cell), formatCount);
    case CellUnit::Address: return formatAddress(cell);
    case CellUnit::None: break;
    }
    return about.type == CellType::Real ? formatNumber(realOf(about, cell)) : QString::number(cell);
}

QString exactCellText(const TableSource& source, std::size_t column, std::int64_t cell) {
    if (cell == kAbsentCell) return CellTexts::tr("not recorded");
    const TableColumn& about = source.columns()[column];
    if (about.type == CellType::Text) return toQString(source.text(column, cell));
    if (about.unit == CellUnit::Time) return formatAbsoluteTime({cell});
    if (about.type == CellType::Integer && about.unit == CellUnit::Duration) return formatExactNs({cell});
    if (about.type == CellType::Integer && about.unit == CellUnit::Bytes) return signedBytes(cell, formatExactBytes);
    if (about.unit == CellUnit::Address) return formatAddress(cell) + u" = "_s + plainCell(source, column, cell);
    const QString unit = plainUnit(about.unit);
    return unit.isEmpty() ? plainCell(source, column, cell) : plainCell(source, column, cell) + u' ' + unit;
}

QString plainCell(const TableSource& source, std::size_t column, std::int64_t cell) {
    if (cell == kAbsentCell) return {};
    switch (source.columns()[column].type) {
    case CellType::Integer: return QString::number(cell);
    case CellType::Real: return toQString(shortestNumber(std::bit_cast<double>(cell)));
    case CellType::Text: return toQString(source.text(column, cell));
    }
    return {};
}

QString plainUnit(CellUnit unit) {
    switch (unit) {
    case CellUnit::Duration:
    case CellUnit::Time: return u"ns"_s;
    case CellUnit::Bytes: return u"B"_s;
    case CellUnit::Rate: return u"B/s"_s;
    case CellUnit::None:
    case CellUnit::Count:
    case CellUnit::Address:
    case CellUnit::Share: return {};
    }
    return {};
}

QString withBeside(const QString& text, std::string_view beside) {
    if (beside.empty()) return text;
    return text.isEmpty() ? toQString(beside) : text + u" · "_s + toQString(beside);
}

bool isRightAligned(const TableColumn& column) { return column.type != CellType::Text; }

QString onOneLine(QString text) {
    for (QChar& c : text) {
        if (c == u'\t' || c == u'\n' || c == u'\r') c = u' ';
    }
    return text;
}

}  // namespace altiscope
