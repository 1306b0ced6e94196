#include "views/timeline/page/timeline_dialogs.h"

#include "views/common/plots/time_axis.h"
#include "views/common/support/formatters.h"
#include "views/common/support/link_request.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/overlay/canvas_layout.h"
#include "views/timeline/panels/chain_list.h"
#include "views/timeline/rows/row_titles.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

#include <algorithm>

namespace altiscope {

namespace {

struct DialogTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TimelineDialogs)
};

constexpr std::size_t kMenuFlows = 20;
constexpr qsizetype kMenuName = 60;

QString menuName(std::string_view name) {
    QString text = toQString(name);
    if (text.size() > kMenuName) text = text.first(kMenuName / 2) + QChar(0x2026) + text.last(kMenuName / 2);
    return text.replace(u'&', QStringLiteral("&&"));
}

void addFlows(QMenu& menu, const SelectedSlice& selected, TimelineSelection& selection) {
    if (selected.flows.empty()) return;
    QMenu* flows = menu.addMenu(DialogTexts::tr("&Linked slices"));
    for (std::size_t i = 0; i < selected.flows.size() && i < kMenuFlows; ++i) {
        const LinkedFlow& flow = selected.flows[i];
        const QString category = toQString(flow.category);
        const QString name =
            flow.other ? menuName(selected.trace->name(flow.other->slice)) : DialogTexts::tr("no slice");
        QAction* action = flows->addAction(flow.outgoing ? DialogTexts::tr("To %1 (%2)").arg(name, category)
                                                         : DialogTexts::tr("From %1 (%2)").arg(name, category));
        action->setEnabled(flow.other.has_value());
        if (!flow.other) continue;
        // By key: while the menu is open, its stores may be replaced.
        const SliceKey key{selected.key.rank, selected.trace->id(flow.other->slice)};
        QObject::connect(action, &QAction::triggered, &selection,
                         [&selection, capture = selected.capture, key] { selection.selectAndReveal(capture, key); });
    }
    if (selected.flows.size() > kMenuFlows) {
        const QString rest = formatCount(selected.flows.size() - kMenuFlows);
        flows->addAction(DialogTexts::tr("%1 more: see the details").arg(rest))->setEnabled(false);
    }
}

QString colouringTitle(ColourBy by) {
    switch (by) {
    case ColourBy::Name: return DialogTexts::tr("By &name");
    case ColourBy::Category: return DialogTexts::tr("By &category");
    case ColourBy::Duration: return DialogTexts::tr("By &duration, short blue to long red");
    case ColourBy::Track: return DialogTexts::tr("By &thread or stream");
    case ColourBy::Rank: return DialogTexts::tr("By &rank");
    }
    return {};
}

void addColourings(QMenu& menu, TimelineScene& scene) {
    QMenu* colours = menu.addMenu(DialogTexts::tr("&Colours of slices"));
    for (const ColourBy by : kColourings) {
        QAction* action = colours->addAction(colouringTitle(by), &scene, [&scene, by] { scene.setColourBy(by); });
        action->setCheckable(true);
        action->setChecked(by == scene.colourBy());
    }
}

/// A key in this menu is a hint only: the canvas itself handles it.
QAction* addAction(QMenu& menu, const QString& text, TimelineAction action, TimelineCanvas& canvas,
                   const TimelineScene& scene) {
    const QString key = keyText(action, scene.keys());
    QAction* item = menu.addAction(key.isEmpty() ? text : text + u'\t' + key);
    QObject::connect(item, &QAction::triggered, &canvas, [&canvas, action] { canvas.perform(action); });
    return item;
}

/// @param onSlice  Whether a slice is selected that ranks could be aligned by.
QMenu* makeClocksMenu(QMenu& parent, bool onSlice, TimelineCanvas& canvas, const TimelineScene& scene) {
    auto* menu = new QMenu(DialogTexts::tr("&Align clocks of ranks"), &parent);
    const auto add = [&](const QString& text, TimelineAction action) {
        return addAction(*menu, text, action, canvas, scene);
    };
    const auto& sources = scene.model().sources();
    const auto any = [&](auto is) {
        return std::any_of(sources.begin(), sources.end(),
                           [&](const TimelineSource& source) { return source.rankShifts && is(*source.rankShifts); });
    };
    QAction* collectives = add(DialogTexts::tr("By &collectives"), TimelineAction::AlignClocks);
    collectives->setCheckable(true);
    collectives->setChecked(any([](const RankShifts& shifts) { return shifts.clocks != nullptr; }));
    menu->addSeparator();
    const bool hasBase = canvas.base().has_value();
    add(DialogTexts::tr("This rank: start of the slice to the &base's"), TimelineAction::AlignStarts)
        ->setEnabled(onSlice && hasBase);
    add(DialogTexts::tr("This rank: end of the slice to the base's"), TimelineAction::AlignEnds)
        ->setEnabled(onSlice && hasBase);
    add(DialogTexts::tr("All ranks by the &start of this operator"), TimelineAction::AlignAllStarts)
        ->setEnabled(onSlice);
    add(DialogTexts::tr("All ranks by the &end of this operator"), TimelineAction::AlignAllEnds)->setEnabled(onSlice);
    menu->addSeparator();
    add(DialogTexts::tr("By &hand\u2026"), TimelineAction::ClocksByHand);
    add(DialogTexts::tr("All as &recorded"), TimelineAction::ResetClocks)->setEnabled(any([](const RankShifts&) {
        return true;
    }));
    return menu;
}

