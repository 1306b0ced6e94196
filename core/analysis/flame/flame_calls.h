#pragma once

#include "core/analysis/kernels/layer_sums.h"
#include "core/analysis/slices/slice_details.h"
#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Which calls of the host make a flame graph.
enum class FlameSource : std::uint8_t {
    Calls,   ///< Lines of Python, operators within them, and the calls of CANN within these: all that a thread did.
    Python,  ///< The same without CANN.
    Cann,    ///< Calls of CANN alone.
};

/// What stands between the root and the calls.
enum class FlameSplit : std::uint8_t { None, Rank, Thread };

/// Tracks of one thread of a rank, outermost first: what a track shows is called by what the ones before it show then.
struct FlameThread {
    RankIndex rank{};  ///< It has a trace.
    std::vector<TrackIndex> tracks;
    bool operator==(const FlameThread&) const = default;
};

/// Which part of a capture a flame graph is made of. All ranks and threads are of `capture`.
struct FlameQuery {
    std::shared_ptr<const CaptureStore> capture;
    std::vector<RankWindow> ranks;  ///< Each once. A slice belongs if it touches one of its rank's times.
    std::vector<FlameThread> threads;
    FlameSplit split = FlameSplit::None;
};

/// The threads of those ranks that have calls of a kind. Call stacks that were recorded as arguments count where lines
/// of Python are not among the operators themselves. O(tracks log tracks), O(slices) to look for such lines.
std::vector<FlameThread> flameThreads(const CaptureStore& capture, const std::vector<RankWindow>& ranks,
                                      FlameSource source);

/// Calls of one function by one path of callers, over all threads, in ns.
struct CallNode {
    std::uint32_t parent = 0;  ///< Smaller than its own number; of the root 0.
    std::uint32_t name = 0;    ///< In FlameCalls::names.
    std::uint32_t depth = 0;
    std::uint64_t calls = 0;
    /// Time within the times of the query, without what it called: of a track its length without the union of its
    /// direct children, and without what the inner tracks of the thread show in it. Not below 0.
    std::int64_t self = 0;
    std::int64_t total = 0;      ///< `self` of it and of all that it called: each moment of a thread counts once.
    std::uint64_t tasks = 0;     ///< Of the device, that its calls launched themselves.
    std::int64_t device = 0;     ///< Their lengths, whole.
    std::uint64_t allTasks = 0;  ///< With those of all that it called.
    std::int64_t allDevice = 0;
    SliceRef longest{0, kNoSlice};  ///< The longest call, the first of several; of a split kNoSlice.
};

/// Calls of the host as a tree of functions. Constant.
///
/// A task of the device belongs to one call: the innermost operator that a flow leads from; else the operator that put
/// it into the framework's queue, where the call of CANN that launched it runs in that queue; else the call of CANN.
/// Names are those of the slices, but addresses ("0x7f0c") read "0x...", and steps "ProfilerStep#", so that the same
/// call of different ranks and steps is one.
struct FlameCalls {
    /// Deeper calls and further nodes are part of what called them: `folded` says how many slices that are.
    static constexpr std::uint32_t kMaxDepth = 1024, kMaxNodes = 1U << 21;

    std::shared_ptr<const CaptureStore> capture;
    std::vector<CallNode> nodes;  ///< The first is the root: all threads.
    std::vector<std::string> names;
    std::uint64_t folded = 0;
    std::uint64_t slices = 0;   ///< Calls in all.
    std::uint64_t threads = 0;  ///< That have any.

    std::string_view name(std::uint32_t node) const { return node == 0 ? std::string_view() : names[nodes[node].name]; }
};

/// @return Null if cancelled.
/// @note Any thread; parallel over threads on the arena. O(slices * log depth + flows * log slices); 4 bytes of memory
/// for each slice.
std::shared_ptr<const FlameCalls> flameCalls(const FlameQuery& query, const CancelToken& cancel);

/// "ProfilerStep#", "<built-in method add of type object at 0x...>": how a call's name reads in a flame graph.
std::string flameName(std::string_view name);

}  // namespace altiscope
