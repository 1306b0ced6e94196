#include "core/import/raw_host/raw_host.h"

#include "core/base/columns/keyed_sort.h"
#include "core/base/threads/parallel.h"
#include "core/import/raw_host/raw_call_tree.h"
#include "core/import/raw_host/raw_host_records.h"
#include "core/import/raw_host/raw_node_lists.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::uint32_t kAiCpuCore = 1, kCommunicationCore = 9, kGroupMarker = 6, kHcclAiCpu = 12;

/// Facts of a task that its type tells.
struct TaskKind {
    bool isKernel = false, isFfts = false, isMixed = false, isAiCpu = false, isAiCore = false, isCopy = false,
         takesContexts = false;
    std::int64_t bareCore = -1;  ///< Core of a task launched without a node call; -1: the type is none of those.
};

TaskKind kindOfTask(std::string_view type) {
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> kBare{
        {{"KERNEL_AICORE", 0}, {"KERNEL_AICPU", 1}, {"KERNEL_AIVEC", 2}, {"KERNEL_MIX_AIC", 4}, {"KERNEL_MIX_AIV", 5}}};
    TaskKind kind;
    kind.isFfts = type == "FFTS_PLUS";
    kind.isKernel = type.starts_with("KERNEL") || type == "STARS_COMMON";
    kind.isMixed = type == "KERNEL_MIX_AIC" || type == "KERNEL_MIX_AIV";
    kind.isAiCpu = type == "KERNEL_AICPU";
    kind.isAiCore = type == "KERNEL_AICORE";
    kind.isCopy = type == "MEMCPY_ASYNC";
    kind.takesContexts = kind.isAiCore || type == "KERNEL_AIVEC" || kind.isFfts || kind.isMixed;
    const auto bare = std::find_if(kBare.begin(), kBare.end(), [&type](const auto& one) { return one.first == type; });
    if (bare != kBare.end()) kind.bareCore = bare->second;
    return kind;
}

/// Records of a node call about the operator that it launches. The last of several of a kind counts, as with the
/// vendor: a call describes one operator.
struct NodeOperator {
    std::uint64_t name = 0;        ///< Name in the first record.
    std::int64_t basic = -1;       ///< Index in RawHostRecords::basics; -1: there is none.
    std::int64_t tensors = -1;     ///< Index in RawHost::tensors; -1: not stated.
    std::uint64_t attributes = 0;  ///< Hash; 0: not stated.
    std::int64_t contexts = -1;    ///< Index in RawHostRecords::contexts.
    bool isKnown = false;          ///< Any record says something.
};

class HostReader {
public:
    HostReader(const RawFiles& files, bool isLevelZero, RawContext& context)
        : m_files(files), m_isLevelZero(isLevelZero), m_context(context) {}

