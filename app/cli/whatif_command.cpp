#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/open_capture.h"
#include "app/cli/output.h"
#include "core/analysis/capture_analysis.h"
#include "core/base/text/catalogue.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <numeric>

namespace altiscope::cli {

namespace {

std::int64_t meanOf(const std::vector<std::int64_t>& steps) {
    if (steps.empty()) return 0;
    return std::accumulate(steps.begin(), steps.end(), std::int64_t{0}) / static_cast<std::int64_t>(steps.size());
}

nlohmann::ordered_json rankId(const CaptureStore& capture, RankIndex rank) {
    const auto& id = capture.ranks[rank.value].info.rankId;
    return id ? nlohmann::ordered_json(*id) : nlohmann::ordered_json(capture.ranks[rank.value].info.path);
}

/// Why there is no what-if; empty if there is one.
std::string refusalReason(const JobAccount& job, const CaptureStore& capture) {
    const std::string_view code = refusalCode(job.refusal);
    if (code.empty()) return {};
    MessageParameters parameters;
    if (job.refusedBy != kNoRank) {
        const RankInfo& info = capture.ranks[job.refusedBy.value].info;
        parameters.emplace_back("rank", info.rankId ? std::to_string(*info.rankId) : info.path);
    }
    char percent[32];
    std::snprintf(percent, sizeof percent, "%.1f", job.replayError.value_or(0) * 100);
    parameters.emplace_back("error", percent);
    return catalogueText(code, "en", parameters);
}

nlohmann::ordered_json causeJson(const CauseFacts& cause, const CaptureStore& capture) {
    nlohmann::ordered_json json;
    json["cause"] = causeName(cause.cause);
    json["rank_id"] = cause.ranks.size() == 1 ? rankId(capture, cause.ranks[0]) : nlohmann::ordered_json();
    json["rank_ids"] = nlohmann::ordered_json::array();
    for (const RankIndex rank : cause.ranks) json["rank_ids"].push_back(rankId(capture, rank));
    json["name"] = cause.name;
    json["removal"] = meanOf(cause.removal);
    json["alone"] = meanOf(cause.alone);
    json["range"] = cause.isRange;
    json["steps"] = cause.stepsWithAny();
    return json;
}

nlohmann::ordered_json accountJson(const JobAccount& job, const CaptureStore& capture) {
    nlohmann::ordered_json json;
    json["schema"] = 1;
    json["replay_error"] = job.replayError ? nlohmann::ordered_json(*job.replayError) : nlohmann::ordered_json();
    if (const std::string reason = refusalReason(job, capture); !reason.empty()) json["reason"] = reason;
    if (job.recorded.empty()) return json;
    json["steps"] = {{"recorded", meanOf(job.recorded)}, {"replayed", meanOf(job.replayed)}};
    if (job.refusal != ReplayRefusal::None) return json;
    json["steps"]["without_launch_delay"] = meanOf(job.withoutLaunches);
    json["steps"]["ideal"] = meanOf(job.ideal);
    const auto ideal = static_cast<double>(meanOf(job.ideal));
    json["slowdown"] = ideal > 0 ? static_cast<double>(meanOf(job.recorded)) / ideal : 1.0;
    json["causes"] = nlohmann::ordered_json::array();
    for (const CauseFacts& cause : job.causes) json["causes"].push_back(causeJson(cause, capture));
    return json;
}

std::string accountText(const JobAccount& job, const CaptureStore& capture) {
    if (const std::string reason = refusalReason(job, capture); !reason.empty()) return reason + '\n';
    char line[256];
    std::snprintf(line, sizeof line,
                  "Step %.3f ms, without all causes %.3f ms; the replay is good to %.2f %%.\n"
                  "%12s %12s  cause\n",
                  static_cast<double>(meanOf(job.recorded)) / 1e6, static_cast<double>(meanOf(job.ideal)) / 1e6,
                  job.replayError.value_or(0) * 100, "removal ms", "alone ms");
    std::string text = line;
    for (const CauseFacts& cause : job.causes) {
        std::snprintf(line, sizeof line, "%12.3f %12.3f  ", static_cast<double>(meanOf(cause.removal)) / 1e6,
                      static_cast<double>(meanOf(cause.alone)) / 1e6);
        text += line + std::string(causeName(cause.cause));
        if (!cause.name.empty()) text += " " + cause.name;
        if (cause.ranks.size() == 1) text += ", rank " + rankId(capture, cause.ranks[0]).dump();
        else if (!cause.ranks.empty()) text += ", " + std::to_string(cause.ranks.size()) + " ranks";
        text += '\n';
    }
    return text;
}

}  // namespace

std::string_view whatifHelp() {
    return "usage: altiscope-cli whatif CAPTURE [--json]\n"
           "\n"
           "Replays the recorded steps without one cause of slowness after the other and prints what each costs: by\n"
           "removal, in the order in which they are printed, so that each ns counts once and all add up; and alone,\n"
           "with all others removed already. Times are means over the steps of the job.\n"
           "The replay's error is printed too. Above 2 %, or where the recording does not say what waited for what,\n"
           "there is no what-if but the reason.\n";
}

int runWhatif(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments, {});
    if (!words.problem.empty()) return reportWrongUsage("whatif", words.problem);
    if (words.words.empty()) return reportWrongUsage("whatif", "A capture is missing.");
    if (words.words.size() > 1)
        return reportWrongUsage("whatif", "whatif takes one capture, not \"" + words.words[1] + "\" too.");
    WorkerArena arena(context.options.jobs);
    const auto capture = openReadable(words.words[0], context, arena);
    if (capture.cancelled()) return kCancelled;
    if (capture.failed()) return reportError(capture.error());
    if (capture.value() == nullptr) return kFailed;
    std::shared_ptr<const CaptureFacts> facts;
    arena.run([&] { facts = CaptureAnalysis(capture.value()).facts(context.cancel); });
    if (facts == nullptr || facts->account == nullptr) return kCancelled;
    const JobAccount& job = facts->account->job;
    context.out.write(context.options.json ? accountJson(job, *capture.value()).dump() + '\n'
                                           : accountText(job, *capture.value()));
    return statusOf(*capture.value(), context);
}

}  // namespace altiscope::cli
