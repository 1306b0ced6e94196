#include "core/generate/ranks/cluster_steps.h"

#include <algorithm>
#include <array>

namespace altiscope::generate {

namespace {

void addStepTimes(const StepTimes& times, TextBuffer& out) {
    for (const std::int64_t ns : times) {
        out.add(',');
        out.addTrimmed(ns, 3);
    }
}

void addRankRow(const RunPlan& plan, const RankTruth& truth, const StepTruth& step, TextBuffer& out) {
    out.addNumber(step.step);
    out.add(",rank,");
    out.addNumber(std::uint64_t{truth.rank});
    addStepTimes(stepTimesOf(step), out);
    out.add(',');
    const std::uint32_t tensorParallel = plan.model.tensorParallel;
    out.addNumber(std::uint64_t{truth.rank / tensorParallel % plan.model.dataParallel});
    out.add(',');
    out.addNumber(std::uint64_t{plan.identities[truth.rank].stage});
    out.add(',');
    out.addNumber(std::uint64_t{truth.rank % tensorParallel});
    out.add("\r\n");
}

struct StageStep {
    std::uint32_t stage;
    std::uint32_t step;  ///< From 0.
};

void addStageRow(const RunPlan& plan, const std::vector<RankTruth>& truths, const StageStep& where, TextBuffer& out) {
    StepTimes most{};
    std::vector<std::uint32_t> ranks;
    const std::uint32_t first = where.stage * plan.ranksOfStage();
    for (std::uint32_t rank = first; rank < first + plan.ranksOfStage(); ++rank) {
        const StepTimes times = stepTimesOf(truths[rank].steps[where.step]);
        for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], times[i]);
        ranks.push_back(rank);
    }
    out.addNumber(std::uint64_t{plan.firstStep} + where.step);
    out.add(",stage,\"");
    out.add(rankTuple(ranks));
    out.add('"');
    addStepTimes(most, out);
    out.add(",NA,NA,NA\r\n");
}

}  // namespace

std::string rankTuple(const std::vector<std::uint32_t>& ranks) {
    std::string text = "(";
    for (const std::uint32_t rank : ranks) {
        if (text.size() > 1) text += ", ";
        text += std::to_string(rank);
    }
    return text + (ranks.size() == 1 ? ",)" : ")");
}

Result<Done> writeClusterSteps(const PassContext& context, const std::vector<RankTruth>& truths, OutputTarget& target) {
    auto stream = target.open("cluster_analysis_output/cluster_step_trace_time.csv");
    if (!stream.ok()) return stream.as<Done>();
    const RunPlan& plan = context.run.plan;
    TextBuffer text;
    text.add("Step,Type,Index,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
             "Communication(Not Overlapped and Exclude Receive),Preparing,DP Index,PP Index,TP Index\r\n");
    for (std::uint32_t step = 0; step < plan.steps; ++step) {
        if (context.cancel.cancelled()) return Cancelled{};
        for (const RankTruth& truth : truths) addRankRow(plan, truth, truth.steps[step], text);
        for (std::uint32_t stage = 0; stage < plan.model.pipelineParallel; ++stage)
            addStageRow(plan, truths, {stage, step}, text);
        const Result<Done> done = stream.value()->write(text.view());
        if (!done.ok()) return done;
        context.progress.addDone(text.size());
        text.clear();
    }
    return stream.value()->close();
}

}  // namespace altiscope::generate
