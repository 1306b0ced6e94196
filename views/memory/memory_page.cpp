#include "views/memory/memory_page.h"

#include "core/base/catalogue.h"
#include "views/common/data_words.h"
#include "views/common/formatters.h"
#include "views/common/page_frame.h"
#include "views/common/table_panel.h"
#include "views/memory/allocation_panel.h"
#include "views/memory/curve_canvas.h"
#include "views/memory/curve_legend.h"
#include "views/memory/holder_panel.h"
#include "views/memory/memory_tables.h"
#include "views/memory/static_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

MemoryPage::MemoryPage(Session& session, Selection& selection, Marks& marks, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_marks(marks), m_memory(memory), m_capture(session, selection, this),
      m_slot(session.jobs()), m_sliceSlot(session.jobs()), m_frame(new PageFrame(this)), m_bar(new QWidget(m_frame)),
      m_ranks(new QComboBox(m_bar)), m_group(new QComboBox(m_bar)), m_fromZero(new QCheckBox(m_bar)),
      m_linked(new QCheckBox(m_bar)), m_rankLabel(new QLabel(m_bar)), m_groupLabel(new QLabel(m_bar)),
      m_body(new QWidget(m_frame)),
      m_curves(new CurveCanvas(session, m_window, CurveCanvas::Values::Bytes, CurveCanvas::Axis::Time, m_body)),
      m_shares(new CurveCanvas(session, m_window, CurveCanvas::Values::Share, CurveCanvas::Axis::None, m_body)),
      m_sharesTitle(new QLabel(m_body)), m_legend(new CurveLegend(m_body)), m_tabs(new QTabWidget(m_body)),
      m_holders(new HolderPanel(session, memory, m_tabs)), m_allocations(new AllocationPanel(session, memory, m_tabs)),
      m_peaks(new TablePanel(session, memory, u"component_peaks"_s, m_tabs)),
      m_static(new StaticPanel(session, memory, m_tabs)) {
    setUp();
    setUpBar();
    connectParts();
    retranslate();
    refresh();
}

MemoryPage::~MemoryPage() = default;

void MemoryPage::setUp() {
    auto* plots = new QWidget(m_body);
    auto* plotColumn = new QVBoxLayout(plots);
    plotColumn->setContentsMargins({});
    plotColumn->setSpacing(0);
    plotColumn->addWidget(m_curves, 3);
    m_sharesTitle->setContentsMargins(8, 0, 8, 0);
    plotColumn->addWidget(m_sharesTitle);
    plotColumn->addWidget(m_shares, 1);
    auto* upper = new QWidget(m_body);
    auto* beside = new QHBoxLayout(upper);
    beside->setContentsMargins({});
    beside->addWidget(plots, 1);
    beside->addWidget(m_legend);
    m_tabs->setDocumentMode(true);
    for (QWidget* tab : {static_cast<QWidget*>(m_holders), static_cast<QWidget*>(m_allocations),
                         static_cast<QWidget*>(m_peaks), static_cast<QWidget*>(m_static)})
        m_tabs->addTab(tab, QString());
    auto* whole = new QSplitter(Qt::Vertical, m_body);
    whole->addWidget(upper);
    whole->addWidget(m_tabs);
    whole->setSizes({550, 450});
    whole->setChildrenCollapsible(false);
    auto* bodyColumn = new QVBoxLayout(m_body);
    bodyColumn->setContentsMargins({});
    bodyColumn->addWidget(whole);
    m_frame->setParts(m_bar, m_body);
    m_frame->setFocusProxy(m_curves);
    m_peaks->filterBar().setExample(u"reserved > 100MiB and source = \"pool\""_s);
}

void MemoryPage::setUpBar() {
    auto* row = new QHBoxLayout(m_bar);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    for (QWidget* part :
         {static_cast<QWidget*>(m_rankLabel), static_cast<QWidget*>(m_ranks), static_cast<QWidget*>(m_groupLabel),
          static_cast<QWidget*>(m_group), static_cast<QWidget*>(m_fromZero), static_cast<QWidget*>(m_linked)})
        row->addWidget(part);
    row->addStretch(1);
    m_rankLabel->setBuddy(m_ranks);
    m_groupLabel->setBuddy(m_group);
    for (const MemoryGrouping grouping : {MemoryGrouping::Overall, MemoryGrouping::Component, MemoryGrouping::Stream})
        m_group->addItem(QString(), static_cast<int>(grouping));
    m_group->setCurrentIndex(std::clamp(m_memory.value(u"memory/grouping"_s).toInt(), 0, m_group->count() - 1));
    m_ranks->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    const auto remembered = [this](QCheckBox* box, const QString& name) {
        const QVariant known = m_memory.value(name);
        box->setChecked(!known.isValid() || known.toBool());
        connect(box, &QCheckBox::toggled, this, [this, name](bool on) { m_memory.setValue(name, on); });
    };
    remembered(m_fromZero, u"memory/from_zero"_s);
    remembered(m_linked, u"memory/linked"_s);
    m_curves->setFromZero(m_fromZero->isChecked());
    connect(m_fromZero, &QCheckBox::toggled, m_curves, &CurveCanvas::setFromZero);
    connect(m_group, &QComboBox::activated, this, [this] {
        m_memory.setValue(u"memory/grouping"_s, static_cast<int>(grouping()));
        const bool byStream = grouping() == MemoryGrouping::Stream;
        if (m_shown != nullptr && m_shown->byStream == byStream) return showLines();
        read();
    });
    connect(m_ranks, &QComboBox::activated, this, [this] {
        m_rank = m_ranks->currentData().toUInt();
        m_moment.reset();
        read();
    });
}

void MemoryPage::connectParts() {
    connect(&m_capture, &PageCapture::changed, this, &MemoryPage::refresh);
    connect(&m_capture, &PageCapture::contextChanged, this, &MemoryPage::refresh);
    connect(m_frame, &PageFrame::overdue, this, &MemoryPage::refresh);
    connect(&m_selection, &Selection::changed, this, &MemoryPage::showOverlay);
    connect(&m_marks, &Marks::changed, this, &MemoryPage::showOverlay);
    connect(m_legend, &CurveLegend::shownChanged, this, [this](int line, bool shown) {
        m_curves->setShown(static_cast<std::size_t>(line), shown);
        showOverlay();
    });
    for (CurveCanvas* canvas : {m_curves, m_shares}) {
        connect(canvas, &CurveCanvas::momentChosen, this, &MemoryPage::chooseMoment);
        connect(canvas, &CurveCanvas::rangeMarked, this, &MemoryPage::mark);
        connect(canvas, &CurveCanvas::markedCleared, this, [this] { mark(std::nullopt); });
        connect(canvas, &CurveCanvas::menuOpens, this, [this](QMenu* menu, TimeNs at) { fillMenu(*menu, at); });
    }
    connect(&m_window, &CurveWindow::moved, this, [this] { m_hasMoved = true; });
    connect(&m_window, &CurveWindow::changed, this, [this] {
        if (!m_curves->overlay().marked)
            m_allocations->setRange(m_window.window().empty() ? std::nullopt : std::optional(m_window.window().range()),
                                    false);
    });
    connect(m_holders, &HolderPanel::peakRequested, this, [this] { chooseMoment(std::nullopt); });
    connect(m_holders, &HolderPanel::holderRequested, this, [this](const QString& name) {
        m_tabs->setCurrentWidget(m_allocations);
        m_allocations->showHolder(name);
        m_allocations->table().table().setFocus();
    });
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
        menu.addAction(tr("What holds the memory &then"), this, [this, row] {
            showPeakRow(row, false);
            m_tabs->setCurrentWidget(m_holders);
        });
    });
}

