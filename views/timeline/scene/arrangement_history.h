#pragma once

#include "views/timeline/rows/timeline_model.h"

#include <optional>
#include <vector>

namespace altiscope {

/// How rows were arranged, hidden and (where a layout was applied) expanded before, and after what was undone.
class ArrangementHistory {
public:
    struct Step {
        TrackArrangement arrangement;
        TrackFilter filter;
        std::optional<RowExpansion> expansion;
    };

    bool canUndo() const { return !m_before.empty(); }
    bool canRedo() const { return !m_after.empty(); }
    /// Before a change.
    void note(const TimelineModel& model, bool withExpansion);
    /// The state that the model is to have again; nullopt if there is none.
    std::optional<Step> undo(const TimelineModel& model) { return move(m_before, m_after, model); }
    std::optional<Step> redo(const TimelineModel& model) { return move(m_after, m_before, model); }

private:
    static std::optional<Step> move(std::vector<Step>& from, std::vector<Step>& to, const TimelineModel& model);

    std::vector<Step> m_before, m_after;
};

}  // namespace altiscope
