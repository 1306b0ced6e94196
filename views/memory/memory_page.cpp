#include "views/memory/memory_page.h"

#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/memory/canvas/curve_canvas.h"
#include "views/memory/canvas/memory_overlay.h"
#include "views/memory/data/memory_tables.h"
#include "views/memory/panels/allocation_panel.h"
#include "views/memory/panels/holder_panel.h"
#include "views/memory/panels/memory_bar.h"
#include "views/memory/panels/memory_curves.h"
#include "views/memory/panels/owner_panel.h"
#include "views/memory/panels/static_panel.h"

#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

MemoryPage::MemoryPage(Session& session, Selection& selection, Marks& marks, const ViewMemory& memory, QWidget* parent)
    : FramedPage(session, selection, parent), m_selection(selection), m_marks(marks), m_link(m_window),
      m_slot(session.jobs()), m_sliceSlot(session.jobs()), m_bar(new MemoryBar(memory, m_frame)),
      m_body(new QWidget(m_frame)), m_upper(new MemoryCurves(session, m_window, m_body)),
      m_tabs(new QTabWidget(m_body)), m_holders(new HolderPanel(session, memory, m_tabs)),
      m_owners(new OwnerPanel(session, m_tabs)), m_allocations(new AllocationPanel(session, memory, m_tabs)),
      m_peaks(new TablePanel(session, memory, u"component_peaks"_s, m_tabs)),
      m_static(new StaticPanel(session, memory, m_tabs)) {
    setUp();
    connectParts();
    retranslate();
    follow();
}

MemoryPage::~MemoryPage() = default;

void MemoryPage::setUp() {
    m_tabs->setDocumentMode(true);
    for (QWidget* tab : std::initializer_list<QWidget*>{m_holders, m_owners, m_allocations, m_peaks, m_static})
        m_tabs->addTab(tab, QString());
    // In a low window rows are left as well as headings.
    constexpr int kMinLines = 5;
    for (TablePanel* panel : {&m_holders->table(), &m_allocations->table(), m_peaks, &m_static->table()})
        panel->table().setMinimumHeight(fontMetrics().height() * kMinLines);
    auto* whole = new QSplitter(Qt::Vertical, m_body);
    whole->addWidget(m_upper);
    whole->addWidget(m_tabs);
    whole->setSizes({550, 450});
    whole->setChildrenCollapsible(false);
    auto* bodyColumn = new QVBoxLayout(m_body);
    bodyColumn->setContentsMargins({});
    bodyColumn->addWidget(whole);
    m_frame->setParts(m_bar, m_body);
    m_frame->setFocusProxy(m_upper);
    curves().setFromZero(m_bar->fromZero());
    m_peaks->filterBar().setExample(u"reserved > 100MiB and source = \"pool\""_s);
}

void MemoryPage::connectParts() {
    connect(&m_selection, &Selection::changed, this, &MemoryPage::showOverlay);
    connect(&m_marks, &Marks::changed, this, &MemoryPage::showOverlay);
    connect(m_bar, &MemoryBar::fromZeroToggled, &curves(), &CurveCanvas::setFromZero);
    connect(&m_window, &CurveWindow::changed, this, &MemoryPage::showPart);
    connect(m_bar, &MemoryBar::allRequested, &curves(), &CurveCanvas::showAll);
    connect(m_bar, &MemoryBar::groupingChosen, this, [this] {
        const bool byStream = m_bar->grouping() == MemoryGrouping::Stream;
        if (m_shown != nullptr && m_shown->byStream == byStream) return showLines();
        read();
    });
    connect(m_bar, &MemoryBar::rankChosen, this, [this] {
        m_moment.reset();
        read();
    });
    connect(m_upper, &MemoryCurves::shownChanged, this, &MemoryPage::showOverlay);
    connect(m_upper, &MemoryCurves::momentChosen, this, &MemoryPage::chooseMoment);
    connect(m_upper, &MemoryCurves::marked, this, &MemoryPage::mark);
    connect(m_upper, &MemoryCurves::menuOpens, this, [this](QMenu* menu, TimeNs at) { fillMenu(*menu, at); });
    connect(&m_window, &CurveWindow::changed, this, [this] {
        if (!curves().overlay().marked) m_allocations->setRange(inSight(), false);
    });
    connect(m_holders, &HolderPanel::peakRequested, this, [this] { chooseMoment(std::nullopt); });
    connect(m_holders, &HolderPanel::holderRequested, this, &MemoryPage::showHolder);
    connect(m_owners, &OwnerPanel::holderRequested, this, &MemoryPage::showHolder);
    connect(m_allocations, &AllocationPanel::currentChanged, this, &MemoryPage::showOverlay);
    connect(m_allocations, &AllocationPanel::timelineRequested, this, &MemoryPage::showAllocation);
    connect(m_allocations, &AllocationPanel::zoomRequested, this, [this](TimeRange range) {
        m_window.change([&](ViewWindow& window) { window.show(range, HistoryMark::NewStep); });
    });
    connect(&m_peaks->table(), &DataTable::currentChanged, this, [this] {
        if (const auto row = m_peaks->table().currentRow()) showPeakRow(*row, false);
    });
    connect(&m_peaks->table(), &DataTable::activated, this, [this](std::uint32_t row) { showPeakRow(row, true); });
    m_peaks->table().setRowMenu([this](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("Show in the &timeline"), this, [this, row] { showPeakRow(row, true); });
        menu.addAction(tr("Memory by &operator at that time"), this, [this, row] {
            showPeakRow(row, false);
            m_tabs->setCurrentWidget(m_holders);
        });
    });
}

