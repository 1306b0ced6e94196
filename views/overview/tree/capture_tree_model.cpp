#include "views/overview/tree/capture_tree_model.h"

#include "core/analysis/communication/absent_ranks.h"
#include "core/base/values/parse.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/overview/facts/capture_texts.h"

#include <QDir>
#include <QMimeData>

#include <algorithm>
#include <map>

namespace altiscope {

using namespace Qt::StringLiterals;

/// Data that a change of a capture's state may change.
struct CaptureTreeModel::Texts {
    QString name, state, tip, path, search;
    QString excluded, rank;
    qulonglong excludedBytes = 0;
    QString icon, stateIcon;
    IconTone tone = IconTone::Text;
    IconTone stateTone = IconTone::Muted;

    bool operator==(const Texts&) const = default;
};

struct CaptureTreeModel::Node : Texts {
    Kind kind = Kind::Capture;
    CaptureId capture;
    QString key;  ///< Tells siblings apart, in any language.
    Node* parent = nullptr;
    int row = 0;           ///< In its parent.
    std::string rankPath;  ///< RankInfo::path of a rank.
    RankIndex index;       ///< Only of a rank.
    Nodes children;

    /// Only what is not complete is worth a word.
    void setState(const QString& word, const QString& ofState, IconTone ofTone) {
        if (ofTone == IconTone::Ok) return;
        state = word;
        stateIcon = ofState;
        stateTone = ofTone;
    }
    void numberChildren() {
        for (std::size_t i = 0; i < children.size(); ++i) children[i]->row = static_cast<int>(i);
    }
    Node* add(std::unique_ptr<Node> child) {
        child->parent = this;
        child->row = static_cast<int>(children.size());
        return children.emplace_back(std::move(child)).get();
    }
    Node* add(Kind childKind, const QString& childKey, const QString& childName, const QString& childIcon) {
        auto child = std::make_unique<Node>();
        child->kind = childKind;
        child->capture = capture;
        child->key = childKey;
        child->name = childName;
        child->icon = childIcon;
        return add(std::move(child));
    }
};

CaptureTreeModel::CaptureTreeModel(Session& session, QObject* parent)
    : QAbstractItemModel(parent), m_session(session), m_sizes(session), m_root(std::make_unique<Node>()) {
    for (const OpenCapture& capture : session.captures()) addCapture(capture.id);
    connect(&session, &Session::captureOpened, this, &CaptureTreeModel::addCapture);
    connect(&session, &Session::captureChanged, this, &CaptureTreeModel::updateCapture);
    connect(&session, &Session::captureClosed, this, &CaptureTreeModel::removeCapture);
}

CaptureTreeModel::~CaptureTreeModel() = default;

// --- rows ---------------------------------------------------------------------------------------------------------

std::unique_ptr<CaptureTreeModel::Node> CaptureTreeModel::makeCapture(const OpenCapture& capture) const {
    const CaptureCounts summary = summaryOf(capture);
    auto node = std::make_unique<Node>();
    node->kind = Kind::Capture;
    node->capture = capture.id;
    node->key = capture.path;
    node->name = summary.name;
    node->path = capture.path;
    node->icon = u"capture"_s;
    node->setState(summary.stateWord, summary.stateIcon, summary.stateTone);
    node->tip = summary.explanation.isEmpty() ? capture.path : capture.path + u"\n\n"_s + summary.explanation;
    node->search = summary.name + u'\n' + capture.path;
    if (capture.store == nullptr) return node;

    std::map<std::string, Node*> hosts;
    for (const RankEntry& rank : capture.store->ranks) {
        Node* parent = node.get();
        if (const std::string& host = rank.info.host; !host.empty()) {
            Node*& known = hosts[host];
            if (known == nullptr) {
                known = node->add(Kind::Host, u"host "_s + toQString(host), toQString(host), u"host"_s);
                known->search = known->name;
            }
            parent = known;
        }
        parent->add(makeRank(capture, rank))->index =
            rankIndex(static_cast<std::size_t>(&rank - capture.store->ranks.data()));
    }
    // Groups, which name them, are known when all is read.
    if (capture.job == 0) addAbsent(*node, *capture.store);
    return node;
}

/// Ranks of the job that are not in the capture, in one row below those that are.
void CaptureTreeModel::addAbsent(Node& node, const CaptureStore& capture) {
    const AbsentRanks absent = absentRanks(capture);
    if (absent.ranks.empty()) return;
    Node* row = node.add(Kind::Group, u"absent"_s, tr("Not here: rank %1").arg(toQString(numberRanges(absent.ranks))),
                         u"missing"_s);
    row->tone = IconTone::Muted;
    row->tip = tr("%1 of %2 ranks are here. What they wait for the others cannot be explained.")
                   .arg(absent.all - absent.ranks.size())
                   .arg(absent.all);
}

std::unique_ptr<CaptureTreeModel::Node> CaptureTreeModel::makeRank(const OpenCapture& capture,
                                                                   const RankEntry& rank) const {
    const RankInfo& info = rank.info;
    auto node = std::make_unique<Node>();
    node->kind = Kind::Rank;
    node->capture = capture.id;
    // Not the device: it may become known only when the events are read.
    node->key = toQString(info.path) + u' ' + QString::number(info.rankId.value_or(-1));
    const QString device = deviceTitle(info);
    const QString title = rankTitle(info);
    // One of several of its number may be called by its device.
    const bool isSaid = device.isEmpty() || title.endsWith(device);
    node->name = isSaid ? title : tr("%1 · %2", "rank · device").arg(title, device);
    node->icon = u"rank"_s;
    node->path = info.path == "." ? capture.path : QDir(capture.path).filePath(toQString(info.path));
    node->rankPath = info.path;
    node->search =
        QStringList{node->name, recordedRankTitle(info), toQString(info.path), toQString(info.host)}.join(u'\n');
    const RankSummary summary = summaryOf(capture, rank);
    node->setState(summary.stateWord, summary.stateIcon, summary.stateTone);
    if (info.traceBytes > 0) node->rank = toQString(info.path);
    if (isExcluded(capture, rank)) {
        node->excluded = toQString(info.path);
        node->excludedBytes = info.traceBytes;
    }

    if (!info.present.empty()) {
        Node* recorded = node->add(Kind::Group, u"present"_s, tr("Recorded"), u"recorded"_s);
        for (const std::string& what : info.present)
            recorded->add(Kind::Data, toQString(what), dataTitle(what), u"ok"_s);
    }
    if (!info.missing.empty()) {
        Node* missing = node->add(Kind::Group, u"missing"_s,
                                  tr("%n kind(s) of data not recorded", nullptr, static_cast<int>(info.missing.size())),
                                  u"missing"_s);
        missing->tone = IconTone::Muted;
        for (const MissingData& data : info.missing) {
            const QString name = tr("%1: %2", "missing data, switch that records it")
                                     .arg(dataTitle(data.what), toQString(data.switchName));
            Node* row = missing->add(Kind::Data, toQString(data.what), name, u"missing"_s);
            row->tone = IconTone::Muted;
            row->tip = missingText(data);
        }
    }
    return node;
}

/// Only from where rows came or went on they are replaced, so that what is selected or unfolded elsewhere stays so.
void CaptureTreeModel::mergeChildren(const QModelIndex& index, Node& node, Node& fresh) {
    const auto sameThing = [](const auto& a, const auto& b) { return a->kind == b->kind && a->key == b->key; };
    const auto differ = std::mismatch(node.children.begin(), node.children.end(), fresh.children.begin(),
                                      fresh.children.end(), sameThing);
    const auto common = static_cast<std::size_t>(differ.first - node.children.begin());
    // Reported in runs: views measure anew at each word of a change, and there may be thousands of ranks.
    std::size_t firstChanged = 0;
    for (std::size_t i = 0; i < common; ++i) {
        Node& child = *node.children[i];
        child.index = fresh.children[i]->index;
        if (takeTexts(child, *fresh.children[i])) continue;
        emitChanged(index, firstChanged, i);
        firstChanged = i + 1;
    }
    emitChanged(index, firstChanged, common);
    for (std::size_t i = 0; i < common; ++i) {
        if (!node.children[i]->children.empty() || !fresh.children[i]->children.empty())
            mergeChildren(createIndex(static_cast<int>(i), 0, node.children[i].get()), *node.children[i],
                          *fresh.children[i]);
    }
    if (node.children.size() > common) {
        beginRemoveRows(index, static_cast<int>(common), static_cast<int>(node.children.size()) - 1);
        node.children.resize(common);
        endRemoveRows();
    }
    if (fresh.children.size() == common) return;
    beginInsertRows(index, static_cast<int>(common), static_cast<int>(fresh.children.size()) - 1);
    for (std::size_t i = common; i < fresh.children.size(); ++i) {
        fresh.children[i]->parent = &node;
        node.children.push_back(std::move(fresh.children[i]));
    }
    endInsertRows();
}

bool CaptureTreeModel::takeTexts(Node& into, Node& from) {
    if (static_cast<const Texts&>(into) == static_cast<const Texts&>(from)) return false;
    static_cast<Texts&>(into) = std::move(static_cast<Texts&>(from));
    return true;
}

void CaptureTreeModel::emitChanged(const QModelIndex& parent, std::size_t first, std::size_t after) {
    if (first >= after) return;
    emit dataChanged(index(static_cast<int>(first), NameColumn, parent),
                     index(static_cast<int>(after) - 1, StateColumn, parent));
}

CaptureTreeModel::Node& CaptureTreeModel::homeOf(const OpenCapture& capture) {
    const QString& group = capture.names.group;
    if (group.isEmpty()) return *m_root;
    for (const auto& child : m_root->children) {
        if (child->kind == Kind::CaptureGroup && child->key == group) return *child;
    }
    const int row = static_cast<int>(m_root->children.size());
    beginInsertRows({}, row, row);
    Node* made = m_root->add(Kind::CaptureGroup, group, group, u"group"_s);
    made->capture = kNoCapture;
    made->search = group;
    endInsertRows();
    return *made;
}

void CaptureTreeModel::addCapture(CaptureId id) {
    const OpenCapture* capture = m_session.capture(id);
    if (capture == nullptr || captureIndex(id).isValid()) return;
    Node& home = homeOf(*capture);
    const int row = static_cast<int>(home.children.size());
    beginInsertRows(indexOf(home), row, row);
    home.add(makeCapture(*capture));
    endInsertRows();
}

void CaptureTreeModel::updateCapture(CaptureId id) {
    const OpenCapture* capture = m_session.capture(id);
    Node* node = findCapture(id);
    if (capture == nullptr || node == nullptr) return;
    if (Node& home = homeOf(*capture); node->parent != &home) {
        Node& before = *node->parent;
        const int row = node->row, last = static_cast<int>(home.children.size());
        beginMoveRows(indexOf(before), row, row, indexOf(home), last);
        auto moved = std::move(before.children[static_cast<std::size_t>(row)]);
        before.children.erase(before.children.begin() + row);
        before.numberChildren();
        home.add(std::move(moved));
        endMoveRows();
        dropEmptyGroups();
    }
    const QModelIndex index = indexOf(*node);
    const std::unique_ptr<Node> fresh = makeCapture(*capture);
    if (takeTexts(*node, *fresh)) emit dataChanged(index, index.siblingAtColumn(StateColumn));
    mergeChildren(index, *node, *fresh);
}

void CaptureTreeModel::takeOut(Node& parent, std::size_t row) {
    beginRemoveRows(indexOf(parent), static_cast<int>(row), static_cast<int>(row));
    parent.children.erase(parent.children.begin() + static_cast<std::ptrdiff_t>(row));
    parent.numberChildren();
    endRemoveRows();
}

void CaptureTreeModel::dropEmptyGroups() {
    for (std::size_t row = m_root->children.size(); row > 0; --row) {
        const Node& node = *m_root->children[row - 1];
        if (node.kind == Kind::CaptureGroup && node.children.empty()) takeOut(*m_root, row - 1);
    }
}

void CaptureTreeModel::removeCapture(CaptureId id) {
    const Node* node = findCapture(id);
    if (node == nullptr) return;
    takeOut(*node->parent, static_cast<std::size_t>(node->row));
    dropEmptyGroups();
}

void CaptureTreeModel::retranslate() {
    for (const OpenCapture& capture : m_session.captures()) updateCapture(capture.id);
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

// --- QAbstractItemModel -------------------------------------------------------------------------------------------

const CaptureTreeModel::Node& CaptureTreeModel::nodeOf(const QModelIndex& index) const {
    return index.isValid() ? *static_cast<const Node*>(index.constInternalPointer()) : *m_root;
}

QModelIndex CaptureTreeModel::indexOf(Node& node) const {
    return &node == m_root.get() ? QModelIndex() : createIndex(node.row, 0, &node);
}

CaptureTreeModel::Node* CaptureTreeModel::findCapture(CaptureId capture) const {
    for (const auto& top : m_root->children) {
        if (top->kind == Kind::Capture && top->capture == capture) return top.get();
        if (top->kind != Kind::CaptureGroup) continue;
        for (const auto& child : top->children) {
            if (child->capture == capture) return child.get();
        }
    }
    return nullptr;
}

QModelIndex CaptureTreeModel::captureIndex(CaptureId capture) const {
    Node* node = findCapture(capture);
    return node == nullptr ? QModelIndex() : indexOf(*node);
}

QModelIndex CaptureTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, nodeOf(parent).children[static_cast<std::size_t>(row)].get());
}

