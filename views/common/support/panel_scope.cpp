#include "views/common/support/panel_scope.h"

#include "core/session/selection.h"
#include "views/common/support/formatters.h"

#include <QCheckBox>
#include <QEvent>
#include <QWidget>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// While an import runs, stores are replaced ten times a second.
constexpr int kGatherPanelMs = 40, kGatherPanelWhileReadingMs = 1000;

}  // namespace

PanelScope::PanelScope(Session& session, Selection& selection, QCheckBox& onlyMarked, QWidget& panel)
    : QObject(&panel), m_session(session), m_selection(selection), m_onlyMarked(onlyMarked), m_panel(panel) {
    m_gather.setSingleShot(true);
    onlyMarked.setChecked(true);
    connect(&m_gather, &QTimer::timeout, this, &PanelScope::refresh);
    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed})
        connect(&session, signal, this, &PanelScope::later);
    connect(&selection, &Selection::changed, this, &PanelScope::later);
    connect(&selection, &Selection::shiftsChanged, this, &PanelScope::later);
    connect(&onlyMarked, &QCheckBox::toggled, this, &PanelScope::refresh);
    panel.installEventFilter(this);
}

void PanelScope::showCapture(std::uint32_t capture) {
    if (std::exchange(m_capture, capture) != capture) later();
}

bool PanelScope::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show) later();
    return QObject::eventFilter(watched, event);
}

PanelScope::State PanelScope::wanted() const {
    State state;
    const OpenCapture* open = m_session.capture(m_capture);
    if (open == nullptr && !m_session.captures().empty()) open = &m_session.captures().back();
    if (open == nullptr || open->store == nullptr) return state;
    const SelectionState& selected = m_selection.current();
    state.capture = open->id;
    state.store = open->store;
    state.context = selected.context.forCapture(open->id);
    if (selected.capture == open->id && m_onlyMarked.isChecked() && selected.range)
        state.marked = MarkedTime{*selected.range, m_selection.shiftsOf(open->id)};
    state.origin = open->times.origin();
    return state;
}

void PanelScope::later() {
    const SelectionState& selected = m_selection.current();
    m_onlyMarked.setEnabled(selected.range.has_value());
    if (!m_panel.isVisible()) {
        if (m_state.store == nullptr) return;
        m_state = {};
        return emit changed();
    }
    const OpenCapture* open = m_session.capture(m_state.capture);
    if (!m_gather.isActive())
        m_gather.start(open != nullptr && open->job != 0 ? kGatherPanelWhileReadingMs : kGatherPanelMs);
}

void PanelScope::refresh() {
    if (!m_panel.isVisible()) return;
    State state = wanted();
    if (state == m_state) return;
    m_state = std::move(state);
    emit changed();
}

QString PanelScope::text() const {
    if (m_state.store == nullptr) return {};
    QStringList parts;
    const std::size_t held = rankWindows(*m_state.store, m_state.context, m_state.marked).size();
    if (held < m_state.store->ranks.size())
        parts << tr("%1 of %2 ranks").arg(formatCount(held), formatCount(m_state.store->ranks.size()));
    if (m_state.context.range || !m_state.context.steps.empty())
        parts << tr("in the steps and time that all pages show");
    if (m_state.marked) parts << tr("in the marked %1").arg(formatDuration(m_state.marked->range.length()));
    return parts.join(u", "_s);
}

}  // namespace altiscope
