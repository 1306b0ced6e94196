#include "views/snapshot/data/profile_link.h"

#include "core/analysis/memory/memory_allocations.h"
#include "core/analysis/slices/slice_details.h"
#include "core/analysis/snapshot/range_clock.h"
#include "views/common/support/formatters.h"
#include "views/common/support/rank_texts.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

bool hasSlices(const RankEntry& entry) { return entry.trace != nullptr && entry.trace->sliceCount() > 0; }

/// How far apart the clocks are; empty if they are one.
QString aheadText(const HistoryTimes& times) {
    if (times.ahead.value <= HistoryTimes::kTolerance.value && times.ahead.value >= -HistoryTimes::kTolerance.value)
        return {};
    return u' ' + (times.ahead.value > 0 ? ProfileLink::tr("The profile's clock is ahead by %1; that is subtracted.")
                                         : ProfileLink::tr("The history's clock is ahead by %1; that is subtracted."))
                      .arg(formatDuration({std::abs(times.ahead.value)}));
}

/// Use of the history's own times for the join; empty if it has none.
QString timesText(const SnapshotAgreement& agreement) {
    const HistoryTimes& times = agreement.times;
    if (times.timed == 0) return {};
    const QString fitting = formatCount(times.fitting), timed = formatCount(times.timed);
    if (!times.fits())
        return u' ' + ProfileLink::tr("The history's own times (time_us) are not used: they fit %1 of %2 of these.")
                          .arg(fitting, timed);
    QString text;
    if (agreement.isTieBroken)
        text += u' ' + ProfileLink::tr("They fit at several places, as steps are alike; at this one the history's own "
                                       "times fit too.");
    text += u' ' + ProfileLink::tr("All other events have their own times (time_us), which fit %1 of %2 of these.")
                       .arg(fitting, timed);
    return text + aheadText(times);
}

QString agreementText(const SnapshotAgreement& agreement) {
    using Verdict = SnapshotAgreement::Verdict;
    if (agreement.ranges > 0)
        return ProfileLink::tr("Joined by %1 of %2 ranges (record_function) that both recorded; events have their own "
                               "times (time_us).")
                   .arg(formatCount(agreement.ranges), formatCount(agreement.times.timed)) +
               aheadText(agreement.times);
    switch (agreement.verdict) {
    case Verdict::Agrees: break;
    case Verdict::NoAllocations:
        return agreement.inHistory == 0
                   ? ProfileLink::tr("The clocks cannot be joined: the history has no allocations.")
                   : ProfileLink::tr("The clocks cannot be joined: the profile has no allocations to find those of "
                                     "the history by (profile_memory).");
    case Verdict::NoAgreement:
        return ProfileLink::tr("The clocks cannot be joined: the sizes of the history's %1 allocations are not "
                               "those of the profile's %2. Was it another run?")
            .arg(formatCount(agreement.inHistory), formatCount(agreement.inProfile));
    case Verdict::Ambiguous:
        return ProfileLink::tr("The clocks cannot be joined: the history's allocations fit at several places of the "
                               "profile, as steps are alike, and it has no times that say at which. Set the time of "
                               "two events.");
    }
    QString text =
        ProfileLink::tr("Joined by allocations that both recorded, of equal sizes in the same order: %1 of "
                        "%2 in the history, %3 in the profile.")
            .arg(formatCount(agreement.shared), formatCount(agreement.inHistory), formatCount(agreement.inProfile));
    if (agreement.unshared > 0)
        text +=
            u' ' + ProfileLink::tr("%1 between them are known to one side only.").arg(formatCount(agreement.unshared));
    if (agreement.outside > 0)
        text += u' ' + ProfileLink::tr("%1 lie outside of the time of the slices: do not rely on these.")
                           .arg(formatCount(agreement.outside));
    return text + timesText(agreement);
}

}  // namespace

