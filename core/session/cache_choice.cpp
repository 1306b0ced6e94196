#include "core/session/cache_choice.h"

#include "core/session/files/write_guard.h"
#include "core/store/cache/private_folder.h"
#include "core/store/cache/store_cache.h"

#include <mutex>
#include <utility>

namespace altiscope {

namespace {

struct SharedChoice {
    std::mutex mutex;
    CacheChoice choice;
};

SharedChoice& sharedChoice() {
    static SharedChoice shared;
    return shared;
}

}  // namespace

const std::uint64_t CacheChoice::kDefaultLimit = StoreCache::kDefaultLimit;

CacheChoice cacheChoice() {
    SharedChoice& shared = sharedChoice();
    const std::scoped_lock lock(shared.mutex);
    return shared.choice;
}

void chooseCache(CacheChoice choice) {
    SharedChoice& shared = sharedChoice();
    const std::scoped_lock lock(shared.mutex);
    shared.choice = std::move(choice);
}

std::optional<CacheFolderProblem> problemOfCacheFolder(const std::filesystem::path& folder) {
    if (!folder.is_absolute()) return CacheFolderProblem::Relative;
    if (liesInProfilerFolder(folder / "entry")) return CacheFolderProblem::InCapture;
    if (!isPrivateFolder(folder)) return CacheFolderProblem::NotPrivate;
    return std::nullopt;
}

CacheUse cacheUse(const std::filesystem::path& folder) {
    CacheUse use;
    for (const StoreCache::Entry& entry : StoreCache(folder).entries()) {
        ++use.entries;
        use.bytes += entry.bytes;
    }
    return use;
}

std::size_t clearCache(const std::filesystem::path& folder, const CancelToken& cancel) {
    return StoreCache(folder).clear(cancel);
}

}  // namespace altiscope
