#include "core/report/databases/communication_tables.h"

#include "core/report/databases/database_schema.h"
#include "core/report/deliverables/communication_parts.h"

#include <string>
#include <string_view>

namespace altiscope {

namespace {

/// Step and kind of a list of torch_npu; the databases of msprof have neither.
struct ListOwner {
    std::string step;
    std::string_view kind;
};

/// Writes lists of collectives. Rows of torch_npu have further columns.
class CollectiveListWriter {
public:
    CollectiveListWriter(const DeliverableInput& input, SqliteFile& file)
        : m_input(input), m_file(file), m_isTorch(input.dialect == Dialect::Torch) {}

    void add(const CollectiveList& list, const ListOwner& owner) {
        for (const CollectiveRecord* record : list) {
            if (m_input.cancel.cancelled()) return;
            addTimes(*record, owner);
            for (std::size_t i = 0; i < record->traffic.size(); ++i)
                addTraffic(*record, CollectiveRecord::kTransports[i], record->traffic[i], owner);
            if (m_isTorch) continue;
            for (const CollectiveRecord::Link& link : record->links) {
                m_file.insert(AnalysisTable::Matrix,
                              {record->name, record->group, std::to_string(link.source), std::to_string(link.target),
                               textOrNull(link.transport), link.size, link.time, linkRate(link.size, link.time)});
            }
        }
        if (!m_isTorch) return;
        for (const RankedLink& one : rankedLinks(list)) {
            m_file.insert(
                AnalysisTable::Matrix,
                {one.selection, one.group, std::to_string(one.source), std::to_string(one.target),
                 textOrNull(one.entry.transport), one.entry.size, one.entry.time, one.entry.rate, owner.step,
                 owner.kind,
                 one.entry.collective == nullptr ? std::string_view() : std::string_view(one.entry.collective->name)});
        }
    }

private:
    static DbValue textOrNull(const std::string& text) { return text.empty() ? DbValue(nullptr) : DbValue(text); }

    void addTimes(const CollectiveRecord& record, const ListOwner& owner) {
        const double start = startTimestamp(m_input, record), idle = record.elapsed - record.transit - record.wait;
        if (m_isTorch) {
            m_file.insert(AnalysisTable::Time, {record.name, record.group, start, record.elapsed, record.transit,
                                                record.wait, record.synchronization, idle, owner.step, owner.kind});
            return;
        }
        m_file.insert(AnalysisTable::Time, {record.name, record.group, start, record.elapsed, record.transit,
                                            record.wait, record.synchronization, idle});
    }

    void addTraffic(const CollectiveRecord& record, std::string_view transport, const CollectiveTraffic& traffic,
                    const ListOwner& owner) {
        if (!isTouched(traffic)) return;
        const auto addSize = [&](double size, std::uint64_t count, double time) {
            const double rate = trafficRate(traffic), large = largePacketRatio(traffic);
            if (m_isTorch) {
                m_file.insert(AnalysisTable::Bandwidth,
                              {record.name, record.group, transport, traffic.size, traffic.time, rate, large, size,
                               count, time, owner.step, owner.kind});
                return;
            }
            m_file.insert(AnalysisTable::Bandwidth, {record.name, record.group, transport, traffic.size, traffic.time,
                                                     rate, large, size, count, time});
        };
        for (const CollectiveTraffic::Packets& one : traffic.sizes) addSize(one.size, one.count, one.time);
        if (traffic.sizes.empty()) addSize(0, 0, 0);
    }

    const DeliverableInput& m_input;
    SqliteFile& m_file;
    const bool m_isTorch;
};

}  // namespace

void addCommunicationRows(const DeliverableInput& input, std::span<const DeviceStep> steps, SqliteFile& file) {
    CollectiveListWriter rows(input, file);
    if (input.dialect == Dialect::Cann) return rows.add(ListedCollectives(input.tasks).list(), {});
    for (const StepCollectives& step : collectivesBySteps(input, steps)) {
        rows.add(step.pointToPoint, {step.key, "p2p"});
        rows.add(step.collective, {step.key, "collective"});
    }
}

void addStepRows(std::span<const StepTraceRow> rows, SqliteFile& file) {
    static constexpr double kNsPerMicrosecond = 1000;
    const auto us = [](std::int64_t ns) { return static_cast<double>(ns) / kNsPerMicrosecond; };
    for (const StepTraceRow& row : rows)
        file.insert(AnalysisTable::StepTrace,
                    {row.device, row.step.empty() ? DbValue(nullptr) : DbValue(row.step), us(row.computing),
                     us(row.notOverlapped), us(row.overlapped), us(row.communication), us(row.free), us(row.stage),
                     us(row.bubble), us(row.notOverlappedExcludingReceive), us(row.preparing)});
}

}  // namespace altiscope
