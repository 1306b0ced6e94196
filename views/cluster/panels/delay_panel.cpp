#include "views/cluster/panels/delay_panel.h"

#include "views/common/plots/plot_view.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

DelayPanel::DelayPanel(Session& session, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_groups(new TablePanel(session, memory, u"cluster_delays"_s, this)),
      m_which(new QComboBox(this)), m_text(new QLabel(this)), m_plot(new PlotView(session, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    auto* parts = new QSplitter(Qt::Horizontal, this);
    layout->addWidget(parts);
    auto* right = new QWidget(parts);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(8, 4, 8, 0);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->addWidget(m_which);
    head->addWidget(m_text, 1);
    column->addLayout(head);
    column->addWidget(m_plot, 1);
    m_text->setObjectName(u"cluster_delay_text"_s);
    m_text->setWordWrap(true);
    m_which->setObjectName(u"cluster_delay_matrix"_s);
    m_which->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    parts->addWidget(m_groups);
    parts->addWidget(right);
    parts->setChildrenCollapsible(false);
    parts->setSizes({600, 600});
    m_groups->filterBar().setExample(u"skew > 1 ms or bus_bandwidth < 10 GB/s"_s);
    connect(m_which, &QComboBox::activated, this, &DelayPanel::showMatrix);
    connect(&m_groups->table(), &DataTable::currentChanged, this, &DelayPanel::showMatrix);
}

void DelayPanel::setSource(std::shared_ptr<const ClusterSource> source) {
    m_source = std::move(source);
    fill();
}

void DelayPanel::fill() {
    m_rows = m_source == nullptr ? std::vector<DelayRow>() : delayRows(*m_source);
    if (m_source == nullptr) m_groups->setSource(nullptr, {});
    else m_groups->setSource(delayTable(*m_source, m_rows), delayHeadings());
    showMatrix();
}

const GroupDelays* DelayPanel::chosen() const {
    if (m_source == nullptr || m_rows.empty()) return nullptr;
    const auto row = m_groups->table().currentRow();
    return &m_source->delays[m_rows[row && *row < m_rows.size() ? *row : 0].group];
}

QString DelayPanel::text() const { return m_text->text(); }

void DelayPanel::showMatrix() {
    const GroupDelays* group = chosen();
    m_which->setEnabled(group != nullptr);
    if (group == nullptr) {
        m_text->clear();
        return m_plot->showNothing(
            m_source == nullptr ? QString()
                                : tr("No collective of two ranks is in the capture, or none within the filter."));
    }
    const QString stands = delayText(*m_source, *group);
    m_text->setText(stands.isEmpty() ? tr("Nothing stands out.") : stands + u'.');
    const auto which = static_cast<DelayMatrix>(m_which->currentData().toInt());
    if (which == DelayMatrix::Late && group->late.empty())
        return m_plot->showNothing(tr("A matrix is made of %1 ranks at most; this group has %2.")
                                       .arg(formatCount(GroupDelays::kMostRanks), formatCount(group->ranks.size())));
    if (which == DelayMatrix::SlowLinks && group->slowLinks.empty())
        return m_plot->showNothing(m_source->context.range
                                       ? tr("Links have no times: choose steps in place of a range.")
                                       : tr("No link between ranks of this group is recorded with its bandwidth."));
    m_plot->show(delayMap(*m_source, *group, which));
}

void DelayPanel::retranslate() {
    const QSignalBlocker blocker(m_which);
    const int at = std::max(0, m_which->currentIndex());
    m_which->clear();
    m_which->addItem(tr("Late arrivals"), static_cast<int>(DelayMatrix::Late));
    m_which->addItem(tr("Slow links"), static_cast<int>(DelayMatrix::SlowLinks));
    m_which->setCurrentIndex(at);
    m_which->setAccessibleName(tr("What the matrix shows"));
    m_groups->table().setAccessibleName(tr("Groups and their pace"));
    fill();
}

}  // namespace altiscope
