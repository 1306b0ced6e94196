#include "core/analysis/device_activity.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_map>

namespace altiscope {

namespace {

constexpr std::size_t kRowsAtOnce = std::size_t{1} << 16;

struct StepExtent {
    TimeNs begin{std::numeric_limits<std::int64_t>::max()}, end{std::numeric_limits<std::int64_t>::min()};

    void add(TimeRange range) {
        begin = std::min(begin, range.begin);
        end = std::max(end, range.end);
    }
};

/// What some rows of `kernel` tell.
struct KernelPiece {
    IntervalSet computing, communication;
    std::vector<TimeRange> receives;
    std::map<std::int64_t, StepExtent> steps;
};

/// The columns of `kernel` that are read.
class KernelColumns {
public:
    KernelColumns(const RowTables& tables, const RowTable& table, const TraceStore* trace)
        : m_tables(tables), m_table(table), m_trace(trace), m_communication(tables.texts().find("communication")) {}

    KernelPiece read(std::size_t first, std::size_t last) const {
        static constexpr auto kSlice = rowColumn(RowKind::Kernel, "slice_id");
        static constexpr auto kStep = rowColumn(RowKind::Kernel, "step");
        static constexpr auto kKind = rowColumn(RowKind::Kernel, "kind");
        static constexpr auto kBegin = rowColumn(RowKind::Kernel, "ts");
        static constexpr auto kDuration = rowColumn(RowKind::Kernel, "dur");
        KernelPiece piece;
        piece.computing.reserve(last - first);
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
            const auto slice = m_table.integer(kSlice, row);
            if (slice && m_trace != nullptr) {
                const SliceIndex index{static_cast<std::uint32_t>(*slice)};
                range = {m_trace->begin(index), m_trace->end(index)};
            } else {
                const auto begin = m_table.integer(kBegin, row);
                const auto duration = m_table.integer(kDuration, row);
                if (!begin || !duration || *duration < 0) continue;
                range = {{*begin}, {*begin + *duration}};
            }
            const auto kind = blockKind ? blockKind : m_table.integer(kKind, row);
            const bool isCommunication = kind && m_communication && *kind == std::int64_t{m_communication->value};
            (isCommunication ? piece.communication : piece.computing).push_back(range);
            if (isCommunication && isReceive(row)) piece.receives.push_back(range);
            const auto step = blockStep ? blockStep : m_table.integer(kStep, row);
            if (!step) continue;
            if (extent == nullptr || extentStep != *step) {
                extent = &piece.steps[*step];
                extentStep = *step;
            }
            extent->add(range);
        }
        return piece;
    }

private:
    static std::optional<std::int64_t> onlyValue(const RowBlock& block) {
        const bool isOne = block.nulls == RowBlock::Nulls::None && block.least == block.greatest;
        return isOne ? std::optional(block.least) : std::nullopt;
    }
    bool isReceive(std::size_t row) const {
        static constexpr auto kName = rowColumn(RowKind::Kernel, "name");
        const auto name = m_table.text(kName, row);
        return name && m_tables.text(*name).starts_with("hcom_receive");
    }

    const RowTables& m_tables;
    const RowTable& m_table;
    const TraceStore* m_trace;
    std::optional<StringId> m_communication;
};

std::vector<KernelPiece> readKernels(const RankEntry& rank, const CancelToken& cancel) {
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::Kernel);
    if (table == nullptr) return {};
    const KernelColumns columns(*rank.rows, *table, rank.trace.get());
    std::vector<KernelPiece> pieces((table->size() + kRowsAtOnce - 1) / kRowsAtOnce);
    parallelFor(pieces.size(), [&](std::size_t p) {
        if (cancel.cancelled()) return;
        pieces[p] = columns.read(p * kRowsAtOnce, std::min(table->size(), (p + 1) * kRowsAtOnce));
        pieces[p].computing = unionOf(std::move(pieces[p].computing), cancel);
        pieces[p].communication = unionOf(std::move(pieces[p].communication), cancel);
    });
    return pieces;
}

std::vector<std::vector<TimeRange>> parts(std::vector<KernelPiece>& pieces, std::vector<TimeRange> KernelPiece::* part) {
    std::vector<std::vector<TimeRange>> parts;
    for (KernelPiece& piece : pieces) parts.push_back(std::move(piece.*part));
    return parts;
}

