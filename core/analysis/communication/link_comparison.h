#pragma once

#include "core/analysis/communication/link_matrix.h"
#include "core/analysis/communication/link_metric.h"
#include "core/base/values/cancel.h"

#include <cstddef>
#include <memory>
#include <optional>

namespace altiscope {

/// The links of a base beside those of what is shown: two matrices with the same ends, transports and links, so that a
/// link has the same place in both. A link that one side does not have is there with nothing transferred. Constant.
struct LinkComparison {
    static constexpr std::size_t kMaxLinks = std::size_t{1} << 22;  ///< Of both sides together.

    std::shared_ptr<const LinkMatrix> current, base;  ///< Not null.
    std::size_t currentSteps = 1, baseSteps = 1;      ///< Over which their sums go; not 0.

    struct Values {
        double base = 0, current = 0;
    };
    /// Of a link, by its source and place: sizes, times and calls per step, bandwidths as they are (those of links too
    /// small to have one are none). nullopt: one of both is not known; of transports always.
    std::optional<Values> values(std::size_t source, std::size_t place, LinkMetric metric) const;
    /// The same of all that begins or ends at a node.
    std::optional<Values> sourceValues(std::size_t node, LinkMetric metric, bool withInner) const;
    std::optional<Values> targetValues(std::size_t node, LinkMetric metric, bool withInner) const;
};

/// @return Null if there are more links than that, or if cancelled. O(links * log of a source's).
std::shared_ptr<const LinkComparison> compareLinks(const LinkMatrix& current, std::size_t currentSteps,
                                                   const LinkMatrix& base, std::size_t baseSteps,
                                                   const CancelToken& cancel);

/// Steps that the rows of a query name, or that it chooses; 1 where none is named. O(rows of links).
std::size_t stepsOfLinks(const CaptureStore& capture, const LinkQuery& query, const CancelToken& cancel);

}  // namespace altiscope
