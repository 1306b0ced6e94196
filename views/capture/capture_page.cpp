#include "views/capture/capture_page.h"

#include "core/base/files/pending_file.h"
#include "core/base/text/catalogue.h"
#include "core/capture/session/by_hand.h"
#include "core/capture/targets/hosts_file.h"
#include "core/capture/targets/ssh_hosts.h"
#include "core/capture/targets/target.h"
#include "core/session/session.h"
#include "views/capture/by_hand_dialog.h"
#include "views/capture/check_dialog.h"
#include "views/capture/form/config_source.h"
#include "views/capture/form/field_form.h"
#include "views/capture/form/job_form.h"
#include "views/capture/form/preset_box.h"
#include "views/capture/form/preview_panel.h"
#include "views/capture/form/target_list.h"
#include "views/capture/jobs_dialog.h"
#include "views/capture/runs/captures_pane.h"
#include "views/capture/runs/repeat_runner.h"
#include "views/capture/support/host_texts.h"
#include "views/capture/support/limit_box.h"
#include "views/capture/support/method_texts.h"
#include "views/capture/support/tone_label.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/icons.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFile>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QShowEvent>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// After so long without a key the file is read.
constexpr int kFileDelayMs = 400;
/// Bytes of a configuration whose change takes longer than a few ms.
constexpr std::size_t kLargeFile = 64 << 10;
const QString kMethodKey = u"capture/method"_s, kFetchesKey = u"capture/fetches"_s;
constexpr std::string_view kFirstMethod = "torch-dynamic";

}  // namespace

std::filesystem::path standardCaptureFolder() { return capture::RecordStore::standardFolder(); }

CapturePage::CapturePage(Session& session, const ViewMemory& memory, std::filesystem::path folder, QWidget* parent)
    : DataPage(parent), m_session(session), m_memory(memory), m_folder(std::move(folder)),
      m_aliasReading(session.jobs()), m_hostsReading(session.jobs()), m_fileReading(session.jobs()),
      m_formMaking(session.jobs()), m_taking(session.jobs()), m_targets(new TargetList(memory, this)),
      m_methodName(new QLabel(this)), m_method(new QComboBox(this)), m_presetName(new QLabel(this)),
      m_preset(new PresetBox(memory, this)), m_purpose(new ToneLabel(IconTone::Muted, this)),
      m_job(new JobForm(memory, this)), m_filter(new QLineEdit(this)), m_fields(new FieldForm(this)),
      m_preview(new PreviewPanel(this)), m_sentence(new ToneLabel(IconTone::Text, this)),
      m_fetches(new QCheckBox(this)), m_limit(new LimitBox(memory, this)), m_check(new QPushButton(this)),
      m_repeat(new QPushButton(this)), m_start(new QPushButton(this)),
      m_repeatNote(new ToneLabel(IconTone::Text, this)),
      m_captures(new CapturesPane(
          session.jobs(), m_folder, [this] { return m_limit->limits(); }, this)) {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    auto* upper = new QSplitter(Qt::Horizontal, this);
    upper->addWidget(m_targets);
    upper->addWidget(makeMiddle());
    upper->addWidget(m_preview);
    upper->setChildrenCollapsible(false);
    upper->setSizes({180, 460, 320});
    upper->setStretchFactor(0, 0);
    upper->setStretchFactor(1, 1);
    upper->setStretchFactor(2, 2);
    auto* top = new QWidget(this);
    auto* topColumn = new QVBoxLayout(top);
    topColumn->setContentsMargins({});
    topColumn->setSpacing(0);
    topColumn->addWidget(upper, 1);
    topColumn->addWidget(makeStartBar());
    auto* whole = new QSplitter(Qt::Vertical, this);
    whole->addWidget(top);
    whole->addWidget(m_captures);
    whole->setChildrenCollapsible(false);
    whole->setSizes({650, 350});
    whole->setStretchFactor(0, 2);
    whole->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->addWidget(whole);
    m_fields->setTabAfter(m_filter);
    m_fileTimer.setSingleShot(true);
    m_fileTimer.setInterval(kFileDelayMs);

    for (const capture::Method& method : capture::methods()) m_method->addItem(QString(), toQString(method.name));
    const int remembered = m_method->findData(m_memory.value(kMethodKey).toString());
    m_method->setCurrentIndex(remembered >= 0 ? remembered : m_method->findData(toQString(kFirstMethod)));
    const QVariant fetches = m_memory.value(kFetchesKey);
    m_fetches->setChecked(!fetches.isValid() || fetches.toBool());
    m_input.method = capture::findMethod(m_method->currentData().toString().toStdString());
    m_job->setMethod(*m_input.method);
    m_preset->setMethod(*m_input.method);
    setFocusProxy(m_method);
    connectParts();
    retranslate();
}

