#include "core/session/selection.h"

#include <algorithm>
#include <utility>

namespace altiscope {

ContextFilter baseContext(const ContextFilter& context, const BaseChoice& base) {
    ContextFilter of = context.forCapture(base.capture);
    if (!base.ranks.empty()) {
        of.ranks = base.ranks;
        of.devices.clear();
    }
    if (!base.steps.empty()) {
        of.steps = base.steps;
        of.range.reset();
        of.rangeCapture = kNoCapture;
        of.rangeShifts.reset();
    }
    return of;
}

void Selection::set(SelectionState state) {
    state.contextOf = m_shownCapture;
    if (state == m_current) return;
    m_past.push_back(std::exchange(m_current, std::move(state)));
    if (m_past.size() > kHistory) m_past.erase(m_past.begin());
    m_future.clear();
    keepContext();
    emit changed();
}

void Selection::selectSlice(CaptureId capture, SliceKey slice) {
    SelectionState state = m_current;
    // Another capture has another clock, on which the marked range means nothing.
    if (state.capture != capture) state.range.reset();
    state.capture = capture;
    state.slice = slice;
    set(state);
}

void Selection::setRange(std::optional<TimeRange> range) {
    SelectionState state = m_current;
    state.range = range;
    set(state);
}

void Selection::setContext(ContextFilter context) {
    SelectionState state = m_current;
    state.context = std::move(context);
    drawRange(state);
    set(std::move(state));
}

/// After a change: the context is that of the shown capture, and known when that is shown again.
void Selection::keepContext() {
    if (m_current.contextOf == m_shownCapture) {
        m_contexts[m_shownCapture] = m_current.context;
    } else {
        m_current.context = m_contexts[m_shownCapture];
        m_current.contextOf = m_shownCapture;
        drawRange(m_current);
    }
}

void Selection::setBase(std::optional<BaseChoice> base) {
    SelectionState state = m_current;
    state.base = std::move(base);
    set(state);
}

std::optional<BaseChoice> Selection::baseOf(CaptureId shown) const {
    const auto& base = m_current.base;
    if (base && base->capture == shown && base->ranks.empty() && base->steps.empty()) return std::nullopt;
    return base;
}

void Selection::drawRange(SelectionState& state) const {
    ContextFilter& context = state.context;
    context.rangeShifts = context.range ? shiftsOf(context.rangeCapture) : nullptr;
}

void Selection::clear() {
    set({.capture = kNoCapture,
         .slice = {},
         .range = {},
         .context = m_current.context,
         .contextOf = m_current.contextOf,
         .page = m_current.page,
         .base = m_current.base});
}

void Selection::forget(CaptureId capture) {
    m_shifts.erase(capture);
    m_contexts.erase(capture);
    if (std::erase_if(m_tracks, [capture](const ComputedTrack& track) { return track.capture == capture; }) > 0)
        emit tracksChanged();
    const std::size_t before = m_past.size() + m_future.size();
    const auto concerns = [capture](const SelectionState& state) { return state.capture == capture; };
    const auto clean = [&concerns](std::vector<SelectionState>& history) {
        std::erase_if(history, concerns);
        // The neighbours of a forgotten state may be equal now, and an undo that changes nothing looks broken.
        history.erase(std::unique(history.begin(), history.end()), history.end());
    };
    clean(m_past);
    clean(m_future);
    // A range on its clock means nothing any more, nor does it as a base.
    const auto narrow = [capture](ContextFilter& context) {
        if (context.rangeCapture != capture) return;
        context.range.reset();
        context.rangeCapture = kNoCapture;
        context.rangeShifts.reset();
    };
    const auto dropRange = [&](SelectionState& state) {
        if (state.base && state.base->capture == capture) state.base.reset();
        narrow(state.context);
    };
    for (auto& [of, context] : m_contexts) narrow(context);
    for (auto* history : {&m_past, &m_future}) std::for_each(history->begin(), history->end(), dropRange);
    const bool narrowed = (m_current.context.range && m_current.context.rangeCapture == capture) ||
                          (m_current.base && m_current.base->capture == capture);
    dropRange(m_current);
    const bool lost = concerns(m_current);
    if (lost) {
        m_current = {};
        keepContext();
    }
    if (!m_past.empty() && m_past.back() == m_current) m_past.pop_back();
    if (!m_future.empty() && m_future.back() == m_current) m_future.pop_back();
    if (lost || narrowed || before != m_past.size() + m_future.size()) emit changed();
}

void Selection::undo() {
    if (m_past.empty()) return;
    m_future.push_back(std::exchange(m_current, m_past.back()));
    m_past.pop_back();
    keepContext();
    emit changed();
}

void Selection::redo() {
    if (m_future.empty()) return;
    m_past.push_back(std::exchange(m_current, m_future.back()));
    m_future.pop_back();
    keepContext();
    emit changed();
}

void Selection::setShifts(CaptureId capture, std::shared_ptr<const std::vector<DurationNs>> shifts,
                          std::optional<TimeNs> origin) {
    const auto before = shiftsOf(capture);
    const bool isSame = before == shifts || (before != nullptr && shifts != nullptr && *before == *shifts);
    if (isSame && originOf(capture) == origin) return;
    if (shifts == nullptr && !origin) m_shifts.erase(capture);
    else m_shifts[capture] = {isSame ? before : std::move(shifts), origin};
    // The history too: a step back must not draw ranks otherwise than they are.
    for (auto* history : {&m_past, &m_future}) {
        for (SelectionState& state : *history) drawRange(state);
    }
    const auto shiftsOfRange = m_current.context.rangeShifts;
    drawRange(m_current);
    emit shiftsChanged();
    if (m_current.context.rangeShifts != shiftsOfRange) emit changed();
}

std::shared_ptr<const std::vector<DurationNs>> Selection::shiftsOf(CaptureId capture) const {
    const auto known = m_shifts.find(capture);
    return known == m_shifts.end() ? nullptr : known->second.shifts;
}

std::optional<TimeNs> Selection::originOf(CaptureId capture) const {
    const auto known = m_shifts.find(capture);
    return known == m_shifts.end() ? std::nullopt : known->second.origin;
}

void Selection::showCapture(CaptureId capture) {
    const CaptureId before = std::exchange(m_shownCapture, capture);
    if (before == capture) return;
    const ContextFilter context = m_current.context;
    if (before == kNoCapture) m_current.contextOf = capture;
    keepContext();
    emit shownCaptureChanged(capture);
    if (m_current.context != context) emit changed();
}

std::uint32_t Selection::addTrack(ComputedTrack track) {
    track.id = m_nextTrack++;
    m_tracks.push_back(std::move(track));
    if (m_tracks.size() > kMaxTracks) m_tracks.erase(m_tracks.begin());
    emit tracksChanged();
    return m_nextTrack - 1;
}

void Selection::removeTrack(std::uint32_t id) {
    const auto removed = std::erase_if(m_tracks, [id](const ComputedTrack& track) { return track.id == id; });
    if (removed > 0) emit tracksChanged();
}

void Selection::reveal(CaptureId capture, SliceKey slice) { emit revealRequested(capture, slice); }

}  // namespace altiscope
