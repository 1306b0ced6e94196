#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/facts/kernel_walk.h"
#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

namespace {

/// More are on no chip; a kernel of more blocks has its cores work in rounds.
constexpr std::int64_t kMaxCores = 64;

/// How many cores of a kind a device has: the largest number of blocks that kernels have again and again, as they are
/// cut for the chip. Nothing in the recording tells it. Where all kernels have few blocks it is too low, and none is
/// called idle.
class CoreCount {
public:
    void add(std::int64_t blocks) {
        ++m_kernels;
        if (blocks > 0 && blocks <= kMaxCores) ++m_byBlocks[static_cast<std::size_t>(blocks)];
    }
    /// 0: not known.
    std::int64_t cores() const {
        constexpr std::uint64_t kFewest = 3, kPart = 20;
        for (std::size_t blocks = m_byBlocks.size() - 1; blocks > 0; --blocks) {
            if (m_byBlocks[blocks] >= kFewest && m_byBlocks[blocks] * kPart >= m_kernels)
                return static_cast<std::int64_t>(blocks);
        }
        return 0;
    }

private:
    std::array<std::uint64_t, kMaxCores + 1> m_byBlocks{};
    std::uint64_t m_kernels = 0;
};

/// The columns that state what part of its time each pipe of a core was busy.
class PipeColumns {
public:
    explicit PipeColumns(const RowTable& table) {
        const std::size_t first = rowColumns(RowKind::Kernel).size();
        for (std::size_t i = 0; i < table.extras().size(); ++i) {
            std::string_view name = table.extras()[i];
            // Chips with split cores have each pipe twice.
            const bool ofCube = name.starts_with("aic_"), ofVector = name.starts_with("aiv_");
            if (ofCube || ofVector) name.remove_prefix(4);
            if (!name.ends_with("_ratio")) continue;
            name.remove_suffix(6);
            static constexpr std::array<std::string_view, 7> kPipes = {"mac",  "vec",     "mte1",  "mte2",
                                                                       "mte3", "fixpipe", "scalar"};
            const auto pipe = std::find(kPipes.begin(), kPipes.end(), name);
            if (pipe == kPipes.end()) continue;
            m_all.push_back(first + i);
            if (!ofVector && name == "mac") m_mac = first + i;
            if (!ofVector && name == "mte2") m_hasCubeInput = true;
            if (!ofCube && (name == "vec" || name == "mte2" || name == "mte3")) m_vector.push_back(first + i);
        }
    }
    /// Whether they describe all pipes that can keep a kernel of this kind busy: it depends on the metric that was
    /// recorded.
    bool cover(CoreClass cores) const {
        if (cores == CoreClass::Cube) return m_mac != 0 && m_hasCubeInput;
        return cores == CoreClass::Vector && m_vector.size() == 3;
    }
    /// Share of the busiest pipe; 0: not recorded of this kernel.
    double busiest(const RowTable& table, std::size_t row) const {
        double most = 0;
        for (const std::size_t column : m_all) most = std::max(most, table.real(column, row).value_or(0));
        return most;
    }
    double ofVector(const RowTable& table, std::size_t row) const {
        double sum = 0;
        for (const std::size_t column : m_vector) sum += table.real(column, row).value_or(0);
        return sum;
    }
    double ofCube(const RowTable& table, std::size_t row) const { return table.real(m_mac, row).value_or(0); }

private:
    std::vector<std::size_t> m_all, m_vector;
    std::size_t m_mac = 0;  // 0: there is none
    bool m_hasCubeInput = false;
};

}  // namespace

void readCoreFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts,
                   const CancelToken& cancel) {
    static constexpr auto kBlocks = fixedColumn(RowKind::Kernel, "block_num");
    const KernelWalk walk(rank, steps, facts.device);
    if (walk.table() == nullptr) return;
    const RowTable& table = *walk.table();
    const CoreClasses classes(walk.texts());
    CoreCount cube, vector;
    walk.forEach(cancel, [&](const KernelCells& kernel) {
        const CoreClass cores = classes.of(kernel.core);
        const auto blocks = cores == CoreClass::Other ? std::nullopt : table.integer(kBlocks, kernel.row);
        if (blocks) (cores == CoreClass::Cube ? cube : vector).add(*blocks);
    });
    facts.vectorCores = vector.cores();
    facts.cubeCores = cube.cores();
    // Chips with cores of both kinds have two for vectors beside each for matrices: kernels of more blocks take turns.
    if (facts.vectorCores > 1) facts.cubeCores = std::min(facts.cubeCores, facts.vectorCores / 2);
    const PipeColumns pipes(table);
    const auto add = [&](WhatIf whatIf, const KernelCells& kernel, double share) {
        const std::int64_t saved = saturatedRound(static_cast<double>(kernel.duration) * share);
        if (saved <= 0) return;
        CoreUse& use = whatIf == WhatIf::IdleCores        ? facts.idleCores
                       : whatIf == WhatIf::CubeEfficiency ? facts.idleCube
                                                          : facts.idleVector;
        walk.add(use.saved, kernel, saved);
        if (kernel.slice) facts.savings.push_back({whatIf, *kernel.slice, saved});
        addSaturated(use.time, kernel.duration);
        if (kernel.type) addSaturated(use.byType[std::string(walk.texts().text(*kernel.type))], saved);
    };
    walk.forEach(cancel, [&](const KernelCells& kernel) {
        if (kernel.duration < kLongKernelNs) return;
        const CoreClass cores = classes.of(kernel.core);
        if (cores == CoreClass::Other) return;
        const std::int64_t all = cores == CoreClass::Cube ? facts.cubeCores : facts.vectorCores,
                           blocks = table.integer(kBlocks, kernel.row).value_or(0);
        if (blocks > 0 && blocks <= all / 2) {
            add(WhatIf::IdleCores, kernel, 1 - static_cast<double>(blocks) / static_cast<double>(all));
            return;  // more blocks change what its pipes do
        }
        if (!pipes.cover(cores)) return;
        const double busiest = pipes.busiest(table, kernel.row);
        if (busiest <= 0) return;
        if (cores == CoreClass::Cube) {
            if (busiest < kBusyCube && pipes.ofCube(table, kernel.row) > 0)
                add(WhatIf::CubeEfficiency, kernel, 1 - busiest / kBusyCube);
        } else if (busiest < kBusyVector && pipes.ofVector(table, kernel.row) < kBusyVectorPipes) {
            add(WhatIf::VectorEfficiency, kernel, 1 - busiest / kBusyVector);
        }
    });
}

}  // namespace altiscope
