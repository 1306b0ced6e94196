#include "views/capture/runs/captures_pane.h"

#include "views/capture/runs/askpass_server.h"
#include "views/capture/runs/capture_activity.h"
#include "views/capture/runs/history_panel.h"
#include "views/capture/runs/run_panel.h"
#include "views/capture/support/host_texts.h"
#include "views/capture/support/method_texts.h"
#include "views/common/support/formatters.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

namespace altiscope {

namespace {

struct WrittenNotes {
    std::map<std::string, std::string> notes;
    std::optional<Error> problem;  ///< Why the requested one is not among them.
};

WrittenNotes writeNotes(const std::filesystem::path& folder, const std::map<std::string, std::string>& notes) {
    const capture::RecordStore store(folder);
    WrittenNotes written;
    for (const auto& [id, text] : notes) {
        if (const auto done = store.setNote(id, text); done.failed()) written.problem = done.error();
        else written.notes.emplace(id, text);
    }
    return written;
}

QString firstProblem(const capture::SettingProblems& problems) {
    for (const capture::SettingProblem& problem : problems) {
        if (problem.severity == capture::ProblemLevel::Error)
            return hostText(capture::problemText(problem, catalogueLanguage()));
    }
    return {};
}

}  // namespace

CapturesPane::CapturesPane(JobRunner& jobs, std::filesystem::path folder, LimitsNow limits, QWidget* parent)
    : QWidget(parent), m_folder(std::move(folder)), m_limits(std::move(limits)), m_noting(jobs),
      m_history(new HistoryPanel(jobs, m_folder, this)), m_run(new RunPanel(this)) {
    auto* splitter = m_splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(m_history);
    splitter->addWidget(m_run);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->addWidget(splitter);
    connectParts();
}

CapturesPane::~CapturesPane() {
    m_run->takeNote();
    [[maybe_unused]] const auto written = writeNotes(m_folder, notesToWrite());
    // Their ends have nobody to tell any more.
    for (CaptureActivity* activity : m_activities) {
        activity->disconnect(this);
        activity->leave();
    }
    // Nobody can answer now; without it programs that ask end at once.
    delete m_askpass;
    for (const CaptureActivity* activity : m_activities) delete activity;
}

void CapturesPane::showEvent(QShowEvent* event) {
    // Notes need room beside all that the history has.
    if (!std::exchange(m_wasShown, true)) m_splitter->setSizes({width() / 2, width() - width() / 2});
    QWidget::showEvent(event);
}

void CapturesPane::connectParts() {
    connect(m_history, &HistoryPanel::currentChanged, this, &CapturesPane::showCurrent);
    connect(m_history, &HistoryPanel::wasRead, this, &CapturesPane::forgetWrittenNotes);
    const auto withCurrent = [this](auto make) {
        return [this, make] {
            if (const auto record = m_history->current()) make(*record);
        };
    };
    using Record = capture::CaptureRecord;
    connect(m_history, &HistoryPanel::repeatRequested, this,
            withCurrent([this](const Record& record) { emit repeatRequested(record); }));
    connect(m_run, &RunPanel::watchRequested, this, withCurrent([this](const Record& record) {
                add(CaptureActivity::follow(m_folder, record.id, m_limits(), askpassOf(record), this));
            }));
    connect(m_run, &RunPanel::fetchRequested, this, withCurrent([this](const Record& record) {
                add(CaptureActivity::fetch(m_folder, record.id, m_limits(), askpassOf(record), this));
            }));
    connect(m_run, &RunPanel::analysisRequested, this, withCurrent([this](const Record& record) {
                add(CaptureActivity::analyse(m_folder, record.id, m_limits(), askpassOf(record), this));
            }));
    connect(m_run, &RunPanel::finishRequested, this, withCurrent([this](const Record& record) {
                // The process that drives it sees that at its next look.
                capture::RecordStore(m_folder).requestFinish(record.id);
                if (!isBusy(record.id))
                    add(CaptureActivity::follow(m_folder, record.id, m_limits(), askpassOf(record), this));
            }));
    connect(m_run, &RunPanel::cancelRequested, this, withCurrent([this](const Record& record) {
                // Who drives it here has the connection; a second one might ask for a password again.
                const auto own = std::find_if(m_activities.begin(), m_activities.end(),
                                              [&](const auto* activity) { return activity->id() == record.id; });
                if (own != m_activities.end()) return (*own)->requestCancel();
                add(CaptureActivity::cancel(m_folder, record.id, askpassOf(record), this));
            }));
    connect(m_run, &RunPanel::openRequested, this,
            withCurrent([this](const Record& record) { emit openRequested({fetchedFolder(record)}); }));
    connect(m_run, &RunPanel::comparisonRequested, this, withCurrent([this](const Record& record) {
                if (const auto former = m_history->former())
                    emit comparisonRequested(fetchedFolder(*former), fetchedFolder(record));
            }));
    connect(m_run, &RunPanel::noteEdited, this, &CapturesPane::keepNote);
}

bool CapturesPane::idle() const { return m_history->idle() && !m_noting.busy(); }

void CapturesPane::keepNote(const std::string& id, const QString& text) {
    m_notes[id] = {text.toStdString()};
    if (!m_noting.busy()) saveNotes();
}

/// One after the other, so that the last text of a note is the one that stays.
void CapturesPane::saveNotes() {
    const auto notes = notesToWrite();
    m_noting.start([folder = m_folder, notes](const CancelToken&) { return writeNotes(folder, notes); },
                   [this, notes](const WrittenNotes& written) {
                       for (const auto& [id, text] : written.notes) {
                           if (m_notes[id].text == text) m_notes[id].isWritten = true;
                       }
                       if (written.problem) emit statusMessage(errorSentence(*written.problem));
                       m_history->refresh();
                       // A record that could not be written is tried again with the next one.
                       if (const auto left = notesToWrite();
                           std::any_of(left.begin(), left.end(), [&](const auto& note) {
                               const auto tried = notes.find(note.first);
                               return tried == notes.end() || tried->second != note.second;
                           })) {
                           saveNotes();
                       }
                   });
}

std::map<std::string, std::string> CapturesPane::notesToWrite() const {
    std::map<std::string, std::string> notes;
    for (const auto& [id, note] : m_notes) {
        if (!note.isWritten) notes.emplace(id, note.text);
    }
    return notes;
}

void CapturesPane::forgetWrittenNotes() {
    std::erase_if(m_notes, [](const auto& note) { return note.second.isWritten; });
}

/// @return False if another capture's note is being typed, which then stays in sight.
bool CapturesPane::bringForward(const std::string& id) {
    const auto current = m_history->current();
    if (current && current->id != id && m_run->isNoting()) return false;
    m_history->choose(id);
    return true;
}

bool CapturesPane::isStarting() const {
    return std::any_of(m_activities.begin(), m_activities.end(),
                       [](const CaptureActivity* activity) { return activity->isStarting(); });
}

bool CapturesPane::isBusy(const std::string& id) const {
    return std::any_of(m_activities.begin(), m_activities.end(),
                       [&id](const CaptureActivity* activity) { return activity->id() == id; });
}

void CapturesPane::show(const std::string& id) {
    m_history->choose(id);
    m_history->refresh();
}

capture::Askpass CapturesPane::askpass(const std::vector<std::string>& targets, const capture::Method* method) {
    const bool isLocal =
        std::all_of(targets.begin(), targets.end(), [](const std::string& name) { return name == "local"; });
    // A daemon here may want a key with a password.
    const bool mayUseKey = method != nullptr && method->medium == capture::Medium::Request;
    if (isLocal && !mayUseKey) return {};
    if (m_askpass == nullptr) m_askpass = new AskpassServer(this);
    return m_askpass->askpass();
}

capture::Askpass CapturesPane::askpassOf(const capture::CaptureRecord& record) {
    std::vector<std::string> targets;
    for (const capture::TargetRecord& target : record.targets) targets.push_back(target.name);
    return askpass(targets, capture::findMethod(record.method));
}

void CapturesPane::start(capture::StartRequest request, bool fetches, std::function<void(bool)> whenEnded, bool opens) {
    std::vector<std::string> targets;
    for (const capture::Target& target : request.targets) targets.push_back(target.name);
    const auto limits = fetches ? std::optional(m_limits()) : std::nullopt;
    const capture::Askpass prompts = askpass(targets, request.method);
    auto* activity = CaptureActivity::start(m_folder, std::move(request), limits, prompts, this);
    m_endings[activity] = {std::move(whenEnded), opens};
    add(activity);
}

void CapturesPane::add(CaptureActivity* activity) {
    m_activities.push_back(activity);
    m_failures.erase(activity->id());
    connect(activity, &CaptureActivity::changed, this, [this, activity, isChosen = false]() mutable {
        // The capture that was started just now is to be seen.
        if (!std::exchange(isChosen, true) && !bringForward(activity->id()))
            emit statusMessage(
                tr("Capture %1: %2").arg(toQString(activity->id()), stateTitle(capture::State::Preparing)));
        m_history->refresh();
        emit startingChanged();
    });
    connect(activity, &CaptureActivity::ended, this, [this, activity] { takeEnd(activity); });
    emit startingChanged();
    showCurrent();
}

void CapturesPane::takeEnd(CaptureActivity* activity) {
    std::erase(m_activities, activity);
    const std::string id = activity->id();
    QString failure;
    if (!activity->error().code.empty()) {
        failure = hostSentence(activity->error());
        if (const QString problem = firstProblem(activity->problems()); !problem.isEmpty()) failure += u' ' + problem;
    }
    m_failures[id] = failure;
    const bool isSeen = !id.empty() && bringForward(id);
    m_history->refresh();
    // A capture that never came to be has no place where it is shown.
    if (id.empty() && !failure.isEmpty()) emit statusMessage(failure);
    else if (!isSeen && !failure.isEmpty()) emit statusMessage(tr("Capture %1: %2").arg(toQString(id), failure));
    else if (const auto state = activity->state())
        emit statusMessage(tr("Capture %1: %2").arg(toQString(id), stateTitle(*state)));
    const std::filesystem::path fetched = activity->fetched();
    const bool isGood = failure.isEmpty() && activity->state() == capture::State::Done;
    // One that was begun elsewhere has none.
    const auto found = m_endings.extract(activity);
    const Ending ending = found ? std::move(found.mapped()) : Ending();
    activity->deleteLater();
    emit startingChanged();
    showCurrent();
    if (ending.opens && !fetched.empty() && failure.isEmpty()) emit openRequested({toQString(fetched.string())});
    if (ending.whenEnded) ending.whenEnded(isGood);
}

void CapturesPane::showCurrent() {
    auto record = m_history->current();
    const std::string id = record ? record->id : std::string();
    if (const auto note = m_notes.find(id); note != m_notes.end() && record->note != note->second.text) {
        auto noted = std::make_shared<capture::CaptureRecord>(*record);
        noted->note = note->second.text;
        record = std::move(noted);
    }
    if (record) m_run->showRecord(record, isBusy(id), m_history->former());
    else m_run->showNothing();
    const auto failure = m_failures.find(id);
    m_run->showProblem(failure == m_failures.end() ? QString() : failure->second);
}

}  // namespace altiscope
