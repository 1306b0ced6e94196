#include "core/import/csv/kernel_slices.h"

#include "core/base/columns/run_merge.h"
#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"
#include "core/store/rows/row_kinds.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr std::int64_t kTolerance = 1;  // ns
constexpr std::uint32_t kUnknownText = 0xffffffffU;
constexpr std::size_t kKernelsAtOnce = 4096;

/// Ids that the texts of one pool have in another, by walking through both in their common order.
std::vector<std::uint32_t> idsIn(const StringPool& from, const StringPool& to) {
    std::vector<std::uint32_t> ids(from.size(), kUnknownText);
    std::uint32_t other = 0;
    for (std::uint32_t id = 0; id < from.size(); ++id) {
        const std::string_view text = from.text({id});
        while (other < to.size() && to.text({other}) < text) ++other;
        if (other < to.size() && to.text({other}) == text) ids[id] = other;
    }
    return ids;
}

struct DeviceSlice {
    std::int64_t begin;
    std::uint32_t slice;
};

/// Slices of the device, by their begin.
std::vector<DeviceSlice> deviceSlices(const TraceStore& trace) {
    std::vector<DeviceSlice> slices;
    for (const DepthRun& run : trace.runs()) {
        const TrackKind kind = trace.track({run.track}).kind;
        if (kind != TrackKind::Hardware && kind != TrackKind::Communication) continue;
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i) slices.push_back({trace.begin({i}).value, i});
    }
    const auto earlier = [](const DeviceSlice& a, const DeviceSlice& b) {
        return std::tie(a.begin, a.slice) < std::tie(b.begin, b.slice);
    };
    if (!mergeRuns(std::span(slices), earlier, {})) parallelSort(std::span(slices), earlier, {});
    return slices;
}

/// MindSpore writes the operator that launched a kernel before its name, `Default/network/MatMul-op1`; the timeline may
/// have the kernel's name alone.
std::optional<StringId> nameInScope(std::string_view name, const StringPool& texts) {
    const auto slash = name.rfind('/');
    return slash == std::string_view::npos || slash + 1 == name.size() ? std::nullopt
                                                                       : texts.find(name.substr(slash + 1));
}

/// ns between neighbouring doubles of microseconds there; 1 at least.
std::int64_t doubleStep(std::int64_t ns) {
    static constexpr double kNsPerUs = 1000;
    const double us = std::fabs(static_cast<double>(ns)) / kNsPerUs;
    return std::max<std::int64_t>(1, std::llround((std::nextafter(us, HUGE_VAL) - us) * kNsPerUs));
}

/// Recognises times that a program kept as doubles of microseconds and printed with as few digits as give the same
/// double: each is as near to one as those digits reach.
class DoubleTimes {
public:
    void add(std::int64_t ns) {
        if (!m_isAll) return;
        ++m_count;
        const std::int64_t step = doubleStep(ns), rest = ((ns % step) + step) % step;
        m_step = std::max(m_step, step);
        m_isAll = m_isAll && std::min(rest, step - rest) <= step / kDigits;
    }
    /// By how much such a time may be off; 0: they are none.
    std::int64_t tolerance() const {
        return m_isAll && m_step > 1 && m_count >= kFewest ? m_step / 2 + m_step / kDigits + 1 : 0;
    }

private:
    static constexpr std::int64_t kDigits = 5;
    /// Each exact time looks so with a chance of two fifths: fewer may by chance.
    static constexpr std::size_t kFewest = 8;
    std::int64_t m_step = 1;
    std::size_t m_count = 0;
    bool m_isAll = true;
};

/// The slice of a name that is nearest to a kernel, within a tolerance.
std::optional<std::uint32_t> nearestSlice(const TraceStore& trace, std::span<const DeviceSlice> slices, StringId name,
                                          std::int64_t ts, std::int64_t duration, std::int64_t tolerance) {
    auto at = std::lower_bound(slices.begin(), slices.end(), ts - tolerance,
                               [](const DeviceSlice& slice, std::int64_t time) { return slice.begin < time; });
    std::optional<std::pair<std::int64_t, std::int64_t>> best;
    std::optional<std::uint32_t> found;
    for (; at != slices.end() && at->begin <= ts + tolerance; ++at) {
        if (trace.nameId({at->slice}) != name) continue;
        const std::pair distance{std::abs(at->begin - ts), std::abs(trace.duration({at->slice}).value - duration)};
        if (best && *best <= distance) continue;
        best = distance;
        found = at->slice;
    }
    return found;
}

std::optional<std::uint32_t> launcherOf(const TraceStore& trace, SliceIndex slice) {
    for (const std::uint32_t flow : trace.flowsTo(slice)) {
        const std::uint32_t from = trace.columns().flowFrom[flow];
        if (from == kNoSlice.value) continue;
        if (trace.track({trace.runOf({from}).track}).kind == TrackKind::Python) return from;
    }
    return std::nullopt;
}

}  // namespace

RowTables withKernelSlices(const RowTables& tables, const TraceStore& trace) {
    constexpr auto K = RowKind::Kernel;
    const RowTable* kernels = tables.find(K);
    if (kernels == nullptr) return tables;
    const std::vector<DeviceSlice> slices = deviceSlices(trace);
    const std::vector<std::uint32_t> traceText = idsIn(tables.texts(), trace.texts());
    std::vector<std::int64_t> found(kernels->size(), kNoCell), launchers(kernels->size(), kNoCell);
    DoubleTimes ofRows, ofSlices;
    for (std::size_t row = 0; row < kernels->size(); ++row) {
        if (const auto ts = kernels->integer(fixedColumn(K, "ts"), row)) ofRows.add(*ts);
    }
    for (const DeviceSlice& slice : slices) ofSlices.add(slice.begin);
    const std::int64_t ofDoubles = std::max(ofRows.tolerance(), ofSlices.tolerance());
    const auto find = [&](std::size_t row) {
        const auto ts = kernels->integer(fixedColumn(K, "ts"), row);
        const auto name = kernels->text(fixedColumn(K, "name"), row);
        if (!ts || !name) return;
        const std::int64_t duration = kernels->integer(fixedColumn(K, "dur"), row).value_or(0);
        const auto within = [&](std::int64_t tolerance) {
            std::optional<std::uint32_t> slice;
            if (const std::uint32_t whole = traceText[name->value]; whole != kUnknownText)
                slice = nearestSlice(trace, slices, {whole}, *ts, duration, tolerance);
            // The host may have the whole name where the device has its end.
            if (const auto end = slice ? std::nullopt : nameInScope(tables.texts().text(*name), trace.texts()))
                slice = nearestSlice(trace, slices, *end, *ts, duration, tolerance);
            return slice;
        };
        auto slice = within(kTolerance);
        if (!slice && ofDoubles > kTolerance) slice = within(ofDoubles);
        if (!slice) return;
        found[row] = *slice;
        if (const auto launcher = launcherOf(trace, {*slice})) launchers[row] = *launcher;
    };
    parallelFor((kernels->size() + kKernelsAtOnce - 1) / kKernelsAtOnce, [&](std::size_t part) {
        const std::size_t last = std::min(kernels->size(), (part + 1) * kKernelsAtOnce);
        for (std::size_t row = part * kKernelsAtOnce; row < last; ++row) find(row);
    });
    return tables.with(K, fixedColumn(K, "slice_id"), found).with(K, fixedColumn(K, "operator_slice_id"), launchers);
}

}  // namespace altiscope::reader
