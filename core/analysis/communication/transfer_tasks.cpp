#include "core/analysis/communication/transfer_tasks.h"

#include "core/analysis/support/argument_value.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <array>
#include <utility>

namespace altiscope {

namespace {

/// Arguments that are read at a time; neighbours in the source are read together.
constexpr std::size_t kTransfersAtOnce = 4096;
constexpr std::int64_t kNobody = 4'294'967'295;

TransferKind linkKindOf(std::string_view link, std::string_view transport) {
    static constexpr std::array<std::pair<std::string_view, TransferKind>, 7> kLinks = {
        {{"ON_CHIP", TransferKind::Local},
         {"HCCS", TransferKind::Hccs},
         {"HCCS_SW", TransferKind::Hccs},
         {"PCIE", TransferKind::Pcie},
         {"SIO", TransferKind::Sio},
         {"ROCE", TransferKind::Rdma},
         {"STANDARD_ROCE", TransferKind::Rdma}}};
    for (const auto& [word, kind] : kLinks) {
        if (word == link) return kind;
    }
    return transport == "RDMA" ? TransferKind::Rdma : transport == "LOCAL" ? TransferKind::Local : TransferKind::Sdma;
}

void readTask(std::string_view arguments, TransferTask& task) {
    const auto source = wholeNumber(valueAfter(arguments, "\"src rank\"")),
               target = wholeNumber(valueAfter(arguments, "\"dst rank\"")),
               bytes = wholeNumber(valueAfter(arguments, "\"size(Byte)\""));
    if (!source || !target || !bytes || *source == kNobody || *source < 0 || *target < -1 || *bytes < 0) return;
    task.source = *source;
    task.target = *target == kNobody || *target == -1 ? *source : *target;
    task.bytes = *bytes;
    task.kind = task.isRemote
                    ? TransferKind::Rdma
                    : linkKindOf(valueAfter(arguments, "\"link type\""), valueAfter(arguments, "\"transport type\""));
    task.isKnown = true;
}

void addTransfersOf(const TraceStore& trace, std::uint32_t plane, const TaskKinds& words,
                    const GroupCollectives& collectives, std::vector<TransferTask>& tasks, const CancelToken& cancel) {
    std::vector<std::pair<TimeNs, std::uint32_t>> moved;
    const TrackExtent& extent = trace.extent({plane});
    for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
        if ((i & 0xffffU) == 0 && cancel.cancelled()) return;
        const TaskKind word = words.of(trace.nameId({i}));
        if (word == TaskKind::Transit || word == TaskKind::Remote) moved.emplace_back(trace.begin({i}), i);
    }
    std::sort(moved.begin(), moved.end());
    RunningCollective running(collectives.ranges);
    for (const auto& [begin, slice] : moved) {
        const auto place = running.at(begin);
        if (!place) continue;
        TransferTask task;
        task.collective = static_cast<std::uint32_t>(*place);
        task.slice = {slice};
        task.duration = trace.duration({slice}).value;
        task.isRemote = words.of(trace.nameId({slice})) == TaskKind::Remote;
        tasks.push_back(task);
    }
}

}  // namespace

std::string_view transferKindName(TransferKind kind) {
    switch (kind) {
    case TransferKind::Local: return "LOCAL";
    case TransferKind::Hccs: return "HCCS";
    case TransferKind::Pcie: return "PCIE";
    case TransferKind::Sio: return "SIO";
    case TransferKind::Sdma: return "SDMA";
    case TransferKind::Rdma: return "RDMA";
    }
    return {};
}

std::vector<TransferTask> transferTasks(const RankEntry& rank, const GroupTracks& tracks,
                                        const GroupCollectives& collectives, const CancelToken& cancel) {
    const TraceStore& trace = *rank.trace;
    const TaskKinds words(trace);
    std::vector<TransferTask> tasks;
    for (const std::uint32_t plane : tracks.planes) addTransfersOf(trace, plane, words, collectives, tasks, cancel);
    // As they lie in the source.
    std::sort(tasks.begin(), tasks.end(),
              [&](const TransferTask& a, const TransferTask& b) { return trace.pos(a.slice) < trace.pos(b.slice); });
    const std::size_t parts = rank.arguments == nullptr ? 0 : (tasks.size() + kTransfersAtOnce - 1) / kTransfersAtOnce;
    parallelFor(parts, [&](std::size_t part) {
        if (cancel.cancelled()) return;
        const std::size_t first = part * kTransfersAtOnce, last = std::min(tasks.size(), first + kTransfersAtOnce);
        std::vector<SourcePos> positions;
        for (std::size_t i = first; i < last; ++i) positions.push_back(trace.pos(tasks[i].slice));
        rank.arguments->each(positions, [&](std::size_t i, const Result<std::string_view>& text) {
            if (text.ok()) readTask(text.value(), tasks[first + i]);
        });
    });
    std::sort(tasks.begin(), tasks.end(), [&](const TransferTask& a, const TransferTask& b) {
        if (a.collective != b.collective) return a.collective < b.collective;
        return std::pair(trace.begin(a.slice), a.slice.value) < std::pair(trace.begin(b.slice), b.slice.value);
    });
    return tasks;
}

}  // namespace altiscope
