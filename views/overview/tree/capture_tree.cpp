#include "views/overview/tree/capture_tree.h"

#include "core/session/raw_analysis_job.h"
#include "views/common/support/data_texts.h"
#include "views/common/theme/icons.h"
#include "views/overview/dialogs/read_range_dialog.h"
#include "views/overview/facts/capture_texts.h"
#include "views/overview/tree/capture_tree_model.h"
#include "views/overview/tree/correction_menu.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHeaderView>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QUrl>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// With more ranks than this the tree would be all "Missing"; then they stay folded.
constexpr int kRanksUnfolded = 4;

/// Ranks that are excluded, at or below a row.
struct ExcludedBelow {
    std::vector<std::string> ranks;
    std::uint64_t bytes = 0;
};

void collect(const QAbstractItemModel& model, const QModelIndex& index, ExcludedBelow& found) {
    const QString rank = index.data(CaptureTreeModel::ExcludedRole).toString();
    if (!rank.isEmpty()) {
        found.ranks.push_back(rank.toStdString());
        found.bytes += index.data(CaptureTreeModel::ExcludedBytesRole).toULongLong();
    }
    for (int row = 0; row < model.rowCount(index); ++row) collect(model, model.index(row, 0, index), found);
}

ExcludedBelow excludedBelow(const QModelIndex& index) {
    ExcludedBelow found;
    if (index.isValid()) collect(*index.model(), index.siblingAtColumn(0), found);
    return found;
}

}  // namespace

// Keys of Tree of captures:
// - `F2`: Rename a capture, a rank or a group; an empty name brings back its own
// - `Ctrl+C`: Copy the path
// - `Del`: Close the capture
CaptureTree::CaptureTree(Session& session, QWidget* parent)
    : QTreeView(parent), m_session(session), m_model(new CaptureTreeModel(session, this)), m_rename(new QAction(this)),
      m_openFolder(new QAction(this)), m_ungroup(new QAction(this)), m_copyPath(new QAction(this)),
      m_report(new QAction(this)), m_deliverables(new QAction(this)), m_read(new QAction(this)),
      m_readRange(new QAction(this)), m_readAll(new QAction(this)), m_reload(new QAction(this)),
      m_stop(new QAction(this)), m_close(new QAction(this)) {
    setModel(m_model);
    setHeaderHidden(true);
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setIndentation(fontMetrics().height() * 3 / 4);
    header()->setSectionResizeMode(CaptureTreeModel::NameColumn, QHeaderView::Stretch);
    header()->setSectionResizeMode(CaptureTreeModel::StateColumn, QHeaderView::ResizeToContents);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(1);  // for no state at all
    // Rows in sight tell the width: with all of them each of thousands of changed ranks would measure thousands.
    header()->setResizeContentsPrecision(0);

    setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    setDragEnabled(true);
    setAcceptDrops(true);
    setDropIndicatorShown(true);
    setDragDropMode(QAbstractItemView::InternalMove);
    setDragDropOverwriteMode(true);  // onto rows, not between them: they have no order of the user's

    m_rename->setShortcut(QKeySequence(Qt::Key_F2));
    m_openFolder->setIcon(themedIcon(u"open_folder"_s));
    m_ungroup->setIcon(themedIcon(u"group"_s));
    connect(m_rename, &QAction::triggered, this, [this] {
        const QModelIndex name = currentIndex().siblingAtColumn(CaptureTreeModel::NameColumn);
        if ((name.flags() & Qt::ItemIsEditable) != 0) QTreeView::edit(name);
    });
    connect(m_openFolder, &QAction::triggered, this, &CaptureTree::openFolder);
    connect(m_ungroup, &QAction::triggered, this, &CaptureTree::ungroup);
    m_copyPath->setIcon(themedIcon(u"copy"_s));
    m_copyPath->setShortcut(QKeySequence::Copy);
    m_report->setIcon(themedIcon(u"report"_s));
    m_reload->setIcon(themedIcon(u"reload"_s));
    m_stop->setIcon(themedIcon(u"stop"_s));
    m_close->setIcon(themedIcon(u"close"_s));
    m_close->setShortcut(QKeySequence::Delete);
    for (QAction* action : {m_rename, m_copyPath, m_close}) action->setShortcutContext(Qt::WidgetShortcut);
    addActions({m_rename, m_copyPath, m_report, m_reload, m_stop, m_close});
    connect(m_copyPath, &QAction::triggered, this, &CaptureTree::copyPath);
    connect(m_report, &QAction::triggered, this, [this] { emit reportRequested(currentCapture()); });
    connect(m_deliverables, &QAction::triggered, this, [this] { emit deliverablesRequested(currentCapture()); });
    connect(m_read, &QAction::triggered, this, [this] { readBelow(currentIndex()); });
    connect(m_readRange, &QAction::triggered, this, &CaptureTree::promptRange);
    connect(m_readAll, &QAction::triggered, this, &CaptureTree::readAll);
    connect(this, &QTreeView::activated, this, [this](const QModelIndex& index) {
        // Return on a whole capture or host unfolds it: reading all of its ranks would take long.
        if (!index.siblingAtColumn(0).data(CaptureTreeModel::ExcludedRole).toString().isEmpty()) readBelow(index);
    });
    connect(m_reload, &QAction::triggered, this, [this] { m_session.reload(currentCapture()); });
    connect(m_stop, &QAction::triggered, this, [this] { m_session.cancel(currentCapture()); });
    connect(m_close, &QAction::triggered, this, [this] { m_session.close(currentCapture()); });

    connect(this, &QTreeView::expanded, this, [this](const QModelIndex& index) {
        const bool isRank =
            index.data(CaptureTreeModel::KindRole).toInt() == static_cast<int>(CaptureTreeModel::Kind::Rank);
        if (!isRank || isFirstColumnSpanned(0, index)) return;
        for (int row = 0; row < m_model->rowCount(index); ++row) unfold(m_model->index(row, 0, index));
    });
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& above, int first, int last) {
        for (int row = first; row <= last; ++row) unfold(m_model->index(row, 0, above));
    });
    m_filterTimer.setSingleShot(true);
    m_filterTimer.setInterval(0);
    connect(&m_filterTimer, &QTimer::timeout, this, &CaptureTree::applyFilter);
    const auto filterSoon = [this] {
        if (!m_filter.isEmpty()) m_filterTimer.start();
    };
    connect(m_model, &QAbstractItemModel::rowsInserted, this, filterSoon);
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, filterSoon);
    connect(m_model, &QAbstractItemModel::rowsMoved, this, filterSoon);
    connect(m_model, &QAbstractItemModel::dataChanged, this, filterSoon);
    unfold({});
    retranslate();
}

