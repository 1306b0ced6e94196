#pragma once

#include "app/gui/window_services.h"
#include "core/base/values/ids.h"
#include "core/base/values/time.h"

#include <QTabWidget>

#include <cstdint>

namespace altiscope {

class DetailsPanel;
class DispatchPanel;
class KernelPanel;
class LayerPanel;
class MarksPanel;
class ReportModel;
class ReportView;
class TimelinePage;

/// Panel below the pages: details, what is selected and found, marks, the import report. GUI thread.
class BottomPanel : public QTabWidget {
    Q_OBJECT
public:
    BottomPanel(const WindowServices& services, TimelinePage& timeline, ReportModel& report, QWidget* parent = nullptr);

    void showReport(CaptureId capture);
    bool idle() const;
    void retranslate();
    /// A tab with tables above each other would make the window higher than some screens.
    QSize minimumSizeHint() const override;

signals:
    /// Something that the user requested is to be seen here.
    void wanted();
    /// The selection is to be shown in the timeline.
    void timelineRequested();
    /// A time of a capture wants to.
    void rangeRequested(CaptureId capture, altiscope::TimeRange range);

private:
    void connectTimeline();
    void bring(QWidget* tab);

    TimelinePage& m_timeline;
    DetailsPanel* m_details;
    DispatchPanel* m_dispatch;
    LayerPanel* m_layers;
    KernelPanel* m_kernels;
    MarksPanel* m_marks;
    ReportView* m_report;
};

}  // namespace altiscope