// --- what is shown ------------------------------------------------------------------------------------------------

MemoryGrouping MemoryPage::grouping() const { return static_cast<MemoryGrouping>(m_group->currentData().toInt()); }

bool MemoryPage::idle() const {
    if (!isVisible()) return true;
    return !m_slot.busy() && !m_sliceSlot.busy() && m_allocations->idle() && m_holders->idle() &&
           !m_peaks->table().feed().busy() && !m_static->table().table().feed().busy();
}

void MemoryPage::refresh() {
    const bool isInSight = m_frame->noteChange();
    const OpenCapture* open = m_capture.open();
    // What is being read of a capture that is gone is not taken any more.
    if (open == nullptr || open->id != m_rankCapture) m_slot.cancel();
    if (open == nullptr || open->store == nullptr || (m_shown != nullptr && open->id != m_rankCapture)) take(nullptr);
    if (!isInSight) return;
    if (m_capture.whole() == nullptr) {
        m_slot.cancel();
        m_ranks->clear();
        showGaps();
        return showReason();
    }
    if (std::exchange(m_rankCapture, open->id) != open->id) {
        m_rank.reset();
        m_moment.reset();
        m_timeline.reset();
        m_window.reset();
    }
    fillRanks(*open->store);
    read();
}

void MemoryPage::fillRanks(const CaptureStore& store) {
    const std::vector<std::uint32_t> places = ranksWithMemory(store, m_capture.context());
    m_ranks->clear();
    for (const std::uint32_t place : places) {
        const RankInfo& info = store.ranks[place].info;
        m_ranks->addItem(info.host.empty() ? rankTitle(info)
                                           : tr("%1 (%2)", "rank, host").arg(rankTitle(info), toQString(info.host)),
                         place);
    }
    if (places.empty()) {
        m_rank.reset();
        return;
    }
    if (!m_rank || std::find(places.begin(), places.end(), *m_rank) == places.end()) m_rank = places.front();
    m_ranks->setCurrentIndex(m_ranks->findData(*m_rank));
}

