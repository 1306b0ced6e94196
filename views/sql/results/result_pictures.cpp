#include "views/sql/results/result_plot.h"

#include "views/common/support/cell_text.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

namespace altiscope {

// Plots of results.

namespace {

using namespace Qt::StringLiterals;

struct ResultPictures {
    Q_DECLARE_TR_FUNCTIONS(altiscope::ResultPictures)
};

constexpr std::size_t kFewRows = 200, kMaxLines = 8;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool isNumberColumn(const TableColumn& column) { return column.type != CellType::Text; }

/// Numbers that name something rather than measure it.
bool isNameColumn(const TableColumn& column) {
    const std::string& name = column.name;
    return name.ends_with("_id") || name == "step" || name == "stream" || name == "depth" || name == "rowid";
}

/// The cells of a column as numbers; a Time counts from the column's origin.
std::vector<double> numbersIn(const SqlTable& table, std::size_t column) {
    std::vector<std::int64_t> cells(table.rowCount());
    table.read(column, 0, cells);
    const TableColumn& of = table.columns()[column];
    std::vector<double> values(cells.size(), kNone);
    for (std::size_t row = 0; row < cells.size(); ++row) {
        if (cells[row] == kAbsentCell) continue;
        if (of.type == CellType::Real) values[row] = std::bit_cast<double>(cells[row]);
        // Wraps like the subtraction of times far apart would; plots show them apart all the same.
        else if (of.unit == CellUnit::Time)
            values[row] = static_cast<double>(static_cast<std::int64_t>(static_cast<std::uint64_t>(cells[row]) -
                                                                        static_cast<std::uint64_t>(of.origin)));
        else values[row] = static_cast<double>(cells[row]);
        if (!std::isfinite(values[row])) values[row] = kNone;
    }
    return values;
}

QString titleOf(const SqlTable& table, std::size_t column) { return toQString(table.columns()[column].name); }

/// "dur: 1.25 ms (1,250,000 ns)"
QString lineOf(const SqlTable& table, std::size_t column, std::size_t row) {
    const std::int64_t cell = table.cell(column, row);
    return titleOf(table, column) + u": "_s + exactCellText(table, column, cell);
}

QString rowTip(const SqlTable& table, const PlotChoice& choice, std::size_t row) {
    QStringList lines{ResultPictures::tr("Row %1").arg(formatCount(row + 1))};
    if (choice.across) lines << lineOf(table, *choice.across, row);
    for (const std::size_t column : choice.values) lines << lineOf(table, column, row);
    return lines.join(u'\n');
}

using SharedTable = std::shared_ptr<const SqlTable>;

StackedBars barsOf(const SharedTable& shared, const PlotChoice& choice) {
    const SqlTable& table = *shared;
    const std::vector<double> values = numbersIn(table, choice.values.front());
    StackedBars bars;
    BarSeries series{.name = titleOf(table, choice.values.front()), .colour = &Theme::computing, .values = {}};
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (std::isnan(values[row])) continue;
        rows.push_back(row);
        series.values.push_back(values[row]);
        bars.labels << (choice.across ? cellText(table, *choice.across, table.cell(*choice.across, row))
                                      : QString::number(row + 1));
    }
    bars.bottomTitle = choice.across ? titleOf(table, *choice.across) : ResultPictures::tr("Row");
    bars.unit = table.columns()[choice.values.front()].unit;
    bars.leftTitle = series.name;
    bars.tip = [of = shared, choice, rows, values = series.values, unit = bars.unit](std::size_t first,
                                                                                     std::size_t last) {
        if (last - first == 1) return rowTip(*of, choice, rows[first]);
        const auto from = values.begin() + static_cast<std::ptrdiff_t>(first),
                   to = values.begin() + static_cast<std::ptrdiff_t>(last);
        const auto [min, max] = std::minmax_element(from, to);
        return ResultPictures::tr("%1 rows that share this pixel\nMean: %2\nMin: %3\nMax: %4")
            .arg(formatCount(last - first),
                 plotValueText(unit, std::accumulate(from, to, 0.0) / static_cast<double>(last - first)),
                 plotValueText(unit, *min), plotValueText(unit, *max));
    };
    bars.series.push_back(std::move(series));
    return bars;
}

NumberLines linesOf(const SharedTable& shared, const PlotChoice& choice) {
    const SqlTable& table = *shared;
    NumberLines lines;
    const std::size_t count = table.rowCount();
    std::vector<double> places(count);
    if (choice.across) places = numbersIn(table, *choice.across);
    else std::iota(places.begin(), places.end(), 1.0);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < count; ++row)
        if (!std::isnan(places[row])) rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
    for (const std::size_t row : rows) lines.places.push_back(places[row]);
    for (std::size_t i = 0; i < std::min(choice.values.size(), kMaxLines); ++i) {
        const std::vector<double> values = numbersIn(table, choice.values[i]);
        NumberLines::Line line{.name = titleOf(table, choice.values[i]), .values = {}};
        line.values.reserve(rows.size());
        for (const std::size_t row : rows) line.values.push_back(values[row]);
        lines.lines.push_back(std::move(line));
    }
    lines.bottomUnit = choice.across ? table.columns()[*choice.across].unit : CellUnit::Count;
    lines.bottomTitle = choice.across ? titleOf(table, *choice.across) : ResultPictures::tr("Row");
    const auto unitOf = [&](std::size_t column) { return table.columns()[column].unit; };
    lines.leftUnit = unitOf(choice.values.front());
    // Different units on one axis are plain numbers.
    for (const std::size_t column : choice.values)
        if (unitOf(column) != lines.leftUnit) lines.leftUnit = CellUnit::None;
    if (choice.values.size() == 1) lines.leftTitle = lines.lines.front().name;
    lines.tip = [of = shared, choice, rows](std::size_t place) { return rowTip(*of, choice, rows[place]); };
    return lines;
}

