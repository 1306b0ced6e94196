#include "core/analysis/account/candidates.h"
#include "core/analysis/facts/core_frequency.h"
#include "core/base/threads/parallel.h"
#include "core/store/recording_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

namespace altiscope {

namespace {

/// An operator on the AI CPU takes this many times as long as on the cores: the median of what generated and published
/// pairs show.
constexpr std::int64_t kAiCpuFactor = 30;

/// Kernels of one type, shapes and core on one rank, without what a low frequency cost.
struct KernelsOfType {
    std::string key;  ///< Equal on all ranks.
    std::string type;
    bool isAiCpu = false;
    double total = 0;  ///< ns
    std::vector<std::uint32_t> nodes;
};

struct RankKernels {
    std::vector<KernelsOfType> classes;
    std::vector<double> lengths;  ///< By node: ns at the highest frequency; 0 for what is no kernel.
    CauseCandidate frequency;
};

class KernelReader {
public:
    KernelReader(const CandidateInput& input, std::size_t r, double best)
        : m_rank(input.capture.ranks[r]), m_trace(*m_rank.trace), m_graph(*input.graphs[r]),
          m_nodeOf(input.job.nodeOf[r]), m_index(rankIndex(r)), m_device(input.facts[r].device), m_best(best) {}

    RankKernels read() {
        readRows();
        RankKernels kernels;
        kernels.frequency.cause = Cause::Frequency;
        kernels.frequency.ranks = {m_index};
        kernels.lengths.resize(m_graph.nodes.size());
        const CoreFrequency frequency = coreFrequency(m_trace, m_device);
        const bool isKnown = frequency.isPlausible() && !frequency.samples.empty();
        for (std::uint32_t i = 0; i < m_graph.nodes.size(); ++i) {
            const GraphNode& node = m_graph.nodes[i];
            if (node.kind != NodeKind::Kernel) continue;
            KernelsOfType& own = classOf(node.slice, kernels);
            const auto length = static_cast<double>(node.end - node.start);
            const double loss = isKnown && !own.isAiCpu ? frequency.lossAt({node.start}, m_best) : 0;
            kernels.lengths[i] = length * (1 - loss);
            own.total += kernels.lengths[i];
            own.nodes.push_back(i);
            const auto ns = static_cast<std::int64_t>(length * loss);
            if (ns <= 0) continue;
            kernels.frequency.changes.push_back({m_nodeOf[i], false, -ns});
            keepSlice(kernels.frequency, m_trace, m_index, node.slice, ns);
        }
        return kernels;
    }

private:
    void readRows() {
        m_table = kernelsOfTimeline(m_rank);
        if (m_table == nullptr) return;
        static constexpr auto kSlice = fixedColumn(RowKind::Kernel, "slice_id");
        for (std::size_t row = 0; row < m_table->size(); ++row) {
            if (const auto slice = m_table->integer(kSlice, row))
                m_rows.emplace(static_cast<std::uint32_t>(*slice), row);
        }
    }

    KernelsOfType& classOf(SliceIndex slice, RankKernels& kernels) {
        static constexpr auto kType = fixedColumn(RowKind::Kernel, "type");
        static constexpr auto kShapes = fixedColumn(RowKind::Kernel, "input_shapes");
        static constexpr auto kCore = fixedColumn(RowKind::Kernel, "accelerator_core");
        static constexpr std::int64_t kNone = -1;
        std::tuple<std::int64_t, std::int64_t, std::int64_t> ids{kNone, kNone, m_trace.nameId(slice).value};
        const auto row = m_rows.find(slice.value);
        std::string type(m_trace.name(slice)), shapes, core;
        const auto id = [&](std::size_t column) -> std::int64_t {
            const auto text = m_table->text(column, row->second);
            return text ? text->value : kNone;
        };
        if (row != m_rows.end()) {
            const std::int64_t known = id(kType);
            ids = {id(kShapes), id(kCore), known == kNone ? std::get<2>(ids) : -2 - known};
        }
        const auto [at, isNew] = m_classes.try_emplace(ids, kernels.classes.size());
        if (isNew) {
            const auto text = [&](std::size_t column) {
                const std::int64_t value = id(column);
                return value == kNone ? std::string()
                                      : std::string(m_rank.rows->text({static_cast<std::uint32_t>(value)}));
            };
            if (row != m_rows.end()) {
                if (std::string stated = text(kType); !stated.empty()) type = std::move(stated);
                shapes = text(kShapes);
                core = text(kCore);
            }
            KernelsOfType made;
            made.key = type + '\n' + shapes + '\n' + core;
            made.type = type;
            made.isAiCpu = core == "AI_CPU";
            kernels.classes.push_back(std::move(made));
        }
        return kernels.classes[at->second];
    }

