#include "core/session/reading/kept_results.h"

#include "core/base/files/file.h"

#include <string>
#include <utility>

namespace altiscope {

namespace {

/// This build: a newer one may have other rules under the same version.
std::string buildText() {
    const FileStamp stamp = stampOf("/proc/self/exe");
    return std::to_string(stamp.size) + ' ' + std::to_string(stamp.modifiedNs);
}

}  // namespace

KeptResults::KeptResults(std::filesystem::path cacheFolder, std::uint64_t cacheLimit, std::string_view program)
    : m_folder(std::move(cacheFolder)), m_limit(cacheLimit), m_program(std::string(program) + ' ' + buildText()) {}

std::string KeptResults::keyOf(const CaptureStore& capture) const {
    if (m_folder.empty() || capture.contentKey.empty()) return {};
    return StoreCache::key("results\n" + m_program + '\n' + capture.contentKey);
}

std::shared_ptr<const CaptureResults> KeptResults::find(const CaptureStore& capture, const CancelToken& cancel) const {
    const std::string key = keyOf(capture);
    if (key.empty()) return nullptr;
    const auto content = StoreCache(m_folder, m_limit).find(key, cancel);
    if (!content) return nullptr;
    auto results =
        resultsOf(std::string_view(content->note).substr(content->note.rfind('\n') + 1), capture.ranks.size());
    return results ? std::make_shared<const CaptureResults>(std::move(*results)) : nullptr;
}

void KeptResults::keep(const CaptureStore& capture, const CaptureResults& results, const CancelToken& cancel) const {
    const std::string key = keyOf(capture);
    if (key.empty()) return;
    const auto text = resultsJson(results);
    // Results that cannot be read back would only be looked at in vain.
    if (!text || !resultsOf(*text, capture.ranks.size())) return;
    const TraceStore none(TraceColumns{}, false);
    // The list of the cache shows the first line.
    static_cast<void>(StoreCache(m_folder, m_limit).put(key, none, capture.path + '\n' + *text, nullptr, cancel));
}

}  // namespace altiscope
