#pragma once

#include "core/analysis/kernels/layer_sums.h"
#include "core/tables/scope/context_filter.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// A marked range of a capture, as its ranks are drawn, and how much later than recorded that is.
struct MarkedTime {
    TimeRange range;
    /// As CaptureStore::ranks; null, or shorter: as recorded.
    std::shared_ptr<const std::vector<DurationNs>> shifts{};

    /// On the clock of a rank.
    TimeRange on(RankIndex rank) const;
    bool operator==(const MarkedTime&) const = default;
};

/// The ranks of a capture that a context holds, and when: its steps and range, and of these what lies within `marked`.
/// A rank without any such time is left out. O(steps of the ranks * log).
/// @param context  Of this capture (see ContextFilter::forCapture).
std::vector<RankWindow> rankWindows(const CaptureStore& capture, const ContextFilter& context,
                                    const std::optional<MarkedTime>& marked);

/// A part of a capture: constant data for a worker.
struct Scope {
    CaptureId capture;
    std::shared_ptr<const CaptureStore> store;  ///< Null: nothing.
    ContextFilter context;                      ///< Filter of this capture.
    std::optional<MarkedTime> marked;           ///< Only what lies in it, at least in part.
    std::optional<RankIndex> rank;              ///< Only this one.
    std::optional<TimeNs> origin;               ///< From which times count; nullopt: there is no timeline.
    bool operator==(const Scope&) const = default;
};

/// The same as above. @pre there is a store.
std::vector<RankWindow> rankWindows(const Scope& scope);

}  // namespace altiscope
