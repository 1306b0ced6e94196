#include "core/analysis/communication/computed_transfers.h"

#include "core/analysis/communication/transfer_tasks.h"
#include "core/analysis/support/saturating.h"
#include "core/base/values/time.h"
#include "core/store/rows/row_builder.h"
#include "core/store/rows/row_subset.h"

#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace altiscope {

namespace {

/// Bytes and ns of tasks; the time of RDMA is not known.
struct MovedSum {
    std::int64_t bytes = 0, time = 0, count = 0;

    void add(const TransferTask& task) {
        addSaturated(bytes, task.bytes);
        addSaturated(time, task.duration);
        ++count;
    }
};

/// What one collective moved.
struct CollectiveTransfers {
    std::map<std::tuple<std::int64_t, std::int64_t, TransferKind>, MovedSum> links;
    std::map<TransferKind, MovedSum> transports;
    std::map<std::pair<TransferKind, std::int64_t>, MovedSum> packets;

    explicit CollectiveTransfers(std::span<const TransferTask> tasks) {
        for (const TransferTask& task : tasks) {
            if (!task.isKnown) continue;
            links[{task.source, task.target, task.kind}].add(task);
            if (task.kind == TransferKind::Local) continue;
            transports[task.kind].add(task);
            if (task.kind == TransferKind::Rdma) continue;
            // The profiler lists it beside what it consists of.
            if (task.kind != TransferKind::Sdma) {
                transports[TransferKind::Sdma].add(task);
                packets[{task.kind, task.bytes}].add(task);
            }
        }
    }
};

/// What all rows of a collective begin with.
struct TransferPlace {
    std::optional<std::int64_t> step;
    std::string group, name;
    std::vector<std::optional<std::int64_t>> ranks;  ///< Of the group by place, as far as known.
    TimeRange time;
};

class TransferRows {
public:
    /// @param times  Gets the time of each row.
    TransferRows(RowTablesBuilder& builder, std::map<RowKind, std::vector<TimeRange>>& times)
        : m_builder(builder), m_times(times), m_links(builder.batch(RowKind::Link)),
          m_rates(builder.batch(RowKind::Bandwidth)), m_packets(builder.batch(RowKind::Packet)) {}
    ~TransferRows() {
        for (RowBatch* batch : {&m_links, &m_rates, &m_packets}) m_builder.commit(*batch);
    }
    TransferRows(const TransferRows&) = delete;
    TransferRows& operator=(const TransferRows&) = delete;

    void add(const TransferPlace& place, const CollectiveTransfers& moved) {
        for (const auto& [link, sum] : moved.links) {
            const auto& [source, target, kind] = link;
            begin(m_links, place, kind);
            setText(m_links, "selection", "single");
            setNumber(m_links, "src_local", source);
            setNumber(m_links, "dst_local", target);
            if (const auto rank = rankAt(place, source)) setNumber(m_links, "src_rank", *rank);
            if (const auto rank = rankAt(place, target)) setNumber(m_links, "dst_rank", *rank);
            setMoved(m_links, kind, sum);
        }
        for (const auto& [kind, sum] : moved.transports) {
            begin(m_rates, place, kind);
            setMoved(m_rates, kind, sum);
        }
        for (const auto& [packet, sum] : moved.packets) {
            begin(m_packets, place, packet.first);
            setNumber(m_packets, "packet_size", packet.second);
            setNumber(m_packets, "count", sum.count);
            setNumber(m_packets, "dur", sum.time);
        }
    }

private:
    static void setText(RowBatch& batch, std::string_view column, std::string_view text) {
        batch.setText(rowColumn(batch.kind(), column), text);
    }
    static void setNumber(RowBatch& batch, std::string_view column, std::int64_t value) {
        batch.setInteger(rowColumn(batch.kind(), column), value);
    }
    void begin(RowBatch& batch, const TransferPlace& place, TransferKind kind) {
        batch.addRow();
        m_times[batch.kind()].push_back(place.time);
        if (place.step) setNumber(batch, "step", *place.step);
        if (!place.group.empty()) setText(batch, "group_name", place.group);
        setText(batch, "op_name", place.name);
        setText(batch, "transport", transferKindName(kind));
    }
    static void setMoved(RowBatch& batch, TransferKind kind, const MovedSum& sum) {
        setNumber(batch, "size", sum.bytes);
        if (kind == TransferKind::Rdma) return;
        setNumber(batch, "transit", sum.time);
        if (sum.time > 0)
            batch.setReal(rowColumn(batch.kind(), "gb_per_s"),
                          static_cast<double>(sum.bytes) / static_cast<double>(sum.time));
    }
    static std::optional<std::int64_t> rankAt(const TransferPlace& place, std::int64_t local) {
        return static_cast<std::uint64_t>(local) < place.ranks.size() ? place.ranks[static_cast<std::size_t>(local)]
                                                                      : std::nullopt;
    }

