#include "views/timeline/canvas/track_menu.h"

#include "views/timeline/rows/track_names.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

struct MenuTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TrackMenu)
};

/// Rows are taken by key: they may be others when an entry is chosen.
template <class Do>
void forRow(TimelineScene& scene, const RowKey& key, Do action) {
    const auto& rows = scene.model().rows();
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const TimelineRow& row) { return scene.model().sources().keyOf(row) == key; });
    if (found != rows.end()) action(TimelineRow(*found));
}

std::vector<RowKey> namedLike(const TrackNames& names, const std::vector<RowKey>& rows, RankIndex rank) {
    std::vector<RowKey> found;
    for (const RowKey& row : rows) {
        const auto name = names.nameOf(row);
        if (!name) continue;
        for (const RowKey& other : names.rowsNamed(*name)) {
            if (other.rank == rank) found.push_back(other);
        }
    }
    return found;
}

/// Gives the same processes of other ranks the order that this row's siblings have.
void orderAllRanks(TimelineScene& scene, const RowKey& parent, const std::vector<RowKey>& siblings) {
    const auto source = scene.model().sources().sourceOf(parent.capture);
    if (!source) return;
    const TrackNames names(*scene.model().sources()[*source].store, parent.capture);
    TrackArrangement arrangement = scene.model().arrangement();
    if (const auto name = names.nameOf(parent)) {
        for (const RowKey& other : names.rowsNamed(*name))
            arrangement.order[other] = namedLike(names, siblings, other.rank);
    }
    scene.arrange(std::move(arrangement));
}

void mergeAllRanks(TimelineScene& scene, const std::vector<RowKey>& rows) {
    const auto source = scene.model().sources().sourceOf(rows.front().capture);
    if (!source) return;
    const TrackNames names(*scene.model().sources()[*source].store, rows.front().capture);
    TrackArrangement arrangement = scene.model().arrangement();
    for (RankIndex rank; rank.value < names.rankCount(); ++rank.value) {
        const auto group = namedLike(names, rows, rank);
        if (group.size() > 1) arrangement = withMerged(std::move(arrangement), group);
    }
    scene.arrange(std::move(arrangement));
}

/// Threads of one process, those of merged rows too; empty if they are of several, or there are not two.
std::vector<RowKey> mergeable(const TimelineModel& model, std::span<const RowKey> chosen) {
    std::vector<RowKey> rows;
    std::optional<RowKey> parent;
    for (const TimelineRow& row : model.rows()) {
        if (row.kind != TimelineRowKind::Thread ||
            std::find(chosen.begin(), chosen.end(), model.sources().keyOf(row)) == chosen.end())
            continue;
        const RowKey own = model.sources().parentKeyOf(row);
        if (parent && *parent != own) return {};
        parent = own;
        for (const RowKey& key : model.sources().keysOf(row)) rows.push_back(key);
    }
    return rows.size() > 1 ? rows : std::vector<RowKey>();
}

/// All threads with slices of the process that a row is, or is of, and that are of the row's kind.
std::vector<RowKey> streamsOf(const TimelineModel& model, const TimelineRow& row) {
    if (row.memory) return {};
    const TraceStore& trace = *model.sources().traceOf(row);
    const Track& own = trace.track({row.firstTrack});
    std::vector<RowKey> rows;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.track({t});
        if (track.pid != own.pid || track.kind != TrackKind::Hardware || trace.extent({t}).sliceCount == 0) continue;
        rows.push_back({model.sources()[row.source].capture, row.rank, TimelineRowKind::Thread, track.id.value});
    }
    return rows.size() > 1 ? rows : std::vector<RowKey>();
}

