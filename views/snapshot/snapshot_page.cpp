#include "views/snapshot/snapshot_page.h"

#include "core/tables/rows/snapshot_rows.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/snapshot/canvas/block_canvas.h"
#include "views/snapshot/canvas/pool_canvas.h"
#include "views/snapshot/data/block_details.h"
#include "views/snapshot/data/profile_link.h"
#include "views/snapshot/data/snapshot_tables.h"
#include "views/snapshot/panels/difference_panel.h"
#include "views/snapshot/panels/growth_panel.h"
#include "views/snapshot/panels/profile_bar.h"
#include "views/snapshot/panels/shortage_panel.h"
#include "views/snapshot/panels/snapshot_bar.h"
#include "views/snapshot/panels/stack_panel.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QRegularExpression>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

/// Rows that are read within a few frames; more are read by a job with progress, which can be cancelled.
constexpr std::size_t kRowsAtOnce = 300'000;

/// A filter for blocks whose call stack is a text, or has it as a frame.
QString stackCondition(const QString& text) {
    constexpr qsizetype kMaxCondition = 3000;  // a filter has a limit
    const auto quoted = [](QString part) { return part.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s); };
    const bool isWhole = text.contains(u'\n') && text.size() < kMaxCondition;
    const QString frame = QRegularExpression::escape(text.section(u'\n', 0, 0));
    return isWhole ? u"stack = \"%1\""_s.arg(quoted(text)) : u"stack ~ \"%1\""_s.arg(quoted(frame));
}

}  // namespace

SnapshotPage::SnapshotPage(Session& session, Selection& selection, const ViewMemory& memory, QWidget* parent)
    : FramedPage(session, selection, parent), m_session(session), m_slot(session.jobs()), m_poolSlot(session.jobs()),
      m_link(new ProfileLink(session, selection, m_selected, this)),
      m_bar(new SnapshotBar(m_selected, memory, m_frame)), m_body(new QWidget(m_frame)),
      m_canvas(new BlockCanvas(session, m_window, m_selected, m_body)), m_tabs(new QTabWidget(m_body)),
      m_poolTab(new QWidget(m_tabs)), m_poolSums(new QLabel(m_poolTab)), m_pool(new PoolCanvas(m_selected, m_poolTab)),
      m_blocks(new TablePanel(session, memory, u"snapshot_blocks"_s, m_tabs)),
      m_events(new TablePanel(session, memory, u"snapshot_events"_s, m_tabs)),
      m_segments(new TablePanel(session, memory, u"snapshot_segments"_s, m_tabs)),
      m_stacks(new StackPanel(session, m_selected, m_tabs)),
      m_growth(new GrowthPanel(session, *m_link, memory, m_tabs)),
      m_difference(new DifferencePanel(session, m_selected, memory, m_tabs)),
      m_shortage(new ShortagePanel(session, m_selected, m_tabs)), m_details(new BlockDetails(m_selected, m_body)) {
    setUp();
    connectParts();
    connectBlocks();
    connectEvents();
    connectSegments();
    retranslate();
    follow();
}

SnapshotPage::~SnapshotPage() { stopLoading(); }

