#include "core/analysis/slices/selection_statistics.h"

#include "core/analysis/slices/selection_parts.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace altiscope {

namespace {

/// A selection on its way to its statistics.
class StatisticsMaker {
public:
    StatisticsMaker(const SliceSelection& selection, const CancelToken& cancel)
        : m_selection(selection), m_cancel(cancel), m_spans(spansOf(selection)), m_pieces(piecesOf(m_spans)) {}

    void makeSums();
    void makeSpread();
    SelectionStatistics& result() { return m_result; }

private:
    std::size_t trackCount() const { return m_firstTrack.back(); }
    DurationParts durations(std::size_t firstSpan, std::size_t lastSpan) const;
    void numberNames();
    void makeNameSpread();

    const SliceSelection& m_selection;
    const CancelToken& m_cancel;
    std::vector<SliceSpan> m_spans;
    std::vector<SlicePiece> m_pieces;
    std::vector<WorkerNames> m_workers = std::vector<WorkerNames>(kSelectionWorkers);
    PairTable<std::uint32_t> m_names;       // place in m_result.names
    std::vector<std::size_t> m_firstTrack;  // number of the first track of each selected rank, and of all
    std::vector<std::size_t> m_spanOfTrack, m_spanOfRank;  // first spans of the result's tracks and ranks, and of none
    SelectionStatistics m_result;
};

/// Names are compared by their texts, because each rank has numbers of its own.
void StatisticsMaker::numberNames() {
    std::unordered_map<std::string_view, std::uint32_t> places;
    std::vector<RawSums> sums;
    for (const WorkerNames& worker : m_workers) {
        for (const WorkerNames::Entry& entry : worker.entries()) {
            const std::string_view text = storeOf(m_selection, entry.first()).text(StringId{entry.second()});
            const auto place = places.try_emplace(text, static_cast<std::uint32_t>(places.size())).first->second;
            if (place == sums.size()) {
                sums.emplace_back();
                m_result.names.push_back({text, {}});
            }
            sums[place].add(entry.value);
            m_names[entry.key] = place;
        }
    }
    std::vector<std::uint32_t> order(sums.size());
    for (std::uint32_t n = 0; n < order.size(); ++n) {
        order[n] = n;
        m_result.names[n].sums = sums[n].sums();
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const NameSums &left = m_result.names[a], &right = m_result.names[b];
        return std::tuple(-left.sums.sum, left.name) < std::tuple(-right.sums.sum, right.name);
    });
    std::vector<std::uint32_t> newPlace(order.size());
    std::vector<NameSums> sorted;
    for (std::uint32_t n = 0; n < order.size(); ++n) {
        newPlace[order[n]] = n;
        sorted.push_back(m_result.names[order[n]]);
    }
    m_result.names = std::move(sorted);
    for (auto& entry : m_names.entries()) entry.value = newPlace[entry.value];
}

void StatisticsMaker::makeSums() {
    std::vector<RawSums> bySpan;
    addUp(m_selection, m_spans, m_pieces, m_workers, bySpan, m_cancel);
    if (m_cancel.cancelled()) return;
    m_result.capture = m_selection.capture;
    m_firstTrack.assign(1, 0);
    for (const SelectedRank& rank : m_selection.ranks) m_firstTrack.push_back(m_firstTrack.back() + rank.tracks.size());
    const GroupOf tracks{
        .kind = GroupOf::Kind::Track, .count = 1 + m_selection.ranks.size() + trackCount(), .names = nullptr};
    const std::vector<std::int64_t> together = unionTimes(m_selection, m_spans, tracks, m_cancel);
    if (m_cancel.cancelled()) return;

    std::vector<RawSums> byTrack, byRank;
    RawSums all;
    for (std::size_t s = 0; s < m_spans.size(); ++s) {
        const SliceSpan& span = m_spans[s];
        const RankIndex rank = m_selection.ranks[span.selected].rank;
        if (s == 0 || span.selected != m_spans[s - 1].selected) {
            m_result.ranks.push_back({rank, {}});
            m_spanOfRank.push_back(s);
            byRank.emplace_back();
        }
        if (s == 0 || span.track != m_spans[s - 1].track) {
            m_result.tracks.push_back({rank, span.trackIndex, {}});
            m_spanOfTrack.push_back(s);
            byTrack.emplace_back();
        }
        for (RawSums* sums : {&all, &byRank.back(), &byTrack.back()}) sums->add(bySpan[s]);
    }
    m_result.all = all.sums();
    m_result.all.together = together[0];
    for (std::size_t r = 0; r < byRank.size(); ++r) {
        m_result.ranks[r].sums = byRank[r].sums();
        m_result.ranks[r].sums.together = together[1 + m_spans[m_spanOfRank[r]].selected];
    }
    for (std::size_t t = 0; t < byTrack.size(); ++t) {
        m_result.tracks[t].sums = byTrack[t].sums();
        m_result.tracks[t].sums.together = together[1 + m_selection.ranks.size() + m_spans[m_spanOfTrack[t]].track];
    }
    m_spanOfRank.push_back(m_spans.size());
    m_spanOfTrack.push_back(m_spans.size());
    numberNames();
}

