#include "views/sql/sql_page.h"

#include "core/session/find/slice_by_id.h"
#include "core/session/session.h"
#include "core/session/sql/row_place.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/support/link_request.h"
#include "views/common/support/rank_texts.h"
#include "views/common/support/save_dialog.h"
#include "views/common/support/text_font.h"
#include "views/common/theme/icons.h"
#include "views/sql/editor/editor_tabs.h"
#include "views/sql/editor/parameter_bar.h"
#include "views/sql/editor/parameter_values.h"
#include "views/sql/editor/query_panel.h"
#include "views/sql/editor/sql_editor.h"
#include "views/sql/language/sql_tokens.h"
#include "views/sql/results/result_panel.h"
#include "views/sql/results/run_texts.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kTickMs = 100;
/// Statements that take less show no progress.
constexpr qint64 kQuietMs = 300;
/// Max size of the results of tabs that are not in sight.
constexpr std::size_t kMaxOtherBytes = std::size_t{16} << 20;
/// A result stays in sight while the next statement runs unless it is larger.
constexpr std::size_t kMaxStayingBytes = std::size_t{4} << 20;
constexpr int kTimeLimits[] = {10, 60, 600, 0};  // s; 0: none
constexpr int kUsualLimit = 60;
const QString kLimitKey = u"sql/time_limit"_s, kSizesKey = u"sql/sizes"_s;

}  // namespace

SqlPage::SqlPage(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent)
    : FramedPage(session, selection, parent), m_session(session), m_trackSlot(session.jobs()),
      m_tracks(session, selection), m_memory(memory), m_history(memory), m_own(memory), m_runner(session),
      m_tabs(new EditorTabs(m_vocabulary, memory, this)), m_parameters(new ParameterBar(this)),
      m_results(new ResultPanel(session, this)), m_queries(new QueryPanel(m_own, m_history, m_vocabulary, this)),
      m_hint(new QLabel(this)), m_limitLabel(new QLabel(this)), m_limit(new QComboBox(this)),
      m_whole(new QSplitter(Qt::Horizontal, this)) {
    setUpActions();
    setUp();
    connectParts();
    retranslate();
    showParameters(true);
    follow();
}

SqlPage::~SqlPage() {
    // Parts describe what goes with them.
    m_tabs->disconnect(this);
    m_runner.disconnect(this);
}

// --- parts --------------------------------------------------------------------------------------------------------

// Keys of SQL:
// - `Ctrl+Enter`, `F5`: Run the statement
// - `Esc`: Stop the statement that is running
// - `Ctrl+T`: New tab
// - `Ctrl+F4`: Close the tab
// - `Ctrl+PgDown`, `Ctrl+PgUp`: Next and previous tab
// - `Ctrl+S`: Save the query
// - `Ctrl+Shift+T`: Show the rows as a track of the timeline
// - `Ctrl+Shift+S`: Write all rows to a file
// - `Ctrl+J`: Go to the rows
// - `Ctrl+E`: Go to the statements
// - `Ctrl+H`: Show executed statements
// - `Ctrl+L`: Show queries
void SqlPage::setUpActions() {
    const auto make = [this](const QString& icon, const QList<QKeySequence>& keys, auto body) {
        auto* action = new QAction(icon.isEmpty() ? QIcon() : themedIcon(icon), {}, this);
        action->setShortcuts(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, body);
        addAction(action);
        m_commands << action;
        return action;
    };
    m_run = make(u"run"_s, {Qt::CTRL | Qt::Key_Return, Qt::CTRL | Qt::Key_Enter}, [this] { run(); });
    m_cancel = make(u"stop"_s, {}, [this] { cancel(); });
    m_addTab = make(u"add"_s, {Qt::CTRL | Qt::Key_T}, [this] { m_tabs->addTab(); });
    m_closeTab = make({}, {Qt::CTRL | Qt::Key_F4}, [this] { m_tabs->closeCurrent(); });
    m_nextTab = make({}, {Qt::CTRL | Qt::Key_PageDown}, [this] { m_tabs->chooseNext(1); });
    m_previousTab = make({}, {Qt::CTRL | Qt::Key_PageUp}, [this] { m_tabs->chooseNext(-1); });
    m_renameTab = make({}, {}, [this] { m_tabs->promptName(static_cast<int>(m_tabs->tabs().current())); });
    m_save = make(u"save"_s, {Qt::CTRL | Qt::Key_S}, [this] { promptTitle(); });
    m_track = make(u"view_timeline"_s, {Qt::CTRL | Qt::SHIFT | Qt::Key_T}, [this] { showAsTrack(); });
    m_write = make(u"report"_s, {Qt::CTRL | Qt::SHIFT | Qt::Key_S}, [this] { saveRowsAs(); });
    m_showRows = make({}, {Qt::CTRL | Qt::Key_J}, [this] { m_results->setFocus(); });
    m_showEditor = make({}, {Qt::CTRL | Qt::Key_E}, [this] { m_tabs->setFocus(); });
    m_showHistory = make({}, {Qt::CTRL | Qt::Key_H}, [this] { m_queries->showHistory(); });
    m_showQueries = make({}, {Qt::CTRL | Qt::Key_L}, [this] { m_queries->showQueries(); });
}

