#include "views/timeline/scene/timeline_clocks.h"

#include "core/analysis/slices/slice_details.h"
#include "views/common/plots/time_axis.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/timeline/times/shift_text.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

TimelineClocks::TimelineClocks(Session& session, TimelineScene& scene, TimelineSelection& selection, QObject* parent)
    : QObject(parent), m_session(session), m_scene(scene), m_selection(selection), m_slot(session.jobs()),
      m_operatorSlot(session.jobs()), m_baseSlot(session.jobs()) {}

void TimelineClocks::perform(ClockAction action) {
    switch (action) {
    case ClockAction::Toggle: return toggle();
    case ClockAction::SetBase: return toggleBase();
    case ClockAction::AlignStarts: return alignToBase(SliceEdge::Start);
    case ClockAction::AlignEnds: return alignToBase(SliceEdge::End);
    case ClockAction::AlignAllStarts: return alignAll(SliceEdge::Start);
    case ClockAction::AlignAllEnds: return alignAll(SliceEdge::End);
    case ClockAction::Reset: return reset();
    }
}

/// Shifts by hand do not outlast it: one rule places all ranks.
void TimelineClocks::toggle() {
    m_aligned = !m_aligned;
    m_known.clear();
    m_own.clear();
    m_operatorSlot.cancel();
    m_slot.cancel();
    if (!m_aligned) emit statusMessage(tr("The clocks of ranks are as recorded."));
    emit changed();
}

void TimelineClocks::reset() {
    m_aligned = false;
    m_known.clear();
    m_own.clear();
    m_tracks.clear();
    m_slot.cancel();
    m_operatorSlot.cancel();
    emit statusMessage(tr("The clocks of ranks are as recorded."));
    emit changed();
}

void TimelineClocks::align() {
    if (!m_aligned && m_own.empty()) toggle();
}

void TimelineClocks::toggleBase() {
    const auto& selected = m_selection.slice();
    if (!selected)
        return emit statusMessage(tr("Select a slice first: it becomes the base that others are aligned to."));
    const bool isBase = m_base && m_base->capture == selected->capture && m_base->key == selected->key;
    m_baseSlot.cancel();
    m_base = isBase ? std::nullopt : selected;
    if (m_base) m_base->flows.clear();
    const auto key = [this](TimelineAction action) { return keyText(action, m_scene.keys()); };
    emit statusMessage(
        isBase
            ? tr("There is no base slice any more.")
            : tr("This is the base slice. Select one of another rank: %1 aligns its start to the base's, %2 its end.")
                  .arg(key(TimelineAction::AlignStarts), key(TimelineAction::AlignEnds)));
    emit baseChanged();
}

void TimelineClocks::alignToBase(SliceEdge edge) {
    if (!m_base) {
        return emit statusMessage(tr("There is no base slice: select the slice that is to stay, and press %1 or choose "
                                     "\"Set as base slice\" in its menu.")
                                      .arg(keyText(TimelineAction::SetBaseSlice, m_scene.keys())));
    }
    const auto& selected = m_selection.slice();
    if (!selected) return emit statusMessage(tr("Select the slice that is to be aligned to the base slice."));
    if (selected->capture == m_base->capture && selected->key.rank == m_base->key.rank)
        return emit statusMessage(
            tr("The selected slice is on the rank of the base slice: all of a rank has one clock."));
    const TimelineModel& model = m_scene.model();
    const auto from = model.sources().sourceOf(selected->capture), to = model.sources().sourceOf(m_base->capture);
    if (!from || !to) return;
    const TimeRange own = shifted(selected->place.range, model.sources().shiftOf(*from, selected->key.rank));
    const TimeRange base = shifted(m_base->place.range, model.sources().shiftOf(*to, m_base->key.rank));
    const DurationNs by = edge == SliceEdge::Start ? base.begin - own.begin : base.end - own.end;
    const DurationNs total{shiftOf(selected->capture, selected->key.rank).value + by.value};
    if (std::abs(total.value) > kMaxTimeNs) return emit statusMessage(tr("These slices are too far apart."));
    OwnShifts& shifts = m_own[selected->capture];
    if (shifts.size() <= selected->key.rank.value) shifts.resize(selected->key.rank.value + 1);
    shifts[selected->key.rank.value] =
        OwnShift{total.value, ShiftOrigin::Operator, std::string(selected->trace->name(selected->place.slice))};
    const QString rank = rankTitle(model.sources()[*from].store->ranks[selected->key.rank.value].info);
    emit statusMessage(tr("%1: %2", "rank: by how much it was moved")
                           .arg(rank, shiftText(of(*m_session.capture(selected->capture)).get(), selected->key.rank)));
    emit changed();
}

