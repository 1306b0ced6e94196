#include "core/import/scan/table_files.h"

#include "core/base/values/parse.h"
#include "core/import/contracts/csv_format.h"
#include "core/import/csv/aicpu_times.h"
#include "core/import/csv/hardware_stats.h"
#include "core/import/csv/task_times.h"
#include "core/import/database/db_analysis.h"
#include "core/import/files/timeline_files.h"
#include "core/import/mindspore/legacy_events.h"
#include "core/import/mindspore/legacy_flops.h"
#include "core/import/mindspore/legacy_operators.h"
#include "core/import/mindspore/legacy_times.h"
#include "core/import/mindspore/special_tables.h"
#include "core/import/mindspore/step_phases.h"
#include "core/import/scan/source_sniffing.h"
#include "core/import/sqlite/db_connection.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace altiscope::reader {

namespace {

/// "NAME.csv", "NAME_{stamp}.csv", "NAME_slice_{n}_{stamp}.csv", "NAME_{device}_{model}_{iteration}.csv".
struct CsvFileName {
    std::string stamp;  ///< Stamp of the export; empty where the name has none.
    std::int64_t slice = 0;
};

std::optional<CsvFileName> csvFileName(std::string_view file, std::string_view name, std::string_view ending) {
    static constexpr std::string_view kSlice = "slice_";
    static constexpr std::size_t kStampDigits = 14;
    const std::size_t fixed = name.size() + ending.size();
    if (!file.starts_with(name) || !file.ends_with(ending) || file.size() < fixed) return std::nullopt;
    std::string_view rest = file.substr(name.size(), file.size() - fixed);
    CsvFileName parts;
    if (rest.empty()) return parts;
    if (rest.front() != '_') return std::nullopt;
    rest.remove_prefix(1);
    if (rest.starts_with(kSlice)) {
        rest.remove_prefix(kSlice.size());
        const auto digits = rest.substr(0, rest.find('_'));
        const auto slice = wholeNumber(digits);
        if (!slice || *slice < 0) return std::nullopt;
        parts.slice = *slice;
        rest.remove_prefix(std::min(rest.size(), digits.size() + 1));
    }
    if (rest.find_first_not_of("_0123456789") != std::string_view::npos) return std::nullopt;
    const std::string_view last = rest.substr(rest.rfind('_') + 1);
    if (last.size() >= kStampDigits) parts.stamp = last;
    return parts;
}

SourceFile sourceIn(const ListedFolder& folder, const ListedFile& file) {
    return {folder.path / file.name, folder.relativeTo(file.name), SourceFormat::Other, file.size, 0};
}

/// The newest export of one CSV file, in the order of its slices.
/// @param format  TableFile::format.
std::vector<TableFile> newestExport(const ListedFolder& folder, std::string_view name, std::string_view ending,
                                    std::string_view format, const CancelToken& cancel) {
    struct Part {
        const ListedFile* file;
        CsvFileName name;
    };
    std::vector<Part> parts;
    std::string newest;
    for (const ListedFile& file : folder.files) {
        if (cancel.cancelled()) return {};
        const auto read = csvFileName(file.name, name, ending);
        if (!read) continue;
        parts.push_back({&file, *read});
        newest = std::max(newest, read->stamp);
    }
    std::erase_if(parts, [&](const Part& part) { return part.name.stamp != newest; });
    // Beside a file without numbers those with some are copies of it: a writer of numbers gives them to all.
    const auto isPlain = [&](const Part& part) { return part.file->name.size() == name.size() + ending.size(); };
    if (std::any_of(parts.begin(), parts.end(), isPlain))
        std::erase_if(parts, [&](const Part& part) { return !isPlain(part); });
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return a.name.slice < b.name.slice; });
    std::vector<TableFile> files;
    for (const Part& part : parts) {
        if (cancel.cancelled()) break;
        files.push_back({sourceIn(folder, *part.file), format});
    }
    return files;
}

/// Tables that a text file and an analysis database hold alike.
struct AnalysisTwin {
    std::string_view format;
    std::vector<std::string_view> tables;
};

const std::vector<AnalysisTwin>& analysisTwins() {
    static const std::vector<AnalysisTwin> kTwins{{"step_trace_time", {kAnalysisSteps}},
                                                  {kCommunicationFormat, {kAnalysisTimes, kAnalysisBandwidths}},
                                                  {kMatrixFormat, {kAnalysisLinks}}};
    return kTwins;
}

bool holdsFormat(const std::vector<TableFile>& files, std::string_view format) {
    return std::any_of(files.begin(), files.end(), [format](const TableFile& one) { return one.format == format; });
}

