#include "views/operators/operator_gaps.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/rank_texts.h"
#include "views/operators/operator_tables.h"

#include <QCoreApplication>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct OperatorGaps {
    Q_DECLARE_TR_FUNCTIONS(altiscope::OperatorGaps)
};

QString reasonOf(const RankInfo& rank) {
    if (const auto known = whyMissing(rank, "kernels")) return *known;
    if (rank.source == SourceKind::Cluster)
        return OperatorGaps::tr(
            "The results of a cluster analysis have no individual kernels: open the folders of the ranks.");
    return OperatorGaps::tr("Neither kernel_details nor op_summary is among the files, nor COMPUTE_TASK_INFO in a "
                            "database; activities with NPU records them.");
}

/// Whether all kernels that are computed lack it.
bool lacks(const KernelIndex& index, std::uint32_t KernelSignature::*text) {
    const auto& all = index.signatures();
    return std::none_of(all.begin(), all.end(), [&](const KernelSignature& signature) {
        return !signature.isCollective && signature.*text != KernelSignature::kNoText &&
               !index.text(signature.*text).empty();
    });
}

void addMissingParts(const OperatorNumbers& shown, QStringList& gaps) {
    const KernelIndex& index = *shown.index;
    if (!hasTypes(index) || lacks(index, &KernelSignature::core)) {
        gaps << OperatorGaps::tr(
            "No types and cores of kernels: kernel_details has them from profiler_level Level1 on.");
        if (shown.groups->grouping != KernelGrouping::Name)
            gaps.back() += u' ' + OperatorGaps::tr("Names are known: group by operator.");
    } else if (lacks(index, &KernelSignature::shapes)) {
        gaps << OperatorGaps::tr("No shapes of kernels: record_shapes records them, and profiler_level Level1.");
    }
    bool hasMetrics = false;
    for (std::size_t part = 0; part < index.selected().size(); ++part)
        hasMetrics = hasMetrics || !index.table(part).extras().empty();
    if (!hasMetrics)
        gaps << OperatorGaps::tr("No AI Core metrics of kernels: aic_metrics (PipeUtilization) with profiler_level "
                                 "Level1 or Level2 records them.");
}

void addUnequal(const KernelIndex& index, const UnequalCounts& unequal, QStringList& gaps) {
    if (unequal.keys == 0) return;
    const auto title = [&](std::uint32_t part) { return partTitle(index, part); };
    gaps << OperatorGaps::tr("Kernel counts differ between ranks in %n group(s): from %1 on %2 to %3 on %4.", nullptr,
                             static_cast<int>(unequal.keys))
                .arg(formatCount(unequal.min), title(unequal.minPart), formatCount(unequal.max),
                     title(unequal.maxPart));
}

}  // namespace

bool hasTypes(const KernelIndex& index) { return !lacks(index, &KernelSignature::type); }

bool hasKernels(const RankEntry& rank) { return rank.rows != nullptr && rank.rows->find(RowKind::Kernel) != nullptr; }

std::vector<RankIndex> ranksWithKernels(const CaptureStore& capture, const ContextFilter& context) {
    std::vector<RankIndex> ranks;
    for (RankIndex i; i.value < capture.ranks.size(); ++i.value) {
        if (context.holds(capture.ranks[i.value].info) && hasKernels(capture.ranks[i.value])) ranks.push_back(i);
    }
    return ranks;
}

bool hasHostCalls(const CaptureStore& capture, const ContextFilter& context) {
    return std::any_of(capture.ranks.begin(), capture.ranks.end(), [&](const RankEntry& rank) {
        if (!context.holds(rank.info) || rank.trace == nullptr) return false;
        for (std::uint32_t track = 0; track < rank.trace->tracks().size(); ++track) {
            const TrackKind kind = rank.trace->track({track}).kind;
            const bool isHost = kind == TrackKind::Python || kind == TrackKind::Stack || kind == TrackKind::Cann;
            if (isHost && rank.trace->extent({track}).sliceCount > 0) return true;
        }
        return false;
    });
}

QStringList operatorGaps(const CaptureStore& capture, const ContextFilter& context, const OperatorNumbers* shown) {
    QStringList gaps, reasons;
    std::vector<const RankInfo*> all, without;
    for (const RankEntry& rank : capture.ranks) {
        all.push_back(&rank.info);
        if (!context.holds(rank.info) || hasKernels(rank)) continue;
        without.push_back(&rank.info);
        reasons << reasonOf(rank.info);
    }
    reasons.removeDuplicates();
    if (!without.empty())
        gaps << OperatorGaps::tr("No kernels: %1.").arg(rankNames(without, all)) + u' ' + reasons.join(u' ');
    if (shown == nullptr || shown->index->selected().empty()) return gaps;
    // Who chose ranks knows of the others.
    if (context.ranks.empty() && !shown->scope.rank && !shown->absent.ranks.empty())
        gaps.prepend(absentText(shown->absent) + u' ' + OperatorGaps::tr("Sums are those of the others."));
    if (!isOfCollectives(shown->groups->grouping)) addMissingParts(*shown, gaps);
    if (shown->unequal) addUnequal(*shown->index, *shown->unequal, gaps);
    return gaps;
}

}  // namespace altiscope
