#pragma once

#include "core/report/export/arrow_messages.h"
#include "core/report/export/result_writer.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

/// Writes the rows of a query as an Arrow IPC stream (arrow_messages.h).
///
/// Columns of the schema have its types: INTEGER 64 bits, REAL a double, TEXT by a dictionary. A computed one has the
/// type of its values in the first batch: integers, reals (with integers that a double holds exactly), blobs; text for
/// anything else, also for several types together and for NULL alone. A later value that does not fit ends the writing.
///
/// Memory: one batch, whatever the number of rows. Each batch brings the dictionaries of its own texts, which take the
/// place of those before: readers need no more memory than the writer, and no reader has to know how a dictionary
/// grows.
class ArrowWriter : public ResultWriter {
public:
    static constexpr std::size_t kBatchRows = std::size_t{1} << 16;
    /// Limit of texts and blobs; a batch ends after the row that reaches it.
    static constexpr std::size_t kBatchBytes = std::size_t{8} << 20;

    explicit ArrowWriter(WriteText write) : m_write(std::move(write)) {}
    void describe(std::span<const ColumnInfo* const> columns) override;
    bool begin(std::span<const std::string> columns) override;
    bool row(std::span<const Value> values) override;
    bool finish() override;
    const std::optional<Error>& problem() const override { return m_problem; }

private:
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    /// A value of a column whose type is not known yet.
    struct Cell {
        ValueType type = ValueType::Null;
        std::int64_t integer = 0;
        double real = 0;
        std::string bytes;
    };
    /// Texts or blobs one after the other.
    struct Bytes {
        std::vector<std::int32_t> offsets{0};
        std::string bytes;
        void add(std::string_view text) {
            bytes += text;
            offsets.push_back(static_cast<std::int32_t>(bytes.size()));
        }
    };
    struct Column {
        arrow::SchemaField field;
        bool isKnown = false;
        std::vector<Cell> waiting;  ///< Until the type is known.
        std::string valid;          ///< A bit per row.
        std::int64_t nulls = 0;
        std::vector<std::int64_t> integers;
        std::vector<double> reals;
        std::vector<std::int32_t> indices;
        Bytes values;  ///< The dictionary's texts, or blobs.
        std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>> places;
    };
    class Body;

    void addKnown(Column& column, const Value& value);
    static void addText(Column& column, std::string_view text);
    static arrow::ColumnKind kindOf(const std::vector<Cell>& cells);
    bool writeBatch();
    bool writeDictionary(std::int64_t number, const Column& column);
    bool write(std::string_view bytes);
    bool write(const Body& body);

    WriteText m_write;
    std::vector<const ColumnInfo*> m_described;
    std::vector<Column> m_columns;
    std::optional<Error> m_problem;
    std::size_t m_rows = 0;          ///< Rows of this batch.
    std::size_t m_bytes = 0;         ///< Bytes of this batch.
    std::uint64_t m_rowsBefore = 0;  ///< This batch.
    bool m_isBegun = false;
};

}  // namespace altiscope
