#include "core/query/functions/source_search.h"

#include "core/base/threads/parallel.h"
#include "core/query/functions/text_patterns.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <span>

namespace altiscope {

namespace {

/// Shorter texts stand nearly everywhere.
constexpr std::size_t kShortest = 3;
constexpr std::size_t kBlock = std::size_t{1} << 16;

/// Length of the wildcard at the beginning of a text; 0 if there is none.
std::size_t wildcardLength(std::string_view rest, bool isLike) {
    if (isLike) return rest.front() == '%' || rest.front() == '_' ? 1 : 0;
    if (rest.front() == '*' || rest.front() == '?') return 1;
    if (rest.front() != '[') return 0;
    // A set: a ']' right after the '[' or the '^' belongs to it.
    std::size_t at = rest.substr(1).starts_with('^') ? 2 : 1;
    const std::size_t end = rest.find(']', at + 1);
    return end == std::string_view::npos ? rest.size() : end + 1;
}

}  // namespace

std::optional<SourceNeedle> needleOf(std::string_view pattern, bool isLike) {
    std::string_view longest;
    std::size_t begin = 0;
    const auto endPart = [&](std::size_t at) {
        if (at - begin > longest.size()) longest = pattern.substr(begin, at - begin);
    };
    for (std::size_t at = 0; at < pattern.size();) {
        const std::string_view rest = pattern.substr(at);
        const std::size_t skipped = wildcardLength(rest, isLike);
        if (skipped == 0) {
            ++at;
            continue;
        }
        endPart(at);
        at += skipped;
        begin = at;
    }
    endPart(pattern.size());
    if (longest.size() < kShortest) return std::nullopt;
    return SourceNeedle{std::string(longest), isLike};
}

bool SourceFilter::matches(const std::string& arguments, const CancelToken& cancel) const {
    return std::all_of(m_patterns.begin(), m_patterns.end(), [&](const Pattern& pattern) {
        return matchesPattern(pattern.isLike ? PatternKind::Like : PatternKind::Glob, pattern.text.c_str(),
                              arguments.c_str(), 0, cancel)
            .value_or(false);
    });
}

std::optional<SourceNeedle> SourceFilter::needle() const {
    std::optional<SourceNeedle> longest;
    for (const Pattern& pattern : m_patterns) {
        auto needle = needleOf(pattern.text, pattern.isLike);
        if (needle && (!longest || needle->text.size() > longest->text.size())) longest = std::move(needle);
    }
    return longest;
}

std::string SourceFilter::key() const {
    std::string key;
    for (const Pattern& pattern : m_patterns)
        key += std::to_string(pattern.text.size()) + (pattern.isLike ? '%' : '*') + pattern.text;
    return key;
}

bool holdsRepairedTexts(const CaptureStore& capture) {
    const auto entries = capture.diagnostics.entries();
    return std::any_of(entries.begin(), entries.end(), [](const Diagnostic& entry) {
        return entry.code == "invalid_utf8" || entry.code == "control_characters";
    });
}

Result<std::vector<std::uint8_t>> slicesHolding(const RankEntry& rank, const SourceNeedle& needle,
                                                const CancelToken& cancel) {
    if (rank.arguments == nullptr) return std::vector<std::uint8_t>{};
    const auto found = rank.arguments->find(needle.text, needle.ignoreCase, cancel);
    if (found.cancelled()) return Cancelled{};
    if (!found.ok()) return std::vector<std::uint8_t>{};
    const std::vector<SourcePos>& places = found.value();
    const auto positions = rank.trace->columns().pos.span();

    // The record of a place is the last one that begins in front of it. Between two places only that one counts.
    std::vector<std::uint64_t> last(places.size(), 0);
    const auto eachSlice = [&](const auto& body) {
        parallelFor((positions.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
            for (std::size_t i = block * kBlock; i < std::min(positions.size(), (block + 1) * kBlock); ++i) {
                const auto place = std::lower_bound(places.begin(), places.end(), positions[i]);
                if (place != places.end()) body(i, static_cast<std::size_t>(place - places.begin()));
            }
        });
    };
    eachSlice([&](std::size_t i, std::size_t place) {
        std::atomic_ref<std::uint64_t> latest(last[place]);
        std::uint64_t known = latest.load(std::memory_order_relaxed);
        while (known < positions[i].packed &&
               !latest.compare_exchange_weak(known, positions[i].packed, std::memory_order_relaxed)) {}
    });
    std::vector<std::uint8_t> holds(positions.size(), 0);
    eachSlice([&](std::size_t i, std::size_t place) { holds[i] = last[place] == positions[i].packed ? 1 : 0; });
    return holds;
}

Result<std::vector<std::uint8_t>> matchingSlices(const RankEntry& rank, const SourceFilter& filter, bool isSearchable,
                                                 Diagnostics& problems, const CancelToken& cancel) {
    static constexpr std::size_t kTogether = 4096;
    const auto positions = rank.trace->columns().pos.span();
    std::vector<std::uint8_t> matching(positions.size(), 0);
    if (rank.arguments == nullptr) return matching;
    std::vector<std::uint8_t> holds;
    if (const auto needle = filter.needle(); isSearchable && needle) {
        auto found = slicesHolding(rank, *needle, cancel);
        if (!found.ok()) return found;
        holds = std::move(found).value();
    }
    std::vector<std::uint32_t> requested;
    for (std::uint32_t i = 0; i < positions.size(); ++i) {
        if (holds.empty() || holds[i] != 0) requested.push_back(i);
    }
    std::mutex mutex;  // guards the problems
    parallelFor((requested.size() + kTogether - 1) / kTogether, [&](std::size_t part) {
        if (cancel.cancelled()) return;
        const auto slices = std::span(requested)
                                .subspan(part * kTogether)
                                .first(std::min(kTogether, requested.size() - part * kTogether));
        std::vector<SourcePos> wanted;
        for (const std::uint32_t slice : slices) wanted.push_back(positions[slice]);
        Diagnostics unread;
        std::string text;
        rank.arguments->each(wanted, [&](std::size_t i, const Result<std::string_view>& arguments) {
            if (arguments.failed()) {
                const Error& error = arguments.error();
                unread.add(error.code, Severity::Lost, error.file.empty() ? rank.info.path : error.file,
                           {PlaceUnit::Byte, wanted[i].offset()}, error.parameters);
            } else if (arguments.ok() && !arguments.value().empty()) {
                text = arguments.value();
                matching[slices[i]] = filter.matches(text, cancel) ? 1 : 0;
            }
        });
        const std::lock_guard lock(mutex);
        problems.merge(unread);
    });
    if (cancel.cancelled()) return Cancelled{};
    return matching;
}

}  // namespace altiscope
