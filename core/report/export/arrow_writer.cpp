#include "core/report/export/arrow_writer.h"

#include "core/base/text/table_text.h"
#include "core/base/text/text.h"
#include "core/query/schema/schema.h"
#include "core/report/export/line_output.h"

#include <algorithm>

namespace altiscope {

namespace {

/// Whether a double holds it exactly.
bool isExactReal(std::int64_t number) {
    constexpr std::int64_t kMost = std::int64_t{1} << 53;
    return -kMost <= number && number <= kMost;
}

std::string arrowText(const Value& value) {
    switch (value.type) {
    case ValueType::Integer: return std::to_string(value.integer);
    case ValueType::Real: return realText(value.real);
    case ValueType::Blob: return hexText(value.bytes);
    default: return std::string(value.bytes);
    }
}

arrow::ColumnKind arrowKind(ColumnType type) {
    switch (type) {
    case ColumnType::Integer: return arrow::ColumnKind::Integer;
    case ColumnType::Real: return arrow::ColumnKind::Real;
    case ColumnType::Text: break;
    }
    return arrow::ColumnKind::Text;
}

template <class T>
std::string_view arrowBytes(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

/// Buffers of a message, and where they come to lie.
class ArrowWriter::Body {
public:
    /// Columns without NULL have no bits.
    void addColumn(std::int64_t rows, std::int64_t nulls, std::string_view valid) {
        m_nodes.push_back({rows, nulls});
        add(nulls == 0 ? std::string_view() : valid);
    }
    void add(std::string_view buffer) {
        m_buffers.push_back(buffer);
        m_parts.push_back({m_size, static_cast<std::int64_t>(buffer.size())});
        m_size += (m_parts.back().length + arrow::kAlignment - 1) / arrow::kAlignment * arrow::kAlignment;
    }
    void add(const Bytes& values) {
        add(arrowBytes(values.offsets));
        add(values.bytes);
    }
    arrow::Batch batch(std::size_t rows) const { return {static_cast<std::int64_t>(rows), m_nodes, m_parts, m_size}; }
    const std::vector<std::string_view>& buffers() const { return m_buffers; }

private:
    std::vector<arrow::Node> m_nodes;
    std::vector<arrow::BufferPart> m_parts;
    std::vector<std::string_view> m_buffers;
    std::int64_t m_size = 0;
};

void ArrowWriter::describe(std::span<const ColumnInfo* const> columns) {
    m_described.assign(columns.begin(), columns.end());
}

bool ArrowWriter::begin(std::span<const std::string> columns) {
    const std::vector<std::string> names = distinctNames(columns);
    m_described.resize(names.size(), nullptr);
    for (std::size_t i = 0; i < names.size(); ++i) {
        Column& column = m_columns.emplace_back();
        column.field.name = repairedUtf8(names[i]);
        const ColumnInfo* known = m_described[i];
        column.isKnown = known != nullptr;
        if (known == nullptr) continue;
        column.field.kind = arrowKind(known->type);
        column.field.unit = known->unit;
    }
    return true;
}

bool ArrowWriter::row(std::span<const Value> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        Column& column = m_columns[i];
        if (column.isKnown) {
            addKnown(column, values[i]);
        } else {
            const Value& value = values[i];
            column.waiting.push_back({value.type, value.integer, value.real, std::string(value.bytes)});
        }
        m_bytes += values[i].bytes.size();
    }
    ++m_rows;
    if (m_problem) return false;
    return (m_rows < kBatchRows && m_bytes < kBatchBytes) || writeBatch();
}

arrow::ColumnKind ArrowWriter::kindOf(const std::vector<Cell>& cells) {
    bool isInteger = true, isReal = true, isBlob = true, isAny = false;
    for (const Cell& cell : cells) {
        if (cell.type == ValueType::Null) continue;
        isAny = true;
        const bool isWhole = cell.type == ValueType::Integer;
        isInteger = isInteger && isWhole;
        isReal = isReal && (cell.type == ValueType::Real || (isWhole && isExactReal(cell.integer)));
        isBlob = isBlob && cell.type == ValueType::Blob;
    }
    if (!isAny) return arrow::ColumnKind::Text;
    if (isInteger) return arrow::ColumnKind::Integer;
    if (isReal) return arrow::ColumnKind::Real;
    return isBlob ? arrow::ColumnKind::Blob : arrow::ColumnKind::Text;
}

void ArrowWriter::addText(Column& column, std::string_view text) {
    auto found = column.places.find(text);
    if (found == column.places.end() && !isValidUtf8(text)) return addText(column, repairedUtf8(text));
    if (found == column.places.end()) {
        const auto place = static_cast<std::int32_t>(column.places.size());
        found = column.places.emplace(std::string(text), place).first;
        column.values.add(text);
    }
    column.indices.push_back(found->second);
}

void ArrowWriter::addKnown(Column& column, const Value& value) {
    const bool isNull = value.type == ValueType::Null;
    const bool isWhole = value.type == ValueType::Integer;
    const std::size_t row = m_rows;
    if (row % 8 == 0) column.valid += '\0';
    if (isNull) ++column.nulls;
    else column.valid.back() = static_cast<char>(static_cast<unsigned char>(column.valid.back()) | 1U << row % 8);
    bool fits = true;
    switch (column.field.kind) {
    case arrow::ColumnKind::Integer:
        fits = isNull || isWhole;
        column.integers.push_back(isWhole ? value.integer : 0);
        break;
    case arrow::ColumnKind::Real:
        fits = isNull || value.type == ValueType::Real || (isWhole && isExactReal(value.integer));
        column.reals.push_back(isNull ? 0 : isWhole ? static_cast<double>(value.integer) : value.real);
        break;
    case arrow::ColumnKind::Text:
        if (isNull) column.indices.push_back(0);
        else if (value.type == ValueType::Text) addText(column, value.bytes);
        else addText(column, arrowText(value));
        break;
    case arrow::ColumnKind::Blob:
        fits = isNull || value.type == ValueType::Blob;
        column.values.add(isNull ? std::string_view() : value.bytes);
        break;
    }
    if (fits || m_problem) return;
    m_problem = Error{"arrow.mixed_column",
                      {},
                      {},
                      {{"column", column.field.name}, {"row", std::to_string(m_rowsBefore + m_rows + 1)}}};
}

bool ArrowWriter::write(std::string_view bytes) {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), LineOutput::kPiece)))
        if (!m_write(bytes.substr(0, LineOutput::kPiece))) return false;
    return true;
}

