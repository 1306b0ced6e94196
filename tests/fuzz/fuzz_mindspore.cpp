// Imports the input as one of the files that only MindSpore and CANN write beside a timeline, as the product does, in one
// piece and in many: both must say the same. The first byte chooses the file.
#include "tests/fuzz/table_fuzzing.h"

#include <iterator>
#include <string_view>

namespace {

struct FileOfRank {
    std::string_view folder, name;
    const char* beside = nullptr;  ///< The table of kernels in the same folder; null: none.
};
constexpr FileOfRank kFiles[] = {
    {"profiler", "step_trace_raw_0_detail_time.csv"},
    {"profiler", "ascend_cluster_analyse_data-parallel_1_2_0.csv"},
    {"profiler", "dynamic_shape_info_0.json"},
    {"profiler", "parallel_strategy_0.json"},
    {"mindstudio_profiler_output", "step_trace_20260101000000.csv", "op_summary_20260101000000.csv"},
    {"ASCEND_PROFILER_OUTPUT", "data_preprocess.csv", "kernel_details.csv"},
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const FileOfRank& file = kFiles[data[0] % std::size(kFiles)];
    const std::filesystem::path folder = altiscope::fuzz::inputFolder() / file.folder;
    std::filesystem::create_directories(folder);
    if (file.beside != nullptr) {
        static constexpr char kKernels[] =
            "Name,Type,Accelerator Core,Start Time(us),Duration(us),Stream ID\nCast,Cast,AI_CPU,1000.000,50.000,2\n";
        altiscope::fuzz::writeInput(folder / file.beside, reinterpret_cast<const std::uint8_t*>(kKernels),
                                    sizeof kKernels - 1);
    }
    altiscope::fuzz::importTableFile(file.name.data(), data + 1, size - 1, file.folder.data());
    std::filesystem::remove_all(folder);
    return 0;
}