std::optional<RankProfile> profileOf(const Session& session, const SnapshotChoice& choice) {
    const OpenCapture* own = session.capture(choice.capture);
    if (own == nullptr || own->store == nullptr || choice.rank.value >= own->store->ranks.size()) return std::nullopt;
    const RankInfo& info = own->store->ranks[choice.rank.value].info;
    const auto profile = [](const OpenCapture& open, RankIndex rank) {
        std::vector<const RankInfo*> all;
        for (const RankEntry& entry : open.store->ranks) all.push_back(&entry.info);
        return RankProfile{open.id, rank, open.store,
                           open.path.section(u'/', -1) + u", "_s +
                               rankNames({&open.store->ranks[rank.value].info}, all)};
    };
    if (hasSlices(own->store->ranks[choice.rank.value])) return profile(*own, choice.rank);
    const OpenCapture* found = nullptr;
    RankIndex foundRank;
    std::size_t known = 0;
    for (const OpenCapture& open : session.captures()) {
        if (open.id == choice.capture || open.store == nullptr || open.job != 0) continue;
        for (RankIndex rank; rank.value < open.store->ranks.size(); ++rank.value) {
            const RankEntry& entry = open.store->ranks[rank.value];
            if (!hasSlices(entry) || (info.rankId && entry.info.rankId != info.rankId)) continue;
            found = &open;
            foundRank = rank;
            ++known;
        }
    }
    // Without a number in the file the rank is certain only where there is a single one.
    if (found == nullptr || (!info.rankId && known > 1)) return std::nullopt;
    return profile(*found, foundRank);
}

ProfileLink::ProfileLink(Session& session, Selection& selection, SnapshotSelection& selected, QObject* parent)
    : QObject(parent), m_session(session), m_selection(selection), m_selected(selected), m_slot(session.jobs()),
      m_sliceSlot(session.jobs()), m_rangeSlot(session.jobs()) {
    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed})
        connect(&session, signal, this, &ProfileLink::follow);
    connect(&selection, &Selection::changed, this, &ProfileLink::followTimeline);
    connect(&selection, &Selection::shiftsChanged, this, &ProfileLink::followTimeline);
    connect(&selected, &SnapshotSelection::eventChanged, this, [this] {
        announceMoment();
        emit changed();
    });
}

void ProfileLink::setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot) {
    if (m_snapshot == snapshot) return;
    m_snapshot = std::move(snapshot);
    setProfile(std::nullopt);
    follow();
}

void ProfileLink::setProfile(std::optional<RankProfile> profile) {
    // A pending result is of another snapshot or profile.
    m_slot.cancel();
    m_sliceSlot.cancel();
    m_profile = std::move(profile);
    m_joined = {};
    m_isJoined = false;
    applyClock();
}

/// A profile is opened, read, or closed.
void ProfileLink::follow() {
    auto now = m_snapshot == nullptr ? std::nullopt : profileOf(m_session, m_snapshot->choice);
    std::erase_if(m_byHand, [this](const auto& set) { return m_session.capture(set.first.capture) == nullptr; });
    const bool isSame = now.has_value() == m_profile.has_value() && (!now || now->isSame(*m_profile));
    if (isSame) return;
    setProfile(std::move(now));
    if (m_profile) join();
}

void ProfileLink::join() {
    const RankEntry& entry = m_profile->entry();
    m_slot.start(
        [device = m_snapshot->device, rows = entry.rows, trace = entry.trace](const CancelToken& cancel) {
            JoinedClock joined = joinByAllocations(*device, rows.get(), trace->homeRange(), cancel);
            if (!joined.clock.empty()) return joined;
            JoinedClock byRanges = joinByRanges(*device, *trace, cancel);
            return byRanges.clock.empty() ? joined : byRanges;
        },
        [this](JoinedClock joined) {
            m_joined = std::move(joined);
            m_isJoined = true;
            applyClock();
        });
}

ProfileLink::Key ProfileLink::key() const {
    const SnapshotChoice& choice = m_snapshot->choice;
    return {choice.capture, choice.rank, choice.device.device, choice.file};
}