Histogram distributionOf(const SqlTable& table, std::size_t column) {
    std::vector<double> values = numbersIn(table, column);
    std::erase_if(values, [](double value) { return std::isnan(value); });
    Histogram histogram;
    if (values.empty()) return histogram;
    const TableColumn& of = table.columns()[column];
    double scale = 1;
    if (of.type == CellType::Real) {
        const auto [min, max] = std::minmax_element(values.begin(), values.end());
        // Fine enough for every interval that is drawn, and whole numbers stay far from their limits.
        constexpr double kUnits = 1e9;
        const double reach = std::max(std::abs(*min), std::abs(*max));
        if (reach > 0) scale = std::max((*max - *min) / kUnits, reach / 1e15);
        if (!(scale > 0)) scale = 1;
    }
    std::vector<std::int64_t> whole;
    whole.reserve(values.size());
    for (const double value : values)
        whole.push_back(static_cast<std::int64_t>(std::llround(std::clamp(value / scale, -9e18, 9e18))));
    histogram = histogramOf(whole);
    histogram.scale = scale;
    histogram.unit = of.unit == CellUnit::Time ? CellUnit::Duration : of.unit;
    histogram.bottomTitle = titleOf(table, column);
    histogram.leftTitle = ResultPictures::tr("Rows");
    histogram.tip = [histogram, all = whole.size()](std::size_t first, std::size_t last) {
        const auto count = histogram.count(first, last);
        const auto text = [&](std::int64_t edge) {
            const double value = static_cast<double>(edge) * histogram.scale;
            return histogram.scale == 1 ? exactPlotValueText(histogram.unit, value)
                                        : plotValueText(histogram.unit, value);
        };
        return ResultPictures::tr("%1 of %2 rows (%3)\nfrom %4 to %5")
            .arg(formatCount(count), formatCount(all),
                 formatPercent(static_cast<double>(count) / static_cast<double>(all)), text(histogram.edge(first)),
                 text(histogram.edge(last) - (histogram.scale == 1 ? 1 : 0)));
    };
    return histogram;
}

