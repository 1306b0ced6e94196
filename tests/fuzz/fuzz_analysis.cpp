// Imports the input as analysis.db of a rank, as the product does, twice: both must say the same.
#include "tests/fuzz/table_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    altiscope::fuzz::importTableFile("analysis.db", data, size);
    return 0;
}
