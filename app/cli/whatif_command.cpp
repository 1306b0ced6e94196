#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/open_capture.h"
#include "app/cli/output.h"
#include "core/analysis/account/job_slowdown.h"
#include "core/analysis/account/refusal_text.h"
#include "core/analysis/capture_analysis.h"
#include "core/analysis/stragglers/straggler_account.h"
#include "core/base/files/file.h"
#include "core/base/values/parse.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
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

template <class Key>
nlohmann::ordered_json byKeyJson(const std::map<Key, double>& values) {
    auto json = nlohmann::ordered_json::object();
    for (const auto& [key, value] : values) {
        if constexpr (std::is_same_v<Key, std::string>) json[key] = value;
        else json[std::to_string(key)] = value;
    }
    return json;
}

/// Ranks without a number by their path.
std::string rankKey(const CaptureStore& capture, std::size_t rank) {
    const RankInfo& info = capture.ranks[rank].info;
    return info.rankId ? std::to_string(*info.rankId) : info.path;
}

nlohmann::ordered_json shareJson(const LossShare& share) {
    return {{"removal", share.removal}, {"addition", share.addition}};
}

void addSlowdown(const JobSlowdown& slowdown, const CaptureStore& capture, nlohmann::ordered_json& json) {
    auto ranks = nlohmann::ordered_json::object(), hosts = ranks;
    for (std::size_t r = 0; r < slowdown.byRank.size(); ++r) {
        ranks[rankKey(capture, r)] = slowdown.byRank[r];
        hosts[rankKey(capture, r)] = slowdown.byHost[r];
    }
    json["slowdown_by"] = {{"type", byKeyJson(slowdown.byType)},
                           {"stage", byKeyJson(slowdown.byStage)},
                           {"dp", byKeyJson(slowdown.byDp)},
                           {"rank", std::move(ranks)},
                           {"host", std::move(hosts)}};
    auto worst = nlohmann::ordered_json::array();
    for (const RankIndex rank : slowdown.worstRanks) worst.push_back(rankId(capture, rank));
    json["worst_ranks"] = {{"ranks", std::move(worst)}};
    json["worst_ranks"].update(shareJson(slowdown.worst));
    json["last_stage"] = shareJson(slowdown.lastStage);
}

nlohmann::ordered_json accountJson(const JobAccount& job, const JobSlowdown& slowdown, const CaptureStore& capture) {
    nlohmann::ordered_json json;
    json["schema"] = 1;
    json["replay_error"] = job.replayError ? nlohmann::ordered_json(*job.replayError) : nlohmann::ordered_json();
    if (const std::string reason = refusalText(job, capture, "en"); !reason.empty()) json["reason"] = reason;
    if (job.recorded.empty()) return json;
    json["steps"] = {{"recorded", meanOf(job.recorded)}, {"replayed", meanOf(job.replayed)}};
    if (job.refusal != ReplayRefusal::None) return json;
    json["steps"]["without_launch_delay"] = meanOf(job.withoutLaunches);
    json["steps"]["ideal"] = meanOf(job.ideal);
    const auto ideal = static_cast<double>(meanOf(job.ideal));
    json["slowdown"] = ideal > 0 ? static_cast<double>(meanOf(job.recorded)) / ideal : 1.0;
    addSlowdown(slowdown, capture, json);
    json["causes"] = nlohmann::ordered_json::array();
    for (const CauseFacts& cause : job.causes) json["causes"].push_back(causeJson(cause, capture));
    return json;
}

