#include "core/import/raw/raw_host.h"

#include "core/base/keyed_sort.h"
#include "core/base/parallel.h"
#include "core/base/parallel_sort.h"
#include "core/import/raw/raw_call_tree.h"
#include "core/import/raw/raw_node_lists.h"
#include "core/import/raw/raw_rounds.h"
#include "core/trace/raw_layouts.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::uint32_t kCommunicationCore = 9, kGroupMarker = 6, kHcclAiCpu = 12;
constexpr std::size_t kTensorBytes = 44;

struct Basic {
    std::uint64_t time, op, type;
    std::uint32_t thread, core, blocks;
    bool isAging, isHf32;
};
struct Tensors {
    std::uint64_t time, op;
    std::uint32_t thread, list;
};
struct Contexts {
    std::uint64_t time, op;
    std::uint32_t thread;
    std::vector<std::uint32_t> ids;
};

struct HcclOp {
    std::uint64_t time, algorithm, count, group;
    std::uint32_t thread;
    std::uint8_t flags, dataType;
};
struct HcclStamp {
    std::uint64_t time;
    std::uint32_t thread;
};

/// What the type of a task says about it.
struct TaskKind {
    bool isKernel = false, isFfts = false, isMixed = false, isAiCpu = false, takesContexts = false;
    std::int64_t bareCore = -1;  ///< Of what is launched without a node call; -1: it is nothing of that kind.
};

TaskKind kindOfTask(std::string_view type) {
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> kBare{
        {{"KERNEL_AICORE", 0}, {"KERNEL_AICPU", 1}, {"KERNEL_AIVEC", 2}, {"KERNEL_MIX_AIC", 4}, {"KERNEL_MIX_AIV", 5}}};
    TaskKind kind;
    kind.isFfts = type == "FFTS_PLUS";
    kind.isKernel = type.starts_with("KERNEL") || type == "STARS_COMMON";
    kind.isMixed = type.starts_with("KERNEL_MIX");
    kind.isAiCpu = type == "KERNEL_AICPU";
    kind.takesContexts = type == "KERNEL_AICORE" || type == "KERNEL_AIVEC" || kind.isFfts || kind.isMixed;
    const auto bare = std::find_if(kBare.begin(), kBare.end(), [&type](const auto& one) { return one.first == type; });
    if (bare != kBare.end()) kind.bareCore = bare->second;
    return kind;
}

/// What is known of one node call.
struct NodeFacts {
    std::span<const std::uint32_t> basics, tensors, contexts;
    std::int64_t node = -1, outer = -1;
};

const RawFamily* familyOf(const RawFiles& files, std::string_view stem, bool isAging) {
    for (const RawFamily& family : files.host) {
        if (family.stem == stem && family.isAging == isAging) return &family;
    }
    return nullptr;
}

template <const RawLayout& layout>
std::size_t roomForHost(const RawFiles& files, std::string_view stem) {
    std::size_t room = 0;
    for (const bool isAging : {false, true}) {
        if (const RawFamily* family = familyOf(files, stem, isAging)) room += roomForRaw(*family, layout.size);
    }
    return room;
}

template <const RawLayout& layout, class Take>
void eachHostRecord(const RawFiles& files, std::string_view stem, RawContext& context, const Take& take) {
    std::uint64_t before = 0;
    for (const bool isAging : {false, true}) {
        const RawFamily* family = familyOf(files, stem, isAging);
        if (family == nullptr) continue;
        std::uint64_t next = before;
        eachRawRecord(*family, layout.size, kRawHostMagic, 0, context, [&](const char* bytes, std::uint64_t number) {
            next = before + number + 1;
            const RawRecord<layout> record(bytes);
            if constexpr (std::is_invocable_v<const Take&, const RawRecord<layout>&, std::uint64_t, bool>)
                take(record, before + number, isAging);
            else take(record, before + number);
        });
        before = next;
    }
}

class HostReader {
public:
    HostReader(const RawFiles& files, bool isLevelZero, RawContext& context)
        : m_files(files), m_isLevelZero(isLevelZero), m_context(context) {}

