#include "views/communication/panels/time_view.h"

#include "core/analysis/collectives/collective_slice.h"
#include "views/common/plots/plot_view.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/rank_texts.h"
#include "views/common/tables/table_panel.h"
#include "views/communication/data/communication_gaps.h"
#include "views/communication/data/link_texts.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

TimeView::TimeView(Session& session, const ViewMemory& memory, QWidget* parent)
    : QWidget(parent), m_memory(memory), m_slot(session.jobs()), m_tableSlot(session.jobs()),
      m_peerSlot(session.jobs()), m_sliceSlot(session.jobs()), m_alignSlot(session.jobs()),
      m_coloursLabel(new QLabel(this)), m_alignmentLabel(new QLabel(this)), m_restore(new QToolButton(this)),
      m_colours(new QComboBox(this)), m_canvas(new CollectiveCanvas(session, this)), m_tabs(new QTabWidget(this)),
      m_ranks(new TablePanel(session, memory, u"communication_ranks"_s, m_tabs)),
      m_packets(new TablePanel(session, memory, u"packets"_s, m_tabs)),
      m_collectives(new TablePanel(session, memory, u"collectives"_s, m_tabs)),
      m_peers(new TablePanel(session, memory, u"collective_peers"_s, m_tabs)), m_bars(new PlotView(session, m_tabs)),
      m_sizes(new PlotView(session, m_tabs)) {
    setUp();
    connectParts();
    retranslate();
}

void TimeView::setUp() {
    auto* column = bareLayout<QVBoxLayout>(this);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 0, 8, 4);
    bar->setSpacing(8);
    bar->addWidget(m_coloursLabel);
    bar->addWidget(m_colours);
    bar->addStretch(1);
    bar->addWidget(m_alignmentLabel);
    bar->addWidget(m_restore);
    column->addLayout(bar);
    m_coloursLabel->setBuddy(m_colours);
    for (int i = 0; i < 2; ++i) m_colours->addItem(QString());
    m_colours->setCurrentIndex(std::clamp(m_memory.value(u"communication/bar_colours"_s).toInt(), 0, 1));
    m_canvas->setColours(static_cast<CollectiveCanvas::Colours>(m_colours->currentIndex()));
    const auto beside = [this](TablePanel* table, PlotView* plot) {
        auto* split = new QSplitter(Qt::Horizontal, m_tabs);
        split->addWidget(table);
        split->addWidget(plot);
        split->setSizes({600, 400});
        split->setChildrenCollapsible(false);
        return split;
    };
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(beside(m_ranks, m_bars), QString());
    m_tabs->addTab(beside(m_packets, m_sizes), QString());
    m_tabs->addTab(m_collectives, QString());
    m_tabs->addTab(m_peers, QString());
    m_ranks->filterBar().setExample(u"wait_ratio > 50% and came_last > 0"_s);
    m_packets->filterBar().setExample(u"packet_size < 1MiB"_s);
    m_collectives->filterBar().setExample(u"elapsed > 1ms and type = \"allreduce\""_s);
    m_peers->filterBar().setExample(u"before_last > 1ms"_s);
    m_collectives->table().setWideColumn(static_cast<std::size_t>(CollectiveColumn::Operator));
    m_collectives->hideAtFirst({static_cast<std::size_t>(CollectiveColumn::Group),
                                static_cast<std::size_t>(CollectiveColumn::SynchronizationRatio)});
    auto* whole = new QSplitter(Qt::Vertical, this);
    whole->addWidget(m_canvas);
    whole->addWidget(m_tabs);
    whole->setSizes({500, 500});
    whole->setChildrenCollapsible(false);
    column->addWidget(whole, 1);
    setFocusProxy(m_canvas);
}

