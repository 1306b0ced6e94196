#include "core/base/text/catalogue.h"
#include "core/report/document/html_text.h"
#include "core/report/document/svg_chart.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/report/layout/page_colours.h"
#include "views/report/layout/page_composer.h"
#include "views/report/layout/page_table.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace altiscope {

namespace {

constexpr double kLabelWidth = points(150), kValueWidth = points(60), kRowHeight = points(13), kBarHeight = points(8);
constexpr double kBarWidth = PageComposer::kWidth - kLabelWidth - kValueWidth;
constexpr std::size_t kMaxInLabel = 80;

/// Columns that name a row: the column of the chart, and the next one where several rows are called the same.
QString labelOf(const ReportTable& table, const std::vector<ReportValue>& row, bool isUnique) {
    const std::size_t column = table.chart.label;
    QString label = plainText(exactText(row[column]), kMaxInLabel);
    if (!isUnique && column + 1 < row.size()) label += u' ' + plainText(exactText(row[column + 1]), kMaxInLabel);
    return label;
}

bool hasUniqueLabels(const ReportTable& table, const std::vector<std::size_t>& rows) {
    std::set<std::string> labels;
    return std::all_of(rows.begin(), rows.end(), [&](std::size_t row) {
        return labels.insert(exactText(table.rows[row][table.chart.label])).second;
    });
}

void drawLegend(PageComposer& pages, const ReportTable& table, const std::string& language) {
    double x = PageComposer::kLeft + kLabelWidth;
    for (const std::size_t part : table.chart.parts) {
        const PartColour colour = partColour(table.columns[part].name);
        const QString name = plainText(headingOf(table.columns[part], language), kMaxInLabel);
        pages.box({x, pages.y() + points(1), kBarHeight, kBarHeight}, colour.colour, colour.pattern);
        pages.text(x + kBarHeight + points(4), pages.y(), name, PageFont::Cell, PageComposer::theme().text);
        x += kBarHeight + points(16) + pages.fonts().width(PageFont::Cell, name);
    }
    pages.skip(kRowHeight);
}

void drawBar(PageComposer& pages, const ReportTable& table, const std::vector<ReportValue>& row, const QString& label,
             double max) {
    const Theme& theme = PageComposer::theme();
    pages.textRight(PageComposer::kLeft + kLabelWidth - points(8), pages.y(),
                    cutToWidth(pages.fonts(), PageFont::Cell, label, kLabelWidth - points(8)), PageFont::Cell,
                    theme.text);
    double x = PageComposer::kLeft + kLabelWidth;
    for (const std::size_t part : table.chart.parts) {
        const double width = std::max(0.0, numberOf(row[part])) / max * kBarWidth;
        const PartColour colour = partColour(table.columns[part].name);
        pages.box({x, pages.y() + points(1), width, kBarHeight}, colour.colour, colour.pattern);
        x += width;
    }
    const std::string& unit = table.columns[table.chart.parts.front()].unit;
    const QString value = toQString(valueText(ReportValue(barTotal(table, row)), unit));
    pages.text(x + points(4), pages.y(), value, PageFont::Cell, theme.text);
    pages.skip(kRowHeight);
}

}  // namespace

double pageChartRoom(const ReportTable& table) {
    // A short chart stays in one piece, a long one begins with some bars; one more line for its legend.
    static constexpr std::size_t kTogether = 12;
    if (table.chart.parts.empty() || table.rows.empty()) return 0;
    return kRowHeight * static_cast<double>(std::min(table.rows.size(), kTogether) + 1);
}

void addPageChart(PageComposer& pages, const ReportTable& table, const std::string& language) {
    if (table.chart.parts.empty()) return;
    // Without a value there is no bar.
    std::vector<std::size_t> rows;
    double max = 0;
    for (std::size_t i = 0; i < table.rows.size() && rows.size() < kMaxBars; ++i) {
        const double total = barTotal(table, table.rows[i]);
        if (total > 0) rows.push_back(i);
        max = std::max(max, total);
    }
    if (rows.empty()) return;
    const bool isUnique = hasUniqueLabels(table, rows);
    const std::size_t after = rows.size() < kMaxBars ? 0 : table.rows.size() - rows.back() - 1;
    const bool hasLegend = table.chart.parts.size() > 1;
    pages.need(pageChartRoom(table));
    if (hasLegend) drawLegend(pages, table, language);
    for (const std::size_t i : rows) {
        if (pages.need(kRowHeight) && hasLegend) drawLegend(pages, table, language);
        drawBar(pages, table, table.rows[i], labelOf(table, table.rows[i], isUnique), max);
    }
    if (after > 0)
        pages.paragraph(toQString(catalogueText("report.chart.cut", language, {{"rows", std::to_string(after)}})),
                        PageFont::Cell, PageComposer::theme().muted, kLabelWidth);
    pages.skip(points(4));
}

}  // namespace altiscope
