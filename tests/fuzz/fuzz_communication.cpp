// Imports the input as communication.json of a rank, as the product does, in one piece and in many: both must say the
// same.
#include "tests/fuzz/table_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    altiscope::fuzz::importTableFile("communication.json", data, size);
    return 0;
}