void SnapshotPage::setUp() {
    auto* poolColumn = bareLayout<QVBoxLayout>(m_poolTab);
    m_poolSums->setContentsMargins(8, 4, 8, 4);
    m_poolSums->setWordWrap(true);
    m_poolSums->setTextInteractionFlags(Qt::TextSelectableByMouse);
    poolColumn->addWidget(m_poolSums);
    poolColumn->addWidget(m_pool, 1);
    m_tabs->setDocumentMode(true);
    for (QWidget* tab : std::initializer_list<QWidget*>{m_poolTab, m_blocks, m_events, m_segments, m_stacks, m_growth,
                                                        m_difference, m_shortage})
        m_tabs->addTab(tab, QString());
    auto* lower = new QSplitter(Qt::Horizontal, m_body);
    lower->addWidget(m_tabs);
    lower->addWidget(m_details);
    lower->setSizes({700, 300});
    lower->setStretchFactor(0, 1);
    lower->setChildrenCollapsible(false);
    auto* whole = new QSplitter(Qt::Vertical, m_body);
    whole->addWidget(m_canvas);
    whole->addWidget(lower);
    whole->setSizes({500, 500});
    whole->setChildrenCollapsible(false);
    auto* column = bareLayout<QVBoxLayout>(m_body);
    column->addWidget(new ProfileBar(*m_link, m_selected, m_body));
    column->addWidget(whole, 1);
    m_frame->setParts(m_bar, m_body);
    m_frame->setFocusProxy(m_canvas);
    m_canvas->setColouring(m_bar->colouring());
    m_pool->setColouring(m_bar->colouring());
    m_blocks->filterBar().setExample(u"requested > 1MiB and lifetime > 1000 and stack ~ \"forward\""_s);
    m_events->filterBar().setExample(u"action = \"oom\" or size > 100MiB"_s);
    m_segments->filterBar().setExample(u"scattered > 50% and holes > 10"_s);
    m_blocks->table().setWideColumn(SnapshotBlockRows::Stack);
    m_events->table().setWideColumn(SnapshotEventRows::Stack);
}

void SnapshotPage::connectParts() {
    connect(m_bar, &SnapshotBar::choiceChanged, this, [this] {
        m_wantedPlace.reset();
        load();
    });
    connect(m_bar, &SnapshotBar::colouringChanged, this, [this] {
        m_canvas->setColouring(m_bar->colouring());
        m_pool->setColouring(m_bar->colouring());
    });
    connect(&m_selected, &SnapshotSelection::eventChanged, this, [this] {
        requestPool();
        showSelectedEvent();
    });
    connect(&m_selected, &SnapshotSelection::blockChanged, this, &SnapshotPage::showBlock);
    connect(m_canvas, &BlockCanvas::usesFound, this, [this] { m_details->setUses(m_canvas->uses()); });
    connect(m_canvas, &BlockCanvas::blockActivated, this, [this] {
        m_tabs->setCurrentWidget(m_blocks);
        m_blocks->table().setFocus();
    });
    connect(m_link, &ProfileLink::timelineEventsChanged, this,
            [this] { m_canvas->setTimelineEvents(m_link->timelineEvents()); });
    connect(m_link, &ProfileLink::momentChanged, this, &SnapshotPage::momentChanged);
    connect(m_link, &ProfileLink::timelineRequested, this, &SnapshotPage::timelineRequested);
    connect(m_link, &ProfileLink::statusMessage, this, &SnapshotPage::statusMessage);
    connect(m_stacks, &StackPanel::frameRequested, this, &SnapshotPage::listStack);
    connect(m_growth, &GrowthPanel::stackRequested, this, &SnapshotPage::listStack);
    connect(m_difference, &DifferencePanel::stackRequested, this, &SnapshotPage::listStack);
    connect(m_shortage, &ShortagePanel::stackRequested, this, [this](std::uint32_t stack) {
        if (m_shown != nullptr && stack < m_shown->device->stacks.size())
            listStack(toQString(m_shown->device->stackText(stack)));
    });
}

void SnapshotPage::connectBlocks() {
    DataTable& blocks = m_blocks->table();
    connect(&blocks, &DataTable::currentChanged, this, [this, &blocks] {
        const auto row = blocks.currentRow();
        if (!row || m_isFollowing || m_shown == nullptr || *row >= m_shown->device->blocks.size() || !blocks.hasFocus())
            return;
        const BlockLife& block = m_shown->device->blocks[*row];
        if (!block.isThereAt(m_selected.eventNumber())) m_selected.setEvent(block.begin);
        m_selected.setBlock(*row);
    });
    connect(&blocks, &DataTable::activated, this, &SnapshotPage::zoomToBlock);
    blocks.setRowMenu([this](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("&Zoom to its lifetime"), this, [this, row] { zoomToBlock(row); });
        const QString stack = toQString(m_shown->device->stackText(m_shown->device->blocks[row].stack));
        menu.addAction(tr("Go to &operator"), this, [this, row] { m_link->goToOperator(row); });
        menu.addAction(tr("All blocks of this call &stack"), this, [this, stack] { listStack(stack); })
            ->setEnabled(!stack.isEmpty());
    });
}

