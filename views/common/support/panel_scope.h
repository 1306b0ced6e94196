#pragma once

#include "core/session/session.h"
#include "core/tables/context_filter.h"
#include "core/tables/rank_windows.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>

class QCheckBox;
class QWidget;

namespace altiscope {

class Selection;

/// What a panel is to show: the capture, as much of it as the context holds, and the marked range if the user wants no
/// more. Tells of news only while the panel is visible, and seldom while an import runs; of a hidden panel nothing is
/// kept. GUI thread.
class PanelScope : public QObject {
    Q_OBJECT
public:
    struct State {
        std::uint32_t capture = 0;                  ///< OpenCapture::id
        std::shared_ptr<const CaptureStore> store;  ///< Null: nothing is to be shown.
        ContextFilter context;                      ///< Of this capture.
        std::optional<MarkedTime> marked;
        std::optional<TimeNs> origin;  ///< From which times count; nullopt: there is no timeline.
        bool operator==(const State&) const = default;
    };

    /// @param onlyMarked  The panel's switch for "in the marked time only"; can be used while a range is marked.
    PanelScope(Session& session, Selection& selection, QCheckBox& onlyMarked, QWidget& panel);

    /// 0: the newest one.
    void showCapture(std::uint32_t capture);
    const State& state() const { return m_state; }
    bool pending() const { return m_gather.isActive(); }
    /// How much of the capture is looked at, for a table's status line: "2 of 8 ranks, within 4.50 ms"; empty: all of
    /// it.
    QString text() const;

signals:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void later();
    void refresh();
    State wanted() const;

    Session& m_session;
    Selection& m_selection;
    QCheckBox& m_onlyMarked;
    QWidget& m_panel;
    QTimer m_gather;
    std::uint32_t m_capture = 0;
    State m_state;
};

}  // namespace altiscope
