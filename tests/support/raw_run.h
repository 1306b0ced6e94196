#pragma once

#include "core/trace/raw/raw_layouts.h"
#include "tests/core/import/raw_bytes.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace altiscope::test {

/// What a made-up run recorded. The host counts 10 ns, its device 0 counts 20 ns; both begin at 2026-01-01 00:00 UTC.
struct RawRun {
    std::size_t kernels = 24;              ///< Each launched by a call of its own, 20 us apart.
    std::size_t kernelsPerCollective = 8;  ///< Behind each so many a collective of three tasks; 0: none.
    bool hasFramework = true;              ///< torch_npu recorded, too: operators, queue, memory, two steps.
    bool hasMetrics = true;                ///< Counters of the cores.
    std::uint64_t lateMicroseconds = 0;    ///< The collection began so late.
    std::string prof = "PROF_000001_20260101000000000_ABCDEFGHIJKLMNOP";
    std::string rank = "host_1_20260101000000000_ascend_pt";
};

/// Writes the raw records of a run: synthetic, by the lists that read them.
class RawRunWriter {
public:
    /// @param parent  Where the folder of the rank, or the PROF folder alone, is made.
    RawRunWriter(const std::filesystem::path& parent, const RawRun& run)
        : m_run(run), m_folder(parent / (run.hasFramework ? run.rank : run.prof)), m_prof(madeFolders(m_folder, run)) {}

    /// @return The folder.
    std::filesystem::path write() {
        writeSettings();
        writeTexts();
        std::uint64_t tick = kHostBegin;
        std::uint64_t deviceTick = kDeviceBegin;
        for (std::size_t i = 0; i < m_run.kernels; ++i) {
            tick += kHostTicks;
            deviceTick += kDeviceTicks;
            addKernel(i, tick, deviceTick);
            if (m_run.kernelsPerCollective == 0 || (i + 1) % m_run.kernelsPerCollective != 0) continue;
            tick += kHostTicks;
            deviceTick += kDeviceTicks;
            addCollective(i / m_run.kernelsPerCollective, tick, deviceTick);
        }
        if (m_run.hasFramework) {
            const std::uint64_t middle = kHostBegin + (tick - kHostBegin) / 2;
            addOperator("ProfilerStep#1", kHostBegin + 1, middle, kMainThread, {});
            addOperator("ProfilerStep#2", middle + 1, tick + kHostTicks, kMainThread, {});
        }
        return m_folder;
    }

private:
    static constexpr std::uint64_t kHostBegin = 5'000'000, kDeviceBegin = 900'000, kHostTicks = 2000,
                                   kDeviceTicks = 1000, kTasksOfStream = 60'000, kNames = 64;
    static constexpr std::uint16_t kAcl = 20000, kNode = 10000, kCommunication = 5500, kRuntime = 5000;
    static constexpr std::uint32_t kMainThread = 4242, kQueueThread = 4243, kBackwardThread = 4244;
    static constexpr std::uint64_t kGroup = 5'687'037'626, kCollective = 11, kRing = 12, kWait = 13, kCopy = 14,
                                   kReduce = 15, kType = 16, kFirstName = 1000;

    /// @return The PROF folder.
    static std::filesystem::path madeFolders(const std::filesystem::path& folder, const RawRun& run) {
        const std::filesystem::path prof = run.hasFramework ? folder / run.prof : folder;
        for (const char* name : {"host/data", "device_0/data"}) std::filesystem::create_directories(prof / name);
        if (run.hasFramework) std::filesystem::create_directories(folder / "FRAMEWORK");
        return prof;
    }
    std::filesystem::path hostData() const { return m_prof / "host/data"; }
    std::filesystem::path deviceData() const { return m_prof / "device_0/data"; }

    static void writeFile(const std::filesystem::path& path, std::string_view content) {
        std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
    }

