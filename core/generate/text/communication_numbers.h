#pragma once

#include "core/generate/text/communication_json.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope::generate {

/// Numbers of communication files as all formats print them: bandwidths and ratios have four decimals, halves up, and
/// are given as that many ten thousandths. GB/s are bytes per ns.

std::int64_t bandwidthOf(std::uint64_t bytes, std::int64_t ticks);
/// part / (part + rest), 0 if there is nothing at all.
std::int64_t ratioOf(std::int64_t part, std::int64_t rest);

/// Data of one transport as communication files list them: RDMA, HCCS, PCIE, SDMA, SIO.
struct NamedTransport {
    std::string_view name;
    TransportTally sum;
    std::int64_t largePackets = 0;  ///< Ratio.
};
std::vector<NamedTransport> namedTransports(const CollectiveSummary& summary);

/// "LOCAL", "HCCS", "RDMA".
std::string_view linkTransport(Transport transport);

/// Calls of one operation over the links of one group under one word: "top1", "middle", "bottom1", "total", "bottom2",
/// "bottom3".
struct LinkSelection {
    std::uint32_t group = 0;
    CollectiveOperation operation = CollectiveOperation::AllReduce;
    std::string_view word;
    std::vector<std::pair<LinkKey, LinkTransfer>> links;  ///< `total` has no name of an operation.
};
/// The selections of all groups of a step, in the order in which the files list them: per link the calls by bandwidth.
/// MindSpore's program lists the last two even where a link has fewer calls.
std::vector<LinkSelection> linkSelections(const StepCommunication& communication,
                                          Framework framework = Framework::Torch);

}  // namespace altiscope::generate
