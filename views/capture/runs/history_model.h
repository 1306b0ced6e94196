#pragma once

#include "core/capture/session/record.h"

#include <QAbstractTableModel>
#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace altiscope {

/// Captures, newest first.
using CaptureRecords = std::vector<std::shared_ptr<const capture::CaptureRecord>>;

/// Settings of a capture that another one with the same method has otherwise, a line each: "- active=1", "+ active=2".
/// Empty if there are none.
std::string settingChanges(const capture::CaptureRecord& before, const capture::CaptureRecord& after);

/// The capture before one of them with the same method; null if there is none.
std::shared_ptr<const capture::CaptureRecord> formerOf(const CaptureRecords& records, std::size_t which);
/// settingChanges() below a sentence that says so, or that there are none.
QString settingsSince(const capture::CaptureRecord& former, const capture::CaptureRecord& record);

/// Captures as a table; their tips have the note, the settings, and how they differ from those of the capture before
/// with the same method. GUI thread.
class HistoryModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Started, State, Method, Targets, Note, kColumns };

    using QAbstractTableModel::QAbstractTableModel;

    void setRecords(CaptureRecords records);
    const CaptureRecords& records() const { return m_records; }
    /// Row of a capture; -1 if there is none of that id.
    int rowOf(const std::string& id) const;

    /// Whether each word of a text stands in its cells, its id, its settings or its command, in whatever case.
    bool matches(int row, const QString& text) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    CaptureRecords m_records;
};

}  // namespace altiscope
