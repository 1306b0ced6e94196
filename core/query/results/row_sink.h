#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace altiscope {

/// Which member of a Value holds.
enum class ValueType : std::uint8_t { Null, Integer, Real, Text, Blob };

/// One value of a result row. Texts and blobs are views that hold until RowSink::row returns.
struct Value {
    ValueType type = ValueType::Null;
    std::int64_t integer = 0;
    double real = 0;
    std::string_view bytes;  ///< Text (usually valid UTF-8; a CAST can make any bytes of it) or blob.
};

struct ColumnInfo;

/// Takes the rows of a query one by one, as they are found. Called on the thread that runs the query.
class RowSink {
public:
    virtual ~RowSink() = default;

    /// Called once, before begin(): what each column of the result is, if it is a column of a table of the schema as it
    /// stands; null for what is computed.
    virtual void describe(std::span<const ColumnInfo* const> /*columns*/) {}

    /// Called once, before the first row and also if there is none. Names as SQL gives them: they may repeat.
    /// @return False to stop the query.
    virtual bool begin(std::span<const std::string> columns) = 0;

    /// One row, as many values as columns. @return False to stop the query; that is no error.
    virtual bool row(std::span<const Value> values) = 0;
};

}  // namespace altiscope
