#include "core/import/raw_host/raw_collectives.h"

#include "core/base/text/ascii.h"
#include "core/base/text/text.h"
#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::uint32_t kNoRemote = 0xffffffff;
constexpr std::uint32_t kOnChip = 0, kHccs = 1, kPcie = 2, kSio = 4, kHccsSwitch = 5;
constexpr std::uint32_t kSdmaTransport = 0, kRdmaTransport = 1, kPayload = 1;
/// A packet of more bytes is a large one.
constexpr std::uint64_t kLargePacket = 32'000'000, kLargeRdmaPacket = 500'000;

/// A run of payloads over RDMA, with the notifies after it.
struct RdmaRun {
    std::size_t payloads = 0;          ///< From the task at hand on.
    std::size_t next = 0;              ///< The task after the run.
    std::optional<std::int64_t> time;  ///< nullopt: its closing task is not there.
    double real = 0;                   ///< The same as a real.
    std::uint64_t bytes = 0;
};

/// The parts of one plane, as far as something is known of them.
struct PlanePart {
    const RawPartRun* run;
    const RawHcclTask* info;
};
using Plane = std::vector<PlanePart>;

bool isPayload(const RawHcclTask& info) { return info.transport == kRdmaTransport && info.rdma == kPayload; }

bool containsWord(std::string_view text, std::string_view lowerWord) {
    const auto found = std::search(text.begin(), text.end(), lowerWord.begin(), lowerWord.end(),
                                   [](char a, char b) { return asciiLower(a) == b; });
    return found != text.end();
}

/// The run of payloads that begins at a part. @param tail  See FORMAT.md: how many tasks close it.
RdmaRun rdmaRunAt(const Plane& plane, std::size_t first, std::size_t tail) {
    RdmaRun run;
    for (std::size_t i = first; i < plane.size() && isPayload(*plane[i].info); ++i) {
        run.bytes += plane[i].info->bytes;
        ++run.payloads;
    }
    const std::size_t closing = first + run.payloads + tail - 2;
    if (closing >= plane.size()) {
        run.next = first + run.payloads;
        return run;
    }
    run.time = plane[closing].run->end - plane[first].run->begin;
    run.real = plane[closing].run->real.end() - plane[first].run->real.begin;
    run.next = first + tail + run.payloads - 1;
    return run;
}

bool isTransfer(std::string_view name) { return name == "Memcpy" || name == "Reduce_Inline"; }

void addPacket(RawTraffic& traffic, std::uint64_t bytes, std::int64_t time, double real, std::uint64_t largeAbove) {
    const double milliseconds = real / 1e6;
    traffic.bytes += bytes;
    addRawTime(traffic.time, time);
    traffic.megabytes += static_cast<double>(bytes) / 1e6;
    traffic.milliseconds += milliseconds;
    traffic.largePackets += bytes > largeAbove ? 1 : 0;
    traffic.sizes.push_back({bytes, 1, time, milliseconds, traffic.packets++});
}

/// Makes one entry of all packets of a size, by size.
void joinSizes(std::vector<RawPackets>& sizes) {
    std::sort(sizes.begin(), sizes.end(), [](const RawPackets& a, const RawPackets& b) {
        return std::tie(a.size, a.first) < std::tie(b.size, b.first);
    });
    std::size_t count = 0;
    for (const RawPackets one : sizes) {
        if (count == 0 || sizes[count - 1].size != one.size) { sizes[count++] = {one.size, 0, 0, 0, one.first}; }
        ++sizes[count - 1].count;
        addRawTime(sizes[count - 1].time, one.time);
        sizes[count - 1].milliseconds += one.milliseconds;
    }
    sizes.resize(count);
}

std::string_view matrixWord(const RawHcclTask& info) {
    if (info.transport == kRdmaTransport) return "RDMA";
    switch (info.link) {
    case kOnChip: return "LOCAL";
    case kHccs:
    case kHccsSwitch: return "HCCS";
    case kPcie: return "PCIE";
    case kSio: return "SIO";
    default: return {};
    }
}

RawTransport transportOf(const RawHcclTask& info) {
    switch (info.link) {
    case kHccs:
    case kHccsSwitch: return RawTransport::Hccs;
    case kPcie: return RawTransport::Pcie;
    case kSio: return RawTransport::Sio;
    default: return RawTransport::Sdma;
    }
}

/// How many tasks close a run of payloads. Source: FORMAT.md.
std::size_t closingTasks(std::string_view name) {
    static constexpr std::size_t kPointToPoint = 3, kOthers = 5;
    return containsWord(name, "send") || containsWord(name, "receive") ? kPointToPoint : kOthers;
}

