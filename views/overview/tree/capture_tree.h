#pragma once

#include "core/session/session.h"

#include <QTreeView>

class QAction;
class QMenu;

namespace altiscope {

class CaptureTreeModel;

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

signals:
    void currentCaptureChanged(CaptureId capture);
    void reportRequested(CaptureId capture);
    void deliverablesRequested(CaptureId capture);

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void unfold(const QModelIndex& index);
    void retranslate();
    void copyPath();
    /// Reads what is excluded at or below a row.
    void readBelow(const QModelIndex& index);
    /// The rank of the current row, if it has a timeline that can be read now; else null.
    const RankEntry* readableRank() const;
    void promptRange();
    void readAll();

    Session& m_session;
    CaptureTreeModel* m_model;
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
