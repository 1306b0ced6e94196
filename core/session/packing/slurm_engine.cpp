#include "core/base/files/file.h"
#include "core/base/files/pending_file.h"
#include "core/base/text/json_text.h"
#include "core/base/text/table_text.h"
#include "core/base/values/parse.h"
#include "core/capture/files/shell_words.h"
#include "core/capture/targets/process.h"
#include "core/session/packing/unit_engines.h"
#include "core/session/packing/unit_note.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace altiscope {

namespace {

using Json = nlohmann::json;

/// Tasks of one array: indexes end below MaxArraySize, which is 1001 unless a cluster sets it (slurm.conf).
constexpr std::size_t kTasksOfArray = 1000;
/// Between two looks: a controller answers thousands of users.
constexpr std::chrono::milliseconds kLook{2000};
constexpr std::chrono::seconds kCommandTimeout{120};
constexpr std::size_t kCommandOutput = std::size_t{64} << 20;

/// Which unit a task of an array packs.
struct SlurmArray {
    std::string job;                 ///< Empty: it was about to be submitted.
    std::string name;                ///< uniqueName() of its list.
    std::vector<std::size_t> units;  ///< By index of the task.
};

/// State of a task, as Slurm says it.
struct TaskState {
    std::string state;  ///< "RUNNING", "COMPLETED", ...
    std::string node, reason;
};

std::vector<std::string_view> cut(std::string_view line, char mark) {
    std::vector<std::string_view> cells;
    while (true) {
        const std::size_t end = line.find(mark);
        cells.push_back(line.substr(0, end));
        if (end == std::string_view::npos) return cells;
        line.remove_prefix(end + 1);
    }
}

bool isOver(std::string_view state) {
    constexpr std::string_view kGoesOn[] = {"PENDING",   "RUNNING",     "CONFIGURING",  "COMPLETING",   "SUSPENDED",
                                            "REQUEUED",  "RESIZING",    "REQUEUE_HOLD", "STOPPED",      "SIGNALING",
                                            "STAGE_OUT", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD"};
    return std::find(std::begin(kGoesOn), std::end(kGoesOn), state) == std::end(kGoesOn);
}

using TaskStates = std::map<std::size_t, TaskState>;

/// Held by the process that submits and follows the units of a folder. Where the file system has no locks it is held.
class FolderLock {
public:
    explicit FolderLock(const std::filesystem::path& path)
        : m_descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)) {
        m_isOurs = m_descriptor < 0 || ::flock(m_descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    }
    ~FolderLock() {
        if (m_descriptor >= 0) ::close(m_descriptor);
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    bool isOurs() const { return m_isOurs; }

private:
    int m_descriptor = -1;
    bool m_isOurs = true;
};

std::string uniqueName() {
    std::random_device random;
    constexpr int kBits = 32;
    return hexNumber((std::uint64_t{random()} << kBits) | random());
}

std::string jobName(const std::string& name) { return "altiscope-pack-" + name; }

/// Where a task's output goes, as sbatch takes it: "%" is "%%" (sbatch, filename pattern).
std::string logPattern(const std::filesystem::path& folder) {
    std::string pattern;
    for (const char c : folder.string()) pattern += c == '%' ? std::string("%%") : std::string(1, c);
    return pattern + "/slurm-%A_%a.log";
}

class SlurmRun {
public:
    SlurmRun(UnitPlan& plan, const SlurmEngine& engine, const UnitsChanged& changed, const CancelToken& cancel)
        : m_plan(plan), m_engine(engine), m_changed(changed), m_cancel(cancel) {}

    Result<Done> run();

private:
    Result<capture::ProcessEnd> command(const std::vector<std::string>& words) const;
    void readArrays();
    Result<Done> findIntended();
    Result<Done> write(const std::string& name, const std::string& text) const;
    Result<Done> writeArrays() const;
    Result<Done> submit(const std::vector<std::size_t>& units);
    Result<Done> submitArray(SlurmArray array);
    Result<std::vector<std::string>> writeScript(const SlurmArray& array) const;
    Result<std::string> submitted(const Result<capture::ProcessEnd>& done) const;
    void forgetNotes(const SlurmArray& array) const;
    std::optional<TaskStates> look();
    bool follow(const TaskStates& states);
    bool hasEnd(std::size_t unit, const TaskState* said) const;
    void fail(std::size_t unit, const TaskState* said);
    Result<Done> report() const;

    UnitPlan& m_plan;
    const SlurmEngine& m_engine;
    const UnitsChanged& m_changed;
    const CancelToken& m_cancel;
    std::vector<SlurmArray> m_arrays;
    std::map<std::size_t, std::chrono::steady_clock::time_point> m_overSince;
};

Result<capture::ProcessEnd> SlurmRun::command(const std::vector<std::string>& words) const {
    return capture::runProcess(words, {}, {kCommandOutput, kCommandTimeout, {}},
                               [this] { return m_cancel.cancelled(); }, {});
}

/// Arrays of former runs, as far as their units are of this plan.
void SlurmRun::readArrays() {
    const auto file = ReadOnlyFile::open(m_plan.workFolder() / "slurm.json");
    if (!file.ok() || file.value().size() > kCommandOutput) return;
    std::string text(file.value().size(), '\0');
    const auto read = file.value().read(0, text);
    const Json list = read.ok() ? parseJson(text) : Json();
    if (!list.is_array()) return;
    for (const Json& one : list) {
        if (!one.is_object() || !one.contains("job") || !one["job"].is_string() || !one.contains("units") ||
            !one["units"].is_array())
            continue;
        const bool isNamed = one.contains("name") && one["name"].is_string();
        SlurmArray array{one["job"].get<std::string>(), isNamed ? one["name"].get<std::string>() : std::string(), {}};
        for (const Json& unit : one["units"])
            array.units.push_back(unit.is_number_unsigned() ? unit.get<std::size_t>() : m_plan.units.size());
        m_arrays.push_back(std::move(array));
    }
}

/// Finds the jobs of arrays whose submission was not seen to end; forgets those that have none.
Result<Done> SlurmRun::findIntended() {
    bool isAny = false;
    for (SlurmArray& array : m_arrays) {
        if (!array.job.empty()) continue;
        isAny = true;
        const auto queue = command({"squeue", "--noheader", "--format=%F", "--name=" + jobName(array.name)});
        if (queue.cancelled()) return Cancelled{};
        if (!queue.ok() || queue.value().status != 0) return Error{"pack.slurm.silent", {}, {}, {}};
        const std::string_view said = queue.value().output;
        array.job = std::string(said.substr(0, said.find_first_not_of("0123456789")));
    }
    if (!isAny) return Done{};
    std::erase_if(m_arrays, [](const SlurmArray& array) { return array.job.empty(); });
    return writeArrays();
}

Result<Done> SlurmRun::write(const std::string& name, const std::string& text) const {
    const auto path = m_plan.workFolder() / name;
    PendingFile file(path, PendingFile::Access::Shared);
    if (!file.opened() || !file.write(text) || !file.keep())
        return Error{"pack.not_written", path.string(), {}, {{"reason", file.problem()}}};
    return Done{};
}

Result<Done> SlurmRun::writeArrays() const {
    Json list = Json::array();
    for (const SlurmArray& array : m_arrays)
        list.push_back({{"job", array.job}, {"name", array.name}, {"units", array.units}});
    return write("slurm.json", dumpJson(list));
}

Result<Done> SlurmRun::submit(const std::vector<std::size_t>& units) {
    for (std::size_t first = 0; first < units.size(); first += kTasksOfArray) {
        const auto begin = units.begin() + static_cast<std::ptrdiff_t>(first);
        const auto count = static_cast<std::ptrdiff_t>(std::min(kTasksOfArray, units.size() - first));
        // A list that a running array reads is never replaced, even if no record of the array is left.
        const auto done = submitArray({{}, uniqueName(), {begin, begin + count}});
        if (!done.ok()) return done;
    }
    return Done{};
}

/// Writes the list of commands and the script of an array. @return The words that submit it.
Result<std::vector<std::string>> SlurmRun::writeScript(const SlurmArray& array) const {
    std::string commands;
    for (const std::size_t unit : array.units) commands += capture::shellCommand(m_plan.commandOf(unit)) + "\n";
    const std::string list = "array-" + array.name + ".commands", script = "array-" + array.name + ".sh";
    const auto listed = write(list, commands);
    if (!listed.ok()) return listed.as<std::vector<std::string>>();
    const auto scripted =
        write(script, "#!/bin/sh\n# A task packs the unit in its line of the list.\neval \"exec $(sed -n "
                      "\"$((SLURM_ARRAY_TASK_ID + 1))p\" " +
                          capture::shellQuoted((m_plan.workFolder() / list).string()) + ")\"\n");
    if (!scripted.ok()) return scripted.as<std::vector<std::string>>();
    std::vector<std::string> words{"sbatch", "--parsable", "--job-name=" + jobName(array.name),
                                   "--array=0-" + std::to_string(array.units.size() - 1),
                                   "--output=" + logPattern(m_plan.workFolder())};
    const std::pair<std::string_view, const std::string&> options[] = {{"--partition=", m_engine.partition},
                                                                       {"--time=", m_engine.time},
                                                                       {"--account=", m_engine.account},
                                                                       {"--constraint=", m_engine.constraint}};
    for (const auto& [option, value] : options)
        if (!value.empty()) words.push_back(std::string(option) + value);
    words.push_back((m_plan.workFolder() / script).string());
    return words;
}

/// The word of a former process would be taken for the new one's word.
void SlurmRun::forgetNotes(const SlurmArray& array) const {
    for (const std::size_t unit : array.units) {
        std::error_code unknown;
        if (m_plan.units[unit].state != PackUnit::State::Running) std::filesystem::remove(m_plan.noteOf(unit), unknown);
    }
}

/// The job that sbatch started, or why it started none.
Result<std::string> SlurmRun::submitted(const Result<capture::ProcessEnd>& done) const {
    if (done.failed()) {
        if (done.error().code == "capture.program.missing") return Error{"pack.slurm.missing", {}, {}, {}};
        return done.error();
    }
    // "123" or "123;cluster".
    const std::string_view said = done.value().output;
    std::string job(said.substr(0, said.find_first_not_of("0123456789")));
    if (done.value().status == 0 && !job.empty()) return job;
    std::string reason = done.value().errors.empty() ? done.value().output : done.value().errors;
    while (!reason.empty() && (reason.back() == '\n' || reason.back() == '\r')) reason.pop_back();
    return Error{"pack.slurm.refused", {}, {}, {{"reason", std::move(reason)}}};
}

/// @param array  Without its job.
Result<Done> SlurmRun::submitArray(SlurmArray array) {
    const auto words = writeScript(array);
    if (!words.ok()) return words.as<Done>();
    forgetNotes(array);
    // Written before, so that a later process can follow it if this one dies meanwhile.
    m_arrays.push_back(array);
    const auto intended = writeArrays();
    if (!intended.ok()) return intended;
    const auto done = command(words.value());
    if (done.cancelled()) return Cancelled{};
    m_arrays.pop_back();
    if (done.failed() || done.value().status != 0) {
        const auto undone = writeArrays();
        if (!undone.ok()) return undone;
    }
    auto job = submitted(done);
    if (!job.ok()) return job.as<Done>();
    array.job = std::move(job).value();
    m_arrays.push_back(std::move(array));
    return writeArrays();
}

/// States of the units' tasks by squeue, and by sacct where there is accounting; nullopt if nobody answers now.
std::optional<TaskStates> SlurmRun::look() {
    TaskStates states;
    std::string jobs;
    for (const SlurmArray& array : m_arrays) jobs += (jobs.empty() ? "" : ",") + array.job;
    const auto take = [&](std::string_view line, std::size_t node, std::size_t reason) {
        const auto cells = cut(line, '|');
        if (cells.size() <= std::max(node, reason)) return;
        const std::size_t mark = cells[0].find('_');
        if (mark == std::string_view::npos) return;
        const auto task = wholeNumber(cells[0].substr(mark + 1));
        // A later array with the unit is what counts.
        for (const SlurmArray& array : m_arrays) {
            if (array.job != cells[0].substr(0, mark) || !task || *task < 0 ||
                static_cast<std::size_t>(*task) >= array.units.size())
                continue;
            // "CANCELLED by 1000"
            states[array.units[static_cast<std::size_t>(*task)]] = {
                std::string(cut(cells[1], ' ').front()), std::string(cells[node]), std::string(cells[reason])};
        }
    };
    const auto each = [&](const Result<capture::ProcessEnd>& done, std::size_t node, std::size_t reason) {
        if (!done.ok()) return;
        for (const std::string_view line : cut(done.value().output, '\n')) take(line, node, reason);
    };
    each(command({"sacct", "--noheader", "--parsable2", "--array", "--allocations",
                  "--format=JobID,State,ExitCode,NodeList", "--jobs=" + jobs}),
         3, 2);
    const auto queue = command({"squeue", "--noheader", "--array", "--format=%i|%T|%N|%r", "--jobs=" + jobs});
    each(queue, 2, 3);
    // Jobs that ended some minutes ago are not known any more.
    const bool isKnown =
        queue.ok() && (queue.value().status == 0 || queue.value().errors.find("Invalid job id") != std::string::npos);
    return isKnown ? std::optional(std::move(states)) : std::nullopt;
}

void SlurmRun::fail(std::size_t unit, const TaskState* said) {
    PackUnit& one = m_plan.units[unit];
    one.state = PackUnit::State::Failed;
    const bool isPlain = said == nullptr || said->state == "FAILED" || said->state == "COMPLETED";
    if (isPlain && !one.reason.empty()) return;
    if (said == nullptr) one.reason = "it ended before its pack was written";
    else if (said->state == "COMPLETED") one.reason = "its pack is not to be seen here: do all nodes share the folder?";
    else one.reason = "Slurm: " + said->state + (said->reason.empty() ? "" : " (" + said->reason + ")");
}

/// Whether Slurm or the unit's own note says how its task ended.
bool SlurmRun::hasEnd(std::size_t unit, const TaskState* said) const {
    if (said != nullptr && said->state != "COMPLETED") return true;
    // A lock that another file system has kept is no process.
    const auto note = readUnitNote(m_plan.noteOf(unit));
    if (!note) return false;
    return note->state == ReadNote::State::Failed ||
           (note->state == ReadNote::State::Done && m_plan.units[unit].state == PackUnit::State::Failed);
}

/// @return Whether tasks go on.
bool SlurmRun::follow(const TaskStates& states) {
    bool goesOn = false;
    const auto now = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < m_plan.units.size(); ++i) {
        PackUnit& one = m_plan.units[i];
        if (one.state == PackUnit::State::Done) continue;
        const auto said = states.find(i);
        const TaskState* task = said == states.end() ? nullptr : &said->second;
        const bool isTaskOver = task == nullptr || isOver(task->state);
        refreshUnit(m_plan, i, m_cancel);
        if (task != nullptr && !task->node.empty() && task->node != "None assigned") one.host = task->node;
        if (one.state == PackUnit::State::Done) continue;
        if (!isTaskOver) {
            one.state = task->state == "PENDING" ? PackUnit::State::Waiting : PackUnit::State::Running;
            one.reason = one.state == PackUnit::State::Waiting && task->reason != "None" ? task->reason : "";
            m_overSince.erase(i);
            goesOn = true;
            continue;
        }
        const auto since = m_overSince.try_emplace(i, now).first->second;
        if (!hasEnd(i, task) && now - since < kSeenWithin) {
            goesOn = true;
            continue;
        }
        fail(i, task);
    }
    return goesOn;
}

Result<Done> SlurmRun::report() const {
    if (m_changed) m_changed(m_plan);
    return writeUnits(m_plan);
}

Result<Done> SlurmRun::run() {
    const FolderLock lock(m_plan.workFolder() / "slurm.lock");
    if (!lock.isOurs()) return Error{"pack.units.busy", m_plan.folder.string(), {}, {}};
    readArrays();
    const auto found = findIntended();
    if (!found.ok()) return found;
    // Unless it is known what became of them, tasks would be submitted twice.
    const auto known = m_arrays.empty() ? std::optional(TaskStates()) : look();
    if (m_cancel.cancelled()) return Cancelled{};
    if (!known) return Error{"pack.slurm.silent", {}, {}, {}};
    const TaskStates& before = *known;
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < m_plan.units.size(); ++i) {
        const auto said = before.find(i);
        const bool isSubmitted = said != before.end() && !isOver(said->second.state);
        if (m_plan.units[i].state != PackUnit::State::Done && !isSubmitted) missing.push_back(i);
    }
    if (!missing.empty()) {
        const auto submitted = submit(missing);
        if (!submitted.ok()) return submitted;
        for (const std::size_t unit : missing) {
            m_plan.units[unit].state = PackUnit::State::Waiting;
            m_plan.units[unit].reason.clear();
        }
    }
    while (true) {
        const auto states = look();
        if (m_cancel.cancelled()) return Cancelled{};
        const bool goesOn = !states || follow(*states);
        const auto reported = report();
        if (!reported.ok()) return reported;
        if (!goesOn) return Done{};
        const auto until = std::chrono::steady_clock::now() + kLook;
        while (std::chrono::steady_clock::now() < until && !m_cancel.cancelled())
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

}  // namespace

Result<Done> packBySlurm(UnitPlan& plan, const SlurmEngine& engine, const UnitsChanged& changed,
                         const CancelToken& cancel) {
    return SlurmRun(plan, engine, changed, cancel).run();
}

}  // namespace altiscope