void SnapshotPage::zoomToBlock(BlockNumber number) {
    const BlockLife& block = m_shown->device->blocks[number];
    m_selected.setEvent(block.begin);
    m_selected.setBlock(number);
    const std::int64_t room = std::max<std::int64_t>(1, (block.end - block.begin) / 10);
    m_window.change([&](ViewWindow& window) {
        window.show({TimeNs{block.begin - room}, TimeNs{block.end + room}}, HistoryMark::NewStep);
    });
    m_canvas->setFocus();
}

void SnapshotPage::connectEvents() {
    DataTable& events = m_events->table();
    connect(&events, &DataTable::currentChanged, this, [this, &events] {
        const auto row = events.currentRow();
        if (!row || m_isFollowing || m_shown == nullptr || !events.hasFocus()) return;
        m_selected.setBlock(kNoBlock);
        m_selected.setEvent(static_cast<EventNumber>(*row));
    });
    connect(&events, &DataTable::activated, this, [this](std::uint32_t row) {
        if (m_shown == nullptr) return;
        const auto at = static_cast<EventNumber>(row);
        const SnapshotEntryView entry = m_shown->device->entry(at);
        const bool isRelease = entry.action == SnapshotAction::FreeCompleted;
        const BlockNumber block =
            entry.address == kNoCell ? kNoBlock : m_shown->device->blockAt(entry.address, isRelease ? at - 1 : at);
        m_selected.setEvent(isRelease ? at - 1 : at);
        m_selected.setBlock(block);
    });
}

void SnapshotPage::connectSegments() {
    connect(&m_segments->table(), &DataTable::currentChanged, this, [this] {
        const auto row = m_segments->table().currentRow();
        if (!row || m_poolState == nullptr || *row >= m_poolState->segments.size() || !m_segments->table().hasFocus())
            return;
        const PoolSegment& segment = m_poolState->segments[*row];
        for (std::size_t i = 0; i < segment.parts; ++i) {
            const BlockNumber block = m_poolState->parts[segment.firstPart + i].block;
            if (block != kNoBlock) return m_selected.setBlock(block);
        }
    });
}

// --- what is shown ------------------------------------------------------------------------------------------------

bool SnapshotPage::idle() const {
    if (!isVisible()) return true;
    const bool tablesRest = !m_blocks->table().loader().busy() && !m_events->table().loader().busy() &&
                            !m_segments->table().loader().busy();
    return !m_isLoading && !m_link->busy() && !m_poolSlot.busy() && !m_canvas->busy() && m_stacks->idle() &&
           m_growth->idle() && m_difference->idle() && m_shortage->idle() && tablesRest;
}

std::vector<SnapshotChoice> SnapshotPage::allChoices() const {
    std::vector<SnapshotChoice> all;
    for (const OpenCapture& open : m_session.captures()) {
        if (open.store == nullptr || open.job != 0) continue;
        for (SnapshotChoice& choice : snapshotChoices(open.id, *open.store, {})) {
            if (m_session.captures().size() > 1) choice.title = open.path.section(u'/', -1) + u": "_s + choice.title;
            all.push_back(std::move(choice));
        }
    }
    return all;
}

void SnapshotPage::refresh(bool isInSight) {
    const OpenCapture* open = m_capture.open();
    if (m_shown != nullptr && (open == nullptr || open->id != m_shown->choice.capture)) take(nullptr);
    if (open == nullptr || open->store == nullptr) stopLoading();
    if (!isInSight) return;
    if (m_capture.whole() == nullptr) {
        stopLoading();
        m_bar->setChoices({});
        m_difference->setChoices(allChoices());
        showGaps();
        return showReason();
    }
    m_bar->setChoices(snapshotChoices(open->id, *open->store, m_capture.context()));
    if (m_wantedPlace && m_wantedPlace->capture != open->id) m_wantedPlace.reset();
    if (m_wantedPlace) m_bar->choose(m_wantedPlace->rank, m_wantedPlace->device);
    m_difference->setChoices(allChoices());
    load();
}