void TimeView::connectParts() {
    connect(m_colours, &QComboBox::activated, this, [this](int index) {
        m_memory.setValue(u"communication/bar_colours"_s, index);
        m_canvas->setColours(static_cast<CollectiveCanvas::Colours>(index));
    });
    connect(m_canvas, &CollectiveCanvas::selectedChanged, this, [this] {
        if (m_canvas->selected()) select(*m_canvas->selected(), false);
    });
    connect(m_canvas, &CollectiveCanvas::opened, this, &TimeView::open);
    connect(m_canvas, &CollectiveCanvas::alignmentWanted, this, [this](CollectiveChart::Edge edge) {
        if (m_canvas->selected()) align(*m_canvas->selected(), edge);
    });
    connect(m_canvas, &CollectiveCanvas::alignmentUnwanted, this, &TimeView::restoreClocks);
    connect(m_restore, &QToolButton::clicked, this, &TimeView::restoreClocks);
    connect(m_canvas, &CollectiveCanvas::menuOpens, this, [this](QMenu* menu, CollectiveCanvas::Place place) {
        // The menu may be open when other collectives come.
        menu->addAction(tr("Show in the &timeline"), this, [this, place, times = m_times] {
            if (times == m_times) open(place);
        });
        menu->addAction(tr("Show it on &all ranks"), this, [this] { m_tabs->setCurrentWidget(m_peers); });
        addAlignmentTo(*menu, place);
    });
    connect(&m_ranks->table().loader(), &TableLoader::rowsChanged, this, [this] {
        if (m_wantedRank) chooseRank(*m_wantedRank);
        if (m_wantedCollective)
            chooseCollective(m_wantedCollective->rank, m_wantedCollective->name, m_wantedCollective->begin);
    });
    connect(&m_ranks->table(), &DataTable::currentChanged, this, [this] {
        if (const auto row = m_ranks->table().currentRow()) m_canvas->showRow(*row);
        showPackets();
    });
    connect(&m_collectives->table(), &DataTable::currentChanged, this, [this] {
        const auto row = m_collectives->table().currentRow();
        const auto place = row ? placeOfRow(*row) : std::nullopt;
        if (place) select(*place, true);
    });
    const auto openRow = [this](std::uint32_t row) {
        if (const auto place = placeOfRow(row)) open(*place);
    };
    connect(&m_collectives->table(), &DataTable::activated, this, openRow);
    m_collectives->table().setRowMenu([this, openRow](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("Show in the &timeline"), this, [openRow, row] { openRow(row); });
        menu.addAction(tr("Show it on &all ranks"), this, [this] { m_tabs->setCurrentWidget(m_peers); });
        addAlignmentTo(menu, placeOfRow(row));
    });
    const auto openPeer = [this](std::uint32_t row) {
        if (m_found && row < m_found->peers.size()) open({m_found->peers[row].row, m_found->peers[row].item});
    };
    connect(&m_peers->table(), &DataTable::activated, this, openPeer);
    m_peers->table().setRowMenu([this, openPeer](QMenu& menu, std::uint32_t row) {
        menu.addAction(tr("Show in the &timeline"), this, [openPeer, row] { openPeer(row); });
    });
}

bool TimeView::idle() const {
    for (const JobSlot* slot : {&m_slot, &m_tableSlot, &m_peerSlot, &m_sliceSlot, &m_alignSlot}) {
        if (slot->busy()) return false;
    }
    for (TablePanel* table : {m_ranks, m_packets, m_collectives, m_peers}) {
        if (table->table().loader().busy()) return false;
    }
    return true;
}

void TimeView::show(std::shared_ptr<const CommunicationSource> source, const CollectiveQuery& query,
                    std::optional<TimeNs> origin) {
    m_captureOrigin = origin;
    m_query = query;
    m_sliceSlot.cancel();
    m_alignSlot.cancel();
    m_requestedSource = source;
    if (source == nullptr || m_alignedCapture.lock() != source->capture) m_alignment.reset();
    if (source == nullptr || !source->hasCollectives) {
        m_slot.cancel();
        m_wantedRank.reset();
        m_wantedCollective.reset();
        return take(nullptr);
    }
    m_slot.start([source = std::move(source), query, alignment = m_alignment](
                     const CancelToken& cancel) { return communicationTimes(source, query, cancel, alignment); },
                 [this](std::shared_ptr<const CommunicationTimes> times) {
                     if (times) take(std::move(times));
                 });
}

