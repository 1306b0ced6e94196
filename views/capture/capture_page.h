#pragma once

#include "core/capture/methods/method.h"
#include "core/capture/session/capture_run.h"
#include "core/capture/session/repeats.h"
#include "core/session/job_runner.h"
#include "views/capture/form/form_state.h"
#include "views/capture/form/start_state.h"
#include "views/common/pages/data_page.h"
#include "views/common/support/view_memory.h"

#include <QStringList>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace altiscope {

class CapturesPane;
class CheckDialog;
class FieldForm;
class JobForm;
class JobsDialog;
class LimitBox;
class PresetBox;
class PreviewPanel;
class RepeatRunner;
class Session;
class TargetList;
class ToneLabel;
struct ConfigResult;

/// The page Capture: targets on the left, method, settings and preview in the middle, below them the captures of the
/// user. Whatever takes time runs elsewhere. GUI thread.
class CapturePage : public DataPage {
    Q_OBJECT
public:
    /// @param folder  Of all captures, as standardCaptureFolder(); empty: there are none, and none can be started.
    CapturePage(Session& session, const ViewMemory& memory, std::filesystem::path folder, QWidget* parent = nullptr);
    ~CapturePage() override;

    /// Nothing is on its way but captures.
    bool idle() const override;

    void chooseMethod(std::string_view name);
    /// As typed into a row of the form.
    void setField(const std::string& name, const std::string& text);
    const FormState& form() const { return *m_form; }
    void start();
    /// Again and again; the job runs already.
    void startRepeats(const capture::RepeatPlan& plan);
    /// Chooses the hosts of a file as DeepSpeed and Open MPI read it, and no others; says why where it is none.
    void readHosts(const QString& file);

signals:
    /// Results are here.
    void openRequested(const QStringList& paths);
    /// Two captures that were fetched are to be compared.
    void comparisonRequested(const QString& base, const QString& current);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeMiddle();
    QWidget* makeStartBar();
    void repeatOrStop();
    void endRepeats(const QString& why);
    void showRepeats();
    void connectParts();
    void takeMethod();
    void edit(const QString& field, const QString& text);
    void takeBack(const QString& field);
    void takeEdits();
    /// Form, preview and start bar follow what has been chosen; at once, or soon where the configuration is large.
    void rebuild();
    void takeForm(FormState form);
    void showStart();
    void showPreview();
    void readFile(bool isRequested);
    void takeFile(const ConfigResult& result);
    JobInput job() const;
    QString previewTitle() const;
    void runByHand();
    void takeByHand(const QString& folder);
    /// Looks at the targets and shows what was found.
    void check();
    /// Shows what runs on the targets; the form takes what is chosen there.
    void findJobs();
    capture::StartRequest startRequest() const;
    void save(const QString& file, const QString& text);

    /// The form becomes that of a capture of before.
    void repeat(const capture::CaptureRecord& record);
    void retranslate();

    Session& m_session;
    ViewMemory m_memory;
    std::filesystem::path m_folder;
    FormInput m_input;
    std::unique_ptr<FormState> m_form;
    StartState m_startState;

    QString m_fileNote;
    bool m_isFileProblem = false;
    QString m_unreadOn;  ///< The target whose file nobody has read; empty: there is none.
    bool m_wasShown = false;
    JobSlot m_aliasReading, m_hostsReading, m_fileReading, m_formMaking, m_taking;
    QTimer m_fileTimer;

    TargetList* m_targets;
    QLabel* m_methodName;
    QComboBox* m_method;
    QLabel* m_presetName;
    PresetBox* m_preset;
    ToneLabel* m_purpose;
    JobForm* m_job;
    QLineEdit* m_filter;
    FieldForm* m_fields;
    PreviewPanel* m_preview;
    ToneLabel* m_sentence;
    QCheckBox* m_fetches;
    LimitBox* m_limit;
    QPushButton* m_check;
    QPushButton* m_repeat;
    QPushButton* m_start;
    ToneLabel* m_repeatNote;
    RepeatRunner* m_repeats = nullptr;  ///< While captures are repeated.
    CheckDialog* m_checks = nullptr;    ///< Made when it is first needed.
    JobsDialog* m_jobs = nullptr;       ///< The same.
    CapturesPane* m_captures;
};

/// Where the captures of this user lie, for the window and the command line.
std::filesystem::path standardCaptureFolder();

}  // namespace altiscope
