#include "core/import/database_lookup/db_kernels.h"

#include "core/base/threads/parallel_sort.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace altiscope::reader {

namespace {

/// A step's time on the devices.
struct StepOnDevices {
    std::int64_t number = 0, begin = 0, end = 0;
};

/// Steps that have kernels, by begin.
std::vector<StepOnDevices> deviceSteps(std::span<const DbKernel> kernels, std::vector<DbLaunch> launches,
                                       std::vector<Step> steps) {
    std::erase_if(steps, [](const Step& step) { return !step.range; });
    std::stable_sort(steps.begin(), steps.end(),
                     [](const Step& a, const Step& b) { return a.range->begin < b.range->begin; });
    const auto byId = [](const DbLaunch& a, const DbLaunch& b) {
        return std::tie(a.id, a.begin) < std::tie(b.id, b.begin);
    };
    if (!std::is_sorted(launches.begin(), launches.end(), byId)) std::sort(launches.begin(), launches.end(), byId);
    std::vector<StepOnDevices> found(steps.size());
    std::vector<bool> hasKernel(steps.size());
    for (const DbKernel& kernel : kernels) {
        if (kernel.connection < 0) continue;
        const auto launch = std::lower_bound(launches.begin(), launches.end(), kernel.connection,
                                             [](const DbLaunch& one, std::int64_t id) { return one.id < id; });
        if (launch == launches.end() || launch->id != kernel.connection) continue;
        const TimeNs time{launch->begin};
        const auto after = std::upper_bound(steps.begin(), steps.end(), time,
                                            [](TimeNs t, const Step& step) { return t < step.range->begin; });
        if (after == steps.begin() || !(after - 1)->range->contains(time)) continue;
        const auto number = static_cast<std::size_t>(after - steps.begin()) - 1;
        StepOnDevices& step = found[number];
        const std::int64_t end = kernel.begin + kernel.duration;
        step.begin = hasKernel[number] ? std::min(step.begin, kernel.begin) : kernel.begin;
        step.end = std::max({hasKernel[number] ? step.end : end, end, steps[number].range->end.value});
        step.number = steps[number].number;
        hasKernel[number] = true;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (hasKernel[i]) found[kept++] = found[i];
    }
    found.resize(kept);
    std::stable_sort(found.begin(), found.end(),
                     [](const StepOnDevices& a, const StepOnDevices& b) { return a.begin < b.begin; });
    return found;
}

}  // namespace

double printedMicroseconds(std::int64_t ns) {
    static constexpr std::uint64_t kExact = std::uint64_t{1} << 53, kLarge = std::uint64_t{1} << 60, kNsPerUs = 1000;
    const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    // Up to there both numbers are doubles, so the quotient is rounded once.
    if (size <= kExact) return static_cast<double>(ns) / static_cast<double>(kNsPerUs);
    // The quotient in parts of 1 / 2^shift, of 55 bits or more: what is lost of them only says to which side of a tie
    // the value lies.
    const unsigned shift = size < kLarge ? 12 : 8;
    const std::uint64_t rest = (size % kNsPerUs) << shift;
    std::uint64_t parts = ((size / kNsPerUs) << shift) + rest / kNsPerUs;
    if (rest % kNsPerUs != 0) parts |= 1;
    const double value = std::ldexp(static_cast<double>(parts), -static_cast<int>(shift));
    return ns < 0 ? -value : value;
}

std::size_t DbKernelInfos::Hash::operator()(const DbKernelInfo& info) const {
    std::uint64_t hash = info.isCommunication ? 1 : 0;
    for (const std::int64_t value :
         {info.name, info.core, info.type, info.inputShapes, info.inputTypes, info.inputFormats, info.outputShapes,
          info.outputTypes, info.outputFormats, info.blocks}) {
        hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
}

std::uint32_t DbKernelInfos::add(const DbKernelInfo& info, std::int64_t row) {
    const auto [known, isNew] = m_numbers.try_emplace(info, static_cast<std::uint32_t>(m_infos.size()));
    if (isNew) {
        m_infos.push_back(info);
        m_rows.push_back(row);
    }
    return known->second;
}

void sortKernels(std::vector<DbKernel>& kernels, const CancelToken& cancel) {
    for (std::size_t i = 0; i < kernels.size(); ++i) kernels[i].number = static_cast<std::uint32_t>(i);
    parallelSort(
        std::span(kernels),
        [](const DbKernel& a, const DbKernel& b) {
            return std::tie(a.device, a.begin, a.number) < std::tie(b.device, b.begin, b.number);
        },
        cancel);
}

std::vector<std::int64_t> stepsOfKernels(std::span<const DbKernel> kernels, std::vector<DbLaunch> launches,
                                         std::vector<Step> steps) {
    std::vector<std::int64_t> numbers(kernels.size(), kNoCell);
    const std::vector<StepOnDevices> ranges = deviceSteps(kernels, std::move(launches), std::move(steps));
    std::vector<std::int64_t> reach;  // how far a range and all before it go
    for (const StepOnDevices& range : ranges)
        reach.push_back(reach.empty() ? range.end : std::max(reach.back(), range.end));
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const std::int64_t time = kernels[i].begin;
        // Where ranges overlap, because a step's last kernels run after the first ones of the next, the later one
        // holds.
        auto range = static_cast<std::size_t>(
            std::upper_bound(ranges.begin(), ranges.end(), time,
                             [](std::int64_t t, const StepOnDevices& step) { return t < step.begin; }) -
            ranges.begin());
        while (range > 0 && reach[range - 1] > time && ranges[range - 1].end <= time) --range;
        if (range > 0 && time < ranges[range - 1].end) numbers[i] = ranges[range - 1].number;
    }
    return numbers;
}

std::vector<std::int64_t> waitsOfKernels(std::span<const DbKernel> kernels, bool asDoubles) {
    std::vector<std::int64_t> waits(kernels.size(), 0);
    for (std::size_t i = 1; i < kernels.size(); ++i) {
        const DbKernel &one = kernels[i], &before = kernels[i - 1];
        if (one.device != before.device) continue;
        if (!asDoubles) {
            waits[i] = std::max<std::int64_t>(one.begin - before.begin - before.duration, 0);
            continue;
        }
        const double gap =
            printedMicroseconds(one.begin) - printedMicroseconds(before.begin) - printedMicroseconds(before.duration);
        waits[i] = std::max<std::int64_t>(std::llround(gap * 1000.0), 0);
    }
    return waits;
}

}  // namespace altiscope::reader
