#pragma once

#include "core/base/values/cancel.h"
#include "core/import/raw_host/raw_host.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Adds a time. Sums of any records stay where sums and differences of a few are numbers.
inline void addRawTime(std::int64_t& sum, std::int64_t ns) { sum = std::min(sum + ns, std::int64_t{1} << 60); }

/// When a task ran as the vendor's tables keep it, see RawSettings::deviceReal: sums are made of these. Where a count
/// is a whole number of ns they are whole, and equal to begin and end.
struct RawRealTime {
    double begin = 0, length = 0;  ///< ns; begin from any moment that all of a device share.
    double end() const { return begin + length; }
};

/// A task of a device that the host launched for collectives.
struct RawCollectiveTask {
    std::size_t task = 0;             ///< Number in RawHost::tasks.
    std::int64_t begin = 0, end = 0;  ///< Wall time in ns.
    std::uint64_t number = 0;         ///< Any that tells tasks apart.
    RawRealTime real{};
};

/// A part of a collective as a device ran it.
struct RawPartRun {
    std::uint32_t part = 0;  ///< Index in RawHost::collectiveParts.
    std::int64_t begin = 0, end = 0;
    std::uint32_t replay = 0;  ///< How often the host's task has run, from 1.
    std::uint64_t number = 0;  ///< Number of the task.
    double rate = 0;           ///< GB/s; of payloads over RDMA that of their run.
    RawRealTime real{};
    std::size_t place = 0;  ///< By launch, among all parts of the device.

    std::int64_t duration() const { return end - begin; }
};

/// A collective as a device ran it: all parts of one name.
struct RawCollectiveRun {
    std::uint32_t collective = 0;  ///< Number in RawHost::collectives.
    std::uint32_t replay = 0;
    std::string name;         ///< "hcom_allReduce__626_0_1"
    std::uint64_t group = 0;  ///< Hash.
    bool hasGroup = false;
    bool hasMaster = false;           ///< Else it has no begin and no end.
    std::int64_t begin = 0, end = 0;  ///< Span of the tasks of its master stream.
    RawRealTime real{};               ///< Likewise.
    std::uint32_t masterPlane = 0;
    std::vector<RawPartRun> parts;  ///< By begin, or by launch, see rawCollectives.
};

/// Runs of the host's collectives on a device, by begin. O(n log n).
/// @param tasks      Those of one device, by begin.
/// @param wallBegin  Collectives before it are not counted in names.
/// @param isNewer    Whether the vendor's newer program reads the chip. The older one lists parts by launch, and
///                   divides both bytes and ns by 10^9 before it divides one by the other.
/// Source: FORMAT.md.
std::vector<RawCollectiveRun> rawCollectives(const RawHost& host, std::span<const RawCollectiveTask> tasks,
                                             std::int64_t wallBegin, const CancelToken& cancel = {},
                                             bool isNewer = true);
/// How many parts of tasks are in none of them: a few tasks and parts can name each other many times over, which no
/// memory would hold.
std::uint64_t rawExcludedParts(const RawHost& host, std::span<const RawCollectiveTask> tasks);

/// Whose bytes go a way: nothing for tasks that move none between devices.
enum class RawTransport : std::uint8_t { Rdma, Hccs, Pcie, Sdma, Sio };
inline constexpr std::size_t kRawTransports = 5;
std::string_view rawTransportName(RawTransport transport);

/// How many packets of one size went one way.
struct RawPackets {
    std::uint64_t size = 0, count = 0;
    std::int64_t time = 0;    ///< ns
    double milliseconds = 0;  ///< Here and below: `time`, added up as the text export does.
    std::size_t first = 0;    ///< Index of the first one among the packets of its transport.
};
/// Traffic of a collective one way.
struct RawTraffic {
    std::uint64_t bytes = 0;
    std::int64_t time = 0;  ///< ns
    double megabytes = 0, milliseconds = 0;
    std::uint64_t packets = 0, largePackets = 0;
    std::vector<RawPackets> sizes;  ///< By size.
};
/// Traffic of a collective from one rank to another.
struct RawLink {
    std::uint32_t source = 0, target = 0;  ///< Ranks of the group.
    std::string_view transport;            ///< Empty: a kind that has no word.
    std::uint64_t bytes = 0;
    std::int64_t time = 0;  ///< ns
    double megabytes = 0, milliseconds = 0;
    std::size_t first = 0;  ///< Ascends in the order in which links first occurred.
    /// A transfer of the sum; they stand in the order in which they were added up.
    struct Transfer {
        std::uint32_t plane;
        double megabytes, milliseconds;
        std::string_view transport;
    };
    std::vector<Transfer> transfers{};
};
/// The numbers of communication.json and communication_matrix.json for one collective; times in ns.
struct RawCollectiveTimes {
    std::int64_t begin = 0, elapsed = 0, transit = 0, wait = 0, synchronization = 0, idle = 0;
    /// Sums of milliseconds, and of how many times.
    struct Sum {
        double milliseconds = 0;
        std::uint64_t count = 0;
        void add(double ns) {
            milliseconds += ns / 1e6;
            ++count;
        }
    };
    Sum transits, waits, synchronizations;
    double elapsedMilliseconds = 0;
    RawTraffic traffic[kRawTransports];  ///< Sdma: with all that is no RDMA.
    std::vector<RawLink> links;          ///< By source, then target.
    std::vector<std::uint32_t> planes;   ///< In the order in which they first occur.
};
/// Source: FORMAT.md.
/// @param withTransfers  Fills RawLink::transfers.
RawCollectiveTimes rawCollectiveTimes(const RawHost& host, const RawCollectiveRun& run, bool withTransfers = false);

/// The words of the text export; numbers that have none as such.
std::string rawHcclType(std::uint32_t type);
std::string rawLinkName(std::uint32_t link);
std::string rawTransportWord(std::uint32_t transport);

}  // namespace altiscope::reader
