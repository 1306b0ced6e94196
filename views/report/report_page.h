#pragma once

#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/pages/framed_page.h"
#include "views/common/support/page_state.h"
#include "views/common/support/view_memory.h"
#include "views/report/output/report_file.h"
#include "views/report/output/report_source.h"

#include <QTimer>

#include <map>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace altiscope {

class PagePreview;
class ReportForm;

/// The page Report: what goes into a report of the shown capture and of the ranks and steps that the context holds, its
/// pages as they will be, and the file. Numbers are made on workers while the page is in sight; what the user chooses
/// and writes then only lays out the pages anew. GUI thread.
class ReportPage : public FramedPage, public PageState {
    Q_OBJECT
public:
    /// All must outlive the page.
    ReportPage(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent = nullptr);
    ~ReportPage() override;

    bool idle() const override;
    ReportForm& form() { return *m_form; }
    PagePreview& preview() { return *m_preview; }
    /// As ReportForm::state(); pictures stay out.
    QJsonObject state(const WorkspaceIds& captures) const override;
    void restore(const QJsonObject& state, const WorkspaceIds& captures) override;
    /// Puts a picture into the report. @return What to say about it.
    QString addPicture(const QImage& picture, const QString& title);
    /// Writes what the preview shows as a job, by the ending of the name.
    void write(const QString& file);
    /// Why there is no file, or where it is.
    QString outcome() const;

private:
    void setUp();
    QWidget* makeBar();
    void refresh(bool isInSight) override;
    PageTexts texts() const override;
    QStringList shownGaps() const override;
    std::optional<QStringList> missing() const override;
    bool isContentShown() const override;
    void retranslate() override;

    std::optional<ReportSource> source();
    ReportCapture captureOf(const OpenCapture& open);
    void fillBases();
    void clear();
    void make();
    void start(const ReportSource& source);
    void stop();
    void take(Result<MadeReport> made);
    void layout();
    void saveAs();
    void takeSaved(const QString& file, const ReportSaved& saved);
    void showState();

    Session& m_session;
    ViewMemory m_memory;
    std::map<CaptureId, ReportCapture> m_captures;  ///< By OpenCapture::id, of the newest state.
    std::optional<ReportSource> m_requested;
    std::optional<MadeReport> m_made;
    std::shared_ptr<const Report> m_chosen;  ///< The report that the preview shows, or will.
    QString m_problem, m_file, m_outcome;
    bool m_isWriting = false;
    JobSlot m_layout;
    std::uint64_t m_job = 0, m_run = 0;  ///< That makes the report; 0: none runs.
    QTimer m_gather;
    ReportForm* m_form;
    PagePreview* m_preview;
    QWidget* m_bar;
    QWidget* m_body;
    QLabel* m_formatName;
    QComboBox* m_format;
    QPushButton* m_write;
    QLabel* m_state;
    QToolButton *m_open, *m_folder;
};

}  // namespace altiscope
