#include "views/timeline/panels/track_list.h"

#include "core/session/selection.h"
#include "core/tables/rows/slice_rows.h"
#include "core/tables/scope/rank_windows.h"
#include "views/common/support/formatters.h"
#include "views/common/support/panel_scope.h"
#include "views/common/tables/slice_headings.h"
#include "views/common/tables/table_panel.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

}  // namespace

ListedSlices slicesOfTracks(std::shared_ptr<const CaptureStore> store, const TrackChoice& tracks,
                            const std::vector<RankWindow>& selected) {
    ListedSlices listed{.selection = {.capture = std::move(store), .range = {}, .ranks = {}}, .spans = {}};
    std::vector<const RankWindow*> times;
    for (const TrackChoice::Part& part : tracks.parts) {
        const auto& ranks = listed.selection.capture->ranks;
        const TraceStore* trace = part.rank.value < ranks.size() ? ranks[part.rank.value].trace.get() : nullptr;
        const auto track = trace == nullptr ? std::nullopt : trace->findTrack(part.track);
        const auto when = std::find_if(selected.begin(), selected.end(),
                                       [&](const RankWindow& rank) { return rank.rank == part.rank; });
        if (!track || when == selected.end()) continue;
        if (listed.selection.ranks.empty() || listed.selection.ranks.back().rank != part.rank) {
            listed.selection.ranks.push_back({.rank = part.rank, .shift = {}, .tracks = {}});
            times.push_back(&*when);
        }
        listed.selection.ranks.back().tracks.push_back({.track = *track});
    }
    for (const SliceSpan& span : spansOf(listed.selection)) {
        const TraceStore& trace = storeOf(listed.selection, span.selected);
        for (const auto& [first, last] : stretchesOf(trace, trace.runOf({span.first}), times[span.selected]->times)) {
            SliceSpan part = span;
            part.first = first;
            part.last = last;
            listed.spans.push_back(part);
        }
    }
    return listed;
}

struct TrackList::Parts {
    Parts(TrackList& theList, Session& session, Selection& theSelection, const ViewMemory& memory)
        : list(theList), selection(theSelection), slot(session.jobs()), followSlot(session.jobs()),
          title(new QLabel(&list)), onlyMarked(new QCheckBox(&list)),
          table(new TablePanel(session, memory, u"track_slices"_s, &list)),
          scope(session, theSelection, *onlyMarked, theList) {}

    void build();
    void retranslate();
    void request();
    void goTo(std::uint32_t row);
    void followSelection();

    TrackList& list;
    Selection& selection;
    JobSlot slot, followSlot;
    QLabel* title;
    QCheckBox* onlyMarked;
    TablePanel* table;
    PanelScope scope;
    std::optional<TrackChoice> tracks;
    QString name;
    std::shared_ptr<const SliceRows> rows;
    std::shared_ptr<const CaptureStore> store;  // of the rows
};

void TrackList::Parts::build() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 2, 8, 0);
    title->setTextFormat(Qt::PlainText);
    row->addWidget(title, 1);
    row->addWidget(onlyMarked);
    table->filterBar().setExample(u"dur > 100us and name ~ \"flash\""_s);
    auto* column = new QVBoxLayout(&list);
    column->setContentsMargins({});
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(table, 1);
    QObject::connect(&scope, &PanelScope::changed, &list, [this] { request(); });
    QObject::connect(&selection, &Selection::changed, &list, [this] { followSelection(); });
    QObject::connect(&table->table(), &DataTable::currentChanged, &list, [this] {
        // Not when rows get new places by themselves.
        const auto at = table->table().currentRow();
        if (at && table->table().hasFocus()) goTo(*at);
    });
    QObject::connect(&table->table(), &DataTable::activated, &list, [this](std::uint32_t at) { goTo(at); });
}

void TrackList::Parts::retranslate() {
    onlyMarked->setText(TrackList::tr("Only the &marked time"));
    title->setText(
        tracks ? name : TrackList::tr("\"List all slices\" in the menu of a track, or of its name, shows them here."));
    if (rows) table->table().setHeadings(sliceHeadings());
    table->setScope(scope.text());
}

void TrackList::Parts::request() {
    followSlot.cancel();
    const Scope& requested = scope.scope();
    if (requested.store == nullptr || !tracks || tracks->capture != requested.capture) {
        slot.cancel();
        rows.reset();
        store.reset();
        table->setSource(nullptr, {});
        return;
    }
    slot.start(
        [requested, of = *tracks](const CancelToken& cancel) {
            const ListedSlices listed = slicesOfTracks(requested.store, of, rankWindows(requested));
            return SliceRows::make(listed.selection, listed.spans, requested.origin.value_or(TimeNs{}), cancel);
        },
        [this, of = requested.store](std::shared_ptr<const SliceRows> given) {
            rows = std::move(given);
            store = of;
            table->setSource(rows, rows ? sliceHeadings() : std::vector<ColumnHeading>());
            sortByBegin(table->table().loader());
            retranslate();
            followSelection();
        });
}

void TrackList::Parts::goTo(std::uint32_t row) {
    if (!rows || row >= rows->rowCount()) return;
    const SliceKey key = keyOf(*store, rows->slice(row));
    selection.selectSlice(tracks->capture, key);
    selection.reveal(tracks->capture, key);
}

void TrackList::Parts::followSelection() {
    const SelectionState& state = selection.current();
    if (!list.isVisible() || !rows || !state.slice || state.capture != tracks->capture || table->table().hasFocus())
        return;
    followSlot.start(
        [of = rows, from = store, key = *state.slice](const CancelToken&) -> std::optional<std::size_t> {
            const auto slice = findSlice(*from, key);
            return slice ? of->rowOf(*slice) : std::nullopt;
        },
        [this](std::optional<std::size_t> row) {
            if (!row || table->table().hasFocus()) return;
            const auto place = shownPlaceOf(*table->table().loader().rows(), static_cast<std::uint32_t>(*row));
            if (place) table->table().setCurrent(*place, SliceRows::Name);
        });
}

TrackList::TrackList(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>(*this, session, selection, memory)) {
    m_parts->build();
    m_parts->retranslate();
}

TrackList::~TrackList() = default;

void TrackList::list(TrackChoice tracks, const QString& title) {
    m_parts->scope.setCapture(tracks.capture);
    m_parts->tracks = std::move(tracks);
    m_parts->name = title;
    m_parts->request();
    m_parts->retranslate();
}

bool TrackList::idle() const {
    const Parts& parts = *m_parts;
    return !isVisible() || !(parts.scope.pending() || parts.slot.busy() || parts.followSlot.busy() ||
                             parts.table->table().loader().busy());
}

void TrackList::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) m_parts->retranslate();
}

}  // namespace altiscope