CaptureId CaptureTree::currentCapture() const { return CaptureTreeModel::captureOf(currentIndex()); }

void CaptureTree::setCurrentCapture(CaptureId capture) {
    if (currentCapture() == capture) return;
    if (const QModelIndex index = m_model->captureIndex(capture); index.isValid()) setCurrentIndex(index);
}

void CaptureTree::unfold(const QModelIndex& index) {
    const auto kind = static_cast<CaptureTreeModel::Kind>(index.data(CaptureTreeModel::KindRole).toInt());
    switch (kind) {
    case CaptureTreeModel::Kind::CaptureGroup:
    case CaptureTreeModel::Kind::Capture:
    case CaptureTreeModel::Kind::Host: expand(index); break;
    case CaptureTreeModel::Kind::Rank:
        // Rows below are made by expanded(): of thousands of ranks hardly one is looked into.
        if (m_model->rowCount(index.parent()) <= kRanksUnfolded) expand(index);
        return;
    case CaptureTreeModel::Kind::Group:
        for (int row = 0; row < m_model->rowCount(index); ++row) setFirstColumnSpanned(row, index, true);
        setFirstColumnSpanned(index.row(), index.parent(), true);
        return;
    case CaptureTreeModel::Kind::Data: return;
    }
    for (int row = 0; row < m_model->rowCount(index); ++row) unfold(m_model->index(row, 0, index));
}

void CaptureTree::readBelow(const QModelIndex& index) {
    ExcludedBelow found = excludedBelow(index);
    if (!found.ranks.empty())
        m_session.readRanks(CaptureTreeModel::captureOf(index.siblingAtColumn(0)), std::move(found.ranks));
}

const RankEntry* CaptureTree::readableRank() const {
    const OpenCapture* capture = m_session.capture(currentCapture());
    const std::string path =
        currentIndex().siblingAtColumn(0).data(CaptureTreeModel::RankRole).toString().toStdString();
    if (capture == nullptr || capture->store == nullptr || capture->job != 0 || path.empty()) return nullptr;
    const auto& ranks = capture->store->ranks;
    const auto rank =
        std::find_if(ranks.begin(), ranks.end(), [&path](const RankEntry& entry) { return entry.info.path == path; });
    return rank == ranks.end() ? nullptr : &*rank;
}