void TimelineClocks::alignAll(SliceEdge edge) {
    const auto& selected = m_selection.slice();
    const OpenCapture* capture = selected ? m_session.capture(selected->capture) : nullptr;
    if (capture == nullptr || capture->store == nullptr)
        return emit statusMessage(tr("Select a slice first: all ranks are aligned by the same one of theirs."));
    const RankIndex rank = selected->key.rank;
    m_operatorSlot.start(
        [store = capture->store, key = selected->key, edge,
         shift = shiftOf(selected->capture, rank)](const CancelToken& token) -> std::optional<OperatorAlignment> {
            const auto slice = findSlice(*store, key);
            return slice ? alignByOperator(*store, key.rank, slice->slice, edge, shift, token) : std::nullopt;
        },
        [this, id = selected->capture, rank](const std::optional<OperatorAlignment>& found) {
            if (found) takeOperator(id, rank, *found);
            emit becameIdle();
        });
}

void TimelineClocks::takeOperator(CaptureId capture, RankIndex rank, const OperatorAlignment& found) {
    const OpenCapture* open = m_session.capture(capture);
    if (open == nullptr || open->store == nullptr) return;
    OwnShifts& shifts = m_own[capture];
    shifts.resize(std::max(shifts.size(), found.shifts.size()));
    std::size_t aligned = 0, without = 0;
    for (std::size_t r = 0; r < found.shifts.size() && r < open->store->ranks.size(); ++r) {
        if (open->store->ranks[r].trace == nullptr) continue;
        if (!found.shifts[r] || std::abs(*found.shifts[r]) > kMaxTimeNs) {
            ++without;
            continue;
        }
        ++aligned;
        if (r != rank.value) shifts[r] = OwnShift{*found.shifts[r], ShiftOrigin::Operator, found.occurrence.name};
    }
    emit statusMessage(tr("%1 of %2 ranks are aligned by occurrence %3 of %4. Ranks without it, which stay: %5")
                           .arg(formatCount(aligned), formatCount(aligned + without),
                                formatCount(found.occurrence.number + 1), toQString(found.occurrence.name),
                                formatCount(without)));
    emit changed();
}

void TimelineClocks::setByHand(CaptureId capture, const std::vector<std::int64_t>& shifts) {
    if (m_session.capture(capture) == nullptr) return;
    OwnShifts& own = m_own[capture];
    own.resize(std::max(own.size(), shifts.size()));
    for (RankIndex r; r.value < shifts.size(); ++r.value) {
        if (shiftOf(capture, r).value != shifts[r.value]) own[r.value] = OwnShift{shifts[r.value], ShiftOrigin::Hand};
    }
    emit changed();
}

void TimelineClocks::setTrackGroup(CaptureId capture, RankIndex rank, const std::string& process, std::int64_t later) {
    if (m_session.capture(capture) == nullptr || std::abs(later) > kMaxTimeNs) return;
    if (later == 0) m_tracks[capture].erase({rank, process});
    else m_tracks[capture][{rank, process}] = later;
    emit changed();
}

std::int64_t TimelineClocks::trackGroup(CaptureId capture, RankIndex rank, const std::string& process) const {
    const auto own = m_tracks.find(capture);
    if (own == m_tracks.end()) return 0;
    const auto found = own->second.find({rank, process});
    return found == own->second.end() ? 0 : found->second;
}

DurationNs TimelineClocks::shiftOf(CaptureId capture, RankIndex rank) const {
    const OpenCapture* open = m_session.capture(capture);
    const auto shifts = open == nullptr ? nullptr : of(*open);
    return shifts == nullptr ? DurationNs{} : shifts->of(rank);
}

