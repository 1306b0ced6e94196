#pragma once

#include "core/analysis/steps/device_activity.h"
#include "core/analysis/support/capture_facts.h"
#include "core/base/columns/interval_set.h"
#include "core/store/columns/trace_store.h"

#include <optional>
#include <vector>

namespace altiscope {

/// Adds slices up by step, for the readers of RankFacts. `trace` must outlive it. Not thread-safe.
class StepSums {
public:
    /// By which of a step's times slices belong to it.
    enum class Clock : std::uint8_t { Host, Device };

    /// @param trace  May be null if there are no slices to add.
    StepSums(const TraceStore* trace, const std::vector<StepSpan>& steps, Clock clock);

    /// Place of the step that a time lies in; nullopt if in none.
    std::optional<std::size_t> stepAt(TimeNs time) const;
    /// Adds `amount` ns at a slice.
    /// @param whole  Time of all slices of which this one stands for several.
    void add(Occurrences& to, SliceIndex slice, std::int64_t amount, std::optional<TimeRange> whole = {}) const;
    /// Adds each slice with the part of its time that no other of them covers: all together they are as long as their
    /// union.
    /// @param others  Times that count elsewhere and are no part of it.
    void addUnion(Occurrences& to, std::vector<SliceIndex> slices, const IntervalSet& others) const;
    /// The same for what no slice shows.
    void addUnseen(Occurrences& to, TimeRange range, std::int64_t amount) const;

private:
    struct Span {
        TimeRange range;
        std::size_t step;
    };
    const TraceStore* m_trace;
    std::size_t m_steps;
    std::vector<Span> m_spans;  // by begin
};

}  // namespace altiscope
