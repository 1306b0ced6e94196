#include "core/import/raw_files/raw_contents.h"

#include "core/import/files/file_names.h"

#include <cstddef>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

namespace altiscope::reader {

namespace {

struct RawName {
    std::string_view part;  ///< A part of the file's name, from its begin or after a dot.
    std::string_view content;
};

constexpr RawName kRawNames[] = {
    {"op_range", "operators"},
    {"op_mark", "operators"},
    {"memory_usage", "memory"},
    {"python_tracer", "stacks"},
    {"gc_record", "gc"},
    {"api_event", "api_stats"},
    {"task_track", "kernels"},
    {"node_basic_info", "kernels"},
    {"tensor_info", "shapes"},
    {"hccl_info", "communication"},
    {"hccl_op_info", "communication"},
    {"stars_soc", "timeline"},
    {"ffts_profile", "timeline"},
    {"hwts", "timeline"},
    {"ts_track", "timeline"},
    {"aicore", "ai_core_metrics"},
    {"hbm", "memory_bandwidth"},
    {"ddr", "memory_bandwidth"},
    {"llc", "llc"},
    {"hccs", "interconnection"},
    {"pcie", "interconnection"},
    {"nic", "io"},
    {"roce", "io"},
    {"npu_mem", "memory"},
    {"npu_module_mem", "module_memory"},
    {"l2_cache", "l2_cache"},
    {"aicpu", "ai_cpu"},
    {"soc_pmu", "soc_pmu"},
    {"static_op_mem", "static_memory"},
    {"msproftx", "mstx"},
};

void lookAt(const std::filesystem::path& folder, std::set<std::string>& contents) {
    static constexpr std::size_t kMaxLooks = 2000;
    std::error_code error;
    std::size_t looks = 0;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end && looks < kMaxLooks;
         at.increment(error), ++looks) {
        const std::string name = at->path().filename().string();
        if (const std::string_view content = rawContentOf(name); !content.empty())
            contents.insert(std::string(content));
    }
}

void lookAtProf(const FolderListing& listing, const ListedFolder& prof, std::set<std::string>& contents) {
    for (const std::size_t number : prof.folders) {
        const ListedFolder& folder = listing.folders[number];
        if (folder.name == "host" || folder.name.starts_with("device_")) lookAt(folder.path / "data", contents);
    }
}

}  // namespace

std::string_view rawContentOf(std::string_view fileName) {
    if (fileName.ends_with(".done")) return {};
    for (const RawName& known : kRawNames) {
        const auto found = fileName.find(known.part);
        if (found == 0 || (found != std::string_view::npos && fileName[found - 1] == '.')) return known.content;
    }
    return {};
}

std::vector<std::string> rawContents(const FolderListing& listing, const ListedFolder& folder) {
    std::set<std::string> contents;
    lookAtProf(listing, folder, contents);
    for (const std::size_t number : folder.folders) {
        const ListedFolder& part = listing.folders[number];
        if (part.name == "FRAMEWORK") lookAt(part.path, contents);
        else if (folderKind(part.name) == FolderKind::RawCann) lookAtProf(listing, part, contents);
    }
    return {contents.begin(), contents.end()};
}

}  // namespace altiscope::reader