void TimelineClocks::forgetClosed() {
    std::erase_if(m_known, [](const auto& known) { return known.second.store.expired(); });
    std::erase_if(m_own, [this](const auto& own) { return m_session.capture(own.first) == nullptr; });
    std::erase_if(m_tracks, [this](const auto& own) { return m_session.capture(own.first) == nullptr; });
    if (!m_base || m_session.capture(m_base->capture) != nullptr) return;
    m_baseSlot.cancel();
    m_base.reset();
    emit baseChanged();
}

/// When more has been read, the base slice has another number in another store.
void TimelineClocks::followBase() {
    const OpenCapture* capture = m_base ? m_session.capture(m_base->capture) : nullptr;
    if (capture == nullptr || capture->store == nullptr || m_base->key.rank.value >= capture->store->ranks.size())
        return;
    const auto trace = capture->store->ranks[m_base->key.rank.value].trace;
    if (trace == nullptr || trace == m_base->trace) return;
    m_baseSlot.start([trace, id = m_base->key.id](const CancelToken&) { return trace->findSlice(id); },
                     [this, trace](std::optional<SliceIndex> found) {
                         if (m_base && found) {
                             m_base->trace = trace;
                             m_base->place = placeOf(*trace, *found);
                         } else if (!trace->provisional()) {
                             m_base.reset();
                         }
                         emit baseChanged();
                         emit becameIdle();
                     });
}

// --- of workspaces ------------------------------------------------------------------------------------------------

QJsonObject TimelineClocks::state(const WorkspaceIds& captures) const {
    QJsonArray moved;
    for (const auto& [capture, shifts] : m_own) {
        const OpenCapture* open = m_session.capture(capture);
        const auto index = captures.indexOf(capture);
        if (!index || open == nullptr || open->store == nullptr) continue;
        for (RankIndex rank; rank.value < std::min(shifts.size(), open->store->ranks.size()); ++rank.value) {
            if (!shifts[rank.value]) continue;
            moved.append(QJsonObject{{u"capture"_s, static_cast<qint64>(*index)},
                                     {u"rank"_s, toQString(open->store->ranks[rank.value].info.path)},
                                     {u"by"_s, qint64{shifts[rank.value]->by}},
                                     {u"origin"_s, static_cast<int>(shifts[rank.value]->origin)},
                                     {u"operator"_s, toQString(shifts[rank.value]->operatorName)}});
        }
    }
    for (const auto& [capture, processes] : m_tracks) {
        const OpenCapture* open = m_session.capture(capture);
        const auto index = captures.indexOf(capture);
        if (!index || open == nullptr || open->store == nullptr) continue;
        for (const auto& [process, later] : processes) {
            if (process.first.value >= open->store->ranks.size()) continue;
            moved.append(QJsonObject{{u"capture"_s, static_cast<qint64>(*index)},
                                     {u"rank"_s, toQString(open->store->ranks[process.first.value].info.path)},
                                     {u"process"_s, toQString(process.second)},
                                     {u"by"_s, qint64{later}}});
        }
    }
    QJsonObject state{{u"aligned"_s, m_aligned}};
    if (!moved.isEmpty()) state.insert("moved"_L1, moved);
    return state;
}

void TimelineClocks::restore(const QJsonObject& state, const WorkspaceIds& captures) {
    m_aligned = state.value("aligned"_L1).toBool();
    m_known.clear();
    m_own.clear();
    m_tracks.clear();
    m_wanted.clear();
    m_slot.cancel();
    m_operatorSlot.cancel();
    for (const QJsonValue& one : state.value("moved"_L1).toArray()) {
        const CaptureId capture = captures.at(one.toObject().value("capture"_L1).toInteger(-1));
        if (capture != kNoCapture) m_wanted[capture].append(one);
    }
    moveWanted();
    emit changed();
}

void TimelineClocks::moveWanted() {
    for (auto wanted = m_wanted.begin(); wanted != m_wanted.end();) {
        const OpenCapture* open = m_session.capture(wanted->first);
        if (open != nullptr && (open->store == nullptr || open->job != 0)) {
            ++wanted;
            continue;
        }
        const QJsonArray list = wanted->second;
        wanted = m_wanted.erase(wanted);
        if (open != nullptr) moveWantedOf(*open, list);
    }
}