/// Bytes per ns are GB/s.
double rateOf(std::uint64_t bytes, double ns) { return ns <= 0 ? 0.0 : static_cast<double>(bytes) / ns; }

double rateThroughSeconds(std::uint64_t bytes, double ns) {
    const double billionth = std::pow(0.001, 3);
    return ns <= 0 ? 0.0 : static_cast<double>(bytes) * billionth / (ns * billionth);
}

std::string collectiveName(std::string_view item, std::uint64_t group, std::int64_t number, std::uint32_t replay) {
    // Each call has a name of its own, which few long texts must not make large.
    static constexpr std::size_t kMaxBytes = 1024;
    const std::string hash = group == 0 ? "N/A" : std::to_string(group);
    return std::string(item.substr(0, utf8Prefix(item, kMaxBytes))) + '_' +
           hash.substr(hash.size() > 3 ? hash.size() - 3 : 0) + '_' + std::to_string(number) + '_' +
           std::to_string(replay);
}

/// Parts of collectives as they ran, in the order in which the host launched them.
struct OrderedPart {
    RawPartRun run;
    std::uint64_t launched;
};

/// A graph replays its parts; many tasks of one key would make their product.
std::size_t mostParts(const RawHost& host, std::span<const RawCollectiveTask> tasks) {
    return 4096 + 16 * (host.collectiveParts.size() + tasks.size());
}

std::vector<OrderedPart> orderedParts(const RawHost& host, std::span<const RawCollectiveTask> tasks,
                                      const CancelToken& cancel) {
    std::vector<OrderedPart> parts;
    std::unordered_map<std::size_t, std::uint32_t> replays;
    const std::size_t most = mostParts(host, tasks);
    for (const RawCollectiveTask& task : tasks) {
        const RawHostTask& launched = host.tasks[task.task];
        if (cancel.cancelled() || parts.size() + launched.parts > most) break;
        const std::uint32_t replay = ++replays[task.task];
        for (std::uint32_t i = 0; i < launched.parts; ++i) {
            const std::uint32_t number = launched.firstPart + i;
            parts.push_back(
                {{number, task.begin, task.end, replay, task.number, 0, task.real}, host.collectiveParts[number].time});
        }
    }
    parallelSort(
        std::span(parts),
        [](const OrderedPart& a, const OrderedPart& b) {
            return std::tie(a.launched, a.run.begin, a.run.number, a.run.part) <
                   std::tie(b.launched, b.run.begin, b.run.number, b.run.part);
        },
        cancel);
    return parts;
}

/// How fast the bytes of each part went; those of a run of payloads together, as the run as a whole.
/// Source: FORMAT.md.
void setRates(const RawHost& host, RawCollectiveRun& run, bool isNewer) {
    const auto infoOf = [&host](const RawPartRun& part) -> const RawHcclTask* {
        const std::int64_t info = host.collectiveParts[part.part].info;
        return info < 0 ? nullptr : &host.hcclTasks[static_cast<std::size_t>(info)];
    };
    std::map<std::int64_t, std::vector<RawPartRun*>> planes;
    bool hasPayload = false;
    for (RawPartRun& part : run.parts) {
        const RawHcclTask* info = infoOf(part);
        planes[info == nullptr ? -1 : std::int64_t{info->plane}].push_back(&part);
        if (info == nullptr) continue;
        hasPayload = hasPayload || info->rdma == kPayload;
        part.rate = isNewer ? rateOf(info->bytes, part.real.length) : rateThroughSeconds(info->bytes, part.real.length);
    }
    if (!hasPayload) return;
    const std::size_t tail = closingTasks(run.name);
    for (auto& entry : planes) {
        std::vector<RawPartRun*>& plane = entry.second;
        const auto isSent = [&](std::size_t i) {
            const RawHcclTask* info = infoOf(*plane[i]);
            return info != nullptr && info->rdma == kPayload;
        };
        for (std::size_t first = 0; first < plane.size(); ++first) {
            std::size_t last = first;
            std::uint64_t bytes = 0;
            for (; last < plane.size() && isSent(last); ++last) bytes += infoOf(*plane[last])->bytes;
            if (last == first || last + tail - 2 >= plane.size()) continue;
            const double rate = rateOf(bytes, plane[last + tail - 2]->real.end() - plane[first]->real.begin);
            for (std::size_t i = first; i < last; ++i) plane[i]->rate = rate;
            first = last - 1;
        }
    }
}