    RawHost read() {
        m_records = readRawHostRecords(m_files, m_host, m_context);
        const auto nameless =
            std::count_if(m_records.tracks.begin(), m_records.tracks.end(),
                          [this](const RawTrack& track) { return !m_host.texts.hasType(kRawRuntime, track.type); });
        if (nameless > 0)
            m_context.diagnostics.add("raw.nameless_type", Severity::Lost, m_files.hostName + "/data", {}, {},
                                      static_cast<std::uint64_t>(nameless));
        m_nodes.build(m_host.calls, m_context.cancel);
        if (m_nodes.excluded() > 0)
            m_context.diagnostics.add("raw.overlapping", Severity::Repaired, m_files.hostName + "/data", {}, {},
                                      m_nodes.excluded());
        m_isUsed.resize(m_nodes.size());
        describe();
        // Records of real jobs make one or two tasks each; more than this are refused.
        constexpr std::size_t kFewest = 4096, kMaxOfRecord = 16;
        m_room = kFewest + kMaxOfRecord * (m_records.tracks.size() + m_records.hcclStamps.size());
        for (const auto* contexts : {&m_records.contexts, &m_records.hcclContexts}) {
            for (const RawHostRecords::Contexts& one : *contexts) m_room += kMaxOfRecord * (1 + one.ids.size());
        }
        m_host.tasks.reserve(m_records.tracks.size());
        m_host.ops.reserve(m_records.tracks.size());
        for (std::size_t i = 0; i < m_records.tracks.size() && !isCancelled(i); ++i) addTasks(m_records.tracks[i]);
        if (m_excluded > 0)
            m_context.diagnostics.add("raw.bad_record", Severity::Lost, m_files.hostName + "/data", {}, {}, m_excluded);
        reportUnused();
        report("raw.undescribed", Severity::Repaired, m_undescribed);
        report("raw.no_kernel", Severity::Info, m_noKernels);
        finishCollectives();
        addCopies();
        m_host.tensors = m_records.tensorLists.take();
        return std::move(m_host);
    }

private:
    /// The calls around a task: the nearest one of each level, and the innermost of all; -1: there is none.
    struct Around {
        std::int64_t leaf = -1, model = -1, node = -1, communication = -1;
    };
    /// A copy of memory, on its way from the records to its tasks.
    struct CopyTask {
        std::uint32_t task;  ///< Number in RawHost::tasks.
        std::uint32_t thread;
        std::uint64_t time;
    };

    void report(std::string_view code, Severity severity, std::uint64_t count) {
        if (count > 0) m_context.diagnostics.add(code, severity, m_files.hostName + "/data", {}, {}, count);
    }
    /// Looks at every so many of a loop.
    bool isCancelled(std::size_t number) const {
        static constexpr std::size_t kBetweenLooks = 1024;
        return number % kBetweenLooks == 0 && m_context.cancel.cancelled();
    }
    void describe();
    void addTasks(const RawTrack& track);
    void addComputing(const RawTrack& track, const TaskKind& kind, const Around& around, RawHostTask task);
    void addOther(const RawTrack& track, const TaskKind& kind, RawHostTask task);
    void addParts(const RawTrack& track, const Around& around, RawHostTask task);
    void reportUnused();
    void finishCollectives();
    void addCopies();
    Around callsAround(const RawTrack& track);
    bool computes(const TaskKind& kind, const Around& around);
    const NodeOperator& operatorOf(std::int64_t node);
    std::optional<RawOp> opOf(const NodeOperator& described, const RawTrack& track, std::uint64_t name) const;
    /// See RawHostTask::connection.
    std::int64_t looseThread(std::uint32_t thread) {
        const auto [number, isNew] = m_looseThreads.try_emplace(thread, m_host.looseThreads);
        if (isNew) ++m_host.looseThreads;
        return -2 - number->second;
    }
    const RawCall& callOf(std::int64_t node) const { return m_host.calls[m_nodes[node].call]; }
    std::uint32_t collectiveOf(std::int64_t node);
    std::int64_t addOp(const RawOp& op) {
        m_host.ops.push_back(op);
        return static_cast<std::int64_t>(m_host.ops.size()) - 1;
    }
    void addTask(const RawHostTask& task, const TaskKind& kind, const RawTrack& track) {
        if (kind.isCopy && !m_records.copies.empty())
            m_copyTasks.push_back({static_cast<std::uint32_t>(m_host.tasks.size()), track.thread, track.time});
        m_host.tasks.push_back(task);
    }
    /// The result of `find` for the text of a type or a call's item, computed once for each.
    template <class Find>
    static const auto& remembered(auto& known, std::uint64_t key, const Find& find) {
        const auto [at, isNew] = known.try_emplace(key);
        if (isNew) at->second = find();
        return at->second;
    }

    /// Whether the records justify so many further tasks and parts: a few records can name each other many times over.
    bool takeRoom(std::size_t count) {
        if (count > m_room) {
            m_excluded += count;
            return false;
        }
        m_room -= count;
        return true;
    }