QString TimeView::rankLabel(std::size_t row) const { return rankTitle(m_times->rank(row).info); }

std::vector<QString> TimeView::rankLabels() const {
    std::vector<QString> labels;
    for (std::size_t row = 0; m_times != nullptr && row < m_times->set->ranks.size(); ++row)
        labels.push_back(rankLabel(row));
    return labels;
}

void TimeView::take(std::shared_ptr<const CommunicationTimes> times) {
    if (times == nullptr || m_times == nullptr || times->source->capture != m_times->source->capture)
        m_directory.reset();
    m_times = std::move(times);
    m_requestedSource.reset();
    m_found.reset();
    m_peerSlot.cancel();
    m_origin = m_captureOrigin.value_or(m_times == nullptr ? TimeNs{} : m_times->chart->range().begin);
    m_canvas->setChart(m_times == nullptr ? nullptr : m_times->chart, rankLabels(), m_origin);
    showTables();
    readCollectives();
    showAlignment();
    emit shownChanged();
}

QString TimeView::clockGap() const {
    if (m_times == nullptr || m_times->ownClock.empty() || m_times->set->ranks.size() < 2) return {};
    std::vector<const RankInfo*> named, all;
    for (const RankEntry& rank : m_times->source->capture->ranks) all.push_back(&rank.info);
    for (const RankIndex rank : m_times->ownClock) named.push_back(all[rank.value]);
    return tr("On clocks of their own, which could not be aligned: %1. Start times of different ranks must not be "
              "compared; durations may.")
        .arg(rankNames(named, all));
}

// --- tables and plots ---------------------------------------------------------------------------------------------

void TimeView::showTables() {
    m_peers->setSource(nullptr, {});
    m_peers->setScope(QString());
    if (m_times == nullptr) m_ranks->setSource(nullptr, {});
    else m_ranks->setSource(rankTimeTable(*m_times), rankTimeHeadings(*m_times));
    showScopes();
    showBars();
    showPackets();
}

void TimeView::showScopes() {
    const CommunicationSource* source = m_times == nullptr ? nullptr : m_times->source.get();
    const QString marked = source == nullptr ? QString() : markedScope(*source);
    m_collectives->setScope(marked);
    const bool isPart = source != nullptr && !marked.isEmpty() && !source->wholeTransfers.empty();
    m_ranks->setScope(isPart ? tr("times %1; bandwidths %2", "in a marked time; of whole steps")
                                   .arg(marked, markedScope(*source, source->wholeTransfers))
                             : marked);
}

