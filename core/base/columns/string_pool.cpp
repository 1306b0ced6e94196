#include "core/base/columns/string_pool.h"

#include "core/base/text/text.h"
#include "core/base/threads/parallel_sort.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace altiscope {

namespace {

constexpr std::size_t kFewestPlaces = 128;  // of an open-addressing table; a power of two

/// 0 marks a free place.
std::uint64_t hashOf(std::string_view text) { return XXH3_64bits(text.data(), text.size()) | 1; }

}  // namespace

StringPool::StringPool() : m_offsets(std::vector<std::uint64_t>{0, 0}), m_bytes(std::vector<char>{}) {}

StringPool::StringPool(Column<std::uint64_t> offsets, Column<char> bytes)
    : m_offsets(std::move(offsets)), m_bytes(std::move(bytes)) {}

namespace {

/// First id whose text is not less than `text`.
std::uint32_t lowerBound(const StringPool& pool, std::string_view text) {
    std::uint32_t low = 0;
    auto high = static_cast<std::uint32_t>(pool.size());
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (pool.text({middle}) < text) low = middle + 1;
        else high = middle;
    }
    return low;
}

}  // namespace

std::optional<StringId> StringPool::find(std::string_view text) const {
    const std::uint32_t id = lowerBound(*this, text);
    if (id < size() && this->text({id}) == text) return StringId{id};
    return std::nullopt;
}

std::pair<StringId, StringId> StringPool::prefixRange(std::string_view prefix) const {
    const std::uint32_t first = lowerBound(*this, prefix);
    // The end is the first text that is greater and does not begin with the prefix.
    std::uint32_t low = first;
    auto high = static_cast<std::uint32_t>(size());
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (text({middle}).starts_with(prefix)) low = middle + 1;
        else high = middle;
    }
    return {StringId{first}, StringId{low}};
}

SharedStringPool::SharedStringPool() { insert({}); }

SharedStringPool::~SharedStringPool() = default;

std::pair<std::uint32_t, std::string_view> SharedStringPool::insert(std::string_view text) {
    // Most pools are of a rank's small tables: each begins with little.
    static constexpr std::size_t kFirstBlock = std::size_t{4} << 10, kBlock = std::size_t{256} << 10;
    const std::lock_guard lock(m_mutex);
    if (m_texts.size() * 2 >= m_places.size()) grow();
    const std::uint64_t hash = hashOf(text);
    const std::size_t mask = m_places.size() - 1;
    std::size_t i = (hash >> 7) & mask;
    for (; m_places[i].hash != 0; i = (i + 1) & mask) {
        const std::uint32_t id = m_places[i].id;
        if (m_places[i].hash == hash && isSame(m_texts[id], text)) return {id, m_texts[id]};
    }
    if (m_blocks.empty() || m_blockUsed + text.size() > m_blockSize) {
        m_blockSize = std::max(std::clamp(2 * m_blockSize, kFirstBlock, kBlock), text.size());
        m_blocks.push_back(std::make_unique_for_overwrite<char[]>(m_blockSize));
        m_blockUsed = 0;
    }
    char* place = m_blocks.back().get() + m_blockUsed;
    if (!text.empty()) std::memcpy(place, text.data(), text.size());
    m_blockUsed += text.size();
    const std::string_view kept(place, text.size());
    const auto id = static_cast<std::uint32_t>(m_texts.size());
    m_texts.push_back(kept);
    m_places[i] = {hash, id};
    return {id, kept};
}

void SharedStringPool::grow() {
    // Made whole before it takes the old one's place: memory may run out, and other workers go on.
    std::vector<Place> grown(std::max(kFewestPlaces, m_places.size() * 2));
    const std::size_t mask = grown.size() - 1;
    for (const Place& place : m_places) {
        if (place.hash == 0) continue;
        std::size_t i = (place.hash >> 7) & mask;
        while (grown[i].hash != 0) i = (i + 1) & mask;
        grown[i] = place;
    }
    m_places.swap(grown);
}

std::vector<std::string_view> SharedStringPool::texts() const {
    const std::lock_guard lock(m_mutex);
    return m_texts;
}

SharedStringPool::Sealed SharedStringPool::sealed(const CancelToken& cancel) const {
    const std::vector<std::string_view> texts = this->texts();
    std::vector<std::uint32_t> order(texts.size());
    std::iota(order.begin(), order.end(), 0U);
    parallelSort(
        std::span(order), [&](std::uint32_t a, std::uint32_t b) { return texts[a] < texts[b]; }, cancel);
    if (cancel.cancelled()) return {};

    std::vector<std::uint64_t> offsets;
    offsets.reserve(texts.size() + 1);
    std::uint64_t total = 0;
    for (const std::string_view text : texts) total += text.size();
    std::vector<char> bytes;
    bytes.reserve(total);
    Sealed sealed{{}, std::vector<StringId>(texts.size())};
    for (std::uint32_t rank = 0; rank < order.size() && !cancel.cancelled(); ++rank) {
        const std::string_view text = texts[order[rank]];
        offsets.push_back(bytes.size());
        bytes.insert(bytes.end(), text.begin(), text.end());
        sealed.finalId[order[rank]] = StringId{rank};
    }
    offsets.push_back(bytes.size());
    sealed.pool = StringPool(Column(std::move(offsets)), Column(std::move(bytes)));
    return sealed;
}

std::uint32_t SharedStringPool::Cache::id(std::string_view text) {
    if (m_used * 2 >= m_entries.size()) grow();
    const std::uint64_t hash = hashOf(text);
    const std::size_t mask = m_entries.size() - 1;
    for (std::size_t i = (hash >> 7) & mask;; i = (i + 1) & mask) {
        Entry& entry = m_entries[i];
        if (entry.hash == hash && isSame(entry.text, text)) return entry.id;
        if (entry.hash != 0) continue;
        const auto [id, kept] = m_pool->insert(text);
        entry = {hash, kept, id};
        ++m_used;
        return id;
    }
}

void SharedStringPool::Cache::grow() {
    std::vector<Entry> old = std::move(m_entries);
    m_entries.assign(std::max(kFewestPlaces, old.size() * 2), {});
    const std::size_t mask = m_entries.size() - 1;
    for (const Entry& entry : old) {
        if (entry.hash == 0) continue;
        std::size_t i = (entry.hash >> 7) & mask;
        while (m_entries[i].hash != 0) i = (i + 1) & mask;
        m_entries[i] = entry;
    }
}

}  // namespace altiscope
