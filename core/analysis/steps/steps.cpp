#include "core/analysis/steps/steps.h"

#include <charconv>
#include <map>

namespace altiscope {

std::vector<Step> findSteps(const TraceStore& store) {
    static constexpr std::string_view kPrefix = "ProfilerStep#";
    const auto [first, last] = store.texts().prefixRange(kPrefix);
    std::vector<Step> steps;
    if (first == last) return steps;

    std::map<std::int64_t, TimeRange> longest;
    const TraceColumns& c = store.columns();
    for (std::uint32_t i = 0; i < c.name.size(); ++i) {
        if (c.name[i] < first || !(c.name[i] < last)) continue;
        const std::string_view digits = store.text(c.name[i]).substr(kPrefix.size());
        std::int64_t number = 0;
        const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (parsed.ec != std::errc{} || parsed.ptr != digits.data() + digits.size()) continue;
        const TimeRange range{store.begin({i}), store.end({i})};
        const auto [it, isNew] = longest.try_emplace(number, range);
        const bool isLonger = range.length() > it->second.length() ||
                              (range.length() == it->second.length() && range.begin < it->second.begin);
        if (!isNew && isLonger) it->second = range;
    }
    // A step whose time was never set, or lies far from all events, is known by its number alone.
    // Of a window, whose events lie closely together, a step may begin long before.
    const TimeRange home = store.columns().excludedSlices ? store.range() : store.homeRange();
    for (const auto& [number, range] : longest) {
        const bool isTimed = range.begin >= home.begin && range.begin <= home.end;
        steps.push_back({number, isTimed ? std::optional(range) : std::nullopt});
    }
    return steps;
}

}  // namespace altiscope
