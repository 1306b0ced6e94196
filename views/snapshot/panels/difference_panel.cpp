#include "views/snapshot/panels/difference_panel.h"

#include "core/session/session.h"
#include "core/tables/rows/snapshot_rows.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/common/widgets/elided_combo_box.h"
#include "views/snapshot/data/snapshot_tables.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

/// Both states, and the table that is shown of them.
struct DifferencePanel::Sides {
    std::shared_ptr<const LoadedSnapshot> before, after;  ///< Texts of the changes are theirs.
    EventNumber beforeAt = kBeforeHistory, afterAt = kBeforeHistory;
    What what = What::Stacks;
    std::vector<StackChange> changes;
    std::vector<LoneBlock> blocks;
    std::shared_ptr<const ColumnTable> table;
};

DifferencePanel::DifferencePanel(Session& session, SnapshotSelection& selection, const ViewMemory& memory,
                                 QWidget* parent)
    : QWidget(parent), m_session(session), m_selection(selection), m_slot(session.jobs()),
      m_other(new ElidedComboBox(this)), m_what(new QComboBox(this)), m_take(new QToolButton(this)),
      m_sentence(new QLabel(this)), m_tables(new QStackedWidget(this)),
      m_table(new TablePanel(session, memory, u"snapshot_difference"_s, m_tables)),
      m_blocks(new TablePanel(session, memory, u"snapshot_difference_blocks"_s, m_tables)),
      m_totals(new TablePanel(session, memory, u"snapshot_difference_totals"_s, m_tables)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 0);
    bar->setSpacing(8);
    bar->addWidget(m_other, 2);
    bar->addWidget(m_what);
    bar->addWidget(m_take);
    bar->addStretch(1);
    column->addLayout(bar);
    column->addWidget(m_sentence);
    column->addWidget(m_tables, 1);
    m_sentence->setContentsMargins(8, 2, 8, 2);
    m_sentence->setWordWrap(true);
    // In the order of What.
    for (TablePanel* table : {m_table, m_blocks, m_totals}) m_tables->addWidget(table);
    for (const What what : {What::Stacks, What::Blocks, What::Totals})
        m_what->addItem(QString(), static_cast<int>(what));
    // A snapshot's name may be a long path, and a small screen has no room for it.
    m_other->setMinimumContentsLength(12);
    m_table->filterBar().setExample(u"change > 1MiB and stack ~ \"forward\""_s);
    m_table->table().setWideColumn(static_cast<std::size_t>(StackChangeColumn::Stack));
    m_blocks->filterBar().setExample(u"where = after and bytes > 1MiB"_s);
    m_blocks->table().setWideColumn(static_cast<std::size_t>(LoneBlockColumn::Stack));
    m_totals->table().setWideColumn(static_cast<std::size_t>(PoolShareColumn::Share));
    connectParts();
    retranslate();
}

DifferencePanel::~DifferencePanel() { stopLoading(); }

void DifferencePanel::connectParts() {
    connect(m_other, &QComboBox::activated, this, [this] {
        m_base.reset();
        // The ends of two snapshots say most; from there the selected event goes on.
        if (other() != nullptr && m_snapshot != nullptr) m_selection.setEvent(m_snapshot->device->last());
        requestDifference();
    });
    connect(m_what, &QComboBox::activated, this, &DifferencePanel::requestDifference);
    connect(m_take, &QToolButton::clicked, this, [this] { setBase(m_selection.eventNumber()); });
    connect(&m_selection, &SnapshotSelection::eventChanged, this, &DifferencePanel::requestDifference);
    const auto request = [this](std::uint32_t row) {
        if (m_sides != nullptr && row < m_sides->changes.size())
            emit stackRequested(toQString(m_sides->changes[row].stack));
    };
    connect(&m_table->table(), &DataTable::activated, this, request);
    m_table->table().setRowMenu([this, request](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("&List its blocks"), this, [request, row] { request(row); });
    });
    DataTable& blocks = m_blocks->table();
    connect(&blocks, &DataTable::activated, this, [this](std::uint32_t row) {
        if (m_sides == nullptr || row >= m_sides->blocks.size()) return;
        const LoneBlock& one = m_sides->blocks[row];
        // Another snapshot's blocks are not in the picture.
        if (one.isAfter || m_sides->before == m_sides->after) m_selection.setBlock(one.block);
    });
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

void DifferencePanel::setWhat(What what) {
    m_what->setCurrentIndex(static_cast<int>(what));
    requestDifference();
}

DifferencePanel::What DifferencePanel::what() const { return static_cast<What>(m_what->currentData().toInt()); }

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

bool DifferencePanel::idle() const {
    const auto isResting = [](TablePanel* table) { return !table->table().loader().busy(); };
    return !m_slot.busy() && m_job == 0 && isResting(m_table) && isResting(m_blocks) && isResting(m_totals);
}

void DifferencePanel::stopLoading() {
    m_loading.reset();
    if (m_job != 0) m_session.jobs().cancel(std::exchange(m_job, 0));
}

