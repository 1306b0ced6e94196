#pragma once

#include "core/session/selection.h"
#include "core/session/session.h"

#include "core/tables/scope/context_filter.h"
#include "core/tables/scope/rank_windows.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>

namespace altiscope {

/// The base that pages set beside what they show, whole: constant data for a worker.
struct PageBase {
    CaptureId capture;
    std::shared_ptr<const CaptureStore> store;
    ContextFilter context;         ///< Which part of this capture is the base.
    std::optional<TimeNs> origin;  ///< From which its times count.
    QString title;                 ///< baseTitle()
    bool operator==(const PageBase&) const = default;
};

/// @param shown  OpenCapture::id of the capture beside it.
/// @return nullopt: there is no base, it is all of what is shown, or it is still being read.
std::optional<PageBase> pageBase(const Session& session, const Selection& selection, CaptureId shown);

/// How a base reads: "before, rank 3, step 5"; of the shown capture without its name.
QString baseTitle(const Session& session, const BaseChoice& base, CaptureId shown);

/// Two steps that are to lie above each other.
struct AlignedSteps {
    std::int64_t shown = 0, base = 0;  ///< Numbers.
    DurationNs shift;                  ///< Begin of the one - begin of the other, each on its rank's clock.
};
/// The first steps of two ranks that are looked at and have a time: of equal numbers where the base looks at the same
/// ones and has any. nullopt: there are none. O(steps · log).
std::optional<AlignedSteps> alignedSteps(const RankEntry& shown, const ContextFilter& context, const RankEntry& base,
                                         const ContextFilter& ofBase);

/// The same part of the base as `shown` is of its capture: its rank, and its marked time where the base has that clock.
Scope baseScope(const PageBase& base, const Scope& shown);

}  // namespace altiscope
