#pragma once

#include "core/import/contracts/table_reader.h"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// The tables of analysis.db and communication_analyzer.db, which are formats of TableFile: each is read by itself,
/// because for each there is a text file that may be taken instead.
inline constexpr std::string_view kAnalysisSteps = "StepTraceTime";
inline constexpr std::string_view kAnalysisTimes = "CommAnalyzerTime";
inline constexpr std::string_view kAnalysisBandwidths = "CommAnalyzerBandwidth";
inline constexpr std::string_view kAnalysisLinks = "CommAnalyzerMatrix";
inline constexpr std::array kAnalysisTables{kAnalysisSteps, kAnalysisTimes, kAnalysisBandwidths, kAnalysisLinks};

/// Which of these tables have rows. Looks at the schema alone. @return Error as openDatabase.
Result<std::vector<std::string_view>> filledAnalysisTables(const std::filesystem::path& path, const std::string& name);

/// Reads one of these tables: step_breakdown, collective, bandwidth with packet, or link. Numbers are those of the text
/// files, with their units (us and ms, megabytes of 10^6 bytes), and become the same ones: a real counts as its
/// shortest decimal text. A bad cell is left empty, "db.*" of the catalogue.
/// @return Error as openDatabase.
/// @note   On the calling thread: some million rows a second, and there are few. Memory: a part of the packed rows.
/// Source: core/import/database/FORMAT.md section 4.
Result<Done> readAnalysisTable(const SourceFile& file, std::string_view table, const GroupDirectory& groups,
                               TableContext& context);

}  // namespace altiscope::reader
