#pragma once

#include "core/analysis/collective_set.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// What a rank's transfers could do better, with the values that say so. Source: analysis-features section B.
struct TransferAdvice {
    enum class Kind : std::uint8_t {
        Alignment,       ///< Packets but those of RDMA that are larger than 512 B and no multiple of it.
        SmallPackets,    ///< Packets below 1 MiB, of RDMA below 512 KiB, if they take more than a fifth of the time of all.
        Retransmission,  ///< Collectives that take 4 s at least on every rank, while a rank's RDMA takes more: packets were lost.
        Contention,      ///< Collectives below 14.4 GB/s that ran beside a matrix multiplication on the device.
    };
    enum class Priority : std::uint8_t { Low, Medium, High };  ///< High from a share of 0.7 on, low below 0.2; what was lost is high.

    Kind kind = Kind::Alignment;
    Priority priority = Priority::Low;
    std::size_t row = 0;          ///< Place in CollectiveSet::ranks.
    std::uint64_t operators = 0;  ///< Collectives that are concerned.
    std::int64_t packets = 0;     ///< 0: not told.
    std::int64_t size = 0, time = 0;  ///< Bytes, ns, of these packets or of these collectives' SDMA or RDMA.
    std::optional<double> share;  ///< Of the time of all packets, or of all SDMA.
    std::uint32_t worst = 0;      ///< The item with the most of that time.

    static constexpr std::int64_t kAlignedBytes = 512, kLostPacketNs = 4'000'000'000;
    static constexpr double kSmallShare = 0.2, kHighShare = 0.7;
    static constexpr double kContendedBandwidth = 0.8 * 18;  ///< Bytes per ns, of what HCCS reaches with large packets.
};

/// Of the collectives of a set.
/// @param transfers  Rows of bandwidths and packets, as CollectiveSet::ranks; null: none.
/// @return By priority, then time, the greatest first; incomplete if cancelled. Any thread; parallel over ranks on the arena.
///         O((rows + kernels) * log).
/// @note   The vendor's rules judge small packets by what a whole collective moved, and contention by transfers of any size; here packets are
///         judged by their own size, and transfers below LinkSum::kSmallTransfer, which never reach a bandwidth, are left out.
std::vector<TransferAdvice> transferAdvice(const CaptureStore& capture, const CollectiveSet& set, const std::vector<const RowTables*>& transfers, const CancelToken& cancel);

}  // namespace altiscope
