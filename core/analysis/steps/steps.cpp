#include "core/analysis/steps/steps.h"

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

/// Ranges by the number in their name, the longest of each.
class NumberedRanges {
public:
    NumberedRanges(const TraceStore& store, std::string_view prefix) : m_store(store), m_prefix(prefix) {
        std::tie(m_first, m_last) = store.texts().prefixRange(prefix);
    }
    bool any() const { return m_first != m_last; }

    void add(std::uint32_t slice, std::map<std::int64_t, TimeRange>& longest) const {
        const StringId name = m_store.nameId({slice});
        if (name < m_first || !(name < m_last)) return;
        const std::string_view digits = m_store.text(name).substr(m_prefix.size());
        std::int64_t number = 0;
        const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (parsed.ec != std::errc{} || parsed.ptr != digits.data() + digits.size()) return;
        const TimeRange range{m_store.begin({slice}), m_store.end({slice})};
        const auto [it, isNew] = longest.try_emplace(number, range);
        const bool isLonger = range.length() > it->second.length() ||
                              (range.length() == it->second.length() && range.begin < it->second.begin);
        if (!isNew && isLonger) it->second = range;
    }

private:
    const TraceStore& m_store;
    std::string_view m_prefix;
    StringId m_first{}, m_last{};
};

/// Iterations of the graph that has most of them.
std::vector<Step> graphIterations(const TraceStore& store) {
    const NumberedRanges iterations(store, "Iteration ");
    std::map<std::int64_t, TimeRange> most;
    for (std::uint32_t t = 0; t < store.tracks().size() && iterations.any(); ++t) {
        const Track& track = store.tracks()[t];
        if (!track.thread.starts_with("Step Trace") && !track.name.starts_with("Step Trace")) continue;
        std::map<std::int64_t, TimeRange> ofModel;
        const TrackExtent& extent = store.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i)
            iterations.add(i, ofModel);
        if (ofModel.size() > most.size()) most = std::move(ofModel);
    }
    std::vector<Step> steps;
    for (const auto& [number, range] : most) steps.push_back({number, range, true});
    return steps;
}

}  // namespace

std::vector<Step> findSteps(const TraceStore& store) {
    const NumberedRanges marked(store, "ProfilerStep#");
    if (!marked.any()) return graphIterations(store);

    std::vector<Step> steps;
    std::map<std::int64_t, TimeRange> longest;
    for (std::uint32_t i = 0; i < store.columns().name.size(); ++i) marked.add(i, longest);
    // A step whose time was never set, or lies far from all events, is known by its number alone.
    // Of a window, whose events lie closely together, a step may begin long before.
    const TimeRange home = store.columns().excludedSlices ? store.range() : store.homeRange();
    for (const auto& [number, range] : longest) {
        const bool isTimed = range.begin >= home.begin && range.begin <= home.end;
        steps.push_back({number, isTimed ? std::optional(range) : std::nullopt, false});
    }
    return steps;
}

}  // namespace altiscope
