#include "app/gui/workspace_controller.h"

#include "app/gui/bottom_panel.h"
#include "app/gui/user_settings.h"
#include "app/gui/window_pages.h"
#include "core/session/find/slice_by_id.h"
#include "core/session/marks.h"
#include "core/session/selection.h"
#include "core/session/workspace/capture_link.h"
#include "views/overview/tree/capture_tree.h"
#include "views/timeline/page/timeline_page.h"
#include "views/workspace/link_opener.h"
#include "views/workspace/notice_bar.h"
#include "views/workspace/table_states.h"
#include "views/workspace/workspace_keeper.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

const QString kIdentitiesKey = u"recent_identities"_s, kDocksKey = u"docks"_s, kBottomKey = u"bottom"_s,
              kFoldedKey = u"folded_groups"_s;
/// How many identities of opened captures are kept, so that links find these.
constexpr qsizetype kMaxIdentities = 50;

WorkspaceIds openIds(const Session& session) {
    WorkspaceIds ids;
    for (const OpenCapture& open : session.captures()) ids.ids.push_back(open.id);
    return ids;
}

}  // namespace

WorkspaceController::WorkspaceController(const WindowServices& services, WindowPages& pages, BottomPanel& bottom,
                                         CaptureTree& tree, QMainWindow& window, NoticeBar& notices,
                                         std::function<bool()> isIdle)
    : QObject(&window), m_services(services), m_pages(pages), m_bottom(bottom), m_tree(tree), m_window(window),
      m_identities(services.session),
      m_keeper(new WorkspaceKeeper(
          services.session, m_identities, notices,
          {[this] { return take(); },
           [this](const Workspace& workspace, const WorkspaceIds& ids) { give(workspace, ids); },
           [this, isIdle = std::move(isIdle)] { return !m_wanted && isIdle(); }, [this] { return recent(); }},
          services.recoveryFolder, &window)),
      m_links(new LinkOpener(
          services.session, m_identities, notices, [this] { return recent(); }, &window)),
      m_search(services.session.jobs()), m_linkSearch(services.session.jobs()) {
    connect(&services.session, &Session::captureChanged, this, &WorkspaceController::select);
    connect(&services.session, &Session::captureClosed, this, &WorkspaceController::select);
    connect(&m_identities, &CaptureIdentities::found, this, &WorkspaceController::remember);
    connect(m_links, &LinkOpener::placeRequested, this, &WorkspaceController::showPlace);
    connect(m_links, &LinkOpener::statusMessage, this, &WorkspaceController::statusMessage);
    connect(m_keeper, &WorkspaceKeeper::statusMessage, this, &WorkspaceController::statusMessage);
}

bool WorkspaceController::idle() const {
    return m_keeper->idle() && m_identities.idle() && !m_wanted && !m_linkSearch.busy();
}

// --- a workspace --------------------------------------------------------------------------------------------------

Workspace WorkspaceController::take() const {
    const WorkspaceIds ids = openIds(m_services.session);
    Workspace workspace;
    for (const OpenCapture& open : m_services.session.captures())
        workspace.captures.push_back({open.path, {}, m_services.marks.of(open.id), open.names});
    workspace.current = ids.indexOf(m_services.selection.shownCapture()).value_or(0);
    workspace.page = viewName(m_pages.currentView());
    const SelectionState& state = m_services.selection.current();
    workspace.selectedIn = ids.indexOf(state.capture);
    if (workspace.selectedIn && state.slice) workspace.slice = state.slice->id;
    if (workspace.selectedIn) workspace.range = state.range;
    workspace.ranks = state.context.ranks;
    workspace.devices = state.context.devices;
    workspace.steps = state.context.steps;
    const auto rangeIn = ids.indexOf(state.context.rangeCapture);
    if (state.context.range && rangeIn) workspace.shownRange = {*rangeIn, *state.context.range};
    workspace.window = {{kDocksKey, QString::fromLatin1(m_window.saveState(kLayoutVersion).toBase64())},
                        {kBottomKey, m_bottom.currentIndex()}};
    if (const QStringList folded = m_tree.foldedGroups(); !folded.isEmpty())
        workspace.window.insert(kFoldedKey, QJsonArray::fromStringList(folded));
    workspace.pages = m_pages.state(ids);
    workspace.pages.insert(kBottomKey, stateOfTables(m_bottom));
    return workspace;
}

void WorkspaceController::give(const Workspace& workspace, const WorkspaceIds& ids) {
    for (std::size_t i = 0; i < ids.ids.size(); ++i) {
        if (ids.ids[i] == kNoCapture) continue;
        m_services.marks.join(ids.ids[i], workspace.captures[i].marks);
        m_services.session.setNames(ids.ids[i], workspace.captures[i].names);
    }
    m_tree.setFoldedGroups(workspace.window.value(kFoldedKey).toVariant().toStringList());
    m_services.selection.clear();
    ContextFilter context{workspace.ranks, workspace.devices, workspace.steps, {}, 0, {}};
    if (workspace.shownRange) {
        context.rangeCapture = ids.at(static_cast<qint64>(workspace.shownRange->capture));
        if (context.rangeCapture != kNoCapture) context.range = workspace.shownRange->range;
    }
    // Ranks, steps and times are those of the current capture.
    if (const CaptureId current = ids.at(static_cast<qint64>(workspace.current)); current != kNoCapture)
        emit captureWanted(current);
    m_services.selection.setContext(std::move(context));
    m_pages.restore(workspace.pages, ids);
    restoreTables(m_bottom, workspace.pages.value(kBottomKey).toObject());
    m_bottom.setCurrentIndex(workspace.window.value(kBottomKey).toInt());
    const auto view = viewFromName(workspace.page);
    if (view && !std::exchange(m_keepsPage, false)) m_pages.showView(*view);
    // After the page, which brings or hides the lower panel by itself.
    emit docksWanted(QByteArray::fromBase64(workspace.window.value(kDocksKey).toString().toLatin1()));
    m_wanted.reset();
    const CaptureId selected = workspace.selectedIn ? ids.at(static_cast<qint64>(*workspace.selectedIn)) : kNoCapture;
    if (selected != kNoCapture && (workspace.slice || workspace.range))
        m_wanted = {selected, workspace.slice, workspace.range};
    select();
}

