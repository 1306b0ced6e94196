#pragma once

#include "core/analysis/communication/parallel_groups.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace altiscope {

/// The sizes of a job as a user typed them: "tp=2 dp=4", "tp=8, pp=4, dp=2, order=mindspeed". Those that are not named
/// are 1, the order is Megatron's.
struct TypedSizes {
    std::optional<ParallelSizes> sizes;  ///< nullopt: nothing was typed, or it is no job; then `problem` says why.
    QString problem;                     ///< In the language of the window; empty: none.
};
/// @param ranks  The job has as many at least.
/// GUI thread. O(text).
TypedSizes readTypedSizes(const QString& text, std::int64_t ranks);

}  // namespace altiscope
