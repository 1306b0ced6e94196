#pragma once

#include "core/base/files/file.h"
#include "core/base/values/cancel.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace altiscope::reader {

/// What a gzip file holds, from front to back, with each member's own checksum and length looked at: libarchive passes
/// over both, and damage that still decompresses would go unsaid. One thread.
/// Source: RFC 1952.
class GzipInput {
public:
    /// @param file    Must outlive it, as must the token.
    /// @param cancel  Looked at whenever 256 KiB of the file were used, however little came out of them.
    GzipInput(const ReadOnlyFile& file, const CancelToken& cancel);
    ~GzipInput();
    GzipInput(const GzipInput&) = delete;
    GzipInput& operator=(const GzipInput&) = delete;

    /// Decompresses as much as fits; 0 at the end, when cancelled, and after a problem, when all before it was given.
    /// What follows a member that is damaged is not read.
    std::size_t read(std::span<char> out);

    /// What was wrong, for the sentence; empty: nothing so far.
    const std::string& problem() const { return m_problem; }
    /// The problem is that the file ends too early.
    bool isCut() const { return m_isCut; }
    /// Byte of the file that was reached.
    std::uint64_t position() const;

private:
    /// Has some of the file to go on with. False at its end.
    bool refill();
    /// What follows a member: another one, or nothing but zeros.
    void goOn();
    void stop(std::string problem) {
        m_problem = std::move(problem);
        m_isOver = true;
    }

    struct Stream;
    const ReadOnlyFile& m_file;
    const CancelToken& m_cancel;
    std::unique_ptr<Stream> m_stream;
    std::uint64_t m_at = 0;  // in the file, after what is in the stream's buffer
    bool m_isBetween = false;
    bool m_isOver = false;
    bool m_isCut = false;
    std::string m_problem;
};

}  // namespace altiscope::reader
