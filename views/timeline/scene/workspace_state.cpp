#include "views/timeline/scene/workspace_state.h"

#include "views/common/plots/time_axis.h"

#include <QTimer>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Nothing more comes of it.
bool isLost(const OpenCapture& capture) { return capture.job == 0 && (capture.error.has_value() || capture.cancelled); }

}  // namespace

TimelineState::TimelineState(Session& session, TimelineScene& scene, TimelineClocks& clocks, TrackLayouts& layouts,
                             QObject* parent)
    : QObject(parent), m_session(session), m_scene(scene), m_clocks(clocks), m_layouts(layouts) {
    connect(&scene, &TimelineScene::rowsChanged, this, &TimelineState::apply);
    connect(&layouts, &TrackLayouts::applied, this, &TimelineState::apply);
    // Without a change of rows: a capture that could not be opened.
    connect(&session, &Session::captureChanged, this, [this] { QTimer::singleShot(0, this, &TimelineState::apply); });
}

QJsonObject TimelineState::state(const WorkspaceIds& captures) const {
    QJsonObject state = m_layouts.state(captures);
    const QJsonObject clocks = m_clocks.state(captures);
    for (auto member = clocks.begin(); member != clocks.end(); ++member) state.insert(member.key(), member.value());
    if (m_scene.window().empty()) return state;
    for (const TimelineSource& source : m_scene.model().sources()) {
        const auto index = captures.indexOf(source.capture);
        if (!index) continue;
        const TimeRange range = shifted(m_scene.window().range(), {-source.shift.value});
        state.insert(PageState::kView, QJsonObject{{u"capture"_s, static_cast<qint64>(*index)},
                                                   {u"begin"_s, qint64{range.begin.value}},
                                                   {u"end"_s, qint64{range.end.value}},
                                                   {u"scroll"_s, qint64{m_scene.viewport().scrollTop()}}});
        break;
    }
    return state;
}

void TimelineState::restore(const QJsonObject& state, const WorkspaceIds& captures) {
    m_layouts.restore(state, captures);
    m_clocks.restore(state, captures);
    m_window.reset();
    const QJsonObject view = state.value(PageState::kView).toObject();
    const CaptureId capture = captures.at(view.value("capture"_L1).toInteger(-1));
    const qint64 begin = view.value("begin"_L1).toInteger(), end = view.value("end"_L1).toInteger();
    if (capture != kNoCapture && begin < end && begin >= -kMaxTimeNs && end <= kMaxTimeNs)
        m_window = {capture, {{begin}, {end}}, view.value("scroll"_L1).toInteger()};
    apply();
}

/// Once all captures are read and their rows stand as they are to.
void TimelineState::apply() {
    if (!m_window) return;
    const OpenCapture* open = m_session.capture(m_window->capture);
    if (open == nullptr || open->error || (isLost(*open) && open->store == nullptr)) return m_window.reset();
    const auto source = m_scene.model().sources().sourceOf(m_window->capture);
    if (!source || m_scene.window().empty()) return;
    const bool isLast =
        m_scene.progress().empty() &&
        std::none_of(m_session.captures().begin(), m_session.captures().end(), [this](const OpenCapture& capture) {
            return capture.job != 0 || (m_layouts.isWaitingFor(capture.id) && !isLost(capture));
        });
    const TimeRange range = shifted(m_window->range, m_scene.model().sources()[*source].shift);
    m_scene.change([&](ViewWindow& window) { window.show(range, HistoryMark::Continue); });
    m_scene.viewport().setScrollTop(m_window->scroll);
    if (isLast) m_window.reset();
}

}  // namespace altiscope
