#include "core/analysis/communication/transport_bandwidths.h"

#include "core/analysis/communication/transfer_advice.h"

#include <algorithm>
#include <map>

namespace altiscope {

namespace {

std::optional<double> usualBandwidth(const std::string& transport) {
    if (transport == "RDMA") return TransferAdvice::kUsualRemoteBandwidth;
    const bool isWithinHost = transport == "HCCS" || transport == "SIO" || transport == "SDMA" || transport == "PCIE";
    return isWithinHost ? std::optional(TransferAdvice::kUsualBandwidth) : std::nullopt;
}

struct Sum {
    std::uint32_t links = 0, measured = 0;
    double min = 0, max = 0, sum = 0;

    void add(double bandwidth) {
        min = measured == 0 ? bandwidth : std::min(min, bandwidth);
        max = std::max(max, bandwidth);
        sum += bandwidth;
        ++measured;
    }
};

}  // namespace

std::vector<TransportBandwidth> transportBandwidths(const LinkMatrix& matrix, bool inner) {
    std::map<std::uint16_t, Sum> sums;
    for (std::size_t source = 0; source < matrix.nodes().size(); ++source) {
        for (std::size_t place = matrix.rowBegin(source); place < matrix.rowEnd(source); ++place) {
            if (!inner && matrix.target(place) == source) continue;
            const LinkSum link = matrix.link(source, place);
            // A link that only the base has stands there without anything.
            if (link.transports == 0 && link.size == 0) continue;
            Sum& sum = sums[link.transports];
            ++sum.links;
            if (const auto bandwidth = link.bandwidth(); bandwidth && !matrix.isTooSmall(link)) sum.add(*bandwidth);
        }
    }
    std::vector<TransportBandwidth> found;
    for (const auto& [bits, sum] : sums) {
        TransportBandwidth one{.transport = matrix.transportText(bits),
                               .links = sum.links,
                               .withoutBandwidth = sum.links - sum.measured,
                               .min = {},
                               .mean = {},
                               .max = {},
                               .reference = {}};
        one.reference = usualBandwidth(one.transport);
        if (sum.measured > 0) {
            one.min = sum.min;
            one.max = sum.max;
            one.mean = sum.sum / sum.measured;
        }
        found.push_back(std::move(one));
    }
    return found;
}

}  // namespace altiscope
