#include "core/capture/session/repeats.h"

#include "core/base/values/decimal.h"
#include "core/base/values/parse.h"
#include "core/capture/files/target_scripts.h"
#include "core/capture/methods/presets.h"
#include "core/capture/methods/settings.h"
#include "core/capture/targets/target_threads.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

namespace altiscope::capture {

namespace {

constexpr auto kRepeatTick = std::chrono::milliseconds(50);
constexpr auto kBetweenLooks = std::chrono::seconds(1);
constexpr std::int64_t kPsPerMs = 1'000'000'000, kPsPerMicro = 1'000'000;

/// What a log of steps has got on one target, look by look.
class StepLog {
public:
    StepLog(Target target, std::string file) : m_target(std::move(target)), m_file(std::move(file)) {}

    /// @return The slowest new step, 0 if there is none; Error if the target cannot be reached or has no such file.
    Result<std::int64_t> look(const CancelCheck& cancelCheck, const Askpass& askpass) {
        if (!m_shell) {
            auto opened = RemoteShell::open(m_target, cancelCheck, askpass);
            if (!opened.ok()) return opened.as<std::int64_t>();
            m_shell.emplace(std::move(opened).value());
        }
        const std::vector<std::string> arguments{m_file, m_offset ? std::to_string(*m_offset) : std::string(),
                                                 m_number};
        const auto reply = m_shell->run(readStepLogScript(), arguments);
        if (!reply.ok()) return reply.as<std::int64_t>();
        const auto records = replyRecords(reply.value().output);
        const auto record = [&records](std::string_view name) {
            const auto found = records.find(name);
            return found == records.end() ? std::string() : found->second;
        };
        const auto size = wholeNumber<std::uint64_t>(record("size"));
        if (!size) {
            // One that comes again is read from its beginning.
            if (m_offset) m_offset = 0;
            m_number.clear();
            return Error{"capture.repeat.no_log", m_file, {}, {{"host", m_target.name}}};
        }
        m_number = record("file");
        const auto from = wholeNumber<std::uint64_t>(record("from"));
        if (!m_offset || !from) return m_offset = *size, std::int64_t{0};
        const std::string text = record("text");
        // A line that has not come to its end is read with the next look.
        const std::size_t end = text.rfind('\n');
        if (end == std::string::npos) return m_offset = *from, std::int64_t{0};
        m_offset = *from + end + 1;
        const auto times = stepTimes(std::string_view(text).substr(0, end));
        return times.empty() ? std::int64_t{0} : *std::max_element(times.begin(), times.end());
    }