void SnapshotPage::stopLoading() {
    ++m_loading;
    m_isLoading = false;
    m_slot.cancel();
    if (m_failure.isEmpty()) m_wanted.reset();
    if (m_job != 0) m_session.jobs().cancel(std::exchange(m_job, 0));
}

void SnapshotPage::load() {
    const auto choice = m_bar->choice();
    if (!choice) {
        stopLoading();
        return take(nullptr);
    }
    if (m_shown != nullptr && m_shown->choice.isSame(*choice)) {
        stopLoading();
        showWantedPlace();
        showGaps();
        return showReason();
    }
    // A snapshot that could not be read is tried again when it is chosen again.
    if ((m_isLoading || !m_failure.isEmpty()) && m_wanted && m_wanted->isSame(*choice)) return;
    stopLoading();
    m_failure.clear();
    m_wanted = choice;
    m_isLoading = true;
    if (choice->file.empty() && choice->device.events + choice->device.blocks <= kRowsAtOnce) {
        m_slot.start([choice = *choice](const CancelToken& cancel) { return loadSnapshot(choice, nullptr, cancel); },
                     [this](std::shared_ptr<const LoadedSnapshot> loaded) {
                         m_isLoading = false;
                         take(std::move(loaded));
                     });
    } else {
        m_job = m_session.jobs().start(
            choice->title,
            [choice = *choice](ProgressSlot& progress, const CancelToken& cancel) -> std::shared_ptr<const void> {
                return loadSnapshot(choice, &progress, cancel);
            },
            [page = QPointer<SnapshotPage>(this), number = m_loading](const std::shared_ptr<const void>& result) {
                if (page == nullptr || page->m_loading != number) return;
                page->m_job = 0;
                page->m_isLoading = false;
                page->take(std::static_pointer_cast<const LoadedSnapshot>(result));
            });
    }
    showReason();
}

void SnapshotPage::take(std::shared_ptr<const LoadedSnapshot> loaded) {
    m_failure = loaded != nullptr && loaded->error ? errorSentence(*loaded->error) : QString();
    if (!m_failure.isEmpty()) {
        loaded.reset();
        m_wantedPlace.reset();
    }
    m_shown = std::move(loaded);
    m_poolState.reset();
    m_poolSlot.cancel();
    m_bar->setSnapshot(m_shown);
    m_link->setSnapshot(m_shown);
    m_selected.reset(m_shown == nullptr          ? kBeforeHistory
                     : m_shown->failures.empty() ? m_shown->peak
                                                 : m_shown->failures.back());
    if (m_shown == nullptr) {
        m_window.reset();
        m_blocks->setSource(nullptr, {});
        m_events->setSource(nullptr, {});
        m_segments->setSource(nullptr, {});
        m_pool->setPool(nullptr, nullptr);
        m_poolSums->clear();
    } else {
        const auto most = [&](SnapshotTotal total) {
            return m_shown->curve->extremes(total, m_shown->curve->all()).max;
        };
        m_window.setExtent(m_shown->device->events,
                           std::max({most(SnapshotTotal::Active), most(SnapshotTotal::Reserved), std::int64_t{0}}));
        m_blocks->setSource(std::make_shared<const SnapshotBlockRows>(m_shown->device),
                            blockHeadings(*m_shown->device));
        if (m_shown->device->events > 0)
            m_events->setSource(std::make_shared<const SnapshotEventRows>(m_shown->device),
                                eventHeadings(*m_shown->device));
        else m_events->setSource(nullptr, {});
    }
    m_canvas->setSnapshot(m_shown);
    m_details->setSnapshot(m_shown);
    m_stacks->setSnapshot(m_shown);
    m_growth->setSnapshot(m_shown);
    m_difference->setSnapshot(m_shown);
    m_shortage->setSnapshot(m_shown);
    if (m_shown != nullptr) requestPool();
    showWantedPlace();
    showGaps();
    showReason();
}

