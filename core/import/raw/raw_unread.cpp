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

}  // namespace altiscope::reader
