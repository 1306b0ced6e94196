#include "core/store/cache/cache_batch.h"

#include <system_error>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kSmallEntry = std::size_t{64} << 10;
constexpr std::size_t kMaxPacked = std::size_t{64} << 20;
constexpr std::size_t kFewEntries = 16;  // that are better off as files of their own, which come and go one by one

std::string realPath(const std::filesystem::path& capture) {
    std::error_code error;
    const auto real = std::filesystem::weakly_canonical(capture, error);
    return (error ? capture : real).string();
}

}  // namespace

CacheBatch::CacheBatch(const StoreCache& cache, const std::filesystem::path& capture)
    // The last line is the importer's in other entries.
    : m_cache(cache), m_note(realPath(capture) + "\n{}"), m_key(StoreCache::key("pack\n" + m_note)),
      m_pack(cache.findPack(m_key)) {}

std::optional<StoreFileContent> CacheBatch::find(std::string_view key, const CancelToken& cancel) const {
    auto packed = m_pack ? m_pack->find(key, cancel) : std::nullopt;
    if (!packed || !StoreCache::takeKey(key, packed->note)) return m_cache.find(key, cancel);
    if (!m_isUsed.exchange(true)) m_cache.touch(m_key);
    return packed;
}

Result<Done> CacheBatch::put(std::string_view key, const TraceStore& store, std::string_view note,
                             const RowTables* rows, const CancelToken& cancel) {
    const std::string keyed = StoreCache::keyedNote(key, note);
    const StoreImage image(store, rows, keyed, cancel);
    if (cancel.cancelled()) return Cancelled{};
    if (image.size() <= kSmallEntry) {
        std::string bytes = image.bytes();
        const std::lock_guard lock(m_mutex);
        if (m_gatheredBytes + bytes.size() <= kMaxPacked) {
            m_gatheredBytes += bytes.size();
            m_gathered.insert_or_assign(std::string(key), std::move(bytes));
            return Done{};
        }
    }
    return m_cache.putFile(key, cancel, [&image](const std::filesystem::path& path) { return image.write(path); });
}

Result<Done> CacheBatch::finish(const CancelToken& cancel) {
    const std::lock_guard lock(m_mutex);
    const auto write = [&](std::string_view key, std::string_view bytes) {
        return m_cache.putFile(key, cancel,
                               [&](const std::filesystem::path& path) { return writeCacheFile(path, bytes, cancel); });
    };
    if (m_gathered.size() < kFewEntries) {
        for (const auto& [key, bytes] : m_gathered) {
            if (auto written = write(key, bytes); !written.ok()) return written;
        }
        return Done{};
    }
    StorePack::Entries all;
    std::size_t total = m_gatheredBytes;
    for (const auto& [key, bytes] : m_gathered) all.emplace(key, bytes);
    if (m_pack) {
        for (const auto& [key, bytes] : m_pack->entries()) {
            if (total + bytes.size() <= kMaxPacked && all.emplace(key, bytes).second) total += bytes.size();
        }
    }
    return write(m_key, StorePack::bytesOf(StoreCache::keyedNote(m_key, m_note), all));
}

}  // namespace altiscope