/// The parts of a run that something is known of by their planes, in the order in which planes first occur.
std::vector<std::pair<std::uint32_t, Plane>> planesOf(const RawHost& host, const RawCollectiveRun& run) {
    std::vector<std::pair<std::uint32_t, Plane>> planes;
    std::map<std::uint32_t, std::size_t> places;
    for (const RawPartRun& part : run.parts) {
        const std::int64_t info = host.collectiveParts[part.part].info;
        if (info < 0) continue;
        const RawHcclTask& task = host.hcclTasks[static_cast<std::size_t>(info)];
        const auto [place, isNew] = places.try_emplace(task.plane, planes.size());
        if (isNew) planes.emplace_back(task.plane, Plane{});
        planes[place->second].second.push_back({&part, &task});
    }
    return planes;
}

/// Adds up what a run of a collective did, plane by plane: elapsed, transit and wait are those of its master plane;
/// traffic and links those of all.
class RunSums {
public:
    RunSums(const RawHost& host, const RawCollectiveRun& run, bool withTransfers)
        : m_host(host), m_run(run), m_withTransfers(withTransfers), m_tail(closingTasks(run.name)) {}

    RawCollectiveTimes times() {
        for (const auto& [number, plane] : planesOf(m_host, m_run)) addPlane(number, plane);
        if (m_times.planes.empty()) setElapsedOfRun();
        m_times.idle = m_times.elapsed - m_times.transit - m_times.wait;
        addUpSdma();
        for (RawTraffic& traffic : m_times.traffic) joinSizes(traffic.sizes);
        for (const auto& [ends, link] : m_links) m_times.links.push_back(link);
        return std::move(m_times);
    }

private:
    void addPlane(std::uint32_t number, const Plane& plane) {
        m_plane = number;
        m_isMaster = number == m_run.masterPlane;
        m_hasTransit = false;
        m_times.planes.push_back(number);
        for (std::size_t i = 0; i < plane.size();) {
            if (isPayload(*plane[i].info)) i = std::max(addPayloads(plane, i), i + 1);
            else addPart(plane[i++]);
        }
        if (m_isMaster) setElapsed(plane);
    }

    /// A run of payloads over RDMA. @return The part after it.
    std::size_t addPayloads(const Plane& plane, std::size_t first) {
        const RdmaRun rdma = rdmaRunAt(plane, first, m_tail);
        if (!rdma.time) return rdma.next;
        addPacket(trafficOf(RawTransport::Rdma), rdma.bytes, *rdma.time, rdma.real, kLargeRdmaPacket);
        addLink(*plane[first].info, rdma.bytes, *rdma.time, rdma.real);
        addTransit(*rdma.time, rdma.real);
        return rdma.next;
    }

    void addPart(const PlanePart& part) {
        const std::int64_t duration = part.run->duration();
        const double real = part.run->real.length;
        const std::string_view name = m_host.texts.text(part.info->item, m_unknownName);
        if (isTransfer(name) && part.info->transport == kSdmaTransport) {
            addLink(*part.info, part.info->bytes, duration, real);
            if (part.info->link == kOnChip) return;
            addPacket(trafficOf(transportOf(*part.info)), part.info->bytes, duration, real, kLargePacket);
            addTransit(duration, real);
        } else if (name == "Notify_Wait" && m_isMaster) {
            addRawTime(m_times.wait, duration);
            m_times.waits.add(real);
            if (m_hasTransit) return;
            addRawTime(m_times.synchronization, duration);
            m_times.synchronizations.add(real);
        }
    }

    void addTransit(std::int64_t time, double real) {
        m_hasTransit = true;
        if (!m_isMaster) return;
        addRawTime(m_times.transit, time);
        m_times.transits.add(real);
    }

    void addLink(const RawHcclTask& info, std::uint64_t bytes, std::int64_t time, double real) {
        if (info.localRank == kNoRemote) return;
        const std::uint32_t target = info.remoteRank == kNoRemote ? info.localRank : info.remoteRank;
        const auto [known, isNew] = m_links.try_emplace({info.localRank, target});
        RawLink& link = known->second;
        if (isNew) link.first = m_links.size();
        link.source = info.localRank;
        link.target = target;
        link.transport = matrixWord(info);
        link.bytes += bytes;
        addRawTime(link.time, time);
        link.megabytes += static_cast<double>(bytes) / 1e6;
        link.milliseconds += real / 1e6;
        if (m_withTransfers)
            link.transfers.push_back({m_plane, static_cast<double>(bytes) / 1e6, real / 1e6, link.transport});
    }

