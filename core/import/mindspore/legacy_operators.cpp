#include "core/import/mindspore/legacy_operators.h"

#include "core/base/text/json_text.h"
#include "core/base/text/text.h"
#include "core/base/values/digits.h"
#include "core/base/values/parse.h"
#include "core/import/csv/csv_records.h"
#include "core/import/json/json_text.h"
#include "core/import/mindspore/legacy_times.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr auto LK = RowKind::Kernel;
using TensorJson = nlohmann::json;

/// Texts of `kernel` by the parts of a tensor in op_info.
struct TensorColumn {
    std::string_view part, input, output;
};
constexpr TensorColumn kTensorColumns[] = {{"shape", "input_shapes", "output_shapes"},
                                           {"data_type", "input_types", "output_types"},
                                           {"format", "input_formats", "output_formats"}};

/// Columns that complete() fills.
constexpr std::string_view kTextColumns[] = {"type",          "accelerator_core", "input_shapes", "input_types",
                                             "input_formats", "output_shapes",    "output_types", "output_formats"};

/// Names are TYPE-opN below their scope.
std::string_view typeInName(std::string_view name) {
    const std::string_view last = lastPathPart(name);
    const std::size_t end = last.rfind("-op");
    const bool isNumbered = end != std::string_view::npos && end > 0 && end + 3 < last.size();
    return isNumbered && isDigits(last.substr(end + 3)) ? last.substr(0, end) : std::string_view();
}

/// "32,3" of [32, 3] and of "32,3".
std::string partText(const TensorJson& value) {
    if (value.is_string()) return value.get<std::string>();
    std::string text;
    if (!value.is_array()) return text;
    for (const TensorJson& one : value) text += (text.empty() ? "" : ",") + one.dump();
    return text;
}

/// Adds what op_info says of tensors: {"input_0": {"format": ..., "data_type": ..., "shape": ...}}; from 2.0 on
/// "Input_0".
void addTensors(const std::string& cell, std::map<std::string_view, std::string>& texts) {
    // Also keeps the depth within bounds: the library recurses.
    if (!cell.starts_with('{') || valueExtent(cell).end != ValueExtent::End::Complete) return;
    const TensorJson info = parseJson(cell);
    if (!info.is_object()) return;
    for (const auto& [letters, isInput] : {std::pair("iI", true), std::pair("oO", false)}) {
        for (std::size_t n = 0;; ++n) {
            const std::string rest = std::string(isInput ? "nput_" : "utput_") + std::to_string(n);
            const auto lower = info.find(letters[0] + rest), upper = info.find(letters[1] + rest);
            const auto tensor = lower != info.end() ? lower : upper;
            if (tensor == info.end() || !tensor->is_object()) break;
            for (const TensorColumn& column : kTensorColumns) {
                const auto part = tensor->find(column.part);
                std::string& text = texts[isInput ? column.input : column.output];
                if (n > 0) text += ';';
                if (part != tensor->end()) text += partText(*part);
            }
        }
    }
}

/// Reads a file with a record per operator. @param take  Gets the cells of a record; false: it is none.
void eachOperator(const SourceFile& file, std::string_view format, TableContext& context,
                  const std::function<bool(const CsvColumns&, const std::vector<std::string>&)>& take) {
    std::optional<CsvColumns> header;
    const auto read =
        eachCsvRecord(file, &context.diagnostics, context.progress, context.cancel, [&](CsvRecord& record) {
            bool isSound = true;
            if (!header) {
                isSound = !holdsValues(record);
                header.emplace(std::move(record.cells));
            } else {
                isSound = record.cells.size() == header->size() && take(*header, record.cells);
            }
            if (!isSound)
                context.diagnostics.add("table.broken", Severity::Lost, file.name, {PlaceUnit::Row, record.row},
                                        {{"what", std::string(format)}});
        });
    if (!read.ok() && !read.cancelled())
        context.diagnostics.add(read.error().code, Severity::Lost, file.name, {}, read.error().parameters);
}

}  // namespace

LegacyOperators::LegacyOperators(const RankManifest& rank, TableContext& context) {
    for (const TableFile& table : rank.tables) {
        if (table.format == kFrameworkRawFormat) readFrameworkRaw(table.source, context);
        if (table.format == kOperatorDetailFormat) readDetail(table.source, context);
    }
    // The list itself: names say the type of what no other file has.
    for (const TableFile& table : rank.tables) {
        if (table.format != kLegacyKernelFormat) continue;
        std::optional<std::size_t> name;
        bool hasHeader = false;
        ProgressSlot unused;
        const auto read = eachCsvRecord(table.source, nullptr, unused, context.cancel, [&](CsvRecord& record) {
            if (!std::exchange(hasHeader, true)) name = CsvColumns(record.cells).findAny({"op_name", "kernel_name"});
            else if (name && *name < record.cells.size()) m_operators.try_emplace(std::move(record.cells[*name]));
        });
        if (!read.ok() && !read.cancelled())
            context.diagnostics.add(read.error().code, Severity::Lost, table.source.name, {}, read.error().parameters);
    }
    for (auto& [name, known] : m_operators) {
        if (const std::string_view type = typeInName(name); !type.empty()) known.texts.try_emplace("type", type);
    }
}

