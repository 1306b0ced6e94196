#include "views/timeline/scene/trace_colours.h"

#include <algorithm>

namespace altiscope {

namespace {

using NewColours = std::vector<std::shared_ptr<const SliceColours>>;

NewColours colourAll(const TraceColours::Traces& traces, ColourBy by, const std::vector<ColourRule>& rules,
                     const CancelToken& cancel) {
    NewColours made;
    for (const auto& [trace, rank] : traces) {
        if (cancel.cancelled()) break;
        auto ruled = rules.empty() ? nullptr : std::make_shared<const RuledColours>(*trace, rules, cancel);
        made.push_back(std::make_shared<const SliceColours>(trace, by, rank, std::move(ruled)));
    }
    return made;
}

}  // namespace

std::shared_ptr<const SliceColours> TraceColours::of(const TraceStore* trace) const {
    const auto known = m_colours.find(trace);
    return known == m_colours.end() ? nullptr : known->second;
}

void TraceColours::setBy(ColourBy by) {
    m_by = by;
    ++m_change;
    recolour();
}

void TraceColours::setRules(std::vector<ColourRule> rules) {
    m_rules = std::move(rules);
    ++m_change;
    recolour();
}

void TraceColours::prepare(Traces traces, std::function<void()> show) {
    m_requested = traces;
    Traces unknown = traces;
    std::erase_if(unknown, [this](const auto& trace) { return m_colours.contains(trace.first.get()); });
    if (unknown.empty()) {
        m_slot.cancel();
        return take(traces, show);
    }
    m_slot.start([unknown = std::move(unknown), by = m_by,
                  rules = m_rules](const CancelToken& cancel) { return colourAll(unknown, by, rules, cancel); },
                 [this, change = m_change, traces = std::move(traces), show = std::move(show)](const NewColours& made) {
                     for (const auto& colours : made) m_colours[colours->trace().get()] = colours;
                     take(traces, show);
                     // A result for the colouring before, made while it changed.
                     if (change != m_change) recolour();
                     emit becameIdle();
                 });
}

void TraceColours::take(const Traces& traces, const std::function<void()>& show) {
    std::map<const TraceStore*, std::shared_ptr<const SliceColours>> used;
    for (const auto& [trace, rank] : traces) used[trace.get()] = m_colours[trace.get()];
    m_colours = std::move(used);
    show();
}

void TraceColours::recolour() {
    m_recolourSlot.start([traces = m_requested, by = m_by,
                          rules = m_rules](const CancelToken& cancel) { return colourAll(traces, by, rules, cancel); },
                         [this](const NewColours& made) {
                             for (const auto& colours : made) {
                                 const auto known = m_colours.find(colours->trace().get());
                                 if (known != m_colours.end()) known->second = colours;
                             }
                             emit changed();
                             emit becameIdle();
                         });
}

}  // namespace altiscope
