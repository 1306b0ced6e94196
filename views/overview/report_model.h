#pragma once

#include "core/session/session.h"

#include <QAbstractTableModel>

#include <vector>

namespace altiscope {

/// Everything that was noticed while captures were read: one row per diagnostic of every open capture, and one per capture
/// that failed. Sort values in kSortRole; the exact count and the code are copied (table_view.h). GUI thread.
class ReportModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int {
        SeverityColumn,
        CountColumn,
        CaptureColumn,
        MessageColumn,
        FileColumn,
        PlaceColumn,
        CodeColumn,
        ColumnCount
    };
    /// By weight.
    enum class Weight : unsigned char { Info, Repaired, Lost, Failed };

    explicit ReportModel(Session& session, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Rows that are more than worth knowing: something was repaired, lost or failed, or a source could not be read.
    int warningCount() const;
    /// Rows of more than one capture: only then their names matter.
    bool severalCaptures() const;
    /// Some row names a place in its file.
    bool anyPlace() const;
    /// First row of a capture, -1 if it has none.
    int firstRowOf(std::uint32_t capture) const;

    /// Sets all texts again, in the language of the moment.
    void retranslate() { rebuild(); }

signals:
    void warningCountChanged();

private:
    struct Row {
        std::uint32_t capture = 0;
        QString captureName;
        Weight weight = Weight::Info;
        bool unread = false;
        std::uint64_t count = 1;
        QString file, place, message, code;
        bool operator==(const Row&) const = default;
    };

    void rebuild();
    static void appendRows(const OpenCapture& capture, std::vector<Row>& rows);
    QVariant display(const Row& row, int column) const;
    static QVariant sortValue(const Row& row, int column);

    Session& m_session;
    std::vector<Row> m_rows;
};

}  // namespace altiscope