QModelIndex CaptureTreeModel::parent(const QModelIndex& child) const {
    if (!child.isValid()) return {};
    Node* parent = nodeOf(child).parent;
    return parent == m_root.get() ? QModelIndex() : createIndex(parent->row, 0, parent);
}

int CaptureTreeModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent).children.size());
}

int CaptureTreeModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QString CaptureTreeModel::captureTip(const Node& node) const {
    QStringList lines{node.tip};
    if (const auto size = m_sizes.of(node.capture)) {
        const QString bytes = formatBytes(size->bytes), files = formatCount(size->files);
        lines << (size->isWhole ? tr("On disk: %1 (files: %2)").arg(bytes, files)
                                : tr("On disk: more than %1 (files: more than %2)").arg(bytes, files));
        if (size->newest.isValid()) lines << tr("Newest file: %1").arg(size->newest.toString(u"yyyy-MM-dd HH:mm"_s));
    }
    return lines.join(u'\n');
}

/// Made when it is looked at: thousands of ranks have one each.
QString CaptureTreeModel::rankTip(const Node& node) const {
    const OpenCapture* capture = m_session.capture(node.capture);
    if (capture == nullptr || capture->store == nullptr || node.index.value >= capture->store->ranks.size()) return {};
    const RankEntry& rank = capture->store->ranks[node.index.value];
    const QString recorded = rank.info.alias.empty() ? QString() : recordedRankTitle(rank.info) + u'\n';
    const QString facts = recorded + rankFacts(*capture, rank);
    return node.excluded.isEmpty() ? facts
                                   : facts + u"\n"_s + tr("Not read: %1").arg(readingCost(rank.info.traceBytes));
}

