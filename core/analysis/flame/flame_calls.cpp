#include "core/analysis/flame/flame_calls.h"

#include "core/analysis/flame/call_table.h"
#include "core/analysis/flame/thread_calls.h"
#include "core/analysis/slices/task_owners.h"
#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

namespace altiscope {

namespace {

/// How far out a track stands in its thread; nullopt: it shows no calls of that kind.
std::optional<int> placeIn(FlameSource source, TrackKind kind) {
    if (kind == TrackKind::Cann) return source == FlameSource::Python ? std::nullopt : std::optional(2);
    if (source == FlameSource::Cann) return std::nullopt;
    if (kind == TrackKind::Stack) return 0;
    return kind == TrackKind::Python ? std::optional(1) : std::nullopt;
}

/// Whether a track has lines of Python among its operators: then stacks that were recorded as arguments say the same
/// again.
bool hasPythonFunctions(const TraceStore& trace, TrackIndex track) {
    const auto category = trace.texts().find("python_function");
    if (!category) return false;
    const TrackExtent& extent = trace.extent(track);
    const auto own = trace.columns().category.span().subspan(extent.firstSlice, extent.sliceCount);
    return std::find(own.begin(), own.end(), *category) != own.end();
}

/// Puts the calls of threads together.
class CallMerger {
public:
    explicit CallMerger(const FlameQuery& query) : m_query(query), m_result(std::make_shared<FlameCalls>()) {
        m_result->capture = query.capture;
        m_result->nodes.resize(1);
    }

    /// @return By node of the thread: its node in the result.
    std::vector<std::uint32_t> add(const FlameThread& thread, const ThreadCalls& calls) {
        const TraceStore& trace = *m_query.capture->ranks[thread.rank.value].trace;
        std::vector<std::uint32_t> to(calls.table.size());
        to[0] = splitNode(thread, trace);
        std::unordered_map<std::uint32_t, std::uint32_t> names;
        for (std::uint32_t local = 1; local < to.size(); ++local) {
            const StringId text{calls.table.name(local)};
            const auto [known, isNew] = names.try_emplace(text.value, 0);
            if (isNew) known->second = nameOf(flameName(trace.text(text)));
            const ThreadCalls::Sums& sums = calls.sums[local];
            const std::uint32_t above = to[calls.table.parent(local)];
            std::uint32_t node = childOf(above, known->second);
            if (node == CallTable::kNone) {
                m_result->folded += sums.calls;
                node = above;
            } else {
                CallNode& of = m_result->nodes[node];
                of.calls += sums.calls;
                if (sums.longest != kNoSlice && (of.longest.slice == kNoSlice || sums.longestTime > m_longest[node])) {
                    of.longest = {thread.rank, sums.longest};
                    m_longest[node] = sums.longestTime;
                }
            }
            addSaturated(m_result->nodes[node].self, sums.self);
            to[local] = node;
        }
        m_result->slices += calls.slices;
        m_result->folded += calls.folded;
        m_result->threads += calls.slices > 0 ? 1 : 0;
        return to;
    }

    void addTask(std::uint32_t node, std::int64_t duration) {
        ++m_result->nodes[node].tasks;
        addSaturated(m_result->nodes[node].device, duration);
    }

    std::shared_ptr<const FlameCalls> finish() {
        std::vector<CallNode>& nodes = m_result->nodes;
        for (CallNode& node : nodes) {
            node.total = node.self;
            node.allTasks = node.tasks;
            node.allDevice = node.device;
        }
        for (std::size_t i = nodes.size(); i-- > 1;) {
            CallNode& parent = nodes[nodes[i].parent];
            addSaturated(parent.total, nodes[i].total);
            parent.allTasks += nodes[i].allTasks;
            addSaturated(parent.allDevice, nodes[i].allDevice);
        }
        return std::move(m_result);
    }

private:
    std::uint32_t nameOf(std::string name) {
        const auto [known, isNew] =
            m_names.try_emplace(std::move(name), static_cast<std::uint32_t>(m_result->names.size()));
        if (isNew) m_result->names.push_back(known->first);
        return known->second;
    }

    std::uint32_t childOf(std::uint32_t parent, std::uint32_t name) {
        const std::uint32_t node = m_table.child(parent, name, FlameCalls::kMaxNodes);
        if (node == m_result->nodes.size()) {
            CallNode& made = m_result->nodes.emplace_back();
            made.parent = parent;
            made.name = name;
            made.depth = m_table.depth(node);
        }
        m_longest.resize(m_result->nodes.size(), -1);
        return node;
    }

    std::uint32_t splitNode(const FlameThread& thread, const TraceStore& trace) {
        if (m_query.split == FlameSplit::None) return 0;
        const RankInfo& info = m_query.capture->ranks[thread.rank.value].info;
        const std::string name = m_query.split == FlameSplit::Thread ? trace.track(thread.tracks.front()).thread
                                 : info.rankId                       ? "Rank " + std::to_string(*info.rankId)
                                                                     : info.path;
        const std::uint32_t node = childOf(0, nameOf(name));
        return node == CallTable::kNone ? 0 : node;
    }

