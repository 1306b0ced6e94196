#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/files/profiler_info.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::reader {

/// Times beyond are no times of a run: 1970 to 2115.
inline constexpr std::int64_t kMaxRawWallNs = std::int64_t{1} << 62;

/// A counter, and a moment of the host's monotonic clock at which its value is known, on the way to wall time. Source:
/// core/import/raw_records/FORMAT.md. Exact: every value is a fraction that is cut to
/// whole ns once.
class RawClock {
public:
    /// @param hertz       Counts per second, 1 to 10^12. 10^9: counts are ns.
    /// @param start       Count at the moment.
    /// @param wallNs      Wall time of the moment, whole ns since 1970.
    /// @param lateCounts  So many counts of a clock of `lateHertz` later.
    RawClock(std::uint64_t hertz, std::uint64_t start, std::int64_t wallNs, std::int64_t lateCounts = 0,
             std::uint64_t lateHertz = 1);

    /// Wall time in ns; nullopt where it is too far from now to be one.
    std::optional<std::int64_t> wall(std::uint64_t count) const {
        // A count of most clocks is some whole ns, and there is no fraction to add up.
        std::int64_t ns = 0;
        if (m_nsPerCount == 0 ||
            __builtin_mul_overflow(static_cast<std::int64_t>(count - m_start), m_nsPerCount, &ns) ||
            __builtin_add_overflow(ns, m_wallNs, &ns))
            return exactWall(count);
        return ns > 0 && ns < kMaxRawWallNs ? std::optional(ns) : std::nullopt;
    }

private:
    std::optional<std::int64_t> exactWall(std::uint64_t count) const;

    std::uint64_t m_hertz;
    std::uint64_t m_start;
    std::int64_t m_wallNs;
    std::int64_t m_lateRest = 0;  ///< Fraction of a ns, in parts of 1 / m_lateHertz ns.
    std::uint64_t m_lateHertz;
    std::int64_t m_nsPerCount = 0;  ///< 0: no whole number.
};

/// Settings in the small files of a PROF folder's host, or of one of its devices.
struct RawSettings {
    std::optional<std::uint64_t> hostHertz, deviceHertz;  ///< Rates of the counters; host: nullopt if stamps are ns.
    std::int64_t hostMonotonic = 0;                       ///< ns, at the count hostCount.
    std::uint64_t hostCount = 0;
    std::int64_t hostDifference = 0;  ///< Counts of the host.
    std::optional<std::uint64_t> deviceCount;
    std::optional<std::int64_t> deviceMonotonic;  ///< ns of the device's clock, at the count deviceCount.
    std::int64_t wallBegin = 0;                   ///< Begin of the collection: ns since 1970 ...
    std::int64_t monotonicBegin = 0;              ///< ... and of the monotonic clock.
    std::int64_t wallEnd = 0;                     ///< 0 if nothing says it.
    std::string platform;                         ///< Number of the chip's generation; empty if nothing says it.
    std::int64_t process = 0;
    std::string hostId, hostName, processName;  ///< Empty if nothing says it.
    /// Metrics of the cores of a device, see raw_metrics.h: which, by the slots of records, on how many cores.
    std::string coreMetrics, vectorMetrics;
    std::vector<std::uint32_t> coreEvents, vectorEvents;
    std::int64_t cores = 0, vectorCores = 0;
    std::uint64_t coreHertz = 0;    ///< 0: not stated.
    std::int64_t memoryKinds = 0;   ///< Number of kinds of HBM transfers that were counted: read, write.
    bool isVersion2 = false;        ///< The collection has other records of HBM, LLC and memory.
    bool pairsStreamMarks = false;  ///< CANN 9.1 and later: marks of streams say whether they are one of two.
    std::string cacheMode;          ///< Accesses of LLC that were counted: "read", "write"; else none.
    std::vector<std::string> qosNames;
    /// Events of the counters of tasks, by the slots of records: L2 cache, translation of addresses.
    std::vector<std::uint32_t> cacheEvents, translationEvents;
    bool isLevelZero = false;  ///< The profiler's level 0: names of operators only.
    bool hasClock = false;     ///< Times can be computed.

    RawClock hostClock() const;
    RawClock deviceClock() const;
    /// Wall time of the device's start by the host's clock, ns; at most kMaxRawWallNs from 1970.
    std::int64_t deviceStart() const;
    /// A count of the device as the vendor's tables keep it: ns of the host's monotonic clock, to thousandths, as the
    /// double that is the sum of the decimal digits. Exact where a count is a whole number of ns and the host is up for
    /// less than 2^53 ns (104 days); not a number where it is no time.
    /// Source: core/import/raw_records/FORMAT.md, "Fractions of ns".
    double deviceReal(std::uint64_t count) const;
    /// Wall time of such a real, or of the end of what lasts `length` ns from there, cut to whole ns once millionths
    /// were rounded, as the vendor's program does it; nullopt where it is none.
    std::optional<std::int64_t> wallOfReal(double monotonic, double length = 0) const;
    /// Whether reals of counts up to this one are exact, so that deviceClock gives the same times.
    bool hasExactReals(std::uint64_t maxCount) const;
    /// Wall time of a sample so many microseconds after the device's start, ns; nullopt where no run has it.
    std::optional<std::int64_t> wallOfSample(std::uint64_t microseconds) const;
    /// Wall time of a time of the device's monotonic clock, ns; nullopt where nothing says how that went.
    std::optional<std::int64_t> wallOfDevice(std::int64_t monotonic) const;
};

/// Reads info.json, sample.json, start_info, end_info, host_start.log and dev_start.log of a folder.
/// @param suffix  Of the file names: empty for the host, ".N" for a device.
/// "raw.no_clock" (lost) names the folder if a file without which no time is known is missing or says nothing. Faults
/// of info.json are not reported again: see rawIdentity.
RawSettings readRawSettings(const std::filesystem::path& folder, const std::string& name, const std::string& suffix,
                            Diagnostics& diagnostics);

/// Whether the clocks that a device's folder states of the host are those of the host's folder, within 10 s.
bool hasSameHostClock(const RawSettings& device, const RawSettings& host);

/// A wall time in ns as a real of the vendor's tables keeps it: to the next 256 ns in these years. nullopt where it is
/// none.
std::optional<std::int64_t> rawRealTime(std::int64_t exact);

/// Log that a chip writes about its tasks. Source: core/import/raw_records/FORMAT.md, reference D.
enum class RawTaskLog : std::uint8_t {
    None,   ///< None that is read.
    Stars,  ///< Chips of type 5, among them 910B and 910_93.
    Hwts,   ///< Chips of types 1 to 4: 910 and those with vector cores.
};
RawTaskLog rawTaskLog(const std::string& platform);

}  // namespace altiscope::reader
