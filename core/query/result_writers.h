#pragma once

#include "core/query/result_writer.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// A real number as all formats print it, see ResultWriter.
std::string realText(double value);

class JsonWriter : public ResultWriter {
public:
    explicit JsonWriter(WriteText write) : m_write(std::move(write)) {}
    bool begin(std::span<const std::string> columns) override;
    bool row(std::span<const Value> values) override;
    bool finish() override;

private:
    WriteText m_write;
    std::vector<std::string> m_keys;  ///< With quotes and colon.
    std::string m_line;
    bool m_any = false;
};

class CsvWriter : public ResultWriter {
public:
    explicit CsvWriter(WriteText write) : m_write(std::move(write)) {}
    bool begin(std::span<const std::string> columns) override;
    bool row(std::span<const Value> values) override;
    bool finish() override { return true; }

private:
    WriteText m_write;
    std::string m_line;
};

class TableWriter : public ResultWriter {
public:
    explicit TableWriter(WriteText write) : m_write(std::move(write)) {}
    bool begin(std::span<const std::string> columns) override;
    bool row(std::span<const Value> values) override;
    bool finish() override;

private:
    struct Column {
        std::string name;
        std::size_t width = 0;
        bool numeric = true;
    };
    using Cells = std::vector<std::string>;
    bool printHeld();
    bool print(const Cells& cells);

    WriteText m_write;
    std::vector<Column> m_columns;
    std::vector<Cells> m_held;  ///< Rows that wait until the widths are known.
    bool m_open = false;        ///< The header is out; rows follow at once.
};

}  // namespace altiscope
