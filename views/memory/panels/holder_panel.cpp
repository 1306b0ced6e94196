#include "views/memory/panels/holder_panel.h"

#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/memory/data/memory_lines.h"
#include "views/memory/data/memory_tables.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QResizeEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

QString bytesText(std::int64_t bytes) {
    return formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes)));
}

}  // namespace

HolderPanel::HolderPanel(Session& session, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_slot(session.jobs()), m_sentence(new QLabel(this)), m_peak(new QToolButton(this)),
      m_table(new TablePanel(session, memory, u"holders"_s, this)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 0);
    bar->setSpacing(8);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    bar->addWidget(m_sentence, 1);
    bar->addWidget(m_peak);
    column->addLayout(bar);
    column->addWidget(m_table, 1);
    column->addStretch(0);
    m_table->filterBar().setExample(u"size > 100MiB and not_released > 0"_s);
    m_table->table().setWideColumn(static_cast<std::size_t>(HolderColumn::Name));
    const auto request = [this](std::uint32_t row) {
        if (m_alive && row < m_alive->holders.size()) emit holderRequested(toQString(m_alive->holders[row].name));
    };
    connect(m_peak, &QToolButton::clicked, this, &HolderPanel::peakRequested);
    connect(&m_table->table(), &DataTable::activated, this, request);
    m_table->table().setRowMenu([this, request](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("List its &allocations"), this, [request, row] { request(row); });
    });
    retranslate();
}

QSize HolderPanel::minimumSizeHint() const {
    return {QWidget::minimumSizeHint().width(), layout()->minimumHeightForWidth(width())};
}

void HolderPanel::resizeEvent(QResizeEvent* event) {
    if (event->oldSize().width() != event->size().width()) updateGeometry();
    QWidget::resizeEvent(event);
}

void HolderPanel::setMemory(std::shared_ptr<const RankMemory> memory, TimeNs origin) {
    m_memory = std::move(memory);
    m_origin = origin;
    requestHolders();
}

void HolderPanel::setMoment(std::optional<TimeNs> moment) {
    if (std::exchange(m_chosen, moment) != moment) requestHolders();
}

std::optional<TimeNs> HolderPanel::moment() const {
    if (m_chosen || m_memory == nullptr || !m_memory->peak) return m_chosen;
    return m_memory->peak->at;
}

bool HolderPanel::idle() const { return !m_slot.busy() && !m_table->table().loader().busy(); }

void HolderPanel::requestHolders() {
    const auto at = moment();
    if (m_memory == nullptr || m_memory->allocations == 0 || !at) {
        m_slot.cancel();
        m_alive.reset();
        return show();
    }
    m_slot.start([rows = m_memory->entry().rows, at = *at,
                  device = m_memory->leading == nullptr ? std::nullopt : m_memory->leading->device()](
                     const CancelToken& cancel) { return aliveAt(*rows, at, device, cancel); },
                 [this](std::optional<AliveMemory> alive) {
                     if (!alive) return;
                     m_alive = std::move(alive);
                     show();
                 });
}

/// When, how much is alive, and how that goes with what the pool says.
QString HolderPanel::sentence() const {
    const auto at = moment();
    if (m_memory != nullptr && m_memory->allocations > 0 && !at)
        return tr("When the peak was is unknown without samples. Click a moment in the plot: the recorded allocations "
                  "that were alive then are listed here.");
    if (m_memory == nullptr || !at)
        return tr("Which operators have the memory is unknown without samples or allocations.");
    const MemorySeries* series = m_memory->leading.get();
    const QString when = formatRelativeTime(*at, m_origin);
    const auto pool = series == nullptr ? std::nullopt : series->valueAt(MemoryQuantity::Allocated, *at);
    const auto reserved = series == nullptr ? std::nullopt : series->valueAt(MemoryQuantity::Reserved, *at);
    QStringList parts;
    if (!m_chosen && series != nullptr) {
        parts << (pool ? tr("Peak at %1: %2 has %3 allocated.").arg(when, seriesTitle(*series), bytesText(*pool))
                       : tr("Peak at %1: %2 has %3 reserved.")
                             .arg(when, seriesTitle(*series), bytesText(m_memory->peak->value)));
    } else {
        parts << (pool ? tr("At %1: %2 has %3 allocated.").arg(when, seriesTitle(*series), bytesText(*pool))
                       : tr("At %1.").arg(when));
    }
    if (pool && reserved && *reserved > 0)
        parts << tr("%1 are reserved, %2 of it unused.")
                     .arg(bytesText(*reserved),
                          formatPercent(1 - static_cast<double>(*pool) / static_cast<double>(*reserved)));
    if (!m_alive) return parts.join(u' ');
    parts << withCount(tr("%n recorded allocation(s) are alive and hold %1.", nullptr, pluralCount(m_alive->count)),
                       m_alive->count)
                 .arg(bytesText(m_alive->bytes));
    if (pool && *pool > m_alive->bytes)
        parts << tr("The other %1 were allocated before the recording.").arg(bytesText(*pool - m_alive->bytes));
    return parts.join(u' ');
}

void HolderPanel::show() {
    m_sentence->setText(withUnbrokenUnits(sentence()));
    m_peak->setVisible(m_chosen.has_value() && m_memory != nullptr && m_memory->peak);
    const bool anyHolds = m_alive && !m_alive->holders.empty();
    // The sentence has said it; columns take their widths from the first rows that they show.
    m_table->setVisible(anyHolds);
    if (anyHolds) {
        m_table->setSource(holderTable(*m_alive, m_origin), holderHeadings());
    } else {
        m_table->setSource(nullptr, {});
    }
}

void HolderPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        show();
    }
    QWidget::changeEvent(event);
}

void HolderPanel::retranslate() {
    m_peak->setText(tr("Back to the &peak"));
    m_table->table().setAccessibleName(tr("Memory by operator"));
}

}  // namespace altiscope
