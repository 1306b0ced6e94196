#include "core/report/deliverables/sample_files.h"

#include "core/report/deliverables/number_text.h"
#include "core/trace/module_names.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

using SampleLines = std::vector<std::vector<std::string>>;

constexpr double kBytesOfMb = 1024 * 1024;
constexpr std::uint64_t kBytesOfKb = 1024;

std::string pythonText(double value) { return exactText(pythonRounded(value)); }

double roundedMean(double value) { return std::round(value * 1000) / 1000; }

/// As decimal numbers of Python divide: the sum of three digits, then the mean; halves to the even digit.
std::string meanOfSum(double sum, std::int64_t count) {
    static constexpr double kThousandths = 1000;
    const std::int64_t whole = std::llrint(sum * kThousandths), rest = whole % count;
    std::int64_t mean = whole / count;
    if (2 * rest > count || (2 * rest == count && mean % 2 != 0)) ++mean;
    return fixedText(static_cast<double>(mean) / kThousandths, 3);
}

}  // namespace

DeliverableResult writeLlc(const DeliverableInput& input) {
    static constexpr double kPercent = 100;
    SampleLines lines{{"Device_id", "Mode", "Task", "Hit Rate(%)", "Throughput(MB/s)"}};
    for (const DeviceSamples& device : input.tasks.samples) {
        struct Sums {
            double hits = 0, rate = 0, count = 0;
        };
        std::map<std::uint32_t, Sums> caches;
        for (const LlcSample& one : device.llc) {
            Sums& sums = caches[one.cache];
            sums.hits += one.hitRate;
            sums.rate += one.megabytesPerSecond;
            ++sums.count;
        }
        const std::string number = std::to_string(device.device), mode = device.countsWrites ? "write" : "read";
        double hits = 0, rate = 0;
        SampleLines own;
        for (const auto& [cache, sums] : caches) {
            // Means of six digits in the vendor's table, then three.
            const double hit = numberOf(fixedText(sums.hits / sums.count, 6)) * kPercent,
                         mean = numberOf(fixedText(sums.rate / sums.count, 6));
            hits += hit;
            rate += mean;
            own.push_back({number, mode, std::to_string(cache), pythonText(hit), pythonText(mean)});
        }
        if (own.empty()) continue;
        const auto count = static_cast<double>(caches.size());
        lines.push_back({number, mode, "Average", pythonText(hits / count), pythonText(rate / count)});
        lines.insert(lines.end(), own.begin(), own.end());
    }
    return writeLines(input, "llc_read_write", lines);
}

DeliverableResult writeHccs(const DeliverableInput& input) {
    SampleLines lines{{"Device_id", "Mode", "Max", "Min", "Average"}};
    for (const DeviceSamples& device : input.tasks.samples) {
        if (device.hccs.empty()) continue;
        const auto add = [&](const char* mode, double HccsSample::*rate) {
            double min = device.hccs.front().*rate, max = min, sum = 0;
            for (const HccsSample& one : device.hccs) {
                min = std::min(min, one.*rate);
                max = std::max(max, one.*rate);
                sum += one.*rate;
            }
            lines.push_back({std::to_string(device.device), mode, roundedText(max), roundedText(min),
                             roundedText(sum / static_cast<double>(device.hccs.size()))});
        };
        add("Tx (MB/s)", &HccsSample::sent);
        add("Rx (MB/s)", &HccsSample::received);
    }
    return writeLines(input, "hccs", lines);
}

DeliverableResult writePcie(const DeliverableInput& input) {
    static constexpr std::pair<std::string_view, PcieSample::Path> kPaths[] = {
        {"Tx_p_avg(MB/s)", PcieSample::SentPosted},
        {"Tx_np_avg(MB/s)", PcieSample::SentNonposted},
        {"Tx_cpl_avg(MB/s)", PcieSample::SentCompletions},
        {"Tx_latency_avg(us)", PcieSample::Latency},
        {"Rx_p_avg(MB/s)", PcieSample::Posted},
        {"Rx_np_avg(MB/s)", PcieSample::Nonposted},
        {"Rx_cpl_avg(MB/s)", PcieSample::Completions}};
    static constexpr double kMicrosecondsOfSecond = 1e6, kNsOfMicrosecond = 1000;
    // The smallest value of what was never sent.
    static constexpr std::uint32_t kNever = 0xfffff;
    SampleLines lines{{"Device_id", "Mode", "Min", "Max", "Avg"}};
    for (const DeviceSamples& device : input.tasks.samples) {
        if (!device.lastPcie) continue;
        for (const auto& [name, path] : kPaths) {
            const bool isLatency = path == PcieSample::Latency;
            const auto cell = [isLatency](std::uint32_t value) {
                const auto number = static_cast<double>(value);
                return pythonText(isLatency ? number / kNsOfMicrosecond
                                            : number * (kMicrosecondsOfSecond / kBytesOfMb));
            };
            const auto& values = device.lastPcie->values[path];
            lines.push_back({std::to_string(device.device), std::string(name),
                             cell(values[0] == kNever ? 0 : values[0]), cell(values[1]), cell(values[2])});
        }
    }
    return writeLines(input, "pcie", lines);
}

