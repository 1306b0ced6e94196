#include "core/tables/overview/operator_durations.h"

#include "core/base/threads/parallel.h"

namespace altiscope {

namespace {

constexpr std::size_t kRowsPerPoll = 4096;

/// Kernels of a type and, if it is not empty, of a core.
struct WantedKernels {
    std::string_view type, core;
};

void addDurations(const RowTables& rows, const ContextFilter& context, const WantedKernels& group,
                  const CancelToken& cancel, std::vector<std::int64_t>& durations) {
    constexpr RowKind kKind = RowKind::Kernel;
    const RowTable* table = rows.find(kKind);
    if (table == nullptr) return;
    const auto wantedType = rows.texts().find(group.type), wantedCore = rows.texts().find(group.core);
    const bool ofAnyCore = group.core.empty();
    if (!wantedType || (!ofAnyCore && !wantedCore)) return;
    const std::size_t typeColumn = fixedColumn(kKind, "type"), coreColumn = fixedColumn(kKind, "accelerator_core"),
                      stepColumn = fixedColumn(kKind, "step"), beginColumn = fixedColumn(kKind, "ts"),
                      lengthColumn = fixedColumn(kKind, "dur");
    for (std::size_t row = 0; row < table->size(); ++row) {
        if (row % kRowsPerPoll == 0 && cancel.cancelled()) return;
        if (table->text(typeColumn, row) != wantedType || (!ofAnyCore && table->text(coreColumn, row) != wantedCore))
            continue;
        if (!context.holdsStep(table->integer(stepColumn, row))) continue;
        const auto duration = table->integer(lengthColumn, row);
        if (!duration) continue;
        const auto begin = table->integer(beginColumn, row);
        if (context.range && (!begin || !context.holdsTime(TimeRange{TimeNs{*begin}, TimeNs{*begin + *duration}})))
            continue;
        durations.push_back(*duration);
    }
}

}  // namespace

std::optional<std::vector<std::int64_t>> operatorDurations(const CaptureStore& capture, const ContextFilter& context,
                                                           std::string_view type, std::string_view core,
                                                           const CancelToken& cancel) {
    std::vector<std::vector<std::int64_t>> parts(capture.ranks.size());
    parallelFor(parts.size(), [&](std::size_t i) {
        const RankEntry& rank = capture.ranks[i];
        if (rank.rows != nullptr && context.holds(rank.info))
            addDurations(*rank.rows, context.onClockOf(rankIndex(i)), {type, core}, cancel, parts[i]);
    });
    if (cancel.cancelled()) return std::nullopt;
    std::vector<std::int64_t> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace altiscope
