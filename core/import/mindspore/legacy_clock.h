#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// Slices of a legacy timeline by name and begin. Constant; any thread.
class LegacySlices {
public:
    /// O(slices * log).
    explicit LegacySlices(const TraceStore& trace);

    using Slice = std::pair<std::int64_t, std::uint32_t>;  ///< Begin in ns, number.
    /// In ascending order; empty if there is none of that name. Lists of kernels have names with their scope
    /// ("Default/network/Mul-op1"), of which the timeline has the end alone. O(log slices).
    std::vector<Slice> named(std::string_view name) const;
    /// The slice of a name that begins within `tolerance` of `begin`: the one with the nearest begin, then the nearest
    /// duration.
    std::optional<std::uint32_t> nearest(std::string_view name, std::int64_t begin, std::int64_t duration,
                                         std::int64_t tolerance) const;
    const TraceStore& trace() const { return m_trace; }

private:
    struct Entry {
        StringId name;
        Slice slice;
    };
    std::optional<StringId> idOf(std::string_view name) const;
    std::pair<std::vector<Entry>::const_iterator, std::vector<Entry>::const_iterator> entriesOf(StringId name) const;

    const TraceStore& m_trace;
    std::vector<Entry> m_entries;
};

/// Something that a file beside the timeline lists too, on the clock of the system's start.
struct LegacyEvent {
    std::string name;
    std::int64_t ts = 0, dur = 0;  ///< ns
    std::uint64_t row = 0;         ///< Row in its file.
};

/// Events that one file beside the timeline lists.
struct LegacyEvents {
    std::string file;
    bool isKernels = false;  ///< The list of kernels.
    /// ns by which a start may be off: half of the last printed digit, and the timeline's own rounding.
    std::int64_t tolerance = 1;
    std::vector<LegacyEvent> events;
};

/// Where the timeline of a rank of MindSpore up to 2.3 counts from. These timelines count from the first event that
/// they show, other files of the rank from the start of the system.
struct LegacyClock {
    enum class Fit : std::uint8_t {
        Unknown,  ///< No file has anything that the timeline has too, and none states the origin.
        Agrees,
        Differs,  ///< No origin puts what both have on its slices: the files are not of one recording.
    };
    Fit fit = Fit::Unknown;
    std::int64_t origin = 0;  ///< ns: time of the timeline + origin = time of the other files. 0 unless they agree.
    std::int64_t kernelTolerance = 1;  ///< LegacyEvents::tolerance of the list of kernels.

    /// Events of a file that have no slice although the clock agrees, by file; or all of it where it differs.
    struct Unmatched {
        std::string file;
        std::uint64_t row = 0;  ///< Row of the first.
        std::uint64_t count = 0;
        /// The files that agree do not make this one agree: most of what lies within the timeline, and has a name that
        /// the timeline has, is on no slice of it. It is of another recording.
        bool differs = false;
    };
    std::vector<Unmatched> unmatched;

    /// Whether the times of a file cannot be brought to the timeline's clock.
    bool differs(std::string_view file) const;
};

/// Finds the origin at which most of what the files list lies on slices of its name, and checks it with everything that
/// they list.
/// @param hints  Origins that files state (min_cycle_counter); they count only where nothing can be compared.
/// Source: core/import/mindspore/FORMAT.md section 3. O(events * log slices).
LegacyClock legacyClock(const std::vector<LegacyEvents>& files, const std::vector<std::int64_t>& hints,
                        const LegacySlices& slices);

}  // namespace altiscope::reader
