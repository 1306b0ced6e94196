#include "core/analysis/communication/link_matrix.h"

#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <numeric>

namespace altiscope {

namespace {

std::uint32_t saturatedCalls(std::uint32_t a, std::uint32_t b) {
    // Calls that are not known make the sum unknown.
    return a == 0 || b == 0 ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{a} + b, UINT32_MAX));
}

}  // namespace

bool LinkNode::operator<(const LinkNode& other) const {
    if (rank.has_value() != other.rank.has_value()) return rank.has_value();
    if (rank) return *rank < *other.rank;
    return group != other.group ? group < other.group : local < other.local;
}

std::optional<double> LinkSum::bandwidth() const {
    return time <= 0 ? std::nullopt : std::optional(static_cast<double>(size) / static_cast<double>(time));
}

std::optional<LinkSum> LinkMatrix::find(std::size_t source, std::size_t target) const {
    const auto place = placeOf(source, target);
    return place ? std::optional(link(source, *place)) : std::nullopt;
}

std::optional<std::size_t> LinkMatrix::placeOf(std::size_t source, std::size_t target) const {
    if (source >= m_nodes.size()) return std::nullopt;
    const auto begin = m_targets.begin() + static_cast<std::ptrdiff_t>(rowBegin(source)),
               end = m_targets.begin() + static_cast<std::ptrdiff_t>(rowEnd(source));
    const auto found = std::lower_bound(begin, end, target);
    if (found == end || *found != target) return std::nullopt;
    return static_cast<std::size_t>(found - m_targets.begin());
}

std::string LinkMatrix::transportText(std::uint16_t bits) const {
    std::string text;
    for (std::size_t i = 0; i < m_transports.size(); ++i) {
        if ((bits >> i & 1) == 0) continue;
        if (!text.empty()) text += ", ";
        text += m_transports[i];
    }
    return text;
}

LinkMatrix LinkMatrix::make(std::vector<LinkNode> nodes, std::vector<std::string> transports, std::vector<LinkSum> sums,
                            std::vector<std::uint8_t> isComputed) {
    LinkMatrix matrix;
    matrix.m_isComputed = std::move(isComputed);
    matrix.m_nodes = std::move(nodes);
    matrix.m_transports = std::move(transports);
    for (std::size_t i = 0; i < matrix.m_transports.size(); ++i) {
        if (matrix.m_transports[i] == "RDMA") matrix.m_remote = static_cast<std::uint16_t>(1U << i);
    }
    const std::size_t count = matrix.m_nodes.size();
    // By source first, which costs no comparisons; then each source's by itself.
    std::vector<std::size_t> begins(count + 1);
    for (const LinkSum& sum : sums) ++begins[sum.source + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<LinkSum> sorted(sums.size());
    std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
    for (const LinkSum& sum : sums) sorted[next[sum.source]++] = sum;
    std::vector<LinkSum>().swap(sums);
    std::vector<std::size_t> kept(count);
    parallelFor(count, [&](std::size_t source) {
        const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(begins[source]),
                   last = sorted.begin() + static_cast<std::ptrdiff_t>(begins[source + 1]);
        const auto byTarget = [](const LinkSum& a, const LinkSum& b) { return a.target < b.target; };
        if (!std::is_sorted(first, last, byTarget)) std::stable_sort(first, last, byTarget);
        auto to = first;
        for (auto from = first; from != last; ++from) {
            if (from != first && std::prev(to)->target == from->target) {
                LinkSum& sum = *std::prev(to);
                addSaturated(sum.size, from->size);
                if (sum.hasTime() && from->hasTime()) addSaturated(sum.time, from->time);
                else sum.time = LinkSum::kTimeUnknown;
                sum.calls = saturatedCalls(sum.calls, from->calls);
                sum.transports |= from->transports;
            } else {
                *to++ = *from;
            }
        }
        kept[source] = static_cast<std::size_t>(to - first);
    });
    matrix.m_rows.assign(count + 1, 0);
    std::partial_sum(kept.begin(), kept.end(), matrix.m_rows.begin() + 1);
    const std::size_t total = matrix.m_rows.back();
    matrix.m_targets.resize(total);
    matrix.m_calls.resize(total);
    matrix.m_sizes.resize(total);
    matrix.m_times.resize(total);
    matrix.m_bits.resize(total);
    parallelFor(count, [&](std::size_t source) {
        for (std::size_t i = 0; i < kept[source]; ++i) {
            const LinkSum& sum = sorted[begins[source] + i];
            const std::size_t at = matrix.m_rows[source] + i;
            matrix.m_targets[at] = sum.target;
            matrix.m_calls[at] = sum.calls;
            matrix.m_sizes[at] = sum.size;
            matrix.m_times[at] = sum.time;
            matrix.m_bits[at] = sum.transports;
        }
    });
    matrix.sumUp();
    return matrix;
}

void LinkMatrix::End::add(const End& other) {
    addSaturated(size, other.size);
    addSaturated(time, other.time);
    calls += other.calls;
    links += other.links;
    uncounted += other.uncounted;
    untimed += other.untimed;
    transports |= other.transports;
}

void LinkMatrix::sumUp() {
    const std::size_t count = m_nodes.size();
    constexpr std::size_t kParts = 16;
    m_toOthers.resize(count);
    m_toItself.resize(count);
    std::vector<std::vector<End>> targets(kParts);
    std::vector<std::uint8_t> hasLarge(kParts);
    parallelFor(kParts, [&](std::size_t part) {
        targets[part].resize(count);
        for (std::size_t source = count * part / kParts; source < count * (part + 1) / kParts; ++source) {
            for (std::size_t place = rowBegin(source); place < rowEnd(source); ++place) {
                const bool hasTime = m_times[place] != LinkSum::kTimeUnknown;
                const End end{m_sizes[place],
                              hasTime ? m_times[place] : 0,
                              m_calls[place],
                              1,
                              m_calls[place] == 0 ? 1U : 0U,
                              hasTime ? 0U : 1U,
                              m_bits[place]};
                const LinkSum sum = link(source, place);
                if (hasLarge[part] == 0 && sum.source != sum.target && sum.time > 0 &&
                    !sum.isTooSmall((sum.transports & m_remote) != 0))
                    hasLarge[part] = 1;
                if (m_targets[place] == source) {
                    m_toItself[source].add(end);
                } else {
                    m_toOthers[source].add(end);
                    targets[part][m_targets[place]].add(end);
                }
            }
        }
    });
    m_hasLarge = std::find(hasLarge.begin(), hasLarge.end(), 1) != hasLarge.end();
    m_fromOthers = std::move(targets[0]);
    for (std::size_t part = 1; part < kParts; ++part) {
        for (std::size_t node = 0; node < count; ++node) m_fromOthers[node].add(targets[part][node]);
    }
}

}  // namespace altiscope
