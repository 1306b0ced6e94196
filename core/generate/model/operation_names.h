#pragma once

#include "core/generate/model/unit_program.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace altiscope::generate {

struct PlannedGroup;

/// How files name an operation.
struct OperationNames {
    std::string_view type;  ///< "hcom_allReduce_": the call of the runtime and the type of the operation.
    std::string_view link;  ///< "allreduce": in communication_matrix.json.
    std::string_view kind;  ///< "collective" or "p2p": section of the communication files.
};

OperationNames namesOf(CollectiveOperation operation);

constexpr bool isPointToPoint(CollectiveOperation operation) {
    return operation == CollectiveOperation::Send || operation == CollectiveOperation::Receive;
}

/// "hcom_allReduce__586_0_1": type, last three digits of the group's hash, number within the group.
std::string collectiveName(const PlannedGroup& group, CollectiveOperation operation, std::uint64_t index);

}  // namespace altiscope::generate
