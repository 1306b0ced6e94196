#include "core/session/packing/unit_engines.h"

#include "core/base/threads/parallel.h"
#include "core/capture/files/shell_words.h"
#include "core/capture/targets/remote_shell.h"
#include "core/capture/targets/target.h"
#include "core/capture/targets/target_threads.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace altiscope {

namespace {

/// A rank of a hundred GB takes hours.
constexpr std::chrono::hours kUnitTimeout{24 * 7};
/// Output of a unit that is kept; more is nobody's to read.
constexpr std::size_t kUnitOutput = std::size_t{1} << 20;

std::string firstLine(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin);
    return std::string(text.substr(0, text.find_first_of("\r\n")));
}

/// Units that wait, shared by the threads of all hosts.
class UnitQueue {
public:
    UnitQueue(UnitPlan& plan, const UnitsChanged& changed) : m_plan(plan), m_changed(changed) {
        for (std::size_t i = 0; i < plan.units.size(); ++i) {
            const PackUnit::State state = plan.units[i].state;
            if (state != PackUnit::State::Done && state != PackUnit::State::Running) m_waiting.push_back(i);
        }
    }

    std::optional<std::size_t> take(const std::string& host) {
        const std::lock_guard lock(m_mutex);
        if (m_waiting.empty()) return std::nullopt;
        const std::size_t unit = m_waiting.front();
        m_waiting.pop_front();
        m_plan.units[unit].state = PackUnit::State::Running;
        m_plan.units[unit].host = host;
        m_plan.units[unit].reason.clear();
        report();
        return unit;
    }

    /// For another host.
    void giveBack(std::size_t unit) {
        const std::lock_guard lock(m_mutex);
        m_plan.units[unit].state = PackUnit::State::Waiting;
        m_plan.units[unit].host.clear();
        m_waiting.push_front(unit);
        report();
    }

    /// The command has ended.
    void ended(std::size_t unit, const std::string& host, int status, const std::string& said,
               const CancelToken& cancel) {
        const std::lock_guard lock(m_mutex);
        PackUnit& one = m_plan.units[unit];
        refreshUnit(m_plan, unit, cancel);
        one.host = host;
        if (one.state != PackUnit::State::Done) {
            one.state = PackUnit::State::Failed;
            if (status == 0) one.reason = "its pack is not to be seen here: do all hosts share the folder?";
            else if (one.reason.empty() || !said.empty())
                one.reason = said.empty() ? "it ended with status " + std::to_string(status) : said;
        }
        report();
    }

    std::optional<Error> problem() const { return m_problem; }

private:
    void report() {
        const auto written = writeUnits(m_plan);
        if (written.failed() && !m_problem) m_problem = written.error();
        if (m_changed) m_changed(m_plan);
    }

    UnitPlan& m_plan;
    const UnitsChanged& m_changed;
    std::mutex m_mutex;  // guards what follows, and the plan
    std::deque<std::size_t> m_waiting;
    std::optional<Error> m_problem;
};

}  // namespace

std::string unitCommands(const UnitPlan& plan) {
    std::string text;
    for (std::size_t i = 0; i < plan.units.size(); ++i) {
        const PackUnit::State state = plan.units[i].state;
        if (state != PackUnit::State::Done && state != PackUnit::State::Running)
            text += capture::shellCommand(plan.commandOf(i)) + "\n";
    }
    return text;
}

Result<Done> packOverSsh(UnitPlan& plan, const SshEngine& engine, const UnitsChanged& changed,
                         const std::function<void(const Error&)>& say, const CancelToken& cancel) {
    UnitQueue queue(plan, changed);
    std::mutex mutex;  // guards what is said
    std::set<std::string> lost;
    const std::size_t shells = engine.hosts.size() * engine.perHost;
    capture::forEachTarget(
        shells,
        [&](std::size_t slot) {
            const std::string& host = engine.hosts[slot % engine.hosts.size()];
            const auto giveUp = [&](const Error& error) {
                const std::lock_guard lock(mutex);
                if (lost.insert(host).second) say(error);
            };
            const auto target = capture::parseTarget(host);
            if (!target) return;
            // Nobody is asked on several terminals at a time: a host that asks is given up.
            auto shell = capture::RemoteShell::open(*target, [&cancel] { return cancel.cancelled(); });
            if (shell.failed()) return giveUp(shell.error());
            while (shell.ok() && !cancel.cancelled()) {
                const auto unit = queue.take(host);
                if (!unit) return;
                const std::vector<std::string> words = plan.commandOf(*unit);
                const auto reply = shell.value().run("\"$@\" </dev/null 2>&1", words,
                                                     {kUnitOutput, std::chrono::seconds(kUnitTimeout), {}});
                if (reply.ok()) {
                    queue.ended(*unit, host, reply.value().status, firstLine(reply.value().output), cancel);
                    // The program is not there: nor is it for the next unit.
                    constexpr int kNotFound = 127, kNotRun = 126;
                    if (reply.value().status == kNotFound || reply.value().status == kNotRun)
                        return giveUp({"pack.units.no_program", {}, {}, {{"host", host}, {"program", plan.program}}});
                    continue;
                }
                queue.giveBack(*unit);
                if (reply.failed()) giveUp(reply.error());
                return;
            }
        },
        shells);
    if (cancel.cancelled()) return Cancelled{};
    if (const auto problem = queue.problem()) return *problem;
    return Done{};
}

}  // namespace altiscope
