// Imports the input as a file of a cluster analysis, as the product does, in one piece and in many: both must say the
// same. The first byte says which file it is.
#include "tests/fuzz/table_fuzzing.h"

#include <iterator>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr const char* kNames[] = {"cluster_step_trace_time.csv", "cluster_communication.json",
                                             "cluster_communication_matrix.json", "communication_group.json"};
    if (size == 0) return 0;
    const char* name = kNames[*data % std::size(kNames)];
    for (const char* other : kNames)
        std::filesystem::remove(altiscope::fuzz::inputFolder() / "cluster_analysis_output" / other);
    altiscope::fuzz::importTableFile(name, data + 1, size - 1, "cluster_analysis_output");
    return 0;
}
