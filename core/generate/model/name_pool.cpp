#include "core/generate/model/name_pool.h"

#include "core/generate/model/operation_names.h"
#include "core/generate/model/run_plan.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace altiscope::generate {

namespace {

/// Slice names that are the same in every run, and those that only ranks with collectives have.
constexpr std::array<std::string_view, 8> kFixedNames{
    "Enqueue",      "Node@launch", "Computing",        "Free",
    "EVENT_RECORD", "EVENT_WAIT",  "PROFILING_ENABLE", "PROFILING_DISABLE"};
constexpr std::array<std::string_view, 9> kCollectiveNames{"Communication", "Communication(Not Overlapped)",
                                                           "SDMA",          "Write Value",
                                                           "Notify Wait",   "Memcpy",
                                                           "Reduce_Inline", "Notify_Record",
                                                           "Notify_Wait"};

class RuntimeNames {
public:
    RuntimeNames(const RunPlan& plan, const RunProgram& program, std::uint32_t stage)
        : m_plan(plan), m_program(program), m_rank(plan.identities[stage * plan.ranksOfStage()]) {
        for (const UnitProgram& unit : program.stages[stage].units) {
            for (const HostAction& action : unit.actions) add(action);
        }
    }

    /// Names of a rank's slices other than Python functions, steps and collectives.
    std::unordered_set<std::string> names() {
        for (const std::string_view name : kFixedNames) m_names.emplace(name);
        for (const std::string_view name : kCollectiveNames) {
            if (!m_plan.groups.empty()) m_names.emplace(name);
        }
        m_names.erase("ProfilerStep#");
        if (m_rank.recordsGarbageCollection) m_names.emplace("GC");
        for (const auto& place : m_rank.memberships) {
            if (!place) continue;
            const std::vector<std::uint32_t>& members = m_plan.groups[place->group].members;
            const auto hostOf = [](std::uint32_t rank) { return rank / kDevicesPerHost; };
            if (hostOf(members.front()) != hostOf(members.back())) m_names.insert("RDMASend");
        }
        return std::move(m_names);
    }

private:
    const std::string& text(TextId id) const { return m_program.texts[id]; }

    void add(const HostAction& action) {
        switch (action.kind) {
        case ActionKind::OpEnter:
        case ActionKind::ScopeOpen:
        case ActionKind::StepClose: m_names.insert(text(m_program.sites[action.detail].name)); break;
        case ActionKind::Launch: addLaunch(m_program.launches[action.detail]); break;
        case ActionKind::HostApi:
        case ActionKind::WaitForDevice: m_names.insert("AscendCL@" + text(action.name)); break;
        case ActionKind::PythonEnter:
        case ActionKind::PythonLeave:
        case ActionKind::PythonLeaf:
        case ActionKind::OpLeave:
        case ActionKind::ScopeClose:
        case ActionKind::StepOpen:
        case ActionKind::Allocate:
        case ActionKind::Release:
        case ActionKind::UseThread:
        case ActionKind::Pause: break;
        }
    }

    void addLaunch(const LaunchSpec& launch) {
        m_names.insert(text(launch.dequeue));
        m_names.insert("AscendCL@" + text(launch.api));
        if (launch.tiling != kNoText) m_names.insert("AscendCL@" + text(launch.tiling));
        for (const TaskSpec& task : launch.tasks) {
            if (task.kind == TaskKind::Kernel) m_names.insert(text(m_program.kernels[task.index].name));
            if (task.kind == TaskKind::HostCopy || task.kind == TaskKind::DeviceCopy) m_names.insert("MEMCPY_ASYNC");
            if (task.kind == TaskKind::Collective) m_names.insert("Hccl@" + text(m_program.names.flush));
        }
        if (launch.mode != ApiMode::Op) return;
        for (const TextId name :
             {m_program.names.compile, m_program.names.destroyAttribute, m_program.names.destroyDescriptor})
            m_names.insert("AscendCL@" + text(name));
    }

    const RunPlan& m_plan;
    const RunProgram& m_program;
    const RankIdentity& m_rank;
    std::unordered_set<std::string> m_names;
};

/// Collectives are numbered within their group; the names of two groups may be the same.
std::uint64_t collectiveNames(const RunPlan& plan, const RunProgram& program, std::uint32_t stage) {
    // All operations of a group are of one type, but for those of two ranks that send each other something.
    std::array<CollectiveOperation, kMaxGroupSlots> operations{};
    for (const UnitProgram& unit : program.stages[stage].units) {
        for (const HostAction& action : unit.actions) {
            if (action.kind != ActionKind::Launch) continue;
            const LaunchSpec& launch = program.launches[action.detail];
            if (launch.mode == ApiMode::Collective) operations[launch.tasks[0].groupSlot] = launch.tasks[0].operation;
        }
    }
    const UnitCounts all = program.countsBefore(stage, plan.steps, 0);
    std::unordered_map<std::string, std::uint64_t> most;
    for (const auto& place : plan.identities[stage * plan.ranksOfStage()].memberships) {
        if (!place) continue;
        const PlannedGroup& group = plan.groups[place->group];
        std::uint64_t& count = most[collectiveName(group, operations[group.slot], 0)];
        count = std::max(count, all.collectives[group.slot]);
    }
    std::uint64_t sum = 0;
    for (const auto& [name, count] : most) sum += count;
    return sum;
}

bool isCallOnObject(const std::string& name) { return name.ends_with("0x"); }
bool isFunction(const std::string& name) { return name.find("): ") != std::string::npos; }

}  // namespace

