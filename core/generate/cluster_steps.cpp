#include "core/generate/cluster_steps.h"

#include <algorithm>
#include <array>

namespace altiscope::generate {

namespace {

/// Columns of a step from Computing to Preparing, ns.
using StepTimes = std::array<std::int64_t, 9>;

StepTimes stepTimesOf(const StepTruth& step) {
    // No pipeline, so no receiving: Bubble is 0, and nothing is excluded.
    return {step.computing.value,
            step.notOverlapped.value,
            step.communication.value - step.notOverlapped.value,
            step.communication.value,
            step.free.value,
            step.device.length().value,
            0,
            step.notOverlapped.value,
            (step.device.begin - step.host.begin).value};
}

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
    out.addNumber(std::uint64_t{truth.rank / plan.model.tensorParallel});
    out.add(",0,");
    out.addNumber(std::uint64_t{truth.rank % plan.model.tensorParallel});
    out.add("\r\n");
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
    std::vector<std::uint32_t> ranks;
    for (const RankTruth& truth : truths) ranks.push_back(truth.rank);
    const std::string stage = rankTuple(ranks);
    TextBuffer text;
    text.add("Step,Type,Index,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
             "Communication(Not Overlapped and Exclude Receive),Preparing,DP Index,PP Index,TP Index\r\n");
    for (std::uint32_t step = 0; step < plan.steps; ++step) {
        if (context.cancel.cancelled()) return Cancelled{};
        StepTimes most{};
        for (const RankTruth& truth : truths) {
            const StepTimes times = stepTimesOf(truth.steps[step]);
            for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], times[i]);
            addRankRow(plan, truth, truth.steps[step], text);
        }
        text.addNumber(std::uint64_t{plan.firstStep} + step);
        text.add(",stage,\"");
        text.add(stage);
        text.add('"');
        addStepTimes(most, text);
        text.add(",NA,NA,NA\r\n");
        const Result<Done> done = stream.value()->write(text.view());
        if (!done.ok()) return done;
        context.progress.addDone(text.size());
        text.clear();
    }
    return stream.value()->close();
}

}  // namespace altiscope::generate