void MemoryPage::read() {
    const OpenCapture* open = m_capture.open();
    if (open == nullptr || !m_rank) {
        m_slot.cancel();
        return take(nullptr);
    }
    m_slot.start([store = open->store, rank = *m_rank, byStream = grouping() == MemoryGrouping::Stream,
                  context = m_capture.context()](
                     const CancelToken& cancel) { return rankMemory(store, rank, byStream, context, cancel); },
                 [this](std::shared_ptr<const RankMemory> shown) {
                     if (shown) take(std::move(shown));
                 });
}

void MemoryPage::take(std::shared_ptr<const RankMemory> shown) {
    const bool isSame =
        shown != nullptr && m_shown != nullptr && shown->rank == m_shown->rank && shown->capture == m_shown->capture;
    m_shown = std::move(shown);
    if (!isSame) m_sliceSlot.cancel();
    const OpenCapture* open = m_capture.open();
    if (m_shown != nullptr && open != nullptr && !isSame) {
        const TraceStore* trace = m_shown->entry().trace.get();
        const TimeRange known = m_shown->data, run = trace == nullptr ? known : trace->homeRange();
        const TimeRange all =
            known.empty() ? run : TimeRange{std::min(known.begin, run.begin), std::max(known.end, run.end)};
        // Memory of a small part of the run would be a line at its edge.
        const bool isSmall = !known.empty() && known.length().value < run.length().value / 2;
        m_window.setExtent(known, isSmall ? known : all, all, open->times.origin().value_or(all.begin));
        if (std::exchange(m_follows, false) && m_timeline) m_window.follow(*m_timeline);
    }
    showGaps();
    showReason();
    showLines();
    showTables();
}

void MemoryPage::showLines() {
    const MemorySeriesSet none;
    const MemorySeriesSet& set = m_shown == nullptr ? none : m_shown->set;
    const std::vector<CurveLine> lines = memoryLines(set, grouping());
    m_legend->setLines(lines);
    m_curves->setLines(lines);
    const std::vector<CurveLine> shares = fragmentationLines(set, grouping());
    m_shares->setLines(shares);
    m_shares->setVisible(!shares.empty());
    m_sharesTitle->setVisible(!shares.empty());
    showOverlay();
}

