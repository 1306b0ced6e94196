#include "core/import/raw/raw_torch_tree.h"

#include "core/base/columns/keyed_sort.h"

#include <algorithm>
#include <numeric>

namespace altiscope::reader {

RawTorchTree::RawTorchTree(const RawTorch& torch, const CancelToken& cancel)
    : m_torch(torch), m_parents(torch.ops.size(), kNone), m_order(torch.ops.size()),
      m_owners(torch.enqueues.size(), kNone) {
    const auto count = static_cast<std::uint32_t>(torch.ops.size());
    const auto beginOf = [&](std::uint32_t i) {
        return i < count ? torch.ops[i].begin : torch.enqueues[i - count].begin;
    };
    // Operators, and after them the bars of the queue.
    const auto all = sortedNumbers(
        torch.ops.size() + torch.enqueues.size(),
        [&](std::size_t i) { return sortKeyOf(beginOf(static_cast<std::uint32_t>(i))); }, cancel);
    std::vector<std::uint32_t> open;
    std::size_t next = 0;
    for (const KeyedNumber& one : all) {
        const std::uint32_t i = one.number;
        while (!open.empty() && beginOf(i) > torch.ops[open.back()].end) open.pop_back();
        if (i < count) {
            if (!open.empty()) m_parents[i] = open.back();
            m_order[next++] = i;
            open.push_back(i);
        } else if (!open.empty() && torch.ops[open.back()].thread == torch.enqueues[i - count].thread) {
            m_owners[i - count] = open.back();
        }
    }
    if (torch.hasQueue) return;
    const auto slotOf = [&](std::uint32_t op) { return m_parents[op] == kNone ? count : m_parents[op]; };
    m_firstChild.assign(std::size_t{count} + 2, 0);
    for (std::uint32_t op = 0; op < count; ++op) ++m_firstChild[slotOf(op) + 1];
    std::partial_sum(m_firstChild.begin(), m_firstChild.end(), m_firstChild.begin());
    m_children.resize(count);
    std::vector<std::uint32_t> place(m_firstChild.begin(), m_firstChild.end() - 1);
    for (const std::uint32_t op : m_order) m_children[place[slotOf(op)]++] = op;
}

std::uint32_t RawTorchTree::innermostAt(std::int64_t time) const {
    // Levels of operators: deeper ones are in broken or hostile files only, where each launch would walk them.
    static constexpr int kDeepest = 1000;
    std::uint32_t found = kNone;
    if (m_firstChild.empty()) return found;
    auto slot = static_cast<std::uint32_t>(m_parents.size());
    for (int depth = 0; depth < kDeepest; ++depth) {
        const auto first = m_children.begin() + m_firstChild[slot], last = m_children.begin() + m_firstChild[slot + 1];
        if (first == last) return found;
        auto child = std::upper_bound(first, last, time,
                                      [this](std::int64_t t, std::uint32_t op) { return t < m_torch.ops[op].begin; });
        if (child != first) --child;
        // Before the first one that one counts, as with the vendor.
        if (m_torch.ops[*child].end <= time) return found;
        found = slot = *child;
    }
    return found;
}

RawQueuePartners::RawQueuePartners(const RawTorch& torch, const RawTorchTree& tree, const CancelToken& cancel)
    : enqueueOf(torch.dequeues.size(), kNone), dequeueOf(torch.enqueues.size(), kNone),
      ownerOf(torch.dequeues.size(), kNone) {
    const auto byCorrelation = [&cancel](const std::vector<RawQueueBar>& bars) {
        return sortedNumbers(
            bars.size(), [&](std::size_t i) { return bars[i].correlation; }, cancel);
    };
    const auto puts = byCorrelation(torch.enqueues), takes = byCorrelation(torch.dequeues);
    for (std::size_t put = 0, take = 0; put < puts.size() && take < takes.size();) {
        if (puts[put].key != takes[take].key) {
            ++(puts[put].key < takes[take].key ? put : take);
            continue;
        }
        const std::uint64_t key = puts[put].key;
        const std::uint32_t firstPut = puts[put].number, firstTake = takes[take].number;
        std::uint32_t owner = kNone;
        for (; put < puts.size() && puts[put].key == key; ++put) {
            dequeueOf[puts[put].number] = firstTake;
            if (owner == kNone) owner = tree.ownerOf(puts[put].number);
        }
        for (; take < takes.size() && takes[take].key == key; ++take) {
            enqueueOf[takes[take].number] = firstPut;
            ownerOf[takes[take].number] = owner;
        }
    }
}

std::vector<std::uint32_t> rawQueueWork(const RawTorch& torch, const std::vector<std::int64_t>& launches) {
    std::vector<std::uint32_t> work(launches.size(), RawTorchTree::kNone);
    std::size_t bar = 0;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        while (bar < torch.dequeues.size() && torch.dequeues[bar].end < launches[i]) ++bar;
        if (bar == torch.dequeues.size()) break;
        if (torch.dequeues[bar].begin <= launches[i]) work[i] = static_cast<std::uint32_t>(bar);
    }
    return work;
}

}  // namespace altiscope::reader