void addCommunicationFiles(const ListedFolder& folder, std::vector<TableFile>& files) {
    for (const std::string_view format : {kCommunicationFormat, kMatrixFormat}) {
        const ListedFile* file = plainOrPacked(folder, std::string(format) + ".json");
        if (file != nullptr && !holdsFormat(files, format)) files.push_back({sourceIn(folder, *file), format});
    }
}

/// Files of MindSpore up to 2.3 that fill no table of their own.
void addLegacyFiles(const ListedFolder& folder, std::vector<TableFile>& files) {
    struct Named {
        std::string_view begin, end, format;
        bool isLastNumber = false;  ///< Other words stand before the rank.
    };
    static constexpr Named kNamed[] = {{"step_trace_raw_", "_detail_time.csv", kStepTraceFormat},
                                       {"min_cycle_counter_", ".txt", kMinCycleFormat},
                                       {"flops_", ".txt", kFlopsFormat},
                                       {"framework_raw_", ".csv", kFrameworkRawFormat},
                                       {"aicore_intermediate_", "_detail.csv", kOperatorDetailFormat},
                                       {"ascend_cluster_analyse_", ".csv", kClusterStepsFormat, true}};
    for (const Named& named : kNamed) {
        const auto file = std::find_if(folder.files.begin(), folder.files.end(), [&named](const ListedFile& one) {
            if (!one.name.starts_with(named.begin) || !one.name.ends_with(named.end)) return false;
            std::string_view number = std::string_view(one.name).substr(named.begin.size());
            number.remove_suffix(std::min(number.size(), named.end.size()));
            if (named.isLastNumber) number.remove_prefix(number.rfind('_') + 1);  // npos + 1 is 0
            return wholeNumber(number).has_value();
        });
        if (file != folder.files.end()) files.push_back({sourceIn(folder, *file), named.format});
    }
}

std::optional<SourceFile> analysisDatabase(const std::vector<const ListedFolder*>& folders, const SourceChoice& choice,
                                           Diagnostics& diagnostics) {
    for (const ListedFolder* folder : folders) {
        for (const ListedFile& file : folder->files) {
            if (!isAnalysisDatabase(file.name)) continue;
            // A look costs a read; only a name that does not end as usual makes it necessary.
            if (!file.name.ends_with(".db") && fileTypeOf(folder->path / file.name) != FileType::Database) continue;
            return databaseFile(folder->path / file.name, folder->relativeTo(file.name), file.size, choice,
                                diagnostics);
        }
    }
    return std::nullopt;
}

}  // namespace

bool isAnalysisDatabase(std::string_view name) {
    return name.starts_with("analysis.") || name.starts_with("communication_analyzer.");
}

std::vector<TableFile> chosenTables(std::vector<TableFile> found, SourceKind source,
                                    const std::vector<const ListedFolder*>& folders, const SourceChoice& choice,
                                    Diagnostics& diagnostics) {
    const bool isDb = source == SourceKind::Db;
    const bool takesDatabase = choice.preferDatabase || (isDb && !choice.preferText);
    const auto& twins = analysisTwins();
    const auto isTwin = [&](const TableFile& file) {
        return std::any_of(twins.begin(), twins.end(),
                           [&](const AnalysisTwin& twin) { return twin.format == file.format; });
    };
    for (const ListedFolder* folder : folders) addCommunicationFiles(*folder, found);
    // Records say more of a task, and fill the same rows.
    if (source == SourceKind::Raw)
        std::erase_if(found, [](const TableFile& file) { return file.format == kTaskTimesFormat; });
    // Files whose content its tables hold too must not be there twice.
    if (isDb)
        std::erase_if(found,
                      [&](const TableFile& file) { return !isKeptBesideDatabase(file.format) && !isTwin(file); });
    auto database = analysisDatabase(folders, choice, diagnostics);
    if (!database) return found;

    const bool hasAllText = std::all_of(twins.begin(), twins.end(),
                                        [&](const AnalysisTwin& twin) { return holdsFormat(found, twin.format); });
    const auto filled = takesDatabase || !hasAllText
                            ? filledAnalysisTables(database->path, database->name)
                            : Result<std::vector<std::string_view>>(std::vector<std::string_view>());
    if (!filled.ok()) {
        // With text for everything nothing is lost; else its reader says what is wrong with it.
        if (hasAllText)
            diagnostics.add(filled.error().code, Severity::Info, database->name, {}, filled.error().parameters);
        else found.push_back({*database, kAnalysisTimes});
        // A reader that comes later may find nothing wrong, and reads one table only.
        if (!hasAllText && mayPass(filled.error()))
            diagnostics.add(filled.error().code, Severity::Lost, database->name, {}, filled.error().parameters);
        return found;
    }
    const auto notTaken = [&diagnostics](const std::string& file, const std::string& taken) {
        diagnostics.add("tables_not_taken", Severity::Info, file, {}, {{"taken", taken}});
    };
    std::optional<std::string> insteadOfDatabase;
    bool isTaken = false;
    for (const AnalysisTwin& twin : twins) {
        const bool hasText = holdsFormat(found, twin.format);
        const auto isFilled = [&](std::string_view table) {
            return std::find(filled.value().begin(), filled.value().end(), table) != filled.value().end();
        };
        const bool hasTables = std::any_of(twin.tables.begin(), twin.tables.end(), isFilled);
        // A text file stands for all of its tables: one that the database lacks would be lost with it.
        const bool hasAllTables = std::all_of(twin.tables.begin(), twin.tables.end(), isFilled);
        if (hasText && (!takesDatabase || !hasAllTables)) {
            const auto text = std::find_if(found.begin(), found.end(),
                                           [&](const TableFile& file) { return file.format == twin.format; });
            insteadOfDatabase = insteadOfDatabase.value_or(text->source.name);
            continue;
        }
        if (!hasTables) continue;
        for (const TableFile& file : found) {
            if (file.format == twin.format) notTaken(file.source.name, database->name);
        }
        std::erase_if(found, [&](const TableFile& file) { return file.format == twin.format; });
        for (const std::string_view table : twin.tables) {
            SourceFile part = *database;
            // Its bytes count once, however many of its tables are read.
            if (std::exchange(isTaken, true)) part.size = 0;
            found.push_back({std::move(part), table});
        }
    }
    if (!isTaken && insteadOfDatabase) notTaken(database->name, *insteadOfDatabase);
    return found;
}

