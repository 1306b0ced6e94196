#pragma once

#include "core/base/values/time.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

/// Who wrote the timeline: the profiler of a framework, CANN alone, or any program that writes Chrome trace events.
enum class Framework : std::uint8_t { Torch, MindSpore, Cann, Chrome };
std::string_view frameworkName(Framework framework);  ///< "torch", "mindspore", "cann", "chrome"

/// Source that a rank is read from: text files, a timeline database, raw records, or the results of a cluster analysis.
enum class SourceKind : std::uint8_t { Text, Db, Raw, Cluster };
std::string_view sourceKindName(SourceKind kind);  ///< "text", "db", "raw", "cluster"

/// How much of a rank is in the store.
enum class RankState : std::uint8_t {
    Ok,       ///< Everything that its files hold.
    Partial,  ///< Some data of its files was lost (see the diagnostics).
    Raw,      ///< Only raw data that is not read (of another chip): it needs analysing first.
    Listed,   ///< Found, nothing of it read (yet).
};
std::string_view rankStateName(RankState state);  ///< "ok", "partial", "raw", "listed"

/// Something that the capture does not hold, and the collection switch that would have recorded it.
struct MissingData {
    /// "timeline", "memory", "communication", "l2_cache", "stacks", ...: also a catalogue code "missing.<what>".
    std::string what;
    std::string switchName;  ///< Name of the profiler option, e.g. "profile_memory".
};

/// Who a rank is and where it came from; the part that is known before its trace is read.
struct RankInfo {
    std::optional<std::int64_t> rankId;    ///< Number in the job; nullopt if no source states it.
    std::optional<std::int64_t> deviceId;  ///< NPU on its host.
    std::string host;
    Framework framework = Framework::Torch;
    SourceKind source = SourceKind::Text;
    std::string path;  ///< The rank folder (or file), relative to the capture; "." for the capture itself.
    /// Where several ranks have one number, or without a number one folder name: what distinguishes this one, of its
    /// path or, where those are equal, its NPU or host. Else empty.
    std::string place;
    RankState state = RankState::Listed;
    /// Size of the files that are read, timeline and summaries; what reading them costs goes by this.
    std::uint64_t traceBytes = 0;
    std::vector<std::string> present;  ///< Kinds of data that were found: same words as MissingData::what.
    std::vector<MissingData> missing;
    std::vector<std::string> alternatives;  ///< Other sources of the same rank that were not taken, relative paths.
    /// Key (nested keys joined by '.') and value, in file order.
    std::vector<std::pair<std::string, std::string>> metadata;
    std::string alias{};  ///< Name that the user gave it, for titles alone; no file holds it. Empty: none.
};

/// Corrections of a rank by the user, where its files say nothing or something wrong.
struct RankCorrection {
    std::optional<std::int64_t> rankId;  ///< Its number in the job.
    std::string source;                  ///< One of RankInfo::alternatives, to be read instead; empty: as always.

    bool empty() const { return !rankId && source.empty(); }
};
/// By RankInfo::path.
using RankCorrections = std::map<std::string, RankCorrection>;

/// A training iteration or a period marked by the user.
struct Step {
    std::int64_t number = 0;
    std::optional<TimeRange> range;  ///< nullopt if only the number is known.
    bool isOfDevice = false;         ///< Iteration of a graph: its range is time of the device.
};

}  // namespace altiscope