void MemoryPage::showTables() {
    const TimeNs origin = m_window.origin();
    m_holders->setMoment(m_moment);
    m_holders->setMemory(m_shown, origin);
    m_allocations->setMoment(m_holders->moment());
    m_allocations->setMemory(m_shown, origin);
    m_static->setMemory(m_shown);
    m_tabs->setTabVisible(m_tabs->indexOf(m_static), m_shown != nullptr && !m_shown->graphs.empty());
    if (m_shown == nullptr) return m_peaks->setSource(nullptr, {});
    m_peaks->setSource(componentPeakTable(m_shown->peaks, origin), componentPeakHeadings());
    m_peaks->setScope(m_shown->times ? tr("within what all pages are to show") : QString());
}

QString MemoryPage::gaps() const { return m_frame->gaps(); }

void MemoryPage::showGaps() {
    const OpenCapture* open = m_capture.whole();
    m_frame->setGaps(open != nullptr && m_shown != nullptr
                         ? memoryGaps(*open->store, m_capture.context(), m_shown.get())
                         : QStringList());
}

/// Why there is nothing, if there is nothing.
void MemoryPage::showReason() {
    const OpenCapture* open = m_capture.whole();
    m_frame->setMessage(
        {.title = tr("Memory"),
         .about = tr(
             "Allocated, reserved and active memory over time, and every allocation with the operator that made it."),
         .reading = tr("The capture is being read. Memory is shown once all of it is known."),
         .nothing = tr("No memory data"),
         .icon = u"view_memory"_s},
        m_capture,
        open == nullptr ? std::nullopt : std::optional(memoryGaps(*open->store, m_capture.context(), nullptr)));
    // While it is being looked at, the old picture stays.
    m_frame->setContentShown(m_shown != nullptr ||
                             (m_slot.busy() && !m_capture.isBeingRead() && m_capture.open() != nullptr));
}

// --- over the curves ----------------------------------------------------------------------------------------------

void MemoryPage::addPeaks(CurveOverlay& overlay) const {
    for (const CurveLine& line : m_curves->lines()) {
        if (!line.shown) continue;
        const auto peak = std::find_if(m_shown->peaks.begin(), m_shown->peaks.end(), [&](const ComponentPeak& known) {
            return !known.isModule && known.component == line.series->component() &&
                   known.stream == line.series->stream();
        });
        if (peak == m_shown->peaks.end()) continue;
        const auto& point = line.quantity == MemoryQuantity::Allocated  ? peak->allocated
                            : line.quantity == MemoryQuantity::Reserved ? peak->reserved
                                                                        : peak->active;
        if (!point) continue;
        const QString bytes = formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, point->value)));
        overlay.points.push_back(
            {.at = point->at,
             .value = point->value,
             .hue = line.hue,
             .tip =
                 tr("Peak of %1: %2 at %3").arg(line.name, bytes, formatRelativeTime(point->at, m_window.origin()))});
    }
}

void MemoryPage::addMarks(CurveOverlay& overlay) const {
    for (const Mark& mark : m_marks.of(shownCapture()))
        overlay.ranges.push_back({.range = mark.range,
                                  .hue = static_cast<std::size_t>(mark.colour),
                                  .name = mark.name,
                                  .tip = mark.note.isEmpty() ? mark.name : mark.name + u": "_s + mark.note});
}