    const RankEntry& m_rank;
    const TraceStore& m_trace;
    const RankGraph& m_graph;
    const std::vector<std::uint32_t>& m_nodeOf;
    RankIndex m_index;
    std::optional<std::int64_t> m_device;
    double m_best;
    const RowTable* m_table = nullptr;
    std::unordered_map<std::uint32_t, std::size_t> m_rows;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::size_t> m_classes;
};

/// Ranks that do the same work.
using PeerGroup = std::tuple<std::int64_t, std::string, std::uint32_t>;

/// What kernels of a rank would win if each class took as long as on the peers in the median.
CauseCandidate slowKernels(const CandidateInput& input, std::size_t r, const RankKernels& own,
                           const std::map<std::string, std::vector<std::pair<std::size_t, double>>>& means) {
    CauseCandidate candidate;
    candidate.cause = Cause::Kernel;
    candidate.ranks = {rankIndex(r)};
    const RankGraph& graph = *input.graphs[r];
    std::map<std::string, double> byType;
    for (const KernelsOfType& kernels : own.classes) {
        const auto known = means.find(kernels.key);
        if (kernels.isAiCpu || known == means.end() || kernels.total <= 0) continue;
        std::vector<double> peers;
        for (const auto& [rank, mean] : known->second) {
            if (rank != r) peers.push_back(mean);
        }
        if (peers.empty()) continue;
        std::sort(peers.begin(), peers.end());
        const double median = peers.size() % 2 == 1 ? peers[peers.size() / 2]
                                                    : (peers[peers.size() / 2 - 1] + peers[peers.size() / 2]) / 2;
        const double ratio = median * static_cast<double>(kernels.nodes.size()) / kernels.total;
        if (ratio >= 1) continue;
        if (peers.size() == 1) candidate.isUncertain = true;
        for (const std::uint32_t i : kernels.nodes) {
            const auto ns = static_cast<std::int64_t>(own.lengths[i] * (1 - ratio));
            if (ns <= 0) continue;
            candidate.changes.push_back({input.job.nodeOf[r][i], false, -ns});
            byType[kernels.type] += static_cast<double>(ns);
            keepSlice(candidate, *input.capture.ranks[r].trace, rankIndex(r), graph.nodes[i].slice, ns);
        }
    }
    const auto most = std::max_element(byType.begin(), byType.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != byType.end()) candidate.name = most->first;
    return candidate;
}

CauseCandidate slowOperators(const CandidateInput& input, std::size_t r, const RankKernels& own) {
    CauseCandidate candidate;
    candidate.cause = Cause::Kernel;
    candidate.kind = CauseKind::AiCpu;
    candidate.ranks = {rankIndex(r)};
    std::map<std::string, double> byType;
    for (const KernelsOfType& kernels : own.classes) {
        if (!kernels.isAiCpu) continue;
        for (const std::uint32_t i : kernels.nodes) {
            const auto length = static_cast<std::int64_t>(own.lengths[i]);
            const std::int64_t ns = length - length / kAiCpuFactor;
            candidate.changes.push_back({input.job.nodeOf[r][i], false, -ns});
            byType[kernels.type] += static_cast<double>(ns);
            keepSlice(candidate, *input.capture.ranks[r].trace, rankIndex(r), input.graphs[r]->nodes[i].slice, ns);
        }
    }
    const auto most = std::max_element(byType.begin(), byType.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != byType.end()) candidate.name = most->first;
    // How much faster it would be elsewhere depends on the operator.
    candidate.isUncertain = true;
    return candidate;
}

}  // namespace

void addKernelCandidates(const CandidateInput& input, std::vector<CauseCandidate>& found, const CancelToken& cancel) {
    const std::size_t count = input.graphs.size();
    double best = 0;
    for (std::size_t r = 0; r < count; ++r) {
        if (!input.graphs[r]) continue;
        const CoreFrequency frequency = coreFrequency(*input.capture.ranks[r].trace, input.facts[r].device);
        if (frequency.isPlausible()) best = std::max(best, frequency.highest);
    }
    std::vector<RankKernels> kernels(count);
    parallelFor(count, [&](std::size_t r) {
        if (input.graphs[r] && !cancel.cancelled()) kernels[r] = KernelReader(input, r, best).read();
    });
    // Means by group of peers and class, in the order of ranks.
    std::map<PeerGroup, std::map<std::string, std::vector<std::pair<std::size_t, double>>>> means;
    const auto peersOf = [&](std::size_t r) {
        return PeerGroup{input.facts[r].stage, input.facts[r].role, input.facts[r].recording};
    };
    std::size_t ranks = 0;
    for (std::size_t r = 0; r < count; ++r) {
        if (!input.graphs[r]) continue;
        ++ranks;
        for (const KernelsOfType& own : kernels[r].classes)
            means[peersOf(r)][own.key].emplace_back(r, own.total / static_cast<double>(own.nodes.size()));
    }
    std::size_t first = found.size();
    for (std::size_t r = 0; r < count; ++r) {
        if (kernels[r].frequency.total() > 0) found.push_back(std::move(kernels[r].frequency));
    }
    joinCommon(found, first, ranks);
    first = found.size();
    for (std::size_t r = 0; r < count; ++r) {
        if (!input.graphs[r]) continue;
        CauseCandidate slow = slowOperators(input, r, kernels[r]);
        if (slow.total() > 0) found.push_back(std::move(slow));
    }
    joinCommon(found, first, ranks);
    for (std::size_t r = 0; r < count; ++r) {
        if (!input.graphs[r]) continue;
        CauseCandidate slow = slowKernels(input, r, kernels[r], means[peersOf(r)]);
        if (slow.total() > 0) found.push_back(std::move(slow));
    }
}

}  // namespace altiscope
