#pragma once

#include "core/base/values/cancel.h"

#include <QDateTime>
#include <QString>

#include <cstdint>
#include <optional>

namespace altiscope {

/// Space that a file, or all files of a folder, take on disk.
struct DiskSize {
    std::uint64_t bytes = 0;
    std::uint64_t files = 0;
    QDateTime newest;     ///< The last change of a file; not valid: there is none.
    bool isWhole = true;  ///< False: more than kMaxSizedFiles, or folders that could not be read.

    bool operator==(const DiskSize&) const = default;
};

inline constexpr std::uint64_t kMaxSizedFiles = 1'000'000;

/// Links are not followed. One system call for each file: on a worker.
/// @return nullopt if cancelled, or if there is no such file.
std::optional<DiskSize> diskSizeOf(const QString& path, const CancelToken& cancel);

}  // namespace altiscope
