#include "core/import/snapshot/pickle_texts.h"

#include "core/import/snapshot/snapshot_words.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

namespace altiscope::reader {

PickleTexts::PickleTexts() : m_places(256) {
    for (const std::string_view word : kSnapshotWords) id(word);
}

std::uint32_t PickleTexts::id(std::string_view text) {
    const std::uint64_t whole = std::hash<std::string_view>{}(text);
    const auto hash = static_cast<std::uint32_t>(whole ^ (whole >> 32));
    const std::size_t mask = m_places.size() - 1;
    std::size_t at = hash & mask;
    while (m_places[at].number != 0) {
        if (m_places[at].hash == hash && m_texts[m_places[at].number - 1] == text) return m_places[at].number - 1;
        at = (at + 1) & mask;
    }
    const auto number = static_cast<std::uint32_t>(m_texts.size());
    m_texts.push(kept(text));
    m_places[at] = {hash, number + 1};
    if (m_texts.size() * 2 > m_places.size()) grow();
    return number;
}

std::string_view PickleTexts::kept(std::string_view text) {
    if (text.empty()) return {};
    if (m_blockSize - m_blockUsed < text.size()) {
        constexpr std::size_t kBlock = std::size_t{64} << 10;
        m_blockSize = std::max(kBlock, text.size());
        m_blockUsed = 0;
        m_blocks.push_back(std::make_unique<char[]>(m_blockSize));
    }
    char* copy = m_blocks.back().get() + m_blockUsed;
    std::memcpy(copy, text.data(), text.size());
    m_blockUsed += text.size();
    return {copy, text.size()};
}

void PickleTexts::grow() {
    std::vector<Place> before(m_places.size() * 2);
    m_places.swap(before);
    const std::size_t mask = m_places.size() - 1;
    for (const Place& place : before) {
        if (place.number == 0) continue;
        std::size_t at = place.hash & mask;
        while (m_places[at].number != 0) at = (at + 1) & mask;
        m_places[at] = place;
    }
}

}  // namespace altiscope::reader
