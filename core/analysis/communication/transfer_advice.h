#pragma once

#include "core/analysis/communication/collective_set.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// What a rank's transfers could do better, with the values that say so. Source: core/analysis/FORMULAS.md section B.
struct TransferAdvice {
    enum class Kind : std::uint8_t {
        Alignment,  ///< Packets but those of RDMA that are larger than 512 B and no multiple of it.
        /// Packets below kSmallPacket, of RDMA below kSmallRemotePacket, if they take more than a fifth of the time of
        /// all.
        SmallPackets,
        /// Collectives that take 4 s at least on every rank, while a rank's RDMA takes more: packets were lost.
        Retransmission,
        Contention,  ///< Collectives below 14.4 GB/s that ran beside a matrix multiplication on the device.
    };
    static constexpr std::size_t kKinds = 4;
    enum class Priority : std::uint8_t {
        Low,
        Medium,
        High
    };  ///< High from a share of 0.7 on, low below 0.2; what was lost is high.

    Kind kind = Kind::Alignment;
    Priority priority = Priority::Low;
    std::size_t row = 0;              ///< Index in CollectiveSet::ranks.
    std::uint64_t operators = 0;      ///< Collectives that are concerned.
    std::int64_t packets = 0;         ///< 0: unknown.
    std::int64_t size = 0, time = 0;  ///< Bytes, ns, of these packets or of these collectives' SDMA or RDMA.
    std::optional<double> share;      ///< Of the time of all packets, or of all SDMA.
    std::uint32_t worst = 0;          ///< The item with the most of that time.

    static constexpr std::int64_t kAlignedBytes = 512, kLostPacketNs = 4'000'000'000;
    /// Bytes; as the rule small_packets by default. The vendor's 16 MB and 1 MB are of what a whole collective moved;
    /// packets are smaller.
    static constexpr std::int64_t kSmallPacket = 1'048'576, kSmallRemotePacket = 524'288;
    static constexpr double kSmallShare = 0.2, kHighShare = 0.7;
    /// Bytes per ns that large packets reach within a host and over the network; as the rules by default.
    static constexpr double kUsualBandwidth = 18, kUsualRemoteBandwidth = 20;
    /// Bytes per ns, of what HCCS reaches with large packets; of one generation of chips.
    static constexpr double kContendedBandwidth = 0.8 * 18;
};

/// What was found in the transfers of a set of collectives, and how many ranks could be judged.
struct TransferAdvices {
    std::vector<TransferAdvice> found;
    /// By kind: ranks that state what it takes to judge them by it. Alignment: packets but those of RDMA; small
    /// packets: any; retransmission: a time of RDMA; contention: kernels, and a collective with its begin that moved
    /// enough by SDMA to have a bandwidth.
    std::array<std::size_t, TransferAdvice::kKinds> judged{};
};

/// Of the collectives of a set.
/// @param transfers  Rows of bandwidths and packets, as CollectiveSet::ranks; null: none.
/// @return By priority, then time, the largest first; nothing if cancelled. Any thread; parallel over ranks on the
///         arena. O((rows + kernels) * log).
/// @note   The vendor's rules judge small packets by what a whole collective moved, and contention by transfers of any
///         size; here packets are judged by their own size, and transfers below LinkSum::kSmallTransfer, which never
///         reach a bandwidth, are left out.
TransferAdvices transferAdvice(const CaptureStore& capture, const CollectiveSet& set,
                               const std::vector<const RowTables*>& transfers, const CancelToken& cancel);

}  // namespace altiscope
