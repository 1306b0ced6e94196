#include "views/workspace/workspace_keeper.h"

#include "core/session/workspace_file.h"
#include "views/common/support/formatters.h"
#include "views/common/support/save_dialog.h"
#include "views/workspace/locate_dialog.h"
#include "views/workspace/notice_bar.h"

#include <QDateTime>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// How often the state of the window is taken.
constexpr int kLookMs = 1000;
/// While what was opened is not shown yet.
constexpr int kSettlingMs = 50;
const QString kFileKey = u"file"_s;

QJsonObject withoutView(QJsonObject state) {
    state.remove(PageState::kView);
    return state;
}

/// The part that is worth saving: not where the user looks.
Workspace workOf(Workspace workspace) {
    workspace.current = 0;
    workspace.page.clear();
    workspace.selectedIn.reset();
    workspace.slice.reset();
    workspace.range.reset();
    workspace.window = {};
    for (const QString& page : workspace.pages.keys())
        workspace.pages.insert(page, withoutView(workspace.pages.value(page).toObject()));
    for (WorkspaceCapture& capture : workspace.captures) capture.identity.clear();
    return workspace;
}

QString shortName(const QString& path) { return QFileInfo(path).fileName(); }

Error missingError(const QString& path) { return {"file.missing", path.toStdString(), {}, {}}; }

}  // namespace

WorkspaceKeeper::WorkspaceKeeper(Session& session, CaptureIdentities& identities, NoticeBar& notices,
                                 WorkspaceHost host, const QString& recoveryFolder, QWidget* window)
    : QObject(window), m_session(session), m_identities(identities), m_notices(notices), m_host(std::move(host)),
      m_recovery(std::make_shared<WorkspaceRecovery>(recoveryFolder)), m_window(window), m_reading(session.jobs()),
      m_keeping(session.jobs()) {
    connect(&identities, &CaptureIdentities::found, this, &WorkspaceKeeper::checkIdentity);
    connect(&session, &Session::captureClosed, this, [this](CaptureId capture) { m_expected.erase(capture); });
    connect(&m_timer, &QTimer::timeout, this, &WorkspaceKeeper::look);
    m_timer.start(kLookMs);
}

WorkspaceKeeper::~WorkspaceKeeper() = default;

// --- opening ------------------------------------------------------------------------------------------------------

void WorkspaceKeeper::open(const QString& file) {
    if (mayLeave()) read(QFileInfo(file).absoluteFilePath(), false);
}

void WorkspaceKeeper::read(const QString& file, bool isRecovered) {
    m_reading.start(
        [file, recent = m_host.recent()](const CancelToken&) -> Result<PlacedWorkspace> {
            auto workspace = readWorkspace(file);
            if (!workspace.ok()) return workspace.as<PlacedWorkspace>();
            return placeWorkspace(std::move(workspace).value(), file, recent);
        },
        [this, file, isRecovered](Result<PlacedWorkspace> placed) { take(file, std::move(placed), isRecovered); });
}

void WorkspaceKeeper::complain(const Error& error) {
    m_problem = error;
    m_notices.show({errorSentence(error), {}});
}

void WorkspaceKeeper::take(const QString& file, Result<PlacedWorkspace> placed, bool isRecovered) {
    if (placed.failed()) return complain(placed.error());
    if (!placed.ok()) return;
    const auto& isThere = placed.value().isThere;
    if (std::find(isThere.begin(), isThere.end(), false) == isThere.end())
        return begin(file, placed.value(), isRecovered);
    promptPlace(file, std::move(placed).value(), isRecovered);
}

/// Prompts once: the other captures are sought near the place that the user gives.
void WorkspaceKeeper::promptPlace(const QString& file, PlacedWorkspace placed, bool isRecovered) {
    const auto first = std::find(placed.isThere.begin(), placed.isThere.end(), false);
    const auto others = std::count(first + 1, placed.isThere.end(), false);
    const WorkspaceCapture missing =
        placed.workspace.captures[static_cast<std::size_t>(first - placed.isThere.begin())];
    m_problem = missingError(missing.path);
    auto* dialog =
        new LocateDialog(m_session.jobs(), missing.path, missing.identity, static_cast<int>(others), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::rejected, this, [this, file, placed, isRecovered] { begin(file, placed, isRecovered); });
    connect(dialog, &QDialog::accepted, this, [this, dialog, file, placed, missing, isRecovered] {
        m_reading.start(
            [placed, from = missing.path, to = dialog->path()](const CancelToken&) {
                PlacedWorkspace found = placed;
                relocate(found, from, to);
                return found;
            },
            [this, file, isRecovered](const PlacedWorkspace& found) { begin(file, found, isRecovered); });
    });
    dialog->open();
}

