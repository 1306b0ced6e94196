#pragma once

#include "core/session/job_runner.h"
#include "core/session/selection.h"
#include "core/session/sql_runner.h"
#include "views/common/support/page_state.h"

#include <QJsonArray>
#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

class Session;

/// Tracks of the timeline that statements gave: which one gave which. A workspace keeps the statements and runs them
/// again, one after the other as their captures are read. GUI thread.
class StatementTracks : public QObject {
    Q_OBJECT
public:
    /// Both must outlive it.
    StatementTracks(Session& session, Selection& selection, QObject* parent = nullptr);

    /// Shows a track. @param statement  What gave it; without text it is not kept.
    void add(CaptureId capture, const QString& title, std::shared_ptr<const CaptureStore> store,
             SqlStatement statement);

    /// [{"capture": index,"title","sql","parameters":[{"name","value"}]}]; a value is null, a whole number, a text or
    /// {"real": number}.
    QJsonArray state(const WorkspaceIds& captures) const;
    /// Instead of those that are there. Those whose statement fails now stay in the state.
    void restore(const QJsonArray& state, const WorkspaceIds& captures);
    /// Nothing is computed; what waits for a capture does not count.
    bool idle() const { return !m_running; }

signals:
    void failed(const QString& title);  ///< The statement of a workspace gave no track.

private:
    struct Track {
        std::uint32_t id = 0;  ///< ComputedTrack::id; 0: not shown.
        CaptureId capture;
        QString title;
        SqlStatement statement;
        std::uint64_t order = 0;  ///< In the state: whichever capture is read first, it stays the same.
    };

    std::uint32_t show(CaptureId capture, const QString& title, std::shared_ptr<const CaptureStore> store);
    void next();
    void takeRun();
    void stop();
    void forget(CaptureId capture);
    void finish(const std::shared_ptr<const CaptureStore>& store);

    Session& m_session;
    Selection& m_selection;
    SqlRunner m_runner;
    JobSlot m_slot;
    std::vector<Track> m_tracks, m_waiting;
    std::optional<Track> m_running;
    std::uint64_t m_made = 0;
};

}  // namespace altiscope
