// Imports the input as the only file of a PROF folder, nic_*.csv, whose numbers become rows, as the product does, in one
// piece and in many: both must say the same.
#include "tests/fuzz/table_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    altiscope::fuzz::importTableFile("nic_20260101000000.csv", data, size, "mindstudio_profiler_output");
    return 0;
}
