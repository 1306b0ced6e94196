#include "core/query/lookup/timed_plan.h"

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

// Costs in units of handing one row to SQLite (about 0.1 us), as measured on ten million slices.
constexpr double kSkippedRow = 0.02;  // compared inside the table
constexpr double kMergeStep = 0.1;    // times log2(stretches)
constexpr double kSortStep = 0.1;     // of SQLite's sorter, times log2(rows)
constexpr double kNamedRow = 0.2;     // reached by name, so not in the order of memory
constexpr double kNameIndex = 0.1;    // making the lookup by name, for each row of the table
constexpr double kSourceByte = 0.01;  // searched, on one core
constexpr double kSourceRow = 30;     // read back from the source
constexpr double kLookup = 10;
/// Length that SQLite assumes for an IN list that it does not know yet.
constexpr double kListLength = 25;

/// Share of rows that is left by the conditions, by column.
struct Selectivity {
    double rank = 1, track = 1, time = 1, name = 1;
};

double timeShare(const IndexRequest& request, const TimedColumns& columns, TimeRange range) {
    IntegerSet known;
    double share = 1;
    for (const AcceptedCondition& condition : request.accepted()) {
        if (condition.column != columns.ts) continue;
        if (condition.constant) known.keepRange(condition.matching.low(), condition.matching.high());
        else share *= condition.op == ConditionOp::Equal ? 1e-6 : 0.25;
    }
    const auto length = static_cast<double>(std::max<std::int64_t>(range.length().value, 1));
    const std::int64_t low = std::max(known.low(), range.begin.value);
    const std::int64_t high = std::min(known.high(), range.end.value);
    if (low > high) return 0;
    return share * std::min(1.0, (static_cast<double>(high - low) + 1) / length);
}

Selectivity selectivity(const IndexRequest& request, const TimedColumns& columns, const TimedStatistics& statistics) {
    Selectivity result;
    result.time = timeShare(request, columns, statistics.range);
    for (const AcceptedCondition& c : request.accepted()) {
        const double length = c.op == ConditionOp::In ? kListLength : 1;
        if (c.column == columns.rank) result.rank *= std::min(1.0, length / std::max(statistics.ranks, 1.0));
        if (c.column == columns.track) {
            const IntegerSet& set = c.matching;
            const bool one = c.constant && set.low() == set.high();
            result.track *= one && statistics.rowsOfTrack
                                ? statistics.rowsOfTrack(set.low()) / std::max(statistics.rows, 1.0)
                                : std::min(1.0, length / std::max(statistics.tracks, 1.0));
        }
        if (c.column == columns.name) {
            const bool pattern = c.op == ConditionOp::Like || c.op == ConditionOp::Glob || c.op == ConditionOp::Regexp;
            result.name *= c.constant && statistics.rowsOfNames
                               ? statistics.rowsOfNames(c.text) / std::max(statistics.rows, 1.0)
                           : pattern ? 0.1
                                     : std::min(1.0, length * 1e-3);
        }
    }
    return result;
}

/// Reads the order term by term. Directions count for a GROUP BY too: SQLite may let it serve an ORDER BY as well.
class OrderReader {
public:
    explicit OrderReader(const IndexRequest& request) : m_terms(request.order()) {}
    bool atEnd() const { return m_next == m_terms.size(); }
    bool ascending(int column) {
        if (atEnd() || m_terms[m_next].column != column || m_terms[m_next].descending) return false;
        ++m_next;
        return true;
    }
    bool descending(int column) {
        if (atEnd() || m_terms[m_next].column != column || !m_terms[m_next].descending) return false;
        ++m_next;
        return true;
    }

private:
    const std::vector<OrderTerm>& m_terms;
    std::size_t m_next = 0;
};

