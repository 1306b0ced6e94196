#include "views/common/support/heading_model.h"

#include "views/common/support/cell_text.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct HeadingTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::HeadingTexts)
};

}  // namespace

void HeadingModel::set(std::shared_ptr<const TableSource> source, std::vector<ColumnHeading> headings) {
    const bool same = m_source && source && headings.size() == m_headings.size();
    if (!same) beginResetModel();
    m_source = std::move(source);
    m_headings = std::move(headings);
    if (!same) endResetModel();
    if (same && !m_headings.empty()) emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void HeadingModel::setWords(std::vector<ColumnHeading> headings) {
    if (headings.size() != m_headings.size() || headings.empty()) return;
    m_headings = std::move(headings);
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void HeadingModel::setSort(std::vector<SortKey> sort) {
    m_sort = std::move(sort);
    if (!m_headings.empty()) emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int HeadingModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_headings.size());
}

QVariant HeadingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const auto column = static_cast<std::size_t>(section);
    const TableColumn& about = m_source->columns()[column];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(isRightAligned(about) ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    if (role == Qt::DisplayRole) {
        QString text = m_headings[column].title;
        for (std::size_t i = 0; i < m_sort.size(); ++i) {
            if (m_sort[i].column != column) continue;
            text += m_sort[i].descending ? u" ↓"_s : u" ↑"_s;
            if (m_sort.size() > 1) text += QString::number(i + 1);
        }
        return text;
    }
    if (role == Qt::ToolTipRole) {
        const QString unit = plainUnit(about.unit);
        QString name = HeadingTexts::tr("In filters: %1").arg(toQString(about.name));
        if (!unit.isEmpty()) name += u" ("_s + unit + u')';
        return m_headings[column].formula.isEmpty() ? name : m_headings[column].formula + u'\n' + name;
    }
    return {};
}

}  // namespace altiscope