void MemoryPage::showOverlay() {
    CurveOverlay overlay, shares;
    if (m_shown != nullptr) {
        for (const Step& step : m_shown->entry().steps) {
            if (step.range) overlay.sections.push_back({*step.range, tr("Step %1").arg(step.number)});
        }
        addMarks(overlay);
        overlay.context = m_shown->times;
        const SelectionState& state = m_selection.current();
        if (state.capture == shownCapture()) overlay.marked = state.range;
        overlay.moment = m_holders->moment();
        if (const auto ends = m_allocations->current()) {
            overlay.allocated = ends->allocated;
            overlay.released = ends->released;
        }
        shares = overlay;
        addPeaks(overlay);
    }
    const bool isMarked = overlay.marked.has_value();
    const TimeRange inSight = m_window.window().range();
    m_allocations->setRange(isMarked                    ? overlay.marked
                            : m_window.window().empty() ? std::nullopt
                                                        : std::optional(inSight),
                            isMarked);
    m_curves->setOverlay(std::move(overlay));
    m_shares->setOverlay(std::move(shares));
}

void MemoryPage::chooseMoment(std::optional<TimeNs> moment) {
    if (m_shown == nullptr) return;
    m_moment = moment;
    m_holders->setMoment(moment);
    m_allocations->setMoment(m_holders->moment());
    showOverlay();
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
    menu.addAction(tr("What holds the memory &here"), this, [this, at] {
        chooseMoment(at);
        m_tabs->setCurrentWidget(m_holders);
    });
    menu.addAction(tr("Show in the &timeline"), this, [this, at] { showAround(at); });
    if (const auto marked = m_curves->overlay().marked) {
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

/// To the operator's slice if it can be found, else to the time in which the memory was held.
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
            const TimeNs end = std::max(ends.released.value_or(m_shown->data.end), at + DurationNs{1});
            emit placeRequested(m_shown->rank, {at, end});
        });
}

bool MemoryPage::isLinked() const { return m_linked->isChecked(); }

void MemoryPage::followTimeline(TimeRange range, bool isWhole) {
    const bool isNews = std::exchange(m_timeline, range) != range;
    if (!isLinked() || !isNews) return;
    // It has gone where the curves are, as far as its limits let it.
    if (std::exchange(m_hasTold, false)) return;
    if (m_window.window().empty()) {
        m_follows = !isWhole;
        return;
    }
    m_window.follow(isWhole ? m_window.window().home() : range);
    m_hasMoved = false;
}

std::optional<TimeRange> MemoryPage::takeWindow() {
    if (!isLinked() || !std::exchange(m_hasMoved, false) || m_window.window().empty()) return std::nullopt;
    m_hasTold = true;
    return m_window.window().range();
}

void MemoryPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showGaps();
        showReason();
        showLines();
        showTables();
    }
    QWidget::changeEvent(event);
}

void MemoryPage::retranslate() {
    m_rankLabel->setText(tr("&Rank"));
    m_groupLabel->setText(tr("&Curves"));
    m_group->setItemText(0, tr("Overall"));
    m_group->setItemText(1, tr("By component"));
    m_group->setItemText(2, tr("By stream"));
    m_group->setItemData(2, tr("Values are those of the whole pool, at the samples of each stream."), Qt::ToolTipRole);
    m_fromZero->setText(tr("From &0"));
    m_fromZero->setToolTip(tr("The vertical axis begins at 0; otherwise it fits what is in sight."));
    m_linked->setText(tr("Linked with the time&line"));
    m_linked->setToolTip(tr("The curves and the timeline show the same time: where one goes, the other follows."));
    m_sharesTitle->setText(tr("Unused share of what is reserved: (reserved - allocated) / reserved"));
    m_tabs->setTabText(m_tabs->indexOf(m_holders), tr("What holds it"));
    m_tabs->setTabText(m_tabs->indexOf(m_allocations), tr("Allocations"));
    m_tabs->setTabText(m_tabs->indexOf(m_peaks), tr("Peaks of components"));
    m_tabs->setTabText(m_tabs->indexOf(m_static), tr("Static memory"));
    m_curves->setAccessibleName(tr("Memory over time"));
    m_shares->setAccessibleName(tr("Unused share over time"));
    m_legend->setAccessibleName(tr("Curves"));
    m_peaks->table().setAccessibleName(tr("Peaks of components"));
}

}  // namespace altiscope