// Before the jobs are waited for: some of them wait for a password.
CapturePage::~CapturePage() {
    // Also those that were stopped, and have not ended yet.
    qDeleteAll(findChildren<RepeatRunner*>(Qt::FindDirectChildrenOnly));
    delete m_captures;
}

QWidget* CapturePage::makeMiddle() {
    auto* middle = new QWidget(this);
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    auto* choices = new QGridLayout;
    choices->setContentsMargins(8, 0, 8, 0);
    choices->setHorizontalSpacing(8);
    choices->setVerticalSpacing(4);
    choices->setColumnStretch(1, 1);
    m_methodName->setBuddy(m_method);
    m_presetName->setBuddy(m_preset);
    m_method->setMinimumContentsLength(16);
    m_method->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choices->addWidget(m_methodName, 0, 0);
    choices->addWidget(m_method, 0, 1);
    choices->addWidget(m_purpose, 1, 1);
    choices->addWidget(m_presetName, 2, 0);
    choices->addWidget(m_preset, 2, 1);
    column->addLayout(choices);
    auto* inner = new QWidget(middle);
    auto* rows = new QVBoxLayout(inner);
    rows->setContentsMargins({});
    rows->setSpacing(4);
    auto* filterRow = new QHBoxLayout;
    filterRow->setContentsMargins(8, 4, 8, 0);
    filterRow->addWidget(m_filter);
    m_filter->setClearButtonEnabled(true);
    rows->addWidget(m_job);
    rows->addLayout(filterRow);
    rows->addWidget(m_fields, 1);
    auto* scroll = new QScrollArea(middle);
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    inner->setBackgroundRole(QPalette::Base);
    scroll->viewport()->setBackgroundRole(QPalette::Base);
    column->addWidget(scroll, 1);
    return middle;
}

QWidget* CapturePage::makeStartBar() {
    auto* bar = new QFrame(this);
    bar->setBackgroundRole(QPalette::Window);
    bar->setAutoFillBackground(true);
    // Beside the buttons the sentence would be narrow and high.
    auto* column = new QVBoxLayout(bar);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    column->addWidget(m_sentence);
    column->addWidget(m_repeatNote);
    m_repeatNote->hide();
    column->addLayout(row);
    row->addStretch(1);
    row->addWidget(m_fetches);
    row->addWidget(m_limit);
    row->addWidget(m_check);
    row->addWidget(m_repeat);
    row->addWidget(m_start);
    return bar;
}

void CapturePage::connectParts() {
    connect(m_method, &QComboBox::currentIndexChanged, this, &CapturePage::takeMethod);
    connect(m_preset, &PresetBox::chosen, this, [this, wasOwn = false]() mutable {
        m_input.preset = m_preset->base();
        auto edits = m_preset->ownEdits();
        // Edits of the user stay with another preset of the program; those of an own preset go with it.
        if (std::exchange(wasOwn, edits.has_value()) || edits)
            m_input.edits = std::move(edits).value_or(std::vector<capture::Assignment>());
        takeEdits();
    });
    connect(m_preset, &PresetBox::statusMessage, this, &CapturePage::statusMessage);
    connect(m_fields, &FieldForm::edited, this, &CapturePage::edit);
    connect(m_fields, &FieldForm::takenBack, this, &CapturePage::takeBack);
    connect(m_filter, &QLineEdit::textChanged, m_fields, &FieldForm::setFilter);
    connect(m_job, &JobForm::changed, this, [this] { readFile(false); });
    connect(m_job, &JobForm::jobsRequested, this, &CapturePage::findJobs);
    connect(m_targets, &TargetList::hostsFileChosen, this, &CapturePage::readHosts);
    connect(m_targets, &TargetList::changed, this, [this] { readFile(false); });
    connect(&m_fileTimer, &QTimer::timeout, this, [this] { readFile(true); });
    connect(m_fetches, &QCheckBox::toggled, this, [this](bool fetches) {
        m_memory.setValue(kFetchesKey, fetches);
        showStart();
    });
    connect(m_check, &QPushButton::clicked, this, &CapturePage::check);
    connect(m_repeat, &QPushButton::clicked, this, &CapturePage::repeatOrStop);
    connect(m_start, &QPushButton::clicked, this, &CapturePage::start);
    connect(m_preview, &PreviewPanel::readingRequested, this, [this] { readFile(true); });
    connect(m_preview, &PreviewPanel::saveRequested, this, &CapturePage::save);
    connect(m_preview, &PreviewPanel::byHandRequested, this, &CapturePage::runByHand);
    connect(m_captures, &CapturesPane::repeatRequested, this, &CapturePage::repeat);
    connect(m_captures, &CapturesPane::openRequested, this, &CapturePage::openRequested);
    connect(m_captures, &CapturesPane::comparisonRequested, this, &CapturePage::comparisonRequested);
    connect(m_captures, &CapturesPane::statusMessage, this, &CapturePage::statusMessage);
    connect(m_captures, &CapturesPane::startingChanged, this, &CapturePage::showStart);
}

