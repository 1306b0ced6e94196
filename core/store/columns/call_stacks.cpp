#include "core/store/columns/call_stacks.h"

#include <algorithm>

namespace altiscope {

CallStackPool::Place& CallStackPool::placeOf(std::uint64_t key) {
    const std::size_t mask = m_places.size() - 1;
    std::uint64_t hash = key * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
    std::size_t i = hash & mask;
    while (m_places[i].key != 0 && m_places[i].key != key) i = (i + 1) & mask;
    return m_places[i];
}

void CallStackPool::grow() {
    static constexpr std::size_t kFewest = 256;
    // Made whole before it takes the old one's place: memory may run out, and other workers go on.
    std::vector<Place> before(std::max(kFewest, m_places.size() * 2));
    m_places.swap(before);
    for (const Place& place : before) {
        if (place.key != 0) placeOf(place.key) = place;
    }
}

ProvisionalStack CallStackPool::child(ProvisionalStack parent, std::string_view frame) {
    if (m_nodes.size() * 2 >= m_places.size()) grow();
    const std::uint32_t text = m_cache.id(frame);
    const std::uint64_t key = (std::uint64_t{parent} << 32) | text;
    Place& place = placeOf(key);
    if (place.key == key) return place.node;
    m_bytes += frame.size();
    if (m_nodes.size() >= kMaxNodes || m_bytes > kMaxBytes) {
        m_isFull = true;
        return kNoStack;
    }
    const auto node = static_cast<ProvisionalStack>(m_nodes.size());
    m_nodes.push_back({parent, m_nodes[parent].depth + 1, text});
    place = {key, node};
    return node;
}

ProvisionalStack CallStackPool::id(std::span<const std::string_view> frames) {
    const std::lock_guard lock(m_mutex);
    ProvisionalStack stack = kNoStack;
    for (const std::string_view frame : frames) {
        if (m_isFull) return kNoStack;
        if (frame.empty()) continue;
        if (m_nodes[stack].depth == kMaxFrames) {
            m_isCut = true;
            break;
        }
        stack = child(stack, frame);
    }
    return stack;
}

std::vector<CallStackPool::Node> CallStackPool::nodes() const {
    const std::lock_guard lock(m_mutex);
    return m_isFull ? std::vector<Node>() : m_nodes;
}

bool CallStackPool::isFull() const {
    const std::lock_guard lock(m_mutex);
    return m_isFull;
}

bool CallStackPool::isCut() const {
    const std::lock_guard lock(m_mutex);
    return m_isCut;
}

}  // namespace altiscope
