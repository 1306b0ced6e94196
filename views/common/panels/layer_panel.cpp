#include "views/common/panels/layer_panel.h"

#include "core/session/selection.h"
#include "core/tables/rows/slice_rows.h"
#include "core/tables/scope/rank_windows.h"
#include "views/common/panels/layer_tables.h"
#include "views/common/support/formatters.h"
#include "views/common/support/panel_scope.h"
#include "views/common/tables/slice_headings.h"
#include "views/common/tables/table_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// The entry after the layers.
constexpr int kCopies = static_cast<int>(kLayers.size());
constexpr char kRememberedLayer[] = "layers/layer";

struct LayerResult {
    std::shared_ptr<const CaptureStore> store;
    CaptureId capture;
    std::vector<RankWindow> selected{};
    std::vector<Layer> layers{};
    int chosen = -1;  ///< A Layer, or kCopies; -1: there is nothing.
    std::shared_ptr<const LayerSums> sums{};
    std::shared_ptr<const std::vector<CopySums>> copies{};
    std::shared_ptr<const ColumnTable> table{};  ///< Null: cancelled, or nothing to show.
};

/// The wanted one if there is anything of it, else the device's.
int choiceOf(const std::vector<Layer>& layers, int wanted) {
    const auto has = [&](Layer layer) { return std::find(layers.begin(), layers.end(), layer) != layers.end(); };
    if (wanted == kCopies && has(Layer::Hardware)) return wanted;
    if (wanted >= 0 && wanted < kCopies && has(static_cast<Layer>(wanted))) return wanted;
    if (has(Layer::Hardware)) return static_cast<int>(Layer::Hardware);
    return layers.empty() ? -1 : static_cast<int>(layers.front());
}

LayerResult resultOf(const Scope& requested, int wanted, const CancelToken& cancel) {
    LayerResult result{.store = requested.store, .capture = requested.capture, .selected = rankWindows(requested)};
    result.layers = layersOf(*requested.store, result.selected);
    result.chosen = choiceOf(result.layers, wanted);
    if (result.chosen == kCopies) {
        auto copies = copySums(*requested.store, result.selected, cancel);
        if (!copies) return result;
        result.table = copyTable(*requested.store, *copies);
        result.copies = std::make_shared<const std::vector<CopySums>>(std::move(*copies));
    } else if (result.chosen >= 0) {
        auto sums = layerSums(requested.store, result.selected, static_cast<Layer>(result.chosen), cancel);
        if (!sums) return result;
        result.table = layerTable(*sums);
        result.sums = std::make_shared<const LayerSums>(std::move(*sums));
    }
    return result;
}

/// The row of a slice's name, if it is of this layer.
std::optional<std::uint32_t> nameRowOf(const LayerSums& sums, Layer layer, SliceKey key) {
    const auto slice = findSlice(*sums.capture, key);
    if (!slice) return std::nullopt;
    const TraceStore& trace = *sums.capture->ranks[slice->rank.value].trace;
    if (layerOf(trace.track({trace.runOf(slice->slice).track})) != layer) return std::nullopt;
    const auto found = std::find_if(sums.names.begin(), sums.names.end(),
                                    [&](const NameOfLayer& name) { return name.name == trace.name(slice->slice); });
    return found == sums.names.end() ? std::nullopt
                                     : std::optional(static_cast<std::uint32_t>(found - sums.names.begin()));
}

/// The copies of one row as slices of its track.
ChosenOfLayer slicesOfCopies(std::shared_ptr<const CaptureStore> store, const CopySums& sum) {
    ChosenOfLayer chosen{.selection = {.capture = std::move(store),
                                       .range = {},
                                       .ranks = {{.rank = sum.rank, .shift = {}, .tracks = {{.track = sum.track}}}}},
                         .spans = {},
                         .slices = {}};
    chosen.spans = spansOf(chosen.selection);
    std::vector<std::vector<std::uint32_t>> slices;
    for (const SliceSpan& span : chosen.spans) {
        const auto first = std::lower_bound(sum.slices.begin(), sum.slices.end(), span.first),
                   last = std::lower_bound(first, sum.slices.end(), span.last);
        slices.emplace_back(first, last);
    }
    chosen.slices = std::make_shared<const std::vector<std::vector<std::uint32_t>>>(std::move(slices));
    return chosen;
}

}  // namespace

struct LayerPanel::Parts {
    Parts(LayerPanel& thePanel, Session& session, Selection& theSelection, const ViewMemory& theMemory)
        : panel(thePanel), selection(theSelection), memory(theMemory), sumsSlot(session.jobs()),
          slicesSlot(session.jobs()), followSlot(session.jobs()), layers(new QComboBox(&panel)),
          sums(new QLabel(&panel)), onlyMarked(new QCheckBox(&panel)), tables(new QStackedWidget),
          names(new TablePanel(session, memory, u"layer_names"_s, tables)),
          copies(new TablePanel(session, memory, u"layer_copies"_s, tables)),
          slices(new TablePanel(session, memory, u"layer_slices"_s)), right(new QStackedWidget), rightHint(new QLabel),
          scope(session, theSelection, *onlyMarked, thePanel),
          wanted(memory.value(QString::fromLatin1(kRememberedLayer)).isValid()
                     ? memory.value(QString::fromLatin1(kRememberedLayer)).toInt()
                     : -1) {}