    void setElapsed(const Plane& plane) {
        const auto byBegin = [](const PlanePart& a, const PlanePart& b) { return a.run->begin < b.run->begin; };
        const RawPartRun& first = *std::min_element(plane.begin(), plane.end(), byBegin)->run;
        m_times.begin = first.begin;
        const auto byEnd = [](const PlanePart& a, const PlanePart& b) { return a.run->end < b.run->end; };
        m_times.elapsed = std::max_element(plane.begin(), plane.end(), byEnd)->run->end - m_times.begin;
        const auto byRealEnd = [](const PlanePart& a, const PlanePart& b) {
            return a.run->real.end() < b.run->real.end();
        };
        const auto last = std::max_element(plane.begin(), plane.end(), byRealEnd);
        m_times.elapsedMilliseconds = (last->run->real.end() - first.real.begin) / 1e6;
    }

    /// Level 0 says of no part on which plane it ran.
    void setElapsedOfRun() {
        m_times.begin = m_run.begin;
        m_times.elapsed = m_run.end - m_run.begin;
        m_times.elapsedMilliseconds = m_run.real.length / 1e6;
    }

    void addUpSdma() {
        RawTraffic& all = trafficOf(RawTransport::Sdma);
        // Added up by themselves first, as the vendor does it.
        double megabytes = 0, milliseconds = 0;
        for (const RawTransport part : {RawTransport::Hccs, RawTransport::Pcie, RawTransport::Sio}) {
            const RawTraffic& traffic = trafficOf(part);
            all.bytes += traffic.bytes;
            addRawTime(all.time, traffic.time);
            megabytes += traffic.megabytes;
            milliseconds += traffic.milliseconds;
        }
        all.megabytes += megabytes;
        all.milliseconds += milliseconds;
    }

    RawTraffic& trafficOf(RawTransport transport) { return m_times.traffic[static_cast<std::size_t>(transport)]; }

    const RawHost& m_host;
    const RawCollectiveRun& m_run;
    const bool m_withTransfers;
    const std::size_t m_tail;
    RawCollectiveTimes m_times;
    std::map<std::pair<std::uint32_t, std::uint32_t>, RawLink> m_links;  // by source and target
    std::uint32_t m_plane = 0;                                           // whose parts are being added
    bool m_isMaster = false;
    bool m_hasTransit = false;  // the plane has moved something
    std::string m_unknownName;
};

void orderByLaunch(const RawHost& host, RawCollectiveRun& run) {
    std::sort(run.parts.begin(), run.parts.end(),
              [](const RawPartRun& a, const RawPartRun& b) { return a.place < b.place; });
    for (const RawPartRun& one : run.parts) {
        const RawCollectivePart& part = host.collectiveParts[one.part];
        if (!part.isMaster || part.info < 0) continue;
        run.masterPlane = host.hcclTasks[static_cast<std::size_t>(part.info)].plane;
        return;
    }
}

}  // namespace

