#pragma once

#include "core/query/tables/summary_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

std::uint64_t kernelMetricCount(const CaptureStore& capture);

/// The table `kernel_metric`: one row per present cell of the further columns of kernels. Looked up are rank_id and
/// kernel_rowid.
class KernelMetricTable {
public:
    class Cursor;

    KernelMetricTable(const TableInfo& info, const QueryContext& context);

    std::span<const Lookup> lookups() const { return m_lookups; }
    Lookup rowidLookup() const { return Lookup::None; }
    void plan(IndexRequest& request) const;
    const QueryContext& context() const { return m_context; }
    const std::vector<SummaryPart>& parts() const { return m_parts; }

private:
    const QueryContext& m_context;
    std::vector<Lookup> m_lookups;
    std::vector<SummaryPart> m_parts;  // kernels with metrics
    double m_kernels = 0, m_cells = 0;
};

class KernelMetricTable::Cursor {
public:
    explicit Cursor(const KernelMetricTable& table) : m_table(table), m_poll(table.context().cancel) {}

    int filter(int mode, const Conditions& conditions);
    int next();
    bool atEnd() const { return m_part == m_parts.size(); }
    void column(sqlite3_context* context, int column) const;
    RankIndex rank() const { return m_parts[m_part].rank; }
    /// Kernel and metric.
    std::int64_t rowid() const;

private:
    int settle();
    void enterPart();

    const KernelMetricTable& m_table;
    CancelPoll m_poll;
    std::vector<SummaryPart> m_parts;
    std::size_t m_part = 0, m_row = 0, m_metric = 0;
    IntegerSet m_kernels;  // rowids
};

}  // namespace altiscope
