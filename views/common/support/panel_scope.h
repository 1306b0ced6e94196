#pragma once

#include "core/session/session.h"
#include "core/tables/scope/context_filter.h"
#include "core/tables/scope/rank_windows.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>

class QCheckBox;
class QWidget;

namespace altiscope {

class Selection;

/// A capture within what all pages are to show, and within the marked time if it is one of this capture.
/// @pre it has a store.
Scope scopeOf(const OpenCapture& open, const Selection& selection, bool onlyMarked);

/// How much of a capture is looked at, for a table's status line: "2 of 8 ranks, within 4.50 ms"; empty: all of it.
/// @param ranks  Of which there is anything.
QString scopeText(const Scope& scope, std::size_t ranks);

/// Scope of a panel: the capture, as much of it as the context holds, and the marked range if the user wants no
/// more. Tells of news only while the panel is visible, and seldom while an import runs; of a hidden panel nothing is
/// kept. GUI thread.
class PanelScope : public QObject {
    Q_OBJECT
public:
    /// @param onlyMarked  The panel's switch for "in the marked time only"; can be used while a range is marked.
    PanelScope(Session& session, Selection& selection, QCheckBox& onlyMarked, QWidget& panel);

    /// This one, whichever is shown elsewhere.
    void setCapture(CaptureId capture);
    const Scope& scope() const { return m_scope; }
    bool pending() const { return m_gather.isActive(); }
    /// scopeText() of it.
    QString text() const;

signals:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void later();
    void refresh();
    Scope wanted() const;

    Session& m_session;
    Selection& m_selection;
    QCheckBox& m_onlyMarked;
    QWidget& m_panel;
    QTimer m_gather;
    CaptureId m_capture;  // kNoCapture: the one that is shown elsewhere
    Scope m_scope;
};

}  // namespace altiscope
