#include "core/import/raw/raw_unread.h"

#include "core/import/raw_host/raw_task_counters.h"
#include "core/import/raw_records/raw_hwts.h"
#include "core/import/raw_records/raw_samples.h"
#include "core/import/raw_records/raw_stars_samples.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace altiscope::reader {

void reportUnreadRawFiles(const RawFiles& files, const std::vector<const RawSettings*>& devices,
                          const std::string& folder, Diagnostics& diagnostics) {
    static constexpr std::string_view kRead[] = {"api_event.data",
                                                 "compact.task_track",
                                                 "compact.node_basic_info",
                                                 "compact.node_attr_info",
                                                 "compact.memcpy_info",
                                                 "compact.hccl_op_info",
                                                 "compact.expand_stream_spec",
                                                 "additional.tensor_info",
                                                 "additional.context_id_info",
                                                 "additional.hccl_info",
                                                 "additional.msproftx",
                                                 "additional.fusion_op_info",
                                                 "additional.graph_id_map",
                                                 "additional.task_memory_info",
                                                 "additional.static_op_mem",
                                                 "additional.hash_dic",
                                                 "additional.type_info_dic",
                                                 "ts_track.data",
                                                 "ffts_profile.data",
                                                 "lpmFreqConv.data",
                                                 "hbm.data"};
    const auto isTaskLog = [&devices](std::string_view stem) {
        return std::any_of(devices.begin(), devices.end(), [stem](const RawSettings* device) {
            const bool isHwts = rawTaskLog(device->platform) == RawTaskLog::Hwts;
            return isHwts ? isRawHwtsLog(stem) : stem == "stars_soc.data";
        });
    };
    const auto isSample = [&devices](std::string_view stem) {
        return std::any_of(devices.begin(), devices.end(), [stem](const RawSettings* device) {
            return isReadRawSample(stem, *device) || isReadRawStarsSample(stem, *device) ||
                   isReadRawTaskCounter(stem, *device);
        });
    };
    std::set<std::string> unread;
    const auto look = [&](const std::vector<RawFileSeries>& all) {
        for (const RawFileSeries& series : all) {
            if (isSample(series.stem)) continue;
            if (std::find(std::begin(kRead), std::end(kRead), series.stem) == std::end(kRead) &&
                !isTaskLog(series.stem))
                unread.insert(series.stem);
        }
    };
    look(files.host);
    for (const RawDeviceFiles& device : files.devices) look(device.series);
    reportNotRead(unread, folder, diagnostics);
}

void reportMissingRawLogs(const RawFiles& files, const RawHost& host, const std::string& folder,
                          Diagnostics& diagnostics) {
    if (host.tasks.empty()) return;
    const auto report = [&](const std::string& name) {
        diagnostics.add("raw.slice_missing", Severity::Lost, name, {}, {{"count", "1"}});
    };
    if (files.devices.empty()) report(folder + "/device_*");
    for (const RawDeviceFiles& device : files.devices) {
        if (rawTasksOf(host, device.device).count == 0) continue;
        if (std::none_of(device.series.begin(), device.series.end(), [](const RawFileSeries& series) {
                return series.stem == "stars_soc.data" || isRawHwtsLog(series.stem);
            }))
            report(device.name + "/data/stars_soc.data");
    }
}

Severity severityOfEarly(std::uint64_t early, std::uint64_t all) {
    return early > all / 2 ? Severity::Lost : Severity::Info;
}

void reportLoneTasks(const RawJoined& joined, std::size_t tasks, bool isHostKnown, const std::string& data,
                     Diagnostics& diagnostics) {
    const auto report = [&](const char* code, Severity severity, std::uint64_t count) {
        if (count > 0) diagnostics.add(code, severity, data, {}, {}, count);
    };
    report("raw.nameless_task", Severity::Repaired, joined.nameless);
    report("raw.early", severityOfEarly(joined.early, tasks), joined.early);
    if (!isHostKnown) return;
    report("raw.unknown_task", Severity::Info, joined.unknown);
    report("raw.missing_task", Severity::Info, joined.missing);
}

}  // namespace altiscope::reader