void WorkspaceKeeper::begin(const QString& file, const PlacedWorkspace& placed, bool isRecovered) {
    const auto& captures = placed.workspace.captures;
    WorkspaceIds ids;
    QStringList missing;
    m_problem.reset();
    m_expected.clear();
    m_notices.clear();
    std::vector<CaptureId> before;
    for (const OpenCapture& open : m_session.captures()) before.push_back(open.id);
    for (std::size_t i = 0; i < captures.size(); ++i) {
        ids.ids.push_back(placed.isThere[i] ? m_session.open(captures[i].path) : kNoCapture);
        if (ids.ids.back() != kNoCapture) {
            m_expected[ids.ids.back()] = {captures[i].identity, placed.wasMoved[i]};
            continue;
        }
        missing << shortName(captures[i].path);
        if (!m_problem) m_problem = missingError(captures[i].path);
    }
    for (const CaptureId id : before) {
        if (!ids.indexOf(id)) m_session.close(id);
    }
    m_host.give(placed.workspace, ids);
    m_saved.reset();
    m_unidentified.reset();
    m_isModified = isRecovered;
    m_isSettling = true;
    m_timer.start(kSettlingMs);
    setFile(isRecovered ? placed.workspace.window.value(kFileKey).toString() : file);
    if (!isRecovered) emit used(file);
    if (!missing.isEmpty())
        m_notices.show({tr("Opened without what was not found: %1.").arg(missing.join(u", "_s)), {}});
    for (const CaptureId id : ids.ids) checkIdentity(id);
}

/// Whether a capture is the data that the workspace was made with.
void WorkspaceKeeper::checkIdentity(CaptureId id) {
    const OpenCapture* open = m_session.capture(id);
    const auto identity = m_identities.of(id);
    if (open == nullptr || !identity) return;
    if (const auto expected = m_expected.extract(id); !expected.empty() && !expected.mapped().identity.empty()) {
        const QString name = shortName(open->path);
        if (*identity != expected.mapped().identity) {
            m_notices.show({tr("%1 is not the data of this workspace: its checksum differs. Times, slices and marks "
                               "may not match.")
                                .arg(name),
                            {}});
        } else if (expected.mapped().wasMoved) {
            emit statusMessage(tr("%1 has moved; it is the same data: its checksum matches the workspace.").arg(name));
        }
    }
    if (!m_unidentified) return;
    bool isWhole = true;
    for (WorkspaceCapture& capture : m_unidentified->captures) {
        if (capture.path == open->path) capture.identity = *identity;
        isWhole = isWhole && !capture.identity.empty();
    }
    if (!isWhole) return;
    const Workspace written = *std::exchange(m_unidentified, std::nullopt);
    if (const auto problem = writeWorkspace(written, m_file)) complain(*problem);
}

// --- saving -------------------------------------------------------------------------------------------------------

/// With the identities as far as they are known.
Workspace WorkspaceKeeper::whole() const {
    Workspace workspace = m_host.take();
    const auto& captures = m_session.captures();
    for (std::size_t i = 0; i < std::min(workspace.captures.size(), captures.size()); ++i)
        workspace.captures[i].identity = m_identities.of(captures[i].id).value_or(std::string());
    return workspace;
}

bool WorkspaceKeeper::save() { return m_file.isEmpty() ? saveAs() : saveTo(m_file); }

bool WorkspaceKeeper::saveAs() {
    const auto& captures = m_session.captures();
    const QString about = m_file.isEmpty() ? (captures.empty() ? tr("Workspace") : shortName(captures.front().path))
                                           : QFileInfo(m_file).completeBaseName();
    const QString file = chooseSaveFile(m_window, tr("Save the workspace"), about, tr("Workspaces (*.altiscope)"));
    return !file.isEmpty() && saveTo(file);
}

