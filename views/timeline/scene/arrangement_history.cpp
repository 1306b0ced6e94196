#include "views/timeline/scene/arrangement_history.h"

#include <utility>

namespace altiscope {

namespace {

/// Each step is as long as what is arranged.
constexpr std::size_t kMaxSteps = 100;

ArrangementHistory::Step stepOf(const TimelineModel& model, bool withExpansion) {
    return {model.arrangement(), model.filter(), withExpansion ? std::optional(model.expansion()) : std::nullopt};
}

}  // namespace

void ArrangementHistory::note(const TimelineModel& model, bool withExpansion) {
    m_before.push_back(stepOf(model, withExpansion));
    if (m_before.size() > kMaxSteps) m_before.erase(m_before.begin());
    m_after.clear();
}

std::optional<ArrangementHistory::Step> ArrangementHistory::move(std::vector<Step>& from, std::vector<Step>& to,
                                                                 const TimelineModel& model) {
    if (from.empty()) return std::nullopt;
    Step target = std::move(from.back());
    from.pop_back();
    to.push_back(stepOf(model, target.expansion.has_value()));
    return target;
}

}  // namespace altiscope
