#include "core/query/lookup/run_walk.h"

#include <algorithm>
#include <utility>

namespace altiscope {

void RunWalk::start(std::vector<RunPart> parts, RunOrder order) {
    m_parts = std::move(parts);
    m_order = order;
    m_nextPart = 0;
    m_heap.clear();
    if (order == RunOrder::AsListed) openPart();
    else openBucket();
}

void RunWalk::openPart() {
    m_part = m_nextPart < m_parts.size() ? &m_parts[m_nextPart] : nullptr;
    m_row = m_part == nullptr ? 0 : m_part->first;
}

RunWalk::Head RunWalk::headOf(std::uint32_t part, std::uint64_t left) const {
    const RunPart& p = m_parts[part];
    if (m_order == RunOrder::Descending) return {-p.times[p.first + left - 1], part, left};
    return {p.times[p.last - left], part, left};
}

void RunWalk::openBucket() {
    m_part = nullptr;
    if (m_nextPart == m_parts.size()) return;
    const std::uint32_t bucket = m_parts[m_nextPart].bucket;
    for (; m_nextPart < m_parts.size() && m_parts[m_nextPart].bucket == bucket; ++m_nextPart) {
        const RunPart& part = m_parts[m_nextPart];
        m_heap.push_back(headOf(static_cast<std::uint32_t>(m_nextPart), part.last - part.first));
    }
    for (std::size_t hole = m_heap.size() / 2; hole-- > 0;) settle(hole);
    showTop();
}

void RunWalk::showTop() {
    const Head& top = m_heap.front();
    m_part = &m_parts[top.part];
    m_row = m_order == RunOrder::Descending ? m_part->first + top.left - 1 : m_part->last - top.left;
}

void RunWalk::settle(std::size_t hole) {
    const Head moving = m_heap[hole];
    for (std::size_t child = 2 * hole + 1; child < m_heap.size(); child = 2 * hole + 1) {
        if (child + 1 < m_heap.size() && before(m_heap[child + 1], m_heap[child])) ++child;
        if (!before(m_heap[child], moving)) break;
        m_heap[hole] = m_heap[child];
        hole = child;
    }
    m_heap[hole] = moving;
}

void RunWalk::nextByTime() {
    Head& top = m_heap.front();
    if (top.left > 1) {
        top = headOf(top.part, top.left - 1);
    } else {
        top = m_heap.back();
        m_heap.pop_back();
        if (m_heap.empty()) return openBucket();
    }
    settle(0);
    showTop();
}

}  // namespace altiscope
