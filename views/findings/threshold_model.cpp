#include "views/findings/threshold_model.h"

#include "core/base/text/text.h"
#include "views/common/support/formatters.h"
#include "views/common/support/threshold_texts.h"

#include <QFont>

namespace altiscope {

namespace {

const ThresholdInfo& infoAt(int row) { return thresholdInfos()[static_cast<std::size_t>(row)]; }

}  // namespace

ThresholdModel::ThresholdModel(FindingSettings& settings, QObject* parent)
    : QAbstractTableModel(parent), m_settings(settings) {
    connect(&settings, &FindingSettings::thresholdsChanged, this,
            [this] { emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1)); });
}

int ThresholdModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(thresholdInfos().size());
}

int ThresholdModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

bool ThresholdModel::isChanged(int row) const {
    return m_settings.thresholds().*infoAt(row).value != FindingThresholds{}.*infoAt(row).value;
}

void ThresholdModel::reset(int row) { m_settings.setThreshold(infoAt(row), FindingThresholds{}.*infoAt(row).value); }

int ThresholdModel::rowOf(const QString& name) const {
    const ThresholdInfo* info = findThreshold(name.toStdString());
    return info == nullptr ? -1 : static_cast<int>(info - thresholdInfos().data());
}

QVariant ThresholdModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const ThresholdInfo& info = infoAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        switch (index.column()) {
        case NameColumn: return toQString(info.name);
        case ValueColumn: return thresholdText(info, m_settings.thresholds().*info.value);
        case DefaultColumn: return thresholdText(info, FindingThresholds{}.*info.value);
        case MeaningColumn: return thresholdMeaning(info);
        default: return {};
        }
    case Qt::ToolTipRole:
        if (index.column() == ValueColumn)
            return tr("%1 %2\nF2 or a double click changes it.", "value, unit")
                .arg(toQString(shortestNumber(m_settings.thresholds().*info.value)), toQString(info.unit));
        return thresholdMeaning(info);
    case Qt::FontRole: {
        QFont font;
        font.setBold(isChanged(index.row()) && index.column() <= ValueColumn);
        return font;
    }
    case Qt::TextAlignmentRole: {
        const bool right = index.column() == ValueColumn || index.column() == DefaultColumn;
        return QVariant::fromValue(Qt::Alignment(right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    default: return {};
    }
}

bool ThresholdModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != ValueColumn)
        return false;
    const ThresholdInfo& info = infoAt(index.row());
    const auto number = thresholdValue(info, value.toString());
    if (!number) {
        emit refused(value.toString());
        return false;
    }
    m_settings.setThreshold(info, *number);
    return true;
}

Qt::ItemFlags ThresholdModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == ValueColumn ? flags | Qt::ItemIsEditable : flags;
}

QVariant ThresholdModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && (section == ValueColumn || section == DefaultColumn))
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case NameColumn: return tr("Threshold");
    case ValueColumn: return tr("Value");
    case DefaultColumn: return tr("Default");
    case MeaningColumn: return tr("What it decides");
    default: return {};
    }
}

void ThresholdModel::retranslate() {
    emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

}  // namespace altiscope