    void build();
    void connectParts();
    void retranslate();
    void request();
    void take(LayerResult given);
    void showTable();
    void listSlices(std::uint32_t row);
    void goTo(std::uint32_t row);
    void followSelection();
    TablePanel& shownTable() { return result.chosen == kCopies ? *copies : *names; }

    LayerPanel& panel;
    Selection& selection;
    ViewMemory memory;
    JobSlot sumsSlot, slicesSlot, followSlot;
    QComboBox* layers;
    QLabel* sums;
    QCheckBox* onlyMarked;
    QStackedWidget* tables;
    TablePanel* names;
    TablePanel* copies;
    TablePanel* slices;
    QStackedWidget* right;  // the slices, or how to get them
    QLabel* rightHint;
    PanelScope scope;
    int wanted;
    LayerResult result;
    std::shared_ptr<const SliceRows> listed;
};

void LayerPanel::Parts::build() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    layers->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    row->addWidget(layers);
    row->addSpacing(8);
    sums->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(sums, 1);
    row->addWidget(onlyMarked);
    tables->addWidget(names);
    tables->addWidget(copies);
    names->filterBar().setExample(u"share > 5% and name ~ \"matmul\""_s);
    copies->filterBar().setExample(u"total > 1ms and direction ~ \"host\""_s);
    slices->filterBar().setExample(u"dur > 100us and rank_id < 8"_s);
    names->table().setWideColumn(0);
    auto* halves = new QSplitter(Qt::Horizontal, &panel);
    halves->addWidget(tables);
    rightHint->setAlignment(Qt::AlignCenter);
    rightHint->setWordWrap(true);
    rightHint->setContentsMargins(24, 12, 24, 12);
    right->addWidget(rightHint);
    right->addWidget(slices);
    halves->addWidget(right);
    halves->setStretchFactor(0, 3);
    halves->setStretchFactor(1, 2);
    auto* column = new QVBoxLayout(&panel);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(halves, 1);
}

void LayerPanel::Parts::connectParts() {
    QObject::connect(&scope, &PanelScope::changed, &panel, [this] { request(); });
    QObject::connect(layers, &QComboBox::activated, &panel, [this] {
        wanted = layers->currentData().toInt();
        memory.setValue(QString::fromLatin1(kRememberedLayer), wanted);
        request();
    });
    for (TablePanel* table : {names, copies}) {
        QObject::connect(&table->table(), &DataTable::currentChanged, &panel, [this, table] {
            // Not when rows get new places by themselves.
            const auto row = table->table().currentRow();
            if (row && table->table().hasFocus()) listSlices(*row);
        });
        QObject::connect(&table->table(), &DataTable::activated, &panel, [this](std::uint32_t row) {
            listSlices(row);
            right->setCurrentWidget(slices);
            slices->setFocus();
        });
    }
    QObject::connect(&slices->table(), &DataTable::currentChanged, &panel, [this] {
        const auto row = slices->table().currentRow();
        if (row && slices->table().hasFocus()) goTo(*row);
    });
    QObject::connect(&slices->table(), &DataTable::activated, &panel, [this](std::uint32_t row) {
        goTo(row);
        emit panel.sliceOpened();
    });
    QObject::connect(&selection, &Selection::changed, &panel, [this] { followSelection(); });
}

void LayerPanel::Parts::retranslate() {
    layers->setAccessibleName(LayerPanel::tr("Layer"));
    onlyMarked->setText(LayerPanel::tr("Only the &marked time"));
    rightHint->setText(LayerPanel::tr("Choose a row: its slices are listed here, and lead to the timeline."));
    for (int i = 0; i < layers->count(); ++i) {
        const int entry = layers->itemData(i).toInt();
        layers->setItemText(i,
                            entry == kCopies ? LayerPanel::tr("Memory copies") : layerTitle(static_cast<Layer>(entry)));
    }
    if (result.table) showTable();
    if (listed) slices->table().setHeadings(sliceHeadings());
}

void LayerPanel::Parts::request() {
    slicesSlot.cancel();
    if (scope.scope().store == nullptr) {
        sumsSlot.cancel();
        return take({});
    }
    sumsSlot.start([requested = scope.scope(),
                    which = wanted](const CancelToken& cancel) { return resultOf(requested, which, cancel); },
                   [this](LayerResult given) { take(std::move(given)); });
}

