#include "core/session/reading/raw_capture_search.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace altiscope {

namespace {

namespace rawfs = std::filesystem;

bool isProfFolder(const rawfs::path& folder, const std::vector<rawfs::path>& within) {
    if (!folder.filename().string().starts_with("PROF_")) return false;
    return std::any_of(within.begin(), within.end(), [](const rawfs::path& one) {
        const std::string name = one.filename().string();
        return name == "host" || name.starts_with("device_");
    });
}

bool isFrameworkFolder(const rawfs::path& folder, const std::vector<rawfs::path>& within) {
    const std::string name = folder.filename().string();
    const bool isNamed = name.ends_with("_ascend_pt") || name.ends_with("_ascend_ms");
    return std::any_of(within.begin(), within.end(), [isNamed](const rawfs::path& one) {
        const std::string inner = one.filename().string();
        return inner == "FRAMEWORK" || (isNamed && inner.starts_with("PROF_"));
    });
}

class RawSearch {
public:
    RawSearch(const rawfs::path& root, const RawSearchLimits& limits, const CancelToken& cancel)
        : m_root(root), m_limits(limits), m_cancel(cancel) {}

    RawCaptures found() {
        search(m_root, 0);
        std::sort(m_found.folders.begin(), m_found.folders.end(),
                  [](const RawCaptureFolder& a, const RawCaptureFolder& b) { return a.path < b.path; });
        return std::move(m_found);
    }

private:
    void search(const rawfs::path& folder, int depth) {
        const std::vector<rawfs::path> within = foldersIn(folder);
        if (isFrameworkFolder(folder, within)) return m_found.folders.push_back({folder, true});
        if (isProfFolder(folder, within)) return m_found.folders.push_back({folder, false});
        if (within.empty()) return;
        if (depth == m_limits.depth)
            return lose("raw_analysis.too_deep", folder, {{"limit", std::to_string(m_limits.depth)}});
        for (const rawfs::path& one : within) {
            if (m_isCut || m_cancel.cancelled()) return;
            search(one, depth + 1);
        }
    }

    /// The real folders in a folder, by name.
    std::vector<rawfs::path> foldersIn(const rawfs::path& folder) {
        std::vector<rawfs::path> folders;
        std::error_code error;
        for (rawfs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
            if (m_cancel.cancelled()) break;
            if (++m_entries > m_limits.entries) {
                m_isCut = true;
                lose("raw_analysis.search_cut", folder, {{"limit", std::to_string(m_limits.entries)}});
                break;
            }
            std::error_code ignored;
            if (!at->is_symlink(ignored) && at->is_directory(ignored)) folders.push_back(at->path());
        }
        if (error) lose("raw_analysis.not_listed", folder, {{"reason", error.message()}});
        std::sort(folders.begin(), folders.end());
        return folders;
    }

    void lose(std::string_view code, const rawfs::path& folder, const MessageParameters& parameters) {
        m_found.lost.add(code, Severity::Lost, folder.lexically_relative(m_root).string(), {}, parameters);
    }

    const rawfs::path& m_root;
    const RawSearchLimits m_limits;
    const CancelToken& m_cancel;
    RawCaptures m_found;
    std::size_t m_entries = 0;
    bool m_isCut = false;
};

}  // namespace

RawCaptures findRawCaptures(const std::filesystem::path& folder, const CancelToken& cancel,
                            const RawSearchLimits& limits) {
    // "." and a slash at the end have no name.
    std::error_code error;
    const rawfs::path named = rawfs::canonical(folder, error);
    if (error) return {};
    return RawSearch(named, limits, cancel).found();
}

}  // namespace altiscope
