#include "views/common/tables/dispatch_rows.h"

#include "core/base/threads/parallel.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace altiscope {

namespace {

struct DispatchTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::DispatchRows)
};

std::string_view pathWord(DispatchPath path) {
    switch (path) {
    case DispatchPath::Unknown: break;
    case DispatchPath::AclNn: return "ACLNN";
    case DispatchPath::AclOp: return "ACLOP";
    }
    return {};
}

std::string_view statusWord(DispatchStatus status) {
    switch (status) {
    case DispatchStatus::Complete: return "complete";
    case DispatchStatus::Fallback: return "fallback";
    case DispatchStatus::Incomplete: break;
    }
    return "incomplete";
}

QString statusText(const QString& word) {
    if (word == QLatin1String("complete")) return DispatchTexts::tr("complete");
    if (word == QLatin1String("fallback")) return DispatchTexts::tr("without launch");
    return DispatchTexts::tr("incomplete");
}

bool liesInPart(const std::optional<std::vector<TimeRange>>& times, TimeRange range) {
    if (!times) return true;
    const auto after = std::upper_bound(times->begin(), times->end(), range.begin,
                                        [](TimeNs time, const TimeRange& at) { return time < at.end; });
    return after != times->end() && after->begin < range.end;
}

std::vector<TableColumn> columnsOf(TimeNs origin) {
    std::vector<TableColumn> columns{
        {.name = "rank_id", .type = CellType::Integer},
        {.name = "name", .type = CellType::Text},
        {.name = "path", .type = CellType::Text},
        {.name = "status", .type = CellType::Text},
        {.name = "ts", .type = CellType::Integer, .unit = CellUnit::Time, .origin = origin.value}};
    for (const char* name : {"end_to_end", "prepare", "python_api", "enqueue", "queue", "pipeline2", "launch"})
        columns.push_back({.name = name, .type = CellType::Integer, .unit = CellUnit::Duration});
    for (const char* name : {"launches", "kernels"})
        columns.push_back({.name = name, .type = CellType::Integer, .unit = CellUnit::Count});
    for (const char* name : {"python", "call", "kernel", "thread"})
        columns.push_back({.name = name, .type = CellType::Text});
    return columns;
}

/// By rank: which slices are those kernels. Empty if all are wanted.
std::map<RankIndex, std::vector<bool>> wantedSlices(const DispatchQuery& query, const CancelToken& cancel) {
    std::map<RankIndex, std::vector<bool>> wanted;
    const auto& ranks = query.store->ranks;
    if (const auto& kernel = query.kernels.kernel) {
        auto& slices = wanted[kernel->rank];
        slices.resize(ranks[kernel->rank.value].trace->sliceCount());
        slices[kernel->slice.value] = true;
    } else if (query.kernels.groups != nullptr) {
        for (const FilteredKernels& selected : kernelsOf(*query.kernels.groups, query.kernels.group, cancel)) {
            if (ranks[selected.rank.value].trace != nullptr)
                wanted[selected.rank] = slicesOfKernels(ranks[selected.rank.value], selected.rows);
        }
    }
    return wanted;
}

void addDispatch(ColumnTableBuilder& builder, const RankEntry& rank, const Dispatch& dispatch) {
    const TraceStore& trace = *rank.trace;
    std::size_t column = 0;
    const auto setName = [&](SliceIndex slice) {
        if (slice != kNoSlice) builder.setText(column, trace.name(slice));
        ++column;
    };
    builder.addRow();
    builder.setRank(column++, rank.info);
    setName(dispatch.op != kNoSlice ? dispatch.op : dispatch.enqueue);
    if (dispatch.path != DispatchPath::Unknown) builder.setText(column, pathWord(dispatch.path));
    builder.setText(++column, statusWord(dispatch.status));
    builder.setInteger(++column, dispatch.range.begin.value);
    for (const std::optional<std::int64_t> time :
         {dispatch.endToEnd, dispatch.prepare, dispatch.pythonApi, std::optional(dispatch.enqueuing), dispatch.queue,
          dispatch.pipeline2, dispatch.launching})
        builder.setInteger(++column, time);
    builder.setInteger(++column, dispatch.launches);
    builder.setInteger(++column, dispatch.kernels);
    ++column;
    for (const SliceIndex slice : {dispatch.python, dispatch.call, dispatch.kernel}) setName(slice);
    builder.setText(column, trace.track({trace.runOf(dispatch.enqueue).track}).name);
}

}  // namespace

