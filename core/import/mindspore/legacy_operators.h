#pragma once

#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/table_reader.h"
#include "core/store/rows/row_table.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// TableFile::format of framework_raw_{rank}.csv of MindSpore up to 2.3.
inline constexpr std::string_view kFrameworkRawFormat = "framework_raw";
/// TableFile::format of aicore_intermediate_{rank}_detail.csv.
inline constexpr std::string_view kOperatorDetailFormat = "aicore_intermediate_detail";

/// Facts of operators by their full names in files of MindSpore up to 2.3: the list of kernels has no types.
/// Source: core/import/mindspore/FORMAT.md section 3.
class LegacyOperators {
public:
    /// Reads framework_raw and aicore_intermediate_detail, if the rank has them. "table.broken" (lost) names records
    /// that cannot be read.
    LegacyOperators(const RankManifest& rank, TableContext& context);

    /// Before the tables are sealed: gives them the texts that complete() puts into rows.
    void addTexts(RowTablesBuilder& builder) const;
    /// The tables with what is known of each kernel, in columns that are NULL: `type` (where no file has it what its
    /// name begins with: "Mul" of "Default/Mul-op3"), `accelerator_core`, `block_num`, shapes, types and formats.
    /// O(kernels * log operators).
    RowTables complete(const RowTables& tables) const;

private:
    struct Operator {
        std::map<std::string_view, std::string> texts;  ///< By column of `kernel`.
        std::optional<std::int64_t> blocks;
    };
    void readFrameworkRaw(const SourceFile& file, TableContext& context);
    void readDetail(const SourceFile& file, TableContext& context);

    std::map<std::string, Operator, std::less<>> m_operators;
};

}  // namespace altiscope::reader
