// Imports the input as the files of a FRAMEWORK folder. The input is a list of parts, one per file below: two bytes
// with the length, then so many bytes.
#include "tests/fuzz/table_fuzzing.h"

#include <algorithm>

namespace {

constexpr const char* kFiles[] = {"torch.op_range",           "torch.op_mark",
                                  "torch.memory_usage",       "torch.python_tracer_hash",
                                  "torch.python_tracer_func", "torch.gc_record"};
constexpr char kInfo[] = R"({"start_info":{"syscnt_enable":true,"freq":100.0,"start_cnt":50,"start_monotonic":1000},)"
                         R"("end_info":{"collectionTimeEnd":1767225601000000000,"MonotonicTimeEnd":2000}})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace altiscope::fuzz;
    const std::filesystem::path rank = inputFolder() / "host_1_20260101000000000_ascend_pt";
    static const bool isReady = [&rank] {
        std::filesystem::create_directories(rank / "FRAMEWORK");
        writeInput(rank / "profiler_info_0.json", reinterpret_cast<const std::uint8_t*>(kInfo), sizeof kInfo - 1);
        return true;
    }();
    if (!isReady) return 0;
    for (const char* name : kFiles) {
        std::size_t length = 0;
        if (size >= 2) {
            length = std::min<std::size_t>(data[0] | (std::size_t{data[1]} << 8), size - 2);
            data += 2;
            size -= 2;
        }
        writeInput(rank / "FRAMEWORK" / name, data, length);
        data += length;
        size -= length;
    }
    const auto once = tableOutcome(inputFolder(), std::size_t{1} << 20);
    if (tableOutcome(inputFolder(), std::size_t{1} << 20) != once) std::abort();
    return 0;
}