/// The way through the stretches that delivers the order; nullopt if there is none.
std::optional<TimedPlan> runsInOrder(const IndexRequest& request, const TimedColumns& columns) {
    OrderReader order(request);
    TimedPlan plan;
    const bool byRank = order.ascending(columns.rank);
    const bool byTrack = order.ascending(columns.track);
    while (byTrack && order.ascending(columns.rank)) {}  // a track has one rank
    plan.buckets = byTrack ? (byRank ? RunBuckets::ByRankAndTrack : RunBuckets::ByTrack)
                           : (byRank ? RunBuckets::ByRank : RunBuckets::One);
    if (byTrack && columns.depth != TimedColumns::kNoColumn && order.ascending(columns.depth)) {
        order.ascending(columns.ts);
    } else if (order.ascending(columns.ts)) {
        plan.order = RunOrder::Ascending;
    } else if (order.descending(columns.ts)) {
        plan.order = RunOrder::Descending;
    }
    if (!order.atEnd()) return std::nullopt;
    return plan;
}

std::optional<TimedPlan> namesInOrder(const IndexRequest& request, const TimedColumns& columns) {
    OrderReader order(request);
    TimedPlan plan;
    plan.path = TimedPlan::Path::Names;
    plan.rankFirst = order.ascending(columns.rank);
    if (!order.ascending(columns.name)) return std::nullopt;
    if (!plan.rankFirst) order.ascending(columns.rank);
    if (!order.atEnd()) return std::nullopt;
    plan.oneOfEach = request.orderUse() == OrderUse::Distinct && request.usesOnly(columns.name);
    return plan;
}

/// True if a right-hand side is known only while the query runs, as in a join.
bool dependsOnOthers(const IndexRequest& request) {
    return std::any_of(request.accepted().begin(), request.accepted().end(),
                       [](const AcceptedCondition& c) { return !c.constant && c.op != ConditionOp::In; });
}

bool namesAreMany(const IndexRequest& request, const TimedColumns& columns) {
    return std::any_of(request.accepted().begin(), request.accepted().end(), [&](const AcceptedCondition& c) {
        return c.column == columns.name && c.op == ConditionOp::Equal && !c.constant;
    });
}

struct WeighedPlan {
    TimedPlan plan;
    bool ordered = false;
    double cost = 0;   ///< Without sorting.
    double total = 0;  ///< With what SQLite adds for sorting.
};

/// How much work the conditions leave, whichever way is taken.
struct Estimate {
    Selectivity share;
    double walked = 0;  ///< Rows in the wanted tracks and times.
    double rows = 0;    ///< Those among them with the wanted names.
    double sort = 0;    ///< Cost if SQLite sorts the rows; 0 if it need not.
};

/// Takes the way by the id, or by the parent, if a condition names one. @return False if none does.
bool planByKey(IndexRequest& request, const TimedColumns& columns) {
    for (const AcceptedCondition& condition : request.accepted()) {
        if (condition.column != columns.id && condition.column != -1) continue;
        TimedPlan plan;
        plan.path = TimedPlan::Path::Id;
        const bool one = condition.op == ConditionOp::Equal;
        request.keepOnly(condition);
        request.promise(plan.encoded(), one ? 1 : kListLength, one ? kLookup : kLookup * kListLength);
        if (one) request.promiseUnique();
        return true;
    }
    for (const AcceptedCondition& condition : request.accepted()) {
        if (condition.column != columns.parent) continue;
        static constexpr double kChildren = 4;  // of a slice that has some
        TimedPlan plan;
        plan.path = TimedPlan::Path::Parent;
        const double parents = condition.op == ConditionOp::Equal ? 1 : kListLength;
        request.keepOnly(condition);
        request.promise(plan.encoded(), kChildren * parents, kLookup * kChildren * parents);
        return true;
    }
    return false;
}