void WorkspaceController::chooseWorkspace(const QString& folder) {
    const QString file = QFileDialog::getOpenFileName(&m_window, tr("Open a workspace"), folder,
                                                      tr("Workspaces (*.altiscope);;All files (*)"));
    if (!file.isEmpty()) m_keeper->open(file);
}

QString WorkspaceController::titleOf(const QString& capture) const {
    QStringList parts;
    if (!m_keeper->file().isEmpty())
        parts << QFileInfo(m_keeper->file()).completeBaseName() + (m_keeper->isModified() ? u"*"_s : QString());
    if (!capture.isEmpty()) parts << capture;
    parts << u"Altiscope"_s;
    return parts.join(u" – "_s);
}

/// Once its capture is read.
void WorkspaceController::select() {
    if (!m_wanted) return;
    const OpenCapture* open = m_services.session.capture(m_wanted->capture);
    const bool isStopped = open != nullptr && open->cancelled && open->job == 0 && open->store == nullptr;
    if (open == nullptr || open->error || isStopped) return m_wanted.reset();
    if (open->job != 0 || open->store == nullptr || m_search.busy()) return;
    m_search.start([store = open->store, slice = m_wanted->slice](
                       const CancelToken&) { return slice ? findSliceInAnyRank(*store, *slice) : std::nullopt; },
                   [this](const std::optional<SliceKey>& found) {
                       const Wanted wanted = *std::exchange(m_wanted, std::nullopt);
                       SelectionState state = m_services.selection.current();
                       state.capture = wanted.capture;
                       state.slice = found;
                       state.range = wanted.range;
                       m_services.selection.set(state);
                   });
}

// --- links --------------------------------------------------------------------------------------------------------

void WorkspaceController::promptLink() {
    const QString copied = QApplication::clipboard()->text();
    bool isGiven = false;
    const QString text =
        QInputDialog::getText(&m_window, tr("Follow a link"), tr("Link (altiscope:…):"), QLineEdit::Normal,
                              looksLikeLink(copied) ? copied.trimmed() : QString(), &isGiven);
    if (isGiven && !text.trimmed().isEmpty()) m_links->follow(text);
}

void WorkspaceController::copySelectedLink() {
    const SelectionState& state = m_services.selection.current();
    if (state.slice) return m_links->copy({state.capture, state.slice->rank, state.slice->id, {}});
    if (state.capture != kNoCapture && state.range) return m_links->copy({state.capture, {}, {}, state.range});
    m_links->copy({m_services.selection.shownCapture(), {}, {}, {}});
}

void WorkspaceController::showPlace(CaptureId capture, const CaptureLink& link) {
    const OpenCapture* open = m_services.session.capture(capture);
    if (open == nullptr || open->store == nullptr) return;
    emit captureWanted(capture);
    if (link.range) {
        const auto& ranks = open->store->ranks;
        const auto rank = std::find_if(ranks.begin(), ranks.end(), [&link](const RankEntry& entry) {
            return entry.trace != nullptr && (!link.rank || entry.info.rankId == link.rank);
        });
        if (rank == ranks.end())
            return emit statusMessage(tr("Rank %1 of the link has no timeline here, or is not read.").arg(*link.rank));
        m_pages.timeline().showPlace(capture, rankIndex(static_cast<std::size_t>(rank - ranks.begin())), *link.range);
        m_pages.showView(ViewId::Timeline);
        return;
    }
    if (!link.slice) return;
    m_linkSearch.start(
        [store = open->store, slice = *link.slice](const CancelToken&) { return findSliceInAnyRank(*store, slice); },
        [this, capture](const std::optional<SliceKey>& found) {
            if (!found)
                return emit statusMessage(tr("The slice of the link is not there: perhaps its rank is not read."));
            m_services.selection.selectSlice(capture, *found);
            m_pages.showView(ViewId::Timeline);
            m_services.selection.reveal(capture, *found);
        });
}

// --- captures of former times -------------------------------------------------------------------------------------

/// Identity and path take turns, the newest first.
void WorkspaceController::remember(CaptureId capture) {
    const OpenCapture* open = m_services.session.capture(capture);
    const auto identity = m_identities.of(capture);
    if (open == nullptr || !identity || identity->empty()) return;
    QStringList kept{QString::fromStdString(*identity), open->path};
    const QStringList before = m_services.settings.viewValue(kIdentitiesKey).toStringList();
    for (qsizetype i = 0; i + 1 < before.size() && kept.size() < 2 * kMaxIdentities; i += 2) {
        if (before[i + 1] != open->path) kept << before[i] << before[i + 1];
    }
    if (kept != before) m_services.settings.setViewValue(kIdentitiesKey, kept);
}

std::map<std::string, QString> WorkspaceController::recent() const {
    std::map<std::string, QString> found;
    const QStringList kept = m_services.settings.viewValue(kIdentitiesKey).toStringList();
    for (qsizetype i = 0; i + 1 < kept.size(); i += 2) found.emplace(kept[i].toStdString(), kept[i + 1]);
    return found;
}

}  // namespace altiscope
