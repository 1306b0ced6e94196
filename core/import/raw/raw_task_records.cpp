#include "core/import/raw/raw_task_records.h"

#include "core/import/raw/raw_import.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace altiscope::reader {

std::uint32_t RawTaskRecords::id(std::string_view text) {
    const auto [known, isNew] =
        m_ids.try_emplace(std::string(text), static_cast<std::uint32_t>(m_records.texts.size()));
    if (isNew) m_records.texts.emplace_back(text);
    return known->second;
}

bool RawTaskRecords::add(const RawHost& host, const RawDeviceRecords& device, const CancelToken& cancel) {
    static constexpr std::size_t kBetweenLooks = 1024;
    m_records.collections.push_back({device.device, device.wallBegin, device.monotonicBegin});
    std::string number;
    const auto textId = [&](std::uint64_t hash) { return id(host.texts.text(hash, number)); };
    for (std::size_t i = 0; i < device.joined.tasks.size(); ++i) {
        if (i % kBetweenLooks == 0 && cancel.cancelled()) return false;
        const RawJoinedTask& joined = device.joined.tasks[i];
        const RawDeviceTask& task = device.tasks[joined.place];
        TaskRecord& record = m_records.tasks.emplace_back();
        if (joined.hasBar) record.pos = rawPosition(device.file, device.kind, task.number);
        record.device = device.device;
        record.begin = joined.begin;
        record.end = joined.end;
        record.stream = task.stream;
        record.task = task.task;
        record.batch = task.batch;
        record.context = task.context;
        if (joined.host < 0) {
            record.type = id(rawDeviceTypeName(task));
            continue;
        }
        const RawHostTask& launched = host.tasks[static_cast<std::size_t>(joined.host)];
        record.model = launched.model;
        if (launched.kernelName != 0) record.kernelName = textId(launched.kernelName);
        const RawOp* op = launched.op < 0 ? nullptr : &host.ops[static_cast<std::size_t>(launched.op)];
        if (op != nullptr) {
            record.hasOp = true;
            if (op->hasDetails) record.opType = textId(op->type);
            if (op->hasCore) record.opCore = id(rawCoreName(op->core));
            record.state = op->state;
            record.hf32 = op->hf32;
            record.mixedBlocks = op->mixedBlocks;
        }
        const std::string_view type = host.texts.type(kRawRuntime, launched.type, number);
        const bool saysDevice = type == "FFTS_PLUS" || type == "UNKNOWN";
        record.type = record.opCore != TaskRecord::kNone ? record.opCore
                      : saysDevice                       ? id(rawDeviceTypeName(task))
                                                         : id(type);
    }
    for (const std::size_t run : device.drawn.runs) {
        if (cancel.cancelled()) return false;
        addCollective(host, device, device.joined.collectives[run]);
    }
    return true;
}

void RawTaskRecords::addCollective(const RawHost& host, const RawDeviceRecords& device, const RawCollectiveRun& run) {
    static constexpr double kNsPerMs = 1e6, kBytesPerMegabyte = 1e6;
    const RawCollectiveTimes times = rawCollectiveTimes(host, run);
    CollectiveRecord& record = m_records.collectives.emplace_back();
    record.name = run.name;
    record.group = std::to_string(run.group);
    record.device = device.device;
    record.begin = times.begin;
    record.elapsed = static_cast<double>(times.elapsed) / kNsPerMs;
    record.transit = times.transits.milliseconds;
    record.wait = times.waits.milliseconds;
    record.synchronization = times.synchronizations.milliseconds;
    record.transits = times.transits.count;
    record.waits = times.waits.count;
    record.synchronizations = times.synchronizations.count;
    static_assert(CollectiveRecord::kTransports.size() == kRawTransports);
    for (std::size_t i = 0; i < kRawTransports; ++i) {
        const RawTraffic& from = times.traffic[i];
        CollectiveTraffic& to = record.traffic[i];
        to.size = from.megabytes;
        to.time = from.milliseconds;
        to.packets = from.packets;
        to.largePackets = from.largePackets;
        to.hasOthers = i == static_cast<std::size_t>(RawTransport::Sdma) && (from.bytes > 0 || from.time > 0);
        std::vector<RawPackets> sizes = from.sizes;
        std::sort(sizes.begin(), sizes.end(),
                  [](const RawPackets& a, const RawPackets& b) { return a.first < b.first; });
        for (const RawPackets& one : sizes)
            to.sizes.push_back({static_cast<double>(one.size) / kBytesPerMegabyte, one.count, one.milliseconds});
    }
    std::vector<RawLink> links = times.links;
    std::sort(links.begin(), links.end(), [](const RawLink& a, const RawLink& b) { return a.first < b.first; });
    for (const RawLink& link : links)
        record.links.push_back(
            {link.source, link.target, std::string(link.transport), link.megabytes, link.milliseconds});
}

TaskRecords RawTaskRecords::take() {
    std::stable_sort(m_records.tasks.begin(), m_records.tasks.end(), [](const TaskRecord& a, const TaskRecord& b) {
        return std::tie(a.device, a.begin) < std::tie(b.device, b.begin);
    });
    return std::move(m_records);
}

}  // namespace altiscope::reader
