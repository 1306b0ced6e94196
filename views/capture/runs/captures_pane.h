#pragma once

#include "core/capture/session/capture_run.h"
#include "core/capture/targets/remote_shell.h"
#include "core/session/job_runner.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QSplitter;

namespace altiscope {

class AskpassServer;
class CaptureActivity;
class HistoryPanel;
class RunPanel;

/// The captures of the user, what the chosen one does, and everything that this window is doing with one of them.
/// Whatever takes time runs elsewhere. GUI thread. Its destructor leaves captures under way as they are.
class CapturesPane : public QWidget {
    Q_OBJECT
public:
    using LimitsNow = std::function<capture::FetchLimits()>;
    /// @param folder  Of all captures; empty: there are none.
    /// @param limits  How fast results may be copied; called when a copy begins.
    CapturesPane(JobRunner& jobs, std::filesystem::path folder, LimitsNow limits, QWidget* parent = nullptr);
    ~CapturesPane() override;

    /// Places a capture and watches it to its end.
    /// @param fetches    Then its results are copied, and opened if `opens`.
    /// @param whenEnded  Called with whether all of that went well, after everything else; not if this goes before.
    void start(capture::StartRequest request, bool fetches, std::function<void(bool)> whenEnded = {},
               bool opens = true);
    /// One has been begun of which nobody knows yet whether it can be.
    bool isStarting() const;
    /// Reads the session files again and shows this one.
    void show(const std::string& id);
    /// How OpenSSH and keys with a password reach the user; empty where only this machine is concerned, and no daemon.
    capture::Askpass askpass(const std::vector<std::string>& targets, const capture::Method* method);
    /// Nothing is being read.
    bool idle() const;

signals:
    /// Results are here.
    void openRequested(const QStringList& paths);
    void repeatRequested(const capture::CaptureRecord& record);
    void comparisonRequested(const QString& base, const QString& current);
    void statusMessage(const QString& text);
    /// Another value of isStarting() is possible.
    void startingChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void connectParts();
    void add(CaptureActivity* activity);
    void takeEnd(CaptureActivity* activity);
    void showCurrent();
    void keepNote(const std::string& id, const QString& text);
    void saveNotes();
    void forgetWrittenNotes();
    std::map<std::string, std::string> notesToWrite() const;
    bool bringForward(const std::string& id);
    void cancel(const std::string& id);
    bool isBusy(const std::string& id) const;
    capture::Askpass askpassOf(const capture::CaptureRecord& record);

    std::filesystem::path m_folder;
    LimitsNow m_limits;
    JobSlot m_noting;
    struct Note {
        std::string text;
        bool isWritten = false;
    };
    std::map<std::string, Note> m_notes;  ///< By capture: not written yet, or not read again since.
    std::vector<CaptureActivity*> m_activities;
    struct Ending {
        std::function<void(bool)> whenEnded{};
        bool opens = true;  ///< Whether fetched results open.
    };
    std::map<const CaptureActivity*, Ending> m_endings;
    std::map<std::string, QString> m_failures;  ///< By capture: why what was requested failed.
    AskpassServer* m_askpass = nullptr;         ///< Made when it is first needed.
    QSplitter* m_splitter = nullptr;
    bool m_wasShown = false;
    HistoryPanel* m_history;
    RunPanel* m_run;
};

}  // namespace altiscope