    RawHost read() {
        // Families are apart from each other.
        const std::function<void(RawContext&)> families[] = {
            [this](RawContext& context) { readCalls(context); },
            [this](RawContext& context) { readTensors(context); },
            [this](RawContext& context) { readTracks(context); },
            [this](RawContext& context) { readDescriptions(context); },
            [this](RawContext& context) { readHccl(context); },
            [this](RawContext& context) { m_host.texts.read(m_files, context); }};
        std::array<Diagnostics, std::size(families)> told;
        parallelFor(std::size(families), [&](std::size_t i) {
            RawContext own{told[i], m_context.progress, m_context.cancel};
            families[i](own);
        });
        for (const Diagnostics& one : told) m_context.diagnostics.merge(one);
        const auto nameless = std::count_if(m_tracks.begin(), m_tracks.end(), [this](const RawTrack& track) {
            return !m_host.texts.hasType(kRawRuntime, track.type);
        });
        if (nameless > 0)
            m_context.diagnostics.add("raw.nameless_type", Severity::Lost, m_files.hostName + "/data", {}, {},
                                      static_cast<std::uint64_t>(nameless));
        m_nodes.build(m_host.calls, m_context.cancel);
        describe();
        // Of what real jobs launch each record makes one or two.
        constexpr std::size_t kFewest = 4096, kMostOfRecord = 16;
        m_room = kFewest + kMostOfRecord * (m_tracks.size() + m_hcclStamps.size());
        for (const Contexts& one : m_contexts) m_room += kMostOfRecord * (1 + one.ids.size());
        m_host.tasks.reserve(m_tracks.size());
        for (std::size_t i = 0; i < m_tracks.size() && !isCancelled(i); ++i) addTasks(m_tracks[i]);
        if (m_excluded > 0)
            m_context.diagnostics.add("raw.bad_record", Severity::Lost, m_files.hostName + "/data", {}, {}, m_excluded);
        finishCollectives();
        return std::move(m_host);
    }

private:
    /// Looks at every so many of a loop.
    bool isCancelled(std::size_t number) const {
        static constexpr std::size_t kBetweenLooks = 1024;
        return number % kBetweenLooks == 0 && m_context.cancel.cancelled();
    }
    void readCalls(RawContext& context);
    void readDescriptions(RawContext& context);
    void readTracks(RawContext& context);
    void describe();
    void addTasks(const RawTrack& track);
    void addParts(const RawTrack& track, std::int64_t communication, std::int64_t outer, RawHostTask task);
    void finishCollectives();
    void readHccl(RawContext& context);
    void readTensors(RawContext& context);
    RawOp opOf(const NodeFacts& facts, std::uint64_t name, const RawTrack& track);
    std::int64_t tensorsOf(const NodeFacts& facts, std::uint64_t name);
    std::uint32_t tensorList(std::string_view list) {
        if (const auto known = m_lists.find(list); known != m_lists.end()) return known->second;
        const auto number = static_cast<std::uint32_t>(m_host.tensors.size());
        m_lists.emplace(list, number);
        m_host.tensors.emplace_back(list);
        return number;
    }
    /// What the text of a type or a call's item says, found out once for each.
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
    std::size_t m_room = 0, m_excluded = 0;  // tasks and parts
    std::vector<RawTrack> m_tracks;
    RawCallTree m_nodes;
    std::vector<Basic> m_basics;
    std::vector<Tensors> m_tensors;
    std::vector<Contexts> m_contexts;
    std::vector<HcclOp> m_hcclOps;
    std::vector<HcclStamp> m_hcclStamps;                            // of RawHost::hcclTasks
    std::unordered_map<std::int64_t, std::uint32_t> m_collectives;  // by node
    RawNodeLists m_basicLists, m_tensorLists, m_contextLists, m_hcclOpLists, m_hcclTaskLists;
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> m_lists;
    std::unordered_map<std::uint64_t, TaskKind> m_kinds;               // by type
    std::unordered_map<std::uint64_t, bool> m_stepTypes, m_lcclItems;  // of node calls
    RawCallTree::Search m_search;
    RawRecordsByName m_basicsByName, m_tensorsByName;
    std::map<std::pair<std::int64_t, std::uint64_t>, std::int64_t> m_joinedLists;  // by node and operator
    std::string m_scratch[2];
};

