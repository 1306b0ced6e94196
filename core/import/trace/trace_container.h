#pragma once

#include "core/base/files/file.h"
#include "core/base/values/result.h"
#include "core/import/contracts/diagnostic_log.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace altiscope::reader {

/// A piece of a file in memory that can be moved and enlarged. Its bytes are followed by a zero.
class FileWindow {
public:
    explicit FileWindow(const ReadOnlyFile& file) : m_file(&file) {}

    /// Reads `size` bytes from `byte` on; fewer at the end of the file. Short reads count as its end: a file may
    /// shrink.
    Result<Done> load(std::uint64_t byte, std::size_t size);

    void clear() { m_size = 0; }

    /// Calls work() while the byte at `offset` of the text reads as zero.
    template <class Work>
    auto withZeroAt(std::size_t offset, const Work& work) {
        const char kept = std::exchange(m_buffer[offset], '\0');
        auto result = work();
        m_buffer[offset] = kept;
        return result;
    }

    std::string_view text() const { return {m_buffer.data(), m_size}; }
    std::uint64_t byte() const { return m_byte; }
    bool endsFile() const { return m_endsFile; }

private:
    const ReadOnlyFile* m_file;
    std::string m_buffer;
    std::size_t m_size = 0;
    std::uint64_t m_byte = 0;
    bool m_endsFile = false;
};

/// How the list of events is wrapped.
struct TraceContainer {
    bool isObject = false;          ///< {"traceEvents": [...]}
    std::uint64_t firstRecord = 0;  ///< After the '[' of the list.
    /// ns that times are counted from, as the profiler of PyTorch states in front of the list: "baseTimeNanoseconds".
    std::int64_t baseTime = 0;
};

/// Largest record, and largest value beside the list of events, that is taken into memory.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{16} << 20;

/// Finds the list of events.
/// @return Error "trace.empty", "trace.not_json", "trace.not_a_timeline" or "trace.head_too_large", with the place.
Result<TraceContainer> findTraceContainer(const ReadOnlyFile& file, std::string_view name);

/// Looks at what stands after the list of events, and logs what is wrong with it.
/// @param byte  After the ']' of the list.
Result<Done> checkTraceEnd(const ReadOnlyFile& file, const TraceContainer& container, std::uint64_t byte,
                           DiagnosticLog& problems);

}  // namespace altiscope::reader
