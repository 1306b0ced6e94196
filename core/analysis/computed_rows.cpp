#include "core/analysis/computed_rows.h"

#include "core/analysis/collectives/collective_times.h"
#include "core/analysis/kernels/operator_totals.h"
#include "core/analysis/steps/step_breakdown.h"
#include "core/store/rows/row_builder.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace altiscope {

namespace {

/// Fills rows by the names of their columns.
class RowWriter {
public:
    RowWriter(RowTablesBuilder& builder, RowKind kind) : m_builder(builder), m_batch(builder.batch(kind)) {}
    ~RowWriter() { m_builder.commit(m_batch); }
    RowWriter(const RowWriter&) = delete;
    RowWriter& operator=(const RowWriter&) = delete;

    void add() {
        m_batch.addRow();
        set("origin", originName(Origin::Computed));
    }
    void set(std::string_view column, std::optional<std::int64_t> value) {
        if (value) m_batch.setInteger(place(column), *value);
    }
    void set(std::string_view column, std::string_view text) { m_batch.setText(place(column), text); }
    void setReal(std::string_view column, double value) { m_batch.setReal(place(column), value); }
    void setTime(const TotalTime& time) {
        set("count", static_cast<std::int64_t>(time.count));
        set("total", time.total);
        set("min", time.min);
        setReal("avg", time.average());
        set("max", time.max);
    }

private:
    std::size_t place(std::string_view column) const { return rowColumn(m_batch.kind(), column); }

    RowTablesBuilder& m_builder;
    RowBatch m_batch;
};

/// @param device  Of the rank, where the timeline does not state it.
void addBreakdown(const std::vector<StepBreakdown>& steps, std::optional<std::int64_t> device,
                  RowTablesBuilder& builder) {
    RowWriter rows(builder, RowKind::StepBreakdown);
    for (const StepBreakdown& step : steps) {
        rows.add();
        rows.set("step", step.step);
        rows.set("computing", step.computing);
        rows.set("communication", step.communication);
        rows.set("not_overlapped", step.exposed);
        rows.set("overlapped", step.overlapped);
        rows.set("free", step.free);
        rows.set("stage", step.stage);
        rows.set("bubble", step.bubble);
        rows.set("not_overlapped_excl_receive", step.exposedExclReceive);
        rows.set("preparing", step.preparing);
        rows.set("device_id", step.deviceNumber ? step.deviceNumber : device);
    }
}

void addCollectives(const std::vector<CollectiveTime>& collectives, RowTablesBuilder& builder) {
    RowWriter rows(builder, RowKind::Collective);
    for (const CollectiveTime& collective : collectives) {
        rows.add();
        rows.set("step", collective.step);
        if (!collective.groupName.empty()) rows.set("group_name", collective.groupName);
        rows.set("op_name", collective.opName);
        rows.set("kind", collective.isPeerToPeer ? std::string_view("p2p") : std::string_view("collective"));
        rows.set("ts", collective.begin.value);
        rows.set("elapsed", collective.elapsed);
        rows.set("transit", collective.transit);
        rows.set("wait", collective.wait);
        rows.set("synchronization", collective.synchronization);
        rows.set("idle", collective.idle);
    }
}

/// @param device  Of the rank, as above.
void addOperators(const std::vector<OperatorTotal>& totals, std::optional<std::int64_t> device,
                  RowTablesBuilder& builder) {
    RowWriter rows(builder, RowKind::OpStat);
    const bool isNamed =
        std::any_of(totals.begin(), totals.end(), [](const OperatorTotal& total) { return total.device.has_value(); });
    for (const OperatorTotal& total : totals) {
        rows.add();
        rows.set("device_id", isNamed ? total.device : device);
        rows.set("name", total.type);
        rows.set("core_type", total.coreType);
        rows.setTime(total.time);
    }
}

void addCalls(const std::vector<ApiTotal>& totals, RowTablesBuilder& builder) {
    RowWriter rows(builder, RowKind::ApiStat);
    for (const ApiTotal& total : totals) {
        rows.add();
        rows.set("level", total.level);
        rows.set("name", total.name);
        rows.setTime(total.time);
        rows.setReal("variance", total.variance);
    }
}

}  // namespace

std::optional<RankComputation> computeRank(const RankEntry& rank, const std::optional<DeviceActivity>& activity,
                                           const CaptureGroups& groups, bool isCut, const CancelToken& cancel) {
    RankComputation computation;
    const std::vector<StepBreakdown> recorded = recordedBreakdown(rank);
    computation.stepUses = stepUses({}, recorded, {});
    if (!hasComputation(rank)) return computation;
    if (!activity) return std::nullopt;
    RowTablesBuilder builder;
    addOperators(operatorTotals(rank, cancel), rank.info.deviceId, builder);
    if (hasEvents(rank)) {
        if (!isCut) {
            const std::vector<StepBreakdown> steps = computeBreakdown(*activity);
            addBreakdown(steps, rank.info.deviceId, builder);
            computation.stepUses = stepUses(steps, recorded, activity->steps);
        }
        addCalls(apiTotals(*rank.trace, cancel), builder);
        addCollectives(collectiveTimes(rank, groups, *activity, cancel), builder);
    }
    if (cancel.cancelled()) return std::nullopt;
    // Some thousand rows: not worth a look at the token.
    computation.rows = builder.seal(CancelToken()).value();
    return computation;
}

}  // namespace altiscope