void HostReader::readCalls(RawContext& context) {
    static constexpr std::uint64_t kEvent = ~std::uint64_t{0};
    using Key = std::tuple<std::uint16_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>;
    std::map<Key, RawCall> open;
    m_host.calls.reserve(roomForHost<kRawCall>(m_files, "api_event.data"));
    eachHostRecord<kRawCall>(m_files, "api_event.data", context, [&](const auto& record, std::uint64_t number) {
        RawCall call;
        call.begin = record.template get<"begin">();
        call.end = record.template get<"end">();
        call.item = record.template get<"item">();
        call.type = record.template get<"type">();
        call.thread = record.template get<"thread">();
        call.request = record.template get<"request">();
        call.level = record.template get<"level">();
        call.number = number;
        if (call.end == kEvent) {
            const Key key{call.level, call.type, call.thread, call.request, call.item};
            const auto first = open.find(key);
            if (first == open.end()) {
                open.emplace(key, call);
                return;
            }
            call.end = call.begin;
            call.begin = first->second.begin;
            call.number = first->second.number;
            open.erase(first);
        }
        m_host.calls.push_back(call);
    });
    if (!open.empty())
        context.diagnostics.add("raw.unpaired", Severity::Lost, m_files.hostName + "/data", {}, {{"what", "api_event"}},
                                open.size());
    sortRawCalls(m_host.calls, context.cancel);
}

void HostReader::readDescriptions(RawContext& context) {
    m_basics.reserve(roomForHost<kRawNodeInfo>(m_files, "compact.node_basic_info"));
    eachHostRecord<kRawNodeInfo>(
        m_files, "compact.node_basic_info", context, [&](const auto& record, std::uint64_t, bool isAging) {
            m_basics.push_back({record.template get<"time">(), record.template get<"op_name">(),
                                record.template get<"op_type">(), record.template get<"thread">(),
                                record.template get<"task_type">(), record.template get<"blocks">(), isAging,
                                (record.template get<"flags">() & 1) != 0});
        });
    eachHostRecord<kRawContexts>(
        m_files, "additional.context_id_info", context, [&](const auto& record, std::uint64_t) {
            if (record.template get<"level">() != kRawNode) return;
            static constexpr std::size_t kMost = 55;
            Contexts contexts{
                record.template get<"time">(), record.template get<"op_name">(), record.template get<"thread">(), {}};
            for (std::size_t i = 0; i < std::min<std::size_t>(record.template get<"count">(), kMost); ++i)
                contexts.ids.push_back(record.template at<"ids">(i));
            m_contexts.push_back(std::move(contexts));
        });
}

void HostReader::readTensors(RawContext& context) {
    m_tensors.reserve(roomForHost<kRawTensors>(m_files, "additional.tensor_info"));
    eachHostRecord<kRawTensors>(m_files, "additional.tensor_info", context, [&](const auto& record, std::uint64_t) {
        static constexpr std::size_t kMost = 5;
        const std::size_t count = std::min<std::size_t>(record.template get<"count">(), kMost);
        m_tensors.push_back({record.template get<"time">(), record.template get<"op_name">(),
                             record.template get<"thread">(),
                             tensorList(record.template bytes<"tensors">(count * kTensorBytes))});
    });
}

void HostReader::readHccl(RawContext& context) {
    m_hcclStamps.reserve(roomForHost<kRawHcclTask>(m_files, "additional.hccl_info"));
    m_host.hcclTasks.reserve(m_hcclStamps.capacity());
    eachHostRecord<kRawHcclOp>(m_files, "compact.hccl_op_info", context, [&](const auto& record, std::uint64_t) {
        m_hcclOps.push_back({record.template get<"time">(), record.template get<"algorithm">(),
                             record.template get<"count">(), record.template get<"group">(),
                             record.template get<"thread">(), record.template get<"flags">(),
                             record.template get<"data_type">()});
    });
    eachHostRecord<kRawHcclTask>(m_files, "additional.hccl_info", context, [&](const auto& record, std::uint64_t) {
        m_hcclStamps.push_back({record.template get<"time">(), record.template get<"thread">()});
        RawHcclTask& task = m_host.hcclTasks.emplace_back();
        task.item = record.template get<"item">();
        task.group = record.template get<"group">();
        task.notify = record.template get<"notify">();
        task.bytes = record.template get<"bytes">();
        task.estimate = record.template get<"estimate">();
        task.localRank = record.template get<"local_rank">();
        task.remoteRank = record.template get<"remote_rank">();
        task.rankSize = record.template get<"rank_size">();
        task.plane = record.template get<"plane">();
        task.context = record.template get<"context">();
        task.dataType = record.template get<"data_type">();
        task.link = record.template get<"link">();
        task.transport = record.template get<"transport">();
        task.rdma = record.template get<"rdma">();
    });
}

