#include "core/import/raw/raw_torch_import.h"

#include "core/base/parse.h"
#include "core/import/raw/raw_torch_tree.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::string_view kRawStepWord = "ProfilerStep#";

std::optional<std::int64_t> stepNumberIn(std::string_view name) {
    if (name.find(kRawStepWord) == std::string_view::npos) return std::nullopt;
    return wholeNumber(name.substr(name.rfind('#') + 1));
}

std::int64_t globalThread(std::uint64_t process, std::uint64_t thread) {
    return static_cast<std::int64_t>(((process & 0x7fffffff) << 32) | (thread & 0xffffffff));
}

/// Writes the tracks and flows of one FRAMEWORK folder.
class TorchTracks {
public:
    TorchTracks(const RawTorch& torch, RawSink& sink) : m_torch(torch), m_sink(sink), m_tree(torch) {}

    void add() {
        m_async = m_sink.names.text("async_npu");
        addOps();
        addQueue();
        addFrames();
        addCollections();
        addForwardFlows();
        addKernelFlows();
        m_sink.rows += m_segment.slices.size();
        m_sink.import.builder.commit(position(RawRecordKind::TorchOp, 0), std::move(m_segment));
    }

private:
    SourcePos position(RawRecordKind kind, std::uint64_t number) const {
        return rawPosition(m_sink.file.number, static_cast<unsigned>(kind), number);
    }
    ProvisionalTrack track(std::uint64_t process, std::uint64_t thread) {
        return m_sink.tracks.hostThread(DbLayer::Python, globalThread(process, thread));
    }
    ProvisionalText name(std::uint32_t text) {
        const auto [known, isNew] = m_names.try_emplace(text, 0);
        if (isNew) known->second = m_sink.names.text(m_torch.texts.text(text));
        return known->second;
    }
    void addFlow(FlowPoint point, ProvisionalText category, ProvisionalTrack at, std::int64_t time, std::uint64_t key,
                 SourcePos pos) {
        m_segment.flows.push_back({at, point, category, time, FlowKey{0, key}, pos});
    }

    void addOps();
    void addQueue();
    void addFrames();
    void addCollections();
    void addForwardFlows();
    void addKernelFlows();

    const RawTorch& m_torch;
    RawSink& m_sink;
    RawTorchTree m_tree;
    Segment m_segment;
    std::unordered_map<std::uint32_t, ProvisionalText> m_names;
    ProvisionalText m_async = 0;
};

void TorchTracks::addOps() {
    const ProvisionalText category = m_sink.names.text("cpu_op");
    for (const RawTorchOp& op : m_torch.ops)
        m_segment.slices.add(track(op.process, op.thread), op.begin, op.end - op.begin, name(op.name), category,
                             position(RawRecordKind::TorchOp, op.byte));
}

void TorchTracks::addQueue() {
    const ProvisionalText enqueue = m_sink.names.text("enqueue"), dequeue = m_sink.names.text("dequeue"),
                          queue = m_sink.names.text("async_task_queue"), alone = m_sink.names.text("Enqueue");
    std::unordered_map<std::uint64_t, std::uint32_t> partners;  // names by correlation
    for (const RawQueueBar& bar : m_torch.dequeues) partners.try_emplace(bar.correlation, bar.name);
    std::uint64_t greatest = 0;
    std::map<std::pair<std::uint64_t, std::uint64_t>, bool> threads;
    std::unordered_map<std::uint32_t, ProvisionalText> taken, put;  // titles by name, which may be long
    const auto titleOf = [this](std::unordered_map<std::uint32_t, ProvisionalText>& known, const char* word,
                                std::uint32_t text) {
        const auto [title, isNew] = known.try_emplace(text, 0);
        if (isNew) title->second = m_sink.names.text(word + m_torch.texts.text(text));
        return title->second;
    };
    const auto add = [&](const RawQueueBar& bar, ProvisionalText title, ProvisionalText category, FlowPoint point) {
        const ProvisionalTrack at = track(bar.process, bar.thread);
        const SourcePos pos = position(RawRecordKind::QueueMark, bar.byte);
        m_segment.slices.add(at, bar.begin, bar.end - bar.begin, title, category, pos);
        addFlow(point, queue, at, bar.begin, bar.correlation, pos);
    };
    for (const RawQueueBar& bar : m_torch.dequeues) {
        add(bar, titleOf(taken, "Dequeue@", bar.name), dequeue, FlowPoint::Finish);
        threads.try_emplace({bar.process, bar.thread}, true);
        greatest = std::max(greatest, bar.thread);
    }
    for (const RawQueueBar& bar : m_torch.enqueues) {
        const auto partner = partners.find(bar.correlation);
        add(bar, partner == partners.end() ? alone : titleOf(put, "Enqueue@", partner->second), enqueue,
            FlowPoint::Start);
    }
    // Threads that take work from the queue stand below those that put it there.
    for (const auto& [thread, isDequeue] : threads)
        m_sink.import.builder.setThreadSort(std::to_string(thread.first), std::to_string(thread.second),
                                            static_cast<std::int64_t>(greatest & 0xffffffffU) + (std::int64_t{1} << 32),
                                            rawPosition(m_sink.file.number, 0, 1));
}

