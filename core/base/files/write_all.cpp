#include "core/base/files/write_all.h"

#include <cerrno>
#include <cstddef>

#include <sys/types.h>
#include <unistd.h>

namespace altiscope {

int writeAll(int descriptor, std::span<const char> bytes, std::optional<std::uint64_t> offset) {
    while (!bytes.empty()) {
        const ssize_t written = offset ? ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(*offset))
                                       : ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : EIO;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        if (offset) *offset += static_cast<std::uint64_t>(written);
    }
    return 0;
}

}  // namespace altiscope
