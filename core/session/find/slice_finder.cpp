#include "core/session/find/slice_finder.h"

#include "core/base/text/regular_expression.h"
#include "core/base/threads/parallel.h"
#include "core/query/functions/source_search.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string_view>

namespace altiscope {

namespace {

constexpr std::size_t kTextsTogether = 4096, kArgumentsTogether = 4096;
/// Shorter texts stand nearly everywhere in a source.
constexpr std::size_t kShortestNeedle = 3;

/// A pattern that means what the query says.
std::string patternOf(const SliceQuery& query) {
    std::string pattern = query.text;
    if (!query.isRegex) {
        // "\E" would end the quotation.
        for (std::size_t at = pattern.find("\\E"); at != std::string::npos; at = pattern.find("\\E", at + 7))
            pattern.replace(at, 2, "\\E\\\\E\\Q");
        pattern = "\\Q" + pattern + "\\E";
    }
    // Where the text itself begins or ends with a sign, there is no border of a word to request.
    if (query.wholeWords) pattern = "(?<![\\w])(?:" + pattern + ")(?![\\w])";
    return query.matchCase ? pattern : "(?i)" + pattern;
}

}  // namespace

/// Looks through one selection.
class SliceFinder {
public:
    SliceFinder(const SliceSelection& selection, const SliceQuery& query, const CancelToken& cancel)
        : m_query(query), m_cancel(cancel), m_pattern(patternOf(query)), m_hits(std::make_shared<SliceHits>()) {
        m_hits->m_selection = selection;
        m_hits->m_spans = spansOf(selection);
        m_hits->m_slices.resize(m_hits->m_spans.size());
        m_marks.resize(selection.ranks.size());
    }

    const RegularExpression& pattern() const { return m_pattern; }
    void lookAtTexts();
    void lookAtArguments();
    bool needsArguments() const { return m_query.inArguments && !m_query.text.empty(); }
    /// The slices that are marked, or whose texts match.
    std::uint64_t collect();
    std::shared_ptr<const SliceHits> hits() const { return m_hits; }

private:
    bool matches(std::string_view text) {
        const auto match = m_pattern.search(text);
        if (match == RegularExpression::Match::TooCostly) m_tooCostly.fetch_add(1, std::memory_order_relaxed);
        return match == RegularExpression::Match::Yes;
    }
    bool fits(const TraceStore& store, std::uint32_t slice) const {
        const std::int64_t length = store.duration({slice}).value;
        return (!m_query.shortest || length >= *m_query.shortest) && (!m_query.longest || length <= *m_query.longest);
    }
    std::vector<std::uint8_t> matchingTexts(const StringPool& texts);
    void markShapes(std::uint32_t selected);
    /// A table whose rows give texts to slices.
    struct SliceTexts {
        RowKind kind;
        std::size_t slice, text;  ///< Columns.
    };
    void markByRows(const RankEntry& rank, const SliceTexts& texts, const std::vector<std::uint8_t>& matching,
                    std::vector<std::uint8_t>& marks);
    bool isMarked(std::uint32_t selected, std::uint32_t slice) const {
        return !m_marks[selected].empty() && m_marks[selected][slice] != 0;
    }