    const RawFiles& m_files;
    const bool m_isLevelZero;
    RawContext& m_context;
    RawHost m_host;
    RawHostRecords m_records;
    std::size_t m_room = 0, m_excluded = 0;  // tasks and parts
    RawCallTree m_nodes;
    std::vector<bool> m_isUsed;                        // by node: a task of it computes, or is a part of a collective
    std::uint64_t m_undescribed = 0, m_noKernels = 0;  // tasks that compute or are parts
    std::unordered_map<std::int64_t, std::uint32_t> m_collectives;  // by node
    std::unordered_map<std::uint32_t, std::int64_t> m_looseThreads;
    RawNodeLists m_basicLists, m_attributeLists, m_tensorLists, m_contextLists, m_hcclOpLists, m_hcclTaskLists,
        m_hcclContextLists;
    std::unordered_map<std::uint64_t, TaskKind> m_kinds;               // by type
    std::unordered_map<std::uint64_t, bool> m_stepTypes, m_lcclItems;  // of node calls
    RawCallTree::Search m_search;
    std::int64_t m_lastNode = -1;  // of operatorOf
    NodeOperator m_operator;
    std::vector<CopyTask> m_copyTasks;
    std::string m_scratch[2];
};

void HostReader::describe() {
    std::array<std::uint64_t, 7> outside{};
    const auto attach = [&](const auto& records, RawNodeLists& lists, std::uint64_t& outsideCount, bool isOutermost,
                            std::uint16_t level) {
        const auto byTime = sortedNumbers(
            records.size(), [&](std::size_t i) { return records[i].time; }, m_context.cancel);
        std::vector<std::int64_t> nodes;
        std::vector<std::uint32_t> order;
        nodes.reserve(byTime.size());
        order.reserve(byTime.size());
        RawCallTree::Search search;
        for (const KeyedNumber& one : byTime) {
            // Without nodes the lists are of no use, and are not read any more.
            if (isCancelled(nodes.size())) break;
            const auto& record = records[one.number];
            order.push_back(one.number);
            nodes.push_back(m_nodes.nodeAt(record.thread, record.time, level, isOutermost, search));
            if (nodes.back() < 0) ++outsideCount;
        }
        lists.build(m_nodes.size(), nodes, order);
    };
    const std::function<void()> readers[] = {
        [&] { attach(m_records.basics, m_basicLists, outside[0], false, kRawNode); },
        [&] { attach(m_records.tensors, m_tensorLists, outside[1], true, kRawNode); },
        [&] { attach(m_records.contexts, m_contextLists, outside[2], true, kRawNode); },
        [&] { attach(m_records.attributes, m_attributeLists, outside[3], true, kRawNode); },
        [&] { attach(m_records.hcclOps, m_hcclOpLists, outside[4], true, kRawNode); },
        [&] { attach(m_records.hcclStamps, m_hcclTaskLists, outside[5], true, kRawCommunication); },
        [&] { attach(m_records.hcclContexts, m_hcclContextLists, outside[6], true, kRawCommunication); }};
    parallelFor(std::size(readers), [&](std::size_t i) { readers[i](); });
    const std::uint64_t outsideAll = std::accumulate(outside.begin(), outside.end(), std::uint64_t{0});
    if (outsideAll > 0)
        m_context.diagnostics.add("raw.outside", Severity::Info, m_files.hostName + "/data", {}, {}, outsideAll);
}

