#pragma once

#include "app/gui/window_services.h"
#include "core/base/values/ids.h"
#include "core/base/values/time.h"
#include "views/common/support/evidence_spots.h"
#include "views/common/support/page_state.h"
#include "views/common/support/view_list.h"

#include <QTabWidget>

#include <cstdint>
#include <map>
#include <vector>

class QToolButton;

namespace altiscope {

class DataPage;
class EvidenceBar;
class EvidenceController;
class ComparePage;
class FindingsLoader;
class FindingSettings;
class MemoryPage;
class OverviewPage;
class CapturePage;
class ReportModel;
class ReportPage;
class SqlPage;
class TimelinePage;

/// All pages of the window, and the ways from one to another. GUI thread.
class WindowPages : public QTabWidget {
    Q_OBJECT
public:
    WindowPages(const WindowServices& services, ReportModel& report, QWidget* parent = nullptr);

    void showView(ViewId view);
    ViewId currentView() const;
    /// Least height of the page in sight: less would leave none for a panel below.
    QSize minimumSizeHint() const override;
    bool idle() const;
    void retranslate();
    TimelinePage& timeline() { return *m_timeline; }
    OverviewPage& overview() { return *m_overview; }
    FindingsLoader& findings() { return *m_loader; }
    FindingSettings& findingSettings() { return *m_findingSettings; }
    /// The finding whose evidence is looked at: to stand above the pages.
    EvidenceBar& evidenceBar();
    /// Shows the first evidence of a finding. @param finding  Index in what findings() has found.
    void showEvidence(std::size_t finding);
    /// Puts a picture of the page in sight into the report. @return What to say about it.
    QString addToReport();
    SqlPage& sql() { return *m_sql; }
    /// State of each page for a workspace, by the page's name: its tables and tabs, and what it says itself
    /// (PageState).
    QJsonObject state(const WorkspaceIds& captures) const;
    void restore(const QJsonObject& state, const WorkspaceIds& captures);

signals:
    /// Is to be selected, and then shown in the timeline: in this order, so that a step back leads to the page of now.
    void sliceRequested(altiscope::SliceId slice);
    void statusMessage(const QString& text);
    /// These are to be opened.
    void openRequested(const QStringList& paths);
    /// Is to be the current one.
    void captureWanted(altiscope::CaptureId capture);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// All pages, each with its tab. A page without one ends the program here.
    void setUpTabs();
    void listPages();
    void fitTabs();
    void connectPages();
    void linkWindows();
    void showPlace(RankIndex rank, TimeRange range);
    void showRows(const FindingEvidence::Rows& rows);
    /// Opens what is not open yet, and shows how the second differs.
    void compare(const QString& base, const QString& current);

    const WindowServices m_services;
    FindingsLoader* m_loader;
    FindingSettings* m_findingSettings;
    TimelinePage* m_timeline;
    EvidenceController* m_evidence;
    OverviewPage* m_overview;
    MemoryPage* m_memory;
    SqlPage* m_sql;
    CapturePage* m_capture;
    ReportPage* m_report;
    ComparePage* m_compare;
    std::map<ViewId, DataPage*> m_pages;
    QToolButton* m_all;  ///< With a menu of all pages, where their tabs are not all in sight.
};

}  // namespace altiscope
