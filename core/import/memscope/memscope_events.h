#pragma once

#include "core/import/csv/csv_problems.h"
#include "core/import/sqlite/db_row.h"
#include "core/store/rows/row_builder.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Effect of an event on its block.
enum class MemscopeAction : std::uint8_t {
    Allocate,
    Free,
    Access,
    Sample,  ///< Bytes that a pool holds at a moment, counted by the framework.
};

/// Memory of the host, and of what names no device.
inline constexpr std::int32_t kMemscopeHost = -1;
inline constexpr std::uint32_t kNoMemscopeBlock = std::numeric_limits<std::uint32_t>::max();

/// An event of a dump that changes or uses memory. Absent numbers are kNoCell; bytes.
struct MemscopeEvent {
    std::int64_t time = 0;     ///< ns
    std::int64_t address = 0;  ///< 0 of a Sample.
    std::int64_t size = kNoCell;
    std::int64_t total = kNoCell, used = kNoCell;   ///< Bytes that its pool has reserved and given out then.
    std::int64_t owner = kNoCell, stack = kNoCell;  ///< Cells of texts.
    std::uint32_t block = kNoMemscopeBlock;         ///< Filled in by the replay.
    std::int32_t device = kMemscopeHost;
    std::uint16_t pool = 0;  ///< Number in MemscopeDump::pools.
    MemscopeAction action = MemscopeAction::Allocate;
    bool namesNoDevice = false;  ///< "N/A"
};

/// Events of a dump, by time; those of one time in the order of the file.
struct MemscopeDump {
    std::vector<MemscopeEvent> events;
    std::vector<std::string> pools;  ///< "HAL", "PTA", "HOST_PINNED" ...
    using Kinds = std::map<std::string, std::uint64_t, std::less<>>;
    /// Events that no table here has a place for, by kind ("KERNEL_LAUNCH").
    Kinds others;
    Kinds unknown;  ///< Events of kinds that no known version writes.
};

/// Columns of the dump that are read, in the order in which MemscopeRows takes them.
std::vector<const char*> memscopeColumns();
/// The first ones of these; a dump without stacks does without the others.
inline constexpr std::size_t kNeededMemscopeColumns = 6;

/// A row of a dump that was written as CSV, with what MemscopeRows asks of a row.
class MemscopeTextRow {
public:
    /// @param cells  By place in memscopeColumns(); they must outlive the row.
    /// @param row    Number of the record, from 1.
    MemscopeTextRow(std::span<const std::string_view> cells, std::span<const char* const> columns, std::uint64_t row,
                    CsvProblems& problems)
        : m_cells(cells), m_columns(columns), m_row(row), m_problems(problems) {}

    std::string_view text(int column) const { return m_cells[static_cast<std::size_t>(column)]; }
    std::optional<std::int64_t> neededTime(int column) const;
    void problem(DbProblem what, int column) const;

private:
    std::span<const std::string_view> m_cells;
    std::span<const char* const> m_columns;
    std::uint64_t m_row;
    CsvProblems& m_problems;
};

/// Makes events of rows. One thread.
class MemscopeRows {
public:
    /// @param texts  Gets the texts: stacks and owners.
    MemscopeRows(RowBatch& texts, MemscopeDump& dump) : m_texts(texts), m_dump(dump) {}

    /// Rows that say too little are dropped and reported as problems of theirs.
    void take(const DbRow& row) { addRow(row); }
    void take(const MemscopeTextRow& row) { addRow(row); }

private:
    template <class Row>
    void addRow(const Row& row);
    template <class Row>
    std::int64_t stackCell(const Row& row);
    std::optional<std::uint16_t> poolNumber(std::string_view name);
    void setOwner(MemscopeEvent& event, std::string_view labels, std::optional<std::string_view> module);

    RowBatch& m_texts;
    MemscopeDump& m_dump;
    std::map<std::string, std::uint16_t, std::less<>> m_pools;
    std::string m_stack;
};

/// Calls take(key, value) for each attribute of the column Attr: JSON, or the same without quotes. Text after damage
/// is passed over.
template <class Take>
void eachMemscopeAttribute(std::string_view text, Take&& take) {
    const auto isGap = [](char c) { return c == '{' || c == '}' || c == ',' || c == ' ' || c == '\t' || c == '\n'; };
    const auto part = [&text](char end) {
        if (text.starts_with('"')) {
            std::size_t at = 1;
            while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
            const std::string_view found = text.substr(1, std::min(at, text.size()) - 1);
            text.remove_prefix(std::min(at + 1, text.size()));
            return found;
        }
        std::size_t at = 0;
        int depth = 0;  // lists hold commas
        for (; at < text.size(); ++at) {
            const char c = text[at];
            if (depth == 0 && (c == end || c == '}' || c == ',')) break;
            if (c == '[' || c == '(') ++depth;
            if ((c == ']' || c == ')') && depth > 0) --depth;
        }
        const std::string_view found = text.substr(0, at);
        text.remove_prefix(at);
        return found;
    };
    while (!text.empty()) {
        if (isGap(text.front())) {
            text.remove_prefix(1);
            continue;
        }
        const std::string_view key = part(':');
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
        if (!text.starts_with(':')) {
            if (!text.empty()) text.remove_prefix(1);
            continue;
        }
        text.remove_prefix(1);
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
        take(key, part(','));
    }
}

}  // namespace altiscope::reader
