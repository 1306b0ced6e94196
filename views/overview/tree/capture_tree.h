#pragma once

#include "core/session/session.h"
#include "views/overview/tree/capture_tree_model.h"

#include <QTimer>
#include <QTreeView>

class QAction;
class QMenu;

namespace altiscope {

/// The tree of open captures with what can be done to them: by context menu, menu key, or (on the current row)
/// keyboard.
class CaptureTree : public QTreeView {
    Q_OBJECT
public:
    explicit CaptureTree(Session& session, QWidget* parent = nullptr);

    /// OpenCapture::id of the current row; 0 if there is none.
    CaptureId currentCapture() const;
    /// Its row becomes the current one, unless the current one is of this capture already.
    void setCurrentCapture(CaptureId capture);

    /// Only rows whose name, path or host holds the text, in any case, with what is above and below them; empty: all.
    void setFilter(const QString& text);
    const QString& filter() const { return m_filter; }
    /// Rows of captures and groups that are shown.
    int shownCaptures() const;

    /// Groups whose captures are folded away, as a workspace keeps them.
    QStringList foldedGroups() const;
    void setFoldedGroups(const QStringList& names);

signals:
    /// Other rows are shown.
    void filtered();
    void currentCaptureChanged(CaptureId capture);
    void reportRequested(CaptureId capture);
    void deliverablesRequested(CaptureId capture);

protected:
    bool edit(const QModelIndex& index, EditTrigger trigger, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void unfold(const QModelIndex& index);
    void retranslate();
    void copyPath();
    /// That of the row, or of the next one above it that has one.
    QString currentPath() const;
    void openFolder();
    bool filterBelow(const QModelIndex& index, bool isParentFound);
    void applyFilter();
    void addGroupMenu(QMenu& menu, CaptureId capture);
    void promptGroup(CaptureId capture);
    void ungroup();
    void fillMenu(QMenu& menu, const OpenCapture& capture, CaptureTreeModel::Kind kind);
    /// Reads what is excluded at or below a row.
    void readBelow(const QModelIndex& index);
    /// The rank of the current row, if it has a timeline that can be read now; else null.
    const RankEntry* readableRank() const;
    void promptRange();
    void readAll();

    Session& m_session;
    CaptureTreeModel* m_model;
    QString m_filter;
    QTimer m_filterTimer;  // rows that came are hidden once they are all there
    QAction* m_rename;
    QAction* m_openFolder;
    QAction* m_ungroup;
    QAction* m_copyPath;
    QAction* m_report;
    QAction* m_deliverables;
    QAction* m_read;
    QAction* m_readRange;
    QAction* m_readAll;
    QAction* m_reload;
    QAction* m_stop;
    QAction* m_close;
};

}  // namespace altiscope
