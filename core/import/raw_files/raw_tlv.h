#pragma once

#include "core/base/files/file.h"
#include "core/import/raw_files/raw_blocks.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// A file of FRAMEWORK: no slices, records one after the other. Source: core/import/raw_records/FORMAT.md.
struct RawFrameworkFile {
    std::filesystem::path path;
    std::string name;  ///< Relative to the capture.
};

/// A value with its type and length in front: u16 type, u32 length. Source: core/import/raw_records/FORMAT.md.
struct RawTlv {
    std::uint16_t type = 0;
    std::string_view value;
    std::uint64_t byte = 0;  ///< Offset of its type in the file.
};

/// Reads the values of a file one by one. Memory: a window, or the longest value.
class RawTlvFile {
public:
    /// Longer values are none: "raw.bad_record" (lost), and nothing after is read.
    static constexpr std::size_t kMaxValue = std::size_t{16} << 20;

    RawTlvFile(const RawFrameworkFile& file, RawContext& context);
    /// @return False at the end, or if cancelled. The value is valid until the next call. A value that is cut by the
    ///         end of the file is dropped: "raw.cut" (lost).
    bool next(RawTlv& tlv);

private:
    bool provide(std::size_t bytes);

    const RawFrameworkFile& m_source;
    RawContext& m_context;
    std::optional<ReadOnlyFile> m_file;
    std::vector<char> m_bytes;
    std::size_t m_at = 0;       ///< Offset of the next value in m_bytes.
    std::size_t m_end = 0;      ///< End of the bytes read into m_bytes.
    std::uint64_t m_begin = 0;  ///< Offset of m_bytes in the file.
};

/// Reads the value that begins at a byte of a file. @param bytes  Holds it. @return False if there is none.
bool readRawTlv(const ReadOnlyFile& file, std::uint64_t byte, std::vector<char>& bytes, RawTlv& tlv);

/// The values within a value, as far as they are whole.
class RawInnerTlvs {
public:
    explicit RawInnerTlvs(std::string_view bytes) : m_rest(bytes) {}
    bool next(RawTlv& tlv);
    /// Whether bytes were left that are no value.
    bool isCut() const { return m_isCut; }

private:
    std::string_view m_rest;
    bool m_isCut = false;
};

/// Calls take(bytes, byte in the file) for each record of a file of records of one size. The rest at the end is
/// "raw.cut" (lost).
void eachFrameworkRecord(const RawFrameworkFile& file, std::uint32_t size, RawContext& context,
                         const std::function<void(const char*, std::uint64_t)>& take);

}  // namespace altiscope::reader