/// Names of a stage, as they are found.
struct NamePool::FoundNames {
    std::unordered_set<std::string> names;                     ///< Those that need no numbers.
    std::unordered_map<std::uint32_t, std::uint32_t> leaders;  ///< Text of the name -> number of the leader.
};

void NamePool::readUnit(const RunProgram& program, std::uint32_t stage, std::uint32_t microBatch, FoundNames& found) {
    const std::size_t part = firstMiddleLast(microBatch);
    for (const HostAction& action : program.unit(stage, microBatch).actions) {
        if (action.kind != ActionKind::PythonEnter && action.kind != ActionKind::PythonLeaf) continue;
        const std::string& name = program.texts[action.name];
        Call call;
        if (isCallOnObject(name)) call.kind = CallKind::OnObject;
        else if (isFunction(name)) call.kind = CallKind::Function;
        if (call.kind != CallKind::OnObject) found.names.insert(name);
        if (call.kind != CallKind::Plain) {
            Places& places = call.kind == CallKind::OnObject ? m_onObjects : m_functions;
            const auto [leader, isNew] =
                found.leaders.emplace(action.name.value, static_cast<std::uint32_t>(m_leaders));
            if (isNew && call.kind == CallKind::OnObject) ++m_leaders;
            call.leader = leader->second;
            if (!isNew) call.place = static_cast<std::uint32_t>(places.inUnit[part]++);
        }
        m_calls[part].push_back(call);
    }
}

NamePool::NamePool(const RunPlan& plan, const RunProgram& program, std::uint32_t stage, std::uint64_t wanted)
    : m_microBatches(program.microBatches) {
    FoundNames found{RuntimeNames(plan, program, stage).names(), {}};
    for (const TextId frame : program.baseFrames) found.names.insert(program.texts[frame]);
    for (const std::uint32_t microBatch : {0U, 1U, m_microBatches - 1}) {
        if (microBatch < m_microBatches && m_calls[firstMiddleLast(microBatch)].empty())
            readUnit(program, stage, microBatch, found);
    }
    for (Places* places : {&m_onObjects, &m_functions}) {
        for (std::uint32_t part = 0; part < 3; ++part) {
            const std::uint64_t units = part != 1 ? 1 : m_microBatches > 2 ? m_microBatches - 2 : 0;
            places->inStep += places->inUnit[part] * units;
        }
    }
    const std::uint64_t fixed = found.names.size() + collectiveNames(plan, program, stage) + plan.steps;
    const std::uint64_t mostObjects = m_leaders + m_onObjects.inStep * plan.steps;
    const std::uint64_t mostNumbered = m_functions.inStep * plan.steps;
    const std::uint64_t rest = wanted > fixed ? wanted - fixed : 0;
    m_objects = std::clamp(rest, m_leaders, mostObjects);
    m_numberedNames = std::min(rest > m_objects ? rest - m_objects : 0, mostNumbered);
    m_names = fixed + m_objects + m_numberedNames;
}

std::size_t NamePool::firstMiddleLast(std::uint32_t microBatch) const {
    return microBatch == 0 ? 0 : microBatch + 1 == m_microBatches ? 2 : 1;
}

std::uint64_t NamePool::placeInStep(const Places& places, std::uint32_t microBatch, std::uint32_t place) const {
    if (microBatch == 0) return place;
    return places.inUnit[0] + places.inUnit[1] * (microBatch - 1) + place;
}

NamePool::Numbers NamePool::numbersOf(std::uint64_t step, std::uint32_t microBatch, std::uint64_t call) const {
    const Call& known = m_calls[firstMiddleLast(microBatch)][call];
    if (known.kind == CallKind::Plain) return {};
    if (known.kind == CallKind::Function) {
        // The leader keeps its plain name, so that this one counts too.
        if (known.place == kNoPlace) return {};
        const std::uint64_t number = step * m_functions.inStep + placeInStep(m_functions, microBatch, known.place);
        return {0, number < m_numberedNames ? static_cast<std::uint32_t>(number + 1) : 0};
    }
    // Leaders have the first numbers; the other places one each in every step, until all numbers are given. From then
    // on a place takes the numbers that it had before.
    if (known.place == kNoPlace) return {known.leader + 1, 0};
    const std::uint64_t inStep = m_onObjects.inStep;
    const std::uint64_t place = placeInStep(m_onObjects, microBatch, known.place);
    const std::uint64_t numbers = m_objects - m_leaders;
    const std::uint64_t own = numbers / inStep + (place < numbers % inStep ? 1 : 0);
    if (own == 0) return {known.leader + 1, 0};
    return {static_cast<std::uint32_t>(m_leaders + step % own * inStep + place + 1), 0};
}

}  // namespace altiscope::generate