void CaptureTree::promptRange() {
    const RankEntry* rank = readableRank();
    if (rank == nullptr) return;
    const OpenCapture& capture = *m_session.capture(currentCapture());
    const std::string path = rank->info.path;
    auto* dialog = new ReadRangeDialog({.title = captureName(capture) + u" › "_s + rankTitle(rank->info),
                                        .bytes = rank->info.traceBytes,
                                        .times = capture.times.of(path),
                                        .timesAreOfOthers = !capture.times.knows(path),
                                        .origin = capture.times.origin(),
                                        .window = rank->window},
                                       this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog, id = capture.id, path] { m_session.readRanks(id, {path}, dialog->range()); });
    dialog->open();
}

void CaptureTree::readAll() {
    if (const RankEntry* rank = readableRank()) m_session.readRanks(currentCapture(), {rank->info.path});
}

QString CaptureTree::currentPath() const {
    for (QModelIndex index = currentIndex(); index.isValid(); index = index.parent()) {
        if (const QString path = index.data(CaptureTreeModel::PathRole).toString(); !path.isEmpty()) return path;
    }
    return {};
}

void CaptureTree::copyPath() {
    if (const QString path = currentPath(); !path.isEmpty()) QGuiApplication::clipboard()->setText(path);
}

/// A file, as a pack, is shown by its folder: opening it would start another program.
void CaptureTree::openFolder() {
    const QFileInfo about(currentPath());
    QDesktopServices::openUrl(QUrl::fromLocalFile(about.isDir() ? about.filePath() : about.absolutePath()));
}

// --- names and groups ---------------------------------------------------------------------------------------------

/// A double click on a rank that is not read reads it.
bool CaptureTree::edit(const QModelIndex& index, EditTrigger trigger, QEvent* event) {
    const bool reads = trigger == DoubleClicked && !index.data(CaptureTreeModel::ExcludedRole).toString().isEmpty();
    return !reads && QTreeView::edit(index, trigger, event);
}

void CaptureTree::promptGroup(CaptureId capture) {
    bool isGiven = false;
    const QString name =
        QInputDialog::getText(this, tr("New group"), tr("Name of the group:"), QLineEdit::Normal, {}, &isGiven);
    if (isGiven) m_session.setGroup(capture, name);
}

void CaptureTree::addGroupMenu(QMenu& menu, CaptureId capture) {
    QMenu* groups = menu.addMenu(themedIcon(u"group"_s), tr("Move to &group"));
    const QString own = m_model->groupOf(m_model->captureIndex(capture));
    for (const QString& name : m_model->groups()) {
        // Names may hold the sign of access keys.
        QAction* action = groups->addAction(QString(name).replace(u'&', u"&&"_s), this,
                                            [this, capture, name] { m_session.setGroup(capture, name); });
        action->setCheckable(true);
        action->setChecked(name == own);
    }
    if (!groups->isEmpty()) groups->addSeparator();
    groups->addAction(tr("&New group…"), this, [this, capture] { promptGroup(capture); });
    groups->addAction(tr("N&o group"), this, [this, capture] { m_session.setGroup(capture, {}); })
        ->setEnabled(!own.isEmpty());
}

/// The row goes with the last of its captures.
void CaptureTree::ungroup() {
    std::vector<CaptureId> captures;
    const QModelIndex group = currentIndex().siblingAtColumn(0);
    for (int row = 0; row < m_model->rowCount(group); ++row)
        captures.push_back(CaptureTreeModel::captureOf(m_model->index(row, 0, group)));
    for (const CaptureId capture : captures) m_session.setGroup(capture, {});
}

QStringList CaptureTree::foldedGroups() const {
    QStringList names;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row, 0);
        const auto kind = static_cast<CaptureTreeModel::Kind>(index.data(CaptureTreeModel::KindRole).toInt());
        if (kind == CaptureTreeModel::Kind::CaptureGroup && !isExpanded(index)) names << m_model->groupOf(index);
    }
    return names;
}

void CaptureTree::setFoldedGroups(const QStringList& names) {
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row, 0);
        const auto kind = static_cast<CaptureTreeModel::Kind>(index.data(CaptureTreeModel::KindRole).toInt());
        if (kind == CaptureTreeModel::Kind::CaptureGroup) setExpanded(index, !names.contains(m_model->groupOf(index)));
    }
}

// --- filter -------------------------------------------------------------------------------------------------------

void CaptureTree::setFilter(const QString& text) {
    if (text.trimmed() == m_filter) return;
    m_filter = text.trimmed();
    applyFilter();
}