QWidget* SqlPage::setUpBar() {
    auto* bar = new QWidget(this);
    auto* row = barLayout<QHBoxLayout>(bar);
    const auto button = [bar](QAction* action) {
        auto* made = new QToolButton(bar);
        made->setDefaultAction(action);
        made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        made->setFocusPolicy(Qt::StrongFocus);
        return made;
    };
    row->addWidget(button(m_run));
    row->addWidget(button(m_cancel));
    row->addSpacing(8);
    row->addWidget(m_limitLabel);
    row->addWidget(m_limit);
    row->addStretch(1);
    row->addWidget(button(m_save));
    row->addWidget(button(m_track));
    row->addWidget(button(m_write));
    m_limitLabel->setBuddy(m_limit);
    m_limit->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (const int seconds : kTimeLimits) m_limit->addItem(QString(), seconds);
    const QVariant kept = m_memory.value(kLimitKey);
    m_limit->setCurrentIndex(std::max(0, m_limit->findData(kept.isValid() ? kept.toInt() : kUsualLimit)));
    connect(m_limit, &QComboBox::activated, this, [this] { m_memory.setValue(kLimitKey, m_limit->currentData()); });
    return bar;
}

void SqlPage::setUp() {
    auto* upper = new QWidget(this);
    auto* column = bareLayout<QVBoxLayout>(upper);
    column->addWidget(m_tabs, 1);
    column->addWidget(m_hint);
    m_hint->setContentsMargins(8, 2, 8, 2);
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    followTextSize(*m_hint, 0.9);
    auto* lower = new QWidget(this);
    column = new QVBoxLayout(lower);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addWidget(m_parameters);
    column->addWidget(m_results, 1);
    auto* left = new QSplitter(Qt::Vertical, m_whole);
    left->addWidget(upper);
    left->addWidget(lower);
    left->setChildrenCollapsible(false);
    left->setStretchFactor(1, 1);
    left->setSizes({fontMetrics().height() * 14, fontMetrics().height() * 30});
    m_whole->addWidget(left);
    m_whole->addWidget(m_queries);
    m_whole->setCollapsible(0, false);
    m_whole->setStretchFactor(0, 1);
    m_whole->setSizes({fontMetrics().averageCharWidth() * 90, fontMetrics().averageCharWidth() * 44});
    m_whole->restoreState(m_memory.value(kSizesKey).toByteArray());
    connect(m_whole, &QSplitter::splitterMoved, this, [this] { m_memory.setValue(kSizesKey, m_whole->saveState()); });
    m_frame->setParts(setUpBar(), m_whole);
    m_frame->setFocusProxy(m_tabs);
    m_tick.setInterval(kTickMs);
}