void TimeView::showBars() {
    if (m_times == nullptr) return m_bars->showNothing(QString());
    StackedBars bars;
    BarSeries transit{tr("Transit"), &Theme::communication, false, {}},
        synchronization{tr("Synchronization"), &Theme::wait, true, {}},
        wait{tr("Other waits"), &Theme::wait, false, {}}, idle{tr("Idle"), &Theme::free, false, {}},
        rest{tr("Transit not recorded"), &Theme::overlapped, false, {}};
    for (std::size_t row = 0; row < m_times->set->ranks.size(); ++row) {
        const RankCollectives& rank = m_times->set->ranks[row];
        const auto& number = m_times->rank(row).info.rankId;
        bars.labels << (number ? QString::number(*number) : rankLabel(row));
        // A part that some do not state is the rest of the whole.
        CollectiveSpent known;
        for (const CollectiveItem& item : rank.items) {
            if (item.spent.transit) known.add(item.spent);
        }
        transit.values.push_back(static_cast<double>(known.transit.value_or(0)));
        synchronization.values.push_back(static_cast<double>(rank.sum.synchronization));
        wait.values.push_back(std::max(0.0, static_cast<double>(rank.sum.wait - rank.sum.synchronization)));
        idle.values.push_back(std::max(0.0, static_cast<double>(rank.sum.idle.value_or(0))));
        rest.values.push_back(
            std::max(0.0, static_cast<double>((rank.sum.elapsed - known.elapsed) - (rank.sum.wait - known.wait))));
    }
    const bool isAllKnown =
        std::all_of(rest.values.begin(), rest.values.end(), [](double value) { return value <= 0; });
    bars.series = {transit, synchronization, wait, idle};
    if (!isAllKnown) bars.series.push_back(rest);
    bars.bottomTitle = tr("Rank");
    bars.tip = [times = m_times](std::size_t first, std::size_t last) {
        if (last - first > 1) return tr("%1 ranks: the bar is their mean").arg(last - first);
        const CollectiveSpent& sum = times->set->ranks[first].sum;
        QStringList lines{rankTitle(times->rank(first).info), tr("Elapsed: %1").arg(formatDuration({sum.elapsed}))};
        if (sum.transit) lines << tr("Transit: %1").arg(formatDuration({*sum.transit}));
        lines << tr("Wait: %1, of which synchronization: %2")
                     .arg(formatDuration({sum.wait}), formatDuration({sum.synchronization}));
        if (const auto ratio = sum.waitRatio()) lines << tr("Wait ratio: %1").arg(formatPercent(*ratio));
        return lines.join(u'\n');
    };
    m_bars->show(std::move(bars));
}

std::optional<RankIndex> TimeView::chosenRank() const {
    const auto row = m_ranks->table().currentRow();
    if (m_times == nullptr || !row || *row >= m_times->set->ranks.size() || m_ranks->table().selection().count() == 0)
        return std::nullopt;
    return m_times->set->ranks[*row].rank;
}

/// Packets of the chosen rank, or of all.
void TimeView::showPackets() {
    if (m_times == nullptr) {
        m_packets->setSource(nullptr, {});
        return m_sizes->showNothing(QString());
    }
    const auto rank = chosenRank();
    const std::vector<PacketSum> packets = packetsOf(*m_times, rank);
    m_packets->setSource(packetTable(packets), packetHeadings());
    QStringList scope{rank ? rankTitle(m_times->source->capture->ranks[rank->value].info) : tr("all ranks")};
    const auto isComputed = [&](const RankTransfers& transfers) {
        return transfers.isComputed && (!rank || transfers.rank == *rank);
    };
    if (std::any_of(m_times->transfers.begin(), m_times->transfers.end(), isComputed))
        scope << tr("computed from the timeline");
    const QString marked = markedScope(*m_times->source, m_times->source->wholeTransfers);
    if (!marked.isEmpty()) scope << marked;
    m_packets->setScope(scope.join(u" \u00b7 "_s));
    if (packets.empty())
        return m_sizes->showNothing(tr("No packet sizes: communication.json, analysis.db and the tasks on the planes "
                                       "of the timeline record them."));
    StackedBars bars;
    BarSeries time{tr("Time of packets of a size"), &Theme::communication, false, {}};
    std::vector<PacketSum> shown;
    // SDMA repeats the transports that it consists of.
    std::copy_if(packets.begin(), packets.end(), std::back_inserter(shown),
                 [](const PacketSum& sum) { return sum.transport != "SDMA"; });
    std::stable_sort(shown.begin(), shown.end(),
                     [](const PacketSum& a, const PacketSum& b) { return a.packetSize < b.packetSize; });
    for (const PacketSum& sum : shown) {
        bars.labels << formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, sum.packetSize)));
        time.values.push_back(static_cast<double>(sum.time));
    }
    bars.series = {time};
    bars.bottomTitle = tr("Packet size");
    bars.tip = [shown](std::size_t first, std::size_t last) {
        QStringList lines;
        constexpr std::size_t kMaxLines = 6;
        for (std::size_t i = first; i < std::min({last, shown.size(), first + kMaxLines}); ++i)
            lines << tr("%1 packets of %2 by %3: %4")
                         .arg(formatCount(static_cast<std::uint64_t>(std::max<std::int64_t>(0, shown[i].count))),
                              formatExactBytes(
                                  static_cast<std::uint64_t>(std::max<std::int64_t>(0, shown[i].packetSize))),
                              toQString(shown[i].transport), formatDuration({shown[i].time}));
        return lines.join(u'\n');
    };
    m_sizes->show(std::move(bars));
}