void TorchTracks::addFrames() {
    const ProvisionalText category = m_sink.names.text("python_function");
    for (const RawPythonFrame& frame : m_torch.frames)
        m_segment.slices.add(track(frame.process, frame.thread), frame.begin, frame.end - frame.begin, name(frame.name),
                             category, position(RawRecordKind::PythonCall, frame.number));
}

void TorchTracks::addCollections() {
    const ProvisionalText category = m_sink.names.text("GC");
    for (const RawGarbageRun& run : m_torch.collections) {
        const ProvisionalTrack at = m_sink.tracks.thread(DbLayer::PythonGc, DbTracks::kHost,
                                                         static_cast<std::int64_t>(run.process & 0xffffffff),
                                                         [] { return std::string("Python GC"); });
        m_segment.slices.add(at, run.begin, run.end - run.begin, category, category,
                             position(RawRecordKind::Collection, run.number));
    }
}

/// From the forward operator to the backward one of the same sequence, if they ran on different threads.
void TorchTracks::addForwardFlows() {
    std::map<std::int64_t, std::pair<const RawTorchOp*, const RawTorchOp*>> pairs;
    for (const RawTorchOp& op : m_torch.ops) {
        if (op.sequence < 0) continue;
        auto& [start, end] = pairs[op.sequence];
        const RawTorchOp*& side = op.forwardThread == 0 ? start : end;
        if (side == nullptr || side->begin <= op.begin) side = &op;
    }
    const ProvisionalText category = m_sink.names.text("fwdbwd");
    for (const auto& [sequence, pair] : pairs) {
        const auto [start, end] = pair;
        if (start == nullptr || end == nullptr || start->thread == end->thread) continue;
        const auto add = [&, key = sequence](const RawTorchOp& op, FlowPoint point) {
            addFlow(point, category, track(op.process, op.thread), op.begin, static_cast<std::uint64_t>(key),
                    position(RawRecordKind::TorchOp, op.byte));
        };
        add(*start, FlowPoint::Start);
        add(*end, FlowPoint::Finish);
    }
}

/// From operators to the first event on a device of each launch that their work led to.
void TorchTracks::addKernelFlows() {
    std::vector<RawLaunchEnd> ends = m_sink.launchEnds;
    std::sort(ends.begin(), ends.end(), [](const RawLaunchEnd& a, const RawLaunchEnd& b) {
        return std::tie(a.launch, a.call, a.kind, a.begin, a.pos) < std::tie(b.launch, b.call, b.kind, b.begin, b.pos);
    });
    ends.erase(std::unique(ends.begin(), ends.end(),
                           [](const RawLaunchEnd& a, const RawLaunchEnd& b) { return a.call == b.call; }),
               ends.end());
    std::vector<std::int64_t> launches;
    launches.reserve(ends.size());
    for (const RawLaunchEnd& end : ends) launches.push_back(end.launch);
    std::unordered_map<std::uint64_t, std::uint32_t> owners;  // of correlations
    for (std::size_t i = 0; i < m_torch.enqueues.size(); ++i) {
        if (m_tree.ownerOf(i) != RawTorchTree::kNone)
            owners.try_emplace(m_torch.enqueues[i].correlation, m_tree.ownerOf(i));
    }
    const std::vector<std::uint32_t> work = rawQueueWork(m_torch, launches);
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        std::uint32_t owner = RawTorchTree::kNone;
        if (!m_torch.hasQueue) {
            owner = m_tree.innermostAt(launches[i]);
        } else if (work[i] != RawTorchTree::kNone) {
            const auto found = owners.find(m_torch.dequeues[work[i]].correlation);
            if (found != owners.end()) owner = found->second;
        }
        if (owner == RawTorchTree::kNone) continue;
        const RawTorchOp& op = m_torch.ops[owner];
        addFlow(FlowPoint::Start, m_async, track(op.process, op.thread), op.begin, key,
                position(RawRecordKind::TorchOp, op.byte));
        addFlow(FlowPoint::Finish, m_async, ends[i].track, ends[i].begin, key, ends[i].pos);
        ++key;
    }
}

}  // namespace

void addRawTorch(const RawTorch& torch, RawSink& sink) { TorchTracks(torch, sink).add(); }

std::vector<Step> rawTorchSteps(const RawTorch& torch) {
    std::vector<Step> steps;
    std::unordered_map<std::uint32_t, std::optional<std::int64_t>> numbers;  // by name, which may be long
    for (const RawTorchOp& op : torch.ops) {
        const auto [number, isNew] = numbers.try_emplace(op.name);
        if (isNew) number->second = stepNumberIn(torch.texts.text(op.name));
        if (number->second) steps.push_back({*number->second, TimeRange{TimeNs{op.begin}, TimeNs{op.end}}});
    }
    return steps;
}

}  // namespace altiscope::reader
