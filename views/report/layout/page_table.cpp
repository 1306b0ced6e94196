#include "views/report/layout/page_table.h"

#include "core/base/text/catalogue.h"
#include "core/report/document/html_text.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/report/layout/page_composer.h"
#include "views/report/layout/page_cover.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace altiscope {

namespace {

constexpr double kColumnGap = points(8), kMaxExtraGap = points(14), kIndent = points(10), kPadding = points(2.5);
/// Narrower columns of text cannot be read.
constexpr double kMinWidth = points(46);
/// Characters of a text in a cell, of one that stands below its row, and from when on it does.
constexpr std::size_t kMaxInCell = 160, kMaxBelow = 700, kLongInCell = 90;
constexpr qsizetype kMaxLines = 24;

struct Cell {
    QString text;
    QColor colour;
    PageFont font = PageFont::Cell;
};

struct PageColumn {
    std::size_t at = 0;  ///< In the table.
    QString heading;
    bool isNumeric = false;
    double width = 0;
};

/// A table with places for its columns.
struct PlacedTable {
    const ReportTable& table;
    const std::string& language;
    std::vector<PageColumn> columns;  ///< In the row.
    std::vector<std::size_t> below;   ///< Columns whose texts stand below it.
    double gap = kColumnGap;          ///< Between columns.
};

bool isLong(const ReportTable& table, std::size_t column) {
    return std::any_of(table.rows.begin(), table.rows.end(), [column](const auto& row) {
        const auto* text = std::get_if<std::string>(&row[column]);
        return text != nullptr && text->size() > kLongInCell;
    });
}

bool isEmpty(const ReportTable& table, std::size_t column) {
    return std::all_of(table.rows.begin(), table.rows.end(), [column](const auto& row) {
        const auto* text = std::get_if<std::string>(&row[column]);
        return std::holds_alternative<std::monostate>(row[column]) || (text != nullptr && text->empty());
    });
}

Cell cellOf(const ReportTable& table, const std::vector<ReportValue>& row, std::size_t column, std::size_t most,
            const std::string& language) {
    const Theme& theme = PageComposer::theme();
    const std::string value = exactText(row[column]);
    Cell cell{plainText(cellText(table, row, column, language), most), theme.text};
    if (table.columns[column].name != "severity") return cell;
    if (value == "high" || value == "lost") cell.colour = theme.error;
    if (value == "medium" || value == "repaired") cell.colour = theme.warning;
    if (cell.colour != theme.text) cell.font = PageFont::CellStrong;
    return cell;
}

double widthOf(const std::vector<PageColumn>& columns) {
    return std::accumulate(columns.begin(), columns.end(), -kColumnGap,
                           [](double sum, const PageColumn& column) { return sum + column.width + kColumnGap; });
}

/// Takes from the widest columns of text until all fit, or none can give more.
void fit(std::vector<PageColumn>& columns) {
    for (double over = widthOf(columns) - PageComposer::kWidth; over > 0.5;
         over = widthOf(columns) - PageComposer::kWidth) {
        PageColumn* widest = nullptr;
        double second = kMinWidth;
        for (PageColumn& column : columns)
            if (!column.isNumeric && (widest == nullptr || column.width > widest->width)) widest = &column;
        if (widest == nullptr || widest->width <= kMinWidth) return;
        for (const PageColumn& column : columns)
            if (!column.isNumeric && &column != widest)
                second = std::max(second, std::min(column.width, widest->width));
        // Down to the next one, or a little where both are the same.
        widest->width =
            std::max({kMinWidth, widest->width - over, second < widest->width ? second : widest->width - points(4)});
    }
}

PlacedTable placed(const PageFonts& fonts, const ReportTable& table, const std::string& language) {
    PlacedTable result{.table = table, .language = language, .columns = {}, .below = {}};
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        // A column that no row has takes no room; the first column names a row.
        if (i > 0 && isEmpty(table, i)) continue;
        PageColumn column{i, plainText(headingOf(table.columns[i], language), kMaxInCell), isNumeric(table, i)};
        if (i > 0 && !column.isNumeric && isLong(table, i)) {
            result.below.push_back(i);
            continue;
        }
        column.width = fonts.width(PageFont::CellStrong, column.heading);
        for (const auto& row : table.rows) {
            const Cell cell = cellOf(table, row, i, kMaxInCell, language);
            column.width = std::max(column.width, fonts.width(cell.font, cell.text));
        }
        column.width += points(0.5);
        result.columns.push_back(std::move(column));
    }
    fit(result.columns);
    // Columns of numbers too close to each other run together; too far apart, the eye loses the row.
    const double room = PageComposer::kWidth - widthOf(result.columns);
    if (result.columns.size() > 1 && room > 0)
        result.gap += std::min(kMaxExtraGap, room / static_cast<double>(result.columns.size() - 1));
    return result;
}

