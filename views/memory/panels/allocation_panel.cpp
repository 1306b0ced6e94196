#include "views/memory/panels/allocation_panel.h"

#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/memory/data/memory_tables.h"
#include "views/memory/panels/idle_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRestMs = 120;

/// Both must hold.
std::optional<std::vector<TimeRange>> common(const std::optional<std::vector<TimeRange>>& times,
                                             std::optional<TimeRange> range) {
    if (!range) return times;
    if (!times) return std::vector{*range};
    std::vector<TimeRange> both;
    for (const TimeRange& time : *times) {
        const TimeRange part{std::max(time.begin, range->begin), std::min(time.end, range->end)};
        if (part.begin < part.end) both.push_back(part);
    }
    return both;
}

bool hasRecordedUses(const RowTables& rows) {
    const RowTable* table = rows.find(RowKind::Allocation);
    const auto uses = table == nullptr ? std::nullopt : useColumns(*table);
    return uses && table->presentCount(uses->firstUse) > 0;
}

}  // namespace

AllocationPanel::AllocationPanel(Session& session, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_slot(session.jobs()), m_pause(new QTimer(this)), m_when(new QComboBox(this)),
      m_unreleased(new QCheckBox(this)), m_limits(new IdleBar(memory, this)),
      m_table(new TablePanel(session, memory, u"allocations"_s, this)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 0);
    bar->setSpacing(8);
    bar->addWidget(m_when, 0, Qt::AlignTop);
    bar->addWidget(m_unreleased, 0, Qt::AlignTop);
    bar->addWidget(m_limits, 1);
    column->addLayout(bar);
    column->addWidget(m_table, 1);
    for (const When when : {When::Always, When::Touched, When::Alive})
        m_when->addItem(QString(), static_cast<int>(when));
    m_pause->setSingleShot(true);
    m_pause->setInterval(kRestMs);
    m_table->filterBar().setExample(u"size > 1MiB and held > 10ms"_s);
    m_table->hideAtFirst({AllocationRows::ActiveLifetime, AllocationRows::ReleaseReserved,
                          AllocationRows::ReleaseActive, AllocationRows::AllocActive});
    DataTable& table = m_table->table();
    table.setWideColumn(AllocationRows::Name);
    connect(m_pause, &QTimer::timeout, this, &AllocationPanel::request);
    connect(m_when, &QComboBox::activated, this, &AllocationPanel::request);
    m_unreleased->setObjectName(u"unreleased"_s);
    connect(m_unreleased, &QCheckBox::toggled, this, &AllocationPanel::request);
    connect(m_limits, &IdleBar::changed, this, &AllocationPanel::request);
    connect(&table, &DataTable::currentChanged, this, &AllocationPanel::currentChanged);
    connect(&table, &DataTable::activated, this, &AllocationPanel::timelineRequested);
    table.setRowMenu([this](QMenu& menu, std::uint32_t row) {
        const auto selected = ends(row);
        if (!selected) return;
        menu.addAction(tr("Show in the &timeline"), this, [this, row] { emit timelineRequested(row); });
        QAction* zoom = menu.addAction(tr("&Zoom to its lifetime"), this, [this, selected] {
            emit zoomRequested({*selected->allocated, *selected->released});
        });
        zoom->setEnabled(selected->allocated && selected->released && *selected->allocated < *selected->released);
    });
    retranslate();
}

void AllocationPanel::setMemory(std::shared_ptr<const RankMemory> memory, TimeNs origin) {
    m_memory = std::move(memory);
    m_origin = origin;
    retranslate();
    request();
}

void AllocationPanel::setRange(std::optional<TimeRange> range, bool isMarked) {
    if (m_range == range && m_isMarked == isMarked) return;
    m_range = range;
    if (std::exchange(m_isMarked, isMarked) != isMarked) retranslate();
    if (when() == When::Touched) m_pause->start();
}

void AllocationPanel::setMoment(std::optional<TimeNs> moment) {
    if (std::exchange(m_moment, moment) == moment) return;
    retranslate();
    if (when() == When::Alive) request();
}

AllocationPanel::When AllocationPanel::when() const { return static_cast<When>(m_when->currentData().toInt()); }

void AllocationPanel::setWhen(When when) {
    m_when->setCurrentIndex(m_when->findData(static_cast<int>(when)));
    request();
}