/// Tasks come by time, so that those of a node mostly come one after the other.
const NodeOperator& HostReader::operatorOf(std::int64_t node) {
    if (node == m_lastNode) return m_operator;
    m_lastNode = node;
    m_operator = {};
    const auto take = [this](const auto& records, std::span<const std::uint32_t> numbers) -> std::int64_t {
        if (numbers.empty()) return -1;
        if (!m_operator.isKnown) m_operator.name = records[numbers.front()].op;
        m_operator.isKnown = true;
        return numbers.back();
    };
    m_operator.basic = take(m_records.basics, m_basicLists.of(node));
    if (const std::int64_t last = take(m_records.attributes, m_attributeLists.of(node)); last >= 0)
        m_operator.attributes = m_records.attributes[static_cast<std::size_t>(last)].text;
    const auto tensors = m_tensorLists.of(node);
    if (const std::int64_t last = take(m_records.tensors, tensors); last >= 0) {
        // A record has room for five tensors; of more there are several with one time.
        const auto keyOf = [this](std::uint32_t number) {
            const RawHostRecords::Tensors& one = m_records.tensors[number];
            return std::pair(one.time, one.op);
        };
        std::string joined;
        std::size_t count = 0;
        for (const std::uint32_t number : tensors) {
            if (keyOf(number) != keyOf(static_cast<std::uint32_t>(last))) continue;
            if (++count == 1) m_operator.tensors = m_records.tensors[number].list;
            joined += m_records.tensorLists[m_records.tensors[number].list];
        }
        if (count > 1) m_operator.tensors = m_records.tensorLists.number(joined);
    }
    m_operator.contexts = take(m_records.contexts, m_contextLists.of(node));
    return m_operator;
}

/// The operator of a task, as a summary has it; nullopt: it has no row there.
/// @param name  Of the operator where the profiler's level is 0.
std::optional<RawOp> HostReader::opOf(const NodeOperator& described, const RawTrack& track, std::uint64_t name) const {
    RawOp op;
    op.name = name;
    if (track.hasBlocks) {
        op.blocks = track.blocks;
        op.mixedBlocks = track.mixedBlocks;
    }
    if (m_isLevelZero) return op;
    if (described.basic < 0) return std::nullopt;
    const RawHostRecords::Basic& basic = m_records.basics[static_cast<std::size_t>(described.basic)];
    op.name = basic.op;
    op.type = basic.type;
    op.core = basic.core;
    op.hasCore = op.hasDetails = true;
    // A record that does not age describes a graph that was loaded before it ran.
    op.state = basic.isAging ? TaskRecord::State::Dynamic : TaskRecord::State::Static;
    op.hf32 = basic.isHf32 ? TaskRecord::Hf32::Yes : TaskRecord::Hf32::No;
    if (!track.hasBlocks) {
        op.blocks = basic.blocks & 0xffff;
        op.mixedBlocks = op.blocks * (basic.blocks >> 16);
    }
    op.tensors = described.tensors;
    op.attributes = described.attributes;
    return op;
}

HostReader::Around HostReader::callsAround(const RawTrack& track) {
    Around around;
    around.leaf = m_nodes.deepest(track.thread, track.time, m_search);
    for (std::int64_t at = around.leaf; at >= 0; at = m_nodes[at].parent) {
        const std::uint16_t level = m_nodes[at].level;
        if (level == kRawNode && around.node < 0) around.node = at;
        if (level == kRawCommunication && around.communication < 0) around.communication = at;
        if (level == kRawModel && around.model < 0) around.model = at;
    }
    return around;
}

bool HostReader::computes(const TaskKind& kind, const Around& around) {
    if (around.node < 0 || !(kind.isKernel || (kind.isFfts && around.communication < 0))) return false;
    m_isUsed[static_cast<std::size_t>(around.node)] = true;
    const RawCall& call = callOf(around.node);
    const bool isStep = remembered(m_stepTypes, call.type,
                                   [&] { return m_host.texts.type(kRawNode, call.type, m_scratch[1]) == "step_info"; });
    const bool isLccl = remembered(m_lcclItems, call.item,
                                   [&] { return m_host.texts.text(call.item, m_scratch[1]).starts_with("Lccl"); });
    return !isStep && !isLccl;
}

