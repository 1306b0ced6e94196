// Imports the input as hccl_raw_0.csv of MindSpore up to 2.3, a table with JSON in its cells, as the product does, in one
// piece and in many: both must say the same.
#include "tests/fuzz/table_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    altiscope::fuzz::importTableFile("hccl_raw_0.csv", data, size, "profiler");
    return 0;
}