void LegacyOperators::readFrameworkRaw(const SourceFile& file, TableContext& context) {
    eachOperator(file, kFrameworkRawFormat, context, [this](const CsvColumns& header, const auto& cells) {
        const auto name = header.findAny({"full_op_name", "full_kernel_name"});
        if (!name || cells[*name].empty()) return false;
        const auto [place, isFirst] = m_operators.try_emplace(cells[*name]);
        Operator& known = place->second;
        const auto put = [&](std::string_view column, std::optional<std::size_t> cell) {
            if (cell && !cells[*cell].empty()) known.texts.insert_or_assign(column, repairedUtf8(cells[*cell]));
        };
        // From 2.0 on kernel_type is the core.
        const auto type = header.find("op_type"), core = header.find("kernel_type");
        put("type", type ? type : core);
        if (type) put("accelerator_core", core);
        // Those versions leave the number of blocks as memory was.
        const auto blocks = header.find("block_dim");
        if (blocks && !header.find("model_id")) {
            const auto number = wholeNumber(cells[*blocks]);
            known.blocks = isFirst || known.blocks == number ? number : std::nullopt;
        }
        std::map<std::string_view, std::string> tensors;
        if (const auto info = header.find("op_info")) addTensors(cells[*info], tensors);
        for (auto& [column, text] : tensors) {
            const auto [at, isNew] = known.texts.try_emplace(column, text);
            // With dynamic shapes there is a record per run, and nothing says which run it is of.
            if (!isNew && at->second != text) at->second.clear();
        }
        return true;
    });
}

void LegacyOperators::readDetail(const SourceFile& file, TableContext& context) {
    eachOperator(file, kOperatorDetailFormat, context, [this](const CsvColumns& header, const auto& cells) {
        const auto name = header.findAny({"full_op_name", "full_kernel_name", "full_kernel_time"});
        if (!name || cells[*name].empty()) return false;
        const auto core = header.find("task_type");
        Operator& known = m_operators[cells[*name]];
        if (core && !cells[*core].empty()) known.texts.try_emplace("accelerator_core", repairedUtf8(cells[*core]));
        return true;
    });
}

void LegacyOperators::addTexts(RowTablesBuilder& builder) const {
    if (m_operators.empty()) return;
    RowBatch batch = builder.batch(LK);
    for (const auto& [name, known] : m_operators) {
        for (const auto& [column, text] : known.texts)
            if (!text.empty()) batch.textId(text);
    }
}

RowTables LegacyOperators::complete(const RowTables& tables) const {
    const RowTable* kernels = tables.find(LK);
    if (kernels == nullptr || m_operators.empty()) return tables;
    std::vector<const Operator*> known(kernels->size(), nullptr);
    for (std::size_t row = 0; row < kernels->size(); ++row) {
        const auto name = kernels->text(fixedColumn(LK, "name"), row);
        const auto found = name ? m_operators.find(tables.text(*name)) : m_operators.end();
        if (found != m_operators.end()) known[row] = &found->second;
    }
    RowTables with = tables;
    std::vector<std::int64_t> cells(kernels->size());
    for (const std::string_view column : kTextColumns) {
        const std::size_t place = rowColumn(LK, column);
        for (std::size_t row = 0; row < cells.size(); ++row) {
            const auto own = kernels->text(place, row);
            cells[row] = own ? own->value : kNoCell;
            if (own || known[row] == nullptr) continue;
            const auto text = known[row]->texts.find(column);
            const bool isKnown = text != known[row]->texts.end() && !text->second.empty();
            const auto id = isKnown ? tables.texts().find(text->second) : std::nullopt;
            if (id) cells[row] = id->value;
        }
        with = with.with(LK, place, cells);
    }
    static constexpr std::size_t kBlocks = fixedColumn(LK, "block_num");
    for (std::size_t row = 0; row < cells.size(); ++row) {
        cells[row] = kernels->integer(kBlocks, row).value_or(kNoCell);
        if (cells[row] == kNoCell && known[row] != nullptr) cells[row] = known[row]->blocks.value_or(kNoCell);
    }
    return with.with(LK, kBlocks, cells);
}

}  // namespace altiscope::reader
