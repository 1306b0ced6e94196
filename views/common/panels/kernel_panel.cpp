#include "views/common/panels/kernel_panel.h"

#include "core/session/selection.h"
#include "core/tables/rows/kernel_rows.h"
#include "views/common/support/kernel_headings.h"
#include "views/common/support/panel_scope.h"
#include "views/common/tables/slice_headings.h"
#include "views/common/tables/table_panel.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <optional>

namespace altiscope {

using namespace Qt::StringLiterals;

struct KernelPanel::Parts {
    Parts(KernelPanel& thePanel, Session& session, Selection& theSelection, const ViewMemory& memory)
        : panel(thePanel), selection(theSelection), slot(session.jobs()), followSlot(session.jobs()),
          hint(new QLabel(&panel)), onlyMarked(new QCheckBox(&panel)),
          table(new TablePanel(session, memory, u"kernels"_s, &panel)),
          scope(session, theSelection, *onlyMarked, thePanel) {}

    void build();
    void retranslate();
    void request();
    void take(std::shared_ptr<const KernelRows> given);
    void goTo(std::uint32_t row);
    void followSelection();

    KernelPanel& panel;
    Selection& selection;
    JobSlot slot, followSlot;
    QLabel* hint;
    QCheckBox* onlyMarked;
    TablePanel* table;
    PanelScope scope;
    std::shared_ptr<const KernelRows> rows;
    CaptureId capture;  // of the rows
};

void KernelPanel::Parts::build() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 2, 8, 0);
    hint->setWordWrap(true);
    row->addWidget(hint, 1);
    row->addWidget(onlyMarked);
    table->filterBar().setExample(u"dur > 100us and type = \"MatMul\""_s);
    table->hideAtFirst(kernelIdColumns());
    auto* column = new QVBoxLayout(&panel);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(table, 1);
    QObject::connect(&scope, &PanelScope::changed, &panel, [this] { request(); });
    QObject::connect(&selection, &Selection::changed, &panel, [this] { followSelection(); });
    QObject::connect(&table->table(), &DataTable::currentChanged, &panel, [this] {
        // Not when rows get new places by themselves.
        const auto at = table->table().currentRow();
        if (at && table->table().hasFocus()) goTo(*at);
    });
    QObject::connect(&table->table(), &DataTable::activated, &panel, [this](std::uint32_t at) {
        goTo(at);
        emit panel.sliceOpened();
    });
}

void KernelPanel::Parts::retranslate() {
    onlyMarked->setText(KernelPanel::tr("Only the &marked time"));
    if (rows) table->table().setHeadings(kernelHeadings(*rows));
    const bool isEmpty = rows && rows->rowCount() == 0;
    hint->setText(
        isEmpty
            ? KernelPanel::tr(
                  "No kernels within the filter. They come from kernel_details.csv, op_summary or COMPUTE_TASK_INFO.")
            : QString());
    table->setScope(scope.text());
}

void KernelPanel::Parts::request() {
    followSlot.cancel();
    const Scope& requested = scope.scope();
    if (requested.store == nullptr) {
        slot.cancel();
        return take(nullptr);
    }
    slot.start(
        [requested](const CancelToken& cancel) {
            return KernelRows::make(requested.store, requested.context, requested.marked, requested.origin, cancel);
        },
        [this, of = requested.capture](std::shared_ptr<const KernelRows> given) {
            capture = of;
            take(std::move(given));
        });
}

void KernelPanel::Parts::take(std::shared_ptr<const KernelRows> given) {
    rows = std::move(given);
    table->setSource(rows, rows ? kernelHeadings(*rows) : std::vector<ColumnHeading>());
    retranslate();
    followSelection();
}

void KernelPanel::Parts::goTo(std::uint32_t row) {
    if (!rows || row >= rows->rowCount()) return;
    if (const auto slice = rows->slice(row)) {
        const SliceKey key = keyOf(rows->capture(), *slice);
        selection.selectSlice(capture, key);
        selection.reveal(capture, key);
    } else if (const auto time = rows->time(row)) {
        // Without a timeline of its own a kernel still has its time.
        SelectionState state = selection.current();
        if (state.capture != capture) state.slice.reset();
        state.capture = capture;
        // Marked ranges are times as drawn.
        const auto shifts = selection.shiftsOf(capture);
        const RankIndex rank = rows->rank(row);
        const DurationNs by = shifts != nullptr && rank.value < shifts->size() ? (*shifts)[rank.value] : DurationNs{};
        state.range = TimeRange{time->begin + by, time->end + by};
        if (!onlyMarked->isChecked()) selection.set(state);
    }
}

void KernelPanel::Parts::followSelection() {
    const SelectionState& state = selection.current();
    if (!panel.isVisible() || !rows || !state.slice || state.capture != capture || table->table().hasFocus()) return;
    followSlot.start(
        [of = rows, key = *state.slice](const CancelToken&) -> std::optional<std::size_t> {
            const auto slice = findSlice(of->capture(), key);
            return slice ? of->rowOf(*slice) : std::nullopt;
        },
        [this](std::optional<std::size_t> row) {
            if (!row || table->table().hasFocus()) return;
            const auto place = shownPlaceOf(*table->table().loader().rows(), static_cast<std::uint32_t>(*row));
            if (place) table->table().setCurrent(*place, 0);
        });
}

KernelPanel::KernelPanel(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>(*this, session, selection, memory)) {
    m_parts->build();
    m_parts->retranslate();
}

KernelPanel::~KernelPanel() = default;

bool KernelPanel::idle() const {
    const Parts& parts = *m_parts;
    return !isVisible() || !(parts.scope.pending() || parts.slot.busy() || parts.followSlot.busy() ||
                             parts.table->table().loader().busy());
}

void KernelPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) m_parts->retranslate();
}

}  // namespace altiscope