std::vector<RawCollectiveRun> rawCollectives(const RawHost& host, std::span<const RawCollectiveTask> tasks,
                                             std::int64_t wallBegin, const CancelToken& cancel, bool isNewer) {
    struct Counter {
        std::int64_t number = -1;
        std::optional<std::uint64_t> last;
    };
    /// The name of a part: the call of its collective, and how many of the group there were by then.
    struct Named {
        RawPartRun run;
        std::uint64_t item, group;
        std::int64_t number;
        auto key() const { return std::tie(item, group, number, run.replay); }
    };
    std::map<std::pair<std::uint64_t, bool>, Counter> counters;
    std::vector<Named> named;
    for (const OrderedPart& ordered : orderedParts(host, tasks, cancel)) {
        if (cancel.cancelled()) break;
        const RawCollectivePart& part = host.collectiveParts[ordered.run.part];
        const RawCollective& collective = host.collectives[part.collective];
        const RawCall& call = host.calls[static_cast<std::size_t>(collective.call)];
        std::string unknownItem;
        const std::string_view item = host.texts.text(call.item, unknownItem);
        const std::uint64_t group =
            part.info >= 0 ? host.hcclTasks[static_cast<std::size_t>(part.info)].group : collective.group;
        Counter& counter = counters[{group, item.find("AicpuKernel") != std::string_view::npos}];
        if (ordered.run.begin > wallBegin && (!counter.last || call.begin > *counter.last)) {
            ++counter.number;
            counter.last = call.begin;
        }
        named.push_back({ordered.run, call.item, group, counter.number});
        named.back().run.place = named.size() - 1;
    }
    // Parts of one begin stand in the order of their launch, which decides which plane is the master's.
    parallelSort(
        std::span(named),
        [](const Named& a, const Named& b) {
            return std::tie(a.run.begin, a.run.place) < std::tie(b.run.begin, b.run.place);
        },
        cancel);
    if (cancel.cancelled()) return {};
    // Calls of several threads at a time may share a name, and one call may have two.
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::uint32_t>, std::size_t> known;
    std::vector<RawCollectiveRun> runs;
    for (const Named& one : named) {
        const RawCollectivePart& part = host.collectiveParts[one.run.part];
        const auto [at, isNew] = known.try_emplace(one.key(), runs.size());
        if (isNew) {
            RawCollectiveRun& run = runs.emplace_back();
            run.collective = part.collective;
            run.replay = one.run.replay;
            run.group = one.group;
            run.hasGroup = host.collectives[part.collective].hasGroup;
            run.name = collectiveName(host.texts.text(one.item), one.group, one.number, one.run.replay);
        }
        RawCollectiveRun& run = runs[at->second];
        run.parts.push_back(one.run);
        if (!part.isMaster) continue;
        run.begin = run.hasMaster ? std::min(run.begin, one.run.begin) : one.run.begin;
        run.end = run.hasMaster ? std::max(run.end, one.run.end) : one.run.end;
        const double end = run.hasMaster ? std::max(run.real.end(), one.run.real.end()) : one.run.real.end();
        if (!run.hasMaster || one.run.real.begin < run.real.begin) run.real.begin = one.run.real.begin;
        run.real.length = end - run.real.begin;
        if (!run.hasMaster && part.info >= 0)
            run.masterPlane = host.hcclTasks[static_cast<std::size_t>(part.info)].plane;
        run.hasMaster = true;
    }
    for (RawCollectiveRun& run : runs) {
        if (!isNewer) orderByLaunch(host, run);
        setRates(host, run, isNewer);
    }
    return runs;
}

std::uint64_t rawExcludedParts(const RawHost& host, std::span<const RawCollectiveTask> tasks) {
    const std::size_t most = mostParts(host, tasks);
    std::uint64_t parts = 0, excluded = 0;
    for (const RawCollectiveTask& task : tasks) {
        const std::uint32_t count = host.tasks[task.task].parts;
        if (excluded > 0 || parts + count > most) excluded += count;
        else parts += count;
    }
    return excluded;
}

std::string_view rawTransportName(RawTransport transport) {
    static constexpr std::string_view kNames[] = {"RDMA", "HCCS", "PCIE", "SDMA", "SIO"};
    return kNames[static_cast<std::size_t>(transport)];
}

RawCollectiveTimes rawCollectiveTimes(const RawHost& host, const RawCollectiveRun& run, bool withTransfers) {
    return RunSums(host, run, withTransfers).times();
}

std::string rawHcclType(std::uint32_t type) {
    static constexpr std::string_view kNames[] = {"INT8",   "INT16", "INT32",  "FP16",    "FP32",    "INT64",
                                                  "UINT64", "UINT8", "UINT16", "UINT32",  "FP64",    "BFP16",
                                                  "INT128", "",      "HIF8",   "FP8E4M3", "FP8E5M2", "FP8E8M0"};
    if (type == 255) return "RESERVED";
    if (type == 0xffffffff) return "INVALID_TYPE";
    return type < std::size(kNames) && !kNames[type].empty() ? std::string(kNames[type]) : std::to_string(type);
}

std::string rawLinkName(std::uint32_t link) {
    static constexpr std::string_view kNames[] = {"ON_CHIP", "HCCS",          "PCIE", "ROCE", "SIO",
                                                  "HCCS_SW", "STANDARD_ROCE", "UB",   "UBoE"};
    if (link == 255) return "RESERVED";
    if (link == 0xffffffff) return "INVALID_TYPE";
    return link < std::size(kNames) ? std::string(kNames[link]) : std::to_string(link);
}

std::string rawTransportWord(std::uint32_t transport) {
    static constexpr std::string_view kNames[] = {"SDMA", "RDMA", "LOCAL", "UB", "ROCE"};
    if (transport == 255) return "RESERVED";
    if (transport == 0xffffffff) return "INVALID_TYPE";
    return transport < std::size(kNames) ? std::string(kNames[transport]) : std::to_string(transport);
}

}  // namespace altiscope::reader
