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
        const TraceStore* store = trace(r);
        if (store == nullptr) continue;
        ++m_stores;
        for (std::uint32_t t = 0; t < store->tracks().size(); ++t) m_tracks.push_back({store->tracks()[t].id, r, t});
        m_sliceCount += store->sliceCount();
        const auto& low = store->columns().blockPosMin;
        const auto& high = store->columns().blockPosMax;
        if (low.size() > 0) {
            m_sliceIds.push_back({static_cast<std::int64_t>(std::min_element(low.begin(), low.end())->packed),
                                  static_cast<std::int64_t>(std::max_element(high.begin(), high.end())->packed), r});
        }
        if (store->homeRange().empty()) continue;
        m_range.begin = any ? std::min(m_range.begin, store->homeRange().begin) : store->homeRange().begin;
        m_range.end = any ? std::max(m_range.end, store->homeRange().end) : store->homeRange().end;
        any = true;
    }
    std::stable_sort(m_sliceIds.begin(), m_sliceIds.end(),
                     [](const IdSpan& a, const IdSpan& b) { return a.low < b.low; });
    for (std::size_t i = 1; i < m_sliceIds.size(); ++i)
        m_areIdsApart = m_areIdsApart && m_sliceIds[i - 1].high < m_sliceIds[i].low;
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
    auto span = m_sliceIds.begin();
    if (m_areIdsApart)
        span = std::partition_point(span, m_sliceIds.end(), [id](const IdSpan& ids) { return ids.high < id; });
    for (; span != m_sliceIds.end() && span->low <= id; ++span) {
        if (id > span->high) continue;
        if (const auto slice = trace(span->rank)->findSlice(SliceId{id})) return IndexedSlice{span->rank, slice->value};
    }
    return std::nullopt;
}

Lazy<KeyedRows>& CaptureIndex::keyedSlot(const void* list, int column) const {
    const std::lock_guard lock(m_keyedMutex);
    return m_keyed[{list, column}];
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
