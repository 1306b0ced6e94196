#pragma once

#include "core/base/files/file.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// The bytes of a pickle in their order, through a buffer that grows to the longest text at most.
class PickleInput {
public:
    /// Where in a file a pickle stands.
    struct Extent {
        std::uint64_t begin = 0, size = 0;  ///< Bytes.
    };

    PickleInput(const ReadOnlyFile& file, Extent extent, std::size_t chunkBytes, ProgressSlot& progress,
                const CancelToken& cancel);

    /// The next bytes, valid until the next call. Null: the pickle ends before, or one of the two below.
    const char* take(std::size_t count) {
        if (m_end - m_next < count && !fill(count)) return nullptr;
        const char* taken = m_buffer.data() + m_next;
        m_next += count;
        return taken;
    }
    /// Bytes that are there already, from the next one on; valid until the next call of another function.
    std::string_view window() const { return {m_buffer.data() + m_next, m_end - m_next}; }
    /// Passes over bytes of the window.
    void pass(std::size_t count) { m_next += count; }
    /// Passes over bytes. False: the pickle ends before.
    bool skip(std::uint64_t count);

    std::uint64_t position() const { return m_position + m_next; }  ///< In the file, of the next byte.
    std::uint64_t remaining() const { return m_extent.begin + m_extent.size - position(); }

    bool cancelled() const { return m_isCancelled; }
    const std::optional<Error>& error() const { return m_error; }

private:
    /// Brings `count` bytes into the buffer.
    bool fill(std::size_t count);

    const ReadOnlyFile& m_file;
    Extent m_extent;
    std::size_t m_chunkBytes;
    ProgressSlot& m_progress;
    const CancelToken& m_cancel;
    std::vector<char> m_buffer;
    std::uint64_t m_position;           // of the buffer in the file
    std::size_t m_next = 0, m_end = 0;  // in the buffer
    bool m_isCancelled = false;
    std::optional<Error> m_error;
};

}  // namespace altiscope::reader
