#include "core/import/raw/raw_torch_import.h"

#include "core/base/columns/keyed_sort.h"
#include "core/base/threads/parallel.h"
#include "core/base/threads/parallel_sort.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
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

/// Writes some of the tracks and flows of one FRAMEWORK folder. One worker's.
class TorchTracks {
public:
    TorchTracks(const RawTorch& torch, std::uint32_t file, ImportContext& import, const DbNaming& naming)
        : m_torch(torch), m_file(file), m_import(import), m_names(import.builder),
          m_tracks(import.builder, m_names, naming) {}

    void addOps();
    void addQueue(const RawQueuePartners& partners);
    void addFrames();
    void addCollections();
    /// @return Backward operators that no flow leads to.
    std::uint64_t addForwardFlows();
    /// @return Launches that no flow comes from.
    std::uint64_t addKernelFlows(const RawTorchTree& tree, const RawQueuePartners& partners,
                                 std::vector<RawLaunchEnd> ends);
    /// @param number  Tells the parts of a folder apart.
    /// @return How many slices there were.
    std::uint64_t commit(std::uint64_t number) {
        const std::uint64_t slices = m_segment.slices.size();
        m_import.builder.commit(position(RawRecordKind::TorchOp, number), std::move(m_segment));
        return slices;
    }

private:
    SourcePos position(RawRecordKind kind, std::uint64_t number) const {
        return rawPosition(m_file, static_cast<unsigned>(kind), number);
    }
    ProvisionalTrack track(std::uint64_t process, std::uint64_t thread) {
        return m_tracks.hostThread(DbLayer::Python, globalThread(process, thread));
    }
    /// Texts of the store by those of the framework; made once for each.
    ProvisionalText name(std::uint32_t text) { return known(m_texts, text, {}); }
    ProvisionalText known(std::vector<std::optional<ProvisionalText>>& texts, std::uint32_t text,
                          std::string_view prefix) {
        if (texts.empty()) texts.resize(m_torch.texts.size());
        std::optional<ProvisionalText>& id = texts[text];
        if (!id) {
            const std::string& words = m_torch.texts.text(text);
            id = prefix.empty() ? m_names.text(words) : m_names.text(std::string(prefix) + words);
        }
        return *id;
    }
    void addFlow(FlowPoint point, ProvisionalText category, ProvisionalTrack at, std::int64_t time, std::uint64_t key,
                 SourcePos pos) {
        m_segment.flows.push_back({at, point, category, time, FlowKey{0, key}, pos});
    }
    bool isCancelled(std::size_t number) const {
        static constexpr std::size_t kBetweenLooks = 4096;
        return number % kBetweenLooks == 0 && m_import.cancel.cancelled();
    }

    const RawTorch& m_torch;
    const std::uint32_t m_file;
    ImportContext& m_import;
    TraceBuilder::Names m_names;
    DbTracks m_tracks;
    Segment m_segment;
    std::vector<std::optional<ProvisionalText>> m_texts;  // by text
};

void TorchTracks::addOps() {
    const ProvisionalText category = m_names.text("cpu_op");
    makeRoom(m_segment.slices, m_torch.ops.size());
    for (std::size_t i = 0; i < m_torch.ops.size() && !isCancelled(i); ++i) {
        const RawTorchOp& op = m_torch.ops[i];
        m_segment.slices.add(track(op.process, op.thread), op.begin, op.end - op.begin, name(op.name), category,
                             position(RawRecordKind::TorchOp, op.byte));
    }
}

void TorchTracks::addQueue(const RawQueuePartners& partners) {
    const ProvisionalText enqueue = m_names.text("enqueue"), dequeue = m_names.text("dequeue"),
                          queue = m_names.text("async_task_queue"), alone = m_names.text("Enqueue");
    const std::size_t count = m_torch.dequeues.size() + m_torch.enqueues.size();
    makeRoom(m_segment.slices, count);
    m_segment.flows.reserve(count);
    std::uint64_t max = 0;
    std::set<std::pair<std::uint64_t, std::uint64_t>> threads;
    std::pair<std::uint64_t, std::uint64_t> lastThread;
    std::vector<std::optional<ProvisionalText>> taken, put;  // titles by name
    const auto add = [&](const RawQueueBar& bar, ProvisionalText title, ProvisionalText category, FlowPoint point) {
        const ProvisionalTrack at = track(bar.process, bar.thread);
        const SourcePos pos = position(RawRecordKind::QueueMark, bar.byte);
        m_segment.slices.add(at, bar.begin, bar.end - bar.begin, title, category, pos);
        addFlow(point, queue, at, bar.begin, bar.correlation, pos);
    };
    for (std::size_t i = 0; i < m_torch.dequeues.size() && !isCancelled(i); ++i) {
        const RawQueueBar& bar = m_torch.dequeues[i];
        add(bar, known(taken, bar.name, "Dequeue@"), dequeue, FlowPoint::Finish);
        if (const std::pair thread(bar.process, bar.thread); threads.empty() || thread != lastThread)
            threads.insert(lastThread = thread);
        max = std::max(max, bar.thread);
    }
    for (std::size_t i = 0; i < m_torch.enqueues.size() && !isCancelled(i); ++i) {
        const std::uint32_t partner = partners.dequeueOf[i];
        const ProvisionalText title =
            partner == RawQueuePartners::kNone ? alone : known(put, m_torch.dequeues[partner].name, "Enqueue@");
        add(m_torch.enqueues[i], title, enqueue, FlowPoint::Start);
    }
    // Threads that take work from the queue stand below those that put it there.
    for (const auto& [process, thread] : threads)
        m_import.builder.setThreadSort(std::to_string(process), std::to_string(thread),
                                       static_cast<std::int64_t>(max & 0xffffffffU) + (std::int64_t{1} << 32),
                                       rawPosition(m_file, 0, 1));
}

