#include "core/report/document/comparison_tables.h"

#include "core/base/text/catalogue.h"

#include <algorithm>
#include <string_view>

namespace altiscope {

namespace {

constexpr std::size_t kMaxSignificant = 50, kMaxOfDimension = 20;

template <class Value>
ReportValue reportValue(const std::optional<Value>& value) {
    return value ? ReportValue(*value) : ReportValue();
}

/// A row without the name of what changed.
std::vector<ReportValue> valuesOf(const Change& change, bool follows) {
    return {change.base,
            change.current,
            change.change,
            reportValue(change.low),
            reportValue(change.high),
            std::string(significanceWord(change, follows))};
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
    for (const char* name : {"only_in", "follows_from", "steps_apart"}) table.columns.push_back({name, {}});
    return table;
}

/// "category computing (3)"
std::string causeCell(const Difference& cause) {
    std::string text(dimensionName(cause.dimension));
    text.append(" ").append(cause.key);
    if (cause.rankId) text.append(" (").append(std::to_string(*cause.rankId)).append(")");
    return text;
}

/// The rows of one table of differences.
struct Rows {
    const Comparison& comparison;
    const std::string& language;
    std::size_t most;  ///< Further ones are only counted.
    void add(ReportTable& table, const Difference& difference) const;
};

void Rows::add(ReportTable& table, const Difference& difference) const {
    if (table.rows.size() >= most) {
        ++table.omitted;
        return;
    }
    const std::string ranks = otherRanksText(difference);
    std::vector<ReportValue> row{ranks.empty() ? difference.key : difference.key + " (" + ranks + ")",
                                 std::string(dimensionName(difference.dimension)), reportValue(difference.rankId)};
    for (ReportValue& value : valuesOf(difference.change, difference.cause.has_value()))
        row.push_back(std::move(value));
    row.emplace_back(std::string(sideName(difference.onlyIn)));
    row.emplace_back(difference.cause ? causeCell(comparison.differences[*difference.cause]) : std::string());
    row.emplace_back(difference.apart ? stepsApartText(*difference.apart, language) : std::string());
    table.rows.push_back(std::move(row));
}

std::string_view titleOf(Dimension dimension) {
    switch (dimension) {
    case Dimension::Category: return "report.compare.category";
    case Dimension::Operator: return "report.compare.operator";
    case Dimension::Kernel: return "report.compare.kernel";
    case Dimension::KernelType: return "report.compare.kernel_type";
    case Dimension::Api: return "report.compare.api";
    case Dimension::Collective: return "report.compare.collective";
    case Dimension::Link: return "report.compare.link";
    case Dimension::Memory: return "report.compare.memory";
    case Dimension::Finding: return "report.compare.finding";
    case Dimension::Role: return "report.compare.role";
    }
    return {};
}

ReportTable stepTable(const Comparison& comparison, const std::string& language) {
    ReportTable table;
    table.title = catalogueText("report.compare.step", language);
    addColumns(table, "ns");
    if (comparison.step) table.rows.push_back(valuesOf(*comparison.step, false));
    return table;
}

std::string sideWords(const OrderSide& side, const std::string& language) {
    const auto number = [](const std::optional<std::int64_t>& value) {
        return value ? std::to_string(*value) : std::string("-");
    };
    return catalogueText("report.order.step", language, {{"rank", number(side.rankId)}, {"step", number(side.step)}});
}

/// The kernels whose order or shapes differ. As the page Compare shows it.
ReportTable orderTable(const OrderComparison& order, const std::string& language) {
    ReportTable table;
    table.title = catalogueText("report.compare.order", language);
    table.note = catalogueText("report.order.note", language,
                               {{"base", sideWords(order.base, language)},
                                {"current", sideWords(order.current, language)},
                                {"same", std::to_string(order.same)},
                                {"base_kernels", std::to_string(order.base.kernels)},
                                {"current_kernels", std::to_string(order.current.kernels)}});
    if (order.base.isCut || order.current.isCut)
        table.note += "\n" + catalogueText("report.order.cut", language,
                                           {{"most", std::to_string(OrderComparison::kMaxStepKernels)}});
    if (!order.isLongest) table.note += "\n" + catalogueText("report.order.other", language);
    table.columns = {{"kind", {}},      {"base_keys", {}}, {"current_keys", {}}, {"count", {}},        {"base", "ns"},
                     {"current", "ns"}, {"change", "ns"},  {"base_place", {}},   {"current_place", {}}};
    const auto place = [](const std::optional<std::size_t>& value) {
        return value ? ReportValue(static_cast<std::int64_t>(*value)) : ReportValue();
    };
    const std::size_t rows = std::min(kMaxSignificant, order.rows.size());
    for (std::size_t i = 0; i < rows; ++i) {
        const OrderRow& row = order.rows[i];
        table.rows.push_back({std::string(orderKindName(row.kind)), joinedKernelKeys(row.base),
                              joinedKernelKeys(row.current), static_cast<std::int64_t>(row.count), row.change.base,
                              row.change.current, row.change.change, place(row.basePlace), place(row.currentPlace)});
    }
    table.omitted = order.rows.size() - rows + order.omitted;
    return table;
}

}  // namespace

std::vector<ReportTable> comparisonTables(const Comparison& comparison, const std::string& language) {
    std::vector<ReportTable> tables{stepTable(comparison, language)};
    ReportTable significant =
        emptyTable(catalogueText("report.compare.significant", language), DifferenceUnit::Nanoseconds);
    const Rows significantRows{comparison, language, kMaxSignificant}, rows{comparison, language, kMaxOfDimension};
    std::size_t significantOnes = 0;
    for (const Difference& difference : comparison.differences) {
        if (!difference.change.significant) continue;
        ++significantOnes;
        if (difference.unit == DifferenceUnit::Nanoseconds) significantRows.add(significant, difference);
    }
    significant.omitted += comparison.significant - std::min(comparison.significant, significantOnes);
    tables.push_back(std::move(significant));
    for (std::size_t i = 0; i < kDimensions; ++i) {
        const auto dimension = static_cast<Dimension>(i);
        const std::size_t before = tables.size();
        for (const auto unit : {DifferenceUnit::Nanoseconds, DifferenceUnit::Bytes, DifferenceUnit::Count}) {
            ReportTable table = emptyTable(catalogueText(titleOf(dimension), language), unit);
            for (const Difference& difference : comparison.differences)
                if (difference.dimension == dimension && difference.unit == unit) rows.add(table, difference);
            if (!table.rows.empty()) tables.push_back(std::move(table));
        }
        // The differences that a comparison leaves out come last in their order.
        if (tables.size() > before) tables.back().omitted += comparison.omitted[i];
    }
    if (comparison.order) tables.push_back(orderTable(*comparison.order, language));
    return tables;
}

}  // namespace altiscope