    const FlameQuery& m_query;
    std::shared_ptr<FlameCalls> m_result;
    CallTable m_table;
    std::unordered_map<std::string, std::uint32_t> m_names;
    std::vector<std::int64_t> m_longest;  // by node
};

struct ReadThread {
    ThreadCalls calls;
    std::vector<std::uint32_t> to;
};

/// The nodes of calls of one rank, by slice.
class NodeOfSlice {
public:
    explicit NodeOfSlice(const TraceStore& trace) : m_trace(trace), m_threads(trace.tracks().size()) {}

    void add(const FlameThread& thread, const ReadThread& read) {
        for (std::size_t t = 0; t < read.calls.nodes.size(); ++t)
            m_threads[thread.tracks[t].value] = {&read, &read.calls.nodes[t]};
    }
    std::vector<bool> tracks() const {
        std::vector<bool> meant;
        for (const auto& [read, nodes] : m_threads) meant.push_back(read != nullptr);
        return meant;
    }
    std::uint32_t of(SliceIndex slice) const {
        const std::uint32_t track = m_trace.runOf(slice).track;
        const auto& [read, nodes] = m_threads[track];
        const std::uint32_t local = (*nodes)[slice.value - m_trace.extent({track}).firstSlice];
        return local == CallTable::kNone ? CallTable::kNone : read->to[local];
    }

private:
    const TraceStore& m_trace;
    std::vector<std::pair<const ReadThread*, const RawArray<std::uint32_t>*>> m_threads;  // by track
};

}  // namespace

std::vector<FlameThread> flameThreads(const CaptureStore& capture, const std::vector<RankWindow>& ranks,
                                      FlameSource source) {
    std::vector<FlameThread> threads;
    for (const RankWindow& selected : ranks) {
        const auto& trace = capture.ranks[selected.rank.value].trace;
        if (trace == nullptr) continue;
        // By thread, as what it does stands on tracks of several processes: tracks by how far out they are.
        std::map<std::string_view, std::vector<std::pair<int, std::uint32_t>>> byThread;
        for (std::uint32_t t = 0; t < trace->tracks().size(); ++t) {
            const auto place = placeIn(source, trace->track({t}).kind);
            if (place && trace->extent({t}).sliceCount > 0) byThread[trace->track({t}).tid].emplace_back(*place, t);
        }
        for (auto& [tid, tracks] : byThread) {
            std::sort(tracks.begin(), tracks.end());
            const bool hasLines = std::any_of(tracks.begin(), tracks.end(), [&](const auto& track) {
                return trace->track({track.second}).kind == TrackKind::Python &&
                       hasPythonFunctions(*trace, {track.second});
            });
            if (hasLines)
                std::erase_if(tracks,
                              [&](const auto& track) { return trace->track({track.second}).kind == TrackKind::Stack; });
            FlameThread& thread = threads.emplace_back();
            thread.rank = selected.rank;
            for (const auto& [place, track] : tracks) thread.tracks.push_back({track});
        }
    }
    return threads;
}

std::string flameName(std::string_view name) {
    constexpr std::string_view kStep = "ProfilerStep#";
    if (name.starts_with(kStep)) return std::string(kStep);
    std::string text;
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t address = name.find("0x", at);
        std::size_t end = address == std::string_view::npos ? name.size() : address + 2;
        text += name.substr(at, end - at);
        if (address != std::string_view::npos) {
            const std::size_t digits = end;
            while (end < name.size() && std::isxdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
            text += end - digits >= 4 ? std::string_view("...") : name.substr(digits, end - digits);
        }
        at = end;
    }
    return text;
}

std::shared_ptr<const FlameCalls> flameCalls(const FlameQuery& query, const CancelToken& cancel) {
    std::vector<ReadThread> read(query.threads.size());
    parallelFor(read.size(), [&](std::size_t t) {
        const FlameThread& thread = query.threads[t];
        const auto window = std::find_if(query.ranks.begin(), query.ranks.end(),
                                         [&](const RankWindow& rank) { return rank.rank == thread.rank; });
        if (window == query.ranks.end() || cancel.cancelled()) return;
        read[t].calls = threadCalls(*query.capture->ranks[thread.rank.value].trace, thread, window->times, cancel);
    });
    CallMerger merger(query);
    for (std::size_t t = 0; t < read.size(); ++t) {
        if (cancel.cancelled()) return nullptr;
        read[t].to = merger.add(query.threads[t], read[t].calls);
    }
    for (const RankWindow& selected : query.ranks) {
        const auto& trace = query.capture->ranks[selected.rank.value].trace;
        if (trace == nullptr) continue;
        NodeOfSlice nodes(*trace);
        for (std::size_t t = 0; t < read.size(); ++t) {
            if (query.threads[t].rank == selected.rank) nodes.add(query.threads[t], read[t]);
        }
        const std::vector<OwnedTask> tasks = ownedTasks(*trace, nodes.tracks(), cancel);
        if (cancel.cancelled()) return nullptr;
        for (const OwnedTask& task : tasks) {
            const std::uint32_t node = nodes.of(task.call);
            if (node != CallTable::kNone) merger.addTask(node, trace->duration(task.task).value);
        }
    }
    return cancel.cancelled() ? nullptr : merger.finish();
}

}  // namespace altiscope
