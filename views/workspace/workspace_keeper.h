#pragma once

#include "core/session/capture_identities.h"
#include "core/session/job_runner.h"
#include "core/session/session.h"
#include "core/session/workspace_places.h"
#include "core/session/workspace_recovery.h"
#include "views/common/support/page_state.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

class QWidget;

namespace altiscope {

class NoticeBar;

/// Parts that a workspace is made of, and given to.
struct WorkspaceHost {
    /// How everything stands now; captures as Session::captures(), without identities.
    std::function<Workspace()> take;
    /// The captures are being opened.
    std::function<void(const Workspace&, const WorkspaceIds&)> give;
    /// The state that give() began to restore is shown.
    std::function<bool()> idle;
    /// Where captures were opened lately, by identity.
    std::function<std::map<std::string, QString>()> recent;
};

/// The workspace file of the window: opened, saved, and whether something has changed since; and what is kept for the
/// case that the program ends unexpectedly. GUI thread; files are read and looked for by jobs.
class WorkspaceKeeper : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    /// @param recoveryFolder  See WorkspaceRecovery.
    WorkspaceKeeper(Session& session, CaptureIdentities& identities, NoticeBar& notices, WorkspaceHost host,
                    const QString& recoveryFolder, QWidget* window);
    ~WorkspaceKeeper() override;

    /// Opens a workspace in the place of what is open, requesting captures that are not there.
    void open(const QString& file);
    /// To its file, or to one that the user chooses. @return False if it is not saved.
    bool save();
    bool saveAs();
    bool saveTo(const QString& file);
    /// Offers what a former run has left, if it has.
    void offerRecovery();
    /// Asks whether changes are to be saved, if there are. @return False if the user wants to stay.
    bool mayLeave();
    /// The window is closed: there is nothing to recover.
    void forgetRecovery();
    /// The program has to end now: what is not saved is for the next run.
    void leaveForNextStart();

    /// Empty: what is open is no workspace yet.
    const QString& file() const { return m_file; }
    /// Whether there is work that the file does not have; where the user looks is none.
    bool isModified() const { return m_isModified; }
    bool idle() const { return !m_reading.busy() && !m_isSettling; }
    /// Why the last opening or saving failed; nullopt: it did not.
    const std::optional<Error>& problem() const { return m_problem; }

signals:
    /// file() or isModified()
    void changed();
    /// One was opened or saved: for the recent ones.
    void used(const QString& file);
    void statusMessage(const QString& text);

private:
    void take(const QString& file, Result<PlacedWorkspace> placed, bool isRecovered);
    void read(const QString& file, bool isRecovered);
    void promptPlace(const QString& file, PlacedWorkspace placed, bool isRecovered);
    void begin(const QString& file, const PlacedWorkspace& placed, bool isRecovered);
    void checkIdentity(CaptureId capture);
    void look();
    Workspace recoverable(Workspace workspace) const;
    void setFile(const QString& file);
    Workspace whole() const;
    void complain(const Error& error);

    struct Expected {
        std::string identity;
        bool wasMoved = false;
    };

    Session& m_session;
    CaptureIdentities& m_identities;
    NoticeBar& m_notices;
    WorkspaceHost m_host;
    std::shared_ptr<WorkspaceRecovery> m_recovery;  // with the job that writes
    QWidget* m_window;
    QString m_file;
    std::optional<Error> m_problem;
    JobSlot m_reading, m_keeping;
    QTimer m_timer;
    std::map<CaptureId, Expected> m_expected;  // by OpenCapture::id
    std::optional<Workspace> m_saved;          // as it was written or opened; nullopt: never
    std::optional<Workspace> m_kept;           // for recovery
    std::optional<Workspace> m_unidentified;   // written while the identity of a capture was not known
    bool m_isModified = false;
    bool m_isLeaving = false;   // no dialog may come any more
    bool m_isSettling = false;  // what was opened is not shown yet
};

}  // namespace altiscope
