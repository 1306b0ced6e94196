#include "core/base/text/json_text.h"
#include "core/import/csv/csv_records.h"
#include "core/import/json/json_keys.h"
#include "core/import/json/json_text.h"
#include "core/import/mindspore/special_tables.h"

#include "core/base/values/parse.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

using LinkJson = nlohmann::json;  // sorted: one that keeps the order looks through all keys for each

constexpr auto CO = RowKind::Collective;
constexpr auto LI = RowKind::Link;
constexpr double kNsPerMs = 1e6;
constexpr double kBytesPerKb = 1000;  // decimal, as in all files about communication

/// A JSON object in a cell; discarded if it is none.
LinkJson objectIn(const std::string& cell) {
    // Also keeps the depth within bounds: the library recurses.
    if (!cell.starts_with('{') || valueExtent(cell).end != ValueExtent::End::Complete)
        return LinkJson(LinkJson::value_t::discarded);
    LinkJson json = parseJson(cell);
    return json.is_object() ? json : LinkJson(LinkJson::value_t::discarded);
}

std::optional<std::int64_t> scaledReal(const LinkJson& value, double factor) {
    if (!value.is_number()) return std::nullopt;
    const double scaled = value.get<double>() * factor;
    static constexpr double kLimit = 4e18;
    return std::isfinite(scaled) && std::abs(scaled) < kLimit ? std::optional(std::llround(scaled)) : std::nullopt;
}

/// Rows of one file on their way.
class HcclRows {
public:
    HcclRows(const SourceFile& file, TableContext& context)
        : m_file(file), m_context(context), m_operators(context.builder.batch(CO)), m_links(context.builder.batch(LI)) {
    }

    void take(CsvRecord& record);
    void commit() {
        m_context.builder.commit(m_operators);
        m_context.builder.commit(m_links);
    }
    const std::optional<std::string>& absent() const { return m_absent; }

private:
    void bad(const CsvRecord& record, std::string_view column) {
        m_context.diagnostics.add("table.broken", Severity::Lost, m_file.name, {PlaceUnit::Row, record.row},
                                  {{"what", std::string(column)}});
    }
    bool addOperator(std::int64_t step, const std::string& name, const LinkJson& facts);
    bool addLinks(std::int64_t step, std::string_view name, std::string_view selection, const LinkJson& links);

    const SourceFile& m_file;
    TableContext& m_context;
    RowBatch m_operators, m_links;
    CsvColumns m_columns;
    std::size_t m_step = 0, m_all = 0, m_each = 0;
    std::optional<std::string> m_absent;
};

bool HcclRows::addLinks(std::int64_t step, std::string_view name, std::string_view selection, const LinkJson& links) {
    if (!links.is_object()) return false;
    bool isWhole = true;
    for (const auto& [ranks, transports] : links.items()) {
        const auto dash = ranks.find('-');
        const auto from = wholeNumber(std::string_view(ranks).substr(0, dash));
        const auto to =
            dash == std::string::npos ? std::nullopt : wholeNumber(std::string_view(ranks).substr(dash + 1));
        if (!from || !to || !transports.is_object()) {
            isWhole = false;
            continue;
        }
        for (const auto& [transport, numbers] : transports.items()) {
            const bool isTriple = numbers.is_array() && numbers.size() >= 2;
            const auto time = isTriple ? scaledReal(numbers[0], kNsPerMs) : std::nullopt;
            const auto size = isTriple ? scaledReal(numbers[1], kBytesPerKb) : std::nullopt;
            if (!time || !size) {
                isWhole = false;
                continue;
            }
            m_links.addRow();
            m_links.setInteger(fixedColumn(LI, "step"), step);
            m_links.setText(fixedColumn(LI, "op_name"), name);
            m_links.setText(fixedColumn(LI, "selection"), selection);
            m_links.setInteger(fixedColumn(LI, "src_rank"), *from);
            m_links.setInteger(fixedColumn(LI, "dst_rank"), *to);
            m_links.setText(fixedColumn(LI, "transport"), transport);
            m_links.setInteger(fixedColumn(LI, "size"), *size);
            m_links.setInteger(fixedColumn(LI, "transit"), *time);
            if (*time > 0)
                m_links.setReal(fixedColumn(LI, "gb_per_s"), static_cast<double>(*size) / static_cast<double>(*time));
        }
    }
    return isWhole;
}