/// Whether a slice on a track of the device is a kernel, by its name: those of other tasks are words like EVENT_WAIT.
bool isKernelName(std::string_view name) {
    static constexpr std::array<std::string_view, 7> kCollectiveTasks = {
        "Memcpy", "Reduce_Inline", "Notify_Wait", "Notify_Record", "RDMASend", "Inter_Processor_Sync", "Write_Value"};
    if (std::find(kCollectiveTasks.begin(), kCollectiveTasks.end(), name) != kCollectiveTasks.end()) return false;
    return std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// Ranges of the slices of some tracks, all depths.
template <class TakesTrack, class TakesName>
std::vector<TimeRange> slicesOf(const TraceStore& trace, TakesTrack takesTrack, TakesName takesName, const CancelToken& cancel) {
    std::vector<TimeRange> ranges;
    std::unordered_map<std::uint32_t, bool> taken;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (cancel.cancelled() || !takesTrack(trace.tracks()[t])) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            const StringId name = trace.nameId({i});
            const auto [known, isNew] = taken.try_emplace(name.value, false);
            if (isNew) known->second = takesName(trace.text(name));
            if (known->second) ranges.push_back({trace.begin({i}), trace.end({i})});
        }
    }
    return ranges;
}

/// Lanes of steps and iterations stand among those of streams.
bool holdsTasks(const Track& track) { return track.kind == TrackKind::Hardware && !track.thread.starts_with("Step Trace") && !track.name.starts_with("Step Trace"); }

std::vector<StepSpan> stepSpans(const RankEntry& rank, const std::vector<KernelPiece>& pieces) {
    std::map<std::int64_t, StepExtent> extents;
    for (const KernelPiece& piece : pieces) {
        for (const auto& [step, extent] : piece.steps) extents[step].add({extent.begin, extent.end});
    }
    std::vector<StepSpan> spans;
    if (!extents.empty()) {
        std::map<std::int64_t, std::optional<TimeRange>> hosts;
        for (const Step& step : rank.steps) hosts[step.number] = step.range;
        for (const auto& [number, extent] : extents) {
            StepSpan span{number, {extent.begin, extent.end}, std::nullopt};
            if (const auto host = hosts.find(number); host != hosts.end()) span.host = host->second;
            if (span.host) span.device.end = std::max(span.device.end, span.host->end);
            spans.push_back(span);
        }
    } else {
        for (const Step& step : rank.steps) {
            if (step.range) spans.push_back({step.number, *step.range, step.range});
        }
    }
    std::sort(spans.begin(), spans.end(), [](const StepSpan& a, const StepSpan& b) { return a.device.begin < b.device.begin; });
    const auto repeated = std::unique(spans.begin(), spans.end(),
                                      [](const StepSpan& a, const StepSpan& b) { return a.device.begin == b.device.begin; });
    spans.erase(repeated, spans.end());
    if (extents.empty()) {
        for (std::size_t i = 0; i < spans.size(); ++i)
            spans[i].device.end = i + 1 < spans.size() ? spans[i + 1].device.begin : TimeNs{kMaxTimeNs};
    }
    if (spans.empty()) spans.push_back({std::nullopt, {{-kMaxTimeNs}, {kMaxTimeNs}}, std::nullopt});
    return spans;
}

}  // namespace

std::optional<std::size_t> DeviceActivity::stepAt(TimeNs time) const {
    const auto behind = std::upper_bound(steps.begin(), steps.end(), time,
                                         [](TimeNs t, const StepSpan& span) { return t < span.device.begin; });
    if (behind == steps.begin()) return std::nullopt;
    const auto found = static_cast<std::size_t>(behind - steps.begin()) - 1;
    if (steps[found].device.end < time) return std::nullopt;
    return found;
}

bool hasComputation(const RankEntry& rank) { return rank.trace != nullptr && rank.trace->sliceCount() > 0 && !rank.window; }

bool isGroupTrack(const Track& track) {
    return track.kind == TrackKind::Communication && !track.name.starts_with("Plane") && track.process != "CCU";
}

std::optional<DeviceActivity> readDeviceActivity(const RankEntry& rank, const CancelToken& cancel) {
    if (!hasComputation(rank)) return std::nullopt;
    const TraceStore& trace = *rank.trace;
    std::vector<KernelPiece> pieces = readKernels(rank, cancel);
    if (cancel.cancelled()) return std::nullopt;
    DeviceActivity activity;
    activity.steps = stepSpans(rank, pieces);

    activity.computing = unionOfParts(parts(pieces, &KernelPiece::computing), cancel);
    if (activity.computing.empty()) activity.computing = unionOf(slicesOf(trace, holdsTasks, isKernelName, cancel), cancel);
    activity.communication = unionOf(slicesOf(trace, isGroupTrack, [](std::string_view) { return true; }, cancel), cancel);
    activity.receives = slicesOf(trace, isGroupTrack, [](std::string_view name) { return name.starts_with("hcom_receive"); }, cancel);
    if (activity.communication.empty()) {
        activity.communication = unionOfParts(parts(pieces, &KernelPiece::communication), cancel);
        activity.receives.clear();
        for (const KernelPiece& piece : pieces) activity.receives.insert(activity.receives.end(), piece.receives.begin(), piece.receives.end());
    }
    std::sort(activity.receives.begin(), activity.receives.end(),
              [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
    if (cancel.cancelled()) return std::nullopt;
    return activity;
}

}  // namespace altiscope
