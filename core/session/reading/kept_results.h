#pragma once

#include "core/base/values/cancel.h"
#include "core/session/reading/capture_results.h"
#include "core/store/cache/store_cache.h"
#include "core/store/capture_store.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace altiscope {

/// The cache's copy of what all ranks of a capture give together, so that a second opening says it as soon as the ranks
/// are there. Any thread.
class KeptResults {
public:
    /// @param cacheFolder  LoadOptions::cacheFolder of the capture; empty: nothing is kept.
    /// @param cacheLimit   LoadOptions::cacheLimit.
    /// @param program      Version of this program. Results of another one, or of another build of it, are not taken.
    KeptResults(std::filesystem::path cacheFolder, std::uint64_t cacheLimit, std::string_view program);

    /// @return Null where there are none of just this content, or the capture has no key (CaptureStore::contentKey).
    std::shared_ptr<const CaptureResults> find(const CaptureStore& capture, const CancelToken& cancel) const;
    /// Whether results that took so long to compute are worth a file.
    static bool isWorth(std::chrono::steady_clock::duration spent) { return spent > std::chrono::milliseconds(300); }
    /// Keeps results; where that fails they are computed again the next time.
    void keep(const CaptureStore& capture, const CaptureResults& results, const CancelToken& cancel) const;

private:
    std::string keyOf(const CaptureStore& capture) const;

    std::filesystem::path m_folder;
    std::uint64_t m_limit;
    std::string m_program;
};

}  // namespace altiscope