void AllocationPanel::showUnreleased(bool alone) { m_unreleased->setChecked(alone); }

void AllocationPanel::showHolder(const QString& name) {
    if (m_rows == nullptr) return;
    setWhen(When::Alive);
    QString literal = name;
    literal.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    m_table->filterBar().addChip(u"name = \"%1\""_s.arg(literal));
}

bool AllocationPanel::idle() const {
    return !m_slot.busy() && !m_pause->isActive() && !m_table->table().loader().busy();
}

void AllocationPanel::request() {
    m_pause->stop();
    const RankEntry* entry = m_memory == nullptr ? nullptr : &m_memory->entry();
    if (entry == nullptr || entry->rows == nullptr || entry->rows->find(RowKind::Allocation) == nullptr) {
        m_slot.cancel();
        m_rows.reset();
        m_limits->hide();
        m_table->setSource(nullptr, {});
        emit currentChanged();
        return;
    }
    AllocationQuery query{.touched = m_memory->times, .aliveAt = {}, .unreleased = m_unreleased->isChecked()};
    if (when() == When::Touched) query.touched = common(m_memory->times, m_range);
    if (when() == When::Alive) {
        // Live memory may have been allocated at any time.
        query.touched.reset();
        query.aliveAt = m_moment;
        // The list of what holds the memory is of the device whose peak it explains.
        if (m_memory->leading != nullptr) query.device = m_memory->leading->device();
    }
    m_limits->setVisible(hasRecordedUses(*entry->rows));
    if (const auto limits = m_limits->limits(); limits && !limits->isOff() && !m_limits->isHidden())
        query.limits = limits;
    if (!query.touched && !query.aliveAt && !query.unreleased && !query.limits) {
        m_slot.cancel();
        return take(nullptr);
    }
    m_slot.start(
        [rows = entry->rows, query](const CancelToken& cancel) -> std::shared_ptr<const std::vector<std::uint32_t>> {
            auto found = allocationRows(*rows->find(RowKind::Allocation), query, cancel);
            return found ? std::make_shared<const std::vector<std::uint32_t>>(std::move(*found)) : nullptr;
        },
        [this](std::shared_ptr<const std::vector<std::uint32_t>> rows) {
            if (rows) take(std::move(rows));
        });
}

void AllocationPanel::take(std::shared_ptr<const std::vector<std::uint32_t>> rows) {
    m_rows = std::make_shared<const AllocationRows>(m_memory->entry().rows, m_origin, std::move(rows));
    m_table->setSource(m_rows, allocationHeadings(*m_rows));
    m_table->setScope(m_memory->times && when() != When::Alive ? tr("within the filter of all pages") : QString());
    emit currentChanged();
}

std::optional<AllocationPanel::Ends> AllocationPanel::ends(std::optional<std::uint32_t> row) const {
    if (!row || m_rows == nullptr || *row >= m_rows->rowCount()) return std::nullopt;
    const auto time = [&](AllocationRows::Column column) {
        const std::int64_t cell = m_rows->cell(column, *row);
        return cell == kAbsentCell ? std::nullopt : std::optional(TimeNs{cell});
    };
    const std::int64_t name = m_rows->cell(AllocationRows::Name, *row);
    return Ends{name == kAbsentCell ? std::string() : std::string(m_rows->text(AllocationRows::Name, name)),
                time(AllocationRows::Allocated), time(AllocationRows::Released)};
}

std::optional<AllocationPanel::Ends> AllocationPanel::current() const { return ends(m_table->table().currentRow()); }

void AllocationPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        if (m_rows != nullptr) m_table->table().setHeadings(allocationHeadings(*m_rows));
    }
    QWidget::changeEvent(event);
}

void AllocationPanel::retranslate() {
    m_when->setItemText(0, tr("At any time"));
    m_when->setItemText(1, m_isMarked ? tr("Allocated or released in the marked time")
                                      : tr("Allocated or released in the visible time"));
    m_when->setItemText(2, m_moment ? tr("Alive at %1").arg(formatRelativeTime(*m_moment, m_origin))
                                    : tr("Alive at the chosen moment"));
    m_when->setAccessibleName(tr("Which allocations"));
    m_unreleased->setText(tr("Only not &released"));
    m_table->table().setAccessibleName(tr("Allocations"));
}

}  // namespace altiscope