const std::vector<SnapshotMoment>& ProfileLink::byHand() const {
    static const std::vector<SnapshotMoment> none;
    if (m_snapshot == nullptr) return none;
    const auto set = m_byHand.find(key());
    return set == m_byHand.end() ? none : set->second;
}

void ProfileLink::applyClock() {
    m_clock = !m_profile ? SnapshotClock{} : isByHand() ? clockByHand(byHand()) : m_joined.clock;
    announceMoment();
    followTimeline();
    emit changed();
    emit clockChanged();
}

QString ProfileLink::text() const {
    if (m_snapshot == nullptr) return {};
    if (!m_profile) {
        const OpenCapture* open = m_session.capture(m_snapshot->choice.capture);
        const bool isKnown = open != nullptr && open->store != nullptr &&
                             m_snapshot->choice.rank.value < open->store->ranks.size() &&
                             open->store->ranks[m_snapshot->choice.rank.value].info.rankId.has_value();
        if (!isKnown)
            return tr("The file does not say of which rank it is: put it into the folder of its rank, or open the "
                      "profile of that rank alone.");
        return tr("No timeline of this rank is open: open its profile too to see when this was, and what ran.");
    }
    QString how;
    if (isByHand()) {
        how = m_clock.empty() ? tr("The times set by hand contradict the order of the events: reset them.")
              : m_clock.moments.size() == 1
                  ? tr("One event has a time set by hand: set that of another to know those between.")
                  : tr("Joined by %1 times set by hand; between them by the number of the event.")
                        .arg(m_clock.moments.size());
    } else if (m_isJoined) {
        how = agreementText(m_joined.agreement);
    } else {
        return {};
    }
    return tr("Timeline: %1. %2", "name, how the clocks are joined").arg(m_profile->title, how);
}

QString ProfileLink::eventTime() const {
    const auto time = m_profile ? m_clock.timeOf(m_selected.eventNumber()) : std::nullopt;
    if (!time) return {};
    const OpenCapture* open = m_session.capture(m_profile->capture);
    const TimeNs origin = open == nullptr ? TimeNs{} : open->times.origin().value_or(TimeNs{});
    const QString text = formatRelativeTime(*time, origin);
    return m_clock.momentOf(m_selected.eventNumber()) != nullptr ? text : tr("about %1").arg(text);
}

// --- from the timeline --------------------------------------------------------------------------------------------

void ProfileLink::followTimeline() {
    m_rangeSlot.cancel();
    const SelectionState& state = m_selection.current();
    if (!m_profile || state.capture != m_profile->capture) return setTimelineRange(std::nullopt);
    if (state.range) return setTimelineRange(TimeRange{state.range->begin - shift(), state.range->end - shift()});
    if (!state.slice || state.slice->rank != m_profile->rank) return setTimelineRange(std::nullopt);
    m_rangeSlot.start(
        [store = m_profile->store, key = *state.slice](const CancelToken&) -> std::optional<TimeRange> {
            const auto slice = findSlice(*store, key);
            if (!slice) return std::nullopt;
            const TraceStore& trace = *store->ranks[slice->rank.value].trace;
            return TimeRange{trace.begin(slice->slice), trace.end(slice->slice)};
        },
        [this](std::optional<TimeRange> range) { setTimelineRange(range); });
}

DurationNs ProfileLink::shift() const {
    const auto shifts = m_selection.shiftsOf(m_profile->capture);
    return shifts != nullptr && m_profile->rank.value < shifts->size() ? (*shifts)[m_profile->rank.value]
                                                                       : DurationNs{};
}

void ProfileLink::setTimelineRange(std::optional<TimeRange> range) {
    m_timelineRange = range;
    std::optional<EventRange> events;
    if (range && !m_clock.empty()) {
        // A block that is partly known is shown as far as it is.
        const TimeNs begin = std::max(range->begin, m_clock.moments.front().time),
                     end = std::min(range->end, m_clock.moments.back().time);
        const auto from = m_clock.eventAt(begin), to = m_clock.eventAt(end);
        if (begin <= end && from && to) events = EventRange{*from, *to};
    }
    if (std::exchange(m_timelineEvents, events) != events) emit timelineEventsChanged();
}

