#include "views/memory/data/rank_memory.h"

#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/rank_texts.h"
#include "views/memory/data/memory_lines.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct MemoryGaps {
    Q_DECLARE_TR_FUNCTIONS(altiscope::MemoryGaps)
};

constexpr qsizetype kMaxNamed = 8;

bool hasRows(const RankEntry& rank, RowKind kind) { return rank.rows != nullptr && rank.rows->find(kind) != nullptr; }

QString reasonOf(const RankInfo& rank) {
    if (const auto known = whyMissing(rank, "memory")) return *known;
    if (rank.source == SourceKind::Cluster)
        return MemoryGaps::tr("The results of a cluster analysis have no memory data: open the folders of the ranks.");
    return MemoryGaps::tr(
        "Neither memory_record nor operator_memory is among the files, which profile_memory would have recorded.");
}

QString named(const QStringList& names) {
    const QString list = QStringList(names.first(std::min(kMaxNamed, names.size())))
                             .join(MemoryGaps::tr(", ", "between parts of a list"));
    return names.size() > kMaxNamed ? MemoryGaps::tr("%1 and %2 more").arg(list).arg(names.size() - kMaxNamed) : list;
}

/// Why the samples cannot be taken for a curve in the timeline's time.
QStringList doubtsOfTimes(const RankMemory& shown) {
    QStringList gaps;
    if (shown.isOfAnotherRecording)
        gaps << MemoryGaps::tr("The memory is from a different recording than the timeline: its times count from its "
                               "own start, and the two are not linked.");
    if (shown.reach.strayTimes > 0)
        gaps << MemoryGaps::tr(
            "%n time(s) cannot be of the same clock as the others, or were never set: the plot opens "
            "without them.",
            nullptr, pluralCount(shown.reach.strayTimes));
    QStringList single;
    for (const auto& series : shown.set.series) {
        if (series->size() == 1) single << seriesTitle(*series);
    }
    if (!single.isEmpty())
        gaps << MemoryGaps::tr("One sample only: %1. It shows a level, not a trend.").arg(named(single));
    const TimeNs first = shown.samples == 0 ? TimeNs{} : shown.set.series.front()->time(0);
    const auto stands = [first](const auto& series) {
        return series->time(0) == first && series->time(series->size() - 1) == first;
    };
    if (shown.samples > 1 && std::all_of(shown.set.series.begin(), shown.set.series.end(), stands))
        gaps << MemoryGaps::tr("All samples have the same time: their stamps are damaged, perhaps by a spreadsheet. "
                               "Levels can be trusted, times cannot.");
    return gaps;
}

/// Which of the files that hold memory the rank does not have, and what is not shown of the others.
QStringList missingTables(const RankMemory& shown) {
    QStringList gaps;
    if (shown.samples == 0)
        gaps << MemoryGaps::tr("No samples over time: memory_record (MEMORY_RECORD) is missing. profile_memory records "
                               "it beside operator_memory.");
    if (shown.allocations == 0)
        gaps << MemoryGaps::tr("No individual allocations: operator_memory (OP_MEMORY) is missing. profile_memory "
                               "records it beside memory_record.");
    if (!hasRows(shown.entry(), RowKind::ModuleMemory))
        gaps << MemoryGaps::tr("No module memory: npu_module_mem (NPU_MODULE_MEM) is missing. profile_memory records "
                               "it with the activity NPU, from profiler_level Level0 on.");
    const auto hasActive = [](const auto& series) { return series->has(MemoryQuantity::Active); };
    if (shown.samples > 0 && std::none_of(shown.set.series.begin(), shown.set.series.end(), hasActive))
        gaps << MemoryGaps::tr("No active memory: this version of the profiler does not record it.");
    if (shown.set.excluded > 0)
        gaps << MemoryGaps::tr("%n further curve(s) with fewer samples are not shown.", nullptr,
                               static_cast<int>(shown.set.excluded));
    return gaps;
}

}  // namespace

bool hasMemory(const RankEntry& rank) {
    constexpr RowKind kKinds[] = {RowKind::MemorySample, RowKind::Allocation, RowKind::ModuleMemory,
                                  RowKind::StaticMemory};
    return std::any_of(std::begin(kKinds), std::end(kKinds), [&](RowKind kind) { return hasRows(rank, kind); });
}

std::vector<RankIndex> ranksWithMemory(const CaptureStore& capture, const ContextFilter& context) {
    std::vector<RankIndex> ranks;
    for (RankIndex i; i.value < capture.ranks.size(); ++i.value) {
        if (context.holds(capture.ranks[i.value].info) && hasMemory(capture.ranks[i.value])) ranks.push_back(i);
    }
    return ranks;
}

std::shared_ptr<const RankMemory> rankMemory(std::shared_ptr<const CaptureStore> capture, RankIndex rank, bool byStream,
                                             const ContextFilter& context, const CancelToken& cancel) {
    auto memory = std::make_shared<RankMemory>();
    memory->capture = std::move(capture);
    memory->rank = rank;
    memory->byStream = byStream;
    memory->absent = absentRanks(*memory->capture);
    const RankEntry& entry = memory->entry();
    if (entry.rows == nullptr) return memory;
    auto set = memorySeries(entry.rows, byStream, cancel);
    if (!set) return nullptr;
    memory->set = std::move(*set);
    memory->times = timesOf(context.onClockOf(rank), entry);
    memory->peaks = componentPeaks(memory->set, memory->times);
    for (ComponentPeak& peak : modulePeaks(*entry.rows, memory->times, cancel))
        memory->peaks.push_back(std::move(peak));
    if (cancel.cancelled()) return nullptr;
    memory->graphs = staticGraphs(*entry.rows);
    memory->leading = leadingSeries(memory->set);
    if (memory->leading != nullptr) memory->peak = leadingPeak(*memory->leading, memory->times);
    for (const auto& series : memory->set.series) memory->samples += series->size();
    if (const RowTable* table = entry.rows->find(RowKind::Allocation)) memory->allocations = table->size();
    memory->reach = memoryReach(*entry.rows, memory->set);
    memory->isOfAnotherRecording = isMemoryOfAnotherRecording(entry);
    return memory;
}

namespace {

/// The ranks of the context that have no memory, and why.
QStringList ranksWithoutMemory(const CaptureStore& capture, const ContextFilter& context) {
    QStringList reasons;
    std::vector<const RankInfo*> all, without;
    for (const RankEntry& rank : capture.ranks) {
        all.push_back(&rank.info);
        if (!context.holds(rank.info) || hasMemory(rank)) continue;
        without.push_back(&rank.info);
        reasons << reasonOf(rank.info);
    }
    if (without.empty()) return {};
    reasons.removeDuplicates();
    return {MemoryGaps::tr("No memory data: %1.").arg(rankNames(without, all)) + u' ' + reasons.join(u' ')};
}

}  // namespace

QStringList memoryGaps(const CaptureStore& capture, const ContextFilter& context, const RankMemory* shown) {
    QStringList gaps = ranksWithoutMemory(capture, context);
    if (shown == nullptr) return gaps;
    // Who chose ranks knows of the others.
    if (context.ranks.empty() && !shown->absent.ranks.empty()) gaps.prepend(absentText(shown->absent));
    return gaps + doubtsOfTimes(*shown) + missingTables(*shown);
}

}  // namespace altiscope
