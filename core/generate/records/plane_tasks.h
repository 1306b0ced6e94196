#pragma once

#include "core/base/values/time.h"
#include "core/generate/model/run_plan.h"
#include "core/generate/model/unit_program.h"
#include "core/generate/records/run_schedule.h"

#include <cstdint>
#include <vector>

namespace altiscope::generate {

enum class Transport : std::uint8_t { Local, Hccs, Rdma };
enum class PlaneTaskKind : std::uint8_t { Memcpy, ReduceInline, NotifyRecord, NotifyWait };

/// One of the small operations that a collective consists of.
struct PlaneTask {
    TimeNs start;
    DeviceTime duration;
    PlaneTaskKind kind = PlaneTaskKind::Memcpy;
    Transport transport = Transport::Local;
    std::uint32_t plane = 0;    ///< 0: inside the device; then one per peer.
    std::uint32_t peer = 0;     ///< Local rank at the other end; the own one on plane 0.
    std::uint32_t context = 0;  ///< Number within the collective.
    std::uint64_t bytes = 0;
};

/// How a collective of one rank ran.
struct CollectiveView {
    std::uint32_t group = 0;
    std::uint32_t localRank = 0;
    TimeNs start;  ///< This rank arrived.
    TimeNs end;
    std::uint64_t bytes = 0;  ///< Payload of the whole operation.
    std::uint64_t noiseKey = 0;
    std::uint32_t packets = 1;               ///< Pieces that each transfer is cut into.
    std::uint32_t slowest = 1;               ///< How many times slower the group's slowest link is.
    std::vector<std::uint32_t> peerFactors;  ///< By place among the peers, if one is slower than another.
    CollectiveOperation operation = CollectiveOperation::AllReduce;
};

/// The small operations of a collective as this rank sees it, by start, within [view.start, view.end]. All begin with a
/// handshake, in which a rank waits for whoever comes last. A ring-and-mesh all-reduce goes on with reduce-scatter,
/// handshake, all-gather, handshake; an exchange with copies to all others and a handshake; a sender moves the data,
/// tells the receiver and waits until it has copied them; a receiver waits for them and copies them.
std::vector<PlaneTask> planeTasks(const PlannedGroup& group, const Membership& place, const CollectiveView& view,
                                  const CollectiveTiming& timing);

}  // namespace altiscope::generate
