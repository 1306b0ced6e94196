#pragma once

#include "core/analysis/kernels/layer_sums.h"
#include "views/common/support/view_memory.h"
#include "views/timeline/rows/track_choice.h"

#include <QWidget>

#include <memory>

namespace altiscope {

class Selection;
class Session;

/// All slices of a track, or of all tracks of a group, as a table for any number of rows; within the ranks, steps and
/// times of the context, and the marked range. A row selects its slice and brings it into sight; a slice that is
/// selected elsewhere becomes the current row. GUI thread.
class TrackList : public QWidget {
    Q_OBJECT
public:
    /// All must outlive the list.
    TrackList(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent = nullptr);
    ~TrackList() override;

    /// @param title  What the tracks are called together.
    void list(TrackChoice tracks, const QString& title);
    bool idle() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

/// The slices of tracks within the times of their ranks, by rank, track and depth; tracks of other ranks, or that are
/// gone, have none. Values only, any thread.
struct ListedSlices {
    SliceSelection selection;
    std::vector<SliceSpan> spans;
};
ListedSlices slicesOfTracks(std::shared_ptr<const CaptureStore> store, const TrackChoice& tracks,
                            const std::vector<RankWindow>& selected);

}  // namespace altiscope
