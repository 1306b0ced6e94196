#include "core/analysis/steps/kernel_pieces.h"

#include "core/base/threads/parallel.h"
#include "core/store/columns/home_range.h"
#include "core/store/recording_parts.h"
#include "core/store/rows/row_devices.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace altiscope {

namespace {

constexpr std::size_t kRowsAtOnce = std::size_t{1} << 16;

/// The columns of `kernel` that are read.
class KernelColumns {
public:
    KernelColumns(const RowTables& tables, const RowTable& table, const TraceStore* trace, const TraceDevices& devices)
        : m_tables(tables), m_table(table), m_trace(trace), m_devices(devices),
          m_communication(tables.texts().find("communication")) {
        if (trace != nullptr) m_home = trace->homeRange();
        else if (const auto times = usualTimes(table, "ts")) m_home = *times;
        m_showsDevice = trace != nullptr && showsDevice(*trace);
    }

    KernelPiece read(std::size_t first, std::size_t last) const {
        static constexpr auto kSlice = fixedColumn(RowKind::Kernel, "slice_id");
        static constexpr auto kStep = fixedColumn(RowKind::Kernel, "step");
        static constexpr auto kKind = fixedColumn(RowKind::Kernel, "kind");
        static constexpr auto kBegin = fixedColumn(RowKind::Kernel, "ts");
        static constexpr auto kDuration = fixedColumn(RowKind::Kernel, "dur");
        static constexpr auto kDevice = fixedColumn(RowKind::Kernel, "device_id");
        KernelPiece piece;
        piece.devices.resize(m_devices.count());
        piece.devices[0].computing.reserve(last - first);
        StepExtent* extent = nullptr;
        std::int64_t extentStep = kNoCell;
        // Nearly all blocks hold rows of one step, and many of one kind: their cells need no unpacking.
        std::optional<std::int64_t> blockKind, blockStep;
        for (std::size_t row = first; row < last; ++row) {
            if (row % RowBlock::kBlock == 0) {
                blockKind = onlyValue(m_table.block(kKind, row));
                blockStep = onlyValue(m_table.block(kStep, row));
            }
            TimeRange range;
            std::size_t device = 0;
            const auto slice = m_table.integer(kSlice, row);
            if (slice && m_trace != nullptr) {
                const SliceIndex index{static_cast<std::uint32_t>(*slice)};
                range = {m_trace->begin(index), m_trace->end(index)};
                // Far from all others: its gaps would be years.
                if (range.begin < m_home.begin || range.begin > m_home.end) continue;
                if (piece.devices.size() > 1) device = m_devices.ofTrack(m_trace->runOf(index).track);
            } else {
                const auto printed = printedTime(m_table.integer(kBegin, row), m_table.integer(kDuration, row));
                if (!printed || !isUsable(printed->begin)) continue;
                range = *printed;
                if (piece.devices.size() > 1) device = m_devices.place(m_table.integer(kDevice, row));
            }
            const auto kind = blockKind ? blockKind : m_table.integer(kKind, row);
            const bool isCommunication = kind && m_communication && *kind == std::int64_t{m_communication->value};
            KernelBusyTimes& busy = piece.devices[device];
            (isCommunication ? busy.communication : busy.computing).push_back(range);
            if (isCommunication && isReceive(row)) busy.receives.push_back(range);
            const auto step = blockStep ? blockStep : m_table.integer(kStep, row);
            if (!step) continue;
            if (extent == nullptr || extentStep != *step) {
                extent = &piece.steps[*step];
                extentStep = *step;
            }
            extent->add({range.begin, range.end});
        }
        return piece;
    }

private:
    static std::optional<std::int64_t> onlyValue(const RowBlock& block) {
        const bool isOne = block.nulls == RowBlock::Nulls::None && block.min == block.max;
        return isOne ? std::optional(block.min) : std::nullopt;
    }
    /// Whether a kernel that is not on the timeline is computed with. Where the timeline shows a device, it has nothing
    /// either beyond its ends, after which a file may have kernels of a cut timeline or of another recording.
    bool isUsable(TimeNs begin) const {
        if (!m_showsDevice) return mayShareClock(begin, m_home.begin);
        return begin >= m_home.begin && begin <= m_home.end;
    }
    bool isReceive(std::size_t row) const {
        static constexpr auto kName = fixedColumn(RowKind::Kernel, "name");
        const auto name = m_table.text(kName, row);
        return name && m_tables.text(*name).starts_with("hcom_receive");
    }

    const RowTables& m_tables;
    const RowTable& m_table;
    const TraceStore* m_trace;
    const TraceDevices& m_devices;
    std::optional<StringId> m_communication;
    TimeRange m_home;  ///< Of the timeline; without one, of the rows.
    bool m_showsDevice = false;
};

}  // namespace

TraceDevices::TraceDevices(const TraceStore* trace, const RowTable* kernels) {
    if (trace == nullptr) {
        if (kernels != nullptr) m_numbers = devicesIn(*kernels);
        return;
    }
    std::map<std::int64_t, std::vector<std::uint32_t>> tracks;
    for (std::uint32_t t = 0; t < trace->tracks().size(); ++t) {
        const Track& track = trace->tracks()[t];
        static constexpr std::string_view kLabel = "NPU ";
        if (track.kind != TrackKind::Hardware && track.kind != TrackKind::Communication) continue;
        if (!track.labels.starts_with(kLabel)) continue;
        std::int64_t number = 0;
        const char* end = track.labels.data() + track.labels.size();
        const auto parsed = std::from_chars(track.labels.data() + kLabel.size(), end, number);
        if (parsed.ec == std::errc{} && parsed.ptr == end) tracks[number].push_back(t);
    }
    m_ofTrack.resize(trace->tracks().size());
    for (const auto& [number, places] : tracks) {
        for (const std::uint32_t place : places) m_ofTrack[place] = m_numbers.size();
        m_numbers.push_back(number);
    }
}

std::size_t TraceDevices::place(std::optional<std::int64_t> number) const {
    if (!number) return 0;
    const auto found = std::lower_bound(m_numbers.begin(), m_numbers.end(), *number);
    return found == m_numbers.end() || *found != *number ? 0 : static_cast<std::size_t>(found - m_numbers.begin());
}

std::optional<TimeRange> printedTime(std::optional<std::int64_t> begin, std::optional<std::int64_t> duration) {
    if (!begin || !duration || *begin < -kMaxTimeNs || *begin > kMaxTimeNs || *duration < 0) return std::nullopt;
    std::int64_t end = 0;
    if (__builtin_add_overflow(*begin, *duration, &end) || end > kMaxTimeNs) return std::nullopt;
    return TimeRange{{*begin}, {end}};
}

std::vector<KernelPiece> readKernelPieces(const RankEntry& rank, const TraceDevices& devices,
                                          const CancelToken& cancel) {
    const RowTable* table = kernelsOfTimeline(rank);
    if (table == nullptr) return {};
    const KernelColumns columns(*rank.rows, *table, rank.trace.get(), devices);
    std::vector<KernelPiece> pieces((table->size() + kRowsAtOnce - 1) / kRowsAtOnce);
    parallelFor(pieces.size(), [&](std::size_t p) {
        if (cancel.cancelled()) return;
        pieces[p] = columns.read(p * kRowsAtOnce, std::min(table->size(), (p + 1) * kRowsAtOnce));
        for (KernelBusyTimes& busy : pieces[p].devices) {
            busy.computing = unionOf(std::move(busy.computing), cancel);
            busy.communication = unionOf(std::move(busy.communication), cancel);
        }
    });
    return pieces;
}

}  // namespace altiscope
