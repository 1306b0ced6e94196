#include "views/common/tables/dispatch_list.h"

#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

DispatchList::DispatchList(Session& session, Selection& selection, const ViewMemory& memory, const QString& name,
                           QWidget* parent)
    : Translated(parent), m_selection(selection), m_slot(session.jobs()), m_sentence(new QLabel(this)),
      m_hint(new QLabel(this)), m_everything(new QToolButton(this)), m_bar(new QHBoxLayout),
      m_table(new TablePanel(session, memory, name, this)) {
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_bar->setContentsMargins(8, 4, 8, 4);
    m_bar->setSpacing(8);
    m_bar->addWidget(m_sentence);
    m_bar->addWidget(m_everything);
    m_bar->addStretch(1);
    connect(m_everything, &QToolButton::clicked, this, &DispatchList::allRequested);
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    m_hint->setContentsMargins(24, 12, 24, 12);
    m_table->filterBar().setExample(u"end_to_end > 1ms and path = \"ACLOP\""_s);
    auto* column = bareLayout<QVBoxLayout>(this);
    column->addLayout(m_bar);
    column->addWidget(m_hint, 1);
    column->addWidget(m_table, 1);
    setFocusProxy(m_table);
    DataTable& table = m_table->table();
    connect(&table, &DataTable::activated, this, [this](std::uint32_t row) {
        goToEnqueuing(row);
        emit sliceOpened();
    });
    connect(&table, &DataTable::currentChanged, this, [this] {
        // Not when rows get new places by themselves.
        const auto row = m_table->table().currentRow();
        if (row && m_table->table().hasFocus()) goToEnqueuing(*row);
    });
    table.setRowMenu([this](QMenu& menu, std::uint32_t row) { fillMenu(menu, row); });
    retranslate();
}

void DispatchList::request(const DispatchQuery& query, const QString& subject) {
    m_wanted = query;
    m_subject = subject;
    requestNow();
    // The same query in another language.
    if (m_resultQuery == m_wanted) m_resultSubject = m_subject;
    retranslate();
}

void DispatchList::addBeside(QWidget* widget) { m_bar->addWidget(widget); }

bool DispatchList::idle() const { return !isVisible() || !(m_slot.busy() || m_table->table().loader().busy()); }

void DispatchList::requestNow() {
    if (m_wanted.store == nullptr || (!isVisible() && m_requested && m_requested->store != m_wanted.store)) {
        // A capture that is closed or read anew leaves the memory, though nobody looks.
        m_slot.cancel();
        m_requested.reset();
        m_resultQuery = {};
        take({});
    }
    if (!isVisible() || m_wanted.store == nullptr || m_requested == m_wanted) return;
    m_requested = m_wanted;
    m_slot.start([wanted = m_wanted](const CancelToken& token) { return dispatchRows(wanted, token); },
                 [this, wanted = m_wanted, subject = m_subject](DispatchRows given) {
                     m_resultQuery = wanted;
                     m_resultSubject = m_wanted == wanted ? m_subject : subject;
                     take(std::move(given));
                 });
}

void DispatchList::take(DispatchRows given) {
    m_result = std::move(given);
    m_table->setSource(m_result.table, m_result.table != nullptr ? dispatchHeadings() : std::vector<ColumnHeading>());
    TableLoader& loader = m_table->table().loader();
    if (m_result.table != nullptr && loader.sort().empty())
        loader.setSort({{.column = kDispatchBegin, .descending = false}});
    retranslate();
}

void DispatchList::goTo(SliceRef at) {
    if (at.slice == kNoSlice) return;
    const SliceKey key = keyOf(*m_resultQuery.store, at);
    m_selection.selectSlice(m_resultQuery.capture, key);
    m_selection.reveal(m_resultQuery.capture, key);
}

void DispatchList::goToEnqueuing(std::uint32_t row) {
    if (row < m_result.rows.size()) goTo({m_result.rows[row].rank, m_result.rows[row].dispatch.enqueue});
}

void DispatchList::fillMenu(QMenu& menu, std::uint32_t row) {
    if (row >= m_result.rows.size()) return;
    const Dispatch& of = m_result.rows[row].dispatch;
    const auto add = [&](const QString& text, SliceIndex slice) {
        QAction* action = menu.addAction(
            text, this, [this, store = m_resultQuery.store, at = SliceRef{m_result.rows[row].rank, slice}] {
                // While the menu was open the capture may have been read again.
                if (store != m_resultQuery.store) return;
                goTo(at);
                emit sliceOpened();
            });
        action->setEnabled(slice != kNoSlice);
    };
    add(tr("Go to &Python's call"), of.python);
    add(tr("Go to the &operator"), of.op);
    add(tr("Go to the &enqueuing"), of.enqueue);
    add(tr("Go to the &dequeuing"), of.dequeue);
    add(tr("Go to the &launch"), of.launch);
    add(tr("Go to the first &kernel"), of.kernel);
}

QString DispatchList::sentence() const {
    const std::size_t all = m_result.rows.size();
    if (all > 0) {
        const QString sums =
            withCount(tr("%n task(s): %1 complete, %2 without launch, %3 incomplete", nullptr, pluralCount(all)), all)
                .arg(formatCount(m_result.complete), formatCount(m_result.fallback),
                     formatCount(all - m_result.complete - m_result.fallback));
        return m_resultSubject.isEmpty() ? sums : tr("%1: %2", "whose tasks, what they are").arg(m_resultSubject, sums);
    }
    if (m_resultQuery != m_wanted || m_resultQuery.store == nullptr) return {};
    if (!m_result.hasQueue)
        return tr("How each operator came from Python over the framework's queue to the device. This capture shows no "
                  "queue: it needs host events, recorded with a task queue "
                  "(TASK_QUEUE_ENABLE 1 or 2).");
    if (m_resultQuery.kernels.isAll()) return tr("No queue task within the filter.");
    return tr("%1: nothing leads from the framework's queue to these kernels. That takes the calls of CANN "
              "(profiler_level Level1) and the flows from them to the device.")
        .arg(m_resultSubject);
}

void DispatchList::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    requestNow();
}

void DispatchList::retranslate() {
    if (m_result.table != nullptr) m_table->table().setHeadings(dispatchHeadings());
    m_table->table().setAccessibleName(tr("Launch chain"));
    const bool hasRows = !m_result.rows.empty();
    (hasRows ? m_sentence : m_hint)->setText(withUnbrokenUnits(sentence()));
    m_sentence->setVisible(hasRows);
    m_everything->setText(tr("&All groups"));
    m_everything->setVisible(!m_subject.isEmpty());
    m_table->setVisible(hasRows);
    m_hint->setVisible(!hasRows);
}

}  // namespace altiscope