bool CapturePage::idle() const {
    return !m_aliasReading.busy() && !m_hostsReading.busy() && !m_fileReading.busy() && !m_formMaking.busy() &&
           !m_fileTimer.isActive() && (m_checks == nullptr || !m_checks->busy()) &&
           (m_jobs == nullptr || !m_jobs->busy()) && !m_taking.busy() && m_captures->idle();
}

// --- what the user chooses ----------------------------------------------------------------------------------------

void CapturePage::chooseMethod(std::string_view name) {
    m_method->setCurrentIndex(m_method->findData(toQString(name)));
}

void CapturePage::readHosts(const QString& file) {
    m_targets->showProblem({});
    m_hostsReading.start([path = std::filesystem::path(QFile::encodeName(file).toStdString())](
                             const CancelToken&) { return capture::hostsOfFile(path); },
                         [this](const Result<std::vector<std::string>>& hosts) {
                             if (hosts.failed()) m_targets->showProblem(hostSentence(hosts.error()));
                             if (!hosts.ok()) return;
                             QStringList names;
                             for (const std::string& name : hosts.value()) names << toQString(name);
                             m_targets->choose(names);
                         });
}

void CapturePage::takeMethod() {
    const capture::Method* method = capture::findMethod(m_method->currentData().toString().toStdString());
    if (method == nullptr || method->name == m_input.method->name) return;
    m_memory.setValue(kMethodKey, m_method->currentData());
    m_input.method = method;
    m_input.edits.clear();
    m_filter->clear();
    m_purpose->setText(methodPurpose(*method));
    m_job->setMethod(*method);
    m_preset->setMethod(*method);
    m_input.preset = m_preset->base();
    readFile(false);
}

void CapturePage::setField(const std::string& name, const std::string& text) { edit(toQString(name), toQString(text)); }

void CapturePage::edit(const QString& field, const QString& text) {
    const std::string name = field.toStdString();
    const capture::Setting* setting = m_form->settings.find(name);
    const bool isNumber = setting != nullptr && (setting->field->type == capture::FieldType::Integer ||
                                                 setting->field->type == capture::FieldType::Number);
    // A number that was wiped out is the one of before.
    if (text.isEmpty() && isNumber) return takeBack(field);
    applyEdit(m_input.edits, name, text.toStdString());
    if (name == m_input.method->variantField) {
        // Another flavour of the tool has other fields.
        const capture::Settings others(*m_input.method, text.toStdString());
        std::erase_if(m_input.edits, [&others](const auto& pair) { return others.find(pair.first) == nullptr; });
    }
    takeEdits();
}

void CapturePage::takeBack(const QString& field) {
    applyEdit(m_input.edits, field.toStdString(), std::nullopt);
    takeEdits();
}

void CapturePage::takeEdits() {
    // One flavour of a tool may have a file where another has options.
    const capture::Method* flavour = &capture::flavourOf(*m_input.method, m_input.edits);
    if (flavour == std::exchange(m_input.method, flavour)) return rebuild();
    m_job->setMethod(*flavour);
    readFile(false);
}

