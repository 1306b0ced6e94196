#pragma once

#include "core/base/files/file.h"
#include "core/base/values/cancel.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace altiscope::reader {

/// Reads a gzip file from front to back, with each member's own checksum and length looked at: libarchive passes
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
    /// A member whose data does not decompress does not tell where the next one begins: nothing after it is read.
    std::size_t read(std::span<char> out);

    /// Reason why reading ended, for the sentence; empty: none so far.
    const std::string& problem() const { return m_problem; }
    /// The problem is that the file ends too early.
    bool isCut() const { return m_isCut; }
    /// Members that were given and hold something else than their checksums or lengths say; reading went on.
    std::uint64_t damagedMembers() const { return m_damaged; }
    /// Where the first of them begin, as bytes of the file.
    const std::vector<std::uint64_t>& damagedPlaces() const { return m_damagedPlaces; }
    /// Byte of the file that was reached.
    std::uint64_t position() const;

private:
    enum class State : std::uint8_t { Between, Data, Over };

    /// Has some of the file to go on with. False at its end.
    bool refill();
    std::optional<unsigned char> nextByte();
    /// A number of some bytes, the lowest first.
    std::optional<std::uint32_t> nextNumber(int bytes);
    bool passOver(std::uint32_t bytes);
    bool passOverText();
    /// Passes over the fields before a member's data. False if they are cut.
    bool passOverFields(unsigned flags);
    /// Begins what follows a member: another one, or nothing but zeros.
    void beginMember();
    void endMember();
    void noteDamage();
    void stop(std::string problem);
    void stopCut();

    struct Stream;
    const ReadOnlyFile& m_file;
    const CancelToken& m_cancel;
    std::unique_ptr<Stream> m_stream;
    std::uint64_t m_at = 0;  // in the file, after what is in the stream's buffer
    State m_state = State::Between;
    bool m_isCut = false;
    std::uint64_t m_member = 0;                              // where it begins
    bool m_isDamaged = false;                                // and noted
    std::uint32_t m_headerSum = 0, m_sum = 0, m_length = 0;  // of the member so far
    std::uint64_t m_damaged = 0;
    std::vector<std::uint64_t> m_damagedPlaces;
    std::string m_problem;
};

}  // namespace altiscope::reader