void TimelineClocks::moveWantedOf(const OpenCapture& open, const QJsonArray& list) {
    const auto& ranks = open.store->ranks;
    OwnShifts& shifts = m_own[open.id];
    shifts.resize(ranks.size());
    std::map<QString, std::size_t> places;
    for (std::size_t r = 0; r < ranks.size(); ++r) places.emplace(toQString(ranks[r].info.path), r);
    for (const QJsonValue& one : list) {
        const QJsonObject said = one.toObject();
        const auto rank = places.find(said.value("rank"_L1).toString());
        const qint64 by = said.value("by"_L1).toInteger();
        if (rank == places.end() || by > kMaxTimeNs || by < -kMaxTimeNs) continue;
        if (const QString process = said.value("process"_L1).toString(); !process.isEmpty()) {
            if (by != 0) m_tracks[open.id][{rankIndex(rank->second), process.toStdString()}] = by;
            continue;
        }
        const bool isByOperator = said.value("origin"_L1).toInt() == static_cast<int>(ShiftOrigin::Operator);
        shifts[rank->second] = OwnShift{by, isByOperator ? ShiftOrigin::Operator : ShiftOrigin::Hand,
                                        said.value("operator"_L1).toString().toStdString()};
    }
}

/// By the numbers that tracks have in the stores of now.
void TimelineClocks::addTracks(RankShifts& shifts, const OpenCapture& capture) const {
    const auto own = m_tracks.find(capture.id);
    if (own == m_tracks.end() || own->second.empty() || capture.store == nullptr) return;
    const auto& ranks = capture.store->ranks;
    std::vector<MovedTracks> moved(ranks.size());
    for (const auto& [process, later] : own->second) {
        const RankIndex rank = process.first;
        if (rank.value >= ranks.size() || ranks[rank.value].trace == nullptr) continue;
        const TraceStore& trace = *ranks[rank.value].trace;
        for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
            if (trace.track({t}).pid == process.second) moved[rank.value][{t}] = later;
        }
    }
    shifts.tracks.resize(ranks.size());
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        if (!moved[r].empty()) shifts.tracks[r] = std::make_shared<const MovedTracks>(std::move(moved[r]));
    }
}

void TimelineClocks::follow() {
    forgetClosed();
    moveWanted();
    followBase();
    if (!m_aligned || m_slot.busy()) return;
    for (const OpenCapture& capture : m_session.captures()) {
        const auto store = capture.store;
        if (store == nullptr || !store->sealed || m_known.contains(store.get())) continue;
        m_slot.start(
            [store](const CancelToken& token) {
                auto found = alignClocks(*store, token);
                return std::pair(store, found ? std::make_shared<const ClockAlignment>(std::move(*found)) : nullptr);
            },
            [this](const std::pair<std::shared_ptr<const CaptureStore>, std::shared_ptr<const ClockAlignment>>& found) {
                m_known[found.first.get()] = {found.first, found.second};
                emit changed();
                report();
                emit becameIdle();
            });
        return;
    }
}

std::shared_ptr<const RankShifts> TimelineClocks::of(const OpenCapture& capture) const {
    RankShifts shifts;
    const auto known = m_known.find(capture.store.get());
    if (m_aligned && known != m_known.end()) shifts.clocks = known->second.clocks;
    if (const auto own = m_own.find(capture.id); own != m_own.end()) shifts.own = own->second;
    addTracks(shifts, capture);
    return shifts.clocks == nullptr && !shifts.hasOwn() && shifts.tracks.empty()
               ? nullptr
               : std::make_shared<const RankShifts>(std::move(shifts));
}

void TimelineClocks::report() {
    std::size_t moved = 0, all = 0;
    std::int64_t residual = 0;
    for (const auto& [store, known] : m_known) {
        if (known.clocks == nullptr) continue;
        for (const RankClock& clock : known.clocks->ranks) {
            ++all;
            if (!clock.isAligned()) continue;
            ++moved;
            residual = std::max(residual, clock.offsetResidual);
        }
    }
    emit statusMessage(moved == 0 ? tr("No two ranks have collectives in common: their clocks are as recorded.")
                                  : tr("Clocks of %1 of %2 ranks are aligned, within %3.")
                                        .arg(formatCount(moved), formatCount(all), formatDuration({residual})));
}

}  // namespace altiscope