// --- what is shown ------------------------------------------------------------------------------------------------

CurveCanvas& MemoryPage::curves() { return m_upper->curves(); }

bool MemoryPage::idle() const {
    if (!isVisible()) return true;
    return !m_slot.busy() && !m_sliceSlot.busy() && m_allocations->idle() && m_holders->idle() && m_owners->idle() &&
           !m_peaks->table().loader().busy() && !m_static->table().table().loader().busy();
}

void MemoryPage::refresh(bool isInSight) {
    const OpenCapture* open = m_capture.open();
    // Results of a capture that is gone are dropped.
    if (open == nullptr || open->id != m_rankCapture) m_slot.cancel();
    if (open == nullptr || open->store == nullptr || (m_shown != nullptr && open->id != m_rankCapture)) take(nullptr);
    if (!isInSight) return;
    if (m_capture.whole() == nullptr) {
        m_slot.cancel();
        m_bar->clearRanks();
        showGaps();
        return showReason();
    }
    if (std::exchange(m_rankCapture, open->id) != open->id) {
        m_bar->forgetRank();
        m_moment.reset();
        m_link.reset();
        m_window.reset();
    }
    if (m_wanted && m_wanted->capture != open->id) m_wanted.reset();
    if (m_wanted) m_bar->chooseRank(m_wanted->rank);
    m_bar->setRanks(*open->store, ranksWithMemory(*open->store, m_capture.context()));
    read();
}

void MemoryPage::showPlace(const MemoryPlace& place) {
    m_wanted = place;
    if (isVisible()) refresh(true);
}

void MemoryPage::showWanted() {
    if (!m_wanted || m_shown == nullptr) return;
    const MemoryPlace place = *std::exchange(m_wanted, std::nullopt);
    // It may have no memory, or be outside of what all pages show.
    if (place.capture != m_rankCapture || m_shown->rank != place.rank) return;
    curves().fitValues(place.levels);
    m_allocations->showUnreleased(place.levels.has_value());
    if (place.levels) m_tabs->setCurrentWidget(m_allocations);
    const DurationNs around{std::max<std::int64_t>(1, place.range.length().value / 10)};
    m_window.change([&](ViewWindow& window) {
        window.show({place.range.begin - around, place.range.end + around}, HistoryMark::NewStep);
    });
}

void MemoryPage::read() {
    const OpenCapture* open = m_capture.open();
    if (open == nullptr || !m_bar->rank()) {
        m_slot.cancel();
        return take(nullptr);
    }
    using LoadedMemory = std::pair<std::shared_ptr<const RankMemory>, std::shared_ptr<const MemoryBase>>;
    m_slot.start(
        [store = open->store, rank = *m_bar->rank(), byStream = m_bar->grouping() == MemoryGrouping::Stream,
         context = m_capture.context(), base = m_capture.base()](const CancelToken& cancel) -> LoadedMemory {
            auto shown = rankMemory(store, rank, byStream, context, cancel);
            auto beside = base && shown != nullptr ? memoryBase(*base, *shown, context, cancel) : nullptr;
            return {std::move(shown), std::move(beside)};
        },
        [this](LoadedMemory result) {
            if (result.first) take(std::move(result.first), std::move(result.second));
        });
}

void MemoryPage::take(std::shared_ptr<const RankMemory> shown, std::shared_ptr<const MemoryBase> base) {
    const bool isSame =
        shown != nullptr && m_shown != nullptr && shown->rank == m_shown->rank && shown->capture == m_shown->capture;
    m_shown = std::move(shown);
    m_base = std::move(base);
    if (!isSame) {
        m_sliceSlot.cancel();
        curves().fitValues(std::nullopt);
    }
    if (m_shown != nullptr && !isSame) beginWindow();
    showGaps();
    showReason();
    showLines();
    showTables();
    showPart();
    showWanted();
}

