#include "views/timeline/timeline_clocks.h"

#include "views/common/formatters.h"

#include <algorithm>

namespace altiscope {

TimelineClocks::TimelineClocks(Session& session, QObject* parent) : QObject(parent), m_session(session), m_slot(session.jobs()) {}

void TimelineClocks::toggle() {
    m_aligned = !m_aligned;
    m_known.clear();
    if (!m_aligned) emit statusMessage(tr("The clocks of ranks are as recorded."));
    emit changed();
}

void TimelineClocks::follow() {
    std::erase_if(m_known, [](const auto& known) { return known.second.store.expired(); });
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
                tell();
                emit becameIdle();
            });
        return;
    }
}

std::shared_ptr<const ClockAlignment> TimelineClocks::of(const CaptureStore& store) const {
    const auto known = m_known.find(&store);
    return !m_aligned || known == m_known.end() ? nullptr : known->second.clocks;
}

void TimelineClocks::tell() {
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

} // namespace altiscope
