#include "core/import/table_files.h"

#include "core/base/parse.h"
#include "core/import/csv_format.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace altiscope::reader {

namespace {

/// "NAME.csv", "NAME_{stamp}.csv", "NAME_slice_{n}_{stamp}.csv", "NAME_{device}_{model}_{iteration}.csv".
struct CsvFileName {
    std::string stamp;       ///< Of the export; empty where the name has none.
    std::int64_t slice = 0;
};

std::optional<CsvFileName> csvFileName(std::string_view file, std::string_view name) {
    static constexpr std::string_view kEnd = ".csv", kSlice = "slice_";
    static constexpr std::size_t kStampDigits = 14;
    if (!file.starts_with(name) || !file.ends_with(kEnd) || file.size() < name.size() + kEnd.size()) return std::nullopt;
    std::string_view rest = file.substr(name.size(), file.size() - name.size() - kEnd.size());
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
std::vector<TableFile> newestExport(const ListedFolder& folder, const CsvFormat& format) {
    struct Part {
        const ListedFile* file;
        CsvFileName name;
    };
    std::vector<Part> parts;
    std::string newest;
    for (const ListedFile& file : folder.files) {
        const auto name = csvFileName(file.name, format.name);
        if (!name) continue;
        parts.push_back({&file, *name});
        newest = std::max(newest, name->stamp);
    }
    std::erase_if(parts, [&](const Part& part) { return part.name.stamp != newest; });
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.name.slice < b.name.slice; });
    std::vector<TableFile> files;
    for (const Part& part : parts) files.push_back({sourceIn(folder, *part.file), format.name});
    return files;
}

}  // namespace

bool isKeptBesideDatabase(std::string_view format) {
    static constexpr std::string_view kKept[] = {"operator_details", "op_statistic", "api_statistic",         "static_op_mem",
                                                 "dataset",          "l2_cache",     "minddata_pipeline_raw"};
    return std::find(std::begin(kKept), std::end(kKept), format) != std::end(kKept);
}

std::vector<TableFile> tableFiles(const ListedFolder& folder) {
    std::vector<TableFile> files;
    std::set<RowKind> filled;
    for (const CsvFormat& format : csvFormats()) {
        if (filled.contains(format.kind)) continue;
        std::vector<TableFile> found = newestExport(folder, format);
        if (found.empty()) continue;
        filled.insert(format.kind);
        files.insert(files.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    }
    for (const std::string_view format : {kCommunicationFormat, kMatrixFormat}) {
        if (const ListedFile* file = folder.file(std::string(format) + ".json")) files.push_back({sourceIn(folder, *file), format});
    }
    return files;
}

}  // namespace altiscope::reader