void DifferencePanel::loadOther(const SnapshotChoice& choice) {
    if (m_loading && m_loading->isSame(choice)) return;
    stopLoading();
    m_slot.cancel();
    take(nullptr);
    m_loading = choice;
    m_job = m_session.jobs().start(
        choice.title,
        [choice](ProgressSlot& progress, const CancelToken& cancel) -> std::shared_ptr<const void> {
            return loadSnapshot(choice, &progress, cancel);
        },
        [panel = QPointer<DifferencePanel>(this), choice](const std::shared_ptr<const void>& result) {
            if (panel == nullptr || !panel->m_loading || !panel->m_loading->isSame(choice)) return;
            panel->m_job = 0;
            panel->m_loading.reset();
            panel->m_otherSnapshot = std::static_pointer_cast<const LoadedSnapshot>(result);
            if (panel->m_otherSnapshot != nullptr) panel->requestDifference();
        });
}

void DifferencePanel::requestDifference() {
    if (m_snapshot == nullptr) return stopLoading();
    const SnapshotChoice* chosen = other();
    if (chosen == nullptr) stopLoading();
    else if (m_otherSnapshot == nullptr || !m_otherSnapshot->choice.isSame(*chosen)) return loadOther(*chosen);
    else if (m_otherSnapshot->error) return take(nullptr);
    m_slot.start(
        [after = m_snapshot, before = chosen == nullptr ? m_snapshot : m_otherSnapshot, at = m_selection.eventNumber(),
         base = m_base.value_or(kBeforeHistory), what = what()](const CancelToken& cancel) {
            auto sides = std::make_shared<Sides>();
            sides->before = before;
            sides->after = after;
            sides->afterAt = at;
            sides->beforeAt = before == after ? base : before->device->last();
            sides->what = what;
            const DeviceSnapshot &first = *before->device, &second = *after->device;
            if (what == What::Stacks) {
                sides->changes = stackChanges(first, sides->beforeAt, second, at);
                sides->table = stackChangeTable(sides->changes);
            } else if (what == What::Blocks) {
                sides->blocks = blocksOfOneState(first, sides->beforeAt, second, at);
                sides->table = loneBlockTable(first, second, sides->blocks);
            } else {
                sides->table = poolShareTable(poolShares(before->pool->stateAt(sides->beforeAt)),
                                              poolShares(after->pool->stateAt(at)));
            }
            return cancel.cancelled() ? std::shared_ptr<const Sides>() : sides;
        },
        [this](std::shared_ptr<const Sides> sides) {
            if (sides != nullptr) take(std::move(sides));
        });
}

void DifferencePanel::take(std::shared_ptr<const Sides> sides) {
    m_sides = std::move(sides);
    showTable();
    retranslate();
}

void DifferencePanel::showTable() {
    if (m_sides == nullptr) {
        for (TablePanel* table : {m_table, m_blocks, m_totals}) table->setSource(nullptr, {});
        return;
    }
    m_tables->setCurrentIndex(static_cast<int>(m_sides->what));
    switch (m_sides->what) {
    case What::Stacks: return m_table->setSource(m_sides->table, stackChangeHeadings());
    case What::Blocks: return m_blocks->setSource(m_sides->table, loneBlockHeadings());
    case What::Totals: return m_totals->setSource(m_sides->table, poolShareHeadings());
    }
}

void DifferencePanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        fillChoices();
        retranslate();
        if (m_sides != nullptr) {
            m_table->table().setHeadings(stackChangeHeadings());
            m_blocks->table().setHeadings(loneBlockHeadings());
            m_totals->table().setHeadings(poolShareHeadings());
        }
    }
    QWidget::changeEvent(event);
}

QString DifferencePanel::sentence() const {
    if (m_sides == nullptr) {
        const bool isFailed = m_otherSnapshot != nullptr && m_otherSnapshot->error && other() != nullptr;
        return isFailed ? errorSentence(*m_otherSnapshot->error) : QString();
    }
    const std::int64_t before = m_sides->before->device->activeAt(m_sides->beforeAt),
                       after = m_sides->after->device->activeAt(m_sides->afterAt);
    const QString first = eventText(m_sides->beforeAt);
    return withUnbrokenUnits(
        tr("%1 (%2) to %3 (%4): %5%6")
            .arg(m_sides->before == m_sides->after ? first : m_sides->before->choice.title + u", "_s + first,
                 bytesText(before), eventText(m_sides->afterAt), bytesText(after), after > before ? u"+"_s : QString(),
                 bytesText(after - before)));
}

void DifferencePanel::retranslate() {
    m_what->setItemText(static_cast<int>(What::Stacks), tr("Call stacks"));
    m_what->setItemText(static_cast<int>(What::Blocks), tr("Blocks of one side"));
    m_what->setItemText(static_cast<int>(What::Totals), tr("Totals"));
    m_what->setAccessibleName(tr("What is listed"));
    m_take->setText(tr("From the &selected event"));
    m_take->setToolTip(tr("Compares later selections with the event that is selected now."));
    m_other->setAccessibleName(tr("What is compared"));
    m_table->table().setAccessibleName(tr("Difference by call stack"));
    m_blocks->table().setAccessibleName(tr("Blocks of one side"));
    m_totals->table().setAccessibleName(tr("Totals of both sides"));
    m_sentence->setText(sentence());
}

}  // namespace altiscope
