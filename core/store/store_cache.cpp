#include "core/store/store_cache.h"

#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace altiscope {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEnding = ".altistore";
constexpr std::string_view kFolderEnding = ".altifolder";

std::string hex(std::uint64_t value) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; value >>= 4) text[i] = kDigits[value & 15];
    return text;
}

/// What an entry's file holds beside the store: its key first, so that a file under another's name is not believed.
std::string keyedNote(std::string_view key, std::string_view note) { return std::string(key) + '\n' + std::string(note); }

/// The note as given to put(); nullopt if it was put under another key.
std::optional<std::string> noteOf(std::string_view key, const std::string& keyed) {
    const std::string start = keyedNote(key, {});
    if (!keyed.starts_with(start)) return std::nullopt;
    return keyed.substr(start.size());
}

bool isEntry(const fs::path& path) { return path.extension() == kEnding; }
bool isFolderEntry(const fs::path& path) { return path.extension() == kFolderEnding; }

bool removeEntry(const fs::path& path) {
    std::error_code error;
    return isFolderEntry(path) ? KeptFolder::remove(path) : fs::remove(path, error);
}

/// Temporary files are named "<entry>.tmp.<process>.<random>".
bool isLeftOver(const fs::path& path) { return path.filename().string().find(std::string(kEnding) + ".tmp.") != std::string::npos; }

constexpr std::string_view kScratch = "scratch-";

/// A scratch folder whose program was killed before it could take it away.
bool isAbandonedScratch(const fs::path& path) {
    const std::string name = path.filename().string();
    if (!name.starts_with(kScratch)) return false;
    const int process = std::atoi(name.c_str() + kScratch.size());
    return process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
}

std::vector<fs::path> filesOf(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) files.push_back(it->path());
    return files;
}

} // namespace

StoreCache::StoreCache(fs::path folder, std::uint64_t limit) : m_folder(std::move(folder)), m_limit(limit) {}

fs::path StoreCache::pathOf(std::string_view key, std::string_view ending) const { return m_folder / std::string(key).append(ending); }

std::optional<StoreFileContent> StoreCache::find(std::string_view key) const {
    const fs::path path = pathOf(key, kEnding);
    std::error_code error;
    if (!fs::exists(path, error)) return std::nullopt;
    auto content = readStoreFile(path);
    const auto note = content.ok() ? noteOf(key, content.value().note) : std::nullopt;
    if (!note) {
        fs::remove(path, error);
        return std::nullopt;
    }
    content.value().note = *note;
    // The modification time is the time of last use: access times are often switched off.
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
    return std::move(content).value();
}

Result<Done> StoreCache::put(std::string_view key, const TraceStore& store, std::string_view note, const RowTables* rows) const {
    std::error_code error;
    fs::create_directories(m_folder, error);
    if (error) return Error{"cache.not_written", m_folder.string(), {}, {{"reason", error.message()}}};
    const auto written = writeStoreFile(pathOf(key, kEnding), store, rows, keyedNote(key, note));
    if (written.ok()) evict();
    return written;
}

std::shared_ptr<const KeptFolder> StoreCache::findFolder(std::string_view key) const { return KeptFolder::open(pathOf(key, kFolderEnding), key); }

std::shared_ptr<const KeptFolder> StoreCache::putFolder(std::string_view key, const fs::path& scratch, std::string_view note) const {
    static constexpr std::uint64_t kShare = 4;
    if (!KeptFolder::label(scratch, key, note)) return nullptr;
    const auto label = KeptFolder::labelOf(scratch);
    if (!label || label->bytes > m_limit / kShare) return nullptr;
    const fs::path path = pathOf(key, kFolderEnding);
    std::error_code error;
    fs::rename(scratch, path, error);
    auto kept = KeptFolder::open(path, key);
    if (!kept && error) {
        // What is in the way is no folder that anybody can use.
        KeptFolder::remove(path);
        fs::rename(scratch, path, error);
        kept = KeptFolder::open(path, key);
    }
    if (kept && error) fs::remove_all(scratch, error);
    // Somebody else removes what lies there: the caller goes on with what it has made.
    if (!kept && !error) fs::rename(path, scratch, error);
    if (kept) evict();
    return kept;
}

