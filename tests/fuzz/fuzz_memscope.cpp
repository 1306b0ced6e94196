// Imports the input as a dump of msMemScope, as the product does, in one piece and in many: both must say the same. Seeds:
// tests/support/make_memscope.py FILE --events 12, and --calls 12.
#include "tests/fuzz/table_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::filesystem::path file = altiscope::fuzz::inputFolder() / "memscope_dump_1.db";
    altiscope::fuzz::writeInput(file, data, size);
    const auto whole = altiscope::fuzz::tableOutcome(file, std::size_t{1} << 20);
    if (altiscope::fuzz::tableOutcome(file, 1 + size / 97) != whole) std::abort();
    return 0;
}