JobInput CapturePage::job() const {
    return {m_targets->chosen(), m_job->file(),    m_job->workdir(),
            m_job->launch(),     m_job->results(), m_fetches->isChecked()};
}

void CapturePage::rebuild() {
    m_input.file = m_job->file();
    m_preset->setEdits(m_input.edits);
    m_formMaking.cancel();
    if (!m_input.fileText || m_input.fileText->size() < kLargeFile) return takeForm(formState(m_input));
    m_formMaking.start([input = m_input](const CancelToken&) { return formState(input); },
                       [this](FormState form) { takeForm(std::move(form)); });
    showStart();
}

void CapturePage::takeForm(FormState form) {
    m_form = std::make_unique<FormState>(std::move(form));
    m_fields->showRows(m_form->settings, rowStates(m_input, *m_form, catalogueLanguage()));
    showPreview();
    showStart();
}

void CapturePage::showStart() {
    m_startState = startState(*m_form, job());
    m_sentence->setText(m_startState.sentence);
    m_sentence->setTone(m_startState.possible ? IconTone::Text : IconTone::Warning);
    // The last edit has not been checked yet.
    m_startState.possible = m_startState.possible && !m_formMaking.busy();
    m_start->setEnabled(m_startState.possible && !m_captures->isStarting() && !m_folder.empty());
    m_check->setEnabled(m_startState.possible);
    showRepeats();
}

QString CapturePage::previewTitle() const {
    switch (m_input.method->medium) {
    case capture::Medium::JsonFile:
    case capture::Medium::YamlFile:
        if (m_form->hasFile) return tr("Change of %1:").arg(toQString(m_input.file));
        if (!m_unreadOn.isEmpty()) return tr("As a new file it would be:");
        return tr("The file:");
    case capture::Medium::Options: return tr("Options of the command:");
    case capture::Medium::Environment: return tr("Variable of the environment:");
    case capture::Medium::Snippet: return tr("Lines for your program:");
    case capture::Medium::Command: return tr("The command:");
    case capture::Medium::Request: return tr("Message to the daemon of msMonitor:");
    case capture::Medium::Service: return tr("Calls of the service:");
    }
    return {};
}

void CapturePage::showPreview() {
    QStringList notes;
    if (takesFile(*m_input.method) && !m_fileNote.isEmpty()) notes << m_fileNote;
    if (!m_unreadOn.isEmpty() && m_fileNote.isEmpty()) {
        notes << tr("The file on %1 has not been read yet. What it contains stays, except for the settings that you or "
                    "the preset have set.")
                     .arg(m_unreadOn);
    }
    if (m_form->error) notes << hostSentence(*m_form->error);
    for (const capture::SettingProblem& problem : m_form->problems) {
        if (problem.severity == capture::ProblemLevel::Error || problem.field.empty())
            notes << hostText(capture::problemText(problem, catalogueLanguage()));
    }
    if (m_form->isValid() && m_form->hasFile && m_form->plan.diff.empty())
        notes << tr("The file already has these settings.");
    // With nothing more urgent to say.
    if (const std::string_view hint = m_input.method->hint; !hint.empty() && m_form->isValid())
        notes << withUnbrokenUnits(toQString(catalogueText(hint, catalogueLanguage())));
    const bool isCommand = !m_form->plan.words.empty() || !m_form->plan.variable.empty() ||
                           !m_form->plan.request.empty() || !m_form->plan.calls.empty();
    const auto form = m_form->hasFile ? PreviewPanel::Form::Change
                      : isCommand     ? PreviewPanel::Form::Command
                                      : PreviewPanel::Form::Text;
    QString text = toQString(m_form->preview());
    // The command that msprof runs follows its options, as it is typed into the form or into a field.
    if (m_input.method->medium == capture::Medium::Command && takesLaunch(*m_input.method) && !text.isEmpty() &&
        m_form->plan.application.empty() && !m_job->launch().empty())
        text = text.trimmed() + u' ' + toQString(m_job->launch());
    m_preview->showText(form, previewTitle(), text, toQString(m_form->plan.file),
                        toQString(m_input.file.substr(m_input.file.rfind('/') + 1)));
    m_preview->showNote(notes.join(u'\n'), m_isFileProblem || !m_form->isValid());
}

// --- the configuration as it is -----------------------------------------------------------------------------------

