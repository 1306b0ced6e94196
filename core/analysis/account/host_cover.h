#pragma once

#include "core/analysis/support/account_facts.h"
#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

/// A part of a time that has one cause. `slice` is what covers it; kNoSlice: nothing does.
struct CausePiece {
    Cause cause = Cause::Unknown;
    TimeRange range;
    SliceIndex slice = kNoSlice;
};

/// What the host did at a time. Constant; the trace must outlive it.
class HostCover {
public:
    /// O(slices of the host).
    HostCover(const TraceStore& trace, const CancelToken& cancel);

    /// Cuts a time of a thread into what covers it: collection of garbage, on whatever thread; compilation, loader,
    /// checkpoint, synchronisation; else the innermost slice. What nothing covers has the cause Unknown. The pieces
    /// are appended in no order and add up to the time.
    /// @param track  Of the thread; those of other processes that show the same thread count too.
    /// @param other  Another thread's, that is looked at where this one did nothing; or the same.
    /// O(slices in that time * log).
    void cut(TimeRange time, std::uint32_t track, std::uint32_t other, std::vector<CausePiece>& pieces) const;

    /// ns of a time that a cause covers, as cut() would find it; of Gc, Compile, DataLoading and Checkpoint. Of Host
    /// what calls for memory of the device cover.
    std::int64_t covered(Cause cause, TimeRange time, std::uint32_t track) const;
    /// Whether the trace has any slice of a cause.
    bool has(Cause cause) const;
    /// The slices of a cause that lie in a time at least in part, with their cause; appended.
    void slicesOf(Cause cause, TimeRange time, std::uint32_t track, std::vector<CausePiece>& pieces) const;

private:
    struct Special {
        Cause cause;
        std::uint32_t thread;            // place in m_threads; kEvery: stops all
        std::vector<CausePiece> pieces;  // disjoint, by begin
    };
    static constexpr std::uint32_t kEvery = 0xffffffffU;

    std::uint32_t threadOf(std::uint32_t track) const { return m_threadOfTrack[track]; }
    void cutSpecial(std::uint32_t thread, std::vector<TimeRange>& rest, std::vector<CausePiece>& pieces) const;
    void cutInnermost(std::uint32_t thread, std::vector<TimeRange>& rest, std::vector<CausePiece>& pieces) const;

    const TraceStore& m_trace;
    std::vector<std::uint32_t> m_threadOfTrack;
    std::vector<std::vector<std::uint32_t>> m_tracksOfThread;  // CANN first, then the framework, then stacks
    const std::vector<Special>& specialsOf(Cause cause) const {
        return cause == Cause::Host ? m_memoryCalls : m_specials;
    }
    std::vector<Special> m_specials;     // in the order in which they take a time
    std::vector<Special> m_memoryCalls;  // of Host
    StringId m_firstStep, m_afterSteps;
};

}  // namespace altiscope