/// The pool at the selected event: the newest one wins, so that playing never lags.
void SnapshotPage::requestPool() {
    if (m_shown == nullptr) return;
    struct PoolResult {
        std::shared_ptr<const PoolState> pool;
        std::shared_ptr<const ColumnTable> table;
    };
    m_poolSlot.start(
        [pool = m_shown->pool, at = m_selected.eventNumber()](const CancelToken&) {
            auto state = std::make_shared<const PoolState>(pool->stateAt(at));
            return PoolResult{state, segmentTable(pool->snapshot(), *state)};
        },
        [this](const PoolResult& result) {
            m_poolState = result.pool;
            m_pool->setPool(m_shown, m_poolState);
            m_pool->ensureSelected();
            m_details->setPool(m_poolState);
            m_segments->updateSource(result.table, segmentHeadings());
            m_segments->setScope(eventText(m_poolState->at));
            showPoolSums();
        });
}

/// Selected elsewhere: tables follow as far as their rows are in the order of the history.
void SnapshotPage::showBlock() {
    const BlockNumber block = m_selected.block();
    DataTable& table = m_blocks->table();
    if (block == kNoBlock || table.hasFocus() || table.currentRow() == block) return;
    const TableRows& rows = *table.loader().rows();
    if (!rows.rows.empty() || block >= rows.count) return;
    m_isFollowing = true;
    table.setCurrent(block, SnapshotBlockRows::Address);
    m_isFollowing = false;
}

void SnapshotPage::showSelectedEvent() {
    const EventNumber event = m_selected.eventNumber();
    DataTable& table = m_events->table();
    if (event < 0 || table.hasFocus()) return;
    const TableRows& rows = *table.loader().rows();
    if (!rows.rows.empty() || static_cast<std::size_t>(event) >= rows.count) return;
    m_isFollowing = true;
    table.setCurrent(static_cast<std::size_t>(event), SnapshotEventRows::Event);
    m_isFollowing = false;
}

void SnapshotPage::listStack(const QString& text) { listOnly(*m_blocks, stackCondition(text)); }

/// Brings the tab of a table to the front, with the rows of a condition alone.
void SnapshotPage::listOnly(TablePanel& table, const QString& condition) {
    m_tabs->setCurrentWidget(&table == &m_growth->table() ? static_cast<QWidget*>(m_growth) : &table);
    table.filterBar().clear();
    table.filterBar().addChip(condition);
    table.table().setFocus();
}

bool SnapshotPage::showRows(CaptureId capture, const FindingEvidence::Rows& rows) {
    if (!rows.rank || !rows.device) return false;
    showPlace({capture, *rows.rank, *rows.device, rows.event, toQString(rows.stack)});
    return true;
}

void SnapshotPage::showPlace(const SnapshotPlace& place) {
    m_wantedPlace = place;
    if (isVisible()) refresh(true);
}

void SnapshotPage::showWantedPlace() {
    if (!m_wantedPlace || m_shown == nullptr) return;
    const SnapshotPlace place = *std::exchange(m_wantedPlace, std::nullopt);
    // It may be outside of what all pages show.
    if (m_shown->choice.capture != place.capture || m_shown->choice.rank != place.rank ||
        m_shown->choice.device.device != place.device)
        return;
    if (place.event) {
        const auto event =
            static_cast<EventNumber>(std::clamp<std::int64_t>(*place.event, kBeforeHistory, m_shown->device->last()));
        m_selected.setEvent(event);
        const bool isFailure =
            std::find(m_shown->failures.begin(), m_shown->failures.end(), event) != m_shown->failures.end();
        m_tabs->setCurrentWidget(isFailure ? static_cast<QWidget*>(m_shortage) : m_segments);
    } else if (!place.stack.isEmpty()) {
        listOnly(m_growth->table(), stackCondition(place.stack));
    } else {
        listOnly(*m_blocks, u"alloc_event = none and state = active_allocated"_s);
    }
}

