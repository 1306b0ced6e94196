#include "views/operators/call_site_panel.h"

#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/operators/operator_tables.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

CallSitePanel::CallSitePanel(Session& session, const ViewMemory& memory, QWidget* parent)
    : Translated(parent), m_slot(session.jobs()), m_sentence(new QLabel(this)),
      m_table(new TablePanel(session, memory, u"call_sites"_s, this)) {
    auto* column = bareLayout<QVBoxLayout>(this);
    m_sentence->setContentsMargins(8, 4, 8, 0);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_sentence);
    column->addWidget(m_table, 1);
    setFocusProxy(m_table);
    m_table->filterBar().setExample(u"share > 5% and python ~ \"model.py\""_s);
    DataTable& table = m_table->table();
    table.setWideColumn(static_cast<std::size_t>(SiteColumn::Python));
    connect(&table, &DataTable::activated, this, [this](std::uint32_t row) { goTo(row, true); });
    table.setRowMenu([this](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("Show the &call of the longest kernel in the timeline"), this,
                       [this, row] { goTo(row, true); });
        menu.addAction(tr("Show the longest &kernel in the timeline"), this, [this, row] { goTo(row, false); });
    });
    retranslate();
}

void CallSitePanel::setGroup(std::shared_ptr<const OperatorNumbers> numbers, std::optional<std::size_t> group) {
    const bool isSame = haveSameGroups(numbers.get(), m_numbers.get()) && group == m_group;
    const bool isOtherStore =
        numbers != nullptr && m_numbers != nullptr && numbers->scope.store != m_numbers->scope.store;
    m_numbers = std::move(numbers);
    m_group = group;
    if (isSame) return;
    // Out of sight nothing newer is requested yet, and what is on its way is of other kernels.
    m_slot.cancel();
    // Its slices are none of the new store's.
    if (isOtherStore) take(std::nullopt);
    m_isStale = true;
    request();
}

bool CallSitePanel::idle() const { return !isVisible() || !(m_slot.busy() || m_table->table().loader().busy()); }

void CallSitePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    request();
}

void CallSitePanel::request() {
    if (m_numbers == nullptr) {
        m_slot.cancel();
        return take(std::nullopt);
    }
    if (!isVisible() || !std::exchange(m_isStale, false)) return;
    m_sentence->setText(tr("Searching for the callers…"));
    m_slot.start(
        [numbers = m_numbers, group = m_group](const CancelToken& cancel) {
            return callSitesOf(*numbers->scope.store, kernelsOf(*numbers->groups, group, cancel), kMaxFollowed, cancel);
        },
        [this](std::optional<CallSites> sites) { take(std::move(sites)); });
}

void CallSitePanel::take(std::optional<CallSites> sites) {
    m_sites = std::move(sites);
    const bool any = m_sites && !m_sites->sites.empty();
    m_table->setSource(any ? callSiteTable(*m_sites) : nullptr,
                       any ? callSiteHeadings() : std::vector<ColumnHeading>());
    retranslate();
}

void CallSitePanel::goTo(std::uint32_t row, bool isCaller) {
    if (!m_sites || row >= m_sites->sites.size()) return;
    const SliceRef slice = isCaller ? m_sites->sites[row].caller : m_sites->sites[row].longest;
    if (slice.slice != kNoSlice) emit sliceRequested(slice);
}

QString CallSitePanel::sentence() const {
    if (!m_sites || m_numbers == nullptr) return {};
    const bool isGroup = m_group && *m_group < m_numbers->groups->groups.size();
    QStringList parts;
    const QString whose = isGroup ? groupTitle(*m_numbers->groups, *m_group) : tr("all groups");
    if (m_sites->sites.empty()) {
        parts << tr("Where the kernels of %1 were called from is not recorded.").arg(whose);
        parts << tr("This needs a timeline with host events (activities CPU and NPU) and the flows from them to the "
                    "device; lines of Python need with_stack.");
        return parts.join(u' ');
    }
    parts << withCount(tr("%1: %n call site(s).", nullptr, pluralCount(m_sites->sites.size())), m_sites->sites.size())
                 .arg(whose);
    if (m_sites->looked < m_sites->kernels)
        parts << tr("%1 of %2 kernels were followed, evenly picked; counts and times are of these.")
                     .arg(formatCount(m_sites->looked), formatCount(m_sites->kernels));
    if (m_sites->unknown.count > 0)
        parts << withCount(tr("No flow from the host leads to %n kernel(s): %1.", nullptr,
                              pluralCount(m_sites->unknown.count)),
                           m_sites->unknown.count)
                     .arg(formatDuration({m_sites->unknown.total}));
    const bool hasPython = std::any_of(m_sites->sites.begin(), m_sites->sites.end(),
                                       [](const CallSite& site) { return !site.python.empty(); });
    if (!hasPython) parts << tr("Lines of Python were not recorded (with_stack).");
    return parts.join(u' ');
}

void CallSitePanel::retranslate() {
    m_sentence->setText(withUnbrokenUnits(sentence()));
    m_table->setVisible(m_sites && !m_sites->sites.empty());
    if (m_sites && !m_sites->sites.empty()) m_table->table().setHeadings(callSiteHeadings());
    m_table->table().setAccessibleName(tr("Called from"));
}

}  // namespace altiscope
