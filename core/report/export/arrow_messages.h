#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace altiscope::arrow {

// Messages of an Arrow IPC stream: framing and metadata, as the public specification of the format has them ("Arrow
// Columnar Format", version 1.x: https://arrow.apache.org/docs/format/Columnar.html, its parts Schema.fbs and
// Message.fbs, metadata version V5). Metadata are tables of FlatBuffers, made by that library's builder with the slots
// that the specification numbers: no generated code, and alignment and tables of offsets are the library's business.

/// Types of columns that are written.
enum class ColumnKind : std::uint8_t {
    Integer,  ///< Int, 64 bits, signed.
    Real,     ///< FloatingPoint, DOUBLE.
    Text,     ///< Utf8, coded by a dictionary with indices of 32 bits.
    Blob,     ///< Binary.
};

/// A column as the schema states it. Its dictionary, if it has one, has the column's number as id.
struct SchemaField {
    std::string name;  ///< UTF-8.
    ColumnKind kind = ColumnKind::Text;
    std::string_view unit{};  ///< Becomes the metadata "unit"; empty: none.
};

/// Values of one column in a batch.
struct Node {
    std::int64_t length = 0, nulls = 0;
};

/// Where one buffer lies in the body of its message, in bytes.
struct BufferPart {
    std::int64_t offset = 0, length = 0;
};

/// Header before the body of a batch.
struct Batch {
    std::int64_t rows = 0;
    std::span<const Node> nodes;
    std::span<const BufferPart> parts;
    std::int64_t bodyBytes = 0;  ///< A multiple of kAlignment.
};

/// Buffers of a body begin at multiples of it, and so do messages.
inline constexpr std::int64_t kAlignment = 8;

/// Whole messages up to their bodies, which follow at once.
std::string schemaMessage(std::span<const SchemaField> fields);
std::string recordBatchMessage(const Batch& batch);
/// @param batch  Of one column, the texts. It takes the place of the dictionary that the id had before.
std::string dictionaryMessage(std::int64_t id, const Batch& batch);
/// The last bytes of a stream.
std::string endOfStream();

}  // namespace altiscope::arrow
