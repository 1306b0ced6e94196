// How fast the page Compare shows another kind of differences, with as many as a comparison keeps: those of 64 ranks are
// no more. Usage: bench_compare prints one JSON object; medians of five in ms.
#include "core/compare/comparison.h"
#include "views/compare/difference_table.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

using Clock = std::chrono::steady_clock;

std::shared_ptr<const Comparison> largest() {
    auto comparison = std::make_shared<Comparison>();
    for (std::size_t i = 0; i < kDimensions; ++i) {
        for (std::size_t k = 0; k < Comparison::kMaxOfDimension; ++k) {
            Difference difference;
            difference.dimension = static_cast<Dimension>(i);
            difference.key = "aclnnOperator" + std::to_string(k) + "_OperatorAiCore | Operator" +
                             std::to_string(k / 8) + " | \"4096," + std::to_string(k) + ";4096,5120\"";
            difference.rankId = static_cast<std::int64_t>(k % 64);
            const auto size = static_cast<std::int64_t>(1'000'000 - k);
            difference.change = {size, 2 * size, size, size / 2, 2 * size, k % 10 == 0};
            comparison->differences.push_back(std::move(difference));
        }
    }
    return comparison;
}

double msOf(const std::shared_ptr<const Comparison>& comparison, DifferenceGroup group) {
    std::vector<double> times;
    for (int run = 0; run < 5; ++run) {
        const auto start = Clock::now();
        const auto table = differenceTable(comparison, group, false);
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

}  // namespace

int main() {
    const auto comparison = largest();
    std::printf("{\"differences\":%zu,\"all_times_ms\":%.1f,\"kernels_ms\":%.1f}\n", comparison->differences.size(),
                msOf(comparison, std::nullopt), msOf(comparison, Dimension::Kernel));
    return 0;
}
