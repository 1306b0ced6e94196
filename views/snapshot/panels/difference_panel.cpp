#include "views/snapshot/panels/difference_panel.h"

#include "core/session/session.h"
#include "core/tables/rows/snapshot_rows.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/snapshot/data/snapshot_tables.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

/// Both states, and what stacks have in them.
struct DifferencePanel::Sides {
    std::shared_ptr<const DeviceSnapshot> before, after;  ///< Texts of the changes are theirs.
    EventNumber beforeAt = kBeforeHistory, afterAt = kBeforeHistory;
    std::vector<StackChange> changes;
    std::shared_ptr<const ColumnTable> table;
};

DifferencePanel::DifferencePanel(Session& session, SnapshotSelection& selection, const ViewMemory& memory,
                                 QWidget* parent)
    : QWidget(parent), m_selection(selection), m_slot(session.jobs()), m_other(new QComboBox(this)),
      m_take(new QToolButton(this)), m_sentence(new QLabel(this)),
      m_table(new TablePanel(session, memory, u"snapshot_difference"_s, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 0);
    bar->setSpacing(8);
    bar->addWidget(m_other);
    bar->addWidget(m_take);
    bar->addWidget(m_sentence, 1);
    column->addLayout(bar);
    column->addWidget(m_table, 1);
    m_sentence->setWordWrap(true);
    m_table->filterBar().setExample(u"change > 1MiB and stack ~ \"forward\""_s);
    m_table->table().setWideColumn(static_cast<std::size_t>(StackChangeColumn::Stack));
    connect(m_other, &QComboBox::activated, this, [this] {
        m_base.reset();
        requestDifference();
    });
    connect(m_take, &QToolButton::clicked, this, [this] { setBase(m_selection.eventNumber()); });
    connect(&selection, &SnapshotSelection::eventChanged, this, &DifferencePanel::requestDifference);
    const auto request = [this](std::uint32_t row) {
        if (m_sides != nullptr && row < m_sides->changes.size())
            emit stackRequested(toQString(m_sides->changes[row].stack));
    };
    connect(&m_table->table(), &DataTable::activated, this, request);
    m_table->table().setRowMenu([this, request](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("&List its blocks"), this, [request, row] { request(row); });
    });
    retranslate();
}

void DifferencePanel::setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    m_base.reset();
    m_slot.cancel();
    take(nullptr);
    fillChoices();
    requestDifference();
}

void DifferencePanel::setChoices(std::vector<SnapshotChoice> choices) {
    m_choices = std::move(choices);
    fillChoices();
}

void DifferencePanel::setBase(EventNumber at) {
    m_other->setCurrentIndex(0);
    m_base = at;
    requestDifference();
}

void DifferencePanel::fillChoices() {
    const QString before = m_other->currentText();
    m_other->clear();
    m_other->addItem(tr("Of this snapshot"), -1);
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        if (m_snapshot == nullptr || !m_choices[i].isSame(m_snapshot->choice))
            m_other->addItem(tr("With the end of: %1").arg(m_choices[i].title), static_cast<int>(i));
    }
    m_other->setCurrentIndex(std::max(0, m_other->findText(before)));
}

const SnapshotChoice* DifferencePanel::other() const {
    const int index = m_other->currentData().toInt();
    return index < 0 || static_cast<std::size_t>(index) >= m_choices.size()
               ? nullptr
               : &m_choices[static_cast<std::size_t>(index)];
}

bool DifferencePanel::idle() const { return !m_slot.busy() && !m_table->table().loader().busy(); }

void DifferencePanel::requestDifference() {
    if (m_snapshot == nullptr) return;
    const SnapshotChoice* chosen = other();
    m_slot.start(
        [device = m_snapshot->device, known = m_sides, at = m_selection.eventNumber(),
         base = m_base.value_or(kBeforeHistory),
         choice = chosen == nullptr ? std::optional<SnapshotChoice>() : std::optional(*chosen)](
            const CancelToken& cancel) -> std::shared_ptr<const Sides> {
            auto sides = std::make_shared<Sides>();
            sides->after = sides->before = device;
            sides->afterAt = at;
            sides->beforeAt = base;
            if (choice) {
                // It need not be read once more for another event of this one.
                const bool isKnown = known != nullptr && known->before->rows == choice->rows &&
                                     known->before->where.device == choice->device.device;
                sides->before =
                    isKnown ? known->before : deviceSnapshot(choice->rows, choice->device.device, nullptr, cancel);
                if (sides->before == nullptr) return nullptr;
                sides->beforeAt = sides->before->last();
            }
            sides->changes = stackChanges(*sides->before, sides->beforeAt, *sides->after, sides->afterAt);
            sides->table = stackChangeTable(sides->changes);
            return cancel.cancelled() ? nullptr : sides;
        },
        [this](std::shared_ptr<const Sides> sides) {
            if (sides != nullptr) take(std::move(sides));
        });
}

void DifferencePanel::take(std::shared_ptr<const Sides> sides) {
    m_sides = std::move(sides);
    if (m_sides == nullptr) m_table->setSource(nullptr, {});
    else m_table->setSource(m_sides->table, stackChangeHeadings());
    retranslate();
}

void DifferencePanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        fillChoices();
        retranslate();
        if (m_sides != nullptr) m_table->table().setHeadings(stackChangeHeadings());
    }
    QWidget::changeEvent(event);
}

void DifferencePanel::retranslate() {
    m_take->setText(tr("From the &selected event"));
    m_take->setToolTip(tr("Compares later selections with the event that is selected now."));
    m_other->setAccessibleName(tr("What is compared"));
    m_table->table().setAccessibleName(tr("Difference by call stack"));
    if (m_sides == nullptr) return m_sentence->clear();
    const std::int64_t before = m_sides->before->activeAt(m_sides->beforeAt),
                       after = m_sides->after->activeAt(m_sides->afterAt);
    m_sentence->setText(
        withUnbrokenUnits(tr("%1 (%2) to %3 (%4): %5%6")
                              .arg(eventText(m_sides->beforeAt), bytesText(before), eventText(m_sides->afterAt),
                                   bytesText(after), after > before ? u"+"_s : QString(), bytesText(after - before))));
}

}  // namespace altiscope