void MemoryPage::beginWindow() {
    const OpenCapture* open = m_capture.open();
    if (open == nullptr) return;
    const TraceStore* trace = m_shown->entry().trace.get();
    const TimeRange known = m_shown->reach.home;
    const bool isApart = m_shown->isOfAnotherRecording && !known.empty();
    const TimeRange run = trace == nullptr || isApart ? known : trace->homeRange();
    const TimeRange all =
        known.empty() ? run : TimeRange{std::min(known.begin, run.begin), std::max(known.end, run.end)};
    const TimeRange data = m_shown->reach.data;
    const TimeRange reach =
        data.empty() ? all : TimeRange{std::min(data.begin, all.begin), std::max(data.end, all.end)};
    // Memory of a small part of the run would be a line at its edge.
    const bool isSmall = !known.empty() && known.length().value < run.length().value / 2;
    const TimeNs origin = isApart ? known.begin : open->times.origin().value_or(all.begin);
    m_window.setExtent(data, isSmall ? known : all, reach, origin);
    if (std::exchange(m_wasApart, isApart) && !isApart) m_link.resume();
    if (!isApart) m_link.begin();
}

void MemoryPage::showLines() {
    m_upper->setLines(m_shown == nullptr ? MemorySeriesSet() : m_shown->set, m_bar->grouping(), m_base.get());
    showOverlay();
}

void MemoryPage::showTables() {
    const TimeNs origin = m_window.origin();
    m_holders->setMoment(m_moment);
    m_holders->setMemory(m_shown, origin);
    m_owners->setMoment(m_holders->moment());
    m_owners->setMemory(m_shown, origin);
    m_tabs->setTabVisible(m_tabs->indexOf(m_owners), m_shown != nullptr && m_shown->allocations > 0);
    m_allocations->setMoment(m_holders->moment());
    m_allocations->setMemory(m_shown, origin);
    m_static->setMemory(m_shown);
    m_tabs->setTabVisible(m_tabs->indexOf(m_static), m_shown != nullptr && !m_shown->graphs.empty());
    if (m_shown == nullptr) return m_peaks->setSource(nullptr, {});
    m_peaks->setSource(componentPeakTable(m_shown->peaks, origin), componentPeakHeadings(m_shown->peaks));
    m_peaks->setScope(m_shown->times ? tr("within the filter of all pages") : QString());
}

QStringList MemoryPage::shownGaps() const {
    const OpenCapture* open = m_capture.whole();
    return open != nullptr && m_shown != nullptr ? memoryGaps(*open->store, m_capture.context(), m_shown.get())
                                                 : QStringList();
}

std::optional<QStringList> MemoryPage::missing() const {
    const OpenCapture* open = m_capture.whole();
    return open == nullptr ? std::nullopt : std::optional(memoryGaps(*open->store, m_capture.context(), nullptr));
}

PageTexts MemoryPage::texts() const {
    return {
        .title = tr("Memory"),
        .about =
            tr("Allocated, reserved and active memory over time, and every allocation with the operator that made it."),
        .reading = tr("The capture is being read. Memory is shown when reading is complete."),
        .nothing = tr("No memory data"),
        .icon = u"view_memory"_s};
}

bool MemoryPage::isContentShown() const {
    return m_shown != nullptr || (m_slot.busy() && !m_capture.isBeingRead() && m_capture.open() != nullptr);
}

// --- over the curves ----------------------------------------------------------------------------------------------

std::optional<TimeRange> MemoryPage::inSight() const {
    return m_window.window().empty() ? std::nullopt : std::optional(m_window.window().range());
}

void MemoryPage::showOverlay() {
    CurveOverlay overlay;
    std::vector<CurvePoint> peaks;
    if (m_shown != nullptr) {
        overlay = memoryOverlay(*m_shown, m_marks.of(shownCapture()));
        peaks = peakPoints(*m_shown, curves().lines(), m_window.origin());
        const SelectionState& state = m_selection.current();
        if (state.capture == shownCapture()) overlay.marked = state.range;
        overlay.moment = m_holders->moment();
        if (const auto ends = m_allocations->current()) {
            overlay.allocated = ends->allocated;
            overlay.released = ends->released;
        }
    }
    m_allocations->setRange(overlay.marked ? overlay.marked : inSight(), overlay.marked.has_value());
    m_upper->setOverlay(std::move(overlay), std::move(peaks));
}

void MemoryPage::chooseMoment(std::optional<TimeNs> moment) {
    if (m_shown == nullptr) return;
    m_moment = moment;
    m_holders->setMoment(moment);
    m_owners->setMoment(m_holders->moment());
    m_allocations->setMoment(m_holders->moment());
    showOverlay();
}

