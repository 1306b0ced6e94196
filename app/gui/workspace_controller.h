#pragma once

#include "app/gui/window_services.h"
#include "core/base/values/ids.h"
#include "core/session/capture_identities.h"
#include "core/session/workspace.h"
#include "views/common/support/page_state.h"
#include "views/common/support/view_list.h"

#include <QMainWindow>
#include <QObject>

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace altiscope {

class BottomPanel;
class CaptureTree;
class LinkOpener;
class NoticeBar;
class WindowPages;
class WorkspaceKeeper;
struct CaptureLink;

/// Makes a workspace of what the window shows, and the window show a workspace; and follows links. GUI thread.
class WorkspaceController : public QObject {
    Q_OBJECT
public:
    /// Version of QMainWindow::saveState(): raised whenever docks or toolbars change their names; older layouts are
    /// ignored.
    static constexpr int kLayoutVersion = 1;

    /// All must outlive it.
    /// @param isIdle  Whether the window shows everything that it is to show.
    WorkspaceController(const WindowServices& services, WindowPages& pages, BottomPanel& bottom, CaptureTree& tree,
                        QMainWindow& window, NoticeBar& notices, std::function<bool()> isIdle);

    WorkspaceKeeper& keeper() { return *m_keeper; }
    LinkOpener& links() { return *m_links; }
    /// Asks which workspace is to be opened, first in a folder.
    void chooseWorkspace(const QString& folder);
    /// Asks for a link and follows it.
    void promptLink();
    /// "WORKSPACE* – CAPTURE – Altiscope". @param capture  Empty: none is open.
    QString titleOf(const QString& capture) const;
    /// The selection, for a link; else the marked time, else the capture that pages show.
    void copySelectedLink();
    /// A workspace that is being opened does not choose the page.
    void keepPage() { m_keepsPage = true; }
    bool idle() const;

signals:
    /// The capture is to be the current one.
    void captureWanted(CaptureId capture);
    /// Docks are to stand as QMainWindow::saveState() said, of kLayoutVersion; empty or foreign: as they stand.
    void docksWanted(const QByteArray& state);
    void statusMessage(const QString& text);

private:
    Workspace take() const;
    void give(const Workspace& workspace, const WorkspaceIds& ids);
    void select();
    void showPlace(CaptureId capture, const CaptureLink& link);
    void remember(CaptureId capture);
    std::map<std::string, QString> recent() const;

    /// A selection of a workspace, until its capture is read.
    struct Wanted {
        CaptureId capture;
        std::optional<SliceId> slice;
        std::optional<TimeRange> range;
    };

    const WindowServices m_services;
    WindowPages& m_pages;
    BottomPanel& m_bottom;
    CaptureTree& m_tree;
    QMainWindow& m_window;
    CaptureIdentities m_identities;
    WorkspaceKeeper* m_keeper;
    LinkOpener* m_links;
    JobSlot m_search, m_linkSearch;
    std::optional<Wanted> m_wanted;
    bool m_keepsPage = false;
};

}  // namespace altiscope
