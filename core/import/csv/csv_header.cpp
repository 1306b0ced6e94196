#include "core/import/csv/csv_rows.h"

#include "core/base/values/decimal.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <set>

namespace altiscope::reader {

namespace {

/// To ns or bytes; 0 for what is neither a time nor a size.
struct UnitScale {
    std::int64_t factor = 0;
    int shift = 0;
};

UnitScale timeScale(std::string_view unit) {
    if (unit == "ns") return {1, 0};
    if (unit == "us") return {1000, 3};
    if (unit == "ms") return {1000000, 6};
    if (unit == "s") return {1000000000, 9};
    return {};
}

std::int64_t sizeFactor(std::string_view unit) {
    if (unit == "B") return 1;
    if (unit == "MB") return std::int64_t{1} << 20;
    if (unit == "GB") return std::int64_t{1} << 30;
    return std::int64_t{1} << 10;
}

bool isBlankInHeader(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view withoutOuterBlanks(std::string_view text) {
    while (!text.empty() && isBlankInHeader(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlankInHeader(text.back())) text.remove_suffix(1);
    return text;
}

/// Lengths count where nothing states the time itself.
void useLengths(CsvMapping& mapping, std::set<std::size_t>& taken) {
    for (CsvMapping::Rule& rule : mapping.rules) {
        if (rule.cell != CsvCell::TimeAfter) continue;
        rule.isUsed = taken.insert(rule.column).second;
        for (CsvMapping::Rule& begin : mapping.rules) {
            if (rule.isUsed && begin.isUsed && begin.column == rule.from) begin.isBegin = true;
        }
    }
}

/// Parts of a step that writers compute as differences. They are below 0 where receives overlap with computing, or
/// where the device was at work before the step.
bool isDifference(std::string_view column) {
    return column == "stage" || column == "not_overlapped_excl_receive" || column == "preparing";
}

/// MindSpore divides KB by 1000 in its memory_record, and has all that is active but no stream there. Source:
/// core/import/csv/FORMAT.md section 6.
void scaleMemoryOfMindSpore(CsvMapping& mapping, const std::set<std::size_t>& taken) {
    constexpr RowKind kSamples = RowKind::MemorySample;
    if (mapping.format->kind != kSamples || !taken.contains(fixedColumn(kSamples, "active")) ||
        taken.contains(fixedColumn(kSamples, "stream")))
        return;
    for (CsvMapping::Rule& rule : mapping.rules) {
        if (rule.isUsed && rule.cell == CsvCell::Size && csvUnit(rule.header) == "MB") rule.factor = 1000 << 10;
    }
}

/// Sizes that are below 0 where a release has no allocation.
bool isBalance(RowKind kind, std::string_view column) {
    return column == "size" ? kind == RowKind::Allocation : kind == RowKind::ModuleMemory;
}

}  // namespace

std::vector<std::string> csvCells(std::string_view record) {
    std::vector<std::string> cells;
    std::string cell;
    bool isQuoted = false;
    bool isNew = true;
    for (std::size_t i = 0; i < record.size(); ++i) {
        const char c = record[i];
        if (isQuoted) {
            if (c != '"') cell += c;
            else if (i + 1 < record.size() && record[i + 1] == '"') cell += record[++i];
            else isQuoted = false;
            continue;
        }
        if (c == '"' && isNew) isQuoted = true;
        else if (c == ',') {
            cells.emplace_back(withoutOuterBlanks(cell));
            cell.clear();
        } else cell += c;
        isNew = c == ',';
    }
    cells.emplace_back(withoutOuterBlanks(cell));
    return cells;
}

CsvMapping mapCsvHeader(std::string_view header, const CsvFormat& format, RowTablesBuilder& builder) {
    CsvMapping mapping;
    mapping.format = &format;
    std::set<std::size_t> taken;
    std::set<std::string, std::less<>> seen;
    for (std::string& cell : csvCells(header)) {
        CsvMapping::Rule rule;
        const std::string_view unit = csvUnit(cell);
        const std::string_view name = unit.empty()
                                          ? std::string_view(cell)
                                          : withoutOuterBlanks(std::string_view(cell).substr(0, cell.rfind('(')));
        const auto known = std::find_if(format.columns.begin(), format.columns.end(),
                                        [&](const CsvColumn& c) { return c.header == name; });
        const bool isMetric =
            !format.notMetrics.empty() && known == format.columns.end() && !name.empty() &&
            std::find(format.notMetrics.begin(), format.notMetrics.end(), name) == format.notMetrics.end();
        UnitScale scale = timeScale(unit);
        if (!seen.insert(cell).second) {
            mapping.repeated.push_back(cell);
        } else if (known != format.columns.end()) {
            if (scale.factor == 0) scale = timeScale(format.timeUnit);
            rule.cell = known->cell;
            rule.column = known->column;
            rule.from = known->from;
            rule.isUsed = known->cell != CsvCell::TimeAfter && taken.insert(known->column).second;
            rule.isNeeded = known->isNeeded && rule.isUsed;
            if (rule.isUsed && rule.cell == CsvCell::Size && unit.empty()) mapping.unitless.push_back(cell);
            rule.factor = known->cell == CsvCell::Size ? sizeFactor(unit) : scale.factor;
            rule.shift = known->cell == CsvCell::Real ? 0 : scale.shift;
            const bool isTime =
                known->cell == CsvCell::Time || known->cell == CsvCell::TimeReal || known->cell == CsvCell::SquaredTime;
            const std::string_view column = rowColumns(format.kind)[known->column].name;
            rule.isLength = known->cell == CsvCell::TimeAfter ||
                            (isTime && !column.ends_with("ts") && !isDifference(column)) ||
                            (known->cell == CsvCell::Size && !isBalance(format.kind, column)) || column == "count";
        } else if (isMetric &&
                   (mapping.metrics == CsvMapping::kMaxMetrics || !builder.hasRoomForColumn(format.kind, name))) {
            ++mapping.metricsExcluded;
        } else if (isMetric) {
            ++mapping.metrics;
            rule.cell = CsvCell::Real;
            rule.column = builder.extraColumn(format.kind, name);
            rule.isUsed = rule.isMetric = taken.insert(rule.column).second;
            rule.shift = scale.shift;
            if (unit.empty() && name.ends_with("_time")) mapping.unitless.push_back(cell);
        }
        if (!format.unquoted.empty() && name == format.unquoted) mapping.unquoted = mapping.rules.size();
        rule.header = std::move(cell);
        mapping.rules.push_back(std::move(rule));
    }
    for (const CsvColumn& column : format.columns) {
        // Any of the names will do.
        const auto isFirst = std::find_if(format.columns.begin(), format.columns.end(),
                                          [&](const CsvColumn& c) { return c.column == column.column; });
        if (column.isNeeded && !taken.contains(column.column) && isFirst->header == column.header)
            mapping.absent.emplace_back(column.header);
    }
    if (!seen.contains("Model Name")) mapping.key = format.key;
    useLengths(mapping, taken);
    scaleMemoryOfMindSpore(mapping, taken);
    return mapping;
}

}  // namespace altiscope::reader
