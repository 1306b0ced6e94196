#include "views/sql/saved/statement_tracks.h"

#include "core/session/session.h"
#include "core/session/sql/result_track.h"
#include "views/common/support/formatters.h"

#include <QJsonObject>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

constexpr qsizetype kMaxTrackStatement = 100'000, kMaxTrackTitle = 1'000, kMaxTrackParameters = 100;
/// Nobody waits for a statement of a workspace that never ends.
constexpr std::chrono::seconds kTrackTimeLimit{30};

QJsonValue parameterJson(const QueryParameter& parameter) {
    if (const auto* integer = std::get_if<std::int64_t>(&parameter.value)) return qint64{*integer};
    if (const auto* real = std::get_if<double>(&parameter.value)) return QJsonObject{{u"real"_s, *real}};
    if (const auto* text = std::get_if<std::string>(&parameter.value)) return toQString(*text);
    return QJsonValue::Null;
}

QueryParameter parameterIn(const QJsonObject& said) {
    QueryParameter parameter{said.value("name"_L1).toString().toStdString(), {}};
    const QJsonValue value = said.value("value"_L1);
    if (value.isDouble()) parameter.value = std::int64_t{value.toInteger()};
    else if (value.isObject()) parameter.value = value.toObject().value("real"_L1).toDouble();
    else if (value.isString()) parameter.value = value.toString().toStdString();
    return parameter;
}

}  // namespace

StatementTracks::StatementTracks(Session& session, Selection& selection, QObject* parent)
    : QObject(parent), m_session(session), m_selection(selection), m_runner(session), m_slot(session.jobs()) {
    m_runner.setTimeLimit(kTrackTimeLimit);
    connect(&m_runner, &SqlRunner::changed, this, &StatementTracks::takeRun);
    connect(&session, &Session::captureChanged, this, &StatementTracks::next);
    connect(&session, &Session::captureClosed, this, &StatementTracks::forget);
}

void StatementTracks::add(CaptureId capture, const QString& title, std::shared_ptr<const CaptureStore> store,
                          SqlStatement statement) {
    const std::uint32_t id = show(capture, title, std::move(store));
    if (!statement.sql.empty()) m_tracks.push_back({id, capture, title, std::move(statement), m_made++});
}

std::uint32_t StatementTracks::show(CaptureId capture, const QString& title,
                                    std::shared_ptr<const CaptureStore> store) {
    return m_selection.addTrack({.id = 0, .capture = capture, .title = title.toStdString(), .store = std::move(store)});
}

QJsonArray StatementTracks::state(const WorkspaceIds& captures) const {
    std::vector<const Track*> tracks;
    for (const auto* list : {&m_tracks, &m_waiting})
        for (const Track& track : *list) tracks.push_back(&track);
    if (m_running) tracks.push_back(&*m_running);
    std::sort(tracks.begin(), tracks.end(), [](const Track* a, const Track* b) { return a->order < b->order; });
    QJsonArray state;
    const auto append = [&](const Track& track) {
        const auto index = captures.indexOf(track.capture);
        const auto& shown = m_selection.tracks();
        const bool isGone = track.id != 0 && std::none_of(shown.begin(), shown.end(),
                                                          [&track](const auto& one) { return one.id == track.id; });
        if (!index || isGone) return;
        QJsonArray parameters;
        for (const QueryParameter& parameter : track.statement.parameters)
            parameters.append(
                QJsonObject{{u"name"_s, toQString(parameter.name)}, {u"value"_s, parameterJson(parameter)}});
        state.append(QJsonObject{{u"capture"_s, static_cast<qint64>(*index)},
                                 {u"title"_s, track.title},
                                 {u"sql"_s, toQString(track.statement.sql)},
                                 {u"parameters"_s, parameters}});
    };
    for (const Track* track : tracks) append(*track);
    return state;
}

void StatementTracks::restore(const QJsonArray& state, const WorkspaceIds& captures) {
    m_waiting.clear();
    stop();
    for (const Track& track : std::exchange(m_tracks, {})) m_selection.removeTrack(track.id);
    for (const auto& said : state) {
        const QJsonObject one = said.toObject();
        const QJsonArray parameters = one.value("parameters"_L1).toArray();
        Track track{.id = 0,
                    .capture = captures.at(one.value("capture"_L1).toInteger(-1)),
                    .title = one.value("title"_L1).toString().left(kMaxTrackTitle),
                    .statement = {one.value("sql"_L1).toString().toStdString(), {}}};
        if (track.capture == kNoCapture || track.statement.sql.empty() || parameters.size() > kMaxTrackParameters ||
            track.statement.sql.size() > kMaxTrackStatement || m_waiting.size() >= Selection::kMaxTracks)
            continue;
        for (const auto& parameter : parameters)
            track.statement.parameters.push_back(parameterIn(parameter.toObject()));
        track.order = m_made++;
        m_waiting.push_back(std::move(track));
    }
    next();
}

void StatementTracks::stop() {
    if (!std::exchange(m_running, std::nullopt)) return;
    m_runner.setCapture(nullptr, {});
    m_slot.cancel();
}

void StatementTracks::forget(CaptureId capture) {
    std::erase_if(m_tracks, [capture](const Track& track) { return track.capture == capture; });
    if (m_running && m_running->capture == capture) stop();
    next();
}

/// Runs the first one whose capture is read.
void StatementTracks::next() {
    if (m_running) return;
    std::erase_if(m_waiting, [this](const Track& track) { return m_session.capture(track.capture) == nullptr; });
    const auto ready = std::find_if(m_waiting.begin(), m_waiting.end(), [this](const Track& track) {
        const OpenCapture* open = m_session.capture(track.capture);
        return open->store != nullptr && open->job == 0;
    });
    if (ready == m_waiting.end()) return;
    const OpenCapture* open = m_session.capture(ready->capture);
    m_runner.setCapture(open->store, open->times.origin().value_or(TimeNs{}));
    m_running = std::move(*ready);
    m_waiting.erase(ready);
    m_runner.run(m_running->statement);
}

void StatementTracks::takeRun() {
    if (!m_running || m_runner.busy() || m_slot.busy()) return;
    const SqlRun& run = m_runner.current();
    const auto& table = run.table;
    const OpenCapture* open = m_session.capture(m_running->capture);
    // The rows found by then would look like all of them.
    const bool isCut = run.end == SqlEnd::Cancelled || run.end == SqlEnd::TimeLimit || run.end == SqlEnd::NotKept;
    if (table == nullptr || run.error || isCut || open == nullptr || open->store == nullptr || !canBeTrack(*table))
        return finish(nullptr);
    m_slot.start([store = open->store, table, title = m_running->title.toStdString()](
                     const CancelToken& cancel) { return resultTrack(*store, *table, title, cancel); },
                 [this](const ResultTrack& track) { finish(track.store); });
}

void StatementTracks::finish(const std::shared_ptr<const CaptureStore>& store) {
    if (!m_running) return;
    Track track = *std::exchange(m_running, std::nullopt);
    m_runner.setCapture(nullptr, {});
    if (store == nullptr) {
        const QString title = track.title;
        m_tracks.push_back(std::move(track));
        emit failed(title);
    } else {
        track.id = show(track.capture, track.title, store);
        m_tracks.push_back(std::move(track));
    }
    next();
}

}  // namespace altiscope
