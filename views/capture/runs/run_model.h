#pragma once

#include "core/capture/session/record.h"

#include <QAbstractTableModel>
#include <QString>

#include <memory>
#include <vector>

namespace altiscope {

/// A host of a capture, or a rank on it.
struct RunRow {
    QString where;
    bool isHost = false;
    capture::State state = capture::State::Preparing;
    QString message;
    bool operator==(const RunRow&) const = default;
};

/// Hosts with their ranks below each, as a record has them. In the language of the window.
std::vector<RunRow> runRows(const capture::CaptureRecord& record);

/// One line for people: time of this machine, host, rank, state, message.
QString eventLine(const capture::Event& event);

/// The rows as a table. GUI thread.
class RunModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Where, State, Message, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::vector<RunRow> rows);
    const std::vector<RunRow>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<RunRow> m_rows;
};

}  // namespace altiscope
