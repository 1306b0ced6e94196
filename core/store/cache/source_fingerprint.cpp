#include "core/base/text/table_text.h"
#include "core/store/cache/content_sample.h"
#include "core/store/cache/store_cache.h"

#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <utility>
#include <vector>

#include <sys/stat.h>

namespace altiscope {

namespace {

constexpr std::int64_t kNsInSecond = 1'000'000'000;

std::int64_t nsOf(const struct timespec& time) { return std::int64_t{time.tv_sec} * kNsInSecond + time.tv_nsec; }

/// Files get their times from a clock that goes on once per timer interrupt: two changes within one tick have the same
/// time. Waits until the next change has another time than the last one. A file that is hashed whole needs that not.
void waitForTick(const struct stat& status) {
    static constexpr std::int64_t kTick = 10'000'000;  // of the slowest kernels
    if (static_cast<std::uint64_t>(status.st_size) <= kWholeSampleBytes) return;
    struct timespec now {};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
    const std::int64_t age = nsOf(now) - nsOf(status.st_ctim);
    if (age < 0 || age >= kTick) return;
    const struct timespec rest { 0, static_cast<long>(kTick - age) };
    ::nanosleep(&rest, nullptr);
}

}  // namespace

Result<std::string> StoreCache::fingerprint(const ReadOnlyFile& file) {
    struct stat status {};
    if (::stat(file.path().c_str(), &status) != 0) {
        return Error{"file.unreadable", file.path().string(), {}, {{"reason", std::strerror(errno)}}};
    }
    waitForTick(status);
    const auto hash = sampleContent(file);
    if (!hash.ok()) return hash.as<std::string>();
    std::error_code error;
    const std::filesystem::path canonical = std::filesystem::canonical(file.path(), error);
    std::string text = (error ? file.path() : canonical).string();
    for (const std::uint64_t value :
         {file.size(), static_cast<std::uint64_t>(status.st_size), static_cast<std::uint64_t>(nsOf(status.st_mtim)),
          static_cast<std::uint64_t>(nsOf(status.st_ctim)), static_cast<std::uint64_t>(status.st_ino), hash.value()}) {
        text += '\n' + hexNumber(value);
    }
    return text;
}

std::string StoreCache::key(std::string_view text) {
    // The text names each file of a rank: it is not copied.
    const XXH128_hash_t hash = XXH3_128bits_withSeed(text.data(), text.size(), kStoreFileVersion);
    return hexNumber(hash.high64) + hexNumber(hash.low64);
}

}  // namespace altiscope
