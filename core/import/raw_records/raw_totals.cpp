#include "core/import/raw_records/raw_totals.h"

#include <algorithm>
#include <cmath>

namespace altiscope::reader {

namespace {

constexpr auto kOpStats = RowKind::OpStat;
constexpr auto kApiStats = RowKind::ApiStat;

void setTotal(RowBatch& batch, RowKind kind, const RawTotal& one, double mean) {
    batch.setText(rowColumn(kind, "origin"), "recorded");
    batch.setInteger(rowColumn(kind, "count"), one.count);
    batch.setInteger(rowColumn(kind, "total"), one.total);
    batch.setInteger(rowColumn(kind, "min"), one.min);
    batch.setReal(rowColumn(kind, "avg"), mean);
    batch.setInteger(rowColumn(kind, "max"), one.max);
}

/// That of a population around a mean of whole ns, in ns^2, as exact as the text export prints us^2.
double variance(const RawTotal& one, std::int64_t mean) {
    static constexpr double kPrinted = 1000;
    __extension__ using Wide = __int128;
    const Wide distances = static_cast<Wide>(one.squares) - Wide{2} * mean * one.total + Wide{mean} * mean * one.count;
    return std::round(static_cast<double>(distances) / static_cast<double>(one.count) / kPrinted) * kPrinted;
}

}  // namespace

void RawTotal::add(std::int64_t ns) {
    ++count;
    total += ns;
    min = std::min(min, ns);
    max = std::max(max, ns);
    squares += static_cast<Squares>(ns) * static_cast<Squares>(ns);
}

void RawTotal::add(const RawTotal& other) {
    count += other.count;
    total += other.total;
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    squares += other.squares;
}

void RawTotals::addRows(RowTablesBuilder& rows) const {
    RowBatch operators = rows.batch(kOpStats);
    for (const auto& [key, one] : m_operators) {
        const auto& [device, type, core] = key;
        operators.addRow();
        operators.setText(fixedColumn(kOpStats, "name"), type);
        if (!core.empty()) operators.setText(fixedColumn(kOpStats, "core_type"), core);
        operators.setInteger(fixedColumn(kOpStats, "device_id"), device);
        // A division of whole ns.
        setTotal(operators, kOpStats, one, static_cast<double>(one.total / one.count));
    }
    rows.commit(operators);
    RowBatch calls = rows.batch(kApiStats);
    for (const auto& [key, one] : m_calls) {
        const auto& [name, level] = key;
        calls.addRow();
        calls.setText(fixedColumn(kApiStats, "name"), name);
        if (!level.empty()) calls.setText(fixedColumn(kApiStats, "level"), level);
        const double mean = std::round(static_cast<double>(one.total) / static_cast<double>(one.count));
        setTotal(calls, kApiStats, one, mean);
        calls.setReal(fixedColumn(kApiStats, "variance"), variance(one, static_cast<std::int64_t>(mean)));
    }
    rows.commit(calls);
}

}  // namespace altiscope::reader