/// @return Whether the row or one below it is found, and so is shown.
bool CaptureTree::filterBelow(const QModelIndex& index, bool isParentFound) {
    const bool isFound = isParentFound || m_filter.isEmpty() ||
                         index.data(CaptureTreeModel::SearchRole).toString().contains(m_filter, Qt::CaseInsensitive);
    bool isShown = isFound;
    const auto kind = static_cast<CaptureTreeModel::Kind>(index.data(CaptureTreeModel::KindRole).toInt());
    // Rows below ranks are shown with them.
    const bool hasNames = kind != CaptureTreeModel::Kind::Rank && kind != CaptureTreeModel::Kind::Group;
    for (int row = 0; hasNames && row < m_model->rowCount(index); ++row)
        isShown = filterBelow(m_model->index(row, 0, index), isFound) || isShown;
    if (isRowHidden(index.row(), index.parent()) == isShown) setRowHidden(index.row(), index.parent(), !isShown);
    return isShown;
}

void CaptureTree::applyFilter() {
    m_filterTimer.stop();
    for (int row = 0; row < m_model->rowCount(); ++row) filterBelow(m_model->index(row, 0), false);
    emit filtered();
}

int CaptureTree::shownCaptures() const {
    int shown = 0;
    for (int row = 0; row < m_model->rowCount(); ++row) shown += isRowHidden(row, {}) ? 0 : 1;
    return shown;
}

void CaptureTree::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTreeView::currentChanged(current, previous);
    emit currentCaptureChanged(currentCapture());
}

void CaptureTree::contextMenuEvent(QContextMenuEvent* event) {
    if (!currentIndex().isValid()) return;
    QMenu menu(this);
    const auto kind =
        static_cast<CaptureTreeModel::Kind>(currentIndex().siblingAtColumn(0).data(CaptureTreeModel::KindRole).toInt());
    if (kind == CaptureTreeModel::Kind::CaptureGroup) {
        menu.addActions({m_rename, m_ungroup});
    } else if (const OpenCapture* capture = m_session.capture(currentCapture())) {
        fillMenu(menu, *capture, kind);
    }
    if (menu.isEmpty()) return;
    const QPoint place = event->reason() == QContextMenuEvent::Keyboard
                             ? viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft())
                             : event->globalPos();
    menu.exec(place);
}

void CaptureTree::fillMenu(QMenu& menu, const OpenCapture& capture, CaptureTreeModel::Kind kind) {
    m_stop->setEnabled(capture.job != 0);
    if (kind == CaptureTreeModel::Kind::Capture || kind == CaptureTreeModel::Kind::Rank) menu.addAction(m_rename);
    if (kind == CaptureTreeModel::Kind::Capture) addGroupMenu(menu, capture.id);
    menu.addActions({m_openFolder, m_copyPath, m_report});
    if (capture.store != nullptr && holdsRawData(*capture.store)) menu.addAction(m_deliverables);
    menu.addSeparator();
    if (const ExcludedBelow found = excludedBelow(currentIndex()); !found.ranks.empty()) {
        m_read->setText(
            tr("&Read %n rank(s), %1", nullptr, static_cast<int>(found.ranks.size())).arg(readingCost(found.bytes)));
        menu.addAction(m_read);
    }
    if (const RankEntry* rank = readableRank()) {
        menu.addAction(m_readRange);
        if (rank->window) menu.addAction(m_readAll);
        addCorrections(menu, m_session, capture, rank->info, this);
        menu.addSeparator();
    }
    menu.addActions({m_reload, m_stop, m_close});
}

void CaptureTree::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    if (event->type() == QEvent::FontChange) setIndentation(fontMetrics().height() * 3 / 4);
    QTreeView::changeEvent(event);
}

void CaptureTree::retranslate() {
    m_rename->setText(tr("Re&name"));
    m_openFolder->setText(tr("Open in file &manager"));
    m_ungroup->setText(tr("&Ungroup"));
    m_copyPath->setText(tr("&Copy path"));
    m_report->setText(tr("&Import report"));
    m_deliverables->setText(tr("&Write deliverables…"));
    m_readRange->setText(tr("Read a range of &time…"));
    m_readAll->setText(tr("Read &all of it"));
    m_reload->setText(tr("&Read again"));
    m_stop->setText(tr("&Stop reading"));
    m_close->setText(tr("C&lose"));
    setAccessibleName(tr("Open captures"));
    m_model->retranslate();
}

}  // namespace altiscope
