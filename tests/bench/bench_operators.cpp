// How fast the operators page is on N kernels of R ranks: what opening it waits for, each change of the grouping,
// percentiles, the kernels of a group, and how the first groups spread. Usage: bench_operators [KERNELS [RANKS]]
// prints one JSON object; times in ms.
#include "core/analysis/kernels/kernel_groups.h"
#include "core/base/threads/parallel.h"
#include "core/store/rows/row_builder.h"
#include "core/tables/rows/kernel_rows.h"
#include "views/operators/duration_boxes.h"
#include "views/operators/operator_numbers.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

using Clock = std::chrono::steady_clock;

double msSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

constexpr std::int64_t kFirst = 1'715'689'196'000'000'000;
constexpr std::size_t kNames = 800, kShapes = 6, kCollectives = 64, kSteps = 40;

/// Names of a large model, each in some shapes, in the same order in each step; one of 25 is a collective; times
/// log-normal.
std::shared_ptr<const RowTables> makeRank(std::size_t kernels, unsigned seed) {
    RowTablesBuilder builder;
    constexpr RowKind kKind = RowKind::Kernel;
    const std::size_t kKindColumn = fixedColumn(kKind, "kind"), kName = fixedColumn(kKind, "name"),
                      kType = fixedColumn(kKind, "type"), kCore = fixedColumn(kKind, "accelerator_core"),
                      kShape = fixedColumn(kKind, "input_shapes"), kStep = fixedColumn(kKind, "step"),
                      kBegin = fixedColumn(kKind, "ts"), kLength = fixedColumn(kKind, "dur"),
                      kWait = fixedColumn(kKind, "wait"), kStream = fixedColumn(kKind, "stream");
    std::mt19937_64 random(seed);
    std::normal_distribution<double> spread(9.5, 1.2);
    static constexpr const char* kCores[] = {"AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV"};
    std::vector<std::string> names, shapes;
    for (std::size_t i = 0; i < kNames; ++i)
        names.push_back("aclnnOperator" + std::to_string(i) + "_OperatorAiCore_Operator" + std::to_string(i));
    for (std::size_t i = 0; i < kNames * kShapes; ++i)
        shapes.push_back("\"4096," + std::to_string(i) + ";4096," + std::to_string(i * 7 % 5000) + "\"");
    constexpr std::size_t kBatch = 100'000;
    std::int64_t time = kFirst;
    for (std::size_t first = 0; first < kernels; first += kBatch) {
        RowBatch batch = builder.batch(kKind);
        for (std::size_t i = first; i < std::min(kernels, first + kBatch); ++i) {
            batch.addRow();
            const auto length = static_cast<std::int64_t>(std::exp(spread(random)));
            const std::size_t name = i % kNames;
            if (i % 25 == 0) {
                batch.setText(kKindColumn, "communication");
                batch.setText(kName, "hcom_allReduce__586_" + std::to_string(i / 25 % kCollectives) + "_1");
                batch.setText(kType, "hcom_allReduce_");
                batch.setText(kCore, "HCCL");
            } else {
                batch.setText(kKindColumn, "compute");
                batch.setText(kName, names[name]);
                batch.setText(kType, "Operator" + std::to_string(name / 8));
                batch.setText(kCore, kCores[name / 8 % 4]);
                batch.setText(kShape, shapes[name * kShapes + random() % kShapes]);
            }
            batch.setInteger(kStep, static_cast<std::int64_t>(i * kSteps / kernels));
            batch.setInteger(kBegin, time);
            batch.setInteger(kLength, length);
            batch.setInteger(kWait, static_cast<std::int64_t>(random() % 4000));
            batch.setInteger(kStream, static_cast<std::int64_t>(random() % 4));
            time += length + 2000;
        }
        builder.commit(batch);
    }
    return builder.seal({}).value();
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t kernels = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    const std::size_t ranks = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 8;
    if (kernels == 0 || ranks == 0) return 2;
    auto capture = std::make_shared<CaptureStore>();
    WorkerArena arena;
    arena.run([&] {
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            RankEntry& entry = capture->ranks.emplace_back();
            entry.info.rankId = static_cast<std::int64_t>(rank);
            entry.rows = makeRank(kernels / ranks, static_cast<unsigned>(rank));
        }
    });
    const Scope scope{
        .capture = {1}, .store = capture, .context = {}, .marked = {}, .rank = {}, .origin = TimeNs{kFirst}};
    constexpr int kRounds = 5;
    std::printf("{\"kernels\": %zu, \"ranks\": %zu", kernels, ranks);
    arena.run([&] {
        std::vector<double> first, whole, all, one;
        std::shared_ptr<const OperatorNumbers> numbers;
        for (int i = 0; i < kRounds; ++i) {
            const auto start = Clock::now();
            numbers = operatorNumbers({scope}, nullptr, [&](const auto&) { first.push_back(msSince(start)); }, {});
            whole.push_back(msSince(start));
        }
        // Half of the ranks as the base of all: what is waited for when it is set.
        Scope half = scope;
        for (std::size_t rank = 0; rank < (ranks + 1) / 2; ++rank)
            half.context.ranks.push_back(static_cast<std::int64_t>(rank));
        std::vector<double> beside;
        for (int i = 0; i < kRounds; ++i) {
            const auto start = Clock::now();
            double sums = 0;
            operatorNumbers({scope, {}, half}, numbers,
                            [&](const auto& part) { sums = part->base == nullptr ? 0 : msSince(start); }, {});
            beside.push_back(sums);
        }
        std::printf(", \"base sums\": %.0f", median(beside));
        std::printf(", \"first sums\": %.0f, \"first percentiles\": %.0f", median(first), median(whole));
        for (const KernelGrouping grouping : {KernelGrouping::Name, KernelGrouping::Type, KernelGrouping::NameAndShape,
                                              KernelGrouping::Core, KernelGrouping::CollectiveName}) {
            for (const KernelSplit split : {KernelSplit::None, KernelSplit::Step, KernelSplit::Rank}) {
                std::vector<double> sums, percentiles;
                for (int i = 0; i < kRounds; ++i) {
                    auto start = Clock::now();
                    const auto groups = groupKernels(numbers->index, grouping, split, {});
                    sums.push_back(msSince(start));
                    start = Clock::now();
                    if (!withPercentiles(*groups, {})) std::abort();
                    percentiles.push_back(msSince(start));
                }
                std::printf(", \"grouping %d.%d\": {\"sums\": %.0f, \"percentiles\": %.0f}", static_cast<int>(grouping),
                            static_cast<int>(split), median(sums), median(percentiles));
            }
        }
        for (int i = 0; i < kRounds; ++i) {
            auto start = Clock::now();
            const auto rows = KernelRows::make(capture, numbers->index->selected(), scope.origin, {});
            all.push_back(msSince(start));
            start = Clock::now();
            if (rows->only(kernelsOf(*numbers->groups, 0, {}))->rowCount() == 0) std::abort();
            one.push_back(msSince(start));
        }
        std::vector<double> boxes;
        for (int i = 0; i < kRounds; ++i) {
            const auto start = Clock::now();
            if (durationBoxes(*numbers->groups, {}, 0, {}).boxes.empty()) std::abort();
            boxes.push_back(msSince(start));
        }
        std::printf(", \"boxes\": %.0f", median(boxes));
        std::printf(", \"rows of all\": %.0f, \"rows of a group\": %.0f}\n", median(all), median(one));
    });
    return 0;
}
