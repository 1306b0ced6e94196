#pragma once

#include "core/base/values/error.h"

#include <cstdint>
#include <optional>

namespace altiscope::pack {

/// Fills the file of a pack that lies elsewhere: a part of it is here before it is read.
class PackSource {
public:
    PackSource() = default;
    virtual ~PackSource() = default;
    PackSource(const PackSource&) = delete;
    PackSource& operator=(const PackSource&) = delete;

    /// Waits until a part of the file is here. Any thread, several at a time.
    /// @return Why it is not; nullopt if it is.
    virtual std::optional<Error> require(std::uint64_t offset, std::uint64_t bytes) const = 0;
};

}  // namespace altiscope::pack