void addPins(QMenu& menu, TimelineScene& scene, const TimelineRow& row, const std::vector<RowKey>& rows) {
    const TimelineModel& model = scene.model();
    const TrackArrangement& now = model.arrangement();
    const auto arePinned = [&now](const std::vector<RowKey>& keys) {
        return std::all_of(keys.begin(), keys.end(), [&now](const RowKey& key) { return isPinned(now, key); });
    };
    const auto add = [&](const QString& pin, const QString& unpin, std::vector<RowKey> keys) {
        const bool pinned = keys.size() <= now.pinned.size() && arePinned(keys);
        menu.addAction(pinned ? unpin : pin, &scene, [&scene, keys = std::move(keys), pinned] {
            scene.arrange(pinned ? withoutPinned(scene.model().arrangement(), keys)
                                 : withPinned(scene.model().arrangement(), keys));
        });
    };
    const int count = static_cast<int>(rows.size());
    if (count > 1)
        add(MenuTexts::tr("&Pin %n row(s)", nullptr, count), MenuTexts::tr("Un&pin %n row(s)", nullptr, count), rows);
    else add(MenuTexts::tr("&Pin at the top\tP"), MenuTexts::tr("Un&pin\tP"), rows);
    auto same = model.sources().sameOnAllRanks(row);
    if (same.size() > 1)
        add(MenuTexts::tr("Pin the same on all ran&ks"), MenuTexts::tr("Unpin the same on all ran&ks"),
            std::move(same));
    if (now.pinned.empty()) return;
    menu.addAction(MenuTexts::tr("Unpin e&verything"), &scene, [&scene] {
        TrackArrangement next = scene.model().arrangement();
        next.pinned.clear();
        scene.arrange(std::move(next));
    });
}

void addMerging(QMenu& menu, TimelineScene& scene, const TimelineRow& row, std::span<const RowKey> chosen) {
    const TimelineModel& model = scene.model();
    const auto add = [&](const QString& text, std::vector<RowKey> rows) {
        menu.addAction(text, &scene, [&scene, rows = std::move(rows)] {
            scene.arrange(withMerged(scene.model().arrangement(), rows));
        });
    };
    const auto several = row.kind == TimelineRowKind::Model ? model.sources().keysOf(row) : mergeable(model, chosen);
    const bool hasRanks = model.sources()[row.source].store->ranks.size() > 1;
    const auto addAll = [&](const QString& text, std::vector<RowKey> rows) {
        if (hasRanks) menu.addAction(text, &scene, [&scene, rows = std::move(rows)] { mergeAllRanks(scene, rows); });
    };
    if (several.size() > 1 && (chosen.size() > 1 || row.kind == TimelineRowKind::Model)) {
        add(MenuTexts::tr("&Merge %n thread(s) into one row", nullptr, static_cast<int>(several.size())), several);
        addAll(MenuTexts::tr("Merge them on all ranks"), several);
    } else if (const auto streams = streamsOf(model, row);
               row.kind != TimelineRowKind::Model && !streams.empty() && row.merged == nullptr) {
        add(MenuTexts::tr("&Merge all %n stream(s) of the process into one row", nullptr,
                          static_cast<int>(streams.size())),
            streams);
        addAll(MenuTexts::tr("Merge them on all ranks"), streams);
    }
    if (row.merged == nullptr) return;
    menu.addAction(MenuTexts::tr("Unme&rge"), &scene, [&scene, key = model.sources().keyOf(row)] {
        scene.arrange(withoutMerged(scene.model().arrangement(), key));
    });
}

void addMoves(QMenu& menu, TimelineScene& scene, const TimelineRow& row) {
    const TimelineModel& model = scene.model();
    const std::vector<RowKey> siblings = model.siblingsOf(row);
    const RowKey own = model.sources().keyOf(row);
    const auto place = std::find(siblings.begin(), siblings.end(), own);
    if (siblings.size() < 2 || place == siblings.end()) return;
    menu.addAction(
            MenuTexts::tr("Move &up\tAlt+Up"), &scene,
            [&scene, own] { forRow(scene, own, [&scene](const TimelineRow& found) { moveRowBy(scene, found, -1); }); })
        ->setEnabled(place != siblings.begin());
    menu.addAction(
            MenuTexts::tr("Move &down\tAlt+Down"), &scene,
            [&scene, own] { forRow(scene, own, [&scene](const TimelineRow& found) { moveRowBy(scene, found, 1); }); })
        ->setEnabled(place + 1 != siblings.end());
    if (row.pinned && row.level == 0) return;
    const RowKey parent = model.sources().parentKeyOf(row);
    if (!model.arrangement().order.contains(parent)) return;
    menu.addAction(MenuTexts::tr("Back to the &recorded order"), &scene, [&scene, parent] {
        TrackArrangement next = scene.model().arrangement();
        next.order.erase(parent);
        scene.arrange(std::move(next));
    });
    if (parent.kind != TimelineRowKind::Host && model.sources()[row.source].store->ranks.size() > 1)
        menu.addAction(MenuTexts::tr("The same order on all ranks"), &scene,
                       [&scene, parent, siblings] { orderAllRanks(scene, parent, siblings); });
}

/// Rows that are pinned with a row: of a model its streams, of a merged row its first.
std::vector<RowKey> pinsOf(const TimelineModel& model, const TimelineRow& row) {
    return row.kind == TimelineRowKind::Model ? model.sources().keysOf(row)
                                              : std::vector<RowKey>{model.sources().keyOf(row)};
}

}  // namespace