QVariant CaptureTreeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Node& node = nodeOf(index);
    const bool isState = index.column() == StateColumn;
    switch (role) {
    case Qt::DisplayRole: return isState ? node.state : node.name;
    case Qt::DecorationRole: {
        const QString& icon = isState ? node.stateIcon : node.icon;
        return icon.isEmpty() ? QVariant() : themedIcon(icon, isState ? node.stateTone : node.tone);
    }
    case Qt::ToolTipRole:
        return node.kind == Kind::Rank ? rankTip(node) : node.kind == Kind::Capture ? captureTip(node) : node.tip;
    case Qt::EditRole: return isState ? QVariant() : QVariant(editedName(node));
    case Qt::AccessibleTextRole: return node.state.isEmpty() ? node.name : node.name + u", "_s + node.state;
    case KindRole: return QVariant::fromValue(static_cast<int>(node.kind));
    case CaptureRole: return node.capture.value;
    case PathRole: return node.path;
    case ExcludedRole: return node.excluded;
    case ExcludedBytesRole: return node.excludedBytes;
    case RankRole: return node.rank;
    case SearchRole: return node.search;
    default: return {};
    }
}

// --- names and groups ---------------------------------------------------------------------------------------------

QString CaptureTreeModel::editedName(const Node& node) const {
    const OpenCapture* capture = m_session.capture(node.capture);
    switch (node.kind) {
    case Kind::CaptureGroup: return node.key;
    case Kind::Capture: return node.name;
    case Kind::Rank: {
        if (capture == nullptr || capture->store == nullptr || node.index.value >= capture->store->ranks.size()) break;
        return rankTitle(capture->store->ranks[node.index.value].info);
    }
    default: break;
    }
    return node.name;
}

