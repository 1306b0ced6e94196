#include "views/snapshot/panels/growth_panel.h"

#include "core/session/session.h"
#include "core/tables/rows/snapshot_rows.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/snapshot/data/profile_link.h"
#include "views/snapshot/data/snapshot_tables.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

struct GrowthPanel::Growths {
    std::shared_ptr<const DeviceSnapshot> device;  ///< Numbers of stacks are its.
    HistorySteps steps;
    std::vector<StackGrowth> growths;
    std::shared_ptr<const ColumnTable> table;
};

GrowthPanel::GrowthPanel(Session& session, const ProfileLink& link, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_link(link), m_slot(session.jobs()), m_sentence(new QLabel(this)),
      m_table(new TablePanel(session, memory, u"snapshot_growth"_s, this)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    column->addWidget(m_sentence);
    column->addWidget(m_table, 1);
    m_sentence->setWordWrap(true);
    m_sentence->setContentsMargins(8, 4, 8, 4);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->filterBar().setExample(u"growth > 1MiB and fit > 90%"_s);
    m_table->table().setWideColumn(static_cast<std::size_t>(StackGrowthColumn::Stack));
    connect(&link, &ProfileLink::clockChanged, this, &GrowthPanel::requestGrowth);
    const auto request = [this](std::uint32_t row) {
        if (m_growths != nullptr && row < m_growths->growths.size())
            emit stackRequested(toQString(m_growths->device->stackText(m_growths->growths[row].stack)));
    };
    connect(&m_table->table(), &DataTable::activated, this, request);
    m_table->table().setRowMenu([this, request](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("&List its blocks"), this, [request, row] { request(row); });
    });
    retranslate();
}

void GrowthPanel::setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    m_slot.cancel();
    take(nullptr);
    requestGrowth();
}

bool GrowthPanel::idle() const { return !m_slot.busy() && !m_table->table().loader().busy(); }

void GrowthPanel::requestGrowth() {
    if (m_snapshot == nullptr) return;
    std::vector<Step> steps;
    if (m_link.profile() && !m_link.clock().empty()) steps = m_link.profile()->entry().steps;
    m_slot.start(
        [device = m_snapshot->device, clock = m_link.clock(),
         steps = std::move(steps)](const CancelToken& cancel) -> std::shared_ptr<const Growths> {
            auto made = std::make_shared<Growths>();
            made->device = device;
            made->steps = historySteps(*device, clock, steps, cancel);
            made->growths = stackGrowth(*device, made->steps, cancel);
            made->table = stackGrowthTable(*device, made->growths);
            return cancel.cancelled() ? nullptr : made;
        },
        [this](std::shared_ptr<const Growths> growths) {
            if (growths != nullptr) take(std::move(growths));
        });
}

void GrowthPanel::take(std::shared_ptr<const Growths> growths) {
    m_growths = std::move(growths);
    if (m_growths == nullptr) m_table->setSource(nullptr, {});
    else m_table->setSource(m_growths->table, stackGrowthHeadings(m_growths->steps.source));
    retranslate();
}

void GrowthPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        if (m_growths != nullptr) m_table->table().setHeadings(stackGrowthHeadings(m_growths->steps.source));
    }
    QWidget::changeEvent(event);
}

QString GrowthPanel::text() const {
    if (m_growths == nullptr) return {};
    const int steps = pluralCount(m_growths->steps.count());
    QString text;
    switch (m_growths->steps.source) {
    case StepSource::Profile: text = tr("%n step(s), by the timeline of the rank.", nullptr, steps); break;
    case StepSource::Annotations:
        text = tr("%n step(s), as the program counts them in its annotations.", nullptr, steps);
        break;
    case StepSource::Repetition: text = tr("%n step(s), by how the history repeats itself.", nullptr, steps); break;
    case StepSource::None:
        text = tr("The history has fewer than %1 whole steps: growth is per 1,000 events, of blocks that were kept for "
                  "longer than those that the same stack released.")
                   .arg(HistorySteps::kFewest);
        break;
    }
    if (m_growths->growths.empty()) text += u' ' + tr("No call stack keeps growing.");
    return text;
}

void GrowthPanel::retranslate() {
    m_table->table().setAccessibleName(tr("Growth by call stack"));
    m_sentence->setText(withUnbrokenUnits(text()));
}

}  // namespace altiscope