void TorchTracks::addFrames() {
    const ProvisionalText category = m_names.text("python_function");
    makeRoom(m_segment.slices, m_torch.frames.size());
    for (std::size_t i = 0; i < m_torch.frames.size() && !isCancelled(i); ++i) {
        const RawPythonFrame& frame = m_torch.frames[i];
        m_segment.slices.add(track(frame.process, frame.thread), frame.begin, frame.end - frame.begin, name(frame.name),
                             category, position(RawRecordKind::PythonCall, frame.number));
    }
}

void TorchTracks::addCollections() {
    const ProvisionalText category = m_names.text("GC");
    for (const RawGarbageRun& run : m_torch.collections) {
        const ProvisionalTrack at =
            m_tracks.thread(DbLayer::PythonGc, DbTracks::kHost, static_cast<std::int64_t>(run.process & 0xffffffff),
                            [] { return std::string("Python GC"); });
        m_segment.slices.add(at, run.begin, run.end - run.begin, category, category,
                             position(RawRecordKind::Collection, run.number));
    }
}

/// From the forward operator to the backward one of the same sequence, if they ran on different threads.
std::uint64_t TorchTracks::addForwardFlows() {
    std::vector<KeyedNumber> numbers;
    numbers.reserve(m_torch.ops.size());
    for (std::size_t i = 0; i < m_torch.ops.size(); ++i) {
        const std::int64_t sequence = m_torch.ops[i].sequence;
        if (sequence >= 0) numbers.push_back({static_cast<std::uint64_t>(sequence), static_cast<std::uint32_t>(i)});
    }
    sortByKey(numbers, m_import.cancel);
    const ProvisionalText category = m_names.text("fwdbwd");
    std::uint64_t lone = 0;
    for (std::size_t i = 0; i < numbers.size();) {
        if (isCancelled(i)) return lone;
        const std::uint64_t sequence = numbers[i].key;
        const RawTorchOp *start = nullptr, *end = nullptr;
        std::uint64_t ends = 0;
        bool isOfThreads = false;  // of several, none of which says where it is from
        for (; i < numbers.size() && numbers[i].key == sequence; ++i) {
            const RawTorchOp& op = m_torch.ops[numbers[i].number];
            const RawTorchOp*& side = op.forwardThread == 0 ? start : end;
            ends += op.forwardThread == 0 ? 0 : 1;
            isOfThreads = isOfThreads || (start != nullptr && start->thread != op.thread);
            if (side == nullptr || side->begin <= op.begin) side = &op;
        }
        if (start == nullptr) lone += ends;
        else if (end == nullptr && isOfThreads) ++lone;
        if (start == nullptr || end == nullptr || start->thread == end->thread) continue;
        for (const RawTorchOp* op : {start, end})
            addFlow(op == start ? FlowPoint::Start : FlowPoint::Finish, category, track(op->process, op->thread),
                    op->begin, sequence, position(RawRecordKind::TorchOp, op->byte));
    }
    return lone;
}

/// From operators to the first event on a device of each launch that their work led to.
std::uint64_t TorchTracks::addKernelFlows(const RawTorchTree& tree, const RawQueuePartners& partners,
                                          std::vector<RawLaunchEnd> ends) {
    parallelSort(
        std::span(ends),
        [](const RawLaunchEnd& a, const RawLaunchEnd& b) {
            return std::tie(a.launch, a.call, a.kind, a.begin, a.pos) <
                   std::tie(b.launch, b.call, b.kind, b.begin, b.pos);
        },
        m_import.cancel);
    ends.erase(std::unique(ends.begin(), ends.end(),
                           [](const RawLaunchEnd& a, const RawLaunchEnd& b) { return a.call == b.call; }),
               ends.end());
    std::vector<std::int64_t> launches;
    launches.reserve(ends.size());
    for (const RawLaunchEnd& end : ends) launches.push_back(end.launch);
    const std::vector<std::uint32_t> work = rawQueueWork(m_torch, launches);
    const ProvisionalText async = m_names.text("async_npu");
    std::uint64_t key = 0, lone = 0;
    m_segment.flows.reserve(2 * ends.size());
    for (std::size_t i = 0; i < ends.size() && !isCancelled(i); ++i) {
        std::uint32_t owner = RawTorchTree::kNone;
        if (!m_torch.hasQueue) owner = tree.innermostAt(launches[i]);
        else if (work[i] != RawTorchTree::kNone) owner = partners.ownerOf[work[i]];
        if (owner == RawTorchTree::kNone) {
            ++lone;
            continue;
        }
        const RawTorchOp& op = m_torch.ops[owner];
        addFlow(FlowPoint::Start, async, track(op.process, op.thread), op.begin, key,
                position(RawRecordKind::TorchOp, op.byte));
        addFlow(FlowPoint::Finish, async, ends[i].track, ends[i].begin, key, ends[i].pos);
        ++key;
    }
    return lone;
}

}  // namespace

