#include "core/report/export/result_writer.h"

#include "core/report/export/arrow_writer.h"
#include "core/report/export/result_writers.h"

#include <set>

namespace altiscope {

std::optional<ResultFormat> resultFormat(std::string_view word) {
    if (word == "table") return ResultFormat::Table;
    if (word == "csv") return ResultFormat::Csv;
    if (word == "json") return ResultFormat::Json;
    if (word == "arrow") return ResultFormat::Arrow;
    return std::nullopt;
}

std::optional<ResultFormat> resultFormatOfFile(std::string_view name) {
    if (name.ends_with(".csv")) return ResultFormat::Csv;
    if (name.ends_with(".json")) return ResultFormat::Json;
    if (name.ends_with(".arrows")) return ResultFormat::Arrow;
    return std::nullopt;
}

std::unique_ptr<ResultWriter> makeResultWriter(ResultFormat format, WriteText write) {
    switch (format) {
    case ResultFormat::Table: return std::make_unique<TableWriter>(std::move(write));
    case ResultFormat::Csv: return std::make_unique<CsvWriter>(std::move(write));
    case ResultFormat::SpreadsheetCsv: return std::make_unique<CsvWriter>(std::move(write), true);
    case ResultFormat::Json: return std::make_unique<JsonWriter>(std::move(write));
    case ResultFormat::Arrow: return std::make_unique<ArrowWriter>(std::move(write));
    }
    return nullptr;
}

std::vector<std::string> distinctNames(std::span<const std::string> names) {
    std::set<std::string> taken;
    std::vector<std::string> distinct;
    for (const std::string& name : names) {
        std::string own = name;
        for (int number = 2; !taken.insert(own).second; ++number) own = name + "_" + std::to_string(number);
        distinct.push_back(std::move(own));
    }
    return distinct;
}

}  // namespace altiscope
