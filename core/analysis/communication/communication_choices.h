#pragma once

#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// A group of ranks as the files of communication name it.
struct CommunicationGroup {
    std::string name;                 ///< As in the rows; empty: of rows that name none.
    std::string hash, parallelType;   ///< Empty if unknown.
    std::vector<std::int64_t> ranks;  ///< Sorted; those that have rows of it where no file states its members.
    bool ranksKnown = false;          ///< A file states the members.
};

/// Groups whose members files state, by name. O(members).
std::vector<CommunicationGroup> knownGroups(const CaptureStore& capture);

/// What can be chosen of a capture's communication.
struct CommunicationChoices {
    std::vector<std::int64_t> steps;
    std::vector<CommunicationGroup> groups;  ///< By type, first rank and name.
    std::vector<std::string> types;          ///< Of operators: "allreduce", see collectiveType().
    std::vector<std::string> selections;     ///< That stand in matrix files: "top1", "middle", "bottom1" ...
    std::vector<std::string> operators;      ///< By name; of more than kMaxOperators the first.
    std::size_t operatorCount = 0;           ///< All.
    static constexpr std::size_t kMaxOperators = 2000;
};

/// From the rows of collectives and links of ranks (indexes in CaptureStore::ranks). `computed` has lists of rows
/// beside those of the files, each by rank; null where there are none.
/// @return nullopt if cancelled. Any thread; parallel on the arena. O(rows).
std::optional<CommunicationChoices> communicationChoices(
    const CaptureStore& capture, const std::vector<RankIndex>& ranks,
    const std::vector<std::vector<std::shared_ptr<const RowTables>>>& computed, const CancelToken& cancel);

}  // namespace altiscope
