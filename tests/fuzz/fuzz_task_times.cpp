// Imports the input as the only file of a PROF folder, task_time_*.csv, from which timeline and kernels are made, as the
// product does, in one piece and in many: both must say the same.
#include "tests/fuzz/table_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    altiscope::fuzz::importTableFile("task_time_20260101000000.csv", data, size, "mindstudio_profiler_output");
    return 0;
}