    const Target& target() const { return m_target; }
    /// See RemoteShell::beginClose.
    void beginClose() const {
        if (m_shell) m_shell->beginClose();
    }

private:
    Target m_target;
    std::string m_file;
    std::string m_number;  ///< Of the file, as the target's disk has it.
    std::optional<RemoteShell> m_shell;
    std::optional<std::uint64_t> m_offset;
};

/// Without a configuration that the job may have.
Settings settingsWithoutFile(const Method& method, const std::string& preset,
                             const std::vector<Assignment>& assignments) {
    auto all = presetAssignments(method, preset);
    all.insert(all.end(), assignments.begin(), assignments.end());
    SettingProblems ignored;
    return makeSettings(method, all, nullptr, ignored);
}

}  // namespace

std::optional<Error> repeatProblem(const Method& method, const std::string& preset,
                                   const std::vector<Assignment>& assignments) {
    const bool isFile = method.trigger == Trigger::Edit;
    const bool acts = isFile || method.trigger == Trigger::Attach || method.medium == Medium::Request;
    // MindSpore's steps have numbers only, and it takes none a second time.
    if (!acts || method.watchedBy == JobFramework::Mindspore)
        return Error{"capture.repeat.method", {}, {}, {{"method", std::string(method.name)}}};
    const Settings settings = settingsWithoutFile(method, preset, assignments);
    const Setting* start = settings.find("start_step");
    const bool isUnset = start != nullptr && std::holds_alternative<std::monostate>(start->value);
    if (start != nullptr && !isUnset && settings.integer("start_step") != -1)
        return Error{"capture.repeat.start_step", {}, {}, {}};
    return std::nullopt;
}

std::vector<Assignment> repeatedAssignments(const Method& method, const std::string& preset,
                                            std::vector<Assignment> assignments) {
    const Settings settings = settingsWithoutFile(method, preset, assignments);
    if (const Setting* start = settings.find("start_step"); start != nullptr)
        assignments.emplace_back("start_step", start->field->nullable ? "null" : "-1");
    return assignments;
}

std::vector<std::int64_t> stepTimes(std::string_view output) {
    static constexpr std::string_view kNames[] = {"elapsed time per iteration (ms)", "per step time", "per_step_time"};
    std::vector<std::int64_t> times;
    while (!output.empty()) {
        const std::string_view line = output.substr(0, output.find('\n'));
        output.remove_prefix(std::min(output.size(), line.size() + 1));
        for (const std::string_view name : kNames) {
            const std::size_t at = line.find(name);
            if (at == std::string_view::npos) continue;
            std::string_view rest = trimmed(line.substr(at + name.size()));
            if (!rest.starts_with(':')) continue;
            rest = trimmed(rest.substr(1));
            const std::string_view number = rest.substr(0, rest.find_first_not_of("0123456789."));
            // Between two microseconds it is the lower one: nothing is longer than it says.
            if (const auto time = parseScaled(number, kPsPerMs)) times.push_back(*time / kPsPerMicro);
            break;
        }
    }
    return times;
}

Result<std::optional<SlowStep>> waitForSlowStep(const RepeatPlan& plan, const std::vector<Target>& targets,
                                                const CancelCheck& cancelCheck, const Askpass& askpass,
                                                const std::function<void(const Error&)>& listener) {
    if (plan.slowerThan == 0) return std::optional<SlowStep>();
    const bool isRelative = !plan.stepLog.starts_with('/') && !plan.workdir.empty();
    const std::string file = isRelative ? plan.workdir + "/" + plan.stepLog : plan.stepLog;
    std::vector<StepLog> logs;
    for (const Target& target : targets) logs.emplace_back(target, file);
    // What their ends wait for, they wait for at the same time.
    const auto beginClose = [](const std::vector<StepLog>* all) {
        for (const StepLog& log : *all) log.beginClose();
    };
    const std::unique_ptr<const std::vector<StepLog>, decltype(beginClose)> ended(&logs, beginClose);
    std::vector<std::string> said(logs.size());
    for (bool isFirst = true;; isFirst = false) {
        std::vector<std::optional<Error>> problems(logs.size());
        std::size_t good = 0;
        std::vector<Result<std::int64_t>> looks(logs.size(), Result<std::int64_t>(Cancelled{}));
        forEachTarget(logs.size(), [&](std::size_t i) { looks[i] = logs[i].look(cancelCheck, askpass); });
        for (std::size_t i = 0; i < logs.size(); ++i) {
            const auto& slowest = looks[i];
            if (slowest.cancelled()) return Cancelled{};
            if (slowest.failed()) {
                problems[i] = slowest.error();
                continue;
            }
            ++good;
            if (slowest.value() > plan.slowerThan)
                return std::optional(SlowStep{logs[i].target().name, slowest.value()});
        }
        for (std::size_t i = 0; i < problems.size(); ++i) {
            if (isFirst && good == 0 && problems[i]) return *problems[i];
            const std::string code = problems[i] ? problems[i]->code : std::string();
            if (std::exchange(said[i], code) != code && problems[i] && listener) listener(*problems[i]);
        }
        if (isFirst && listener)
            listener({"capture.repeat.waits", file, {}, {{"time", millisecondsText(plan.slowerThan)}}});
        if (!pauseFor(kBetweenLooks, cancelCheck)) return Cancelled{};
    }
}

bool pauseFor(std::chrono::seconds time, const CancelCheck& cancelCheck) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
        if (cancelCheck && cancelCheck()) return false;
        std::this_thread::sleep_for(kRepeatTick);
    }
    return !(cancelCheck && cancelCheck());
}

std::string millisecondsText(std::int64_t microseconds) {
    std::string text = std::to_string(microseconds / 1000);
    std::string rest = std::to_string(1000 + microseconds % 1000).substr(1);
    while (!rest.empty() && rest.back() == '0') rest.pop_back();
    return rest.empty() ? text : text + "." + rest;
}

}  // namespace altiscope::capture