    void writeSettings() {
        const std::uint64_t wall = 1'767'225'600'000'000 + m_run.lateMicroseconds,
                            monotonic = 1'000'000'000'000 + m_run.lateMicroseconds * 1000;
        const std::string facts =
            R"("version":"1.0","hostname":"node","hostUid":"77","platform_version":"5","pid":"4242",)"
            R"("CPU":[{"Id":0,"Frequency":"100.000000"}],"rank_id":0,)";
        const std::string events = R"("0x8,0xa,0x9,0xb,0xc,0xd,0x54,0x55")";
        const std::string sample = R"({"ai_core_metrics":"PipeUtilization","aiv_metrics":"PipeUtilization",)"
                                   R"("ai_core_profiling_events":)" +
                                   events + R"(,"aiv_profiling_events":)" + events +
                                   R"(,"profLevel":"l1","hbm_profiling_events":"read,write","devices":)";
        const std::string start = R"({"collectionTimeBegin":")" + std::to_string(wall) + R"(","clockMonotonicRaw":")" +
                                  std::to_string(monotonic) + "\"}";
        const std::uint64_t tasks = m_run.kernels * 2 + 2;
        const std::string end =
            R"({"collectionTimeEnd":")" + std::to_string(1'767'225'600'000'000 + tasks * 20) + "\"}";
        const std::string log = "[Host]\nclock_monotonic_raw: 1000000000000\ncntvct: 5000000\ncntvct_diff: 0\n";
        writeFile(m_prof / "host/info.json", '{' + facts + R"("DeviceInfo":[]})");
        writeFile(m_prof / "host/sample.json", sample + "\"64\"}");
        writeFile(m_prof / "host/start_info", start);
        writeFile(m_prof / "host/end_info", end);
        writeFile(m_prof / "host/host_start.log", log);
        writeFile(m_prof / "device_0/info.json.0",
                  '{' + facts +
                      R"("DeviceInfo":[{"id":0,"ai_core_num":24,"aiv_num":48,"hwts_frequency":"50",)"
                      R"("aic_frequency":"1800"}]})");
        writeFile(m_prof / "device_0/sample.json", sample + "\"0\"}");
        writeFile(m_prof / "device_0/start_info.0", start);
        writeFile(m_prof / "device_0/end_info.0", end);
        writeFile(m_prof / "device_0/host_start.log.0", log);
        writeFile(m_prof / "device_0/dev_start.log.0", "clock_monotonic_raw: 1000000000007\ncntvct: 900000\n");
        if (!m_run.hasFramework) return;
        writeFile(m_folder / "profiler_info_0.json",
                  R"({"config":{"experimental_config":{"_profiler_level":"Level1"}},"rank_id":0,)"
                  R"("start_info":{"syscnt_enable":true,"freq":100.0,"start_cnt":5000000,)"
                  R"("start_monotonic":1000000000000}})");
        writeFile(m_folder / "profiler_metadata.json", R"({"parallel_group_info":{"g":{"group_name":"dp"}}})");
    }

    void writeTexts() {
        std::string texts = std::to_string(kGroup) + ":10.0.0.1%eth0_60000_0\n11:hcom_allReduce_\n12:RING-MESH\n"
                                                     "13:Notify_Wait\n14:Memcpy\n15:Reduce_Inline\n16:MatMulV2\n";
        for (std::uint64_t i = 0; i < kNames; ++i)
            texts += std::to_string(kFirstName + i) + ":MatMul_" + std::to_string(i) + '\n';
        writeFile(hostData() / "unaging.additional.hash_dic.slice_0", texts);
        writeFile(hostData() / "unaging.additional.type_info_dic.slice_0",
                  "5000_0:KERNEL_AICORE\n5000_5:MEMCPY_ASYNC\n5000_75:NOTIFY_WAIT\n5000_1000:KernelLaunch\n"
                  "10000_5:launch\n5500_65537:master\n20000_327687:aclnnMatmul\n20000_327688:HcclAllReduce\n");
    }

    template <class Record>
    static void add(std::ofstream& file, const Record& record) {
        file.write(record.text().data(), static_cast<std::streamsize>(record.text().size()));
    }

    void addCall(std::uint16_t level, std::uint32_t type, std::uint64_t begin, std::uint64_t end, std::uint64_t item) {
        add(m_calls, RecordBytes<kRawCall>()
                         .set<"magic">(kRawHostMagic)
                         .set<"level">(level)
                         .set<"type">(type)
                         .set<"thread">(kQueueThread)
                         .set<"begin">(begin)
                         .set<"end">(end)
                         .set<"item">(item));
    }
    void addTrack(std::uint64_t time, std::uint16_t stream, std::uint16_t task, std::uint64_t type) {
        add(m_tracks, RecordBytes<kRawTaskTrack>()
                          .set<"magic">(kRawHostMagic)
                          .set<"level">(kRuntime)
                          .set<"thread">(kQueueThread)
                          .set<"time">(time)
                          .set<"stream">(stream)
                          .set<"task">(task)
                          .set<"type">(type));
    }
    /// @param type  0 of a kernel, 7 waits, 11 copies.
    void addTask(std::uint64_t begin, std::uint64_t end, std::uint16_t stream, std::uint16_t task, unsigned type) {
        for (const unsigned function : {0U, 1U})
            add(m_stars, RecordBytes<kRawStars>()
                             .set<"kind">(static_cast<std::uint16_t>(function | (type << 10)))
                             .set<"magic">(kRawStarsMagic)
                             .set<"stream">(stream)
                             .set<"task">(task)
                             .set<"time">(function == 0 ? begin : end));
    }

    void addKernel(std::size_t number, std::uint64_t tick, std::uint64_t deviceTick) {
        const auto stream = static_cast<std::uint16_t>(2 + number / kTasksOfStream),
                   task = static_cast<std::uint16_t>(number % kTasksOfStream + 1);
        const std::uint64_t name = kFirstName + number % kNames, end = deviceTick + 600 + number % 7;
        addCall(kAcl, 327687, tick, tick + 1800, 0);
        addCall(kNode, 5, tick + 100, tick + 1500 + number % 3, name);
        addCall(kRuntime, 1000, tick + 200, tick + 1200, 0);
        addTrack(tick + 600, stream, task, 0);
        add(m_nodes, RecordBytes<kRawNodeInfo>()
                         .set<"magic">(kRawHostMagic)
                         .set<"thread">(kQueueThread)
                         .set<"time">(tick + 1400)
                         .set<"op_name">(name)
                         .set<"op_type">(kType)
                         .set<"blocks">(20));
        RecordBytes<kRawTensors> tensors;
        tensors.set<"magic">(kRawHostMagic).set<"thread">(kQueueThread).set<"time">(tick + 1400);
        tensors.set<"op_name">(name).set<"count">(2);
        std::string bytes = tensors.text();
        for (std::uint32_t tensor = 0; tensor < 2; ++tensor) {
            // Input or output, ND, FLOAT16, two dimensions.
            const std::uint32_t numbers[] = {tensor, 2, 1, 128, static_cast<std::uint32_t>(64 + number % 16)};
            std::memcpy(bytes.data() + 36 + tensor * 44, numbers, sizeof numbers);
        }
        m_tensors.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        addTask(deviceTick, end, stream, task, 0);
        if (m_run.hasMetrics)
            add(m_metrics, RecordBytes<kRawFftsProfile>()
                               .set<"function">(0x28)
                               .set<"stream">(stream)
                               .set<"task">(task)
                               .set<"cycles">(100'000 + number % 1000)
                               .set<"counters">(3000)
                               .set<"begin">(deviceTick)
                               .set<"end">(end));
        if (m_run.hasFramework) addFramework(number, tick);
    }

    void addCollective(std::size_t number, std::uint64_t tick, std::uint64_t deviceTick) {
        addCall(kAcl, 327688, tick, tick + 1800, 0);
        addCall(kNode, 5, tick + 50, tick + 1700, kCollective);
        add(m_collectives, RecordBytes<kRawHcclOp>()
                               .set<"magic">(kRawHostMagic)
                               .set<"thread">(kQueueThread)
                               .set<"time">(tick + 1600)
                               .set<"data_type">(3)
                               .set<"algorithm">(kRing)
                               .set<"count">(1024)
                               .set<"group">(kGroup));
        for (std::uint64_t part = 0; part < 3; ++part) {
            const std::uint64_t begin = tick + 100 + part * 500, place = number * 3 + part;
            const auto stream = static_cast<std::uint16_t>(1500 + place / kTasksOfStream),
                       task = static_cast<std::uint16_t>(place % kTasksOfStream + 1);
            addCall(kCommunication, 65537, begin, begin + 400, kWait + part);
            addCall(kRuntime, 1000, begin + 50, begin + 300, 0);
            addTrack(begin + 100, stream, task, part == 0 ? 75 : 5);
            constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
            add(m_parts, RecordBytes<kRawHcclTask>()
                             .set<"magic">(kRawHostMagic)
                             .set<"thread">(kQueueThread)
                             .set<"time">(begin + 200)
                             .set<"item">(kWait + part)
                             .set<"group">(kGroup)
                             .set<"remote_rank">(1)
                             .set<"rank_size">(2)
                             .set<"context">(kNone)
                             .set<"notify">(7)
                             .set<"bytes">(part == 0 ? 0 : 4'194'304)
                             .set<"data_type">(3)
                             .set<"link">(part == 0 ? 0 : 1)
                             .set<"rdma">(kNone));
            addTask(deviceTick + part * 300, deviceTick + part * 300 + 290, stream, task, part == 0 ? 7 : 11);
        }
    }

    void addOperator(const std::string& name, std::uint64_t begin, std::uint64_t end, std::uint64_t thread,
                     std::string_view shapes, std::int64_t sequence = -1) {
        std::string inner = tlvBytes(2, name);
        if (!shapes.empty())
            inner += tlvBytes(3, "c10::Half;c10::Half") + tlvBytes(4, shapes) + tlvBytes(8, "a.py(1): f;b.py(2): g");
        const std::string bytes = tlvBytes(1, RecordBytes<kRawOpRange>()
                                                      .set<"begin">(begin)
                                                      .set<"end">(end)
                                                      .set<"sequence">(sequence)
                                                      .set<"process">(4242)
                                                      .set<"thread">(thread)
                                                      .set<"end_thread">(thread)
                                                      .set<"forward_thread">(thread == kMainThread ? 0 : kMainThread)
                                                      .text() +
                                                  inner);
        m_operators.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }

    void addFramework(std::size_t number, std::uint64_t tick) {
        // Each second one is the backward operator of the one before.
        const bool isForward = number % 2 == 0;
        const std::uint64_t thread = isForward ? kMainThread : kBackwardThread;
        addOperator("aten::matmul", tick - 900, tick - 500, thread, isForward ? "128,64;64,256" : "8,8;8,8",
                    static_cast<std::int64_t>(number / 2));
        const auto addMark = [&](std::uint64_t kind, std::uint64_t time, std::uint64_t ofThread) {
            const std::string bytes = tlvBytes(2, RecordBytes<kRawOpMark>()
                                                          .set<"time">(time)
                                                          .set<"kind">(kind)
                                                          .set<"correlation">(number + 1)
                                                          .set<"thread">(ofThread)
                                                          .set<"process">(4242)
                                                          .text() +
                                                      tlvBytes(1, "aclnnMatmul"));
            m_marks.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        };
        addMark(0, tick - 700, thread);
        addMark(1, tick - 600, thread);
        addMark(2, tick - 50, kQueueThread);
        addMark(3, tick + 1900, kQueueThread);
        for (const std::uint8_t event : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2}}) {
            const std::int64_t size = 4096;
            const std::string bytes = tlvBytes(3, RecordBytes<kRawMemoryUsage>()
                                                      .set<"pointer">(static_cast<std::int64_t>(number % 100) << 20)
                                                      .set<"time">(tick - 800 + 100U * event)
                                                      .set<"bytes">(event == 0 ? size : -size)
                                                      .set<"allocated">(event == 0 ? 2 * size : size)
                                                      .set<"reserved">(8 * size)
                                                      .set<"active">(event == 2 ? size : 2 * size)
                                                      .set<"stream">(9)
                                                      .set<"device_type">(20)
                                                      .set<"event">(event)
                                                      .set<"thread">(kMainThread)
                                                      .set<"process">(4242)
                                                      .text());
            m_memory.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        }
    }

    std::ofstream opened(const std::filesystem::path& path, bool isWanted = true) const {
        return isWanted ? std::ofstream(path, std::ios::binary) : std::ofstream();
    }

    const RawRun m_run;
    const std::filesystem::path m_folder, m_prof;
    std::ofstream m_calls = opened(hostData() / "unaging.api_event.data.slice_0");
    std::ofstream m_tracks = opened(hostData() / "unaging.compact.task_track.slice_0");
    std::ofstream m_nodes = opened(hostData() / "aging.compact.node_basic_info.slice_0");
    std::ofstream m_tensors = opened(hostData() / "unaging.additional.tensor_info.slice_0");
    std::ofstream m_collectives = opened(hostData() / "unaging.compact.hccl_op_info.slice_0");
    std::ofstream m_parts = opened(hostData() / "unaging.additional.hccl_info.slice_0");
    std::ofstream m_stars = opened(deviceData() / "stars_soc.data.0.slice_0");
    std::ofstream m_metrics = opened(deviceData() / "ffts_profile.data.0.slice_0");
    std::ofstream m_operators = opened(m_folder / "FRAMEWORK/torch.op_range", m_run.hasFramework);
    std::ofstream m_marks = opened(m_folder / "FRAMEWORK/torch.op_mark", m_run.hasFramework);
    std::ofstream m_memory = opened(m_folder / "FRAMEWORK/torch.memory_usage", m_run.hasFramework);
};

/// @return The folder of the rank, or the PROF folder alone.
inline std::filesystem::path writeRawRun(const std::filesystem::path& parent, const RawRun& run = {}) {
    return RawRunWriter(parent, run).write();
}

}  // namespace altiscope::test
