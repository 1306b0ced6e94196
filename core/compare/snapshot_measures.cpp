#include "core/compare/measures.h"

#include "core/analysis/snapshot/device_snapshot.h"
#include "core/analysis/snapshot/snapshot_curve.h"
#include "core/analysis/snapshot/stack_tree.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace altiscope {

namespace {

/// The device of a rank that holds the most at its peak; memory of the host counts where there is no device.
std::shared_ptr<const SnapshotCurve> busiestDevice(const std::shared_ptr<const RowTables>& rows,
                                                   const CancelToken& cancel) {
    std::shared_ptr<const SnapshotCurve> busiest;
    std::int64_t most = -1;
    for (const SnapshotRows& where : snapshotDevices(*rows)) {
        const auto snapshot = deviceSnapshot(rows, where.device, nullptr, cancel);
        const auto curve = snapshot == nullptr ? nullptr : SnapshotCurve::make(snapshot, cancel);
        if (curve == nullptr) continue;
        const std::int64_t peak = curve->extremes(SnapshotTotal::Allocated, curve->all()).max;
        const bool isOfHost = busiest != nullptr && busiest->snapshot().where.device == kSnapshotHost;
        if (busiest != nullptr && !isOfHost && peak <= most) continue;
        busiest = curve;
        most = peak;
    }
    return busiest;
}

/// The frames of a stack, the innermost first: "a.py(3): f < b.py(7): g".
std::string joinedFrames(std::string_view stack) {
    std::string text;
    for (const char c : stack) {
        if (c == '\n') text += kBetweenFrames;
        else text += c;
    }
    return text;
}

void measureSnapshot(const RankEntry& rank, std::size_t step, std::size_t steps, Measures& to,
                     const CancelToken& cancel) {
    if (rank.rows == nullptr || rank.rows->find(RowKind::SnapshotEvent) == nullptr) return;
    const auto curve = busiestDevice(rank.rows, cancel);
    if (curve == nullptr || cancel.cancelled()) return;
    const DeviceSnapshot& snapshot = curve->snapshot();
    const auto add = [&](const std::string& key, std::int64_t bytes, bool isOfRankToo) {
        MeasureKey measure{.dimension = Dimension::Memory, .unit = DifferenceUnit::Bytes, .rankId = {}, .key = key};
        const std::vector<StepSum> sums{
            {.step = static_cast<std::uint32_t>(step), .ranks = 1, .sum = static_cast<double>(bytes)}};
        to.add(measure, sums);
        measure.rankId = rank.info.rankId;
        if (measure.rankId && isOfRankToo) to.add(measure, sums);
    };
    add("peak_allocated", curve->extremes(SnapshotTotal::Allocated, curve->all()).max, true);
    add("peak_reserved", curve->extremes(SnapshotTotal::Reserved, curve->all()).max, true);
    add(std::string(kEndAllocated), snapshot.allocatedAt(snapshot.last()), true);
    add("end_reserved", snapshot.reservedAt(snapshot.last()), true);
    const auto sums = stackSums(snapshot, {.what = StackQuery::What::Alive, .range = {snapshot.last(), {}}});
    // Without any call stack nothing is known of who holds the memory.
    if (snapshot.stacks.size() < 2) return;
    std::vector<bool> recorded(steps, false);
    recorded[step] = true;
    to.addRecorded(Dimension::Memory, recorded);
    for (const StackSum& sum : sums)
        add(std::string(kOfStack) + joinedFrames(snapshot.stackText(sum.stack)), sum.bytes, false);
}

}  // namespace

Result<Done> measureSnapshots(const ComparisonSide& side, const MeasuredPart& part, Measures& to,
                              const CancelToken& cancel) {
    // A snapshot has no steps.
    const auto step = part.step(std::nullopt);
    if (!step) return Done{};
    parallelFor(part.ranks().size(), [&](std::size_t i) {
        measureSnapshot(side.capture->ranks[part.ranks()[i].value], *step, part.stepCount(), to, cancel);
    });
    if (cancel.cancelled()) return Cancelled{};
    return Done{};
}

}  // namespace altiscope
