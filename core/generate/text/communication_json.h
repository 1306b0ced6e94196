#pragma once

#include "core/base/text/text_buffer.h"
#include "core/generate/records/allocator_states.h"
#include "core/generate/records/unit_record.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace altiscope::generate {

/// Packets of one size on one transport.
struct PacketTally {
    std::uint64_t count = 0;
    std::int64_t ticks = 0;
};

/// Data moved over one transport.
struct TransportTally {
    std::uint64_t bytes = 0;
    std::int64_t ticks = 0;                        ///< Over all planes, of DeviceTime.
    std::map<std::uint64_t, PacketTally> packets;  ///< By bytes.
};

/// What communication.json says of one collective, or of all of a step.
struct CollectiveSummary {
    std::string name;                                                ///< "hcom_...@hash"; empty for totals.
    CollectiveOperation operation = CollectiveOperation::AllReduce;  ///< Not of totals.
    TimeNs start;
    std::int64_t elapsed = 0, transit = 0, wait = 0, synchronization = 0;  ///< Ticks of DeviceTime; on the main plane.
    std::array<TransportTally, 3> transports;                              ///< By Transport.

    void add(const CollectiveSummary& other);
};

/// Data that one collective moved over one link.
struct LinkTransfer {
    std::string opName;  ///< Without group.
    std::uint64_t bytes = 0;
    std::int64_t ticks = 0;
};

struct LinkKey {
    std::uint32_t group = 0;
    CollectiveOperation operation = CollectiveOperation::AllReduce;
    std::uint32_t source = 0;  ///< Local ranks.
    std::uint32_t target = 0;
    Transport transport = Transport::Local;
    auto operator<=>(const LinkKey&) const = default;
};

/// Collectives of (a part of) a step of one rank.
struct StepCommunication {
    std::vector<CollectiveSummary> collectives;  ///< In launch order.
    std::map<LinkKey, std::vector<LinkTransfer>> links;

    void add(StepCommunication&& other);
};

/// Sums up the collectives of a unit. The main plane is that of the first peer.
StepCommunication communicationOf(const Run& run, const UnitRecord& record);

/// Totals have bandwidths in the files of a cluster, and none in those of a rank.
enum class TotalBandwidth : std::uint8_t { Left, Shown };

/// `{"Communication Time Info": ..., "Communication Bandwidth Info": ...}` of one collective or, without a name, of
/// totals.
void addCollectiveSummary(const CollectiveSummary& summary, TotalBandwidth bandwidth, TextBuffer& out);
/// `"0-1": {"Transport Type": ...}`, with a comma before it unless it is the first one.
void addMatrixLink(const LinkKey& key, const LinkTransfer& call, bool first, TextBuffer& out,
                   Framework framework = Framework::Torch);
/// `"step5": {"p2p": {...}, "collective": {...}}` of communication.json.
void addCommunicationStep(std::uint64_t step, const StepCommunication& communication, TextBuffer& out);
/// The same of communication_matrix.json: per link the calls by bandwidth (top1, middle, bottom1..3) and their total.
void addMatrixStep(const Run& run, std::uint64_t step, const StepCommunication& communication, Framework framework,
                   TextBuffer& out);

}  // namespace altiscope::generate