RawTorchImport::RawTorchImport(RawTorch torch, const SourceFile& file, std::string folder, ImportContext& import,
                               std::int64_t hostProcess)
    : m_torch(std::move(torch)), m_file(file), m_folder(std::move(folder)), m_import(import),
      m_operators(m_torch.ops.size()) {
    m_naming.file = file.number;
    m_naming.hostProcess = hostProcess;
}

void RawTorchImport::add(Diagnostics& diagnostics) {
    m_tree.emplace(m_torch, m_import.cancel);
    m_partners.emplace(m_torch, *m_tree, m_import.cancel);
    const auto alone = [](const std::vector<std::uint32_t>& partners) {
        return static_cast<std::uint64_t>(std::count(partners.begin(), partners.end(), RawQueuePartners::kNone));
    };
    RawTorchProblems{m_folder, diagnostics}.report("raw.lone_queue", Severity::Info, kRawQueueFile,
                                                   alone(m_partners->enqueueOf) + alone(m_partners->dequeueOf));
    RowTablesBuilder* rows = m_import.rows;
    using Tracks = TorchTracks;
    std::array<std::uint64_t, 3> slices{};
    // Each of the parts, which run at the same time, reports into its own.
    Diagnostics ofFlows, ofSamples, ofAllocations;
    const auto addTracks = [&](std::size_t number, const std::function<void(Tracks&)>& fill) {
        Tracks tracks(m_torch, m_file.number, m_import, m_naming);
        fill(tracks);
        slices[number] = tracks.commit(number);
    };
    const std::function<void()> parts[] = {
        [&] {
            addTracks(0, [&](Tracks& tracks) {
                tracks.addOps();
                const std::uint64_t lone = tracks.addForwardFlows();
                RawTorchProblems{m_folder, ofFlows}.report("raw.lone_backward", Severity::Info, kRawOperatorFile, lone);
            });
        },
        [&] { addTracks(1, [this](Tracks& tracks) { tracks.addQueue(*m_partners); }); },
        [&] {
            addTracks(2, [](Tracks& tracks) {
                tracks.addFrames();
                tracks.addCollections();
            });
        },
        [&] {
            if (rows != nullptr) addRawSampleRows(m_torch, *rows, {m_folder, ofSamples}, m_import.cancel);
        },
        [&] {
            if (rows != nullptr)
                addRawAllocationRows(m_torch, *m_tree, *m_partners, *rows, {m_folder, ofAllocations}, m_import.cancel);
        },
        [&] {
            if (rows != nullptr) addRawOperatorRows(m_torch, *m_tree, *rows, m_import.cancel);
        }};
    parallelFor(std::size(parts), [&](std::size_t i) {
        if (!m_import.cancel.cancelled()) parts[i]();
    });
    for (const Diagnostics* one : {&ofFlows, &ofSamples, &ofAllocations}) diagnostics.merge(*one);
    m_rows = std::accumulate(slices.begin(), slices.end(), std::uint64_t{0});
    // Flows to kernels need the others.
    std::vector<RawMemoryUse>().swap(m_torch.memory);
    std::vector<RawPythonFrame>().swap(m_torch.frames);
}

void RawTorchImport::connect(std::vector<RawLaunchEnd> ends, Diagnostics& diagnostics) {
    static constexpr std::uint64_t kFlowsToKernels = 3;
    {
        TorchTracks tracks(m_torch, m_file.number, m_import, m_naming);
        const std::uint64_t lone = tracks.addKernelFlows(*m_tree, *m_partners, std::move(ends));
        RawTorchProblems{m_folder, diagnostics}.report("raw.lone_launch", Severity::Info, kRawOperatorFile, lone);
        tracks.commit(kFlowsToKernels);
    }
    m_partners.reset();
    m_tree.reset();
    m_torch = {};
}

std::vector<Step> RawTorchImport::steps() const {
    std::vector<Step> steps;
    std::vector<std::optional<std::int64_t>> numbers(m_torch.texts.size());  // by name
    for (std::uint32_t text = 0; text < numbers.size(); ++text) numbers[text] = stepNumberIn(m_torch.texts.text(text));
    for (const RawTorchOp& op : m_torch.ops) {
        if (numbers[op.name]) steps.push_back({*numbers[op.name], TimeRange{TimeNs{op.begin}, TimeNs{op.end}}});
    }
    return steps;
}

}  // namespace altiscope::reader
