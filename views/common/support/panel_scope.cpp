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
    connect(&selection, &Selection::shownCaptureChanged, this, &PanelScope::later);
    connect(&onlyMarked, &QCheckBox::toggled, this, &PanelScope::refresh);
    panel.installEventFilter(this);
}

void PanelScope::setCapture(CaptureId capture) {
    if (std::exchange(m_capture, capture) != capture) later();
}

bool PanelScope::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show) later();
    return QObject::eventFilter(watched, event);
}

Scope PanelScope::wanted() const {
    const OpenCapture* open = m_session.capture(m_capture != kNoCapture ? m_capture : m_selection.shownCapture());
    if (open == nullptr && !m_session.captures().empty()) open = &m_session.captures().back();
    return open == nullptr || open->store == nullptr ? Scope() : scopeOf(*open, m_selection, m_onlyMarked.isChecked());
}

void PanelScope::later() {
    const SelectionState& selected = m_selection.current();
    m_onlyMarked.setEnabled(selected.range.has_value());
    if (!m_panel.isVisible()) {
        if (m_scope.store == nullptr) return;
        m_scope = {};
        return emit changed();
    }
    const OpenCapture* open = m_session.capture(m_scope.capture);
    if (!m_gather.isActive())
        m_gather.start(open != nullptr && open->job != 0 ? kGatherPanelWhileReadingMs : kGatherPanelMs);
}

void PanelScope::refresh() {
    if (!m_panel.isVisible()) return;
    Scope scope = wanted();
    if (scope == m_scope) return;
    m_scope = std::move(scope);
    emit changed();
}

QString PanelScope::text() const {
    return m_scope.store == nullptr ? QString() : scopeText(m_scope, rankWindows(m_scope).size());
}

Scope scopeOf(const OpenCapture& open, const Selection& selection, bool onlyMarked) {
    const SelectionState& selected = selection.current();
    Scope scope{.capture = open.id,
                .store = open.store,
                .context = selected.context.forCapture(open.id),
                .marked = {},
                .rank = {},
                .origin = open.times.origin()};
    if (selected.capture == open.id && onlyMarked && selected.range)
        scope.marked = MarkedTime{*selected.range, selection.shiftsOf(open.id)};
    return scope;
}

QString scopeText(const Scope& scope, std::size_t ranks) {
    QStringList parts;
    if (ranks < scope.store->ranks.size())
        parts << PanelScope::tr("%1 of %2 ranks").arg(formatCount(ranks), formatCount(scope.store->ranks.size()));
    if (scope.context.range || !scope.context.steps.empty())
        parts << PanelScope::tr("in the steps and time that all pages show");
    if (scope.marked) parts << PanelScope::tr("in the marked %1").arg(formatDuration(scope.marked->range.length()));
    return parts.join(u", "_s);
}

}  // namespace altiscope