void HostReader::addTasks(const RawTrack& track) {
    const Around around = callsAround(track);
    const TaskKind& kind = remembered(
        m_kinds, track.type, [&] { return kindOfTask(m_host.texts.type(kRawRuntime, track.type, m_scratch[0])); });
    RawHostTask task{track.device, track.stream, track.batch, track.task, kRawNoContext, track.type, -1, -1};
    task.kernelName = track.kernelName;
    task.time = track.time;
    task.thread = track.thread;
    if (around.model >= 0) task.model = static_cast<std::uint32_t>(callOf(around.model).item);
    const bool isComputing = computes(kind, around), isHccl = around.communication >= 0;
    const std::int64_t launch = isComputing || isHccl ? around.node : around.leaf;
    task.connection = launch >= 0 ? static_cast<std::int64_t>(m_nodes[launch].call) : looseThread(track.thread);
    if (isComputing) return addComputing(track, kind, around, task);
    if (!isHccl) {
        if (kind.bareCore >= 0 && around.node < 0 && track.kernelName == 0) ++m_undescribed;
        return addOther(track, kind, task);
    }
    // A launch outside of all operators is no part of one, and the vendor knows no task of it.
    if (around.node >= 0) addParts(track, around, task);
}

void HostReader::addOther(const RawTrack& track, const TaskKind& kind, RawHostTask task) {
    if (kind.isMixed) task.context = 0;
    if (kind.bareCore >= 0 && track.kernelName != 0) {
        RawOp op;
        op.name = op.type = track.kernelName;
        op.core = static_cast<std::uint32_t>(kind.bareCore);
        op.hasDetails = op.hasCore = !m_isLevelZero;
        if (track.hasBlocks) {
            op.blocks = track.blocks;
            op.mixedBlocks = track.mixedBlocks;
        }
        task.op = addOp(op);
    }
    addTask(task, kind, track);
}

void HostReader::addComputing(const RawTrack& track, const TaskKind& kind, const Around& around, RawHostTask task) {
    const NodeOperator& described = operatorOf(around.node);
    if (around.communication >= 0) {
        const std::uint64_t name = callOf(around.communication).item;
        RawOp op = opOf(described, track, name).value_or(RawOp{});
        if (!m_isLevelZero) {
            if (!op.hasCore) op.state = TaskRecord::State::Static;
            if (!op.hasCore) op.hf32 = TaskRecord::Hf32::No;
            op.hasCore = op.hasDetails = true;
            if (kind.isAiCpu) op.core = kHcclAiCpu;
            else if (kind.isAiCore) op.core = kCommunicationCore;
        }
        op.name = name;
        task.op = addOp(op);
        return addParts(track, around, task);
    }
    const bool hasContexts = described.contexts >= 0;
    const bool usesContexts = hasContexts && kind.takesContexts;
    const bool isMarker =
        described.basic >= 0 && m_records.basics[static_cast<std::size_t>(described.basic)].core == kGroupMarker;
    const bool hasRecords = described.basic >= 0 || described.tensors >= 0 || described.attributes != 0 || usesContexts;
    // The group of sub-tasks itself.
    if (hasContexts) addTask(task, kind, track);
    if (isMarker || (!hasRecords && hasContexts)) {
        if (!hasContexts) {
            if (const auto op = opOf({}, track, callOf(around.node).item)) task.op = addOp(*op);
            else ++m_undescribed;
            addTask(task, kind, track);
        }
        return;
    }
    std::optional<RawOp> op = opOf(described, track, hasRecords ? described.name : callOf(around.node).item);
    if (op && kind.isAiCpu && op->hasCore && op->core == kCommunicationCore) op->core = kAiCpuCore;
    if (!op) ++m_undescribed;
    else if (op->hasCore && isRawOtherCore(op->core)) ++m_noKernels;
    task.op = op ? addOp(*op) : -1;
    if (!usesContexts) return addTask(task, kind, track);
    const std::vector<std::uint32_t>& ids = m_records.contexts[static_cast<std::size_t>(described.contexts)].ids;
    if (!takeRoom(ids.size())) return;
    for (const std::uint32_t id : ids) {
        task.context = id;
        addTask(task, kind, track);
    }
}

