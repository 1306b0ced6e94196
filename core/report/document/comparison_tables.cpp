#include "core/report/document/comparison_tables.h"

#include "core/base/catalogue.h"

#include <algorithm>
#include <string_view>

namespace altiscope {

namespace {

constexpr std::size_t kMostSignificant = 50, kMostOfDimension = 20;

template <class Value>
ReportValue reportValue(const std::optional<Value>& value) {
    return value ? ReportValue(*value) : ReportValue();
}

/// A row without the name of what changed.
std::vector<ReportValue> valuesOf(const Change& change) {
    return {change.base,
            change.current,
            change.change,
            reportValue(change.low),
            reportValue(change.high),
            std::string(change.significant ? "yes"
                        : change.low       ? "no"
                                           : "")};
}

void addColumns(ReportTable& table, const std::string& unit) {
    for (const char* name : {"base", "current", "change", "low", "high"}) table.columns.push_back({name, unit});
    table.columns.push_back({"significant", {}});
}

std::string_view sideName(Difference::Side side) {
    switch (side) {
    case Difference::Side::Both: return {};
    case Difference::Side::Base: return "base";
    case Difference::Side::Current: return "current";
    }
    return {};
}

std::string unitOf(DifferenceUnit unit) {
    return unit == DifferenceUnit::Count ? std::string() : std::string(differenceUnitName(unit));
}

ReportTable emptyTable(std::string title, DifferenceUnit unit) {
    ReportTable table;
    table.title = std::move(title);
    for (const char* name : {"key", "dimension", "rank_id"}) table.columns.push_back({name, {}});
    addColumns(table, unitOf(unit));
    table.columns.push_back({"only_in", {}});
    return table;
}

/// Beyond `mostRows` it is only counted.
void addRow(ReportTable& table, const Difference& difference, std::size_t mostRows) {
    if (table.rows.size() >= mostRows) {
        ++table.omitted;
        return;
    }
    std::vector<ReportValue> row{difference.key, std::string(dimensionName(difference.dimension)),
                                 reportValue(difference.rankId)};
    for (ReportValue& value : valuesOf(difference.change)) row.push_back(std::move(value));
    row.emplace_back(std::string(sideName(difference.onlyIn)));
    table.rows.push_back(std::move(row));
}

std::string_view titleOf(Dimension dimension) {
    switch (dimension) {
    case Dimension::Category: return "report.compare.category";
    case Dimension::Operator: return "report.compare.operator";
    case Dimension::Kernel: return "report.compare.kernel";
    case Dimension::Api: return "report.compare.api";
    case Dimension::Collective: return "report.compare.collective";
    case Dimension::Link: return "report.compare.link";
    case Dimension::Memory: return "report.compare.memory";
    case Dimension::Finding: return "report.compare.finding";
    }
    return {};
}

ReportTable stepTable(const Comparison& comparison, const std::string& language) {
    ReportTable table;
    table.title = catalogueText("report.compare.step", language);
    addColumns(table, "ns");
    if (comparison.step) table.rows.push_back(valuesOf(*comparison.step));
    return table;
}

}  // namespace

std::vector<ReportTable> comparisonTables(const Comparison& comparison, const std::string& language) {
    std::vector<ReportTable> tables{stepTable(comparison, language)};
    ReportTable significant =
        emptyTable(catalogueText("report.compare.significant", language), DifferenceUnit::Nanoseconds);
    std::size_t significantOnes = 0;
    for (const Difference& difference : comparison.differences) {
        if (!difference.change.significant) continue;
        ++significantOnes;
        if (difference.unit == DifferenceUnit::Nanoseconds) addRow(significant, difference, kMostSignificant);
    }
    significant.omitted += comparison.significant - std::min(comparison.significant, significantOnes);
    tables.push_back(std::move(significant));
    for (std::size_t i = 0; i < kDimensions; ++i) {
        const auto dimension = static_cast<Dimension>(i);
        const std::size_t before = tables.size();
        for (const auto unit : {DifferenceUnit::Nanoseconds, DifferenceUnit::Bytes, DifferenceUnit::Count}) {
            ReportTable table = emptyTable(catalogueText(titleOf(dimension), language), unit);
            for (const Difference& difference : comparison.differences)
                if (difference.dimension == dimension && difference.unit == unit)
                    addRow(table, difference, kMostOfDimension);
            if (!table.rows.empty()) tables.push_back(std::move(table));
        }
        // What a comparison leaves out comes last in the order of its differences.
        if (tables.size() > before) tables.back().omitted += comparison.omitted[i];
    }
    return tables;
}

}  // namespace altiscope