bool isKeptBesideDatabase(std::string_view format) {
    const auto csv = csvFormats();
    static constexpr std::string_view kFurther[] = {kIterationsFormat, kClusterStepsFormat, kStepTraceFormat,
                                                    kAicpuFormat, kHardwareFormat};
    const auto special = specialFormats();
    return std::any_of(special.begin(), special.end(),
                       [format](const SpecialFormat& one) { return one.name == format; }) ||
           std::any_of(csv.begin(), csv.end(),
                       [format](const CsvFormat& one) {
                           return one.name == format && one.inDatabases == InDatabases::Lacking;
                       }) ||
           std::find(std::begin(kFurther), std::end(kFurther), format) != std::end(kFurther);
}

std::vector<TableFile> tableFiles(const ListedFolder& folder, const CancelToken& cancel) {
    std::vector<TableFile> files;
    std::set<RowKind> filled;
    for (const CsvFormat& format : csvFormats()) {
        if (cancel.cancelled()) return files;
        if (filled.contains(format.kind)) continue;
        std::vector<TableFile> found = newestExport(folder, format.name, format.ending, format.name, cancel);
        if (format.name == kTaskTimesFormat)
            std::erase_if(found, [](const TableFile& file) { return !holdsTaskTimes(file.source.path); });
        if (found.empty()) continue;
        filled.insert(format.kind);
        files.insert(files.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    }
    for (const SpecialFormat& format : specialFormats()) {
        if (cancel.cancelled()) return files;
        if ((format.isTwin && filled.contains(format.kind)) || holdsFormat(files, format.name)) continue;
        for (const ListedFile& file : folder.files) {
            if (!isNamedAs(file.name, format)) continue;
            filled.insert(format.kind);
            files.push_back({sourceIn(folder, file), format.name});
            break;
        }
    }
    addLegacyFiles(folder, files);
    struct Export {
        std::string_view name, format;
    };
    for (const auto& [name, format] :
         {Export{"step_trace", kIterationsFormat}, {"data_preprocess", kAicpuFormat}, {"aicpu", kAicpuFormat}}) {
        if (cancel.cancelled() || holdsFormat(files, format)) continue;
        for (TableFile& file : newestExport(folder, name, ".csv", format, cancel)) files.push_back(std::move(file));
    }
    for (const std::string_view name : hardwareFiles()) {
        if (cancel.cancelled()) return files;
        for (TableFile& file : newestExport(folder, name, ".csv", kHardwareFormat, cancel)) {
            if (name != kTaskTimesFormat || !holdsTaskTimes(file.source.path)) files.push_back(std::move(file));
        }
    }
    addCommunicationFiles(folder, files);
    return files;
}

std::vector<SourceFile> taskTimelines(const ListedFolder& folder, const CancelToken& cancel) {
    std::vector<SourceFile> files;
    for (TableFile& file : newestExport(folder, kTaskTimesFormat, ".csv", kTaskTimesFormat, cancel)) {
        if (!holdsTaskTimes(file.source.path)) continue;
        file.source.format = SourceFormat::TaskTimes;
        files.push_back(std::move(file.source));
    }
    return files;
}

}  // namespace altiscope::reader
