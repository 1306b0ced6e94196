#include "core/import/mindspore/legacy_flops.h"

#include "core/base/text/text.h"
#include "core/base/values/decimal.h"
#include "core/import/csv/csv_records.h"
#include "core/import/csv/further_columns.h"

#include <bit>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::reader {

RowTables withLegacyFlops(const RowTables& tables, const SourceFile& file, TableContext& context) {
    constexpr auto K = RowKind::Kernel;
    const RowTable* kernels = tables.find(K);
    std::vector<std::string> header;
    std::optional<std::size_t> name;
    std::map<std::string, std::vector<double>, std::less<>> byName;
    const auto bad = [&](const CsvRecord& record) {
        context.diagnostics.add("table.broken", Severity::Lost, file.name, {PlaceUnit::Row, record.row},
                                {{"what", std::string(kFlopsFormat)}});
    };
    const auto read =
        eachCsvRecord(file, &context.diagnostics, context.progress, context.cancel, [&](CsvRecord& record) {
            if (header.empty()) {
                if (holdsValues(record)) bad(record);
                header = std::move(record.cells);
                name = CsvColumns(header).findAny({"full_kernel_name", "full_op_name", "op_name"});
                return;
            }
            if (!name) return;
            std::vector<double> values;
            for (std::size_t i = 0; i < record.cells.size() && record.cells.size() == header.size(); ++i) {
                const auto value = i == *name ? std::optional(0.0) : parseReal(record.cells[i]);
                if (!value) break;
                values.push_back(*value);
            }
            if (values.size() != header.size()) return bad(record);
            byName.insert_or_assign(std::move(record.cells[*name]), std::move(values));
        });
    if (!read.ok() && !read.cancelled())
        context.diagnostics.add(read.error().code, Severity::Lost, file.name, {}, read.error().parameters);
    if (!header.empty() && !name)
        context.diagnostics.add("csv.no_column", Severity::Lost, file.name, {PlaceUnit::Row, 1},
                                {{"column", "full_kernel_name"}});
    if (kernels == nullptr || !name || byName.empty()) return tables;
    std::vector<std::vector<std::int64_t>> columns(header.size(), std::vector<std::int64_t>(kernels->size(), kNoCell));
    for (std::size_t row = 0; row < kernels->size(); ++row) {
        const auto text = kernels->text(fixedColumn(K, "name"), row);
        const auto known = text ? byName.find(tables.text(*text)) : byName.end();
        if (known == byName.end()) continue;
        for (std::size_t i = 0; i < header.size(); ++i)
            columns[i][row] = std::bit_cast<std::int64_t>(known->second[i] + 0.0);
    }
    RowTables with = tables;
    for (std::size_t i = 0; i < header.size(); ++i) {
        if (i != *name) with = withRealColumn(with, K, repairedUtf8(header[i]), columns[i]);
    }
    return with;
}

}  // namespace altiscope::reader
