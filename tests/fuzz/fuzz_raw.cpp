// Imports the input as the records of a PROF folder. The input is a list of parts, one per file below: two bytes with
// the length, then so many bytes.
#include "tests/fuzz/table_fuzzing.h"

#include <algorithm>
#include <utility>

namespace {

constexpr const char* kFiles[] = {"host/data/unaging.additional.hash_dic.slice_0",
                                  "host/data/unaging.additional.type_info_dic.slice_0",
                                  "host/data/unaging.api_event.data.slice_0",
                                  "host/data/aging.compact.node_basic_info.slice_0",
                                  "host/data/unaging.additional.tensor_info.slice_0",
                                  "host/data/unaging.additional.context_id_info.slice_0",
                                  "host/data/unaging.compact.task_track.slice_0",
                                  "device_0/data/ts_track.data.0.slice_0",
                                  "device_0/data/stars_soc.data.0.slice_0",
                                  "device_0/data/stars_soc.data.0.slice_1",
                                  "host/data/unaging.compact.hccl_op_info.slice_0",
                                  "host/data/unaging.additional.hccl_info.slice_0",
                                  "device_1/data/hwts.data.1.slice_0",
                                  "host/data/unaging.additional.msproftx.slice_0",
                                  "device_0/data/llc.data.0.slice_0",
                                  "device_0/data/hccs.data.0.slice_0",
                                  "device_0/data/pcie.data.0.slice_0",
                                  "device_0/data/qos.data.0.slice_0",
                                  "device_0/data/npu_mem.app.0.slice_0",
                                  "device_0/data/npu_module_mem.data.0.slice_0",
                                  "device_0/data/nic.data.0.slice_0",
                                  "device_1/data/ddr.data.1.slice_0",
                                  "device_0/data/l2_cache.data.0.slice_0",
                                  "device_0/data/socpmu.data.0.slice_0",
                                  "device_0/data/aicpu.data.0.slice_0"};
constexpr std::pair<const char*, const char*> kSettings[] = {
    {"host/info.json", R"({"platform_version":"5","pid":"7","CPU":[{"Frequency":"100.0"}]})"},
    {"host/start_info", R"({"collectionTimeBegin":"1767225600000000","clockMonotonicRaw":"1000"})"},
    {"host/host_start.log", "[Host]\nclock_monotonic_raw: 1000\ncntvct: 50\ncntvct_diff: 0\n"},
    {"device_0/info.json.0",
     R"({"platform_version":"5","CPU":[{"Frequency":"100.0"}],"DeviceInfo":[{"hwts_frequency":"50"}]})"},
    {"device_0/sample.json",
     R"({"llc_profiling":"read","qosEvents":"L2,DDR","l2CacheTaskProfilingEvents":"0xfb,0xfc,0x90,0x91,0x9c",)"
     R"("npuEvents":"SMMU:0x2,0x8a,0x8c,0x8d"})"},
    {"device_0/start_info.0", R"({"collectionTimeBegin":"1767225600000000","clockMonotonicRaw":"1000"})"},
    {"device_0/host_start.log.0", "[Host]\nclock_monotonic_raw: 1000\ncntvct: 50\ncntvct_diff: 0\n"},
    {"device_0/dev_start.log.0", "clock_monotonic_raw: 1007\ncntvct: 9\n"},
    {"device_1/info.json.1",
     R"({"platform_version":"1","CPU":[{"Frequency":"100.0"}],"DeviceInfo":[{"hwts_frequency":"100"}]})"},
    {"device_1/start_info.1", R"({"collectionTimeBegin":"1767225600000000","clockMonotonicRaw":"1000"})"},
    {"device_1/host_start.log.1", "[Host]\nclock_monotonic_raw: 1000\ncntvct: 50\ncntvct_diff: 0\n"},
    {"device_1/dev_start.log.1", "clock_monotonic_raw: 1007\ncntvct: 9\n"}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace altiscope::fuzz;
    const std::filesystem::path prof = inputFolder() / "PROF_000001_20260101000000000_ABC";
    static const bool isReady = [&prof] {
        std::filesystem::create_directories(prof / "host" / "data");
        for (const char* device : {"device_0", "device_1"}) std::filesystem::create_directories(prof / device / "data");
        for (const auto& [name, text] : kSettings)
            writeInput(prof / name, reinterpret_cast<const std::uint8_t*>(text), std::char_traits<char>::length(text));
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
        writeInput(prof / name, data, length);
        data += length;
        size -= length;
    }
    const auto once = tableOutcome(inputFolder(), std::size_t{1} << 20);
    if (tableOutcome(inputFolder(), std::size_t{1} << 20) != once) std::abort();
    return 0;
}