/// Statements, stacks and records of JSON are no names of bars.
bool isLongText(std::string_view text) {
    constexpr std::ptrdiff_t kMaxName = 60;
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    return text.starts_with('{') || text.starts_with('[') || std::count_if(text.begin(), text.end(), begins) > kMaxName;
}

/// The column of texts with most different names, among the first few rows: bars of one name say nothing. One with long
/// texts only if no other tells bars apart.
std::optional<std::size_t> distinctName(const TableSource& table) {
    const std::size_t rows = std::min(table.rowCount(), kFewRows);
    std::optional<std::size_t> best, bestLong;
    std::size_t most = 0, mostLong = 1;
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
        if (isNumberColumn(table.columns()[i])) continue;
        std::set<std::string_view> names;
        for (std::size_t row = 0; row < rows; ++row) {
            // Equal texts may have numbers of their own.
            if (const std::int64_t cell = table.cell(i, row); cell != kAbsentCell) names.insert(table.text(i, cell));
        }
        const bool isLong = std::any_of(names.begin(), names.end(), isLongText);
        if (names.size() <= (isLong ? mostLong : most)) continue;
        (isLong ? mostLong : most) = names.size();
        (isLong ? bestLong : best) = i;
    }
    return most < 2 && bestLong ? bestLong : best;
}

}  // namespace

std::vector<std::size_t> numberColumns(const TableSource& table) {
    std::vector<std::size_t> columns;
    for (const bool names : {false, true})
        for (std::size_t i = 0; i < table.columns().size(); ++i)
            if (isNumberColumn(table.columns()[i]) && isNameColumn(table.columns()[i]) == names) columns.push_back(i);
    return columns;
}

std::optional<PlotChoice> usualChoice(const TableSource& table) {
    const std::vector<std::size_t> numbers = numberColumns(table);
    if (numbers.empty() || table.rowCount() == 0) return std::nullopt;
    const auto find = [&](auto fits) -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < table.columns().size(); ++i)
            if (fits(table.columns()[i])) return i;
        return std::nullopt;
    };
    const auto time =
        find([](const TableColumn& column) { return column.unit == CellUnit::Time && isNumberColumn(column); });
    const auto name = distinctName(table);
    PlotChoice choice;
    for (const std::size_t column : numbers)
        if (choice.values.empty() && column != time) choice.values = {column};
    if (choice.values.empty()) choice.values = {numbers.front()};
    if (time && choice.values.front() != *time) {
        choice.kind = PlotChoice::Kind::Lines;
        choice.across = time;
    } else if (table.rowCount() <= kFewRows) {
        choice.kind = PlotChoice::Kind::Bars;
        choice.across = name;
        // A step or rank beside the values is what they are of.
        if (!name && numbers.size() > 1 && isNameColumn(table.columns()[numbers.back()]))
            choice.across = numbers.back();
    } else {
        choice.kind = PlotChoice::Kind::Histogram;
    }
    return choice;
}

ResultPicture resultPicture(const std::shared_ptr<const SqlTable>& table, const PlotChoice& choice,
                            const CancelToken& cancel) {
    if (choice.values.empty() || cancel.cancelled()) return std::monostate();
    switch (choice.kind) {
    case PlotChoice::Kind::Bars: {
        StackedBars bars = barsOf(table, choice);
        if (bars.labels.isEmpty()) return std::monostate();
        return bars;
    }
    case PlotChoice::Kind::Lines: {
        NumberLines lines = linesOf(table, choice);
        const auto isAbsent = [](double value) { return std::isnan(value); };
        const bool any = std::any_of(lines.lines.begin(), lines.lines.end(), [&](const NumberLines::Line& line) {
            return !std::all_of(line.values.begin(), line.values.end(), isAbsent);
        });
        if (!any) return std::monostate();
        return lines;
    }
    case PlotChoice::Kind::Histogram: {
        Histogram histogram = distributionOf(*table, choice.values.front());
        if (histogram.counts.empty()) return std::monostate();
        return histogram;
    }
    }
    return std::monostate();
}

}  // namespace altiscope
