#include "views/capture/runs/run_panel.h"

#include "core/capture/methods/method.h"
#include "core/capture/session/capture_run.h"
#include "core/capture/session/record_store.h"
#include "views/capture/runs/history_model.h"
#include "views/capture/runs/run_model.h"
#include "views/capture/support/host_texts.h"
#include "views/capture/support/method_texts.h"
#include "views/capture/support/tone_label.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/row_copy.h"
#include "views/common/theme/icons.h"

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <filesystem>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Enough to read back; the session file has all.
constexpr int kMaxLines = 2000;
constexpr int kWhereEm = 20, kStateEm = 18;
/// Where the table beside the messages would have no room for its own column of them, they stand below. In characters.
constexpr int kMinBeside = 110;
constexpr int kMinLines = 3, kMinNoteEm = 6;
/// Each has at most four bytes.
constexpr int kMaxNoteLetters = static_cast<int>(capture::RecordStore::kMaxNoteBytes / 4);

}  // namespace

QString fetchedFolder(const capture::CaptureRecord& record) {
    for (const capture::TargetRecord& target : record.targets) {
        if (!target.fetched.empty()) return toQString(std::filesystem::path(target.fetched).parent_path().string());
    }
    return {};
}

RunPanel::RunPanel(QWidget* parent)
    : QWidget(parent), m_stack(new QStackedLayout(this)), m_intro(new ToneLabel(IconTone::Muted, this)),
      m_whole(new QWidget(this)), m_title(new ToneLabel(IconTone::Text, m_whole)),
      m_problem(new ToneLabel(IconTone::Error, m_whole)), m_note(new QLineEdit(m_whole)), m_model(new RunModel(this)),
      m_table(new QTreeView(m_whole)), m_log(new QPlainTextEdit(m_whole)),
      m_watch(makeButton(u"reload"_s, &RunPanel::watchRequested)),
      m_finish(makeButton(u"right"_s, &RunPanel::finishRequested)),
      m_cancel(makeButton(u"stop"_s, &RunPanel::cancelRequested)),
      m_analyse(makeButton(u"run"_s, &RunPanel::analysisRequested)),
      m_fetch(makeButton(u"open_folder"_s, &RunPanel::fetchRequested)),
      m_open(makeButton(u"view_timeline"_s, &RunPanel::openRequested)),
      m_compare(makeButton(u"view_compare"_s, &RunPanel::comparisonRequested)) {
    m_intro->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_intro->setMargin(16);
    auto* column = new QVBoxLayout(m_whole);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(4);
    column->addWidget(m_title);
    column->addWidget(m_problem);
    m_problem->hide();
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* noteRow = new QHBoxLayout;
    noteRow->setSpacing(8);
    noteRow->addWidget(m_note, 1);
    for (QToolButton* button : {m_watch, m_finish, m_cancel, m_analyse, m_fetch, m_open, m_compare})
        noteRow->addWidget(button);
    column->addLayout(noteRow);
    // A small window has little room; the tip has all of it.
    m_note->setMinimumWidth(fontMetrics().averageCharWidth() * kMinNoteEm);
    m_note->setMaxLength(kMaxNoteLetters);
    connect(m_note, &QLineEdit::editingFinished, this, &RunPanel::takeNote);
    m_parts = new QSplitter(Qt::Horizontal, m_whole);
    for (QWidget* part : {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_log)}) {
        part->setMinimumHeight(fontMetrics().height() * kMinLines);
        m_parts->addWidget(part);
    }
    m_parts->setChildrenCollapsible(false);
    m_parts->setSizes({480, 520});
    column->addWidget(m_parts, 1);
    m_table->setModel(m_model);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAllColumnsShowFocus(true);
    copyRowsByKey(*m_table);
    m_table->setTabKeyNavigation(false);
    m_table->header()->setStretchLastSection(true);
    // Messages stand in full beside the table, and in tips.
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->header()->resizeSection(RunModel::Where, fontMetrics().averageCharWidth() * kWhereEm);
    m_table->header()->resizeSection(RunModel::State, fontMetrics().averageCharWidth() * kStateEm);
    m_log->setReadOnly(true);
    m_log->setTabChangesFocus(true);
    m_log->setMaximumBlockCount(kMaxLines);
    m_stack->addWidget(m_intro);
    m_stack->addWidget(m_whole);
    retranslate();
    showNothing();
}

QToolButton* RunPanel::makeButton(const QString& icon, void (RunPanel::*requested)()) {
    auto* button = new QToolButton(m_whole);
    button->setIcon(themedIcon(icon));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, requested);
    return button;
}

void RunPanel::showNothing() {
    takeNote();
    m_record.reset();
    m_former.reset();
    m_notedId.clear();
    m_note->setText({});
    m_note->hide();
    for (QToolButton* button : {m_watch, m_finish, m_cancel, m_analyse, m_fetch, m_open, m_compare}) button->hide();
    m_model->setRows({});
    m_log->clear();
    m_loggedId.clear();
    m_logged = 0;
    m_stack->setCurrentWidget(m_intro);
}

void RunPanel::showProblem(const QString& text) {
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
    if (!text.isEmpty() && m_record == nullptr) m_title->setText({});
    if (!text.isEmpty()) m_stack->setCurrentWidget(m_whole);
}