/// @param isRequested  Now; else, where it costs nobody anything, once the user rests.
void CapturePage::readFile(bool isRequested) {
    const auto targets = m_targets->chosen();
    const std::string target = targets.empty() ? std::string() : targets.front();
    const bool isLocal = target == "local";
    m_job->setLocal(target.empty() || isLocal);
    const bool wantsFile = takesFile(*m_input.method) && !m_job->file().empty() && !target.empty();
    m_fileTimer.stop();
    m_fileReading.cancel();
    if (isRequested && wantsFile) {
        m_fileReading.start(
            [target, workdir = m_job->workdir(), file = m_job->file(),
             askpass = m_captures->askpass({target}, m_input.method)](const CancelToken& cancel) {
                return readTargetConfig(target, workdir, file, askpass, [cancel] { return cancel.cancelled(); });
            },
            [this](const ConfigResult& result) { takeFile(result); });
        m_fileNote = tr("Reading the file…");
        m_isFileProblem = false;
    } else {
        m_input.fileText.reset();
        m_fileNote.clear();
        m_isFileProblem = false;
        if (wantsFile && isLocal) m_fileTimer.start();
    }
    m_unreadOn = wantsFile && !isLocal ? toQString(target) : QString();
    m_preview->offerReading(isRequested ? QString() : m_unreadOn);
    rebuild();
}

void CapturePage::takeFile(const ConfigResult& result) {
    m_input.fileText = result.text;
    m_fileNote.clear();
    m_isFileProblem = result.error.has_value() || !result.owner.empty();
    // A host that did not respond may do so the next time.
    if (result.error) m_preview->offerReading(m_unreadOn);
    else m_unreadOn.clear();
    if (result.error) m_fileNote = hostSentence(*result.error);
    else if (!result.text) m_fileNote = tr("The file does not exist yet; it is created, and removed afterwards.");
    else if (!result.owner.empty())
        m_fileNote = hostSentence({"capture.config.busy", result.path, {}, {{"owner", result.owner}}});
    rebuild();
}

void CapturePage::runByHand() {
    const std::string output = m_form->settings.output();
    auto* dialog = new ByHandDialog(previewTitle(), m_preview->text(), toQString(output), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ByHandDialog::openRequested, this, &CapturePage::takeByHand);
    dialog->open();
}

void CapturePage::takeByHand(const QString& folder) {
    if (m_folder.empty()) return emit openRequested({folder});
    m_taking.start([store = capture::RecordStore(m_folder), settings = m_form->settings, preset = m_input.preset,
                    edits = m_input.edits, path = std::filesystem::path(QFile::encodeName(folder).toStdString())](
                       const CancelToken&) { return capture::takeByHand(store, settings, preset, edits, path); },
                   [this, folder](const Result<capture::CaptureRecord>& taken) {
                       if (taken.ok()) m_captures->show(taken.value().id);
                       // A part of a result can be opened, too.
                       if (!taken.ok() || taken.value().kind == capture::ResultKind::Folders)
                           emit openRequested({folder});
                       if (taken.failed()) emit statusMessage(errorSentence(taken.error()));
                   });
}

void CapturePage::check() {
    if (!m_startState.possible) return;
    if (m_checks == nullptr) {
        m_checks = new CheckDialog(m_session.jobs(), this);
        connect(m_checks, &CheckDialog::againRequested, this, &CapturePage::check);
        connect(m_checks, &QDialog::finished, this, [this] { std::exchange(m_checks, nullptr)->deleteLater(); });
        m_checks->open();
    }
    m_checks->look(capture::RecordStore(m_folder), startRequest(), m_captures->askpass(job().targets, m_input.method));
}

