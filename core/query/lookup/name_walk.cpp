#include "core/query/lookup/name_walk.h"

#include <algorithm>
#include <tuple>

namespace altiscope {

/// Heaps of the standard library show their largest element, so the order is turned round.
struct NameWalk::Later {
    bool operator()(const Head& a, const Head& b) const {
        return std::tie(a.group, a.name, a.source) > std::tie(b.group, b.name, b.source);
    }
};

void NameWalk::start(std::vector<RankNames> ranks) {
    m_sources.clear();
    m_heap.clear();
    for (RankNames& names : ranks) m_sources.push_back({std::move(names), 0});
    for (std::uint32_t source = 0; source < m_sources.size(); ++source) push(source);
    nextList();
}

void NameWalk::push(std::uint32_t number) {
    Source& source = m_sources[number];
    const RankNames& names = source.names;
    const std::uint32_t end = names.ids ? static_cast<std::uint32_t>(names.ids->size()) : names.index->texts();
    for (; source.next < end; ++source.next) {
        const StringId id = names.ids ? (*names.ids)[source.next] : StringId{source.next};
        if (names.index->count(id) == 0) continue;
        m_heap.push_back({names.group, number, names.pool->text(id)});
        std::push_heap(m_heap.begin(), m_heap.end(), Later());
        return;
    }
}

void NameWalk::nextList() {
    m_slices = {};
    m_at = 0;
    if (m_heap.empty()) return;
    std::pop_heap(m_heap.begin(), m_heap.end(), Later());
    const Head head = m_heap.back();
    m_heap.pop_back();
    Source& source = m_sources[head.source];
    const StringId id = source.names.ids ? (*source.names.ids)[source.next] : StringId{source.next};
    m_slices = source.names.index->slices(id);
    m_rank = source.names.rank;
    m_name = head.name;
    ++source.next;
    push(head.source);
}

void NameWalk::skipName() {
    const std::string_view name = m_name;
    do nextList();
    while (!atEnd() && m_name == name);
}

}  // namespace altiscope