void HostReader::readTracks(RawContext& context) {
    m_tracks.reserve(roomForHost<kRawTaskTrack>(m_files, "compact.task_track"));
    eachHostRecord<kRawTaskTrack>(m_files, "compact.task_track", context, [&](const auto& record, std::uint64_t) {
        static constexpr std::uint32_t kWithBlocks = 40;
        m_tracks.push_back({record.template get<"time">(), record.template get<"type">(),
                            record.template get<"kernel_name">(), record.template get<"thread">(),
                            static_cast<std::uint16_t>(record.template get<"device">() & 0xfff),
                            record.template get<"stream">(), record.template get<"task">(),
                            record.template get<"batch">(), record.template get<"blocks">(),
                            std::uint32_t{record.template get<"blocks">()} * (record.template get<"mix_ratio">() & 7U),
                            record.template get<"length">() == kWithBlocks});
    });
    numberRawTracks(m_tracks, context.cancel);
}

void HostReader::describe() {
    std::array<std::uint64_t, 5> outside{};
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
            // Without nodes the lists are of no use, and nobody looks at them any more.
            if (isCancelled(nodes.size())) break;
            const auto& record = records[one.number];
            order.push_back(one.number);
            nodes.push_back(m_nodes.nodeAt(record.thread, record.time, level, isOutermost, search));
            if (nodes.back() < 0) ++outsideCount;
        }
        lists.build(m_nodes.size(), nodes, order);
    };
    const std::function<void()> families[] = {
        [&] { attach(m_basics, m_basicLists, outside[0], false, kRawNode); },
        [&] { attach(m_tensors, m_tensorLists, outside[1], true, kRawNode); },
        [&] { attach(m_contexts, m_contextLists, outside[2], true, kRawNode); },
        [&] { attach(m_hcclOps, m_hcclOpLists, outside[3], true, kRawNode); },
        [&] { attach(m_hcclStamps, m_hcclTaskLists, outside[4], false, kRawCommunication); }};
    parallelFor(std::size(families), [&](std::size_t i) { families[i](); });
    const std::uint64_t outsideAll = std::accumulate(outside.begin(), outside.end(), std::uint64_t{0});
    if (outsideAll > 0)
        m_context.diagnostics.add("raw.outside", Severity::Info, m_files.hostName + "/data", {}, {}, outsideAll);
}

RawOp HostReader::opOf(const NodeFacts& facts, std::uint64_t name, const RawTrack& track) {
    RawOp op;
    op.name = name;
    if (track.hasBlocks) {
        op.blocks = track.blocks;
        op.mixedBlocks = track.mixedBlocks;
    }
    if (m_isLevelZero) return op;
    if (const auto basics = m_basicsByName.of(facts.node, name, facts.basics, m_basics); !basics.empty()) {
        const Basic& basic = m_basics[basics.front()];
        op.type = basic.type;
        op.core = basic.core;
        op.hasCore = op.hasDetails = true;
        // What is kept for ever describes graphs that were loaded before they ran.
        op.state = basic.isAging ? TaskRecord::State::Dynamic : TaskRecord::State::Static;
        op.hf32 = basic.isHf32 ? TaskRecord::Hf32::Yes : TaskRecord::Hf32::No;
        if (!track.hasBlocks) {
            op.blocks = basic.blocks & 0xffff;
            op.mixedBlocks = op.blocks * (basic.blocks >> 16);
        }
    }
    if (!facts.tensors.empty()) op.tensors = tensorsOf(facts, name);
    return op;
}

/// Number of the list of an operator's tensors, of all records that describe them; -1: none does.
std::int64_t HostReader::tensorsOf(const NodeFacts& facts, std::uint64_t name) {
    const auto records = m_tensorsByName.of(facts.outer, name, facts.tensors, m_tensors);
    if (records.empty()) return -1;
    if (records.size() == 1) return m_tensors[records.front()].list;
    const auto [known, isNew] = m_joinedLists.try_emplace({facts.outer, name}, -1);
    if (isNew) {
        std::string joined;
        for (const std::uint32_t i : records) joined += m_host.tensors[m_tensors[i].list];
        known->second = tensorList(std::move(joined));
    }
    return known->second;
}