bool WorkspaceKeeper::saveTo(const QString& file) {
    const Workspace workspace = whole();
    auto problem = m_session.refusedToWrite(file);
    if (!problem) problem = writeWorkspace(workspace, file);
    if (problem) {
        complain(*problem);
        return false;
    }
    const bool isIdentified = std::none_of(workspace.captures.begin(), workspace.captures.end(),
                                           [](const WorkspaceCapture& capture) { return capture.identity.empty(); });
    m_unidentified = isIdentified ? std::nullopt : std::optional(workspace);
    m_problem.reset();
    m_saved = workOf(workspace);
    m_isModified = false;
    setFile(file);
    emit used(file);
    emit statusMessage(tr("Saved: %1").arg(file));
    return true;
}

void WorkspaceKeeper::setFile(const QString& file) {
    m_file = file.isEmpty() ? QString() : QFileInfo(file).absoluteFilePath();
    emit changed();
}

// --- what has changed ---------------------------------------------------------------------------------------------

void WorkspaceKeeper::look() {
    if (m_session.captures().empty()) {
        // A workspace without captures is shown as soon as it is read.
        if (std::exchange(m_isSettling, false)) m_timer.start(kLookMs);
        return forgetRecovery();
    }
    if (m_isSettling) {
        // A capture that is still being read may change what was wanted.
        if (!m_host.idle()) return;
        m_isSettling = false;
        m_timer.start(kLookMs);
        if (!m_isModified) m_saved = workOf(m_host.take());
    }
    const Workspace now = whole();
    if (!m_keeping.busy() && m_kept != now) {
        m_kept = now;
        m_keeping.start(
            [recovery = m_recovery, kept = recoverable(now)](const CancelToken& cancel) {
                recovery->keep(kept, cancel);
                return true;
            },
            [](bool) {});
    }
    const bool isModified = !m_file.isEmpty() && m_saved != workOf(now);
    if (isModified == m_isModified) return;
    m_isModified = isModified;
    emit changed();
}

bool WorkspaceKeeper::mayLeave() {
    if (m_isLeaving) return true;
    if (!m_isSettling) look();
    if (!m_isModified || m_file.isEmpty()) return true;
    QMessageBox box(QMessageBox::Question, tr("Unsaved changes"),
                    tr("The workspace %1 has changes that are not saved.").arg(shortName(m_file)),
                    QMessageBox::NoButton, m_window);
    box.setTextFormat(Qt::PlainText);
    auto* save = box.addButton(tr("&Save"), QMessageBox::AcceptRole);
    auto* discard = box.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    auto* stay = box.addButton(tr("&Cancel"), QMessageBox::RejectRole);
    box.setDefaultButton(save);
    box.setEscapeButton(stay);
    box.exec();
    if (box.clickedButton() == save) return this->save();
    return box.clickedButton() == discard;
}

// --- recovery -----------------------------------------------------------------------------------------------------

Workspace WorkspaceKeeper::recoverable(Workspace workspace) const {
    workspace.window.insert(kFileKey, m_file);
    return workspace;
}

void WorkspaceKeeper::forgetRecovery() {
    m_keeping.cancel();
    m_kept.reset();
    m_recovery->forget();
}

void WorkspaceKeeper::leaveForNextStart() {
    m_isLeaving = true;
    if (!m_isModified || m_session.captures().empty()) return;
    m_keeping.cancel();
    m_recovery->keep(recoverable(whole()), {});
    m_recovery->leaveForNextStart();
}

void WorkspaceKeeper::offerRecovery() {
    const QStringList left = m_recovery->abandoned();
    if (left.isEmpty()) return;
    const QString when = QFileInfo(left.front()).lastModified().toString(u"yyyy-MM-dd HH:mm"_s);
    const auto forget = [left] {
        for (const QString& file : left) WorkspaceRecovery::remove(file);
    };
    m_notices.show({tr("The program ended unexpectedly (%1). What was open then can be opened again.").arg(when),
                    tr("&Open again"),
                    [this, left, forget] {
                        if (!mayLeave()) return;
                        read(left.front(), true);
                        connect(this, &WorkspaceKeeper::changed, this, forget, Qt::SingleShotConnection);
                    },
                    forget});
}

}  // namespace altiscope
