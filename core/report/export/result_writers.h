#pragma once

#include "core/report/export/line_output.h"
#include "core/report/export/result_writer.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

class JsonWriter : public ResultWriter {
public:
    explicit JsonWriter(WriteText write) : m_line(std::move(write)) {}
    bool begin(std::span<const std::string> columns) override;
    bool row(std::span<const Value> values) override;
    bool finish() override;

private:
    LineOutput m_line;
    std::vector<std::string> m_keys;  ///< With quotes and colon.
    bool m_any = false;
};

class CsvWriter : public ResultWriter {
public:
    explicit CsvWriter(WriteText write, bool isGuarded = false) : m_line(std::move(write)), m_isGuarded(isGuarded) {}
    bool begin(std::span<const std::string> columns) override;
    bool row(std::span<const Value> values) override;
    bool finish() override { return true; }

private:
    LineOutput m_line;
    const bool m_isGuarded;  ///< Against spreadsheets that run texts as formulas.
};

class TableWriter : public ResultWriter {
public:
    explicit TableWriter(WriteText write) : m_line(std::move(write)) {}
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
    bool printPending();
    bool print(const Cells& cells);
    bool print(std::span<const Value> values);
    void printCell(std::size_t column, const std::string& cell);

    LineOutput m_line;
    std::vector<Column> m_columns;
    std::vector<Cells> m_pending;  ///< Rows that wait until the widths are known.
    std::size_t m_pendingBytes = 0;
    bool m_open = false;  ///< The header is out; rows follow at once.
};

}  // namespace altiscope
