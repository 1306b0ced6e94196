#pragma once

#include "core/base/values/cancel.h"
#include "core/report/deliverables/deliverable_file.h"
#include "core/store/capture_store.h"
#include "core/store/raw/task_records.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

/// A step of the framework as the analysis of torch_npu takes it: on the devices, from the first kernel of its first
/// work to the end of its last. Anything that begins in several of them belongs to the first. ns.
struct DeviceStep {
    std::string number;
    std::int64_t begin = 0, end = 0, hostBegin = 0;
};

/// Sources of all files of one rank.
struct DeliverableInput {
    const RankEntry& rank;  ///< Sealed.
    const TaskRecords& tasks;
    Dialect dialect;
    std::filesystem::path folder;  ///< Exists.
    std::string stamp;             ///< "_20260101120000" after the names of files; empty in the Torch dialect.
    const CancelToken& cancel;
    std::size_t rowsOfTable = 1'000'000;  ///< Rows of a table in the Cann dialect, which is cut into files of so many.
    std::vector<DeviceStep> steps = {};   ///< In the Torch dialect.

    /// Whose analysis writes other columns and files than that of torch_npu.
    bool isMindSpore() const { return dialect == Dialect::Torch && rank.info.framework == Framework::MindSpore; }
    std::filesystem::path file(std::string_view stem, std::string_view ending) const {
        return folder / (std::string(stem) + stamp + std::string(ending));
    }
};

/// A time of the wall clock as the vendor's tables have it that its Python program writes, ns: the monotonic time, and
/// the offset of the wall clock as the digits of a double of microseconds.
std::int64_t printedTime(std::int64_t time, const TaskRecords::Collection& collection);
/// The same of a device.
std::int64_t printedTime(std::int64_t time, const TaskRecords& records, std::int64_t device);

/// Result of one file.
struct DeliverableResult {
    enum class State : std::uint8_t {
        Written,
        Nothing,  ///< The capture holds nothing that belongs into it, so the vendor writes none either.
        Cancelled,
        Failed,  ///< `reason` is the system's.
    };
    State state = State::Written;
    std::string reason{};
    std::vector<std::string> files{};  ///< Names, if it was cut into several.
};

/// Ends a file. @return Written, Cancelled or Failed.
DeliverableResult endDeliverable(DeliverableFile& file, const CancelToken& cancel);

/// A table on its way to its file, or to several: STEM_slice_0_TIME.csv and so on, each with the header.
/// Source: core/report/deliverables/FORMAT.md section 1.
class DeliverableTable {
public:
    /// @param rows  How many lines will follow the header.
    DeliverableTable(const DeliverableInput& input, std::string_view stem, std::vector<std::string> header,
                     std::size_t rows);
    /// @return False once nothing more can be written, or if cancelled.
    bool line(std::span<const std::string> cells);
    /// All lines after the header, made on all workers of the current arena, in their order.
    /// @param make  Writes the cells of a line, any number of lines at once.
    using Make = std::function<void(std::size_t row, CellText& cells)>;
    void lines(std::size_t count, const Make& make);
    /// @return Written, Cancelled or Failed.
    DeliverableResult end();

private:
    void open();
    bool close();

    const DeliverableInput& m_input;
    const std::string m_stem;
    const std::vector<std::string> m_header;
    const bool m_isCut;
    std::size_t m_rows = 0;  // in the file at hand
    std::optional<DeliverableFile> m_file;
    DeliverableResult m_result;
};

/// A short table. @param lines  The header first. Nothing where there is nothing else.
DeliverableResult writeLines(const DeliverableInput& input, std::string_view stem,
                             const std::vector<std::vector<std::string>>& lines);

/// The cells of a table of a rank by names; no rows where there is no table.
class NamedCells {
public:
    NamedCells(const RankEntry& rank, RowKind kind)
        : m_rows(rank.rows.get()), m_table(m_rows == nullptr ? nullptr : m_rows->find(kind)), m_kind(kind) {}

    std::size_t size() const { return m_table == nullptr ? 0 : m_table->size(); }
    const RowTable* table() const { return m_table; }
    /// For what is looked up often.
    std::size_t column(std::string_view name) const { return rowColumn(m_kind, name); }
    std::optional<std::int64_t> integer(std::size_t column, std::size_t row) const {
        return m_table->integer(column, row);
    }
    std::optional<std::string_view> text(std::size_t column, std::size_t row) const {
        const auto id = m_table->text(column, row);
        return id ? std::optional(m_rows->text(*id)) : std::nullopt;
    }
    std::optional<std::int64_t> integer(std::string_view name, std::size_t row) const {
        return integer(column(name), row);
    }
    std::optional<double> real(std::string_view name, std::size_t row) const {
        return m_table->real(column(name), row);
    }
    /// nullopt: absent.
    std::optional<std::string_view> text(std::string_view name, std::size_t row) const {
        return text(column(name), row);
    }

private:
    const RowTables* m_rows;
    const RowTable* m_table;
    RowKind m_kind;
};

/// Finds the record of a slice.
class TaskIndex {
public:
    explicit TaskIndex(const TaskRecords& records);
    /// Null: there is none.
    const TaskRecord* at(SourcePos pos) const;

private:
    const TaskRecords& m_records;
    std::vector<std::pair<SourcePos, std::uint32_t>> m_places;  // of records with a slice, by its position
};

/// The device of a track, by its label "NPU n"; 0 where that says none.
std::int64_t deviceOfTrack(const Track& track);

}  // namespace altiscope