std::optional<TimeNs> ProfileLink::timelineTime() const {
    return m_timelineRange ? std::optional(m_timelineRange->begin) : std::nullopt;
}

// --- to the timeline ----------------------------------------------------------------------------------------------

void ProfileLink::announceMoment() {
    if (!m_profile) return emit momentChanged(kNoCapture, {}, std::nullopt, {});
    emit momentChanged(m_profile->capture, m_profile->rank, m_clock.timeOf(m_selected.eventNumber()),
                       tr("Snapshot: %1").arg(eventText(m_selected.eventNumber())));
}

void ProfileLink::setByHand(TimeNs time) {
    if (m_snapshot == nullptr || m_selected.eventNumber() < 0) return;
    m_byHand[key()].push_back({m_selected.eventNumber(), time});
    applyClock();
}

void ProfileLink::forgetByHand() {
    if (m_snapshot == nullptr) return;
    m_byHand.erase(key());
    applyClock();
}

void ProfileLink::goToOperator(BlockNumber block) {
    if (m_snapshot == nullptr || block >= m_snapshot->device->blocks.size()) return;
    if (!m_profile || m_clock.empty()) return emit statusMessage(text());
    const EventNumber event = m_snapshot->device->blocks[block].begin;
    const auto time = m_clock.timeOf(event);
    if (!time)
        return emit statusMessage(event < 0 ? tr("This block was allocated before the history.")
                                            : tr("When this block was allocated is not known: it lies outside of what "
                                                 "both recordings have."));
    const SnapshotMoment* known = m_clock.momentOf(event);
    if (known != nullptr && known->row != SnapshotMoment::kNoRow) {
        constexpr RowKind A = RowKind::Allocation;
        const RowTables& rows = *m_profile->entry().rows;
        const auto name = rows.find(A)->text(fixedColumn(A, "name"), known->row);
        return showSlice(name ? std::string(rows.text(*name)) : std::string(), *time, {*time, *time + DurationNs{1}});
    }
    const auto after = std::lower_bound(m_clock.moments.begin(), m_clock.moments.end(), event,
                                        [](const SnapshotMoment& moment, EventNumber at) { return moment.event < at; });
    // Only the times of its neighbours are known.
    const TimeNs from = known != nullptr ? *time : (after - 1)->time;
    showRange({from, std::max(after->time, from + DurationNs{1})});
    emit statusMessage(tr("Which operator allocated it was not recorded: the time of the allocation is marked."));
}

void ProfileLink::showSlice(const std::string& name, TimeNs at, TimeRange around) {
    m_sliceSlot.start(
        [trace = m_profile->entry().trace, name, at](const CancelToken&) -> std::optional<SliceId> {
            const auto slice = name.empty() ? std::nullopt : allocatingSlice(*trace, name, at);
            return slice ? std::optional(trace->id(*slice)) : std::nullopt;
        },
        [this, name, around](std::optional<SliceId> slice) {
            if (!m_profile) return;
            if (!slice) {
                showRange(around);
                return emit statusMessage(tr("The timeline has no slice of %1 there: its time is marked.")
                                              .arg(name.empty() ? tr("the operator") : toQString(name)));
            }
            const SliceKey key{m_profile->rank, *slice};
            m_selection.selectSlice(m_profile->capture, key);
            m_selection.reveal(m_profile->capture, key);
            emit timelineRequested();
        });
}

void ProfileLink::showRange(TimeRange range) {
    SelectionState state = m_selection.current();
    if (state.capture != m_profile->capture) state.slice.reset();
    state.capture = m_profile->capture;
    state.range = TimeRange{range.begin + shift(), range.end + shift()};
    m_selection.set(state);
    emit timelineRequested();
}

}  // namespace altiscope