DurationParts StatisticsMaker::durations(std::size_t firstSpan, std::size_t lastSpan) const {
    DurationParts parts;
    for (std::size_t s = firstSpan; s < lastSpan; ++s) {
        const SliceSpan& span = m_spans[s];
        parts.push_back(
            storeOf(m_selection, span.selected).columns().duration.span().subspan(span.first, span.last - span.first));
    }
    return parts;
}

/// Brings the durations of each name together, and looks at them name by name.
void StatisticsMaker::makeNameSpread() {
    std::vector<std::size_t> first(m_result.names.size() + 1);
    for (std::size_t n = 0; n < m_result.names.size(); ++n) first[n + 1] = first[n] + m_result.names[n].sums.count;
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    std::vector<PairTable<std::size_t>> places(m_workers.size());
    for (std::size_t w = 0; w < m_workers.size(); ++w) {
        for (const WorkerNames::Entry& entry : m_workers[w].entries()) {
            std::size_t& place = next[m_names.at(entry.key)];
            places[w][entry.key] = place;
            place += entry.value.count;
        }
    }
    std::vector<std::int64_t> durations(first.back());
    parallelFor(m_workers.size(), [&](std::size_t w) {
        for (const SlicePiece& piece : m_pieces) {
            if (piece.worker != w) continue;
            if (m_cancel.cancelled()) return;
            const SliceSpan& span = m_spans[piece.span];
            const TraceColumns& columns = storeOf(m_selection, span.selected).columns();
            for (std::uint32_t i = piece.first; i < piece.last; ++i)
                durations[places[w][PairTable<std::size_t>::key(span.selected, columns.name[i])]++] =
                    columns.duration[i];
        }
    });
    if (m_cancel.cancelled()) return;
    parallelFor(m_result.names.size(), [&](std::size_t n) {
        const auto part = std::span<const std::int64_t>(durations).subspan(first[n], first[n + 1] - first[n]);
        m_result.names[n].sums.percentiles = percentilesOf({part}, m_cancel);
    });
}

void StatisticsMaker::makeSpread() {
    makeNameSpread();
    if (m_cancel.cancelled()) return;
    const GroupOf names{.kind = GroupOf::Kind::Name, .count = m_result.names.size(), .names = &m_names};
    const std::vector<std::int64_t> together = unionTimes(m_selection, m_spans, names, m_cancel);
    for (std::size_t n = 0; n < together.size(); ++n) m_result.names[n].sums.together = together[n];

    const DurationParts all = durations(0, m_spans.size());
    m_result.histogram = histogramOf(all, m_cancel);
    m_result.all.percentiles = percentilesOf(all, m_cancel);
    parallelFor(m_result.tracks.size(), [&](std::size_t t) {
        m_result.tracks[t].sums.percentiles =
            percentilesOf(durations(m_spanOfTrack[t], m_spanOfTrack[t + 1]), m_cancel);
    });
    for (std::size_t r = 0; r < m_result.ranks.size(); ++r) {
        const bool isAll = m_result.ranks.size() == 1;
        m_result.ranks[r].sums.percentiles =
            isAll ? m_result.all.percentiles : percentilesOf(durations(m_spanOfRank[r], m_spanOfRank[r + 1]), m_cancel);
    }
    m_result.complete = true;
}

}  // namespace

Result<SelectionStatistics> selectionStatistics(const SliceSelection& selection,
                                                const std::function<void(const SelectionStatistics&)>& sumsReady,
                                                const CancelToken& cancel) {
    StatisticsMaker maker(selection, cancel);
    maker.makeSums();
    if (cancel.cancelled()) return Cancelled{};
    if (sumsReady) sumsReady(maker.result());
    maker.makeSpread();
    if (cancel.cancelled()) return Cancelled{};
    return std::move(maker.result());
}

}  // namespace altiscope
