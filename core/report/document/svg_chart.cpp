#include "core/report/document/svg_chart.h"

#include "core/base/text/catalogue.h"
#include "core/report/document/html_text.h"

#include <algorithm>

namespace altiscope {

namespace {

constexpr double kLabelWidth = 250, kBarWidth = 440, kValueWidth = 90, kRowHeight = 22, kBarHeight = 14;
constexpr std::size_t kLabelCharacters = 34;

std::string pixels(double value) { return decimalText(value, 1); }

std::string svgText(double x, double y, const std::string& attributes, const std::string& content) {
    return "<text x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\"" + attributes + ">" + htmlText(content) + "</text>\n";
}

std::string svgBar(double x, double y, double width, std::size_t part, const std::string& tooltip) {
    return "<rect class=\"c" + std::to_string(part + 1) + "\" x=\"" + pixels(x) + "\" y=\"" + pixels(y) +
           "\" width=\"" + pixels(width) + "\" height=\"" + pixels(kBarHeight) + "\"><title>" + htmlText(tooltip) +
           "</title></rect>\n";
}

std::string legend(const ReportTable& table, const std::string& language, double y) {
    std::string svg;
    double x = kLabelWidth;
    for (std::size_t i = 0; i < table.chart.parts.size(); ++i) {
        const std::string name = headingOf(table.columns[table.chart.parts[i]], language);
        svg += svgBar(x, y, kBarHeight, i, name) + svgText(x + kBarHeight + 5, y + 11, "", name);
        x += 40 + 8 * static_cast<double>(name.size());
    }
    return svg;
}

}  // namespace

double barTotal(const ReportTable& table, const std::vector<ReportValue>& row) {
    double sum = 0;
    for (const std::size_t part : table.chart.parts) sum += std::max(0.0, numberOf(row[part]));
    return sum;
}

std::string svgChart(const ReportTable& table, const std::string& language) {
    const std::size_t rows = std::min(table.rows.size(), kMaxBars);
    double max = 0;
    for (std::size_t i = 0; i < rows; ++i) max = std::max(max, barTotal(table, table.rows[i]));
    if (table.chart.parts.empty() || max <= 0) return {};
    const bool hasLegend = table.chart.parts.size() > 1, isCut = rows < table.rows.size();
    const double top = hasLegend ? kRowHeight : 0;
    const double height = top + kRowHeight * static_cast<double>(rows + (isCut ? 1 : 0));
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 " +
                      pixels(kLabelWidth + kBarWidth + kValueWidth) + " " + pixels(height) + "\">\n<title>" +
                      htmlText(table.title) + "</title>\n";
    if (hasLegend) svg += legend(table, language, 2);
    const std::string& unit = table.columns[table.chart.parts.front()].unit;
    for (std::size_t i = 0; i < rows; ++i) {
        const auto& row = table.rows[i];
        const double y = top + kRowHeight * static_cast<double>(i);
        const std::string label = exactText(row[table.chart.label]);
        svg += svgText(kLabelWidth - 8, y + 15, " text-anchor=\"end\"", shortened(label, kLabelCharacters));
        double x = kLabelWidth;
        for (std::size_t part = 0; part < table.chart.parts.size(); ++part) {
            const ReportValue& value = row[table.chart.parts[part]];
            const double width = std::max(0.0, numberOf(value)) / max * kBarWidth;
            svg += svgBar(x, y + 4, width, part,
                          headingOf(table.columns[table.chart.parts[part]], language) + ": " +
                              valueText(value, unit, language));
            x += width;
        }
        svg += svgText(x + 6, y + 15, "", valueText(ReportValue(barTotal(table, row)), unit, language));
    }
    if (isCut) {
        const std::string left = std::to_string(table.rows.size() - rows);
        svg += svgText(kLabelWidth, height - 7, "", catalogueText("report.chart.cut", language, {{"rows", left}}));
    }
    return svg + "</svg>\n";
}

}  // namespace altiscope
