#pragma once

#include "core/analysis/communication/link_matrix.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// How fast the links of one transport are. Bandwidths in bytes per ns.
struct TransportBandwidth {
    std::string transport;  ///< "HCCS", or "HCCS, RDMA" of links that used both; empty: not stated.
    std::uint32_t links = 0;
    std::uint32_t withoutBandwidth = 0;  ///< Of these: too small for one (LinkMatrix::isTooSmall), or without a time.
    /// Those of links that have one; nullopt: none has.
    std::optional<double> min, mean, max;
    /// Bandwidth that large packets reach, as far as it is known (TransferAdvice::kUsualBandwidth); nullopt: it depends
    /// on the machine.
    std::optional<double> reference;
};

/// One for each transport of the links, the slower ones first. The mean counts each link once, whatever it transferred.
/// @param inner  Whether what ranks send to themselves counts.
/// @note Pure; any thread; O(links).
std::vector<TransportBandwidth> transportBandwidths(const LinkMatrix& matrix, bool inner);

}  // namespace altiscope
