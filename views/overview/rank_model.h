#pragma once

#include "core/session/session.h"
#include "views/overview/capture_facts.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace altiscope {

/// One row per rank of every open capture, with what was read of it. Sort values in kSortRole. GUI thread; O(ranks) per
/// change.
class RankModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int {
        CaptureColumn,
        RankColumn,
        DeviceColumn,
        HostColumn,
        StateColumn,
        FrameworkColumn,
        SourceColumn,
        StartColumn,
        SpanColumn,
        StepsColumn,
        TracksColumn,
        SlicesColumn,
        FlowsColumn,
        MissingColumn,
        ColumnCount,
    };

    explicit RankModel(Session& session, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Rows of more than one capture: only then their names matter.
    bool severalCaptures() const { return !m_rows.empty() && m_rows.front().capture != m_rows.back().capture; }
    /// What the recording was set to, as its metadata files tell it: key and value. Empty for a row that does not exist.
    const std::vector<std::pair<std::string, std::string>>& metadata(int row) const;

    void retranslate();

private:
    struct Row {
        std::uint32_t capture = 0;
        QString captureName;
        std::shared_ptr<const CaptureStore> store;  ///< Keeps `rank` alive.
        const RankEntry* rank = nullptr;
    };

    void rebuild();
    RankSummary summaryOf(const Row& row) const;
    QVariant display(const Row& row, int column) const;
    static QVariant sortValue(const Row& row, int column);
    static QString exactText(const Row& row, int column);

    Session& m_session;
    std::vector<Row> m_rows;
};

}  // namespace altiscope
