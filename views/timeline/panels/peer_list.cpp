#include "views/timeline/panels/peer_list.h"

#include "core/tables/sources/column_table.h"
#include "views/common/support/bare_layout.h"
#include "views/common/support/formatters.h"
#include "views/common/tables/table_panel.h"
#include "views/timeline/overlay/peer_loader.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

enum PeerColumn : std::size_t { kPeerRank, kPeerName, kPeerBegin, kPeerDuration, kPeerWait };

std::shared_ptr<const ColumnTable> peerTable(const PeerResult& result, TimeNs origin) {
    ColumnTableBuilder builder(
        {{.name = "rank_id", .type = CellType::Integer},
         {.name = "name", .type = CellType::Text},
         {.name = "ts", .type = CellType::Integer, .unit = CellUnit::Time, .origin = origin.value},
         {.name = "dur", .type = CellType::Integer, .unit = CellUnit::Duration},
         {.name = "wait", .type = CellType::Integer, .unit = CellUnit::Duration}});
    for (const CollectivePeer& peer : result.peers.peers) {
        const RankEntry& rank = result.store->ranks[peer.rank.value];
        builder.addRow();
        builder.setRank(kPeerRank, rank.info);
        builder.setText(kPeerName, rank.trace->name(peer.slice));
        builder.setInteger(kPeerBegin, peer.range.begin.value);
        builder.setInteger(kPeerDuration, peer.range.length().value);
        builder.setInteger(kPeerWait, peer.wait);
    }
    return builder.finish();
}

}  // namespace

PeerList::PeerList(PeerLoader& loader, TimelineScene& scene, TimelineSelection& selection, Session& session,
                   const ViewMemory& memory, QWidget* parent)
    : Translated(parent), m_loader(loader), m_scene(scene), m_selection(selection), m_title(new QLabel(this)),
      m_table(new TablePanel(session, memory, u"peers"_s, this)) {
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_title->setContentsMargins(8, 4, 8, 4);
    m_table->filterBar().setExample(u"wait > 1ms"_s);
    auto* column = bareLayout<QVBoxLayout>(this);
    column->addWidget(m_title);
    column->addWidget(m_table, 1);
    setFocusProxy(m_table);
    connect(&loader, &PeerLoader::changed, this, &PeerList::refresh);
    connect(&scene, &TimelineScene::rowsChanged, this, [this] {
        if (m_shown && !m_scene.model().sources().sourceOf(m_shown->capture)) {
            m_shown.reset();  // closed
            retranslate();
        }
    });
    connect(&m_table->table(), &DataTable::activated, this, &PeerList::goTo);
    connect(&m_table->table(), &DataTable::currentChanged, this, [this] {
        // Not when rows get new places by themselves.
        const auto row = m_table->table().currentRow();
        if (row && m_table->table().hasFocus()) goTo(*row);
    });
    retranslate();
}

PeerList::~PeerList() = default;

void PeerList::goTo(std::uint32_t row) {
    if (!m_shown || row >= m_shown->peers.peers.size()) return;
    const CollectivePeer& peer = m_shown->peers.peers[row];
    m_selection.selectAndReveal(m_shown->capture, keyOf(*m_shown->store, {peer.rank, peer.slice}));
}

void PeerList::refresh() {
    const PeerResult* result = m_loader.result();
    if (result == nullptr) return;
    // Going through the rows selects one peer after the other: that is the same list.
    const auto isIt = [&](const CollectivePeer& peer) {
        return keyOf(*result->store, {peer.rank, peer.slice}) == result->requested;
    };
    if (m_shown && m_shown->store == result->store &&
        std::any_of(m_shown->peers.peers.begin(), m_shown->peers.peers.end(), isIt))
        return;
    m_shown = std::make_unique<PeerResult>(*result);
    retranslate();
}

void PeerList::retranslate() {
    m_table->setVisible(m_shown != nullptr);
    m_title->setAlignment(m_shown ? Qt::AlignLeft : Qt::AlignCenter);
    if (!m_shown) {
        m_table->setSource(nullptr, {});
        m_title->setText(tr("What a collective is on all ranks of its group, and how long each waited there. Select "
                            "one on a group's track."));
        return;
    }
    const auto source = m_scene.model().sources().sourceOf(m_shown->capture);
    const TimeNs origin = source ? m_scene.origin() - m_scene.model().sources()[*source].shift : TimeNs{};
    m_table->setSource(peerTable(*m_shown, origin),
                       {{tr("Rank"), {}},
                        {tr("Name"), tr("Each rank numbers its collectives by itself.")},
                        {tr("Start"), tr("On the rank's own clock, since the start of the run.")},
                        {tr("Duration"), {}},
                        {tr("Waited"), tr("Until the last rank came: its duration - the shortest of all ranks. All "
                                          "ranks leave a collective together.")}});
    const CollectivePeers& peers = m_shown->peers;
    // Where no file states the groups, they go by the digits in the names of their collectives, "__586".
    const std::string_view group =
        std::string_view(peers.group).substr(std::min(peers.group.find_first_not_of('_'), peers.group.size()));
    QString text =
        tr("Group %1, found on %n rank(s)", nullptr, static_cast<int>(peers.peers.size())).arg(toQString(group));
    if (!peers.missing.empty()) {
        text += u" · "_s + (peers.isTransfer && peers.peers.size() == 1
                                ? tr("the partner of sends and receives is known in groups of two ranks only")
                                : tr("not found on %n more that share the group", nullptr,
                                     static_cast<int>(peers.missing.size())));
    }
    m_title->setText(withUnbrokenUnits(text));
}

}  // namespace altiscope