void SqlPage::connectParts() {
    connect(&m_runner, &SqlRunner::changed, this, &SqlPage::takeRun);
    connect(&m_runner, &SqlRunner::written, this, &SqlPage::takeFile);
    connect(&m_tracks, &StatementTracks::failed, this, [this](const QString& title) {
        emit statusMessage(tr("\"%1\" of the workspace could not be computed again.").arg(title));
    });
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (m_running.elapsed() > kQuietMs) showStatus();
    });
    connect(m_tabs, &EditorTabs::currentChanged, this, [this] {
        showParameters(true);
        showOutcome(true);
    });
    connect(m_tabs, &EditorTabs::textChanged, this, [this] { showParameters(false); });
    connect(m_tabs, &EditorTabs::tabClosed, this, [this](std::uint64_t id) {
        if (id == m_runningTab) cancel();
        m_outcomes.erase(id);
    });
    connect(m_tabs, &EditorTabs::hintChanged, this, [this](const QString& hint) {
        m_hint->setText(QString(hint).replace(u'\n', u"  ·  "_s));
        m_hint->setToolTip(hint);
    });
    connect(m_tabs, &EditorTabs::runRequested, this, &SqlPage::run);
    connect(m_tabs, &EditorTabs::historyRequested, this, &SqlPage::stepHistory);
    connect(m_tabs, &EditorTabs::refused, this, &SqlPage::statusMessage);
    connect(m_parameters, &ParameterBar::runRequested, this, &SqlPage::run);
    connect(m_parameters, &ParameterBar::valuesChanged, this,
            [this] { m_tabs->tab().values.insert(m_parameters->values()); });
    connect(m_results, &ResultPanel::exampleChosen, this, [this](const StoredQuery& query) {
        m_tabs->open(query);
        run();
    });
    connect(m_results, &ResultPanel::rowActivated, this, &SqlPage::showRow);
    connect(m_results, &ResultPanel::linkRequested, this, &SqlPage::copyLink);
    connect(m_queries, &QueryPanel::queryRequested, m_tabs, &EditorTabs::open);
    connect(m_queries, &QueryPanel::statementRequested, m_tabs, &EditorTabs::append);
    connect(m_queries, &QueryPanel::wordRequested, this, [this](const QString& word) {
        m_tabs->editor().insertWords(word);
        m_tabs->editor().setFocus();
    });
}

QJsonObject SqlPage::state(const WorkspaceIds& captures) const {
    QJsonObject state{{u"tabs"_s, m_tabs->state()}, {kView, QJsonObject{{u"text"_s, m_tabs->editor().toPlainText()}}}};
    if (const QJsonArray tracks = m_tracks.state(captures); !tracks.isEmpty()) state.insert("tracks"_L1, tracks);
    return state;
}

void SqlPage::restore(const QJsonObject& state, const WorkspaceIds& captures) {
    m_tabs->restore(state.value("tabs"_L1).toArray(), state.value(kView).toObject().value("text"_L1).toString());
    m_tracks.restore(state.value("tracks"_L1).toArray(), captures);
}

bool SqlPage::idle() const { return !m_runner.busy() && m_results->idle() && !m_trackSlot.busy() && m_tracks.idle(); }

// --- the capture --------------------------------------------------------------------------------------------------

void SqlPage::refresh(bool) {
    const OpenCapture* open = m_capture.whole();
    const auto store = open == nullptr ? nullptr : open->store;
    if (std::exchange(m_store, store) != store) {
        m_runner.setCapture(store, open == nullptr ? TimeNs{} : open->times.origin().value_or(TimeNs{}));
        m_outcomes.clear();
        m_runningTab = 0;
        // A track of a capture that was closed would be forgotten by nobody.
        m_trackSlot.cancel();
        showOutcome(true);
    }
    enableActions();
    showGaps();
    showReason();
}

