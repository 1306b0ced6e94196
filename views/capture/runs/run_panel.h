#pragma once

#include "core/capture/session/record.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <string>

class QLineEdit;
class QPlainTextEdit;
class QSplitter;
class QStackedLayout;
class QToolButton;
class QTreeView;

namespace altiscope {

class RunModel;
class ToneLabel;

/// One capture as it is: states by host and rank, everything that was reported, and what can be done with it. While
/// none is shown it says in three lines what the page is for. GUI thread.
class RunPanel : public QWidget {
    Q_OBJECT
public:
    explicit RunPanel(QWidget* parent = nullptr);

    /// @param busy    Something is being done with it by this window.
    /// @param former  The capture before with the same method; null if there is none.
    void showRecord(std::shared_ptr<const capture::CaptureRecord> record, bool busy,
                    std::shared_ptr<const capture::CaptureRecord> former = nullptr);
    void showNothing();
    /// Why the last request failed; empty: it did not.
    void showProblem(const QString& text);
    /// The text of the field is the note, also while it is being typed.
    void takeNote();
    /// Keys go to the note of the shown capture: to show another one would give it the rest of them.
    bool isNoting() const;
    std::string shownId() const { return m_record ? m_record->id : std::string(); }

signals:
    void watchRequested();
    void finishRequested();
    void cancelRequested();
    void fetchRequested();
    void openRequested();
    void analysisRequested();
    /// With the capture before.
    void comparisonRequested();
    void noteEdited(const std::string& id, const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QToolButton* makeButton(const QString& icon, void (RunPanel::*requested)());
    void showButtons();
    void showLog();
    void showNote();
    void retranslate();

    std::shared_ptr<const capture::CaptureRecord> m_record, m_former;
    bool m_busy = false;
    std::string m_loggedId;
    std::size_t m_logged = 0;  ///< Events of it that are in the log.
    QStackedLayout* m_stack;
    ToneLabel* m_intro;
    QWidget* m_whole;
    ToneLabel* m_title;
    ToneLabel* m_problem;
    QLineEdit* m_note;
    std::string m_notedId;  ///< Whose note the line has.
    RunModel* m_model;
    QSplitter* m_parts = nullptr;
    QTreeView* m_table;
    QPlainTextEdit* m_log;
    QToolButton* m_watch;
    QToolButton* m_finish;
    QToolButton* m_cancel;
    QToolButton* m_analyse;
    QToolButton* m_fetch;
    QToolButton* m_open;
    QToolButton* m_compare;
};

/// The folder with the fetched results of all targets; empty while there is none.
QString fetchedFolder(const capture::CaptureRecord& record);

}  // namespace altiscope