void MemoryPage::showHolder(const QString& name) {
    m_tabs->setCurrentWidget(m_allocations);
    m_allocations->showHolder(name);
    m_allocations->table().table().setFocus();
}

/// In the selection that all views share.
void MemoryPage::mark(std::optional<TimeRange> range) {
    SelectionState state = m_selection.current();
    if (state.capture != shownCapture()) state.slice.reset();
    state.capture = shownCapture();
    state.range = range;
    m_selection.set(state);
}

void MemoryPage::fillMenu(QMenu& menu, TimeNs at) {
    if (m_shown == nullptr) return;
    menu.addAction(tr("Memory by &operator at this time"), this, [this, at] {
        chooseMoment(at);
        m_tabs->setCurrentWidget(m_holders);
    });
    menu.addAction(tr("Show in the &timeline"), this, [this, at] { showAround(at); });
    if (const auto marked = curves().overlay().marked) {
        menu.addAction(tr("&Zoom to the marked time"), this, [this, marked] {
            m_window.change([&](ViewWindow& window) { window.show(*marked, HistoryMark::NewStep); });
        });
        menu.addAction(tr("&Allocated or released in the marked time"), this, [this] {
            m_tabs->setCurrentWidget(m_allocations);
            m_allocations->setWhen(AllocationPanel::When::Touched);
        });
    }
}

// --- to the timeline ----------------------------------------------------------------------------------------------

/// A hundredth of the run on either side shows what led to it.
void MemoryPage::showAround(TimeNs at) {
    if (m_shown == nullptr) return;
    const DurationNs around{std::max<std::int64_t>(1, m_window.window().home().length().value / 100)};
    emit placeRequested(m_shown->rank, {at - around, at + around});
}

void MemoryPage::showPeakRow(std::uint32_t row, bool inTimeline) {
    if (m_shown == nullptr || row >= m_shown->peaks.size()) return;
    const ComponentPeak& peak = m_shown->peaks[row];
    const auto& point = peak.reserved ? peak.reserved : peak.allocated;
    if (!point) return;
    if (inTimeline) return showAround(point->at);
    chooseMoment(point->at);
}

/// To the operator's slice if it can be found, else to the time in which the memory was in use.
void MemoryPage::showAllocation(std::uint32_t row) {
    const auto ends = m_allocations->ends(row);
    if (!ends || m_shown == nullptr) return;
    const auto at = ends->allocated ? ends->allocated : ends->released;
    if (!at) return;
    m_sliceSlot.start(
        [trace = m_shown->entry().trace, name = ends->name, at = *at](const CancelToken&) -> std::optional<SliceId> {
            const auto slice = trace == nullptr ? std::nullopt : allocatingSlice(*trace, name, at);
            return slice ? std::optional(trace->id(*slice)) : std::nullopt;
        },
        [this, at = *at, ends = *ends](std::optional<SliceId> slice) {
            if (slice) return emit sliceRequested(*slice);
            if (m_shown == nullptr) return;
            const TimeNs end = std::max(ends.released.value_or(m_shown->reach.data.end), at + DurationNs{1});
            emit placeRequested(m_shown->rank, {at, end});
        });
}

bool MemoryPage::isLinked() const {
    return m_bar->isLinked() && (m_shown == nullptr || !m_shown->isOfAnotherRecording);
}

void MemoryPage::showPart() {
    const ViewWindow& window = m_window.window();
    const auto since = [this](TimeNs at) { return formatDuration(at - m_window.origin()); };
    m_bar->setPart(window.empty() || window.atHome()
                       ? QString()
                       : tr("%1 to %2", "times").arg(since(window.range().begin), since(window.range().end)));
}

void MemoryPage::followTimeline(TimeRange range, bool isWhole) { m_link.follow(range, isWhole, isLinked()); }

std::optional<TimeRange> MemoryPage::takeWindow() { return m_link.take(isLinked()); }

void MemoryPage::retranslate() {
    m_tabs->setTabText(m_tabs->indexOf(m_holders), tr("Operators"));
    m_tabs->setTabText(m_tabs->indexOf(m_owners), tr("Owners"));
    m_tabs->setTabText(m_tabs->indexOf(m_allocations), tr("Allocations"));
    m_tabs->setTabText(m_tabs->indexOf(m_peaks), tr("Peaks of components"));
    m_tabs->setTabText(m_tabs->indexOf(m_static), tr("Static memory"));
    m_peaks->table().setAccessibleName(tr("Peaks of components"));
    showLines();
    showTables();
}

}  // namespace altiscope
