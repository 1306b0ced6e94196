#include "views/operators/kernel_list.h"

#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/support/kernel_headings.h"
#include "views/common/support/link_request.h"
#include "views/common/tables/table_panel.h"
#include "views/operators/operator_tables.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

KernelList::KernelList(Session& session, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_slot(session.jobs()), m_originSlot(session.jobs()), m_title(new QLabel(this)),
      m_everything(new QToolButton(this)), m_origin(new QLabel(this)),
      m_table(new TablePanel(session, memory, u"operator_kernels"_s, this)) {
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 0);
    bar->setSpacing(8);
    bar->addWidget(m_title);
    bar->addWidget(m_everything);
    m_origin->setTextFormat(Qt::PlainText);
    m_origin->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_origin->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_origin->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    bar->addWidget(m_origin, 1);
    auto* column = bareLayout<QVBoxLayout>(this);
    column->addLayout(bar);
    column->addWidget(m_table, 1);
    setFocusProxy(m_table);
    m_table->filterBar().setExample(u"dur > 100us and stream = 2"_s);
    m_table->hideAtFirst(kernelIdColumns());
    DataTable& table = m_table->table();
    connect(m_everything, &QToolButton::clicked, this, &KernelList::allRequested);
    connect(&table, &DataTable::currentChanged, this, &KernelList::requestOrigin);
    connect(&table, &DataTable::activated, this, &KernelList::goTo);
    table.setRowMenu([this](QMenu& menu, std::uint32_t row) {
        // While the menu is open other rows may come, of another store even.
        const auto rows = m_rows;
        menu.addAction(tr("Show in the &timeline"), this, [this, row, rows] {
            if (rows == m_rows) goTo(row);
        });
        const auto ofRow = rows != nullptr && row < rows->rowCount() ? rows->slice(row) : std::nullopt;
        if (ofRow) {
            const SliceKey key = keyOf(rows->capture(), *ofRow);
            menu.addAction(tr("Copy &link"), this, [this, key] { requestLink(*this, {0, key.rank, key.id, {}}); });
        }
        QAction* caller = menu.addAction(tr("Show its &caller in the timeline"), this, [this] {
            if (m_site) emit sliceRequested(m_site->caller);
        });
        caller->setEnabled(m_site.has_value());
        const auto slice = rows != nullptr && row < rows->rowCount() ? rows->slice(row) : std::nullopt;
        QAction* dispatch = menu.addAction(tr("La&unch chain"), this, [this, slice, rows] {
            if (rows == m_rows) emit dispatchRequested(*slice);
        });
        dispatch->setEnabled(slice.has_value());
    });
    retranslate();
}

void KernelList::setGroup(std::shared_ptr<const OperatorNumbers> numbers, std::optional<std::size_t> group) {
    const bool isSame = haveSameGroups(numbers.get(), m_numbers.get()) && group == m_group;
    const bool isOtherStore =
        numbers != nullptr && m_numbers != nullptr && numbers->scope.store != m_numbers->scope.store;
    m_numbers = std::move(numbers);
    m_group = group;
    if (m_numbers == nullptr || (m_allOf != nullptr && m_allOf != m_numbers->index)) {
        m_all.reset();
        m_allOf.reset();
    }
    if (isSame) return;
    // Out of sight nothing newer is requested yet, and what is on its way is of other kernels.
    m_slot.cancel();
    // Its slices are none of the new store's.
    if (isOtherStore) take({});
    m_isStale = true;
    requestList();
}

void KernelList::setScope(const QString& scope) {
    m_scope = scope;
    m_table->setScope(scope);
}

bool KernelList::idle() const {
    return !isVisible() || !(m_slot.busy() || m_originSlot.busy() || m_table->table().loader().busy());
}

void KernelList::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    requestList();
}

void KernelList::requestList() {
    if (m_numbers == nullptr) {
        m_slot.cancel();
        return take({});
    }
    if (!isVisible() || !std::exchange(m_isStale, false)) return retranslate();
    retranslate();
    m_slot.start(
        [numbers = m_numbers, group = m_group, all = m_all](const CancelToken& cancel) -> ListResult {
            ListResult result{.index = numbers->index, .all = all, .shown = {}};
            const Scope& scope = numbers->scope;
            if (result.all == nullptr)
                result.all = KernelRows::make(scope.store, numbers->index->selected(), scope.origin, cancel);
            if (result.all != nullptr) result.shown = result.all->only(kernelsOf(*numbers->groups, group, cancel));
            return result;
        },
        [this](ListResult result) {
            if (m_numbers != nullptr && result.index == m_numbers->index) take(std::move(result));
        });
}

void KernelList::take(ListResult result) {
    m_originSlot.cancel();
    m_site.reset();
    m_all = std::move(result.all);
    m_allOf = m_all == nullptr ? nullptr : std::move(result.index);
    m_rows = std::move(result.shown);
    m_table->setSource(m_rows, m_rows == nullptr ? std::vector<ColumnHeading>() : kernelHeadings(*m_rows));
    m_table->setScope(m_scope);
    retranslate();
}

void KernelList::goTo(std::uint32_t row) {
    if (m_rows == nullptr || row >= m_rows->rowCount()) return;
    if (const auto slice = m_rows->slice(row)) emit sliceRequested(*slice);
    else if (const auto time = m_rows->time(row)) emit placeRequested(m_rows->rank(row), *time);
}

void KernelList::requestOrigin() {
    m_site.reset();
    const auto row = m_table->table().currentRow();
    const auto slice = row && m_rows != nullptr && *row < m_rows->rowCount() ? m_rows->slice(*row) : std::nullopt;
    if (!slice) {
        m_originSlot.cancel();
        return retranslate();
    }
    m_originSlot.start(
        [rows = m_rows, at = *slice](const CancelToken&) {
            return callSiteOf(*rows->capture().ranks[at.rank.value].trace, at.rank, at.slice);
        },
        [this](std::optional<CallSite> site) {
            m_site = std::move(site);
            retranslate();
        });
}

QString KernelList::origin() const {
    if (!m_site) return {};
    QStringList parts;
    for (const std::string* part : {&m_site->op, &m_site->outer, &m_site->python, &m_site->program, &m_site->module}) {
        if (!part->empty()) parts << toQString(*part);
    }
    return tr("Called from: %1").arg(parts.join(u" \u2190 "_s));
}

void KernelList::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::LanguageChange) return;
    if (m_rows != nullptr) m_table->table().setHeadings(kernelHeadings(*m_rows));
    retranslate();
}

void KernelList::retranslate() {
    const bool isGroup = m_numbers != nullptr && m_group && *m_group < m_numbers->groups->groups.size();
    m_title->setText(
        m_numbers == nullptr ? QString()
        : isGroup ? fontMetrics().elidedText(groupTitle(*m_numbers->groups, *m_group), Qt::ElideMiddle, width() / 2)
                  : tr("Kernels of all groups"));
    m_everything->setText(tr("&All groups"));
    m_everything->setVisible(isGroup);
    const QString text = origin();
    m_origin->setText(text);
    m_origin->setToolTip(text);
    m_table->table().setAccessibleName(tr("Kernels"));
}

}  // namespace altiscope
