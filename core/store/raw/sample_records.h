#pragma once

#include "core/base/values/ids.h"
#include "core/store/raw/iteration_records.h"
#include "core/store/raw/task_counters.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

// Records of samplers and marks of a device, in the numbers of the records: files of text and tables of a database
// round them differently. Times: wall time, ns.

/// A cache of the last level since its sample before.
struct LlcSample {
    std::int64_t time = 0;
    std::uint32_t cache = 0;
    double hitRate = 0, megabytesPerSecond = 0;  ///< A share; three decimals.
};
/// DDR since its sample before, MB/s.
struct DdrSample {
    std::int64_t time = 0;
    double read = 0, write = 0;
};
/// HCCS since its sample before, MB/s, three decimals.
struct HccsSample {
    std::int64_t time = 0;
    double sent = 0, received = 0;
};
/// PCIe: min, max and mean. Bytes per us; the latency in ns.
struct PcieSample {
    enum Path : std::uint8_t { SentPosted, SentNonposted, SentCompletions, Latency, Posted, Nonposted, Completions };
    static constexpr std::size_t kPaths = 7;
    std::int64_t time = 0;
    std::array<std::array<std::uint32_t, 3>, kPaths> values{};
};
/// A port of a network: what it counts, and per second.
struct PortSample {
    struct Way {
        double packetRate = 0, byteRate = 0;
        std::uint64_t packets = 0, bytes = 0, errors = 0, dropped = 0;
    };
    std::int64_t time = 0;
    std::uint64_t megabitsPerSecond = 0;  ///< Capacity of it.
    Way received, sent;
    std::uint32_t port = 0;
};
/// Rates by DeviceSamples::qosNames, MB/s.
struct QosSample {
    std::int64_t time = 0;
    std::array<std::uint32_t, 10> rates{};
};
/// Traffic of an accelerator, read and written, and how many requests are on their way, as levels of its own.
struct AcceleratorSample {
    std::int64_t time = 0;
    std::uint32_t accelerator = 0, readRate = 0, writeRate = 0, readRequests = 0, writeRequests = 0;
};
/// Traffic of a die with the other one since its sample before, MB/s.
struct DieLinkSample {
    static constexpr std::size_t kPaths = 8;
    /// By index in `rates`: received requests, responses, snoops and data, then sent ones.
    static constexpr std::array<std::string_view, kPaths> kNames{"req_rx", "rsp_rx", "snp_rx", "dat_rx",
                                                                 "req_tx", "rsp_tx", "snp_tx", "dat_tx"};
    std::int64_t time = 0;
    std::uint32_t die = 0;
    std::array<double, kPaths> rates{};
};
/// Levels of a chip's buffers, as the vendor's tables name them.
struct ChipLevelSample {
    std::int64_t time = 0;
    std::uint32_t buffer = 0, mata = 0;
};
/// Traffic of a link of a chip, in its own unit.
struct ChipLinkSample {
    std::int64_t time = 0;
    bool isPcie = false;  ///< Else a PA link.
    std::uint32_t link = 0;
    std::uint64_t first = 0, second = 0;  ///< Received and sent; of PCIe: written and read.
};
/// Memory in use, bytes.
struct NpuMemorySample {
    std::int64_t time = 0;
    bool isDevice = false;  ///< Whether it is of all processes on the device.
    std::uint64_t ddr = 0, hbm = 0;
};
/// Memory that a module of CANN reserves, bytes; -1: only releases were seen.
struct ModuleMemorySample {
    std::int64_t time = 0;
    std::uint32_t module = 0;
    std::int64_t bytes = 0;
};

/// A mark of mstx.
struct MarkRecord {
    enum class Kind : std::uint8_t { Marker, PushPop, StartEnd, StreamMarker, Unknown };
    static constexpr std::uint64_t kNoNumber = UINT64_MAX;

    std::int64_t begin = 0, end = 0;
    std::uint32_t process = 0, thread = 0;
    Kind kind = Kind::Marker;
    std::uint64_t number = kNoNumber;  ///< Streams have marks of the same number. With one: domain, without: the next.
    std::uint32_t category = 0, payloadType = 0, messageType = 0;
    std::uint64_t payload = 0;
    std::string message, domain;
    SourcePos pos{};  ///< Position of its slice.
};
/// "marker", "push/pop", "start/end", "marker_ex"; empty for others.
std::string_view markKindName(MarkRecord::Kind kind);
inline constexpr std::int64_t kFirstMarkConnection = 4'000'000'000;
/// Connection of a mark with those of streams; of one without a number: kFirstMarkConnection.
std::int64_t markConnection(const MarkRecord& mark);
/// The same of the mark on a stream, whose number is that of the mark.
std::int64_t streamMarkConnection(std::uint64_t number);

/// A mark on a stream.
struct StreamMark {
    std::int64_t begin = 0, end = 0;
    std::uint64_t number = 0;  ///< MarkRecord::number.
    std::uint32_t stream = 0, task = 0, model = 0;
    SourcePos pos{};  ///< Position of its slice.
};

/// How fast a memory was read, or written: all samples, also those from before the collection.
struct MemoryTraffic {
    std::uint32_t memory = 0;
    bool isWrite = false;
    double sum = 0;  ///< MB/s
    std::uint64_t count = 0;
};

/// Records of the samplers of a device.
struct DeviceSamples {
    std::int64_t device = 0;
    std::int64_t begin = 0;             ///< Begin of the collection: timelines and databases leave out what was before.
    std::int64_t monotonicBegin = 0;    ///< The same by the host's monotonic clock, ns.
    bool countsWrites = false;          ///< LLC: else reads.
    std::vector<std::string> qosNames;  ///< At most as many as a sample has rates.
    std::vector<LlcSample> llc;         ///< By cache, then time.
    std::vector<MemoryTraffic> hbm;     ///< Not filled by an import.
    std::vector<DdrSample> ddr;         ///< This and the next ones by time.
    std::vector<HccsSample> hccs;
    std::vector<PcieSample> pcie;
    std::optional<PcieSample> lastPcie;  ///< Also one without a bandwidth, which `pcie` leaves out.
    std::vector<PortSample> nic, roce;
    std::vector<QosSample> qos;
    std::vector<AcceleratorSample> accelerators;  ///< By time, then accelerator.
    std::vector<DieLinkSample> dieLinks;          ///< This and the next two in the order of the records.
    std::vector<ChipLevelSample> chipLevels;
    std::vector<ChipLinkSample> chipLinks;
    std::vector<NpuMemorySample> memory;
    std::vector<ModuleMemorySample> modules;
    std::vector<StreamMark> marks;
    bool hasOperators = false;       ///< The host described any, of which counters of tasks may be.
    bool knowsHits = false;          ///< Whether the chip counts hits of the L2 cache rightly.
    std::vector<TaskShares> caches;  ///< Shares of the L2 cache. This and the next ones in the order of the records.
    std::vector<TaskShares> translations;  ///< Shares of translations of addresses.
    std::vector<TaskPageFaults> pageFaults;
    std::vector<AicpuKernel> aicpuKernels;  ///< Once joined with the host: by begin.
    std::vector<QueueAction> queueActions;
    std::vector<QueueWait> queueWaits;
    std::vector<IterationRecord> iterations;  ///< By end.
    std::vector<ReductionRecord> reductions;  ///< By model, then iteration.
    /// Two reductions of one iteration begin at the same count: the vendor's files have none of the device then.
    bool hasEqualReductions = false;
    std::vector<DataFetchRecord> dataFetches;
    std::uint64_t firstReduction = 0;  ///< Numbers of reductions go on from device to device of a folder.
};

}  // namespace altiscope