std::vector<StoreCache::Entry> StoreCache::entries() const {
    std::vector<Entry> list;
    for (const fs::path& path : filesOf(m_folder)) {
        if (isFolderEntry(path)) {
            const auto label = KeptFolder::labelOf(path);
            const auto lastUse = KeptFolder::lastUse(path);
            if (label && lastUse) list.push_back({path, label->note, label->bytes, *lastUse});
            continue;
        }
        struct stat status {};
        if (!isEntry(path) || ::stat(path.c_str(), &status) != 0) continue;
        const auto keyed = readStoreNote(path);
        const auto note = keyed.ok() ? noteOf(path.stem().string(), keyed.value()) : std::nullopt;
        const auto sinceEpoch = std::chrono::seconds(status.st_mtim.tv_sec) + std::chrono::nanoseconds(status.st_mtim.tv_nsec);
        list.push_back({path, note.value_or(std::string()), static_cast<std::uint64_t>(status.st_size),
                        std::chrono::system_clock::time_point(std::chrono::duration_cast<std::chrono::system_clock::duration>(sinceEpoch))});
    }
    std::sort(list.begin(), list.end(), [](const Entry& a, const Entry& b) { return a.lastUse > b.lastUse; });
    return list;
}

std::size_t StoreCache::clear() const {
    std::size_t removed = 0;
    std::error_code error;
    for (const fs::path& path : filesOf(m_folder)) {
        if (isLeftOver(path) || isAbandonedScratch(path)) fs::remove_all(path, error);
        if ((isEntry(path) || isFolderEntry(path)) && removeEntry(path)) ++removed;
    }
    return removed;
}

void StoreCache::evict() const {
    // Of a killed process; a living one finishes its write within this time.
    static constexpr auto kLeftOverAge = std::chrono::hours(24);
    std::error_code error;
    for (const fs::path& path : filesOf(m_folder)) {
        if (!isLeftOver(path) && !isAbandonedScratch(path)) continue;
        const auto age = fs::file_time_type::clock::now() - fs::last_write_time(path, error);
        if (!error && age > kLeftOverAge) fs::remove_all(path, error);
    }
    std::uint64_t total = 0;
    for (const Entry& entry : entries()) {
        total += entry.bytes;
        if (total > m_limit) removeEntry(entry.path);
    }
}

std::string StoreCache::scratchPattern() { return std::string(kScratch) + std::to_string(::getpid()) + "-XXXXXX"; }

Result<std::string> StoreCache::fingerprint(const ReadOnlyFile& file) {
    static constexpr std::uint64_t kEdge = 64 << 10;
    static constexpr std::uint64_t kBlock = 4 << 10;
    static constexpr std::uint64_t kBlocks = 16;
    struct stat status {};
    if (::stat(file.path().c_str(), &status) != 0) {
        return Error{"file.unreadable", file.path().string(), {}, {{"reason", std::strerror(errno)}}};
    }
    std::vector<std::pair<std::uint64_t, std::uint64_t>> parts{{0, kEdge}, {file.size() > kEdge ? file.size() - kEdge : 0, kEdge}};
    for (std::uint64_t b = 1; b <= kBlocks; ++b) parts.emplace_back(file.size() / (kBlocks + 1) * b, kBlock);
    std::vector<char> buffer(kEdge);
    XXH64_hash_t hash = 0;
    for (const auto& [offset, length] : parts) {
        const auto got = file.read(offset, std::span(buffer).first(length));
        if (!got.ok()) return got.as<std::string>();
        hash = XXH3_64bits_withSeed(buffer.data(), got.value(), hash);
    }
    std::error_code error;
    const fs::path canonical = fs::canonical(file.path(), error);
    std::string text = (error ? file.path() : canonical).string();
    for (const auto value : {file.size(), static_cast<std::uint64_t>(status.st_mtim.tv_sec),
                             static_cast<std::uint64_t>(status.st_mtim.tv_nsec), static_cast<std::uint64_t>(status.st_ino), hash}) {
        text += '\n' + hex(value);
    }
    return text;
}

std::string StoreCache::key(std::string_view text) {
    const std::string versioned = std::to_string(kStoreFileVersion) + '\n' + std::string(text);
    const XXH128_hash_t hash = XXH3_128bits(versioned.data(), versioned.size());
    return hex(hash.high64) + hex(hash.low64);
}

} // namespace altiscope