bool HcclRows::addOperator(std::int64_t step, const std::string& name, const LinkJson& facts) {
    static constexpr std::size_t kCost = 1, kWait = 2, kLinks = 3;
    if (!facts.is_array() || facts.size() <= kLinks) return false;
    const auto cost = scaledReal(facts[kCost], kNsPerMs), wait = scaledReal(facts[kWait], kNsPerMs);
    if (!cost || !wait) return false;
    const bool isPointToPoint = name.find("Receive") != std::string::npos || name.find("Send") != std::string::npos;
    m_operators.addRow();
    m_operators.setInteger(fixedColumn(CO, "step"), step);
    m_operators.setText(fixedColumn(CO, "origin"), "recorded");
    m_operators.setText(fixedColumn(CO, "op_name"), name);
    m_operators.setText(fixedColumn(CO, "kind"), isPointToPoint ? "p2p" : "collective");
    m_operators.setInteger(fixedColumn(CO, "elapsed"), *cost + *wait);
    m_operators.setInteger(fixedColumn(CO, "transit"), *cost);
    m_operators.setInteger(fixedColumn(CO, "wait"), *wait);
    return addLinks(step, name, "single", facts[kLinks]);
}

void HcclRows::take(CsvRecord& record) {
    if (m_absent) return;
    if (m_columns.size() == 0) {
        if (holdsValues(record)) bad(record, "step_num");
        m_columns = CsvColumns(std::move(record.cells));
        for (const auto& [name, place] : {std::pair<std::string_view, std::size_t*>("step_num", &m_step),
                                          {"link_info", &m_all},
                                          {"communication_operator_cost", &m_each}}) {
            const auto found = m_columns.find(name);
            if (!found) m_absent = name;
            *place = found.value_or(0);
        }
        return;
    }
    if (record.cells.size() < m_columns.size()) return bad(record, "communication_operator_cost");
    if (record.cells[m_step] == "-") return;
    const auto step = wholeNumber(record.cells[m_step]);
    if (!step) return bad(record, "step_num");
    const LinkJson all = objectIn(record.cells[m_all]), each = objectIn(record.cells[m_each]);
    std::uint64_t repeated = 0;
    for (const auto& [json, cell] : {std::pair(&all, m_all), {&each, m_each}})
        repeated += json->is_object() ? repeatedKeys(record.cells[cell]).count : 0;
    if (repeated > 0)
        m_context.diagnostics.add("json.repeated_key", Severity::Lost, m_file.name, {PlaceUnit::Row, record.row}, {},
                                  repeated);
    if (!addLinks(*step, "link_info", "total", all)) bad(record, "link_info");
    if (!each.is_object()) return bad(record, "communication_operator_cost");
    bool isWhole = true;
    for (const auto& [name, facts] : each.items()) isWhole = addOperator(*step, name, facts) && isWhole;
    if (!isWhole) bad(record, "communication_operator_cost");
}

}  // namespace

Result<Done> readHcclRaw(const SourceFile& file, TableContext& context) {
    HcclRows rows(file, context);
    const auto read = eachCsvRecord(file, &context.diagnostics, context.progress, context.cancel,
                                    [&](CsvRecord& record) { rows.take(record); });
    rows.commit();
    if (read.ok() && rows.absent()) return Error{"csv.no_column", file.name, "row 1", {{"column", *rows.absent()}}};
    return read;
}

}  // namespace altiscope::reader