bool DispatchedKernels::operator==(const DispatchedKernels& other) const {
    if (kernel != other.kernel || (groups == nullptr) != (other.groups == nullptr)) return false;
    return groups == nullptr || (groups->index == other.groups->index && groups->grouping == other.groups->grouping &&
                                 groups->split == other.groups->split && group == other.group);
}

DispatchQuery dispatchQuery(const Scope& scope) {
    if (scope.store == nullptr) return {};
    DispatchQuery query{.capture = scope.capture,
                        .store = scope.store,
                        .ranks = rankWindows(scope),
                        .kernels = {},
                        .origin = scope.origin.value_or(TimeNs{})};
    std::erase_if(query.ranks, [&](const RankWindow& selected) {
        const auto& trace = query.store->ranks[selected.rank.value].trace;
        return trace == nullptr || trace->provisional();
    });
    return query;
}

DispatchRows dispatchRows(const DispatchQuery& query, const CancelToken& cancel) {
    DispatchRows rows;
    const auto wanted = wantedSlices(query, cancel);
    std::vector<std::vector<Dispatch>> found(query.ranks.size());
    parallelFor(found.size(), [&](std::size_t i) {
        const RankIndex rank = query.ranks[i].rank;
        const auto only = wanted.find(rank);
        if (query.kernels.isAll() || only != wanted.end())
            found[i] = dispatchChains(*query.store->ranks[rank.value].trace, cancel,
                                      query.kernels.isAll() ? nullptr : &only->second);
    });
    ColumnTableBuilder builder(columnsOf(query.origin));
    for (std::size_t i = 0; i < found.size(); ++i) {
        const RankEntry& rank = query.store->ranks[query.ranks[i].rank.value];
        rows.hasQueue = rows.hasQueue || !found[i].empty() || hasDispatch(*rank.trace, cancel);
        for (const Dispatch& dispatch : found[i]) {
            if (!liesInPart(query.ranks[i].times, dispatch.range)) continue;
            addDispatch(builder, rank, dispatch);
            rows.rows.push_back({query.ranks[i].rank, dispatch});
            rows.complete += dispatch.status == DispatchStatus::Complete ? 1 : 0;
            rows.fallback += dispatch.status == DispatchStatus::Fallback ? 1 : 0;
        }
        if (cancel.cancelled()) return {};
    }
    rows.table = builder.finish();
    return rows;
}

std::vector<ColumnHeading> dispatchHeadings() {
    return {
        {DispatchTexts::tr("Rank"), {}},
        {DispatchTexts::tr("Operator"), DispatchTexts::tr("The outermost operator of a library around the enqueuing.")},
        {DispatchTexts::tr("Path"), DispatchTexts::tr("ACLNN: compiled before. ACLOP: compiled when it is called.")},
        {DispatchTexts::tr("Status"),
         DispatchTexts::tr("Without launch: the end of the dequeuing stands for that of the launch. Incomplete: "
                           "Python's call or the dequeuing was not recorded."),
         statusText},
        {DispatchTexts::tr("Start"), DispatchTexts::tr("On the trace's own clock, since the start of the run.")},
        {DispatchTexts::tr("End to end"),
         DispatchTexts::tr("End of the last launch, else of the dequeuing, - start of Python's call")},
        {DispatchTexts::tr("Prepare"), DispatchTexts::tr("Start of the enqueuing - start of Python's call")},
        {DispatchTexts::tr("Python API"),
         DispatchTexts::tr("Duration of Python's call: the built-in function, or where no stacks were recorded the "
                           "outermost operator of a library.")},
        {DispatchTexts::tr("Enqueue"), DispatchTexts::tr("Duration of the enqueuing")},
        {DispatchTexts::tr("Queue"), DispatchTexts::tr("Start of the dequeuing - end of the enqueuing")},
        {DispatchTexts::tr("Pipeline 2"),
         DispatchTexts::tr("End of the last launch, else of the dequeuing, - start of the dequeuing")},
        {DispatchTexts::tr("Launch"), DispatchTexts::tr("Sum of the durations of the launches")},
        {DispatchTexts::tr("Launches"), {}},
        {DispatchTexts::tr("Kernels"),
         DispatchTexts::tr("Tasks of the device that flows lead to from the calls within the dequeuing.")},
        {DispatchTexts::tr("Python"), {}},
        {DispatchTexts::tr("CANN call"), {}},
        {DispatchTexts::tr("First kernel"), {}},
        {DispatchTexts::tr("Thread"), DispatchTexts::tr("Of the enqueuing.")}};
}

}  // namespace altiscope
