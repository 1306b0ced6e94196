#include "views/memory/panels/owner_panel.h"

#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/memory/canvas/owner_map.h"
#include "views/memory/panels/elided_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Bytes that components of a device have reserved at a moment.
std::vector<PoolReserve> reservesAt(const MemorySeriesSet& set, std::optional<std::int64_t> device, TimeNs at) {
    std::vector<PoolReserve> pools;
    for (const auto& series : set.series) {
        if (series->stream() || series->device() != device) continue;
        if (const auto reserved = series->valueAt(MemoryQuantity::Reserved, at))
            pools.push_back({series->component(), *reserved});
    }
    return pools;
}

OwnerTree ownersAt(const AliveMemory& alive, const MemorySeriesSet& set, std::optional<std::int64_t> device) {
    std::vector<PoolReserve> pools = reservesAt(set, device, alive.at);
    // The driver's is no pool: pools get theirs from it.
    const auto driver =
        std::find_if(pools.begin(), pools.end(), [](const PoolReserve& one) { return one.component == "HAL"; });
    std::optional<std::int64_t> given;
    if (driver != pools.end()) {
        given = driver->reserved;
        pools.erase(driver);
    }
    return ownerTree(alive, pools, given);
}

}  // namespace

OwnerPanel::OwnerPanel(Session& session, QWidget* parent)
    : Translated(parent), m_slot(session.jobs()), m_way(new QHBoxLayout), m_sum(new ElidedLabel(this)),
      m_map(new OwnerMap(this)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    auto* bar = barLayout<QHBoxLayout>(nullptr);
    m_way->setSpacing(0);
    bar->addLayout(m_way);
    bar->addWidget(m_sum, 1);
    m_sum->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    column->addLayout(bar);
    column->addWidget(m_map, 1);
    connect(m_map, &OwnerMap::rootChanged, this, &OwnerPanel::showWay);
    connect(m_map, &OwnerMap::holderRequested, this, &OwnerPanel::holderRequested);
    retranslate();
}

void OwnerPanel::setMemory(std::shared_ptr<const RankMemory> memory, TimeNs origin) {
    if (m_memory == memory && m_origin == origin) return;
    m_memory = std::move(memory);
    m_origin = origin;
    request();
}

void OwnerPanel::setMoment(std::optional<TimeNs> moment) {
    if (std::exchange(m_moment, moment) != moment) request();
}

void OwnerPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isOld) request();
}

void OwnerPanel::request() {
    m_isOld = true;
    if (m_memory == nullptr || !m_moment || m_memory->allocations == 0) {
        m_slot.cancel();
        return take(nullptr);
    }
    if (!isVisible()) return m_slot.cancel();
    m_isOld = false;
    m_slot.start(
        [memory = m_memory, at = *m_moment](const CancelToken& cancel) -> std::shared_ptr<const OwnerTree> {
            const auto device = memory->leading == nullptr ? std::nullopt : memory->leading->device();
            const auto alive = aliveAt(*memory->entry().rows, at, device, cancel);
            if (!alive) return nullptr;
            return std::make_shared<OwnerTree>(ownersAt(*alive, memory->set, device));
        },
        [this](std::shared_ptr<const OwnerTree> tree) {
            if (tree != nullptr) take(std::move(tree));
        });
}

void OwnerPanel::take(std::shared_ptr<const OwnerTree> tree) { m_map->setTree(std::move(tree)); }

/// The owners around what is shown: each is a button that leads back to it.
void OwnerPanel::showWay() {
    while (QLayoutItem* item = m_way->takeAt(0)) {
        // The one that was pressed is still at work.
        if (QWidget* widget = item->widget()) widget->deleteLater();
        delete item;
    }
    const auto& tree = m_map->tree();
    if (tree == nullptr || tree->nodes.empty()) return m_sum->clear();
    std::vector<std::uint32_t> way;
    for (std::uint32_t node = m_map->root();; node = tree->nodes[node].parent) {
        way.insert(way.begin(), node);
        if (node == 0) break;
    }
    for (const std::uint32_t node : way) {
        if (node != 0) m_way->addWidget(new QLabel(u"›"_s, this));
        auto* button = new QToolButton(this);
        button->setAutoRaise(true);
        button->setText(m_map->titleOf(node).replace(u'&', u"&&"_s));
        button->setToolTip(m_map->pathOf(node));
        button->setEnabled(node != m_map->root());
        connect(button, &QToolButton::clicked, this, [this, node] {
            m_map->setRoot(node);
            m_map->setFocus();
        });
        m_way->addWidget(button);
    }
    const OwnerNode& shown = tree->nodes[m_map->root()];
    const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, shown.bytes));
    const QString when = formatRelativeTime(tree->at, m_origin);
    const QString sum = withCount(tr("At %1: %2 in %n allocation(s)", nullptr, pluralCount(shown.count)), shown.count)
                            .arg(when, formatBytes(bytes));
    m_sum->setText(sum);
}

void OwnerPanel::retranslate() {
    m_map->setAccessibleName(tr("Memory by owner"));
    m_map->setNothing(tr("Click a moment in the plot: the owners of the memory at that time are shown here."));
    m_sum->setToolTip(tr("As SQL: the size of what is allocated at a time T (ns), by owner:\n"
                         "SELECT name, sum(size) FROM allocation WHERE alloc_ts <= T AND "
                         "(release_ts > T OR release_ts IS NULL) GROUP BY name"));
    showWay();
}

}  // namespace altiscope