bool ArrowWriter::write(const Body& body) {
    constexpr std::string_view kZeros{"\0\0\0\0\0\0\0", arrow::kAlignment - 1};
    return std::all_of(body.buffers().begin(), body.buffers().end(), [&](std::string_view buffer) {
        const std::size_t beyond = buffer.size() % arrow::kAlignment;
        return write(buffer) && write(kZeros.substr(0, beyond == 0 ? 0 : arrow::kAlignment - beyond));
    });
}

bool ArrowWriter::writeDictionary(std::int64_t number, const Column& column) {
    const std::size_t texts = column.places.size();
    Body body;
    body.addColumn(static_cast<std::int64_t>(texts), 0, {});
    body.add(column.values);
    return write(arrow::dictionaryMessage(number, body.batch(texts))) && write(body);
}

bool ArrowWriter::writeBatch() {
    const std::size_t rows = m_rows;
    for (Column& column : m_columns) {
        if (column.isKnown) continue;
        column.field.kind = kindOf(column.waiting);
        column.isKnown = true;
        m_rows = 0;
        for (const Cell& cell : std::exchange(column.waiting, {})) {
            addKnown(column, {cell.type, cell.integer, cell.real, cell.bytes});
            ++m_rows;
        }
    }
    if (!m_isBegun) {
        std::vector<arrow::SchemaField> fields;
        for (const Column& column : m_columns) fields.push_back(column.field);
        if (!write(arrow::schemaMessage(fields))) return false;
        m_isBegun = true;
    }
    if (rows == 0) return true;
    Body body;
    std::int64_t number = 0;
    for (const Column& column : m_columns) {
        body.addColumn(static_cast<std::int64_t>(rows), column.nulls, column.valid);
        switch (column.field.kind) {
        case arrow::ColumnKind::Integer: body.add(arrowBytes(column.integers)); break;
        case arrow::ColumnKind::Real: body.add(arrowBytes(column.reals)); break;
        case arrow::ColumnKind::Blob: body.add(column.values); break;
        case arrow::ColumnKind::Text:
            body.add(arrowBytes(column.indices));
            if (!writeDictionary(number, column)) return false;
            break;
        }
        ++number;
    }
    if (!write(arrow::recordBatchMessage(body.batch(rows))) || !write(body)) return false;
    for (Column& column : m_columns) {
        Column next;
        next.field = std::move(column.field);
        next.isKnown = true;
        column = std::move(next);
    }
    m_rowsBefore += rows;
    m_rows = 0;
    m_bytes = 0;
    return true;
}

bool ArrowWriter::finish() { return !m_problem && writeBatch() && write(arrow::endOfStream()); }

}  // namespace altiscope