std::uint32_t HostReader::collectiveOf(std::int64_t node) {
    const auto [number, isNew] = m_collectives.try_emplace(node, static_cast<std::uint32_t>(m_host.collectives.size()));
    if (isNew) m_host.collectives.emplace_back().call = static_cast<std::int64_t>(m_nodes[node].call);
    return number->second;
}

/// The tasks of a collective's launch, each with the part that it is.
void HostReader::addParts(const RawTrack& track, const Around& around, RawHostTask task) {
    const std::uint32_t collective = collectiveOf(around.node);
    m_isUsed[static_cast<std::size_t>(around.node)] = true;
    const RawCall& call = callOf(around.communication);
    const bool isMaster = m_host.texts.type(call.level, call.type, m_scratch[1]) == "master";
    const TaskKind& kind = m_kinds[track.type];
    std::map<std::uint32_t, std::int64_t> infos;  // by context; -1: nothing is known of the part
    const auto contexts = m_hcclContextLists.of(around.communication);
    for (const std::uint32_t number : contexts) {
        // The first and the last one.
        const std::vector<std::uint32_t>& ids = m_records.hcclContexts[number].ids;
        if (ids.size() != 2) break;
        if (ids[1] >= ids[0] && !takeRoom(std::size_t{ids[1]} - ids[0] + 1)) break;
        for (std::uint64_t id = ids[0]; id <= ids[1]; ++id) infos.emplace(static_cast<std::uint32_t>(id), -1);
    }
    const bool hasGroup = !infos.empty();
    const auto known = m_hcclTaskLists.of(around.communication);
    m_isUsed[static_cast<std::size_t>(around.communication)] = true;
    if (!takeRoom(1 + known.size())) return;
    for (const std::uint32_t number : known) {
        const std::uint32_t context = m_host.hcclTasks[number].context;
        const auto place = infos.find(context);
        if (place != infos.end()) place->second = number;
        else if (!hasGroup) infos.emplace(context, number);
    }
    if (infos.empty()) infos.emplace(kRawNoContext, -1);
    if (hasGroup && !infos.contains(kRawNoContext)) addTask(task, kind, track);
    for (const auto& [context, info] : infos) {
        task.context = context;
        if (info < 0 && !m_isLevelZero) ++m_undescribed;
        task.firstPart = static_cast<std::uint32_t>(m_host.collectiveParts.size());
        task.parts = 1;
        m_host.collectiveParts.push_back({collective, track.time, info, track.thread, isMaster});
        addTask(task, kind, track);
    }
}

/// Operators and parts of collectives are described where they are launched: a description without a task means that
/// something is missing.
void HostReader::reportUnused() {
    std::uint64_t unused = 0;
    for (std::size_t i = 0; i < m_isUsed.size() && !isCancelled(i); ++i) {
        const auto node = static_cast<std::int64_t>(i);
        const bool isDescribed = !m_basicLists.of(node).empty() || !m_hcclTaskLists.of(node).empty();
        unused += !m_isUsed[i] && isDescribed ? 1 : 0;
    }
    report("raw.unused", Severity::Info, unused);
}

/// Adds what the records within their calls say about collectives, and the groups that only the tasks tell.
void HostReader::finishCollectives() {
    for (const auto& [node, number] : m_collectives) {
        RawCollective& collective = m_host.collectives[number];
        if (const auto ops = m_hcclOpLists.of(node); !ops.empty()) {
            const RawHostRecords::HcclOp& op = m_records.hcclOps[ops.front()];
            collective.group = op.group;
            collective.algorithm = op.algorithm;
            collective.count = op.count;
            collective.flags = op.flags;
            collective.dataType = op.dataType;
            collective.hasInfo = collective.hasGroup = true;
        }
        if (const auto basics = m_basicLists.of(node); !basics.empty()) {
            collective.type = m_records.basics[basics.front()].type;
            collective.hasType = true;
        }
    }
    std::vector<std::uint64_t> last(m_host.collectives.size());
    for (const RawCollectivePart& part : m_host.collectiveParts) {
        if (part.info < 0) continue;
        const RawHcclTask& info = m_host.hcclTasks[static_cast<std::size_t>(part.info)];
        RawCollective& collective = m_host.collectives[part.collective];
        if (part.time >= last[part.collective]) collective.rankSize = info.rankSize;
        last[part.collective] = std::max(last[part.collective], part.time);
        if (collective.hasGroup) continue;
        collective.group = info.group;
        collective.hasGroup = true;
    }
}

