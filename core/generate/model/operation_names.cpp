#include "core/generate/model/operation_names.h"

#include "core/generate/model/run_plan.h"

#include <array>

namespace altiscope::generate {

OperationNames namesOf(CollectiveOperation operation) {
    static constexpr std::array<OperationNames, 4> kWords{{{"hcom_allReduce_", "allreduce", "collective"},
                                                           {"hcom_alltoallv_", "alltoall", "collective"},
                                                           {"hcom_send_", "send", "p2p"},
                                                           {"hcom_receive_", "receive", "p2p"}}};
    return kWords[static_cast<std::size_t>(operation)];
}

std::string collectiveName(const PlannedGroup& group, CollectiveOperation operation, std::uint64_t index) {
    const std::string hash = std::to_string(group.hash);
    return std::string(namesOf(operation).type) + "_" + hash.substr(hash.size() - 3) + "_" + std::to_string(index) +
           "_1";
}

}  // namespace altiscope::generate
