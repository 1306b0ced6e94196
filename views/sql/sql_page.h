#pragma once

#include "core/session/sql/result_track.h"
#include "core/session/sql_runner.h"
#include "views/common/pages/framed_page.h"
#include "views/common/support/page_state.h"
#include "views/common/support/view_memory.h"
#include "views/sql/language/sql_text.h"
#include "views/sql/language/sql_vocabulary.h"
#include "views/sql/saved/query_store.h"
#include "views/sql/saved/statement_history.h"
#include "views/sql/saved/statement_tracks.h"

#include <QElapsedTimer>
#include <QTimer>

#include <map>
#include <memory>

class QAction;
class QComboBox;
class QLabel;
class QSplitter;
class QToolButton;

namespace altiscope {

class EditorTabs;
class ParameterBar;
class QueryPanel;
class ResultPanel;

/// SQL over the open capture: statements above, their rows below, queries and tables beside. Ctrl+Return or F5 runs the
/// statement at the cursor, Escape cancels. GUI thread.
class SqlPage : public FramedPage, public PageState {
    Q_OBJECT
public:
    /// All must outlive the page.
    SqlPage(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent = nullptr);
    ~SqlPage() override;

    bool idle() const override;
    /// Commands of the page, for the command palette.
    const QList<QAction*>& commands() const { return m_commands; }

    /// {"tabs":[...] (see EditorTabs),"tracks":[...] (see StatementTracks),"view":{"text": of the tab in sight}}
    QJsonObject state(const WorkspaceIds& captures) const override;
    void restore(const QJsonObject& state, const WorkspaceIds& captures) override;

    void run();
    /// Runs a statement in a tab of its own: in that of the one that was shown before, unless the user has changed it.
    void showStatement(const QString& title, const QString& statement);
    void cancel() { m_runner.cancel(); }
    /// The rows that are shown become a track of the timeline, if their columns say when they were.
    void showAsTrack();
    /// Writes all rows of the statement that is shown, see SqlRunner::writeAll().
    void writeAllTo(const QString& file);
    bool saveQuery(const QString& title);

    SqlRunner& runner() { return m_runner; }
    EditorTabs& tabs() { return *m_tabs; }
    ResultPanel& results() { return *m_results; }
    QueryPanel& queries() { return *m_queries; }
    ParameterBar& parameters() { return *m_parameters; }

protected:
    void refresh(bool isInSight) override;
    PageTexts texts() const override;
    QStringList shownGaps() const override;
    std::optional<QStringList> missing() const override { return std::nullopt; }
    bool isContentShown() const override { return m_capture.whole() != nullptr; }
    void retranslate() override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// Statement that a tab has run last.
    struct Outcome {
        SqlStatement statement;
        TextSpan span;  ///< Where the statement stands in the tab's text.
        SqlRun run;
        bool isErrorShown = false;  ///< The cursor was at the error already, and is the user's.
    };

    void setUp();
    QWidget* setUpBar();
    void setUpActions();
    void connectParts();
    void takeRun();
    void showOutcome(bool isNew);
    void showError(Outcome& outcome);
    void showStatus();
    void showParameters(bool isOtherTab);
    void freeOthers();
    void showRow(std::uint32_t row);
    void copyLink(std::uint32_t row);
    void takeTrack(CaptureId capture, const QString& title, ResultTrack track, const SqlStatement& statement);
    void stepHistory(int direction);
    void promptTitle();
    void saveRowsAs();
    void takeFile(const QString& file, const SqlFile& outcome);
    void enableActions();
    Outcome* shownOutcome();
    QAction* savingActionOf(const QKeyEvent& key) const;

    Session& m_session;
    JobSlot m_trackSlot;
    StatementTracks m_tracks;
    ViewMemory m_memory;
    const SqlVocabulary m_vocabulary;
    StatementHistory m_history;
    OwnQueries m_own;
    SqlRunner m_runner;
    std::shared_ptr<const CaptureStore> m_store;
    std::map<std::uint64_t, Outcome> m_outcomes;  ///< By QueryTab::id.
    std::uint64_t m_runningTab = 0;
    QString m_shownStatement;  ///< By showStatement().
    QElapsedTimer m_running;
    QTimer m_tick;
    EditorTabs* m_tabs;
    ParameterBar* m_parameters;
    ResultPanel* m_results;
    QueryPanel* m_queries;
    QLabel* m_hint;
    QLabel* m_limitLabel;
    QComboBox* m_limit;
    QSplitter* m_whole;
    QList<QAction*> m_commands;
    QAction *m_run, *m_cancel, *m_addTab, *m_closeTab, *m_nextTab, *m_previousTab, *m_renameTab, *m_save, *m_write,
        *m_track, *m_showRows, *m_showEditor, *m_showHistory, *m_showQueries;
};

}  // namespace altiscope