/// Commands where the menu was opened: the pointer has left the canvas by the time that an entry is chosen.
void addOfPlace(QMenu& menu, const CanvasHit& hit, TimelineCanvas& canvas, TimelineScene& scene,
                TimelineSelection& selection, const CanvasMenuCalls& calls) {
    const QString markKey = keyText(TimelineAction::AddMark, scene.keys());
    menu.addAction(DialogTexts::tr("Set a mar&k") + (markKey.isEmpty() ? QString() : u'\t' + markKey), &canvas,
                   [&canvas, at = hit.time + hit.shift, source = scene.model().rows()[hit.row].source] {
                       emit canvas.markRequested(at, source);
                   });
    if (const auto marked = selection.markedRange()) {
        const TimelineRow& row = scene.model().rows()[hit.row];
        const RankIndex rank = scene.model().sources().keyOf(row).rank;
        const std::uint32_t owner = scene.model().sources().ownerOf(row.source);
        const TimelineSource& source = scene.model().sources()[owner];
        const bool isOfRank = rank.value < source.store->ranks.size();
        const DurationNs shift = scene.model().sources().shiftOf(owner, row.rank);
        const LinkPlace place{
            source.capture, isOfRank ? std::optional(rank) : std::nullopt, {}, shifted(*marked, {-shift.value})};
        menu.addAction(DialogTexts::tr("Copy lin&k to the marked time"), &canvas,
                       [&canvas, place] { requestLink(canvas, place); });
    }
    const TrackChoice tracks = tracksOf(scene.model(), scene.model().rows()[hit.row]);
    menu.addAction(DialogTexts::tr("Add &track to selection"), &selection,
                   [&selection, tracks] { selection.chooseTracks(tracks); })
        ->setEnabled(!tracks.parts.empty());
    const QString title =
        rowTitleOf(scene.model().sources(), scene.model().sources().keyOf(scene.model().rows()[hit.row]));
    menu.addAction(DialogTexts::tr("&List all slices of this track"), &selection,
                   [list = calls.listSlices, tracks, title] { list(tracks, title); })
        ->setEnabled(!tracks.parts.empty());
}

}  // namespace

void fillCanvasMenu(QMenu& menu, const std::optional<CanvasHit>& hit, TimelineCanvas& canvas, TimelineScene& scene,
                    TimelineSelection& selection, const CanvasMenuCalls& calls) {
    const auto add = [&](const QString& text, TimelineAction action) {
        return addAction(menu, text, action, canvas, scene);
    };
    const auto& selected = selection.slice();
    if (hit && hit->slice && selected) {
        menu.addAction(DialogTexts::tr("&Zoom to the slice"), &selection, [&selection] { selection.zoomToSlice(); });
        add(DialogTexts::tr("&Mark its time"), TimelineAction::RangeOfSlice);
        const auto& base = canvas.base();
        const bool isBase = base && base->capture == selected->capture && base->key == selected->key;
        add(isBase ? DialogTexts::tr("No longer the &base slice") : DialogTexts::tr("Set as &base slice"),
            TimelineAction::SetBaseSlice);
        menu.addAction(DialogTexts::tr("&Find all like this"), &selection, calls.findLike);
        addFlows(menu, *selected, selection);
        addChainMenus(menu, *selected, selection, scene.jobs());
        if (isCollective(*selected->trace, selected->place.slice)) {
            menu.addAction(DialogTexts::tr("Same collective on all &ranks"), &canvas, &TimelineCanvas::peersRequested);
            menu.addAction(DialogTexts::tr("Find in Commun&ication"), &selection, calls.findCollective);
        }
        menu.addSeparator();
        const QString name = toQString(selected->trace->name(selected->place.slice));
        menu.addAction(DialogTexts::tr("&Copy name"), &selection, [name] { QApplication::clipboard()->setText(name); });
        menu.addAction(DialogTexts::tr("Copy &details as text"), &selection, calls.copyDetails);
        menu.addAction(DialogTexts::tr("Copy details as &JSON"), &selection, calls.copyJson);
        const LinkPlace place{selected->capture, selected->key.rank, selected->key.id, {}};
        menu.addAction(DialogTexts::tr("Copy &link to the slice"), &canvas,
                       [&canvas, place] { requestLink(canvas, place); });
        menu.addSeparator();
    }
    if (hit) addOfPlace(menu, *hit, canvas, scene, selection, calls);
    add(DialogTexts::tr("Zoom to the &selection"), TimelineAction::ZoomToSelection)
        ->setEnabled(selection.sliceRange() || selection.markedRange());
    QAction* only = menu.addAction(DialogTexts::tr("Only the marked &time on all pages"), &selection,
                                   [&selection] { selection.showMarkedRangeOnly(); });
    only->setEnabled(selection.markedRange().has_value());
    add(DialogTexts::tr("Show the &whole run"), TimelineAction::WholeRun);
    add(DialogTexts::tr("&Back to the previous view"), TimelineAction::UndoView)->setEnabled(scene.window().canUndo());
    menu.addSeparator();
    addColourings(menu, scene);
    menu.addMenu(makeClocksMenu(menu, hit && hit->slice && selected, canvas, scene));
    menu.addSeparator();
    if (calls.addExports) calls.addExports(menu);
    menu.addSeparator();
    add(DialogTexts::tr("&Expand all tracks"), TimelineAction::ExpandAll);
    add(DialogTexts::tr("C&ollapse all tracks"), TimelineAction::CollapseAll);
    menu.addSeparator();
    add(DialogTexts::tr("All &keys"), TimelineAction::ShowKeys);
}

}  // namespace altiscope