DeliverableResult writeNpuMemory(const DeliverableInput& input) {
    SampleLines lines{{"Device_id", "event", "ddr(KB)", "hbm(KB)", "memory(KB)", "timestamp(us)"}};
    for (const DeviceSamples& device : input.tasks.samples) {
        for (const NpuMemorySample& one : device.memory) {
            if (one.time < device.begin) continue;
            const auto kilobytes = [](std::uint64_t bytes) { return std::to_string(bytes / kBytesOfKb); };
            lines.push_back({std::to_string(device.device), one.isDevice ? "Device" : "APP", kilobytes(one.ddr),
                             kilobytes(one.hbm), kilobytes(one.ddr + one.hbm), timeCell(one.time)});
        }
    }
    return writeLines(input, "npu_mem", lines);
}

DeliverableResult writeModuleMemory(const DeliverableInput& input) {
    struct Row {
        std::uint32_t module;
        std::int64_t time, device, bytes;
        auto key() const { return std::tie(module, time); }
    };
    std::vector<Row> rows;
    for (const DeviceSamples& device : input.tasks.samples) {
        for (const ModuleMemorySample& one : device.modules) {
            if (one.time >= device.begin) rows.push_back({one.module, one.time, device.device, one.bytes});
        }
    }
    // Not stable, as the vendor's program sorts: so rows of one time come in the same order.
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.key() < b.key(); });
    // torch_npu makes MB of the KB.
    const bool isTorch = input.dialect == Dialect::Torch && !input.isMindSpore();
    SampleLines lines{
        {"Device_id", "Component", "Timestamp(us)", isTorch ? "Total Reserved(MB)" : "Total Reserved(KB)", "Device"}};
    for (const Row& row : rows) {
        const std::int64_t kilobytes = row.bytes / static_cast<std::int64_t>(kBytesOfKb);
        const std::string_view name = moduleName(row.module);
        const std::string device = std::to_string(row.device);
        lines.push_back({device, std::string(name.empty() ? "UNKNOWN" : name), timeCell(row.time),
                         isTorch ? exactText(static_cast<double>(kilobytes) / static_cast<double>(kBytesOfKb))
                                 : std::to_string(kilobytes),
                         "NPU:" + device});
    }
    return writeLines(input, "npu_module_mem", lines);
}

DeliverableResult writeDdr(const DeliverableInput& input) {
    SampleLines lines{{"Device_id", "Metric", "Read(MB/s)", "Write(MB/s)"}};
    for (const DeviceSamples& device : input.tasks.samples) {
        if (device.ddr.empty()) continue;
        double read = 0, write = 0;
        for (const DdrSample& one : device.ddr) {
            read += one.read;
            write += one.write;
        }
        const auto count = static_cast<double>(device.ddr.size());
        lines.push_back(
            {std::to_string(device.device), "Average", pythonText(read / count), pythonText(write / count)});
    }
    return writeLines(input, "ddr", lines);
}

DeliverableResult writeHbm(const DeliverableInput& input) {
    struct Means {
        double read = 0, write = 0;
    };
    std::map<std::string, std::map<std::string, Means>> devices;  // in the order of their folders' names
    for (const DeviceSamples& device : input.tasks.samples) {
        for (const MemoryTraffic& one : device.hbm) {
            Means& means = devices[std::to_string(device.device)][std::to_string(one.memory)];
            (one.isWrite ? means.write : means.read) = one.sum / static_cast<double>(one.count);
        }
    }
    if (devices.empty()) return {DeliverableResult::State::Nothing};
    SampleLines lines{{"Device_id", "Metric", "Read(MB/s)", "Write(MB/s)"}};
    for (const auto& [device, memories] : devices) {
        Means all;
        for (const auto& [memory, means] : memories) {
            all.read += means.read;
            all.write += means.write;
        }
        const auto count = static_cast<std::int64_t>(memories.size());
        const std::string& number = device;
        lines.push_back({number, "Average", meanOfSum(all.read, count), meanOfSum(all.write, count)});
        for (const auto& [memory, means] : memories)
            lines.push_back({number, memory, exactText(roundedMean(means.read)), exactText(roundedMean(means.write))});
    }
    return writeLines(input, "hbm", lines);
}

}  // namespace altiscope