PageTexts SqlPage::texts() const {
    return {.title = tr("SQL"),
            .about = tr("Statements over all tables of a capture, and their rows."),
            .reading = tr("The capture is being read. Statements can run when reading is complete."),
            .nothing = tr("No tables"),
            .icon = u"view_sql"_s};
}

QStringList SqlPage::shownGaps() const {
    const OpenCapture* open = m_capture.whole();
    if (open == nullptr) return {};
    std::vector<const RankInfo*> all, unread;
    for (const RankEntry& rank : open->store->ranks) {
        all.push_back(&rank.info);
        if (isExcluded(*open, rank)) unread.push_back(&rank.info);
    }
    if (unread.empty()) return {};
    return {tr("Not read, and so without events in the tables: %1.").arg(rankNames(unread, all))};
}

// --- running ------------------------------------------------------------------------------------------------------

void SqlPage::run() {
    if (!m_runner.hasCapture()) return;
    SqlEditor& editor = m_tabs->editor();
    const TextSpan span = editor.statementSpan();
    const QString text = editor.textOf(span);
    if (text.isEmpty()) return emit statusMessage(tr("There is no statement at the cursor."));
    editor.clearError();
    if (Outcome* stopped = m_outcomes.contains(m_runningTab) ? &m_outcomes[m_runningTab] : nullptr;
        stopped != nullptr && m_runner.busy())
        stopped->run.end = SqlEnd::Cancelled;
    QueryTab& tab = m_tabs->tab();
    tab.values.insert(m_parameters->values());
    Outcome outcome{{text.toStdString(), {}}, span, {}, false};
    for (const QString& name : parametersOf(text))
        outcome.statement.parameters.push_back(parameterOf(name, tab.values.value(name)));
    const auto& staying = m_results->shown();
    if (staying != nullptr && staying->bytes() > kMaxStayingBytes) m_results->show({}, m_runner.limits(), true);
    m_runningTab = tab.id;
    m_outcomes[tab.id] = outcome;
    freeOthers();
    m_history.add(text);
    m_queries->refreshHistory();
    m_results->setName(tab.name);
    m_runner.setTimeLimit(std::chrono::seconds(m_limit->currentData().toInt()));
    m_running.start();
    m_tick.start();
    m_runner.run(outcome.statement);
}

void SqlPage::showStatement(const QString& title, const QString& statement) {
    const QString before = std::exchange(m_shownStatement, statement);
    if (!m_tabs->choose(statement)) {
        // The user's changes stay.
        if (!before.isEmpty() && m_tabs->choose(before)) m_tabs->editor().setPlainText(statement);
        else m_tabs->open({title, {}, statement, {}});
    }
    if (m_tabs->tab().text != statement) return;  // there are too many tabs, which is said
    m_tabs->editor().moveCursor(QTextCursor::Start);
    run();
}

SqlPage::Outcome* SqlPage::shownOutcome() {
    const auto found = m_outcomes.find(m_tabs->tab().id);
    return found == m_outcomes.end() ? nullptr : &found->second;
}

/// Results of other tabs stay as long as they are small together.
void SqlPage::freeOthers() {
    std::size_t bytes = 0;
    for (auto& [tab, outcome] : m_outcomes) {
        if (tab == m_tabs->tab().id || outcome.run.table == nullptr) continue;
        bytes += outcome.run.table->bytes();
        if (bytes <= kMaxOtherBytes) continue;
        bytes -= outcome.run.table->bytes();
        outcome.run.table.reset();
    }
}

void SqlPage::takeRun() {
    const auto found = m_outcomes.find(m_runningTab);
    if (!m_runner.busy()) m_tick.stop();
    enableActions();
    if (found == m_outcomes.end()) return;
    Outcome& outcome = found->second;
    const bool isFirst = outcome.run.table == nullptr;
    outcome.run = m_runner.current();
    if (m_tabs->tab().id != m_runningTab) return freeOthers();
    // The old result stays until there is another one.
    const bool hasNews = outcome.run.end != SqlEnd::Running || outcome.run.table != nullptr;
    if (hasNews) showOutcome(isFirst);
    else showStatus();
}

