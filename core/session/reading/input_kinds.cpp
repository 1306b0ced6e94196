#include "core/session/reading/input_kinds.h"

#include "core/import/contracts/csv_format.h"
#include "core/import/mindspore/special_tables.h"
#include "core/import/ranks/table_formats.h"

#include <algorithm>
#include <set>

namespace altiscope {

std::vector<InputKind> inputKinds() {
    return {{"input.torch", "*_ascend_pt"},
            {"input.mindspore", "*_ascend_ms"},
            {"input.timeline_json", "trace_view.json, msprof_*.json, *timeline_display_*.json, *.json"},
            {"input.timeline_db",
             "ascend_pytorch_profiler*.db, ascend_mindspore_profiler*.db, msprof_*.db, msmonitor_*.db"},
            {"input.monitor_lines", "msmonitor_*.jsonl"},
            {"input.cluster", "cluster_analysis_output"},
            {"input.raw", "PROF_*"},
            {"input.snapshot", "*.pkl, *.pickle"},
            {"input.memscope",
             "memscope_dump_*.db, leaks_dump_*.db, memscope_dump_*.csv, leaks_dump_*.csv, python_trace_*.csv"},
            {"input.many_ranks", "*/"},
            {"input.archive", "*.zip, *.tar, *.tar.gz, *.tgz, *.tar.zst, *.json.gz"},
            {"input.pack", "*.altipack"}};
}

std::vector<std::string> inputEndings() {
    std::set<std::string> endings;
    for (const InputKind& input : inputKinds()) {
        std::string_view names = input.names;
        while (!names.empty()) {
            const std::string_view name = names.substr(0, names.find(", "));
            names.remove_prefix(std::min(names.size(), name.size() + 2));
            const std::size_t dot = name.rfind('.');
            if (dot != std::string_view::npos) endings.emplace(name.substr(dot + 1));
        }
    }
    return {endings.begin(), endings.end()};
}

std::vector<TableInput> tableInputs() {
    std::vector<TableInput> inputs;
    const auto add = [&inputs](RowKind kind, std::string_view name) {
        const std::string_view table = rowKindName(kind);
        auto known = std::find_if(inputs.begin(), inputs.end(),
                                  [table](const TableInput& input) { return input.table == table; });
        if (known == inputs.end()) known = inputs.insert(inputs.end(), {table, {}});
        known->names.append(known->names.empty() ? "" : ", ").append(name);
    };
    for (const reader::CsvFormat& format : reader::csvFormats()) add(format.kind, std::string(format.name) + "*.csv");
    for (const reader::SpecialFormat& format : reader::specialFormats())
        add(format.kind, std::string(format.begin) + '*' + std::string(format.end));
    for (const reader::FurtherFormat& format : reader::furtherFormats()) {
        for (const RowKind kind : format.kinds) add(kind, format.files);
    }
    return inputs;
}

}  // namespace altiscope
