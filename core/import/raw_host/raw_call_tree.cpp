#include "core/import/raw_host/raw_call_tree.h"

#include "core/base/columns/keyed_sort.h"
#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>

namespace altiscope::reader {

void sortRawCalls(std::vector<RawCall>& calls, const CancelToken& cancel) {
    const auto before = [](const RawCall& a, const RawCall& b) {
        return std::tie(a.begin, b.level, a.number) < std::tie(b.begin, a.level, b.number);
    };
    if (std::is_sorted(calls.begin(), calls.end(), before)) return;
    const auto order = sortedNumbers(
        calls.size(), [&](std::size_t i) { return calls[i].begin; }, cancel);
    std::vector<RawCall> sorted;
    sorted.reserve(calls.size());
    for (const KeyedNumber& one : order) sorted.push_back(calls[one.number]);
    calls = std::move(sorted);
    for (std::size_t first = 0, last = 0; first < calls.size() && !cancel.cancelled(); first = last) {
        while (last < calls.size() && calls[last].begin == calls[first].begin) ++last;
        if (last - first > 1) parallelSort(std::span(calls).subspan(first, last - first), before, cancel);
    }
}

void RawCallTree::build(const std::vector<RawCall>& calls, const CancelToken& cancel) {
    static constexpr std::size_t kMaxCallDepth = 20, kBetweenLooks = 1024;
    std::map<std::uint32_t, std::vector<std::uint32_t>> byThread;
    std::uint32_t lastThread = 0;
    std::vector<std::uint32_t>* ofThread = nullptr;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (i % kBetweenLooks == 0 && cancel.cancelled()) return;
        const RawCall& call = calls[i];
        const bool isMember = call.level == kRawAcl || call.level == kRawModel || call.level == kRawNode ||
                              call.level == kRawCommunication;
        if (!isMember || call.begin >= call.end) continue;
        if (ofThread == nullptr || call.thread != lastThread) ofThread = &byThread[lastThread = call.thread];
        ofThread->push_back(static_cast<std::uint32_t>(i));
    }
    std::size_t nodes = 0;
    for (const auto& [thread, numbers] : byThread) nodes += numbers.size();
    m_nodes.reserve(nodes);
    for (const auto& [thread, numbers] : byThread) {
        const std::size_t first = m_nodes.size();
        std::array<std::uint64_t, 3> ends{};  // of calls of the levels acl, model and communication
        std::vector<std::size_t> open;
        for (const std::uint32_t number : numbers) {
            if (m_nodes.size() % kBetweenLooks == 0 && cancel.cancelled()) break;
            const RawCall& call = calls[number];
            if (call.level != kRawNode) {
                std::uint64_t& end = ends[call.level == kRawAcl ? 0U : call.level == kRawModel ? 1U : 2U];
                if (call.begin < end) {
                    // One within another is common: aclopCompileAndExecute compiles. A thread cannot do both in part.
                    m_excluded += call.end > end ? 1 : 0;
                    continue;
                }
                end = call.end;
            }
            while (!open.empty() && m_nodes[open.back()].end < call.end) open.pop_back();
            if (open.size() == kMaxCallDepth) {
                ++m_excluded;
                continue;
            }
            m_nodes.push_back(
                {call.begin, call.end, number, open.empty() ? -1 : static_cast<std::int64_t>(open.back()), call.level});
            open.push_back(m_nodes.size() - 1);
        }
        m_threads[thread] = {first, m_nodes.size()};
    }
}

std::int64_t RawCallTree::deepest(std::uint32_t thread, std::uint64_t time, Search& search) const {
    if (search.m_last == nullptr || search.m_lastThread != thread) {
        const auto found = m_threads.find(thread);
        if (found == m_threads.end()) return -1;
        const auto [first, last] = found->second;
        search.m_last = &search.m_threads.try_emplace(thread, Search::Thread{first, last, first}).first->second;
        search.m_lastThread = thread;
    }
    Search::Thread& own = *search.m_last;
    const auto hasBegun = [this, time](std::size_t node) { return m_nodes[node].begin < time; };
    if (own.place > own.first && !hasBegun(own.place - 1)) own.place = own.first;
    // Some steps, then by halves.
    static constexpr int kNearby = 8;
    for (int step = 0; own.place < own.last && hasBegun(own.place); ++own.place) {
        if (++step < kNearby && own.place > own.first) continue;
        const auto from = m_nodes.begin() + static_cast<std::ptrdiff_t>(own.place),
                   end = m_nodes.begin() + static_cast<std::ptrdiff_t>(own.last);
        const auto after =
            std::partition_point(from, end, [time](const RawCallNode& node) { return node.begin < time; });
        own.place = static_cast<std::size_t>(after - m_nodes.begin());
        break;
    }
    if (own.place == own.first) return -1;
    auto node = static_cast<std::int64_t>(own.place) - 1;
    while (node >= 0 && m_nodes[static_cast<std::size_t>(node)].end < time)
        node = m_nodes[static_cast<std::size_t>(node)].parent;
    return node;
}

std::int64_t RawCallTree::nodeAt(std::uint32_t thread, std::uint64_t time, std::uint16_t level, bool isOutermost,
                                 Search& search) const {
    std::int64_t found = -1;
    for (std::int64_t node = deepest(thread, time, search); node >= 0;
         node = m_nodes[static_cast<std::size_t>(node)].parent) {
        if (m_nodes[static_cast<std::size_t>(node)].level != level) continue;
        found = node;
        if (!isOutermost) break;
    }
    return found;
}

}  // namespace altiscope::reader