bool CaptureTreeModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole || index.column() != NameColumn) return false;
    Node& node = *static_cast<Node*>(index.internalPointer());
    const QString name = captureNameOf(value.toString());
    // A text that was not changed is no name of the user's.
    if (name == editedName(node)) return true;
    switch (node.kind) {
    case Kind::CaptureGroup: renameGroup(node, name); return true;
    case Kind::Capture: m_session.rename(node.capture, name); return true;
    case Kind::Rank: m_session.renameRank(node.capture, node.rankPath, name); return true;
    default: return false;
    }
}

void CaptureTreeModel::renameGroup(Node& group, const QString& name) {
    std::vector<CaptureId> captures;
    for (const auto& child : group.children) captures.push_back(child->capture);
    // The row stays, and is unfolded or not as before, unless the group joins another one.
    if (!name.isEmpty() && !groups().contains(name)) {
        group.key = group.name = group.search = name;
        emit dataChanged(indexOf(group), indexOf(group));
    }
    for (const CaptureId capture : captures) m_session.setGroup(capture, name);
}

Qt::ItemFlags CaptureTreeModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::ItemIsDropEnabled;
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    const Kind kind = nodeOf(index).kind;
    const bool isNamed = kind == Kind::Capture || kind == Kind::Rank || kind == Kind::CaptureGroup;
    if (isNamed && index.column() == NameColumn) flags |= Qt::ItemIsEditable;
    if (kind == Kind::Capture) flags |= Qt::ItemIsDragEnabled | Qt::ItemIsDropEnabled;
    if (kind == Kind::CaptureGroup) flags |= Qt::ItemIsDropEnabled;
    return flags;
}

