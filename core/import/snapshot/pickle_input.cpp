#include "core/import/snapshot/pickle_input.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace altiscope::reader {

namespace {

// With smaller chunks each operand would be a read of its own; larger ones are polled for cancelling too seldom.
constexpr std::size_t kFewestPickleBytes = 64;
constexpr std::size_t kMaxPickleBytes = std::size_t{1} << 20;

}  // namespace

PickleInput::PickleInput(const ReadOnlyFile& file, Extent extent, std::size_t chunkBytes, ProgressSlot& progress,
                         const CancelToken& cancel)
    : m_file(file), m_extent(extent), m_chunkBytes(std::clamp(chunkBytes, kFewestPickleBytes, kMaxPickleBytes)),
      m_progress(progress), m_cancel(cancel), m_buffer(m_chunkBytes), m_position(extent.begin) {}

bool PickleInput::fill(std::size_t count) {
    if (m_error || m_isCancelled || remaining() < count) return false;
    std::memmove(m_buffer.data(), m_buffer.data() + m_next, m_end - m_next);
    m_position += m_next;
    m_end -= m_next;
    m_next = 0;
    if (m_buffer.size() < count) m_buffer.resize(count);
    while (m_end < count) {
        if (m_cancel.cancelled()) {
            m_isCancelled = true;
            return false;
        }
        const std::uint64_t at = m_position + m_end;
        const std::uint64_t left = m_extent.begin + m_extent.size - at;
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(m_buffer.size() - m_end, left));
        const auto got = m_file.read(at, std::span(m_buffer).subspan(m_end, wanted));
        if (!got.ok()) {
            m_error = got.error();
            return false;
        }
        if (got.value() == 0) return false;  // The file became shorter.
        m_end += got.value();
        m_progress.addDone(got.value());
    }
    return true;
}

bool PickleInput::skip(std::uint64_t count) {
    if (remaining() < count) return false;
    while (count > 0) {
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(count, m_chunkBytes));
        if (take(part) == nullptr) return false;
        count -= part;
    }
    return true;
}

}  // namespace altiscope::reader
