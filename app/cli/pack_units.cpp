#include "app/cli/pack_units.h"

#include "app/cli/open_capture.h"
#include "app/cli/output.h"
#include "core/base/files/own_program.h"
#include "core/base/values/parse.h"
#include "core/capture/targets/hosts_file.h"
#include "core/pack/pack_set.h"
#include "core/session/files/write_guard.h"
#include "core/session/packing/unit_engines.h"
#include "core/session/packing/units.h"
#include "core/session/workspace/capture_identity.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <system_error>

namespace altiscope::cli {

namespace {

constexpr std::string_view kOptionsOfUnits[] = {"--ranks-per-task", "--hosts-file", "--partition",
                                                "--time",           "--account",    "--constraint"};

std::size_t ranksPerUnit(const CommandArguments& words) {
    const auto text = words.value("--ranks-per-task");
    const auto number = text ? wholeNumber(*text) : std::optional<std::int64_t>(1);
    return number && *number > 0 ? static_cast<std::size_t>(*number) : 0;
}

std::size_t count(const UnitPlan& plan, PackUnit::State state) {
    return static_cast<std::size_t>(std::count_if(plan.units.begin(), plan.units.end(),
                                                  [state](const PackUnit& unit) { return unit.state == state; }));
}

std::string summary(const UnitPlan& plan) {
    std::string text = "units " + std::to_string(plan.units.size());
    for (const auto state :
         {PackUnit::State::Done, PackUnit::State::Running, PackUnit::State::Waiting, PackUnit::State::Failed})
        if (const std::size_t units = count(plan, state); units > 0 || state == PackUnit::State::Done)
            text += std::string(state == PackUnit::State::Done ? ": " : ", ") + std::string(unitStateName(state)) +
                    " " + std::to_string(units);
    return text;
}

std::string failureText(const UnitPlan& plan, std::size_t unit) {
    const PackUnit& one = plan.units[unit];
    std::string text = "unit " + std::to_string(unit);
    if (!one.ranks.empty()) text += " (ranks " + ranksText(one.ranks) + ")";
    text += " failed";
    if (!one.host.empty()) text += " on " + one.host;
    return text + ": " + one.reason;
}

/// Says how many units are done, and why some are not.
void printUnits(const UnitPlan& plan, bool isShort, const CommandContext& context) {
    if (!context.options.quiet || isShort) printMessage(summary(plan));
    for (std::size_t i = 0; i < plan.units.size(); ++i)
        if (plan.units[i].state == PackUnit::State::Failed) printMessage(failureText(plan, i));
}

/// Whether a pack lacks what its unit could not read.
bool lacksAny(const UnitPlan& plan) {
    return std::any_of(plan.units.begin(), plan.units.end(),
                       [](const PackUnit& one) { return one.state == PackUnit::State::Done && !one.reason.empty(); });
}

/// Says how many units are done, when that changes.
class UnitLog {
public:
    explicit UnitLog(const CommandContext& context) : m_context(context) {}
    void operator()(const UnitPlan& plan) {
        const std::string text = summary(plan);
        if (m_context.options.quiet || text == m_last) return;
        m_last = text;
        printMessage(text);
    }

private:
    const CommandContext& m_context;
    std::string m_last;
};

/// The plan, with states of now; or the status with which the program ends.
std::optional<int> makePlan(const CommandArguments& words, const std::optional<std::vector<std::int64_t>>& ranks,
                            CommandContext& context, WorkerArena& arena, UnitPlan& plan) {
    const std::string& path = words.words.front();
    CapturePart part;
    part.onlyList = true;
    const auto capture = openReadable(path, context, arena, part);
    if (capture.cancelled()) return kCancelled;
    if (capture.failed()) return reportError(capture.error());
    if (capture.value() == nullptr) return kFailed;
    auto units = unitsOf(*capture.value(), ranks, ranksPerUnit(words));
    if (!units.ok()) return reportError(units.error());
    std::error_code error;
    plan.units = std::move(units).value();
    plan.capture = std::filesystem::absolute(path, error).lexically_normal();
    plan.folder = std::filesystem::absolute(*words.value("--out"), error).lexically_normal();
    plan.program = ownProgram().string();
    if (plan.program.empty()) plan.program = "altiscope-cli";
    const auto identity = identifyCapture(path, context.cancel);
    if (identity.cancelled()) return kCancelled;
    if (identity.ok()) plan.identity = identity.value();
    if (const auto without = words.value("--without")) plan.content = {"--without", *without};
    if (context.options.prefer) plan.content.insert(plan.content.end(), {"--prefer", *context.options.prefer});
    plan.options = plan.content;
    if (context.options.jobs > 0)
        plan.options.insert(plan.options.end(), {"--jobs", std::to_string(context.options.jobs)});
    // The packs are what is kept.
    if (context.options.cacheDir)
        plan.options.insert(plan.options.end(),
                            {"--cache-dir", std::filesystem::absolute(*context.options.cacheDir, error).string()});
    else plan.options.emplace_back("--no-cache");
    if (liesInCapture(plan.capture, plan.packOf(0)))
        return reportError({"export.inside_capture", plan.folder.string(), {}, {}});
    const auto prepared = prepareFolder(plan);
    if (prepared.failed()) return reportError(prepared.error());
    arena.run([&] { refreshUnits(plan, context.cancel); });
    if (context.cancel.cancelled()) return kCancelled;
    const auto written = writeUnits(plan);
    if (written.failed()) return reportError(written.error());
    return std::nullopt;
}

Result<Done> runEngine(const CommandArguments& words, UnitPlan& plan, CommandContext& context) {
    UnitLog log(context);
    const UnitsChanged changed = [&log](const UnitPlan& now) { log(now); };
    if (words.value("--engine") == "slurm") {
        const SlurmEngine engine{words.value("--partition").value_or(""), words.value("--time").value_or(""),
                                 words.value("--account").value_or(""), words.value("--constraint").value_or("")};
        return packBySlurm(plan, engine, changed, context.cancel);
    }
    const auto hosts = capture::hostsOfFile(*words.value("--hosts-file"));
    if (!hosts.ok()) return hosts.as<Done>();
    return packOverSsh(
        plan, {hosts.value()}, changed, [](const Error& error) { reportError(error); }, context.cancel);
}

}  // namespace

std::string unitsProblem(const CommandArguments& words) {
    const auto engine = words.value("--engine");
    if (!engine) {
        for (const std::string_view option : kOptionsOfUnits)
            if (words.has(option)) return std::string(option) + " goes with --engine.";
        return {};
    }
    if (*engine != "script" && *engine != "ssh" && *engine != "slurm")
        return "--engine takes slurm, ssh or script, not \"" + *engine + "\".";
    if (words.words.size() > 1) return "pack --engine takes one capture, not \"" + words.words[1] + "\" too.";
    if (ranksPerUnit(words) == 0)
        return "--ranks-per-task takes a number from 1 on, not \"" + *words.value("--ranks-per-task") + "\".";
    if ((*engine == "ssh") != words.has("--hosts-file"))
        return *engine == "ssh" ? "--engine ssh needs --hosts-file." : "--hosts-file goes with --engine ssh.";
    for (const std::string_view option : {"--partition", "--time", "--account", "--constraint"})
        if (words.has(option) && *engine != "slurm") return std::string(option) + " goes with --engine slurm.";
    // Each pack would have names of its own for the same paths.
    if (words.has("--redact") || words.value("--without").value_or("").find("names") != std::string::npos)
        return "Packs of units are not redacted one by one: pack the folder of them with --redact.";
    return {};
}

int runUnits(const CommandArguments& words, const std::optional<std::vector<std::int64_t>>& ranks,
             CommandContext& context, WorkerArena& arena) {
    UnitPlan plan;
    if (const auto status = makePlan(words, ranks, context, arena, plan)) return *status;
    const bool isScript = words.value("--engine") == "script";
    const std::size_t units = plan.units.size();
    std::optional<Error> error;
    if (!isScript && count(plan, PackUnit::State::Done) < units) {
        const auto done = runEngine(words, plan, context);
        if (done.cancelled()) return kCancelled;
        if (done.failed()) error = done.error();
    }
    const std::size_t packed = count(plan, PackUnit::State::Done);
    if (packed > 0) {
        std::optional<Result<Done>> merged;
        arena.run([&] { merged = pack::writeClusterPack(plan.folder, context.cancel); });
        if (merged->cancelled()) return kCancelled;
        if (merged->failed() && !error) error = merged->error();
    }
    if (context.options.json) context.out.write(unitsToJson(plan.units));
    else if (isScript) context.out.write(unitCommands(plan));
    const bool isShort = !isScript && packed < units;
    printUnits(plan, isShort, context);
    if (error) return reportError(*error);
    if (isShort) return kFailed;
    return context.options.strict && lacksAny(plan) ? kPartialData : kOk;
}

}  // namespace altiscope::cli