void TimeView::readCollectives() {
    if (m_times == nullptr) {
        m_tableSlot.cancel();
        return m_collectives->setSource(nullptr, {});
    }
    m_tableSlot.start([times = m_times, origin = m_origin](
                          const CancelToken& cancel) { return collectiveTable(*times, origin, cancel); },
                      [this, times = m_times](std::shared_ptr<const ColumnTable> table) {
                          if (table == nullptr) return;
                          m_tableSet = times->set;
                          m_collectives->setSource(std::move(table), collectiveHeadings());
                      });
}

std::optional<CollectiveCanvas::Place> TimeView::placeOfRow(std::uint32_t row) const {
    if (m_times == nullptr || m_tableSet != m_times->set) return std::nullopt;
    std::size_t left = row;
    for (std::size_t r = 0; r < m_times->set->ranks.size(); ++r) {
        const std::size_t count = m_times->set->ranks[r].items.size();
        if (left < count) return CollectiveCanvas::Place{r, static_cast<std::uint32_t>(left)};
        left -= count;
    }
    return std::nullopt;
}

// --- where ranks are drawn ----------------------------------------------------------------------------------------

void TimeView::align(CollectiveCanvas::Place place, CollectiveChart::Edge edge) {
    if (m_times == nullptr || m_slot.busy()) return;
    const RankCollectives& rank = m_times->set->ranks[place.row];
    if (!rank.items[place.item].begin) return emit statusMessage(tr("No time of it is recorded."));
    m_alignSlot.start(
        [times = m_times, place, edge, directory = m_directory](const CancelToken& cancel) {
            return alignedBy(*times, place.row, place.item, edge, directory, cancel);
        },
        [this, times = m_times, place,
         name = std::string(rank.name(rank.items[place.item]))](std::shared_ptr<const CommunicationTimes> aligned) {
            if (times != m_times) return;
            if (aligned == nullptr) {
                emit statusMessage(
                    tr("%1 was found on no other rank that is shown and has its time recorded.").arg(toQString(name)));
                // It may have taken the place of putting ranks back.
                if (m_alignment == nullptr) restoreClocks();
                return;
            }
            m_alignment = aligned->alignment;
            m_alignedCapture = aligned->source->capture;
            takeAligned(std::move(aligned));
            m_canvas->select(place);
            readPeers();
        });
}

/// The same set, drawn elsewhere.
void TimeView::takeAligned(std::shared_ptr<const CommunicationTimes> times) {
    const auto selected = m_canvas->selected();
    m_times = std::move(times);
    m_canvas->setChart(m_times->chart, rankLabels(), m_origin);
    m_canvas->select(selected);
    showAlignment();
    emit shownChanged();
}

void TimeView::restoreClocks() {
    const bool isShown = m_times != nullptr && m_times->alignment != nullptr;
    m_alignSlot.cancel();
    if (m_alignment == nullptr && !isShown) return;
    m_alignment.reset();
    // A result on its way has the ranks moved.
    if (m_slot.busy()) return show(m_requestedSource, m_query, m_captureOrigin);
    if (!isShown) return;
    m_alignSlot.start([times = m_times](const CancelToken& cancel) { return restoredTimes(*times, cancel); },
                      [this, before = m_times](std::shared_ptr<const CommunicationTimes> times) {
                          if (times == nullptr || before != m_times) return;
                          takeAligned(std::move(times));
                          if (m_canvas->selected()) readPeers();
                      });
}

