#include "core/analysis/kernels/operator_totals.h"

#include "core/analysis/steps/kernel_devices.h"
#include "core/base/text/ascii.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

constexpr std::uint32_t kPollMask = 0xffff;

struct Moments {
    TotalTime time;
    double mean = 0, squares = 0;  // Welford: sums of squares of times would lose what differs

    void add(std::int64_t duration) {
        time.add(duration);
        const double value = static_cast<double>(duration);
        const double before = value - mean;
        mean += before / static_cast<double>(time.count);
        squares += before * (value - mean);
    }
};

std::string levelOf(std::string_view word) {
    static constexpr std::pair<std::string_view, std::string_view> kLevels[] = {{"AscendCL", "acl"}};
    for (const auto& [known, level] : kLevels) {
        if (known == word) return std::string(level);
    }
    return asciiLower(word);
}

}  // namespace

std::vector<OperatorTotal> operatorTotals(const RankEntry& rank, const CancelToken& cancel) {
    static constexpr auto kKind = fixedColumn(RowKind::Kernel, "kind");
    static constexpr auto kType = fixedColumn(RowKind::Kernel, "type");
    static constexpr auto kCore = fixedColumn(RowKind::Kernel, "accelerator_core");
    static constexpr auto kDuration = fixedColumn(RowKind::Kernel, "dur");
    std::vector<OperatorTotal> totals;
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(RowKind::Kernel);
    if (table == nullptr) return totals;
    const auto communication = rank.rows->texts().find("communication");
    const KernelDevices devices(rank);
    std::map<std::optional<std::int64_t>, std::unordered_map<std::uint64_t, TotalTime>> byDevice;
    auto ofDevice = byDevice.end();  // of the kernel before
    for (std::size_t row = 0; row < table->size(); ++row) {
        if ((row & kPollMask) == 0 && cancel.cancelled()) return {};
        const auto kind = table->text(kKind, row);
        if (kind && communication && *kind == *communication) continue;
        const auto type = table->text(kType, row);
        const auto duration = table->integer(kDuration, row);
        if (!type || !duration) continue;
        const auto core = table->text(kCore, row).value_or(StringId{});
        const auto device = devices.of(row);
        if (ofDevice == byDevice.end() || ofDevice->first != device) ofDevice = byDevice.try_emplace(device).first;
        ofDevice->second[std::uint64_t{type->value} << 32U | core.value].add(*duration);
    }
    for (const auto& [device, byKey] : byDevice) {
        for (const auto& [key, time] : byKey) {
            const StringId type{static_cast<std::uint32_t>(key >> 32U)}, core{static_cast<std::uint32_t>(key)};
            totals.push_back({device, std::string(rank.rows->text(type)), std::string(rank.rows->text(core)), time});
        }
    }
    std::sort(totals.begin(), totals.end(), [](const OperatorTotal& a, const OperatorTotal& b) {
        return std::tuple(-a.time.total, std::string_view(a.type), std::string_view(a.coreType), a.device) <
               std::tuple(-b.time.total, std::string_view(b.type), std::string_view(b.coreType), b.device);
    });
    return totals;
}

std::vector<ApiTotal> apiTotals(const TraceStore& trace, const CancelToken& cancel) {
    std::unordered_map<std::uint32_t, Moments> byName;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.tracks()[t].kind != TrackKind::Cann) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            if ((i & kPollMask) == 0 && cancel.cancelled()) return {};
            byName[trace.nameId({i}).value].add(trace.duration({i}).value);
        }
    }
    std::vector<ApiTotal> totals;
    for (const auto& [id, moments] : byName) {
        const std::string_view name = trace.text(StringId{id});
        const std::size_t at = name.find('@');
        if (at == std::string_view::npos || moments.time.count == 0) continue;
        totals.push_back({levelOf(name.substr(0, at)), std::string(name.substr(at + 1)), moments.time,
                          moments.squares / static_cast<double>(moments.time.count)});
    }
    std::sort(totals.begin(), totals.end(), [](const ApiTotal& a, const ApiTotal& b) {
        return std::pair(std::string_view(a.level), std::string_view(a.name)) <
               std::pair(std::string_view(b.level), std::string_view(b.name));
    });
    return totals;
}

}  // namespace altiscope
