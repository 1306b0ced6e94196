#pragma once

#include "core/analysis/slices/slice_details.h"
#include "core/analysis/slices/slice_selection.h"
#include "core/base/values/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Condition of a search. An empty text is in every slice, so that lengths alone can be looked for.
struct SliceQuery {
    std::string text;
    bool isRegex = false;  ///< Perl's syntax (core/base/text/regular_expression.h); else the text itself.
    bool wholeWords = false;
    bool matchCase = false;
    bool inNames = true;
    bool inTracks = false;     ///< Names of the tracks: streams, threads, groups.
    bool inShapes = false;     ///< Input and output shapes that the profiler's tables have of kernels and operators.
    bool inArguments = false;  ///< The JSON text of the arguments, as in the source.
    std::optional<std::int64_t> shortest{}, longest{};  ///< Whole lengths, ns; both count.
    bool operator==(const SliceQuery&) const = default;
};

/// The slices of a selection that a query is about, in the order of their begin on the axis (then rank, track,
/// depth). Constant; 4 bytes a hit. Each query on it costs O(spans * log hits).
class SliceHits {
public:
    struct Hit {
        SliceRef slice;
        TimeNs begin;  ///< On the axis.
    };

    const SliceSelection& selection() const { return m_selection; }
    std::uint64_t count() const { return m_count; }
    /// The hit at a place; O(spans * log^2 hits). @pre place < count()
    Hit at(std::uint64_t place) const;
    /// The place of the first hit that begins at or after a time; count() if none does.
    std::uint64_t firstFrom(TimeNs time) const;
    /// The place of a slice; nullopt if it is no hit.
    std::optional<std::uint64_t> placeOf(SliceRef slice) const;
    /// Which of `width` parts of equal length of a range have a hit that begins in them. O(min(hits, spans * width *
    /// log)).
    std::vector<bool> marks(TimeRange range, std::uint32_t width) const;

    /// The hits by selected span: slices of SliceSpan each, ascending.
    const std::vector<SliceSpan>& spans() const { return m_spans; }
    const std::vector<std::vector<std::uint32_t>>& slices() const { return m_slices; }

    std::uint64_t tooCostly = 0;  ///< Texts for which the pattern has too many ways to try; they count as no hits.
    std::uint64_t unread = 0;     ///< Slices whose arguments could not be read.

private:
    friend class SliceFinder;
    std::int64_t beginOf(std::size_t span, std::size_t hit) const;
    std::uint64_t before(std::int64_t begin, std::size_t span, std::size_t hit) const;

    SliceSelection m_selection;
    std::vector<SliceSpan> m_spans;
    std::vector<std::vector<std::uint32_t>> m_slices;
    std::uint64_t m_count = 0;
};

/// Looks for slices.
/// @param countReady  Gets the number of hits by names, tracks, shapes and lengths, before arguments are read. May be
/// empty.
/// @return Error "search.pattern" if the pattern is none, with what is wrong as parameter "problem".
/// @note   A worker; parallel on the arena. A name is looked at once for each rank, then O(slices); with arguments the
///         source is read: a plain text of three letters or more is looked for in the whole of it at once, else the
///         arguments of each slice are read.
Result<std::shared_ptr<const SliceHits>> findSlices(const SliceSelection& selection, const SliceQuery& query,
                                                    const std::function<void(std::uint64_t)>& countReady,
                                                    const CancelToken& cancel);

}  // namespace altiscope