/// One text for each column, broken into lines.
struct PlacedRow {
    std::vector<QStringList> lines;
    std::vector<Cell> cells;
    std::vector<QStringList> below;
    double height = 0;
};

PlacedRow placedRow(const PageFonts& fonts, const PlacedTable& placed, const std::vector<ReportValue>& row) {
    PlacedRow result;
    qsizetype most = 1, below = 0;
    for (const PageColumn& column : placed.columns) {
        Cell cell = cellOf(placed.table, row, column.at, kMaxInCell, placed.language);
        result.lines.push_back(column.isNumeric ? QStringList{cell.text}
                                                : brokenLines(fonts, cell.font, cell.text, column.width, kMaxLines));
        result.cells.push_back(std::move(cell));
        most = std::max(most, result.lines.back().size());
    }
    for (const std::size_t column : placed.below) {
        const QString value = cellOf(placed.table, row, column, kMaxBelow, placed.language).text;
        if (value.isEmpty()) continue;
        const QString text = plainText(headingOf(placed.table.columns[column], placed.language), kMaxInCell) +
                             QStringLiteral(": ") + value;
        result.below.push_back(brokenLines(fonts, PageFont::Cell, text, PageComposer::kWidth - kIndent, kMaxLines));
        below += result.below.back().size();
    }
    result.height = static_cast<double>(most + below) * fonts.lineHeight(PageFont::Cell) + 2 * kPadding;
    return result;
}

void drawHeadings(PageComposer& pages, const PlacedTable& placed) {
    const Theme& theme = PageComposer::theme();
    double x = PageComposer::kLeft;
    for (const PageColumn& column : placed.columns) {
        const QString text =
            cutToWidth(pages.fonts(), PageFont::CellStrong, column.heading, column.width + kColumnGap / 2);
        if (column.isNumeric) pages.textRight(x + column.width, pages.y(), text, PageFont::CellStrong, theme.muted);
        else pages.text(x, pages.y(), text, PageFont::CellStrong, theme.muted);
        x += column.width + placed.gap;
    }
    pages.skip(pages.fonts().lineHeight(PageFont::CellStrong) + kPadding);
    pages.hairLine(pages.y());
}

void drawRow(PageComposer& pages, const PlacedTable& placed, const PlacedRow& row) {
    const double line = pages.fonts().lineHeight(PageFont::Cell);
    double x = PageComposer::kLeft;
    qsizetype most = 1;
    for (std::size_t i = 0; i < placed.columns.size(); ++i) {
        const PageColumn& column = placed.columns[i];
        const Cell& cell = row.cells[i];
        double y = pages.y() + kPadding;
        for (const QString& text : row.lines[i]) {
            if (column.isNumeric) pages.textRight(x + column.width, y, text, cell.font, cell.colour);
            else pages.text(x, y, text, cell.font, cell.colour);
            y += line;
        }
        most = std::max(most, row.lines[i].size());
        x += column.width + placed.gap;
    }
    double y = pages.y() + kPadding + static_cast<double>(most) * line;
    for (const QStringList& lines : row.below) {
        for (const QString& text : lines) {
            pages.text(PageComposer::kLeft + kIndent, y, text, PageFont::Cell, PageComposer::theme().muted);
            y += line;
        }
    }
    pages.skip(row.height);
    pages.hairLine(pages.y());
}

}  // namespace

void addPageTable(PageComposer& pages, const ReportTable& table, const std::string& language) {
    const PageFonts& fonts = pages.fonts();
    const QColor& muted = PageComposer::theme().muted;
    if (!table.note.empty()) addParagraphs(pages, table.note, PageFont::Cell, muted);
    if (table.rows.empty() && !table.note.empty()) return;
    if (table.rows.empty())
        return pages.paragraph(toQString(catalogueText("report.no_rows", language)), PageFont::Cell, muted);
    const PlacedTable placedTable = placed(fonts, table, language);
    const double heading = fonts.lineHeight(PageFont::CellStrong) + kPadding;
    bool isFirst = true;
    for (const auto& values : table.rows) {
        const PlacedRow row = placedRow(fonts, placedTable, values);
        // Headings stand above a row at least.
        const bool isNewPage = pages.need(isFirst ? heading + row.height : row.height);
        if (isFirst || isNewPage) drawHeadings(pages, placedTable);
        isFirst = false;
        drawRow(pages, placedTable, row);
    }
    if (table.omitted == 0) return;
    pages.skip(kPadding);
    pages.paragraph(toQString(catalogueText("report.omitted", language,
                                            {{"shown", std::to_string(table.rows.size())},
                                             {"all", std::to_string(table.rows.size() + table.omitted)}})),
                    PageFont::Cell, muted);
}

}  // namespace altiscope
