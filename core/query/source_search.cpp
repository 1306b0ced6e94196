#include "core/query/source_search.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>

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
    // A set: a ']' right behind the '[' or the '^' belongs to it.
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

bool holdsRepairedTexts(const CaptureStore& capture) {
    const auto entries = capture.diagnostics.entries();
    return std::any_of(entries.begin(), entries.end(), [](const Diagnostic& entry) {
        return entry.code == "invalid_utf8" || entry.code == "control_characters";
    });
}

Result<std::vector<std::uint8_t>> slicesHolding(const RankEntry& rank, const SourceNeedle& needle, const CancelToken& cancel) {
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
        while (known < positions[i].packed && !latest.compare_exchange_weak(known, positions[i].packed, std::memory_order_relaxed)) {}
    });
    std::vector<std::uint8_t> holds(positions.size(), 0);
    eachSlice([&](std::size_t i, std::size_t place) { holds[i] = last[place] == positions[i].packed ? 1 : 0; });
    return holds;
}

}  // namespace altiscope