/// The tasks of a collective's launch, each with the parts that it is. @param outer  The collective's node.
void HostReader::addParts(const RawTrack& track, std::int64_t communication, std::int64_t outer, RawHostTask task) {
    const auto [number, isNew] =
        m_collectives.try_emplace(outer, static_cast<std::uint32_t>(m_host.collectives.size()));
    if (isNew) { m_host.collectives.emplace_back().call = static_cast<std::int64_t>(m_nodes[outer].call); }
    const RawCall& call = m_host.calls[m_nodes[communication].call];
    const bool isMaster = m_host.texts.type(call.level, call.type, m_scratch[1]) == "master";
    const auto known = m_hcclTaskLists.of(communication);
    if (!takeRoom(1 + known.size())) return;
    std::vector<std::size_t> infos(known.begin(), known.end());
    const auto contextOf = [this](std::size_t info) { return m_host.hcclTasks[info].context; };
    std::stable_sort(infos.begin(), infos.end(),
                     [&](std::size_t a, std::size_t b) { return contextOf(a) < contextOf(b); });
    // Plain tasks have the greatest number.
    const bool hasPlain = !infos.empty() && contextOf(infos.back()) == kRawNoContext;
    const std::uint32_t collective = number->second;
    const auto addPart = [&](std::int64_t info) {
        m_host.collectiveParts.push_back({collective, track.time, info, track.thread, isMaster});
        ++task.parts;
    };
    for (std::size_t i = 0; i < infos.size();) {
        const std::uint32_t context = contextOf(infos[i]);
        task.context = context;
        task.firstPart = static_cast<std::uint32_t>(m_host.collectiveParts.size());
        task.parts = 0;
        for (; i < infos.size() && contextOf(infos[i]) == context; ++i) addPart(static_cast<std::int64_t>(infos[i]));
        m_host.tasks.push_back(task);
    }
    if (hasPlain) return;
    task.context = kRawNoContext;
    task.firstPart = static_cast<std::uint32_t>(m_host.collectiveParts.size());
    task.parts = 0;
    if (infos.empty()) addPart(-1);
    m_host.tasks.push_back(task);
}

/// What the records within their calls say about collectives, and the groups of which only the tasks tell.
void HostReader::finishCollectives() {
    for (const auto& [node, number] : m_collectives) {
        RawCollective& collective = m_host.collectives[number];
        if (const auto ops = m_hcclOpLists.of(node); !ops.empty()) {
            const HcclOp& op = m_hcclOps[ops.front()];
            collective.group = op.group;
            collective.algorithm = op.algorithm;
            collective.count = op.count;
            collective.flags = op.flags;
            collective.dataType = op.dataType;
            collective.hasInfo = collective.hasGroup = true;
        }
        if (const auto basics = m_basicLists.of(node); !basics.empty() && !m_isLevelZero) {
            collective.type = m_basics[basics.front()].type;
            collective.hasType = true;
        }
    }
    for (const RawCollectivePart& part : m_host.collectiveParts) {
        if (part.info < 0) continue;
        const RawHcclTask& info = m_host.hcclTasks[static_cast<std::size_t>(part.info)];
        RawCollective& collective = m_host.collectives[part.collective];
        collective.rankSize = info.rankSize;
        if (collective.hasGroup) continue;
        collective.group = info.group;
        collective.hasGroup = true;
    }
}

