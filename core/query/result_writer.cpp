#include "core/query/result_writer.h"

#include "core/base/text.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

std::optional<ResultFormat> resultFormat(std::string_view word) {
    if (word == "table") return ResultFormat::Table;
    if (word == "csv") return ResultFormat::Csv;
    if (word == "json") return ResultFormat::Json;
    return std::nullopt;
}

namespace {

using Write = std::function<bool(std::string_view)>;

std::string hexText(std::string_view bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        text += kDigits[static_cast<unsigned char>(c) >> 4];
        text += kDigits[static_cast<unsigned char>(c) & 15];
    }
    return text;
}

/// A value as bare text: NULL is empty.
std::string plainText(const Value& value) {
    switch (value.type) {
    case ValueType::Null: return {};
    case ValueType::Integer: return std::to_string(value.integer);
    case ValueType::Real: return shortestNumber(value.real);
    case ValueType::Text: return isValidUtf8(value.bytes) ? std::string(value.bytes) : repairedUtf8(value.bytes);
    case ValueType::Blob: return hexText(value.bytes);
    }
    return {};
}

class JsonWriter final : public ResultWriter {
public:
    explicit JsonWriter(Write write) : m_write(std::move(write)) {}

    bool begin(std::span<const std::string> columns) override {
        std::set<std::string> used;
        for (const std::string& column : columns) {
            std::string name = column;
            for (int n = 2; !used.insert(name).second; ++n) name = column + '_' + std::to_string(n);
            m_keys.push_back(jsonQuoted(name) + ":");
        }
        return m_write("[");
    }

    bool row(std::span<const Value> values) override {
        std::string text = m_rows++ == 0 ? "\n{" : ",\n{";
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0) text += ',';
            text += m_keys[i];
            const Value& value = values[i];
            const bool isQuoted = value.type == ValueType::Text || value.type == ValueType::Blob;
            if (value.type == ValueType::Null) text += "null";
            else text += isQuoted ? jsonQuoted(plainText(value)) : plainText(value);
        }
        return m_write(text += '}');
    }

    void finish() override { m_write(m_rows == 0 ? "]\n" : "\n]\n"); }

private:
    Write m_write;
    std::vector<std::string> m_keys;
    std::uint64_t m_rows = 0;
};

std::string csvCell(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted += '"';
}

class CsvWriter final : public ResultWriter {
public:
    explicit CsvWriter(Write write) : m_write(std::move(write)) {}

    bool begin(std::span<const std::string> columns) override {
        std::string text;
        for (std::size_t i = 0; i < columns.size(); ++i) text += (i > 0 ? "," : "") + csvCell(columns[i]);
        return m_write(text += "\r\n");
    }

    bool row(std::span<const Value> values) override {
        std::string text;
        for (std::size_t i = 0; i < values.size(); ++i) text += (i > 0 ? "," : "") + csvCell(plainText(values[i]));
        return m_write(text += "\r\n");
    }

    void finish() override {}

private:
    Write m_write;
};

char32_t nextCharacter(std::string_view text, std::size_t& i) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    char32_t character = more == 0 ? lead : lead & (0x3FU >> more);
    for (; more > 0 && i < text.size(); --more) character = (character << 6) | (static_cast<unsigned char>(text[i++]) & 0x3FU);
    return character;
}

/// Cells that a terminal uses for a text: two for the wide characters of East Asian scripts.
std::size_t terminalWidth(std::string_view text) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size();) {
        const char32_t c = nextCharacter(text, i);
        const bool isWide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
                            (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                            (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
        width += isWide ? 2 : 1;
    }
    return width;
}

class TableWriter final : public ResultWriter {
public:
    explicit TableWriter(Write write) : m_write(std::move(write)) {}

    bool begin(std::span<const std::string> columns) override {
        m_header.assign(columns.begin(), columns.end());
        m_isNumber.assign(columns.size(), true);
        for (const std::string& column : columns) m_widths.push_back(terminalWidth(column));
        return true;
    }

    bool row(std::span<const Value> values) override {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::string text = values[i].type == ValueType::Null ? "NULL" : plainText(values[i]);
            // A line break or escape sequence within a name must not tear the table or speak to the terminal.
            for (char& c : text) {
                if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
            }
            if (!m_started && values[i].type != ValueType::Integer && values[i].type != ValueType::Real && values[i].type != ValueType::Null) m_isNumber[i] = false;
            cells.push_back(std::move(text));
        }
        if (m_started) return writeRow(cells);
        for (std::size_t i = 0; i < cells.size(); ++i) m_widths[i] = std::max(m_widths[i], terminalWidth(cells[i]));
        m_rows.push_back(std::move(cells));
        return m_rows.size() < kTableRows || start();
    }

    void finish() override {
        if (!m_started) start();
    }

private:
    bool start() {
        m_started = true;
        std::vector<std::string> line;
        for (const std::size_t width : m_widths) line.emplace_back(width, '-');
        bool goesOn = writeRow(m_header) && writeRow(line);
        for (const auto& row : m_rows) goesOn = goesOn && writeRow(row);
        m_rows.clear();
        return goesOn;
    }

    bool writeRow(const std::vector<std::string>& cells) {
        std::string text;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::size_t width = terminalWidth(cells[i]);
            const std::string blanks(m_widths[i] > width ? m_widths[i] - width : 0, ' ');
            if (i > 0) text += "  ";
            const bool isLast = i + 1 == cells.size();
            text += m_isNumber[i] ? blanks + cells[i] : cells[i] + (isLast ? "" : blanks);
        }
        return m_write(text += '\n');
    }

    Write m_write;
    std::vector<std::string> m_header;
    std::vector<std::vector<std::string>> m_rows;
    std::vector<std::size_t> m_widths;
    std::vector<bool> m_isNumber;
    bool m_started = false;
};

}  // namespace

std::unique_ptr<ResultWriter> makeResultWriter(ResultFormat format, std::function<bool(std::string_view)> write) {
    switch (format) {
    case ResultFormat::Table: return std::make_unique<TableWriter>(std::move(write));
    case ResultFormat::Csv: return std::make_unique<CsvWriter>(std::move(write));
    case ResultFormat::Json: return std::make_unique<JsonWriter>(std::move(write));
    }
    return nullptr;
}

}  // namespace altiscope
