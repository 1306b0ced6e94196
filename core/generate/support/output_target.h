#pragma once

#include "core/base/values/result.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::generate {

/// A file that is written from its begin to its end.
class OutputStream {
public:
    virtual ~OutputStream() = default;
    virtual Result<Done> write(std::string_view text) = 0;
    /// No write may follow. Only after it has succeeded is the text known to have reached the disk's cache.
    virtual Result<Done> close() = 0;
};

/// Where the files of a capture go. All functions may be called from any thread; a stream belongs to one at a time.
class OutputTarget {
public:
    virtual ~OutputTarget() = default;
    /// Opens a new file below the capture's folder; makes the folders that it needs. The target must outlive the
    /// stream.
    virtual Result<std::unique_ptr<OutputStream>> open(const std::filesystem::path& relative) = 0;
};

/// A folder on disk. What was written vanishes with the target unless keep() was called, so that a run that fails or is
/// cancelled leaves nothing behind; what somebody else has put there meanwhile stays.
class DiskTarget : public OutputTarget {
public:
    /// @return Error generate.output_not_empty or generate.output_not_folder if the folder cannot take a capture,
    ///         generate.write_failed {reason} if it cannot be made.
    static Result<std::unique_ptr<DiskTarget>> make(const std::filesystem::path& folder);
    ~DiskTarget() override;

    Result<std::unique_ptr<OutputStream>> open(const std::filesystem::path& relative) override;
    /// Where a library writes a new file below the capture's folder by itself; makes the folders that it needs.
    Result<std::filesystem::path> place(const std::filesystem::path& relative);
    /// Counts a file that was written to such a place.
    void count(const std::filesystem::path& file);
    void keep() { m_keep = true; }
    /// Written so far.
    std::uint64_t bytes() const { return m_bytes.load(); }

private:
    explicit DiskTarget(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    std::filesystem::path m_folder;
    std::vector<std::filesystem::path> m_made;  ///< Folders that were not there before, innermost first.
    std::mutex m_mutex;
    std::vector<std::filesystem::path> m_files;  ///< Below the folder, guarded by the mutex.
    bool m_keep = false;
    std::atomic<std::uint64_t> m_bytes{0};
};

/// Writes a whole file.
Result<Done> writeFile(OutputTarget& target, const std::filesystem::path& relative, std::string_view text);

/// Counts bytes and drops them: the size of a capture without writing it.
class CountingTarget : public OutputTarget {
public:
    Result<std::unique_ptr<OutputStream>> open(const std::filesystem::path& relative) override;
    std::uint64_t bytes() const { return m_bytes.load(); }

private:
    std::atomic<std::uint64_t> m_bytes{0};
};

}  // namespace altiscope::generate
