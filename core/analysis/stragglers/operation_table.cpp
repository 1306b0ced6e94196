#include "core/analysis/stragglers/operation_table.h"

#include "core/base/values/parse.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace altiscope {

namespace {

constexpr std::array<std::string_view, kOperationTypes> kNames = {"forward-compute",
                                                                  "backward-compute",
                                                                  "forward-send",
                                                                  "forward-recv",
                                                                  "backward-send",
                                                                  "backward-recv",
                                                                  "params-all-gather",
                                                                  "grads-reduce-scatter",
                                                                  "separate-grads-all-reduce",
                                                                  "embedding-grads-all-reduce",
                                                                  "layernorm-grads-all-reduce",
                                                                  "optimizer-clip-main-grad",
                                                                  "gc",
                                                                  "optimizer"};

constexpr std::array<std::string_view, 10> kColumns = {"dp_rank",  "stage",    "rank",   "step", "optype",
                                                       "start_ts", "duration", "seq_id", "mc",   "gmc"};
/// Columns; with a scope of their own, as the files of a room are joined.
struct OperationColumn {
    enum : std::size_t { DpRank, Stage, Rank, Step, Type, Start, Duration, Sequence, Chunk, GlobalChunk };
};

std::optional<float> secondsOf(std::string_view cell) {
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    const auto seconds = static_cast<float>(value);
    if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(seconds)) return std::nullopt;
    return seconds;
}

/// Numbers of ranks, stages and operations: larger ones are none.
/// @param min  -1 where a number may lack.
bool readIndex(std::string_view cell, std::int32_t& to, std::int32_t min = 0) {
    constexpr std::int32_t kMax = 1 << 20;
    const auto number = wholeNumber<std::int32_t>(cell);
    if (!number || *number < min || *number > kMax) return false;
    to = *number;
    return true;
}

bool readOperation(const std::array<std::string_view, kColumns.size()>& cells, Operation& to) {
    const auto type = std::find(kNames.begin(), kNames.end(), cells[OperationColumn::Type]);
    const auto step = wholeNumber(cells[OperationColumn::Step]);
    const auto start = secondsOf(cells[OperationColumn::Start]), duration = secondsOf(cells[OperationColumn::Duration]);
    if (type == kNames.end() || !step || !start || !duration || *duration < 0) return false;
    to.type = static_cast<OperationType>(type - kNames.begin());
    to.step = *step;
    to.start = *start;
    to.duration = *duration;
    return readIndex(cells[OperationColumn::DpRank], to.dpRank) && readIndex(cells[OperationColumn::Stage], to.stage) &&
           readIndex(cells[OperationColumn::Rank], to.rank) &&
           readIndex(cells[OperationColumn::Sequence], to.sequence) &&
           readIndex(cells[OperationColumn::Chunk], to.chunk, -1) &&
           readIndex(cells[OperationColumn::GlobalChunk], to.globalChunk, -1);
}

}  // namespace

std::string_view operationTypeName(OperationType type) { return kNames[static_cast<std::size_t>(type)]; }

Result<std::vector<Operation>> readOperations(std::string_view csv, const std::string& file) {
    std::vector<Operation> operations;
    std::vector<std::size_t> columnAt;  // by place in a line: the column; kColumns.size(): none that is read
    std::uint64_t row = 0;
    std::size_t width = 0;
    while (!csv.empty()) {
        const std::string_view line = trimmed(csv.substr(0, csv.find('\n')), "\r");
        csv.remove_prefix(
            std::min(csv.size(), csv.find('\n') == std::string_view::npos ? csv.size() : csv.find('\n') + 1));
        ++row;
        if (line.empty()) continue;
        if (width == 0) {
            const std::vector<std::string_view> words = commaWords(line);
            width = words.size();
            columnAt.assign(width, kColumns.size());
            for (std::size_t i = 0; i < kColumns.size(); ++i) {
                const auto at = std::find(words.begin(), words.end(), kColumns[i]);
                if (at == words.end())
                    return Error{"operations.heading", file, {}, {{"column", std::string(kColumns[i])}}};
                columnAt[static_cast<std::size_t>(at - words.begin())] = i;
            }
            continue;
        }
        std::array<std::string_view, kColumns.size()> cells;
        Operation operation;
        std::size_t count = 0;
        for (std::size_t at = 0; at <= line.size(); ++count) {
            const std::size_t comma = std::min(line.find(',', at), line.size());
            if (count < width && columnAt[count] < cells.size()) cells[columnAt[count]] = line.substr(at, comma - at);
            at = comma + 1;
        }
        if (count != width || !readOperation(cells, operation))
            return Error{"operations.row", file, "row " + std::to_string(row), {{"row", std::to_string(row)}}};
        operations.push_back(operation);
    }
    if (operations.empty()) return Error{"operations.empty", file, {}, {}};
    return operations;
}

}  // namespace altiscope