    RowTablesBuilder& m_builder;
    std::map<RowKind, std::vector<TimeRange>>& m_times;
    RowBatch m_links, m_rates, m_packets;
};

}  // namespace

std::shared_ptr<const RowTables> ComputedTransfers::within(TimeRange range) const {
    if (rows == nullptr) return nullptr;
    std::vector<RowTable> tables;
    for (const RowTable& table : rows->tables()) {
        const std::vector<TimeRange>& known = times.at(table.kind());
        std::vector<std::uint32_t> kept;
        for (std::uint32_t row = 0; row < table.size(); ++row) {
            if (overlaps(known[row], range)) kept.push_back(row);
        }
        if (!kept.empty()) tables.push_back(rowSubset(table, kept));
    }
    return std::make_shared<const RowTables>(std::move(tables), rows->texts());
}

std::optional<ComputedTransfers> computeTransfers(const RankEntry& rank, const std::optional<DeviceActivity>& activity,
                                                  const CaptureGroups& groups, const CancelToken& cancel) {
    ComputedTransfers computed;
    if (rank.trace == nullptr || !hasEvents(rank)) return computed;
    if (!activity) return std::nullopt;
    const TraceStore& trace = *rank.trace;
    const CollectiveGroups names(groups, rank.info.rankId);
    RowTablesBuilder builder;
    {
        TransferRows rows(builder, computed.times);
        for (const GroupTracks& tracks : groupTracks(trace)) {
            const GroupCollectives collectives(trace, tracks.group);
            const std::vector<TransferTask> tasks = transferTasks(rank, tracks, collectives, cancel);
            if (cancel.cancelled()) return std::nullopt;
            const std::string& track = trace.tracks()[tracks.group].name;
            for (std::size_t first = 0, last = 0; first < tasks.size(); first = last) {
                while (last < tasks.size() && tasks[last].collective == tasks[first].collective) {
                    computed.unknown += tasks[last].isKnown ? 0 : 1;
                    computed.remote += tasks[last].isKnown && tasks[last].kind == TransferKind::Rdma ? 1 : 0;
                    ++last;
                }
                if (cancel.cancelled()) return std::nullopt;
                const SliceIndex slice = collectives.slices[tasks[first].collective];
                const auto step = activity->stepAt(trace.begin(slice));
                TransferPlace place{step ? activity->steps[*step].step : std::nullopt,
                                    {},
                                    std::string(trace.name(slice)),
                                    {},
                                    {trace.begin(slice), trace.end(slice)}};
                place.group = names.name(track, place.name);
                place.ranks = names.places(track, place.name);
                rows.add(place, CollectiveTransfers({tasks.data() + first, last - first}));
            }
            computed.tasks += tasks.size();
        }
    }
    if (computed.tasks == computed.unknown) return computed;
    auto sealed = builder.seal(cancel);
    if (!sealed.ok()) return std::nullopt;
    computed.rows = std::move(sealed).value();
    return computed;
}

}  // namespace altiscope