QString TimeView::alignment() const {
    if (m_times == nullptr || m_times->alignment == nullptr) return {};
    const QString name = toQString(m_times->alignment->name);
    return m_times->alignment->edge == CollectiveChart::Edge::End ? tr("Ranks aligned by the end of %1").arg(name)
                                                                  : tr("Ranks aligned by the start of %1").arg(name);
}

void TimeView::showAlignment() {
    m_alignmentLabel->setText(alignment());
    m_alignmentLabel->setVisible(!alignment().isEmpty());
    m_restore->setVisible(!alignment().isEmpty());
}

void TimeView::addAlignmentTo(QMenu& menu, std::optional<CollectiveCanvas::Place> place) {
    if (place) {
        const auto add = [&](const QString& text, CollectiveChart::Edge edge, Qt::Key key) {
            menu.addAction(text, this,
                           [this, place = *place, edge, times = m_times] {
                               if (times == m_times) align(place, edge);
                           })
                ->setShortcut(key);
        };
        add(tr("Align all ranks by its &end"), CollectiveChart::Edge::End, Qt::Key_R);
        add(tr("Align all ranks by its &start"), CollectiveChart::Edge::Begin, Qt::Key_L);
    }
    QAction* restore = menu.addAction(tr("Ranks by their o&wn clocks"), this, &TimeView::restoreClocks);
    restore->setShortcut(Qt::SHIFT | Qt::Key_0);
    restore->setEnabled(!alignment().isEmpty());
}

// --- one collective -----------------------------------------------------------------------------------------------

void TimeView::chooseRank(RankIndex rank) {
    m_wantedRank.reset();
    if (m_times == nullptr || m_slot.busy() || m_ranks->table().loader().busy()) {
        m_wantedRank = rank;
        return;
    }
    const auto& ranks = m_times->set->ranks;
    const auto found =
        std::find_if(ranks.begin(), ranks.end(), [rank](const RankCollectives& one) { return one.rank == rank; });
    if (found == ranks.end()) return;
    m_canvas->showRow(static_cast<std::size_t>(found - ranks.begin()));
    const auto rows = m_ranks->table().loader().rows();
    const std::size_t wanted = static_cast<std::size_t>(found - ranks.begin());
    for (std::size_t place = 0; place < rows->count; ++place) {
        if (rows->row(place) == wanted) return m_ranks->table().setCurrent(place, 0);
    }
}

void TimeView::chooseCollective(RankIndex rank, const QString& name, TimeNs begin) {
    m_wantedCollective.reset();
    if (m_times == nullptr || m_slot.busy() || m_ranks->table().loader().busy()) {
        m_wantedCollective = WantedCollective{rank, name, begin};
        return;
    }
    const std::string wanted = name.toStdString();
    const auto& ranks = m_times->set->ranks;
    std::optional<CollectiveCanvas::Place> best;
    std::int64_t nearest = 0;
    for (std::size_t row = 0; row < ranks.size(); ++row) {
        if (ranks[row].rank != rank) continue;
        for (std::uint32_t i = 0; i < ranks[row].items.size(); ++i) {
            const CollectiveItem& item = ranks[row].items[i];
            if (!item.begin || ranks[row].name(item) != wanted) continue;
            const std::int64_t away = std::abs(item.begin->value - begin.value);
            if (best && away >= nearest) continue;
            best = CollectiveCanvas::Place{row, i};
            nearest = away;
        }
    }
    if (best) select(*best, true);
    else emit collectiveNotFound(name);
}

void TimeView::select(CollectiveCanvas::Place place, bool inTable) {
    if (inTable) {
        if (m_canvas->selected() == place) return;
        m_canvas->select(place);
    }
    readPeers();
}