void SqlPage::showOutcome(bool isNew) {
    Outcome* outcome = shownOutcome();
    enableActions();
    if (outcome == nullptr) return m_results->showNothing();
    if (outcome->run.end == SqlEnd::Failed && outcome->run.error) {
        showError(*outcome);
    } else if (outcome->run.end == SqlEnd::NotKept) {
        m_results->showError(tr("The statement has failed"), tr("There was not enough memory for its rows."));
    } else {
        m_results->show(outcome->run, m_runner.limits(), isNew);
    }
    showStatus();
}

void SqlPage::showStatus() {
    const Outcome* outcome = shownOutcome();
    if (outcome == nullptr) return m_results->setStatus({});
    const bool isRunning = outcome->run.end == SqlEnd::Running;
    if (isRunning && m_running.elapsed() <= kQuietMs && !m_results->status().isEmpty()) return;
    m_results->setStatus(runText(outcome->run, m_runner.rowsFound(), static_cast<double>(m_running.elapsed()) / 1000));
}

/// The place is that of SQLite within the statement; people count lines of the whole text.
void SqlPage::showError(Outcome& outcome) {
    Error error = *outcome.run.error;
    SqlEditor& editor = m_tabs->editor();
    const QString statement = toQString(outcome.statement.sql);
    const bool isUnchanged =
        editor.toPlainText().sliced(std::min(outcome.span.begin, editor.toPlainText().size())).startsWith(statement);
    TextSpan wrong = outcome.span;
    if (const QString place = toQString(error.place); place.startsWith("byte "_L1)) {
        const qsizetype at = placeOfByte(statement, place.sliced(5).toLongLong());
        const auto tokens = sqlTokens(statement).tokens;
        const auto token = std::find_if(tokens.begin(), tokens.end(),
                                        [at](const SqlToken& one) { return one.begin <= at && at < one.end; });
        wrong.begin = outcome.span.begin + at;
        wrong.end = token == tokens.end() ? outcome.span.end : outcome.span.begin + token->end;
        const auto [line, column] = lineAndColumnOf(editor.toPlainText(), wrong.begin);
        for (auto& [name, value] : error.parameters) {
            if (name == "line" && isUnchanged) value = std::to_string(line);
            if (name == "column" && isUnchanged) value = std::to_string(column);
        }
    }
    const bool isNew = !std::exchange(outcome.isErrorShown, true);
    if (isUnchanged) editor.markError(wrong, isNew ? SqlEditor::Cursor::Moves : SqlEditor::Cursor::Stays);
    m_results->showError(tr("The statement cannot run"), errorSentence(error));
}

void SqlPage::showParameters(bool isOtherTab) {
    SqlEditor& editor = m_tabs->editor();
    const QStringList names = parametersOf(editor.textOf(editor.statementSpan()));
    if (isOtherTab) m_parameters->setNames({}, {});
    m_parameters->setNames(names, m_tabs->tab().values);
}

void SqlPage::stepHistory(int direction) {
    SqlEditor& editor = m_tabs->editor();
    const QString written = editor.textOf(statementAt(editor.toPlainText(), editor.textCursor().position()));
    if (const auto statement = m_history.step(direction, written)) m_tabs->replaceStatement(*statement);
}

// --- rows and queries ---------------------------------------------------------------------------------------------

void SqlPage::showRow(std::uint32_t row) {
    const auto& table = m_results->shown();
    if (table == nullptr || m_store == nullptr || !leadsToPlaces(*table)) return;
    const auto place = placeOfRow(*m_store, *table, row);
    if (!place) return emit statusMessage(tr("This row has no slice_id, nor a time with a rank or track."));
    if (place->slice) return emit sliceRequested(*place->slice);
    emit placeRequested(place->rank, place->range);
}