    const SliceQuery& m_query;
    const CancelToken& m_cancel;
    RegularExpression m_pattern;
    std::atomic<std::uint64_t> m_tooCostly{0}, m_unread{0};
    // by selected rank, of each slice that is a hit for another reason than its name
    std::vector<std::vector<std::uint8_t>> m_marks;
    std::vector<std::vector<std::uint8_t>> m_names;  // by selected rank, of each text
    std::shared_ptr<SliceHits> m_hits;
};

std::vector<std::uint8_t> SliceFinder::matchingTexts(const StringPool& texts) {
    std::vector<std::uint8_t> matching(texts.size());
    parallelFor((texts.size() + kTextsTogether - 1) / kTextsTogether, [&](std::size_t part) {
        for (std::size_t id = part * kTextsTogether;
             id < std::min(texts.size(), (part + 1) * kTextsTogether) && !m_cancel.cancelled(); ++id)
            matching[id] = matches(texts.text({static_cast<std::uint32_t>(id)})) ? 1 : 0;
    });
    return matching;
}

void SliceFinder::markByRows(const RankEntry& rank, const SliceTexts& texts, const std::vector<std::uint8_t>& matching,
                             std::vector<std::uint8_t>& marks) {
    const RowTable* table = rank.rows->find(texts.kind);
    for (std::size_t row = 0; table != nullptr && row < table->size() && !m_cancel.cancelled(); ++row) {
        const auto of = table->integer(texts.slice, row);
        const auto shapes = table->text(texts.text, row);
        if (of && shapes && matching[shapes->value] != 0 && *of >= 0 && static_cast<std::size_t>(*of) < marks.size())
            marks[static_cast<std::size_t>(*of)] = 1;
    }
}

void SliceFinder::markShapes(std::uint32_t r) {
    const SliceSelection& selection = m_hits->m_selection;
    const RankEntry& rank = selection.capture->ranks[selection.ranks[r].rank.value];
    if (rank.rows == nullptr) return;
    m_marks[r].resize(rank.trace->sliceCount());
    const std::vector<std::uint8_t> matching = matchingTexts(rank.rows->texts());
    constexpr auto K = RowKind::Kernel, O = RowKind::Operator;
    for (const SliceTexts& texts : {SliceTexts{K, fixedColumn(K, "slice_id"), fixedColumn(K, "input_shapes")},
                                    SliceTexts{K, fixedColumn(K, "slice_id"), fixedColumn(K, "output_shapes")},
                                    SliceTexts{O, fixedColumn(O, "slice_id"), fixedColumn(O, "input_shapes")}})
        markByRows(rank, texts, matching, m_marks[r]);
}

void SliceFinder::lookAtTexts() {
    for (std::uint32_t r = 0; r < m_marks.size(); ++r) {
        const StringPool& texts = storeOf(m_hits->m_selection, r).texts();
        if (m_query.text.empty()) m_names.emplace_back(texts.size(), std::uint8_t{1});
        else if (m_query.inNames) m_names.push_back(matchingTexts(texts));
        else m_names.emplace_back(texts.size(), std::uint8_t{0});
        if (m_query.inShapes && !m_query.text.empty()) markShapes(r);
    }
}

void SliceFinder::lookAtArguments() {
    const SliceSelection& selection = m_hits->m_selection;
    const bool hasNeedle =
        !m_query.isRegex && m_query.text.size() >= kShortestNeedle && !holdsRepairedTexts(*selection.capture);
    for (std::uint32_t r = 0; r < m_marks.size() && !m_cancel.cancelled(); ++r) {
        const RankEntry& rank = selection.capture->ranks[selection.ranks[r].rank.value];
        if (rank.arguments == nullptr) continue;
        std::vector<std::uint8_t> holds;
        if (hasNeedle) {
            auto found = slicesHolding(rank, {m_query.text, !m_query.matchCase}, m_cancel);
            if (!found.ok()) return;
            holds = std::move(found).value();
        }
        std::vector<std::uint32_t> requested;
        for (const SliceSpan& span : m_hits->m_spans) {
            if (span.selected != r) continue;
            for (std::uint32_t i = span.first; i < span.last; ++i) {
                if ((holds.empty() || holds[i] != 0) && !isMarked(r, i) &&
                    m_names[r][rank.trace->nameId({i}).value] == 0 && fits(*rank.trace, i))
                    requested.push_back(i);
            }
        }
        std::vector<std::uint8_t>& marks = m_marks[r];
        marks.resize(rank.trace->sliceCount());
        parallelFor((requested.size() + kArgumentsTogether - 1) / kArgumentsTogether, [&](std::size_t part) {
            if (m_cancel.cancelled()) return;
            const std::size_t first = part * kArgumentsTogether,
                              last = std::min(requested.size(), first + kArgumentsTogether);
            std::vector<SourcePos> wanted;
            for (std::size_t i = first; i < last; ++i) wanted.push_back(rank.trace->pos({requested[i]}));
            rank.arguments->each(wanted, [&](std::size_t i, const Result<std::string_view>& arguments) {
                if (!arguments.ok()) m_unread.fetch_add(1, std::memory_order_relaxed);
                else if (matches(arguments.value())) marks[requested[first + i]] = 1;
            });
        });
    }
}

std::uint64_t SliceFinder::collect() {
    parallelFor(m_hits->m_spans.size(), [&](std::size_t s) {
        if (m_cancel.cancelled()) return;
        const SliceSpan& span = m_hits->m_spans[s];
        const TraceStore& store = storeOf(m_hits->m_selection, span.selected);
        const bool wholeTrack = m_query.inTracks && !m_query.text.empty() && matches(store.track(span.trackIndex).name);
        std::vector<std::uint32_t>& found = m_hits->m_slices[s];
        found.clear();
        for (std::uint32_t i = span.first; i < span.last; ++i) {
            if ((i & 0xffffU) == 0 && m_cancel.cancelled()) return;
            if ((wholeTrack || m_names[span.selected][store.nameId({i}).value] != 0 || isMarked(span.selected, i)) &&
                fits(store, i))
                found.push_back(i);
        }
        found.shrink_to_fit();
    });
    m_hits->m_count = 0;
    for (const auto& found : m_hits->m_slices) m_hits->m_count += found.size();
    m_hits->tooCostly = m_tooCostly;
    m_hits->unread = m_unread;
    return m_hits->m_count;
}

Result<std::shared_ptr<const SliceHits>> findSlices(const SliceSelection& selection, const SliceQuery& query,
                                                    const std::function<void(std::uint64_t)>& countReady,
                                                    const CancelToken& cancel) {
    SliceFinder finder(selection, query, cancel);
    if (!finder.pattern().problem().empty())
        return Error{"search.pattern", {}, {}, {{"problem", finder.pattern().problem()}}};
    finder.lookAtTexts();
    if (finder.needsArguments() && !cancel.cancelled()) {
        const std::uint64_t first = finder.collect();
        if (countReady && !cancel.cancelled()) countReady(first);
        finder.lookAtArguments();
    }
    const std::uint64_t count = finder.collect();
    if (cancel.cancelled()) return Cancelled{};
    if (countReady && !finder.needsArguments()) countReady(count);
    return finder.hits();
}

}  // namespace altiscope
