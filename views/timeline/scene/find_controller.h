#pragma once

#include "core/base/values/error.h"
#include "core/session/find/slice_finder.h"
#include "core/session/job_runner.h"
#include "core/tables/rows/slice_rows.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

class TimelineScene;
class TimelineSelection;

/// Results so far of a search for slices. Constant.
struct SearchResult {
    CaptureId capture;        ///< OpenCapture::id; by now something else may be wanted.
    std::uint64_t count = 0;  ///< While `hits` is null: those that were found so far.
    std::shared_ptr<const SliceHits> hits;
    std::shared_ptr<const SliceRows> rows;  ///< The hits as a table.
    std::vector<bool> marks;                ///< Which parts of `range` have hits.
    TimeRange range;                        ///< On the axis.
    std::optional<Error> problem;
};

/// The non-widget half of the search for slices: starts workers, and steps through what they find. GUI thread.
class FindController : public QObject {
    Q_OBJECT
public:
    /// Parts of the run that are marked by themselves: at most as many as a screen has pixels across.
    static constexpr std::uint32_t kMarks = 2048;

    FindController(TimelineScene& scene, TimelineSelection& selection, QObject* parent = nullptr);

    /// nullopt: nothing is looked for. @param onlySelected  In the chosen tracks and the marked range alone.
    void request(std::optional<SliceQuery> query, bool onlySelected);
    const SearchResult& result() const { return m_result; }
    bool active() const { return m_query.has_value(); }
    bool idle() const { return !m_slot.busy() && !m_gather.isActive(); }

    /// Selects the next or previous hit, seen from the selected slice if it is one, else from the begin of what is in
    /// sight. Before the result is there: as soon as it is, if nothing else is requested meanwhile.
    void step(bool forward);
    /// Selects a row of the table.
    void goTo(std::size_t row);
    /// The place of the selected slice among the hits.
    std::optional<std::uint64_t> place() const;

signals:
    void changed();  ///< The result, or the place.
    void becameIdle();

private:
    void refresh();
    void select(SliceRef slice);

    TimelineScene& m_scene;
    TimelineSelection& m_selection;
    JobSlot m_slot;
    QTimer m_gather;
    std::optional<SliceQuery> m_query;
    bool m_onlySelected = false;
    std::optional<SliceSelection> m_requested;
    std::optional<SliceQuery> m_requestedQuery;
    std::optional<SliceQuery> m_resultQuery;  // The query that m_result belongs to, once it is known in full.
    std::optional<bool> m_wantedStep;         // Forward or not.
    SearchResult m_result;
};

}  // namespace altiscope
