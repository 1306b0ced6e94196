#include "core/generate/database/db_rows.h"
#include "core/generate/records/python_name.h"
#include "core/generate/text/host_trace.h"

#include <algorithm>
#include <string>

namespace altiscope::generate {

namespace {

/// Newer writers add this to the ids that the framework gives, so that they never equal those of CANN.
constexpr std::uint64_t kFrameworkIds = std::uint64_t{5} << 28U;

/// Texts of PYTORCH_API's times, which are declared TEXT.
struct TimeTexts {
    std::string begin, end;
    explicit TimeTexts(const TimeRange& range)
        : begin(std::to_string(range.begin.value)), end(std::to_string(range.end.value)) {}
};

struct Launched {
    std::uint32_t op;
    std::uint64_t connection;
};

/// What each operator put on the device, by operator. Events on the device are no work, and torch_npu joins operators
/// with launches of nodes alone, which copies have not.
std::vector<Launched> launchesByOp(const UnitRecord& record) {
    std::vector<Launched> launches;
    std::uint64_t last = 0;
    for (const DeviceWork& work : record.host.work) {
        if (work.task->kind != TaskKind::Kernel && work.task->kind != TaskKind::Collective) continue;
        // A collective has one launch.
        if (work.connection == last) continue;
        last = work.connection;
        launches.push_back({work.op, work.connection});
    }
    std::stable_sort(launches.begin(), launches.end(),
                     [](const Launched& a, const Launched& b) { return a.op < b.op; });
    return launches;
}

/// By operator: 1 if it is the innermost forward or backward operator of a pair.
std::vector<bool> paired(const RunProgram& program, const UnitRecord& record) {
    const auto microBatch = static_cast<std::uint32_t>(record.unit % program.microBatches);
    std::vector<std::uint32_t> forward(program.unit(record.stage, microBatch).counts.sequences, kNone);
    std::vector<std::uint32_t> backward(forward.size(), kNone);
    for (std::uint32_t i = 0; i < record.host.ops.size(); ++i) {
        const OpSite& site = program.sites[record.host.ops[i].site];
        if (site.sequence == SequenceUse::Forward) forward[site.sequenceIndex] = i;
        if (site.sequence == SequenceUse::Backward) backward[site.sequenceIndex] = i;
    }
    std::vector<bool> isPaired(record.host.ops.size());
    for (std::size_t i = 0; i < forward.size(); ++i) {
        if (forward[i] == kNone || backward[i] == kNone) continue;
        isPaired[forward[i]] = true;
        isPaired[backward[i]] = true;
    }
    return isPaired;
}

DbApiType apiTypeOf(ApiKind kind) {
    switch (kind) {
    case ApiKind::AscendClNn:
    case ApiKind::AscendClOp:
    case ApiKind::AscendClRts:
    case ApiKind::AscendClCollective: return DbApiType::Acl;
    case ApiKind::NodeLaunch: return DbApiType::Node;
    case ApiKind::HcclLaunch: return DbApiType::Communication;
    }
    return DbApiType::Acl;
}

std::uint32_t number(DbApiType type) { return static_cast<std::uint32_t>(type); }

}  // namespace

void DbHostRows::unit(const UnitRecord& record) {
    queue(record);
    operators(record);
    pythonFunctions(record);
    calls(record);
    garbageCollections(record);
    if (record.stepRange.end.value != 0)
        m_rank.file.insert(DbTable::StepTime, {record.step, record.stepRange.begin.value, record.stepRange.end.value});
}

void DbHostRows::garbageCollections(const UnitRecord& record) {
    const std::uint32_t track = m_rank.tracks.garbage();
    for (const GarbageSlice& slice : record.host.garbage) {
        m_rank.file.insert(DbTable::GcRecord,
                           {slice.start.value, (slice.start + slice.duration).value, m_rank.globalTid(track)});
        m_rank.tally.slice(track, slice.duration.value);
    }
}

std::uint32_t DbHostRows::newText(std::string_view text) {
    m_rank.file.insert(DbTable::StringIds, {m_nextText, text});
    return m_nextText++;
}

void DbHostRows::queue(const UnitRecord& record) {
    const std::uint32_t enqueue = m_rank.texts.framework()["Enqueue"];
    const auto add = [&](const TimeRange& range, std::uint32_t track, std::uint32_t name, std::uint64_t correlation) {
        const TimeTexts times(range);
        m_rank.file.insert(DbTable::PytorchApi,
                           {times.begin, times.end, m_rank.globalTid(track), m_nextId, name, nullptr, nullptr, nullptr,
                            nullptr, nullptr, number(DbApiType::Queue)});
        connect(kFrameworkIds + correlation);
        ++m_nextId;
        m_rank.tally.slice(track, range.length().value);
    };
    for (const QueueSlice& slice : record.host.queue)
        add({slice.enqueue, slice.enqueue + slice.enqueueDuration}, m_rank.tracks.python(slice.thread), enqueue,
            slice.correlation);
    for (const QueueSlice& slice : record.host.queue) {
        add({slice.dequeue, slice.dequeue + slice.dequeueDuration}, m_rank.tracks.queue(),
            m_rank.texts.framework(slice.dequeueName), slice.correlation);
        ++m_rank.tally.flows;
    }
}

void DbHostRows::operators(const UnitRecord& record) {
    const std::vector<Launched> launches = launchesByOp(record);
    const std::vector<bool> isPaired = paired(m_rank.run.program, record);
    auto launch = launches.begin();
    for (std::uint32_t i = 0; i < record.host.ops.size(); ++i) {
        const OpSlice& op = record.host.ops[i];
        const OpSite& site = m_rank.run.program.sites[op.site];
        const CommonTexts::Site& ids = m_rank.texts.site(op.site);
        const std::uint32_t track = m_rank.tracks.python(site.thread);
        bool connected = isPaired[i];
        if (isPaired[i]) {
            connect(kFrameworkIds + static_cast<std::uint64_t>(op.sequence));
            if (site.sequence == SequenceUse::Backward) ++m_rank.tally.flows;
        }
        for (; launch != launches.end() && launch->op == i; ++launch) {
            connect(launch->connection);
            connected = true;
            ++m_rank.tally.flows;
        }
        const bool chained = !ids.frames.empty();
        for (std::size_t depth = 0; depth < ids.frames.size(); ++depth)
            m_rank.file.insert(DbTable::PytorchCallchains, {m_nextChain, ids.frames[depth], depth});
        const auto orNull = [](const std::optional<std::uint32_t>& id) { return id ? DbValue(*id) : DbValue(nullptr); };
        std::uint32_t name = ids.name;
        if (op.step > 0) name = newText(m_rank.run.program.texts[site.name] + std::to_string(op.step));
        const TimeTexts times({op.start, op.start + op.duration});
        m_rank.file.insert(DbTable::PytorchApi,
                           {times.begin, times.end, m_rank.globalTid(track),
                            connected ? DbValue(m_nextId) : DbValue(nullptr), name, op.sequence,
                            site.sequence == SequenceUse::Backward ? 1 : 0, orNull(ids.types), orNull(ids.dims),
                            chained ? DbValue(m_nextChain) : DbValue(nullptr), number(DbApiType::Op)});
        if (connected) ++m_nextId;
        if (chained) ++m_nextChain;
        m_rank.tally.slice(track, op.duration.value);
    }
}

std::uint32_t DbHostRows::functionName(const PythonSlice& slice) {
    if (slice.address == 0 && slice.variant == 0) return m_rank.texts.framework(slice.name);
    // A name has either an address or a number, both below 2^24.
    const std::uint64_t key =
        (std::uint64_t{slice.name.value} << 32U) | (slice.variant > 0 ? 0x80000000U + slice.variant : slice.address);
    const auto [place, isNew] = m_functionNames.emplace(key, 0);
    if (isNew) {
        TextBuffer text;
        addPythonName(m_rank.run.program.texts[slice.name], slice, text);
        place->second = newText(text.view());
    }
    return place->second;
}

void DbHostRows::function(const TimeRange& range, std::uint32_t name) {
    const std::uint32_t track = m_rank.tracks.python(HostThread::Main);
    const TimeTexts times(range);
    m_rank.file.insert(DbTable::PytorchApi, {times.begin, times.end, m_rank.globalTid(track), nullptr, name, nullptr,
                                             nullptr, nullptr, nullptr, nullptr, number(DbApiType::Trace)});
    m_rank.tally.slice(track, range.length().value);
}

void DbHostRows::pythonFunctions(const UnitRecord& record) {
    for (const PythonSlice& slice : record.host.python)
        function({slice.start, slice.start + slice.duration}, functionName(slice));
}

void DbHostRows::baseFrames() {
    const std::vector<TextId>& frames = m_rank.run.program.baseFrames;
    for (std::size_t i = frames.size(); i-- > 0;)
        function(baseFrameRange(m_rank.run, m_rank.rank, i), m_rank.texts.framework(frames[i]));
}

void DbHostRows::calls(const UnitRecord& record) {
    const std::uint32_t launch = m_rank.texts.cann()["launch"];
    for (const ApiSlice& api : record.host.apis) {
        const std::uint32_t track = m_rank.tracks.cann(api.thread);
        m_rank.file.insert(DbTable::CannApi, {api.start.value, (api.start + api.duration).value,
                                              number(apiTypeOf(api.kind)), m_rank.globalTid(track), api.connection,
                                              api.kind == ApiKind::NodeLaunch ? launch : m_rank.texts.cann(api.name)});
        m_rank.tally.slice(track, api.duration.value);
    }
}

}  // namespace altiscope::generate
