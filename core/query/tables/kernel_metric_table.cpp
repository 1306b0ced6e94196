#include "core/query/tables/kernel_metric_table.h"

#include "core/query/functions/sqlite_values.h"

#include <algorithm>

namespace altiscope {

namespace {

struct MetricColumn {
    enum : int { Rank, Kernel, Name, Value };
};

constexpr std::size_t kFirstMetric = rowColumns(RowKind::Kernel).size();

}  // namespace

std::uint64_t kernelMetricCount(const CaptureStore& capture) {
    std::uint64_t count = 0;
    for (const SummaryPart& part : summaryParts(capture, RowKind::Kernel)) {
        for (std::size_t c = kFirstMetric; c < part.table->columnCount(); ++c) count += part.table->presentCount(c);
    }
    return count;
}

KernelMetricTable::KernelMetricTable(const TableInfo& info, const QueryContext& context)
    : m_context(context), m_lookups(info.columns.size(), Lookup::None),
      m_parts(summaryParts(context.index.capture(), RowKind::Kernel)) {
    m_lookups[MetricColumn::Rank] = m_lookups[MetricColumn::Kernel] = Lookup::Id;
    std::erase_if(m_parts, [](const SummaryPart& part) { return part.table->extras().empty(); });
    for (const SummaryPart& part : m_parts) {
        const auto kernels = static_cast<double>(part.table->size());
        m_kernels += kernels;
        m_cells += kernels * static_cast<double>(part.table->extras().size());
    }
}

void KernelMetricTable::plan(IndexRequest& request) const {
    double share = 1;
    for (const AcceptedCondition& condition : request.accepted())
        share /= std::max(1.0, condition.column == MetricColumn::Rank ? static_cast<double>(m_context.index.rankCount())
                                                                      : m_kernels);
    request.promise(0, m_cells * share, m_cells * share + 1);
    const auto& order = request.order();
    if (order.size() == 1 && order[0].column <= MetricColumn::Kernel && order[0].column >= 0 && !order[0].descending)
        request.promiseOrder();
}

int KernelMetricTable::Cursor::filter(int, const Conditions& conditions) {
    m_parts.clear();
    m_part = 0;
    if (conditions.impossible()) return SQLITE_OK;
    const IntegerSet ranks = conditions.integers(MetricColumn::Rank);
    m_kernels = conditions.integers(MetricColumn::Kernel);
    for (const SummaryPart& part : m_table.parts()) {
        const auto id = m_table.context().index.rankId(part.rank);
        if (!ranks.all() && (!id || !ranks.contains(*id))) continue;
        if (m_kernels.low() > summaryRowid(part.rank, part.table->size() - 1) ||
            m_kernels.high() < summaryRowid(part.rank, 0))
            continue;
        m_parts.push_back(part);
    }
    enterPart();
    return settle();
}

void KernelMetricTable::Cursor::enterPart() {
    m_row = 0;
    m_metric = 0;
    if (m_part == m_parts.size()) return;
    const std::int64_t first = summaryRowid(m_parts[m_part].rank, 0);
    if (m_kernels.low() > first) m_row = static_cast<std::size_t>(m_kernels.low() - first);
}

int KernelMetricTable::Cursor::settle() {
    while (!atEnd()) {
        const SummaryPart& part = m_parts[m_part];
        for (; m_row < part.table->size(); ++m_row, m_metric = 0) {
            const std::int64_t kernel = summaryRowid(part.rank, m_row);
            if (kernel > m_kernels.high()) break;
            if (!m_kernels.all() && !m_kernels.contains(kernel)) continue;
            for (; m_metric < part.table->extras().size(); ++m_metric) {
                if (part.table->real(kFirstMetric + m_metric, m_row)) return SQLITE_OK;
                if (m_poll.stop()) return SQLITE_INTERRUPT;
            }
        }
        ++m_part;
        enterPart();
    }
    return SQLITE_OK;
}

int KernelMetricTable::Cursor::next() {
    ++m_metric;
    return settle();
}

std::int64_t KernelMetricTable::Cursor::rowid() const {
    // Below 2^11 metrics and 2^12 ranks of 2^40 kernels the ids are unique; nothing looks rows up by them.
    const auto kernel = static_cast<std::uint64_t>(summaryRowid(m_parts[m_part].rank, m_row));
    return static_cast<std::int64_t>((kernel << 11) + m_metric);
}

void KernelMetricTable::Cursor::column(sqlite3_context* context, int column) const {
    const SummaryPart& part = m_parts[m_part];
    switch (column) {
    case MetricColumn::Rank: return resultInteger(context, m_table.context().index.rankId(part.rank));
    case MetricColumn::Kernel: return resultInteger(context, summaryRowid(part.rank, m_row));
    case MetricColumn::Name: return resultText(context, part.table->extras()[m_metric]);
    case MetricColumn::Value: return sqlite3_result_double(context, *part.table->real(kFirstMetric + m_metric, m_row));
    default: return;
    }
}

}  // namespace altiscope
