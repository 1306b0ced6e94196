#pragma once

#include "core/analysis/support/capture_facts.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope {

// What transfers lose by their packets, by packets that were lost, and beside multiplications of matrices. Source:
// core/analysis/FORMULAS.md section B. Pure functions.

/// What transfers are held against; bandwidths in bytes/ns.
struct TransferLimits {
    double smallPacketBytes = 1048576;
    double fastBandwidth = 18, networkBandwidth = 20;  ///< Of large packets within a host; of RDMA.
    double lostPacketNs = 4e9;                         ///< A timeout of the network.
    double contendedShare = 0.8;  ///< Of the bandwidth alone; less of it beside multiplications is contention.

    double bandwidth(std::string_view transport) const {
        return transport == "RDMA" ? networkBandwidth : fastBandwidth;
    }
};

/// What is lost in each step, ns.
using StepLosses = std::map<std::optional<std::int64_t>, double>;

/// What aligned packets reach, bytes/ns by transport; of packets that are not small.
std::map<std::string, double> alignedBandwidths(std::span<const RankFacts> ranks, const TransferLimits& limits);

/// Packets larger than 512 bytes and no multiple of it, but those of RDMA; ns.
struct UnalignedPackets {
    StepLosses lost;
    std::int64_t count = 0, time = 0;
    std::int64_t all = 0;  ///< Time of all packets but those of RDMA.
};
/// @param reached  As alignedBandwidths. What small packets lose is not in it.
UnalignedPackets unalignedPackets(const RankFacts& rank, const std::map<std::string, double>& reached,
                                  const TransferLimits& limits);

/// Which collectives waited for packets that were lost: those that took so long on all ranks of their group that are
/// here.
class LostPackets {
public:
    LostPackets(std::span<const RankFacts> ranks, const TransferLimits& limits);

    std::vector<const LongCollective*> of(const RankFacts& rank) const;
    /// ns that one of them took longer than its data does.
    double lossOf(const LongCollective& one) const;
    StepLosses lossesOf(const RankFacts& rank) const;

private:
    /// A group in one step, of a recording.
    using GroupStep = std::tuple<std::uint32_t, std::string, std::optional<std::int64_t>>;

    TransferLimits m_limits;
    std::map<std::pair<std::uint32_t, std::string>, std::size_t> m_sizes;  // ranks that are here
    std::map<GroupStep, std::size_t> m_longOn;                             // ranks
};

/// Whether collectives of a type are slower beside multiplications than alone.
bool isContended(const ContentionFacts& facts, const TransferLimits& limits);
/// What they lose, ns by index in RankFacts::steps; no more than what of them is exposed.
std::vector<std::int64_t> contentionLosses(const ContentionFacts& facts);

}  // namespace altiscope