void CapturePage::findJobs() {
    std::vector<std::string> targets = job().targets;
    if (targets.empty()) targets = {"local"};
    if (m_jobs == nullptr) {
        m_jobs = new JobsDialog(m_session.jobs(), std::string(m_input.method->name), this);
        connect(m_jobs, &JobsDialog::againRequested, this, &CapturePage::findJobs);
        connect(m_jobs, &JobsDialog::chosen, this, [this](const JobsDialog::Choice& choice) {
            const capture::JobMethod& one = choice.method;
            chooseMethod(one.method->name);
            // A process is one of its host; a file may be that of a job on all that are ticked.
            const auto& shown = choice.targets;
            const std::vector<std::string> ticked = m_targets->chosen();
            const bool isOfAll =
                !ticked.empty() && std::all_of(ticked.begin(), ticked.end(), [&shown](const auto& name) {
                    return std::find(shown.begin(), shown.end(), name) != shown.end();
                });
            if (!one.assignments.empty() || !isOfAll) m_targets->choose({toQString(choice.target)});
            for (const auto& [name, value] : one.assignments) setField(name, value);
            m_job->fill(one.file, choice.workdir, {}, {});
        });
        connect(m_jobs, &QDialog::finished, this, [this] { std::exchange(m_jobs, nullptr)->deleteLater(); });
        m_jobs->open();
    }
    m_jobs->look(targets, m_captures->askpass(targets, nullptr));
}

capture::StartRequest CapturePage::startRequest() const {
    const JobInput input = job();
    capture::StartRequest request{m_input.method, m_input.edits, m_input.preset, input.file,
                                  input.workdir,  input.launch,  input.results,  {}};
    for (const std::string& name : input.targets) request.targets.push_back(*capture::parseTarget(name));
    return request;
}

void CapturePage::save(const QString& file, const QString& text) {
    if (const auto refused = m_session.refusedToWrite(file)) return emit statusMessage(errorSentence(*refused));
    PendingFile written(QFile::encodeName(file).toStdString(), PendingFile::Access::Shared);
    const bool good = written.opened() && written.write(text.toStdString()) && written.keep();
    emit statusMessage(good ? tr("%1 has been written.").arg(file)
                            : tr("%1 cannot be written: %2").arg(file, toQString(written.problem())));
}

// --- captures -----------------------------------------------------------------------------------------------------

void CapturePage::start() {
    if (m_startState.possible && !m_folder.empty()) m_captures->start(startRequest(), m_fetches->isChecked());
}

void CapturePage::repeat(const capture::CaptureRecord& record) {
    const capture::Method* method = capture::findMethod(record.method);
    if (method == nullptr) return;
    chooseMethod(method->name);
    m_input.edits = record.assignments;
    m_input.method = &capture::flavourOf(*m_input.method, m_input.edits);
    m_job->setMethod(*m_input.method);
    m_preset->showBase(record.preset);
    m_input.preset = m_preset->base();
    QStringList targets;
    for (const capture::TargetRecord& target : record.targets) targets << toQString(target.name);
    m_targets->choose(targets);
    if (!record.targets.empty()) {
        const capture::TargetRecord& first = record.targets.front();
        m_job->fill(first.file.empty() ? first.config : first.file, first.workdir, record.launch, first.results);
    }
    readFile(false);
    m_fields->setFocus();
}

// --- events -------------------------------------------------------------------------------------------------------

void CapturePage::showEvent(QShowEvent* event) {
    if (!std::exchange(m_wasShown, true)) {
        m_aliasReading.start([](const CancelToken&) { return capture::userSshHosts(); },
                             [this](const std::vector<std::string>& names) {
                                 QStringList aliases;
                                 for (const std::string& name : names) aliases << toQString(name);
                                 m_targets->setAliases(aliases);
                             });
        readFile(false);
    }
    QWidget::showEvent(event);
}

void CapturePage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void CapturePage::retranslate() {
    m_methodName->setText(tr("Metho&d"));
    m_presetName->setText(tr("&Preset"));
    m_purpose->setText(methodPurpose(*m_input.method));
    for (int i = 0; i < m_method->count(); ++i) {
        const QString name = m_method->itemData(i).toString();
        const capture::Method* method = capture::findMethod(name.toStdString());
        m_method->setItemText(i, methodTitle(*method) + u"  ("_s + name + u')');
    }
    m_filter->setPlaceholderText(tr("Settings with this in their name"));
    m_filter->setAccessibleName(tr("Filter of the settings"));
    m_fields->setAccessibleName(tr("Settings"));
    m_fetches->setText(tr("Fetch and open the results"));
    m_check->setText(tr("Check…"));
    m_check->setToolTip(tr("Checks that each target has what is needed; nothing is changed there"));
    m_start->setText(tr("&Start"));
    if (m_form != nullptr) rebuild();
    else m_form = std::make_unique<FormState>(formState(m_input));
}

}  // namespace altiscope
