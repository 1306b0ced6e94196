#pragma once

#include "core/base/values/ids.h"
#include "core/base/values/time.h"
#include "core/findings/finding.h"

#include <QWidget>

#include <cstddef>
#include <cstdint>

namespace altiscope {

/// A page as the window knows it. GUI thread.
class DataPage : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;

    /// Nothing is on its way.
    virtual bool idle() const = 0;
    /// Shows rows on which a finding of a capture rests, if the page has something better for them than the page SQL.
    /// @return Whether it does: then it is to come into sight.
    virtual bool showRows(CaptureId, const FindingEvidence::Rows&) { return false; }

signals:
    /// The timeline is to show this, of the capture that the page shows.
    void sliceRequested(altiscope::SliceId slice);
    void placeRequested(RankIndex rank, altiscope::TimeRange range);
    /// What a finding rests on is to be shown. @param finding  Index in what the window's FindingsLoader has found.
    /// @param spot  See evidenceSpots().
    void evidenceRequested(std::size_t finding, std::size_t spot);
    /// What is selected wants to be seen in the timeline.
    void timelineRequested();
    /// One sentence for the status bar.
    void statusMessage(const QString& text);
};

}  // namespace altiscope
