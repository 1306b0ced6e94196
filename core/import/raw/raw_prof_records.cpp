#include "core/import/raw/raw_prof_records.h"

#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"
#include "core/import/raw/raw_iteration_rows.h"
#include "core/import/raw_host/raw_task_counters.h"
#include "core/import/raw_records/raw_frequency.h"

#include <algorithm>
#include <span>
#include <string>

namespace altiscope::reader {

namespace {

/// Places of records by their numbers.
template <class NumberOf>
std::vector<std::pair<std::uint64_t, std::size_t>> placesByNumber(std::size_t count, const NumberOf& numberOf) {
    std::vector<std::pair<std::uint64_t, std::size_t>> places;
    places.reserve(count);
    for (std::size_t i = 0; i < count; ++i) places.emplace_back(numberOf(i), i);
    parallelSort(std::span(places), [](const auto& a, const auto& b) { return a < b; }, {});
    return places;
}

/// In the order in which they first occur.
std::vector<MemoryTraffic> trafficOf(const RawProfRecords::Device& device, RawContext& context) {
    std::vector<MemoryTraffic> all;
    for (const RawBandwidth& one : readRawBandwidths(device.files, device.settings, context)) {
        auto known = std::find_if(all.begin(), all.end(), [&one](const MemoryTraffic& traffic) {
            return traffic.memory == one.memory && traffic.isWrite == one.isWrite;
        });
        if (known == all.end()) known = all.insert(all.end(), {one.memory, one.isWrite});
        known->sum += one.megabytesPerSecond;
        ++known->count;
    }
    return all;
}

}  // namespace

std::optional<std::size_t> placeWithNumber(const std::vector<std::pair<std::uint64_t, std::size_t>>& places,
                                           std::uint64_t number) {
    if (places.empty() || number < places.front().first || number > places.back().first) return std::nullopt;
    // Records are about as dense everywhere, mostly without any gap.
    const double share = static_cast<double>(number - places.front().first) /
                         static_cast<double>(std::max<std::uint64_t>(places.back().first - places.front().first, 1));
    const auto guess = static_cast<std::size_t>(share * static_cast<double>(places.size() - 1) + 0.5);
    if (places[guess].first == number) return places[guess].second;
    const auto found = std::lower_bound(places.begin(), places.end(), std::pair(number, std::size_t{0}));
    return found == places.end() || found->first != number ? std::nullopt : std::optional(found->second);
}

std::optional<std::vector<std::unique_ptr<RawProfRecords>>> readRawProfRecords(const SourceFile& file,
                                                                               const CancelToken& cancel) {
    Diagnostics unused;
    ProgressSlot progress;
    RawContext context{unused, progress, cancel};
    std::vector<std::unique_ptr<RawProfRecords>> profs;
    auto nextKind = static_cast<unsigned>(RawRecordKind::FirstProf);
    std::int64_t nextConnection = 1;
    for (const auto& [path, name] : rawFolders(file).profs) {
        const RawFiles files = listRawFiles(path, name, unused, cancel);
        auto prof = std::make_unique<RawProfRecords>();
        prof->settings = readRawSettings(files.hostFolder, files.hostName, {}, unused);
        prof->hasExpandedStreams = rawHasExpandedStreams(files, context);
        prof->callKind = nextKind;
        nextKind += kRawKindsOfHost;
        for (const RawDeviceFiles& one : files.devices) {
            RawSettings own = readRawSettings(one.folder, one.name, '.' + std::to_string(one.device), unused);
            if (!own.hasClock || nextKind + kRawKindsOfDevice > kRawKinds) continue;
            RawProfRecords::Device& device = prof->devices.emplace_back();
            device.files = one;
            device.settings = std::move(own);
            device.kind = nextKind;
            nextKind += kRawKindsOfDevice;
        }
        // Host and devices are read apart from each other, then joined. Who waits for the lock meanwhile is not needed.
        parallelFor(prof->devices.size() + 1, [&](std::size_t i) {
            Diagnostics ofThread;
            RawContext ownContext{ofThread, progress, cancel};
            if (i > 0) {
                RawProfRecords::Device& device = prof->devices[i - 1];
                std::vector<RawAccelerator> accelerators;
                device.tasks = readRawDevice(device.files, prof->hasExpandedStreams, ownContext, &accelerators);
                device.samples = readRawDeviceSamples(device.files, device.settings, prof->hasExpandedStreams,
                                                      accelerators, ownContext);
                device.samples.hbm = trafficOf(device, ownContext);
                for (std::size_t mark = 0; mark < device.samples.marks.size(); ++mark)
                    device.samples.marks[mark].pos = rawPosition(file.number, device.kind + kRawStreamMarkKind, mark);
                return;
            }
            prof->host = readRawHost(files, prof->settings.isLevelZero, ownContext);
            if (!cancel.cancelled()) sortRawTasks(prof->host, cancel);
        });
        if (cancel.cancelled()) return std::nullopt;
        numberReductions(prof->devices, [](RawProfRecords::Device& one) -> DeviceSamples& { return one.samples; });
        prof->firstConnection = nextConnection;
        nextConnection += prof->host.connectionCount();
        parallelFor(prof->devices.size() + 1, [&](std::size_t i) {
            if (i == 0) {
                prof->calls = placesByNumber(prof->host.calls.size(),
                                             [&](std::size_t call) { return prof->host.calls[call].number; });
                prof->marks = readRawMarks(files, prof->settings, prof->host.texts, context);
                for (std::size_t mark = 0; mark < prof->marks.size(); ++mark)
                    prof->marks[mark].pos = rawPosition(file.number, prof->callKind + 1, mark);
                prof->fusions = readRawFusions(files, prof->host, context);
                prof->graphMemory = readRawGraphMemory(files, prof->settings, prof->host, context);
                return;
            }
            RawProfRecords::Device& device = prof->devices[i - 1];
            device.joined = joinRawTasks(prof->host, device.files.device, device.settings, device.tasks, cancel);
            if (cancel.cancelled()) return;
            nameRawTaskCounters(prof->host, device.files.device, device.tasks, device.joined, device.samples);
            device.drawn = rawCollectiveOrder(prof->host, device.joined.collectives, device.settings.wallBegin);
            device.byNumber = placesByNumber(device.joined.tasks.size(), [&](std::size_t task) {
                return device.tasks[device.joined.tasks[task].place].number;
            });
        });
        if (cancel.cancelled()) return std::nullopt;
        profs.push_back(std::move(prof));
    }
    return profs;
}

}  // namespace altiscope::reader
