#include "core/import/snapshot/stack_table.h"

#include "core/import/snapshot/seeded_hash.h"

#include <algorithm>

namespace altiscope::reader {

namespace {

std::uint32_t hashOfFrame(const SnapshotFrame& frame) {
    const std::uint64_t names = seededHash(std::uint64_t{frame.file} << 32 | frame.name);
    return static_cast<std::uint32_t>(seededHash(names ^ static_cast<std::uint64_t>(frame.line)));
}

std::uint32_t hashOfStack(std::span<const std::uint32_t> frames) {
    // Nobody outside knows the factor.
    static const std::uint64_t factor = seededHash(0) | 1U;
    std::uint64_t hash = frames.size();
    for (const std::uint32_t frame : frames) {
        hash = (hash ^ frame) * factor;
        hash ^= hash >> 32;
    }
    return static_cast<std::uint32_t>(seededHash(hash));
}

/// The place of an equal entry, or the free one where it belongs.
template <class IsEqual>
std::uint32_t& placeAmong(std::vector<std::uint32_t>& places, std::uint32_t hash, IsEqual isEqual) {
    const std::size_t mask = places.size() - 1;
    std::size_t at = hash & mask;
    while (places[at] != 0 && !isEqual(places[at] - 1)) at = (at + 1) & mask;
    return places[at];
}

template <class HashOf>
void growPlaces(std::vector<std::uint32_t>& places, std::size_t count, HashOf hashOf) {
    if (count * 2 <= places.size()) return;
    places.assign(places.size() * 2, 0);
    for (std::uint32_t i = 0; i < count; ++i)
        placeAmong(places, hashOf(i), [](std::uint32_t) { return false; }) = i + 1;
}

}  // namespace

StackTable::StackTable() : m_framePlaces(64), m_stackPlaces(64) { stackId({}); }

std::uint32_t StackTable::frameId(const SnapshotFrame& frame) {
    std::uint32_t& place =
        placeAmong(m_framePlaces, hashOfFrame(frame), [&](std::uint32_t number) { return m_frames[number] == frame; });
    if (place != 0) return place - 1;
    const auto number = static_cast<std::uint32_t>(m_frames.size());
    m_frames.push_back(frame);
    place = number + 1;
    growPlaces(m_framePlaces, m_frames.size(), [this](std::uint32_t i) { return hashOfFrame(m_frames[i]); });
    return number;
}

std::uint32_t StackTable::stackId(std::span<const std::uint32_t> frames) {
    const std::uint32_t hash = hashOfStack(frames);
    std::uint32_t& place = placeAmong(m_stackPlaces, hash, [&](std::uint32_t number) {
        if (m_stacks[number].hash != hash) return false;
        const auto known = stack(number);
        return std::equal(known.begin(), known.end(), frames.begin(), frames.end());
    });
    if (place != 0) return place - 1;
    const auto number = static_cast<std::uint32_t>(m_stacks.size());
    m_stacks.push_back({m_items.size(), static_cast<std::uint32_t>(frames.size()), hash});
    m_items.insert(m_items.end(), frames.begin(), frames.end());
    place = number + 1;
    growPlaces(m_stackPlaces, m_stacks.size(), [this](std::uint32_t i) { return m_stacks[i].hash; });
    return number;
}

}  // namespace altiscope::reader