void RunPanel::showRecord(std::shared_ptr<const capture::CaptureRecord> record, bool busy,
                          std::shared_ptr<const capture::CaptureRecord> former) {
    m_record = std::move(record);
    m_former = std::move(former);
    m_busy = busy;
    const capture::Method* method = capture::findMethod(m_record->method);
    const QString started =
        QDateTime::fromMSecsSinceEpoch(m_record->started / 1'000'000).toString(u"yyyy-MM-dd HH:mm"_s);
    m_title->setText(tr("%1, started %2: %3")
                         .arg(method != nullptr ? methodTitle(*method) : toQString(m_record->method), started,
                              stateTitle(m_record->state)));
    if (m_record->steps.code == "capture.steps.differ")
        m_title->setText(m_title->text() + u'\n' + hostSentence(m_record->steps));
    m_model->setRows(runRows(*m_record));
    m_note->show();
    showNote();
    showLog();
    showButtons();
    m_stack->setCurrentWidget(m_whole);
}

void RunPanel::showNote() {
    const bool isOther = m_notedId != m_record->id;
    // Text that is being typed was not read from the file.
    if (isOther) takeNote();
    else if (m_note->isModified()) return;
    m_notedId = m_record->id;
    const QString note = toQString(m_record->note);
    if (isOther || m_note->text() != note) m_note->setText(note);
    m_note->setToolTip(plainTip(note));
}

bool RunPanel::isNoting() const {
    // Also in a window that is covered by another one: keys go on there once it is in front.
    return m_note->isModified() || m_note->window()->focusWidget() == m_note;
}

void RunPanel::takeNote() {
    if (!m_note->isModified() || m_notedId.empty()) return;
    m_note->setModified(false);
    emit noteEdited(m_notedId, m_note->text().trimmed());
}

void RunPanel::showLog() {
    if (m_loggedId != m_record->id || m_logged > m_record->events.size()) {
        m_log->clear();
        m_loggedId = m_record->id;
        m_logged = 0;
        if (m_former != nullptr) m_log->appendPlainText(settingsSince(*m_former, *m_record) + u'\n');
    }
    const std::size_t all = m_record->events.size();
    if (m_logged == all) return;
    QStringList lines;
    for (std::size_t i = std::max(m_logged, all - std::min<std::size_t>(all, kMaxLines)); i < all; ++i)
        lines << eventLine(m_record->events[i]);
    const bool isFirst = m_logged == 0;
    m_logged = all;
    m_log->appendPlainText(lines.join(u'\n'));
    // From there on it follows by itself.
    if (isFirst && !capture::isOver(m_record->state)) m_log->moveCursor(QTextCursor::End);
}

void RunPanel::showButtons() {
    const bool over = capture::isOver(m_record->state);
    bool isChanged = false, hasResults = false;
    for (const capture::TargetRecord& target : m_record->targets) {
        isChanged = isChanged || target.isConfigChanged;
        hasResults = hasResults || !target.ranks.empty();
    }
    m_watch->setVisible(!over && !m_busy);
    m_finish->setVisible(!over && m_record->state > capture::State::Preparing &&
                         m_record->state != capture::State::Fetching);
    // A configuration that could not be put back can be tried again.
    m_cancel->setVisible(!over || isChanged);
    m_analyse->setVisible(capture::isAnalysable(*m_record) && !m_busy);
    m_fetch->setVisible(over && hasResults && !m_busy);
    const auto opens = [](const capture::CaptureRecord& record) {
        return record.kind == capture::ResultKind::Folders && !fetchedFolder(record).isEmpty();
    };
    m_open->setVisible(opens(*m_record));
    m_compare->setVisible(opens(*m_record) && m_former != nullptr && opens(*m_former));
}

void RunPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_parts->setOrientation(width() < kMinBeside * fontMetrics().averageCharWidth() ? Qt::Vertical : Qt::Horizontal);
}

void RunPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        if (m_record != nullptr) {
            m_loggedId.clear();
            m_model->setRows({});
            showRecord(m_record, m_busy, m_former);
        }
    }
    QWidget::changeEvent(event);
}

void RunPanel::retranslate() {
    m_intro->setText(tr("1. Choose where the job runs, and how it is made to record.\n"
                        "2. Look at the preview: only that is changed or run. Start.\n"
                        "3. Watch each rank here; the results open by themselves."));
    m_note->setAccessibleName(tr("Note"));
    m_note->setPlaceholderText(tr("Note: what it was for, or what it showed"));
    m_table->setAccessibleName(tr("States"));
    m_log->setAccessibleName(tr("Messages"));
    m_watch->setText(tr("&Watch"));
    m_watch->setToolTip(tr("Resumes watching this capture"));
    m_finish->setText(tr("Go on"));
    m_finish->setToolTip(tr("Waits for nothing more and goes on with what is there: restores every changed file, lets "
                            "jobs run, and copies what was recorded"));
    m_cancel->setText(tr("Ca&ncel"));
    m_cancel->setToolTip(tr("Ends jobs that were started here and restores every changed file"));
    m_analyse->setText(tr("&Analyse there"));
    m_analyse->setToolTip(tr("Analyses raw data with the tools on the targets, then copies the results. Otherwise raw "
                             "data is analysed here when it is opened"));
    m_fetch->setText(tr("Fetch"));
    m_fetch->setToolTip(tr("Copies the results to this machine; resumes where it was interrupted"));
    m_open->setText(tr("&Open"));
    m_open->setToolTip(tr("Opens the results in this window"));
    m_compare->setText(tr("Compare"));
    m_compare->setToolTip(
        tr("Opens the results beside those of the capture before with the same method, and compares them"));
}

}  // namespace altiscope