std::string accountText(const JobAccount& job, const CaptureStore& capture) {
    if (const std::string reason = refusalText(job, capture, "en"); !reason.empty()) return reason + '\n';
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

std::int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

nlohmann::ordered_json stragglersJson(const StragglerAccount& account) {
    nlohmann::ordered_json json;
    json["schema"] = 1;
    json["replay_error"] = account.replayError;
    json["steps"] = {{"recorded", nanoseconds(account.recorded)},
                     {"replayed", nanoseconds(account.replayed)},
                     {"without_launch_delay", nanoseconds(account.withoutDelay)},
                     {"ideal", nanoseconds(account.ideal)}};
    json["slowdown"] = account.slowdown;
    json["slowdown_by"] = {{"type", byKeyJson(account.byType)},
                           {"stage", byKeyJson(account.byStage)},
                           {"dp", byKeyJson(account.byDpRank)},
                           {"rank", byKeyJson(account.byRank)},
                           {"host", byKeyJson(account.delayByRank)}};
    json["worst_ranks"] = {{"ranks", account.worstRanks}};
    json["worst_ranks"].update(shareJson(account.worst));
    json["last_stage"] = shareJson(account.lastStage);
    return json;
}

std::string stragglersText(const StragglerAccount& account) {
    char line[256];
    std::snprintf(line, sizeof line,
                  "Step %.3f ms, without launch delay %.3f ms, ideal %.3f ms: slowdown %.4f; the replay is good to "
                  "%.2f %%.\n",
                  account.recorded * 1e3, account.withoutDelay * 1e3, account.ideal * 1e3, account.slowdown,
                  account.replayError * 100);
    std::string text = line;
    const auto add = [&](const std::string& name, double value) {
        std::snprintf(line, sizeof line, "%12.4f  %s\n", value, name.c_str());
        text += line;
    };
    text += "Slowdown with these alone slow:\n";
    for (const auto& [type, value] : account.byType) add(type, value);
    for (const auto& [stage, value] : account.byStage) add("stage " + std::to_string(stage), value);
    for (const auto& [rank, value] : account.byDpRank) add("dp rank " + std::to_string(rank), value);
    std::string ranks;
    for (const std::int32_t rank : account.worstRanks) ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
    std::snprintf(
        line, sizeof line,
        "Share of what is lost: worst ranks (%s) %.1f %% by removal, %.1f %% by addition; last stage %.1f %%, "
        "%.1f %%.\n",
        ranks.c_str(), account.worst.removal * 100, account.worst.addition * 100, account.lastStage.removal * 100,
        account.lastStage.addition * 100);
    return text + line;
}

/// "dp=4,pp=4,tp=4,cp=1,vpp=1" in any order; what lacks is taken from the table. @return False for anything else.
bool readParallel(std::string_view text, OperationSizes& sizes) {
    std::int32_t tp = 0;  // multiplies the ranks, and nothing else
    for (const std::string_view word : commaWords(text)) {
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string_view name = word.substr(0, equals);
        const auto size = wholeNumber<std::int32_t>(word.substr(std::min(equals + 1, word.size())));
        std::int32_t* to = name == "dp"    ? &sizes.dp
                           : name == "pp"  ? &sizes.pp
                           : name == "tp"  ? &tp
                           : name == "cp"  ? &sizes.cp
                           : name == "vpp" ? &sizes.vpp
                                           : nullptr;
        constexpr std::int32_t kMax = 1 << 20;
        if (to == nullptr || !size || *size < 1 || *size > kMax) return false;
        *to = *size;
    }
    return true;
}

/// Whether a file is a table of operations, which no capture is.
bool isOperationTable(const std::filesystem::path& path) {
    constexpr std::size_t kHeading = 4096;
    const auto file = ReadOnlyFile::open(path);
    if (!file.ok()) return false;
    std::string heading(kHeading, '\0');
    const auto read = file.value().read(0, heading);
    if (!read.ok()) return false;
    heading.resize(read.value());
    const auto words = commaWords(trimmed(std::string_view(heading).substr(0, heading.find('\n'))));
    return std::find(words.begin(), words.end(), "optype") != words.end();
}

int runTable(const std::string& path, const OperationSizes& sizes, CommandContext& context) {
    constexpr std::uint64_t kMaxTable = std::uint64_t{1} << 32;
    const auto text = readSmallFile(path, kMaxTable);
    if (!text.ok()) return reportError(text.error());
    const auto operations = readOperations(text.value(), path);
    if (!operations.ok()) return reportError(operations.error());
    const auto account = stragglerAccount(operations.value(), sizes, path);
    if (!account.ok()) return reportError(account.error());
    context.out.write(context.options.json ? stragglersJson(account.value()).dump() + '\n'
                                           : stragglersText(account.value()));
    return kOk;
}

}  // namespace

std::string_view whatifHelp() {
    return "usage: altiscope-cli whatif CAPTURE [--json]\n"
           "       altiscope-cli whatif TABLE.csv [--parallel dp=4,pp=4,tp=4,cp=1,vpp=1] [--json]\n"
           "\n"
           "Replays the recorded steps without one cause of slowness after the other and prints what each costs: by\n"
           "removal, in the order in which they are printed, so that each ns counts once and all add up; and alone,\n"
           "with all others removed already. Times are means over the steps of the job.\n"
           "The replay's error is printed too. Above 2 %, or where the recording does not say what waited for what,\n"
           "there is no what-if but the reason. --json also says which types of work, stages, ranks and hosts make a\n"
           "step how much slower.\n"
           "\n"
           "TABLE.csv is a table of operations as StragglerAnalysis has them (dp_rank, stage, rank, step, optype,\n"
           "start_ts, duration, seq_id, mc, gmc; seconds): how much slower a step is than one in which every "
           "operation\n"
           "takes what its type takes elsewhere, by type, stage, dp rank and rank, and how much of that the worst "
           "ranks\n"
           "and the last stage explain. --parallel is checked against the table; cp sums up gradients beside dp.\n";
}

int runWhatif(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments, {"--parallel"});
    if (!words.problem.empty()) return reportWrongUsage("whatif", words.problem);
    if (words.words.empty()) return reportWrongUsage("whatif", "A capture is missing.");
    if (words.words.size() > 1)
        return reportWrongUsage("whatif", "whatif takes one capture, not \"" + words.words[1] + "\" too.");
    OperationSizes sizes;
    const auto parallel = words.value("--parallel");
    if (parallel && !readParallel(*parallel, sizes))
        return reportWrongUsage("whatif",
                                "--parallel takes sizes such as dp=4,pp=4,tp=4,cp=1,vpp=1, not \"" + *parallel + "\".");
    if (isOperationTable(words.words[0])) return runTable(words.words[0], sizes, context);
    if (parallel) return reportWrongUsage("whatif", "--parallel is for a table of operations.");
    WorkerArena arena(context.options.jobs);
    const auto capture = openReadable(words.words[0], context, arena);
    if (capture.cancelled()) return kCancelled;
    if (capture.failed()) return reportError(capture.error());
    if (capture.value() == nullptr) return kFailed;
    const CaptureAnalysis analysis(capture.value());
    std::shared_ptr<const CaptureFacts> facts;
    std::shared_ptr<const JobSlowdown> slowdown;
    arena.run([&] {
        facts = analysis.facts(context.cancel);
        if (context.options.json) slowdown = analysis.slowdown(context.cancel);
    });
    if (facts == nullptr || (context.options.json && slowdown == nullptr)) return kCancelled;
    const JobAccount& job = facts->account->job;
    context.out.write(context.options.json ? accountJson(job, *slowdown, *capture.value()).dump() + '\n'
                                           : accountText(job, *capture.value()));
    return statusOf(*capture.value(), context);
}

}  // namespace altiscope::cli