QStringList SnapshotPage::shownGaps() const {
    const OpenCapture* open = m_capture.whole();
    if (open == nullptr || m_shown == nullptr) return {};
    QStringList gaps;
    const DeviceSnapshot& device = *m_shown->device;
    if (device.events == 0)
        gaps << tr(
            "No history: the snapshot shows its last state only. Recording begins with _record_memory_history().");
    else if (device.older > 0)
        gaps << withCount(tr("The history starts late: %n block(s) were allocated before it (max_entries, or recording "
                             "was switched on later).",
                             nullptr, pluralCount(device.older)),
                          device.older);
    return gaps;
}

std::optional<QStringList> SnapshotPage::missing() const {
    const OpenCapture* open = m_capture.whole();
    if (open == nullptr) return std::nullopt;
    return m_failure.isEmpty() ? snapshotGaps(*open->store, m_capture.context()) : QStringList(m_failure);
}

PageTexts SnapshotPage::texts() const {
    return {
        .title = tr("Snapshot"),
        .about = tr(
            "Every block of the device memory over its life, with the call stacks that allocated and released it, the "
            "segments and their holes after any event, and why a request failed."),
        .reading = tr("The capture is being read. Its snapshot is shown when reading is complete."),
        .nothing = tr("No memory snapshot"),
        .icon = u"view_snapshot"_s};
}

bool SnapshotPage::isContentShown() const {
    return m_shown != nullptr || (m_isLoading && !m_capture.isBeingRead() && m_capture.open() != nullptr);
}

// Keys of Snapshot:
// - `,`, `.`: Go to the event before or after
// - `Space`: Play the events, or stop
// - `P`: Go to the event of the peak
void SnapshotPage::keyPressEvent(QKeyEvent* event) {
    if (m_shown == nullptr) return FramedPage::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Comma: return m_bar->step(-1);
    case Qt::Key_Period: return m_bar->step(1);
    case Qt::Key_Space: return m_bar->setPlaying(!m_bar->isPlaying());
    case Qt::Key_P: return m_selected.setEvent(m_shown->peak);
    default: FramedPage::keyPressEvent(event);
    }
}

void SnapshotPage::retranslate() {
    const QString titles[] = {tr("Pool"),   tr("Blocks"), tr("Events"),     tr("Segments"),
                              tr("Stacks"), tr("Growth"), tr("Difference"), tr("Why out of memory")};
    for (int i = 0; i < m_tabs->count(); ++i) m_tabs->setTabText(i, titles[i]);
    m_canvas->setAccessibleName(tr("Blocks over the history"));
    m_pool->setAccessibleName(tr("Memory pool"));
    m_blocks->table().setAccessibleName(tr("Blocks"));
    m_events->table().setAccessibleName(tr("Events"));
    m_segments->table().setAccessibleName(tr("Segments"));
    if (m_shown != nullptr) {
        m_blocks->table().setHeadings(blockHeadings(*m_shown->device));
        if (m_shown->device->events > 0) m_events->table().setHeadings(eventHeadings(*m_shown->device));
    }
    if (m_poolState == nullptr) return;
    m_segments->table().setHeadings(segmentHeadings());
    showPoolSums();
}

void SnapshotPage::showPoolSums() {
    const PoolState& pool = *m_poolState;
    QString sums =
        tr("%1: reserved %2 (segments: %3), in use %4, with rounding %5 (blocks: %6), free %7 (holes: %8, the "
           "largest %9)")
            .arg(eventText(pool.at), bytesText(pool.reserved))
            .arg(pool.segments.size())
            .arg(bytesText(pool.allocated + pool.waiting), bytesText(pool.used))
            .arg(pool.blocks)
            .arg(bytesText(pool.holeBytes))
            .arg(pool.holes)
            .arg(bytesText(pool.largestHole));
    if (pool.contradictions > 0)
        sums += u" · "_s + tr("%n block(s) are in no segment or overlap: the file contradicts itself.", nullptr,
                              pluralCount(pool.contradictions));
    m_poolSums->setText(withUnbrokenUnits(sums));
}

}  // namespace altiscope
