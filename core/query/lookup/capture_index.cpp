#include "core/query/lookup/capture_index.h"

#include "core/findings/run_rules.h"

#include <algorithm>

namespace altiscope {

CaptureIndex::CaptureIndex(std::shared_ptr<const CaptureStore> capture)
    : m_capture(std::move(capture)), m_analysis(m_capture), m_recordings(recordingsOf(*m_capture)),
      m_names(std::make_unique<Lazy<NameIndex>[]>(m_capture->ranks.size())) {
    bool any = false;
    for (RankIndex r; r.value < rankCount(); ++r.value) {
        const bool newGroup = r.value > 0 && rankId(r) != rankId({r.value - 1});
        m_groups.push_back(r.value == 0 ? 0 : m_groups.back() + (newGroup ? 1 : 0));
        IdSpan& ids = m_sliceIds.emplace_back();
        const TraceStore* store = trace(r);
        if (store == nullptr) continue;
        ++m_stores;
        for (std::uint32_t t = 0; t < store->tracks().size(); ++t) m_tracks.push_back({store->tracks()[t].id, r, t});
        m_sliceCount += store->sliceCount();
        const auto& low = store->columns().blockPosMin;
        const auto& high = store->columns().blockPosMax;
        if (low.size() > 0) {
            ids.low = static_cast<std::int64_t>(std::min_element(low.begin(), low.end())->packed);
            ids.high = static_cast<std::int64_t>(std::max_element(high.begin(), high.end())->packed);
        }
        if (store->homeRange().empty()) continue;
        m_range.begin = any ? std::min(m_range.begin, store->homeRange().begin) : store->homeRange().begin;
        m_range.end = any ? std::max(m_range.end, store->homeRange().end) : store->homeRange().end;
        any = true;
    }
    std::sort(m_tracks.begin(), m_tracks.end(), [](const TrackPlace& a, const TrackPlace& b) { return a.id < b.id; });
}

std::pair<RankIndex, RankIndex> CaptureIndex::ranksWithId(std::int64_t id) const {
    const auto& ranks = m_capture->ranks;
    // An absent id compares less than every number, and so does a rank without one stand before the others.
    const auto first = std::lower_bound(ranks.begin(), ranks.end(), id,
                                        [](const RankEntry& entry, std::int64_t v) { return entry.info.rankId < v; });
    const auto last = std::upper_bound(first, ranks.end(), id,
                                       [](std::int64_t v, const RankEntry& entry) { return v < entry.info.rankId; });
    return {rankIndex(static_cast<std::size_t>(first - ranks.begin())),
            rankIndex(static_cast<std::size_t>(last - ranks.begin()))};
}

const TrackPlace* CaptureIndex::findTrack(std::int64_t id) const {
    const auto found = std::lower_bound(m_tracks.begin(), m_tracks.end(), id,
                                        [](const TrackPlace& place, std::int64_t v) { return place.id.value < v; });
    return found == m_tracks.end() || found->id.value != id ? nullptr : &*found;
}

std::optional<IndexedSlice> CaptureIndex::findSlice(std::int64_t id) const {
    for (RankIndex r; r.value < rankCount(); ++r.value) {
        if (id < m_sliceIds[r.value].low || id > m_sliceIds[r.value].high) continue;
        if (const auto slice = trace(r)->findSlice(SliceId{id})) return IndexedSlice{r, slice->value};
    }
    return std::nullopt;
}

std::shared_ptr<const ClockAlignment> CaptureIndex::clocks(const CancelToken& cancel) const {
    return m_clocks.get([&] { return alignClocks(*m_capture, cancel); }, cancel);
}

std::shared_ptr<const std::vector<Finding>> CaptureIndex::findings(const CancelToken& cancel) const {
    // The facts are what takes time, and they are made once.
    const auto facts = m_analysis.facts(cancel);
    if (!facts) return nullptr;
    return m_findings.get(
        [&]() -> std::optional<std::vector<Finding>> {
            std::vector<Finding> found = runRules(*facts, memoryUsage(*m_capture, *facts, cancel), {}, cancel);
            if (cancel.cancelled()) return std::nullopt;
            return found;
        },
        cancel);
}

bool CaptureIndex::namesReady() const { return m_namesReady.load(std::memory_order_relaxed) == m_stores; }

std::shared_ptr<const NameIndex> CaptureIndex::nameIndex(RankIndex rank, const CancelToken& cancel) const {
    return m_names[rank.value].get(
        [&] {
            auto built = NameIndex::build(*trace(rank), cancel);
            if (built) m_namesReady.fetch_add(1, std::memory_order_relaxed);
            return built;
        },
        cancel);
}

}  // namespace altiscope
