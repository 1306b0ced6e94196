#pragma once

#include "views/common/support/finding_settings.h"

#include <QAbstractTableModel>

namespace altiscope {

/// A row per threshold: name, value, default, and what it decides. Values are edited in place, with units. GUI thread.
class ThresholdModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int { NameColumn, ValueColumn, DefaultColumn, MeaningColumn, ColumnCount };

    /// The settings must outlive it.
    explicit ThresholdModel(FindingSettings& settings, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    bool isChanged(int row) const;
    void reset(int row);
    int rowOf(const QString& name) const;  ///< -1 if there is none.
    void retranslate();

signals:
    /// The text that was written is no value.
    void refused(const QString& text);

private:
    FindingSettings& m_settings;
};

}  // namespace altiscope