QString CaptureTreeModel::groupOf(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    const Node& node = nodeOf(index);
    if (node.kind == Kind::CaptureGroup) return node.key;
    const OpenCapture* capture = m_session.capture(node.capture);
    return capture == nullptr ? QString() : capture->names.group;
}

QStringList CaptureTreeModel::groups() const {
    QStringList names;
    for (const auto& child : m_root->children) {
        if (child->kind == Kind::CaptureGroup) names << child->key;
    }
    return names;
}

QStringList CaptureTreeModel::mimeTypes() const { return {u"application/x-altiscope-capture"_s}; }

QMimeData* CaptureTreeModel::mimeData(const QModelIndexList& indexes) const {
    QByteArray ids;
    for (const QModelIndex& index : indexes) {
        if (index.column() == NameColumn) ids += QByteArray::number(captureOf(index).value) + '\n';
    }
    auto* data = new QMimeData;
    data->setData(mimeTypes().front(), ids);
    return data;
}

bool CaptureTreeModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int /*row*/, int /*column*/,
                                    const QModelIndex& parent) {
    if (action != Qt::MoveAction || !data->hasFormat(mimeTypes().front())) return false;
    const QString group = groupOf(parent);
    for (const QByteArray& id : data->data(mimeTypes().front()).split('\n')) {
        if (!id.isEmpty()) m_session.setGroup({id.toUInt()}, group);
    }
    return true;
}

QVariant CaptureTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    // The hidden header's text would keep its width from names while all is complete.
    if (orientation != Qt::Horizontal || role != Qt::AccessibleTextRole) return {};
    return section == NameColumn ? tr("Capture") : tr("State");
}

}  // namespace altiscope