void TimeView::readPeers() {
    const auto place = m_canvas->selected();
    if (m_times == nullptr || !place) return;
    m_peerSlot.start(
        [times = m_times, place = *place, directory = m_directory](const CancelToken& cancel) {
            return peerTimes(*times, place.row, place.item, directory, cancel);
        },
        [this](std::optional<PeerTimes> peers) {
            if (peers) takePeers(std::move(*peers));
        });
}

void TimeView::takePeers(PeerTimes peers) {
    if (m_times == nullptr) return;
    if (peers.directory != nullptr) m_directory = peers.directory;
    m_found = std::move(peers);
    std::vector<CollectiveCanvas::Place> places;
    for (const PeerTime& peer : m_found->peers) places.push_back({peer.row, peer.item});
    m_canvas->setPeers(std::move(places));
    m_peers->setSource(peerTable(*m_times, *m_found, m_origin), peerHeadings());
    QStringList scope;
    if (const auto place = m_canvas->selected()) {
        const RankCollectives& rank = m_times->set->ranks[place->row];
        scope << toQString(rank.name(rank.items[place->item]));
    }
    if (m_found->isByOrder) scope << tr("paired by step, group, type and order, as there are no events to compare");
    if (!m_found->missing.empty())
        scope << tr("not found, or not among what is shown, on %n rank(s) of the group", nullptr,
                    static_cast<int>(m_found->missing.size()));
    m_peers->setScope(scope.join(u" · "_s));
}

/// To its slice in the timeline if there is one, else to the time at which the files say that it was.
void TimeView::open(CollectiveCanvas::Place place) {
    if (m_times == nullptr) return;
    const RankCollectives& rank = m_times->set->ranks[place.row];
    const CollectiveItem& item = rank.items[place.item];
    m_sliceSlot.start(
        [trace = m_times->rank(place.row).trace, name = std::string(rank.name(item)),
         begin = item.begin](const CancelToken&) -> std::optional<SliceId> {
            const auto slice = trace == nullptr ? std::nullopt : collectiveSlice(*trace, name, begin);
            return slice ? std::optional(trace->id(*slice)) : std::nullopt;
        },
        [this, rank = rank.rank, begin = item.begin, elapsed = item.spent.elapsed](std::optional<SliceId> slice) {
            if (slice) emit sliceRequested(*slice);
            else if (begin)
                emit placeRequested(rank, {*begin, *begin + DurationNs{std::max<std::int64_t>(1, elapsed)}});
        });
}

void TimeView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        if (m_times != nullptr) {
            m_canvas->setLabels(rankLabels());
            m_ranks->table().setHeadings(rankTimeHeadings(*m_times));
            if (m_collectives->table().loader().source() != nullptr)
                m_collectives->table().setHeadings(collectiveHeadings());
            if (m_found) m_peers->table().setHeadings(peerHeadings());
            showBars();
            showPackets();
            showScopes();
            showAlignment();
        }
    }
    QWidget::changeEvent(event);
}

void TimeView::retranslate() {
    m_coloursLabel->setText(tr("&Colour"));
    m_colours->setItemText(0, tr("Type of operator"));
    m_colours->setItemText(1, tr("Share of waiting"));
    m_colours->setItemData(1, u"wait / elapsed"_s, Qt::ToolTipRole);
    m_tabs->setTabText(0, tr("Ranks"));
    m_tabs->setTabText(1, tr("Packets"));
    m_tabs->setTabText(2, tr("Collectives"));
    m_tabs->setTabText(3, tr("One collective on all ranks"));
    m_restore->setText(tr("&Reset alignment"));
    m_restore->setToolTip(tr("Ranks by their own clocks (Shift+0)"));
    m_canvas->setAccessibleName(tr("Collectives over time"));
    m_ranks->table().setAccessibleName(tr("Ranks"));
    m_packets->table().setAccessibleName(tr("Packets"));
    m_collectives->table().setAccessibleName(tr("Collectives"));
    m_peers->table().setAccessibleName(tr("One collective on all ranks"));
}

}  // namespace altiscope