void HostReader::addTasks(const RawTrack& track) {
    std::int64_t node = -1, communication = -1, outer = -1, model = -1;
    const std::int64_t leaf = m_nodes.deepest(track.thread, track.time, m_search);
    for (std::int64_t at = leaf; at >= 0; at = m_nodes[at].parent) {
        const std::uint16_t level = m_nodes[at].level;
        if (level == kRawNode) outer = at;
        if (level == kRawNode && node < 0) node = at;
        if (level == kRawCommunication && communication < 0) communication = at;
        if (level == kRawModel && model < 0) model = at;
    }
    const auto callOf = [&](std::int64_t at) -> const RawCall& { return m_host.calls[m_nodes[at].call]; };
    const TaskKind& kind = remembered(
        m_kinds, track.type, [&] { return kindOfTask(m_host.texts.type(kRawRuntime, track.type, m_scratch[0])); });
    bool computes = node >= 0 && (kind.isKernel || (kind.isFfts && communication < 0));
    if (computes) {
        const RawCall& call = callOf(node);
        const bool isStep = remembered(m_stepTypes, call.type, [&] {
            return m_host.texts.type(kRawNode, call.type, m_scratch[1]) == "step_info";
        });
        const bool isLccl = remembered(m_lcclItems, call.item,
                                       [&] { return m_host.texts.text(call.item, m_scratch[1]).starts_with("Lccl"); });
        computes = !isStep && !isLccl;
    }
    RawHostTask task{track.device, track.stream, track.batch, track.task, kRawNoContext, track.type, -1, -1};
    task.kernelName = track.kernelName;
    if (model >= 0) task.model = static_cast<std::uint32_t>(callOf(model).item);
    const std::int64_t launch = computes || (communication >= 0 && node >= 0) ? node : leaf;
    if (launch >= 0) task.connection = static_cast<std::int64_t>(m_nodes[launch].call);
    const auto addOp = [this](const RawOp& op) {
        m_host.ops.push_back(op);
        return static_cast<std::int64_t>(m_host.ops.size()) - 1;
    };
    if (!computes) {
        if (kind.bareCore >= 0 && node < 0 && track.kernelName != 0) {
            RawOp op;
            op.name = op.type = track.kernelName;
            op.core = static_cast<std::uint32_t>(kind.bareCore);
            op.hasDetails = op.hasCore = !m_isLevelZero;
            if (kind.isMixed) task.context = 0;
            task.op = addOp(op);
        }
        if (communication >= 0 && outer >= 0) addParts(track, communication, outer, task);
        else m_host.tasks.push_back(task);
        return;
    }
    if (communication >= 0) {
        RawOp op;
        op.name = callOf(communication).item;
        op.core = kind.isAiCpu ? kHcclAiCpu : kCommunicationCore;
        op.hasCore = true;
        task.op = addOp(op);
        addParts(track, communication, outer, task);
        return;
    }
    const NodeFacts facts{m_basicLists.of(node), m_tensorLists.of(outer), m_contextLists.of(outer), node, outer};
    if (kind.takesContexts && !facts.contexts.empty()) {
        m_host.tasks.push_back(task);  // the group itself
        for (const std::size_t i : facts.contexts) {
            const Contexts& contexts = m_contexts[i];
            if (!takeRoom(1 + contexts.ids.size())) break;
            const RawOp op = opOf(facts, contexts.op, track);
            if (op.hasCore && op.core == kGroupMarker) continue;
            const std::int64_t number = op.hasDetails || m_isLevelZero ? addOp(op) : -1;
            for (const std::uint32_t id : contexts.ids) {
                task.context = id;
                task.op = number;
                m_host.tasks.push_back(task);
            }
        }
        return;
    }
    if (!facts.basics.empty() || m_isLevelZero) {
        RawOp op = opOf(facts, facts.basics.empty() ? callOf(node).item : m_basics[facts.basics.front()].op, track);
        if (kind.isAiCpu && op.core == kCommunicationCore) op.core = 1;
        task.op = addOp(op);
    }
    m_host.tasks.push_back(task);
}

}  // namespace

RawHost readRawHost(const RawFiles& files, bool isLevelZero, RawContext& context) {
    return HostReader(files, isLevelZero, context).read();
}

bool rawHasExpandedStreams(const RawFiles& files, RawContext& context) {
    bool isExpanded = false;
    eachHostRecord<kRawStreamForm>(files, "compact.expand_stream_spec", context,
                                   [&](const auto& record, std::uint64_t) {
                                       isExpanded = isExpanded || record.template get<"isExpanded">() == 1;
                                   });
    return isExpanded;
}

std::string rawCoreName(std::uint32_t core) {
    static constexpr std::string_view kNames[] = {
        "AI_CORE", "AI_CPU", "AI_VECTOR_CORE", "WRITE_BACK", "MIX_AIC", "MIX_AIV",    "FFTS_PLUS",
        "DSA_SQE", "DVPP",   "COMMUNICATION",  "FUSION",     "INVALID", "HCCL_AI_CPU"};
    return core < std::size(kNames) ? std::string(kNames[core]) : std::to_string(core);
}

bool isRawOtherCore(std::uint32_t core) {
    static constexpr std::uint32_t kWriteBack = 3, kInvalid = 11;
    return core == kWriteBack || core == kInvalid || core == kHcclAiCpu || core == kCommunicationCore;
}

}  // namespace altiscope::reader
