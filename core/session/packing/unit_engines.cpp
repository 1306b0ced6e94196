#include "core/session/packing/unit_engines.h"

#include "core/base/threads/parallel.h"
#include "core/capture/files/shell_words.h"
#include "core/capture/targets/remote_shell.h"
#include "core/capture/targets/target.h"
#include "core/capture/targets/target_threads.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

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
            if (state == PackUnit::State::Running) m_followed.push_back(i);
            else if (state != PackUnit::State::Done) m_waiting.push_back(i);
        }
    }

    /// Waits while other hosts may still give a unit back.
    std::optional<std::size_t> take(const std::string& host, const CancelToken& cancel) {
        constexpr std::chrono::milliseconds kLook{200};
        std::unique_lock lock(m_mutex);
        while (m_waiting.empty() && m_taken > 0 && !cancel.cancelled()) m_changedHere.wait_for(lock, kLook);
        if (m_waiting.empty() || cancel.cancelled()) return std::nullopt;
        ++m_taken;
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
        giveOut();
        report();
    }

    /// The command has ended.
    void ended(std::size_t unit, const std::string& host, int status, const std::string& said,
               const CancelToken& cancel) {
        std::unique_lock lock(m_mutex);
        PackUnit& one = m_plan.units[unit];
        const auto until = std::chrono::steady_clock::now() + kSeenWithin;
        while (!refreshUnit(m_plan, unit, cancel) && status == 0 && one.state != PackUnit::State::Failed &&
               std::chrono::steady_clock::now() < until && !cancel.cancelled()) {
            constexpr std::chrono::milliseconds kLook{500};
            m_changedHere.wait_for(lock, kLook);
        }
        one.host = host;
        if (one.state != PackUnit::State::Done) {
            const bool isSaid = one.state == PackUnit::State::Failed && !one.reason.empty();
            one.state = PackUnit::State::Failed;
            if (status == 0 && !isSaid) one.reason = "its pack is not to be seen here: do all hosts share the folder?";
            else if (status != 0 && (one.reason.empty() || !said.empty()))
                one.reason = said.empty() ? "it ended with status " + std::to_string(status) : said;
        }
        giveOut();
        report();
    }

    /// Follows the units that a former run has left running, until they end.
    void follow(const CancelToken& cancel) {
        constexpr std::chrono::milliseconds kLook{1000};
        std::unique_lock lock(m_mutex);
        while (!m_followed.empty() && !cancel.cancelled()) {
            const auto over = std::remove_if(m_followed.begin(), m_followed.end(), [&](std::size_t unit) {
                refreshUnit(m_plan, unit, cancel);
                return m_plan.units[unit].state != PackUnit::State::Running;
            });
            const bool isAnyOver = over != m_followed.end();
            m_followed.erase(over, m_followed.end());
            if (isAnyOver) report();
            if (!m_followed.empty()) m_changedHere.wait_for(lock, kLook);
        }
    }

    std::optional<Error> problem() const { return m_problem; }

private:
    void giveOut() {
        --m_taken;
        m_changedHere.notify_all();
    }

    void report() {
        const auto written = writeUnits(m_plan);
        if (written.failed() && !m_problem) m_problem = written.error();
        if (m_changed) m_changed(m_plan);
    }

    UnitPlan& m_plan;
    const UnitsChanged& m_changed;
    std::mutex m_mutex;  // guards what follows, and the plan
    std::condition_variable m_changedHere;
    std::deque<std::size_t> m_waiting;
    std::vector<std::size_t> m_followed;  ///< Running since before.
    std::size_t m_taken = 0;
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
                const auto unit = queue.take(host, cancel);
                if (!unit) return;
                const std::vector<std::string> words = plan.commandOf(*unit);
                const auto reply = shell.value().run("\"$@\" </dev/null 2>&1", words,
                                                     {kUnitOutput, std::chrono::seconds(kUnitTimeout), {}});
                // The program is not there: nor is it for the next unit.
                constexpr int kNotFound = 127, kNotRun = 126;
                const bool isThere = reply.ok() && reply.value().status != kNotFound && reply.value().status != kNotRun;
                if (isThere) {
                    queue.ended(*unit, host, reply.value().status, firstLine(reply.value().output), cancel);
                    continue;
                }
                queue.giveBack(*unit);
                if (reply.ok())
                    return giveUp({"pack.units.no_program", {}, {}, {{"host", host}, {"program", plan.program}}});
                if (reply.failed()) giveUp(reply.error());
                return;
            }
        },
        shells);
    queue.follow(cancel);
    if (cancel.cancelled()) return Cancelled{};
    if (const auto problem = queue.problem()) return *problem;
    return Done{};
}

}  // namespace altiscope