void togglePin(TimelineScene& scene, const TimelineRow& row) {
    if (row.kind < TimelineRowKind::Process) return;
    const std::vector<RowKey> rows = pinsOf(scene.model(), row);
    const TrackArrangement& now = scene.model().arrangement();
    scene.arrange(isPinned(now, rows.front()) ? withoutPinned(now, rows) : withPinned(now, rows));
}

void moveRow(TimelineScene& scene, const TimelineRow& row, std::size_t to) {
    const TimelineModel& model = scene.model();
    const std::vector<RowKey> siblings = model.siblingsOf(row);
    const auto from = static_cast<std::size_t>(std::find(siblings.begin(), siblings.end(), model.sources().keyOf(row)) -
                                               siblings.begin());
    if (from == to || from >= siblings.size() || to >= siblings.size()) return;
    std::vector<RowKey> moved = withMoved(siblings, from, to);
    TrackArrangement next = model.arrangement();
    if (row.pinned && row.level == 0) {
        // Those that are not shown now stay pinned.
        next = withoutPinned(std::move(next), moved);
        next.pinned.insert(next.pinned.begin(), moved.begin(), moved.end());
    } else {
        std::vector<RowKey>& order = next.order[model.sources().parentKeyOf(row)];
        order = orderOf(order, moved);
    }
    scene.arrange(std::move(next));
}

void moveRowBy(TimelineScene& scene, const TimelineRow& row, std::ptrdiff_t by) {
    const std::vector<RowKey> siblings = scene.model().siblingsOf(row);
    const auto from =
        std::find(siblings.begin(), siblings.end(), scene.model().sources().keyOf(row)) - siblings.begin();
    const auto to = from + by;
    if (to >= 0 && to < static_cast<std::ptrdiff_t>(siblings.size())) moveRow(scene, row, static_cast<std::size_t>(to));
}

void resizeRow(TimelineScene& scene, const TimelineRow& row, int height, HistoryMark mark) {
    if (!isResizable(row)) return;
    TrackArrangement next = scene.model().arrangement();
    next.heights[scene.model().sources().keyOf(row)] = scene.model().heightsFor(row, height);
    scene.arrange(std::move(next), mark);
}

void resetHeight(TimelineScene& scene, const TimelineRow& row) {
    TrackArrangement next = scene.model().arrangement();
    next.heights.erase(scene.model().sources().keyOf(row));
    scene.arrange(std::move(next));
}

void fillArrangementMenu(QMenu& menu, TimelineScene& scene, const TimelineRow& row, std::span<const RowKey> chosen) {
    const TimelineModel& model = scene.model();
    const RowKey own = model.sources().keyOf(row);
    const auto& companion = model.sources()[row.source].companion;
    if (companion != nullptr && companion->kind == SourceCompanion::Kind::Query)
        menu.addAction(MenuTexts::tr("Remo&ve the rows of this statement"), &scene,
                       [&scene, track = companion->track] { emit scene.removalRequested(track); });
    std::vector<RowKey> rows(chosen.begin(), chosen.end());
    if (std::find(rows.begin(), rows.end(), own) == rows.end()) rows = {own};
    std::vector<RowKey> pins = row.kind == TimelineRowKind::Model ? pinsOf(model, row) : rows;
    std::erase_if(pins, [](const RowKey& key) { return key.kind < TimelineRowKind::Process; });
    if (row.kind >= TimelineRowKind::Process) addPins(menu, scene, row, pins);
    addMoves(menu, scene, row);
    if (row.kind >= TimelineRowKind::Process) addMerging(menu, scene, row, rows);
    if (model.arrangement().heights.contains(own))
        menu.addAction(MenuTexts::tr("&Automatic height"), &scene, [&scene, own] {
            forRow(scene, own, [&scene](const TimelineRow& found) { resetHeight(scene, found); });
        });
}

void fillUndoMenu(QMenu& menu, TimelineScene& scene) {
    menu.addAction(MenuTexts::tr("U&ndo the change of rows\tU"), &scene, &TimelineScene::undoArrangement)
        ->setEnabled(scene.canUndoArrangement());
    menu.addAction(MenuTexts::tr("Redo the change of ro&ws\tShift+U"), &scene, &TimelineScene::redoArrangement)
        ->setEnabled(scene.canRedoArrangement());
}

}  // namespace altiscope
