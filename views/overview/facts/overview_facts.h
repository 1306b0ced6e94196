#pragma once

#include "core/session/session.h"
#include "core/tables/overview/overview_numbers.h"
#include "core/tables/scope/context_filter.h"
#include "views/common/support/finding_texts.h"

#include <QString>

#include <vector>

namespace altiscope {

// Sentences of the overview page; translated, pure functions.

/// "16 ranks on 2 hosts · steps 5, 6 · 1.25 s · PyTorch, text · 12.5 GiB at most": rich text whose parts are links to
/// "ranks", "steps", "settings", "memory", "report".
QString factsLine(const OpenCapture& capture, std::optional<std::int64_t> mostReserved);

/// "1.25 s to 1.40 s" since the origin, with digits down to a thousandth of its length.
QString rangeText(TimeRange range, TimeNs origin);

/// "rank 3, step 5, 1.2 s to 1.4 s"; empty if the context holds everything. Times count from `origin`.
QString contextText(const ContextFilter& context, TimeNs origin);

/// One item per kind of data that ranks lack, with the switch that records it.
std::vector<FindingItem> missingItems(const CaptureStore& capture);

/// The findings, in their order, then what is missing.
std::vector<FindingItem> findingItems(const CaptureStore& capture, const std::vector<Finding>& findings);

}  // namespace altiscope