void SqlPage::copyLink(std::uint32_t row) {
    const auto& table = m_results->shown();
    if (table == nullptr || m_store == nullptr) return;
    const auto place = placeOfRow(*m_store, *table, row);
    if (!place) return emit statusMessage(tr("This row has no slice_id, nor a time with a rank or track."));
    if (place->slice) {
        const auto key = findSliceInAnyRank(*m_store, *place->slice);
        return requestLink(*this, {m_capture.id(), key ? std::optional(key->rank) : std::nullopt, place->slice, {}});
    }
    requestLink(*this, {m_capture.id(), place->rank, {}, place->range});
}

void SqlPage::showAsTrack() {
    const auto table = m_results->shown();
    const OpenCapture* open = m_capture.whole();
    if (table == nullptr || m_store == nullptr || open == nullptr || open->store != m_store) return;
    if (!canBeTrack(*table))
        return emit statusMessage(tr("A track needs the columns ts and dur, or start_ts and end_ts, as whole ns."));
    const QString title = tr("Query: %1", "a track of the timeline").arg(m_tabs->tab().name);
    // The result on screen may be older than the statement that runs.
    const Outcome* outcome = shownOutcome();
    const SqlStatement statement =
        outcome != nullptr && outcome->run.table == table ? outcome->statement : SqlStatement{};
    m_trackSlot.start([store = m_store, table, title = title.toStdString()](
                          const CancelToken& cancel) { return resultTrack(*store, *table, title, cancel); },
                      [this, capture = open->id, title, statement](ResultTrack track) {
                          takeTrack(capture, title, std::move(track), statement);
                      });
}

void SqlPage::takeTrack(CaptureId capture, const QString& title, ResultTrack track, const SqlStatement& statement) {
    if (track.store == nullptr)
        return emit statusMessage(tr("No row has a time and a rank of the capture: there is nothing to show."));
    m_tracks.add(capture, title, track.store, statement);
    QStringList text{tr("%1 rows are shown in the timeline as \"%2\".").arg(formatCount(track.slices), title)};
    if (track.unplaced > 0) text << tr("%1 have no time or rank.").arg(formatCount(track.unplaced));
    if (track.omitted > 0) text << tr("%1 more exceed the limit.").arg(formatCount(track.omitted));
    m_results->setStatus(text.join(u' '));
    emit statusMessage(m_results->status());
    emit timelineRequested();
}

bool SqlPage::saveQuery(const QString& title) {
    SqlEditor& editor = m_tabs->editor();
    const bool isSaved = m_own.save(title, editor.textOf(editor.statementSpan()));
    if (isSaved) m_queries->refreshQueries();
    return isSaved;
}

void SqlPage::promptTitle() {
    SqlEditor& editor = m_tabs->editor();
    if (editor.statementSpan().empty()) return emit statusMessage(tr("There is no statement at the cursor."));
    bool isGiven = false;
    const QString title =
        QInputDialog::getText(this, tr("Save the query"), tr("Name (one of the same name is replaced):"),
                              QLineEdit::Normal, m_tabs->tab().name, &isGiven);
    if (isGiven && !saveQuery(title))
        emit statusMessage(tr("Not saved: without a name, too long, or too many queries."));
}

void SqlPage::saveRowsAs() {
    if (shownOutcome() == nullptr) return;
    const QString file =
        chooseSaveFile(this, tr("Write all rows"), m_tabs->tab().name, u"CSV (*.csv);;JSON (*.json)"_s);
    if (!file.isEmpty()) writeAllTo(file);
}

void SqlPage::writeAllTo(const QString& file) {
    if (const Outcome* outcome = shownOutcome(); outcome != nullptr) m_runner.writeAll(outcome->statement, file);
}

void SqlPage::takeFile(const QString& file, const SqlFile& outcome) {
    if (outcome.cancelled) return emit statusMessage(tr("Cancelled; %1 is not written.").arg(file));
    QString problem = outcome.problem;
    if (outcome.error) problem = errorSentence(*outcome.error);
    if (!problem.isEmpty()) {
        m_results->setStatus(tr("Not saved: %1").arg(problem));
        return emit statusMessage(m_results->status());
    }
    const QString text = outcome.rows == 1 ? tr("1 row written to %1").arg(file)
                                           : tr("%1 rows written to %2").arg(formatCount(outcome.rows), file);
    m_results->setStatus(text);
    emit statusMessage(text);
}

