#pragma once

#include "core/report/deliverables/deliverable_input.h"

#include <vector>

namespace altiscope {

/// Where arrows from the host to the devices begin and end in the vendor's timeline: each end for itself, whether the
/// other one is there or not. Built once for all slices: to look for the flows of each costs more than its text.
class LaunchFlows {
public:
    explicit LaunchFlows(const DeliverableInput& input);

    bool isStart(SliceIndex slice) const { return m_starts[slice.value]; }
    bool isEnd(SliceIndex slice) const { return m_ends[slice.value]; }

private:
    void addPairs(const TraceStore& trace);
    void addCalls(const TraceStore& trace);
    void addTasks(const DeliverableInput& input);

    std::vector<bool> m_starts, m_ends;  // by slice
};

}  // namespace altiscope