void LayerPanel::Parts::take(LayerResult given) {
    // Slices that are on their way belong to the result before.
    slicesSlot.cancel();
    followSlot.cancel();
    result = std::move(given);
    listed.reset();
    slices->setSource(nullptr, {});
    right->setCurrentWidget(rightHint);
    rightHint->setVisible(result.table != nullptr && result.table->rowCount() > 0);
    layers->clear();
    for (const Layer layer : result.layers) {
        layers->addItem(layerTitle(layer), static_cast<int>(layer));
        if (layer == Layer::Hardware) layers->addItem(LayerPanel::tr("Memory copies"), kCopies);
    }
    layers->setCurrentIndex(layers->findData(result.chosen));
    layers->setEnabled(!result.layers.empty());
    tables->setCurrentWidget(&shownTable());
    (result.chosen == kCopies ? names : copies)->setSource(nullptr, {});
    shownTable().setSource(result.table, !result.table              ? std::vector<ColumnHeading>()
                                         : result.chosen == kCopies ? copyHeadings()
                                                                    : layerHeadings());
    showTable();
    followSelection();
}

void LayerPanel::Parts::showTable() {
    if (result.table) shownTable().table().setHeadings(result.chosen == kCopies ? copyHeadings() : layerHeadings());
    shownTable().setScope(scope.text());
    if (result.chosen < 0) sums->setText(result.store ? LayerPanel::tr("No slices within the filter.") : QString());
    else if (result.sums) sums->setText(layerText(*result.sums));
    else if (result.copies && result.copies->empty())
        sums->setText(LayerPanel::tr("No copies (MEMCPY_ASYNC) within the filter."));
    else if (result.copies && std::all_of(result.copies->begin(), result.copies->end(), [](const CopySums& copies_) {
                 return copies_.direction.empty() && copies_.sized == 0;
             }))
        sums->setText(
            LayerPanel::tr("Directions and sizes of copies are not recorded: that takes profiler_level Level2."));
    else sums->clear();
}

void LayerPanel::Parts::listSlices(std::uint32_t row) {
    if (result.store == nullptr) return;
    std::string name;
    if (result.sums) {
        if (row >= result.sums->names.size()) return;
        name = result.sums->names[row].name;
    } else if (!result.copies || row >= result.copies->size()) {
        return;
    }
    slicesSlot.start(
        [store = result.store, selected = result.selected, layer = result.chosen, name, copies_ = result.copies, row,
         origin =
             scope.scope().origin.value_or(TimeNs{})](const CancelToken& cancel) -> std::shared_ptr<const SliceRows> {
            const auto chosen = layer == kCopies
                                    ? std::optional(slicesOfCopies(store, (*copies_)[row]))
                                    : slicesOfLayer(store, selected, static_cast<Layer>(layer), name, cancel);
            return chosen ? SliceRows::make(chosen->selection, chosen->spans, origin, cancel, chosen->slices) : nullptr;
        },
        [this](std::shared_ptr<const SliceRows> rows) {
            listed = std::move(rows);
            slices->setSource(listed, listed ? sliceHeadings() : std::vector<ColumnHeading>());
            sortByBegin(slices->table().loader());
            right->setCurrentWidget(listed ? slices : static_cast<QWidget*>(rightHint));
        });
}

void LayerPanel::Parts::goTo(std::uint32_t row) {
    if (!listed || result.store == nullptr || row >= listed->rowCount()) return;
    const SliceKey key = keyOf(*result.store, listed->slice(row));
    selection.selectSlice(result.capture, key);
    selection.reveal(result.capture, key);
}

/// A slice of this layer that was selected elsewhere: its name becomes the current row.
void LayerPanel::Parts::followSelection() {
    const SelectionState& state = selection.current();
    if (!panel.isVisible() || !result.sums || !state.slice || state.capture != result.capture ||
        slices->table().hasFocus())
        return;
    // The names may be as many as the slices.
    followSlot.start([sums = result.sums, layer = static_cast<Layer>(result.chosen),
                      key = *state.slice](const CancelToken&) { return nameRowOf(*sums, layer, key); },
                     [this](std::optional<std::uint32_t> row) {
                         DataTable& table = names->table();
                         if (!row || !result.sums || slices->table().hasFocus() || table.currentRow() == *row) return;
                         const auto place = shownPlaceOf(*table.loader().rows(), *row);
                         if (!place) return;
                         table.setCurrent(*place, 0);
                         listSlices(*row);
                     });
}

LayerPanel::LayerPanel(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>(*this, session, selection, memory)) {
    m_parts->build();
    m_parts->connectParts();
    m_parts->retranslate();
}

LayerPanel::~LayerPanel() = default;

bool LayerPanel::idle() const {
    const Parts& parts = *m_parts;
    const auto busy = [](const TablePanel* table) { return table->table().loader().busy(); };
    return !isVisible() || !(parts.scope.pending() || parts.sumsSlot.busy() || parts.slicesSlot.busy() ||
                             parts.followSlot.busy() || busy(parts.names) || busy(parts.copies) || busy(parts.slices));
}

void LayerPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) m_parts->retranslate();
}

}  // namespace altiscope
