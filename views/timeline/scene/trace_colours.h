#pragma once

#include "core/session/job_runner.h"
#include "views/timeline/scene/colour_rules.h"
#include "views/timeline/scene/slice_colours.h"

#include <QObject>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

namespace altiscope {

/// Colours of all slices of the traces that are shown, made on workers. GUI thread.
class TraceColours : public QObject {
    Q_OBJECT
public:
    /// Traces with their rank.
    using Traces = std::vector<std::pair<std::shared_ptr<const TraceStore>, RankIndex>>;

    explicit TraceColours(JobRunner& jobs, QObject* parent = nullptr)
        : QObject(parent), m_slot(jobs), m_recolourSlot(jobs) {}

    ColourBy by() const { return m_by; }
    /// Those that are shown are coloured anew; until then the old colours stay.
    void setBy(ColourBy by);
    const std::vector<ColourRule>& rules() const { return m_rules; }
    /// Likewise.
    void setRules(std::vector<ColourRule> rules);
    /// Calls `show` once all of these have colours, at once if they have; the newest call wins. Others lose theirs
    /// then.
    void prepare(Traces traces, std::function<void()> show);
    /// prepare() is under way.
    bool isPreparing() const { return m_slot.busy(); }
    bool idle() const { return !m_slot.busy() && !m_recolourSlot.busy(); }
    /// Null unless the trace is shown.
    std::shared_ptr<const SliceColours> of(const TraceStore* trace) const;

signals:
    /// The colours of traces that had some already are others.
    void changed();
    void becameIdle();

private:
    void recolour();
    void take(const Traces& traces, const std::function<void()>& show);

    JobSlot m_slot;
    JobSlot m_recolourSlot;
    ColourBy m_by = ColourBy::Name;
    std::vector<ColourRule> m_rules;
    std::uint64_t m_change = 0;  // of the two above
    Traces m_requested;
    std::map<const TraceStore*, std::shared_ptr<const SliceColours>> m_colours;
};

}  // namespace altiscope