// --- words and keys -----------------------------------------------------------------------------------------------

void SqlPage::enableActions() {
    const Outcome* outcome = shownOutcome();
    m_run->setEnabled(m_runner.hasCapture());
    m_cancel->setEnabled(m_runner.busy());
    m_track->setEnabled(outcome != nullptr && outcome->run.table != nullptr && canBeTrack(*outcome->run.table));
    m_write->setEnabled(outcome != nullptr && outcome->run.end != SqlEnd::Failed);
}

void SqlPage::retranslate() {
    m_run->setText(tr("&Run"));
    m_run->setToolTip(tr("Run the statement at the cursor, or the selected one (Ctrl+Enter, F5)"));
    m_cancel->setText(tr("&Cancel"));
    m_cancel->setToolTip(tr("Stop the statement that is running (Esc)"));
    m_addTab->setText(tr("New tab"));
    m_closeTab->setText(tr("Close tab"));
    m_nextTab->setText(tr("Next tab"));
    m_previousTab->setText(tr("Previous tab"));
    m_renameTab->setText(tr("Rename tab…"));
    m_save->setText(tr("&Save query…"));
    m_save->setToolTip(tr("Keep the statement at the cursor under a name (Ctrl+S)"));
    m_write->setText(tr("&Write all rows…"));
    m_write->setToolTip(tr("Run the statement again and write all of its rows to a file, however many (Ctrl+Shift+S)"));
    m_track->setText(tr("As &track"));
    m_track->setToolTip(
        tr("Show the rows as a track of the timeline, by their columns ts and dur, rank_id or track_id, "
           "and name (Ctrl+Shift+T)"));
    m_showRows->setText(tr("Go to the rows"));
    m_showEditor->setText(tr("Go to the statements"));
    m_showHistory->setText(tr("Show executed statements"));
    m_showQueries->setText(tr("Show queries"));
    m_limitLabel->setText(tr("&Time limit"));
    m_limit->setToolTip(tr("A statement that takes longer ends, with the rows that it has found"));
    for (int i = 0; i < m_limit->count(); ++i) {
        const int seconds = m_limit->itemData(i).toInt();
        m_limit->setItemText(i, seconds == 0   ? tr("none")
                                : seconds < 60 ? tr("%1 s").arg(seconds)
                                               : tr("%1 min").arg(seconds / 60));
    }
    m_parameters->setAccessibleName(tr("Parameters of the statement"));
    if (shownOutcome() != nullptr) showOutcome(false);
}

/// Elsewhere in the window these keys save something else; as shortcuts of both they would do nothing.
QAction* SqlPage::savingActionOf(const QKeyEvent& key) const {
    if (key.key() != Qt::Key_S) return nullptr;
    return key.modifiers() == Qt::ControlModifier                         ? m_save
           : key.modifiers() == (Qt::ControlModifier | Qt::ShiftModifier) ? m_write
                                                                          : nullptr;
}

bool SqlPage::event(QEvent* event) {
    // F5 reads the capture again elsewhere, and Ctrl+S saves the workspace.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isOwn = key->modifiers() == Qt::NoModifier &&
                           (key->key() == Qt::Key_F5 || (key->key() == Qt::Key_Escape && m_runner.busy()));
        if (isOwn || savingActionOf(*key) != nullptr) {
            event->accept();
            return true;
        }
    }
    return FramedPage::event(event);
}

void SqlPage::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_F5) return run();
    if (event->key() == Qt::Key_Escape && m_runner.busy()) return cancel();
    if (QAction* action = savingActionOf(*event)) return action->trigger();
    FramedPage::keyPressEvent(event);
}

}  // namespace altiscope
