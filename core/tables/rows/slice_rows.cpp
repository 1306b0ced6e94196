#include "core/tables/rows/slice_rows.h"

#include "core/tables/sources/column_table.h"
#include "core/tables/sources/merged_texts.h"

#include <algorithm>

namespace altiscope {

namespace {

void sortOnce(std::vector<std::string>& texts) {
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
}

std::int64_t numberOf(const std::vector<std::string>& texts, const std::string& text) {
    return std::lower_bound(texts.begin(), texts.end(), text) - texts.begin();
}

}  // namespace

std::shared_ptr<const SliceRows> SliceRows::make(const SliceSelection& selection, std::vector<SliceSpan> spans,
                                                 TimeNs origin, const CancelToken& cancel, ChosenSlices chosen) {
    auto table = std::make_shared<SliceRows>();
    table->m_chosen = std::move(chosen);
    table->m_capture = selection.capture;
    table->m_columns = {{.name = "rank_id", .type = CellType::Integer},
                        {.name = "process", .type = CellType::Text},
                        {.name = "track", .type = CellType::Text},
                        {.name = "name", .type = CellType::Text},
                        {.name = "category", .type = CellType::Text},
                        {.name = "ts", .type = CellType::Integer, .unit = CellUnit::Time, .origin = origin.value},
                        {.name = "dur", .type = CellType::Integer, .unit = CellUnit::Duration},
                        {.name = "self_dur", .type = CellType::Integer, .unit = CellUnit::Duration},
                        {.name = "depth", .type = CellType::Integer}};
    table->numberNames(selection, cancel);
    if (cancel.cancelled()) return nullptr;
    table->numberTracks(selection, spans);
    for (std::size_t s = 0; s < spans.size(); ++s) {
        const SliceSpan& span = spans[s];
        const auto* hits = table->m_chosen == nullptr ? nullptr : &(*table->m_chosen)[s];
        if (hits != nullptr && hits->empty()) continue;
        const RankEntry& rank = selection.capture->ranks[selection.ranks[span.selected].rank.value];
        const altiscope::Track& track = rank.trace->track(span.trackIndex);
        table->m_stretches.push_back({.firstRow = table->m_rows,
                                      .store = rank.trace,
                                      .rank = selection.ranks[span.selected].rank,
                                      .source = span.selected,
                                      .first = span.first,
                                      .chosen = hits == nullptr ? nullptr : hits->data(),
                                      .depth = span.depth,
                                      .process = numberOf(table->m_processes, track.process),
                                      .track = numberOf(table->m_tracks, track.name),
                                      .rankId = rank.info.rankId.value_or(kAbsentCell)});
        table->m_rows += hits == nullptr ? span.count() : hits->size();
        if (!besideRank(rank.info).empty()) table->m_columns[Rank].hasBeside = true;
    }
    return table;
}

/// The number of a text is its place among all texts; those of one store are sorted already.
void SliceRows::numberNames(const SliceSelection& selection, const CancelToken& cancel) {
    if (selection.ranks.size() < 2) return;
    std::vector<const StringPool*> pools;
    for (std::uint32_t r = 0; r < selection.ranks.size(); ++r) pools.push_back(&storeOf(selection, r).texts());
    MergedTexts merged = mergedTexts(pools, cancel);
    m_texts = std::move(merged.texts);
    m_numbers = std::move(merged.numbers);
}

void SliceRows::numberTracks(const SliceSelection& selection, const std::vector<SliceSpan>& spans) {
    for (const SliceSpan& span : spans) {
        const altiscope::Track& track = storeOf(selection, span.selected).track(span.trackIndex);
        m_processes.push_back(track.process);
        m_tracks.push_back(track.name);
    }
    sortOnce(m_processes);
    sortOnce(m_tracks);
}

SliceRef SliceRows::slice(std::size_t row) const {
    const auto after = std::upper_bound(m_stretches.begin(), m_stretches.end(), row,
                                        [](std::size_t r, const Stretch& s) { return r < s.firstRow; });
    const Stretch& stretch = *std::prev(after);
    return {stretch.rank, {sliceOf(stretch, row)}};
}

std::optional<std::size_t> SliceRows::rowOf(SliceRef slice) const {
    for (std::size_t s = 0; s < m_stretches.size(); ++s) {
        const Stretch& stretch = m_stretches[s];
        if (stretch.rank != slice.rank) continue;
        const std::size_t count =
            (s + 1 < m_stretches.size() ? m_stretches[s + 1].firstRow : m_rows) - stretch.firstRow;
        std::size_t place = count;
        if (stretch.chosen == nullptr) {
            if (slice.slice.value >= stretch.first) place = slice.slice.value - stretch.first;
        } else {
            const auto* last = stretch.chosen + count;
            const auto* found = std::lower_bound(stretch.chosen, last, slice.slice.value);
            if (found != last && *found == slice.slice.value) place = static_cast<std::size_t>(found - stretch.chosen);
        }
        if (place < count) return stretch.firstRow + place;
    }
    return std::nullopt;
}

std::int64_t SliceRows::cellOf(const Stretch& stretch, std::size_t column, std::uint32_t slice) const {
    const TraceColumns& columns = stretch.store->columns();
    const auto textNumber = [&](StringId id) -> std::int64_t {
        return m_numbers.empty() ? id.value : m_numbers[stretch.source][id.value];
    };
    switch (column) {
    case Rank: return stretch.rankId;
    case Process: return stretch.process;
    case Track: return stretch.track;
    case Name: return textNumber(columns.name[slice]);
    case Category: return textNumber(columns.category[slice]);
    case Begin: return columns.begin[slice];
    case Duration: return columns.duration[slice];
    case Self: return columns.selfDuration[slice];
    default: return stretch.depth;
    }
}

void SliceRows::read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const {
    if (out.empty()) return;
    auto stretch = std::prev(std::upper_bound(m_stretches.begin(), m_stretches.end(), first,
                                              [](std::size_t row, const Stretch& s) { return row < s.firstRow; }));
    for (std::size_t done = 0; done < out.size(); ++stretch) {
        const std::size_t next = std::next(stretch) == m_stretches.end() ? m_rows : std::next(stretch)->firstRow;
        const std::size_t count = std::min(out.size() - done, next - (first + done));
        for (std::size_t i = 0; i < count; ++i)
            out[done + i] = cellOf(*stretch, column, sliceOf(*stretch, first + done + i));
        done += count;
    }
}

std::string_view SliceRows::text(std::size_t column, std::int64_t number) const {
    const auto place = static_cast<std::size_t>(number);
    if (column == Process) return m_processes[place];
    if (column == Track) return m_tracks[place];
    return m_numbers.empty() ? m_stretches.front().store->text({static_cast<std::uint32_t>(number)}) : m_texts[place];
}

std::string_view SliceRows::beside(std::size_t column, std::size_t row) const {
    return column == Rank ? besideRank(m_capture->ranks[slice(row).rank.value].info) : std::string_view();
}

std::size_t SliceRows::textCount(std::size_t column) const {
    if (column == Process) return m_processes.size();
    if (column == Track) return m_tracks.size();
    if (column != Name && column != Category) return 0;
    if (!m_numbers.empty()) return m_texts.size();
    return m_stretches.empty() ? 0 : m_stretches.front().store->texts().size();
}

}  // namespace altiscope