/// The way along the stretches, in the order of the request if that is cheaper than sorting.
WeighedPlan walkByTime(const IndexRequest& request, const TimedColumns& columns, const TimedStatistics& statistics,
                       const Estimate& estimate) {
    const auto inOrder = runsInOrder(request, columns);
    WeighedPlan best{inOrder.value_or(TimedPlan{}), inOrder.has_value() && request.wantsOrder(), 0, 0};
    best.cost = kLookup + estimate.rows + (request.accepts(columns.name) ? estimate.walked * kSkippedRow : 0);
    if (best.plan.order != RunOrder::AsListed) {
        const double stretches = statistics.runs * estimate.share.rank * estimate.share.track;
        best.cost += estimate.walked * kMergeStep * std::log2(stretches + 1);
    }
    best.total = best.cost + (best.ordered ? 0 : estimate.sort);
    // A merge may cost more than the sorting of the few rows that a name leaves.
    const double unordered = kLookup + estimate.rows + estimate.walked * kSkippedRow;
    if (best.ordered && unordered + estimate.sort < best.total)
        best = {TimedPlan{}, false, unordered, unordered + estimate.sort};
    return best;
}

/// The way by the lookup of names, which is made first if nobody has yet.
WeighedPlan lookUpNames(const IndexRequest& request, const TimedColumns& columns, const TimedStatistics& statistics,
                        const Estimate& estimate) {
    const auto named = namesInOrder(request, columns);
    TimedPlan byName;
    byName.path = TimedPlan::Path::Names;
    WeighedPlan candidate{named.value_or(byName), named.has_value(), 0, 0};
    const double reached = statistics.rows * estimate.share.rank * estimate.share.name;
    candidate.cost = kLookup + estimate.rows * (1 + kNamedRow) + reached * kSkippedRow * 2;
    // A join requests one name after the other, so that the lookup soon pays.
    if (!statistics.namesReady && !namesAreMany(request, columns)) candidate.cost += statistics.rows * kNameIndex;
    candidate.total = candidate.cost + (candidate.ordered ? 0 : estimate.sort);
    return candidate;
}

}  // namespace

int TimedPlan::encoded() const {
    return static_cast<int>(path) | static_cast<int>(buckets) << 2 | static_cast<int>(order) << 4 |
           int{rankFirst} << 6 | int{oneOfEach} << 7;
}

TimedPlan TimedPlan::decoded(int mode) {
    const auto bits = static_cast<unsigned>(mode);
    TimedPlan plan;
    plan.path = static_cast<Path>(bits & 3U);
    plan.buckets = static_cast<RunBuckets>(bits >> 2U & 3U);
    plan.order = static_cast<RunOrder>(bits >> 4U & 3U);
    plan.rankFirst = (bits >> 6U & 1U) != 0;
    plan.oneOfEach = (bits >> 7U & 1U) != 0;
    return plan;
}

void planTimed(IndexRequest& request, const TimedColumns& columns, const TimedStatistics& statistics) {
    if (planByKey(request, columns)) return;
    const Selectivity share = selectivity(request, columns, statistics);
    Estimate estimate{.share = share, .walked = statistics.rows * share.rank * share.track * share.time};
    estimate.rows = estimate.walked * share.name;
    // For few rows it is cheaper to look at each than to search everywhere.
    if (estimate.rows * kSourceRow < statistics.sourceBytes * kSourceByte) request.leaveSource();
    // Rows that reach the sorter in the end are more than those of one lookup in a join.
    const double sorted = dependsOnOthers(request) ? statistics.rows : estimate.rows;
    estimate.sort = request.wantsOrder() ? estimate.rows * std::log2(sorted + 2) * kSortStep : 0;

    WeighedPlan best = walkByTime(request, columns, statistics, estimate);
    if (statistics.byName) {
        const WeighedPlan byName = lookUpNames(request, columns, statistics, estimate);
        if (byName.total < best.total) best = byName;
    }
    // SQLite's planner leaves out the sorting when its outermost table is a virtual one, so it stands in the cost here.
    // An order helps the outermost table alone: not one that is scanned again for each row of another.
    const bool orderHelps = best.ordered && !dependsOnOthers(request);
    request.promise(best.plan.encoded(), estimate.rows, orderHelps ? best.cost : best.cost + estimate.sort);
    if (best.ordered && request.wantsOrder()) request.promiseOrder();
}

}  // namespace altiscope
