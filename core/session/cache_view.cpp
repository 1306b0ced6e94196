#include "core/session/cache_view.h"

#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/base/values/clock_time.h"
#include "core/session/cache_choice.h"

#include <cstdlib>

namespace altiscope {

namespace {

/// Before the last line of an entry's note stands the source that it was made from.
std::string sourceOf(const StoreCache::Entry& entry) {
    return entry.note.empty() ? "(unusable, made anew when needed)" : entry.note.substr(0, entry.note.rfind('\n'));
}

}  // namespace

std::filesystem::path cacheFolder(const std::optional<std::string>& requested) {
    if (requested) return *requested;
    const CacheChoice choice = cacheChoice();
    return choice.folder.empty() ? standardCacheFolder() : choice.folder;
}

std::filesystem::path standardCacheFolder() {
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && xdg[0] == '/')
        return std::filesystem::path(xdg) / "altiscope";
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] != '\0')
        return std::filesystem::path(home) / ".cache" / "altiscope";
    return {};
}

std::string CacheView::listText() const {
    std::string text;
    std::uint64_t bytes = 0;
    const auto entries = m_cache.entries();
    for (const StoreCache::Entry& entry : entries) {
        std::string size = std::to_string(entry.bytes);
        text += std::string(size.size() < 14 ? 14 - size.size() : 0, ' ') + size + "  " + utcText(entry.lastUse) +
                "  " + printableText(sourceOf(entry)) + "\n";
        bytes += entry.bytes;
    }
    return text + std::to_string(entries.size()) + (entries.size() == 1 ? " entry, " : " entries, ") +
           std::to_string(bytes) + " bytes in " + printableText(m_cache.folder().string()) + "\n";
}

std::string CacheView::listJson() const {
    std::string list;
    std::uint64_t bytes = 0;
    for (const StoreCache::Entry& entry : m_cache.entries()) {
        if (!list.empty()) list += ',';
        list += "{\"source\":" + (entry.note.empty() ? std::string("null") : jsonQuoted(sourceOf(entry))) +
                ",\"bytes\":" + std::to_string(entry.bytes) + ",\"last_use\":" + jsonQuoted(utcText(entry.lastUse)) +
                ",\"file\":" + jsonQuoted(entry.path.string()) + "}";
        bytes += entry.bytes;
    }
    return "{\"folder\":" + jsonQuoted(m_cache.folder().string()) + ",\"bytes\":" + std::to_string(bytes) +
           ",\"entries\":[" + list + "]}\n";
}

std::string CacheView::clearText(const CancelToken& cancel) const {
    const std::size_t removed = m_cache.clear(cancel);
    return "Removed " + std::to_string(removed) + (removed == 1 ? " entry from " : " entries from ") +
           printableText(m_cache.folder().string()) + "\n";
}

std::string CacheView::clearJson(const CancelToken& cancel) const {
    return "{\"folder\":" + jsonQuoted(m_cache.folder().string()) +
           ",\"removed\":" + std::to_string(m_cache.clear(cancel)) + "}\n";
}

}  // namespace altiscope