/// Says how much the tasks of copies moved: those of one thread and time share what a record says, each takes as much
/// as one task can.
void HostReader::addCopies() {
    m_host.hasCopies = !m_records.copies.empty();
    std::map<std::pair<std::uint32_t, std::uint64_t>, RawHostRecords::Copy> rest;  // by thread and time
    for (const RawHostRecords::Copy& copy : m_records.copies) rest[{copy.thread, copy.time}] = copy;
    const auto numbersOf = [this](const CopyTask& one) {
        const RawHostTask& task = m_host.tasks[one.task];
        return std::tuple(task.batch, task.task, one.task);
    };
    std::sort(m_copyTasks.begin(), m_copyTasks.end(),
              [&](const CopyTask& a, const CopyTask& b) { return numbersOf(a) < numbersOf(b); });
    std::set<std::pair<std::uint32_t, std::uint64_t>> taken;
    for (const CopyTask& one : m_copyTasks) {
        const auto copy = rest.find({one.thread, one.time});
        RawCopy made;
        if (copy != rest.end() && copy->second.bytes > 0) {
            made.bytes = std::min(copy->second.bytes, copy->second.most);
            made.direction = copy->second.direction;
            copy->second.bytes -= made.bytes;
        }
        if (copy != rest.end()) taken.insert(copy->first);
        m_host.tasks[one.task].copy = static_cast<std::uint32_t>(m_host.copies.size());
        m_host.copies.push_back(made);
    }
    report("raw.lone_copy", Severity::Info, rest.size() - taken.size());
}

}  // namespace

RawHost readRawHost(const RawFiles& files, bool isLevelZero, RawContext& context) {
    return HostReader(files, isLevelZero, context).read();
}

std::string rawCoreName(std::uint32_t core) {
    static constexpr std::string_view kNames[] = {
        "AI_CORE", "AI_CPU", "AI_VECTOR_CORE", "WRITE_BACK", "MIX_AIC", "MIX_AIV",    "FFTS_PLUS",
        "DSA_SQE", "DVPP",   "COMMUNICATION",  "FUSION",     "INVALID", "HCCL_AI_CPU"};
    return core < std::size(kNames) ? std::string(kNames[core]) : std::to_string(core);
}

std::string_view rawLevelName(std::uint16_t level) {
    switch (level) {
    case kRawAcl: return "acl";
    case kRawModel: return "model";
    case kRawNode: return "node";
    case kRawCommunication: return "communication";
    case kRawRuntime: return "runtime";
    case kRawMark: return "msproftx";
    case kRawTorchNpu: return "pta";
    case kRawTorch: return "pytorch";
    default: return {};
    }
}

std::string_view rawCopyDirection(std::uint16_t direction) {
    static constexpr std::string_view kWords[] = {"host to host",      "host to device",   "device to host",
                                                  "device to device",  "managed memory",   "addr device to device",
                                                  "host to device ex", "device to host ex"};
    return direction < std::size(kWords) ? kWords[direction] : "other";
}

bool isRawCommunicationCore(std::uint32_t core) { return core == kCommunicationCore; }

bool isRawOtherCore(std::uint32_t core) {
    static constexpr std::uint32_t kWriteBack = 3, kInvalid = 11;
    return core == kWriteBack || core == kInvalid || core == kHcclAiCpu || core == kCommunicationCore;
}

}  // namespace altiscope::reader
