#include "core/generate/raw/raw_side_files.h"

#include "core/base/text/json_text.h"
#include "core/generate/raw/raw_metric_records.h"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdio>

namespace altiscope::generate {

namespace {

using SideJson = nlohmann::ordered_json;

constexpr std::int64_t kNsPerUs = 1000;
constexpr std::uint32_t kCubeCores = 24, kVectorCores = 48, kHostCores = 192;

SideJson rawFactsOf(const Run& run, std::uint32_t rank) {
    const RankIdentity& identity = run.plan.identities[rank];
    SideJson facts;
    facts["version"] = "1.0";
    facts["drvVersion"] = 467473;
    facts["hostname"] = hostName(rank);
    facts["hostUid"] = hostUid(rank);
    facts["platform_version"] = "5";
    facts["pid"] = std::to_string(identity.hostPid);
    facts["pid_name"] = "python3";
    facts["rank_id"] = rank;
    facts["devices"] = std::to_string(identity.device);
    facts["CPU"] = {{{"Id", 0},
                     {"Name", "HiSilicon"},
                     {"Type", "Kunpeng-920"},
                     {"Logical_CPU_Count", kHostCores},
                     {"Frequency", std::to_string(RawClocks::kHostMegahertz) + ".000000"}}};
    facts["OS"] = "Linux";
    facts["hwtype"] = "aarch64";
    facts["cpuNums"] = kHostCores;
    facts["cpuCores"] = kHostCores;
    facts["sysClockFreq"] = 100;
    facts["upTime"] = "0 0";
    facts["memoryTotal"] = 2'113'929'216;  // KiB
    facts["netCardNums"] = 1;
    facts["netCard"] = {{{"netCardName", "eth0"}, {"speed", 25'000}}};
    facts["DeviceInfo"] = SideJson::array();
    return facts;
}

/// The switches of the collection. The vendor's program reads no capture without most of these.
SideJson rawSwitches(const std::string& devices) {
    SideJson sample;
    sample["profLevel"] = "l1";
    sample["prof_level"] = "l1";
    sample["ai_core_profiling"] = "on";
    sample["ai_core_profiling_mode"] = "task-based";
    sample["ai_core_metrics"] = kRawCubeGroup;
    sample["ai_core_profiling_events"] = kRawCubeEvents;
    sample["aicore_sampling_interval"] = 10;
    sample["aiv_profiling"] = "on";
    sample["aiv_profiling_mode"] = "task-based";
    sample["aiv_metrics"] = kRawVectorGroup;
    sample["aiv_profiling_events"] = kRawVectorEvents;
    sample["aiv_sampling_interval"] = 10;
    sample["hwts_log"] = "on";
    sample["ts_keypoint"] = "on";
    sample["llc_profiling"] = "";
    sample["qosEvents"] = "";
    sample["devices"] = devices;
    return sample;
}

}  // namespace

std::string profFolder(const Run& run, std::uint32_t rank) {
    using namespace std::chrono;
    const sys_time<nanoseconds> time{nanoseconds{run.plan.startOf(rank).value}};
    const auto day = floor<days>(time);
    const year_month_day date{day};
    const hh_mm_ss clock{floor<milliseconds>(time - day)};
    std::array<char, 64> name{};
    std::snprintf(name.data(), name.size(), "PROF_%06u_%04d%02u%02u%02d%02d%02d%03d_ALTISCOPEMADETHIS", 1U,
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                  static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return name.data();
}

Result<Done> writeRawSideFiles(const Run& run, std::uint32_t rank, OutputTarget& target,
                               const std::filesystem::path& prof) {
    const RankIdentity& identity = run.plan.identities[rank];
    const RawClocks clocks(run, rank);
    const std::string device = std::to_string(identity.device);
    // The collection begins with a whole microsecond.
    const std::int64_t begin = clocks.start().value / kNsPerUs,
                       end = (run.schedule.end(rank) + kLeadOut).value / kNsPerUs;
    const auto moment = [](const char* key, std::int64_t us) {
        SideJson json;
        json[key] = std::to_string(us);
        json["clockMonotonicRaw"] = std::to_string(us * kNsPerUs - kBootNs);
        return dumpJson(json);
    };
    const std::string begun = moment("collectionTimeBegin", begin), ended = moment("collectionTimeEnd", end);
    const std::string hostLog = "[Host]\nclock_monotonic_raw: " + std::to_string(clocks.profiler().monotonic) +
                                "\ncntvct: " + std::to_string(clocks.profiler().count) + "\ncntvct_diff: 0\n";
    SideJson facts = rawFactsOf(run, rank);
    const std::string hostFacts = dumpJson(facts);
    facts["DeviceInfo"].push_back({{"id", identity.device},
                                   {"ai_core_num", kCubeCores},
                                   {"aiv_num", kVectorCores},
                                   {"hwts_frequency", std::to_string(RawClocks::kDeviceMegahertz)},
                                   {"aic_frequency", std::to_string(kCoreMhz)},
                                   {"aiv_frequency", std::to_string(kCoreMhz)}});
    const std::filesystem::path host = prof / "host", own = prof / ("device_" + device);
    const std::pair<std::filesystem::path, std::string> files[] = {
        {host / "info.json", hostFacts},
        {host / "sample.json", dumpJson(rawSwitches("64"))},  // how the host is numbered
        {host / "start_info", begun},
        {host / "end_info", ended},
        {host / "host_start.log", hostLog},
        {own / ("info.json." + device), dumpJson(facts)},
        {own / "sample.json", dumpJson(rawSwitches(device))},
        {own / ("start_info." + device), begun},
        {own / ("end_info." + device), ended},
        {own / ("host_start.log." + device), hostLog},
        {own / ("dev_start.log." + device), "clock_monotonic_raw: " + std::to_string(clocks.profiler().monotonic) +
                                                "\ncntvct: " + std::to_string(RawClocks::kDeviceStart) + "\n"}};
    for (const auto& [path, text] : files) {
        const Result<Done> done = writeFile(target, path, text);
        if (!done.ok()) return done;
    }
    return Done{};
}

}  // namespace altiscope::generate
