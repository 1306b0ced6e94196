#pragma once

#include "core/session/session.h"
#include "views/common/theme/icons.h"
#include "views/overview/tree/capture_sizes.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace altiscope {

/// The open captures as a tree: group > capture > host > rank > what was recorded, what is missing. Captures without a
/// group stand at the top. Ranks without a known host stand directly below their capture, and last in one row those of
/// the job that are not here. Column 0 is the name (below "Missing" with the switch that would have recorded it),
/// column 1 the state of captures and ranks in a word. Names of captures, ranks and groups can be edited, and captures
/// be dragged from group to group. Follows the session; a change of a capture's state keeps its rows, so that selection
/// and expansion survive it. GUI thread; O(ranks) per change.
class CaptureTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum class Kind : unsigned char { Capture, Host, Rank, Group, Data, CaptureGroup };
    enum Role : int {
        KindRole = Qt::UserRole,
        CaptureRole,        ///< OpenCapture::id.
        PathRole,           ///< Absolute path or empty.
        ExcludedRole,       ///< RankInfo::path of a rank that is not read.
        ExcludedBytesRole,  ///< Bytes of its traces.
        RankRole,           ///< RankInfo::path of any rank with a timeline.
        SearchRole,         ///< Names, paths and host of a row, a line each; empty below ranks.
    };
    enum Column : int { NameColumn, StateColumn, ColumnCount };

    explicit CaptureTreeModel(Session& session, QObject* parent = nullptr);
    ~CaptureTreeModel() override;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Takes a name of the user's: of a capture, a rank or a group (EditRole, column 0); empty: its own again, and the
    /// captures of the group into none.
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

    /// Sets all texts again, in the language of the moment.
    void retranslate();

    QModelIndex captureIndex(CaptureId capture) const;
    /// The group of a row of a group, or of a capture in one; else empty.
    QString groupOf(const QModelIndex& index) const;
    QStringList groups() const;
    /// The one of a row, at any level; kNoCapture outside of the tree.
    static CaptureId captureOf(const QModelIndex& index) { return {index.data(CaptureRole).toUInt()}; }

private:
    struct Texts;
    struct Node;
    using Nodes = std::vector<std::unique_ptr<Node>>;

    const Node& nodeOf(const QModelIndex& index) const;
    std::unique_ptr<Node> makeCapture(const OpenCapture& capture) const;
    static void addAbsent(Node& node, const CaptureStore& capture);
    std::unique_ptr<Node> makeRank(const OpenCapture& capture, const RankEntry& rank) const;
    /// @return Whether that changed anything.
    static bool takeTexts(Node& into, Node& from);
    void emitChanged(const QModelIndex& parent, std::size_t first, std::size_t after);
    void mergeChildren(const QModelIndex& index, Node& node, Node& fresh);
    QString rankTip(const Node& node) const;

    QString captureTip(const Node& node) const;
    /// The name that the user gave a row, else the one that it has.
    QString editedName(const Node& node) const;
    QModelIndex indexOf(Node& node) const;
    Node* findCapture(CaptureId id) const;
    /// The node that a capture belongs below: of its group, which is made if it is not there, or the root.
    Node& homeOf(const OpenCapture& capture);
    void takeOut(Node& parent, std::size_t row);
    void dropEmptyGroups();
    void renameGroup(Node& group, const QString& name);
    void addCapture(CaptureId id);
    void updateCapture(CaptureId id);
    void removeCapture(CaptureId id);

    Session& m_session;
    CaptureSizes m_sizes;
    std::unique_ptr<Node> m_root;
};

}  // namespace altiscope
