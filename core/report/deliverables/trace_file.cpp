#include "core/report/deliverables/trace_file.h"

#include "core/base/columns/keyed_sort.h"
#include "core/base/values/parse.h"
#include "core/report/deliverables/argument_number.h"
#include "core/report/deliverables/event_text.h"
#include "core/report/deliverables/launch_flows.h"
#include "core/report/deliverables/mark_files.h"
#include "core/report/deliverables/number_text.h"
#include "core/report/deliverables/older_arrows.h"
#include "core/report/deliverables/older_events.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

constexpr std::size_t kEventsAtOnce = 512;
constexpr std::string_view kWorkFlow = "async_npu", kForwardFlow = "fwdbwd";
/// The threads of a group of ranks: its collectives, then one per plane.
constexpr std::string_view kPlanePrefix = "Plane ";

using Slices = std::vector<SliceIndex>;

/// Texts of some slices.
class BlockArguments {
public:
    void begin(std::size_t count) {
        m_text.clear();
        m_places.assign(count, {});
    }
    void set(std::size_t i, std::string_view text) {
        m_places[i] = {m_text.size(), text.size()};
        m_text.add(text);
    }
    std::string_view of(std::size_t i) const { return m_text.view().substr(m_places[i].first, m_places[i].second); }

private:
    TextBuffer m_text;
    std::vector<std::pair<std::size_t, std::size_t>> m_places;  // where they begin, bytes
};

/// Which events of a rank to write.
enum class TraceScope : std::uint8_t { All, Marks, Iterations };

/// Writes the events of one rank.
class TraceLines {
public:
    TraceLines(const DeliverableInput& input, DeliverableFile& file, TraceScope scope)
        : m_input(input), m_trace(*input.rank.trace), m_file(file), m_events(file.text(), input.dialect),
          m_marks(input.tasks), m_launches(input), m_scope(scope), m_isOlder(input.tasks.isOlder()) {
        numberThreads();
        if (m_isOlder) {
            const auto tracks = m_trace.tracks();
            const auto cann = std::find_if(tracks.begin(), tracks.end(),
                                           [](const Track& one) { return one.kind == TrackKind::Cann; });
            m_olderArrows.emplace(input, cann == tracks.end() ? std::string() : processNumber(*cann));
        }
        for (const TaskRecord& task : input.tasks.tasks) {
            if (task.pos && task.duration != std::trunc(task.duration))
                m_fractions.emplace_back(*task.pos, task.duration);
        }
        m_fractions.insert(m_fractions.end(), input.tasks.partLengths.begin(), input.tasks.partLengths.end());
        std::sort(m_fractions.begin(), m_fractions.end());
    }

    void write() {
        const bool isTorch = m_input.dialect == Dialect::Torch && m_scope == TraceScope::All;
        m_file.text().add('[');
        if (isTorch) writeFramework();
        for (std::uint32_t t = 0; t < m_trace.tracks().size() && m_file.goesOn(); ++t) {
            const Track& track = m_trace.track({t});
            if (track.origin == Origin::Computed || isOfFramework(track)) continue;
            if (m_scope == TraceScope::Marks && !hasMarks(t)) continue;
            if (m_scope == TraceScope::Iterations && !isOfIterations(track)) continue;
            writeTrack(t);
        }
        if (isTorch && m_file.goesOn()) writeWorkFlows();
        m_file.text().add(']');
    }

private:
    static bool isOfFramework(const Track& track) {
        return track.kind == TrackKind::Python || track.kind == TrackKind::Gc || track.kind == TrackKind::Stack;
    }
    static bool isOfIterations(const Track& track) {
        return track.kind == TrackKind::Hardware && track.thread.starts_with("Step Trace(");
    }
    bool isWithoutReductions(const Track& track) const {
        const auto& devices = m_input.tasks.samples;
        const std::int64_t number = deviceOfTrack(track);
        return std::any_of(devices.begin(), devices.end(), [number](const DeviceSamples& device) {
            return device.device == number && device.hasEqualReductions;
        });
    }
    /// How long the forward pass of each iteration of a track waited for data, if its passes are known.
    void writeDataWaits(std::uint32_t t) {
        const Track& track = m_trace.track({t});
        for (const DeviceSamples& device : m_input.tasks.samples) {
            if (device.device != deviceOfTrack(track)) continue;
            for (const IterationRecord& one : device.iterations) {
                if (std::to_string(iterationThread(one.model)) != track.tid || !one.hasPasses()) continue;
                m_events.dataWait(false, std::to_string(one.index - 1), threadOf(t), {one.forward},
                                  "{\"Iteration ID\":" + std::to_string(one.index) + '}');
                m_events.dataWait(true, std::to_string(one.index), threadOf(t), {one.backward + one.wait / 2},
                                  "{\"Data_aug Bound(us)\":" + exactText(microseconds(one.wait)) + '}');
            }
        }
    }
    bool hasMarks(std::uint32_t t) const {
        const TrackKind kind = m_trace.track({t}).kind;
        if (kind != TrackKind::Hardware) return kind == TrackKind::Mstx;
        const TrackExtent& extent = m_trace.extent({t});
        for (std::uint32_t i = 0; i < extent.sliceCount; ++i) {
            if (isMark({extent.firstSlice + i})) return true;
        }
        return false;
    }
    /// Microseconds of a task, or of a part of a collective, whose device counts no whole ns.
    std::optional<double> fractionAt(SourcePos pos) const {
        const auto found = std::lower_bound(m_fractions.begin(), m_fractions.end(), pos,
                                            [](const auto& one, SourcePos wanted) { return one.first < wanted; });
        return found == m_fractions.end() || found->first != pos ? std::nullopt : std::optional(found->second / 1000);
    }
    bool isMark(SliceIndex slice) const { return m_marks.at(m_trace.pos(slice)).has_value(); }
    /// The layer is a part of it.
    std::string processNumber(const Track& track) const {
        static constexpr unsigned kDeviceBits = 5;
        const std::int64_t shift = printedLayer(track, m_isOlder) - track.processSort;
        const auto number = wholeNumber<std::int64_t>(track.pid);
        return shift == 0 || !number ? track.pid : std::to_string(*number + shift * (std::int64_t{1} << kDeviceBits));
    }
    /// Marks stand below the name of the program.
    std::string_view processOf(const Track& track) const {
        const bool isNamed = track.kind == TrackKind::Mstx && !m_input.tasks.processName.empty();
        return isNamed ? std::string_view(m_input.tasks.processName) : std::string_view(track.process);
    }
    EventText::Thread threadOf(std::uint32_t track) const { return {m_processes[track], m_threads[track]}; }
    std::uint32_t trackOf(SliceIndex slice) const { return m_trace.runOf(slice).track; }

    /// Threads have their own numbers but those of communication, which follow one after the other: a group, then its
    /// planes; the next group begins after the last plane, also that of the next device.
    void numberThreads() {
        m_threads.resize(m_trace.tracks().size());
        for (const Track& track : m_trace.tracks()) m_processes.push_back(processNumber(track));
        std::vector<std::uint32_t> communication;
        for (std::uint32_t t = 0; t < m_threads.size(); ++t) {
            const Track& track = m_trace.track({t});
            m_threads[t] = track.tid.empty() ? "0" : track.tid;
            if (track.kind == TrackKind::Communication) communication.push_back(t);
        }
        const auto numberOf = [this](std::uint32_t t) {
            return wholeNumber<std::int64_t>(m_trace.track({t}).tid).value_or(0);
        };
        std::stable_sort(communication.begin(), communication.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto key = [&](std::uint32_t t) {
                const Track& track = m_trace.track({t});
                return std::tuple(std::to_string(deviceOfTrack(track)), track.pid, numberOf(t));
            };
            return key(a) < key(b);
        });
        std::int64_t group = 0, next = 0, lastPlane = 0;
        const std::string* process = nullptr;
        for (const std::uint32_t t : communication) {
            const Track& track = m_trace.track({t});
            std::int64_t plane = -1;  // the group itself
            if (track.thread.starts_with(kPlanePrefix))
                plane =
                    wholeNumber<std::int64_t>(std::string_view(track.thread).substr(kPlanePrefix.size())).value_or(-1);
            const bool isOtherProcess = process == nullptr || *process != track.pid;
            if (isOtherProcess || plane <= lastPlane) group = next;
            process = &track.pid;
            lastPlane = plane;
            const std::int64_t thread = group + 1 + plane;
            next = std::max(next, thread + (isWithoutPlanes(track) ? 2 : 1));
            m_threads[t] = std::to_string(thread);
        }
    }

    void writeTrack(std::uint32_t t) {
        const Track& track = m_trace.track({t});
        if (m_named.insert(track.pid).second) {
            const EventText::Thread process{m_processes[t], "0"};
            if (!isPruned(track.process)) m_events.metadata("process_name", process, "name", processOf(track), false);
            if (!track.labels.empty()) m_events.metadata("process_labels", process, "labels", track.labels, false);
            if (track.hasProcessSort)
                m_events.metadata("process_sort_index", process, "sort_index",
                                  std::to_string(printedLayer(track, m_isOlder)), true);
            if (track.kind == TrackKind::Overlap) nameOverlap(m_processes[t]);
        }
        if (track.kind == TrackKind::Counter) return writeSamples(t);
        if (track.kind != TrackKind::Overlap) nameTrack(threadOf(t), track.thread);
        // All parts are on it, though none is drawn.
        if (isWithoutPlanes(track)) {
            const std::string plane = std::to_string(wholeNumber<std::int64_t>(m_threads[t]).value_or(0) + 1);
            nameTrack({m_processes[t], plane}, "Plane 0");
        }
        const TrackExtent& extent = m_trace.extent({t});
        const auto sliceAt = [&extent](std::size_t i) {
            return SliceIndex{extent.firstSlice + static_cast<std::uint32_t>(i)};
        };
        writeEach(extent.sliceCount, sliceAt,
                  [this, t](EventText& events, std::size_t, SliceIndex slice, std::string_view arguments) {
                      writeSlice(events, t, slice, arguments);
                  });
        if (isOfIterations(track)) writeDataWaits(t);
    }

    void nameTrack(const EventText::Thread& thread, std::string_view name) {
        m_events.metadata("thread_name", thread, "name", name, false);
        m_events.metadata("thread_sort_index", thread, "sort_index", thread.thread, true);
    }

    /// All four threads have names, whether something lies on them or not.
    void nameOverlap(const std::string& process) {
        static constexpr std::string_view kNames[] = {"Computing", "Communication", "Communication(Not Overlapped)",
                                                      "Free"};
        for (std::size_t i = 0; i < std::size(kNames); ++i) { nameTrack({process, std::to_string(i)}, kNames[i]); }
    }

    /// Whether nothing but its tasks is known of a collective: the vendor then knows no group of it, and draws no bar
    /// beside those of the group.
    bool isWithoutGroup(const Track& track, std::string_view arguments) const {
        return track.kind == TrackKind::Communication && track.thread.starts_with("Group ") &&
               arguments.find("\"alg_type\":\"N/A\"") != std::string_view::npos;
    }

    /// At the profiler's level 0 torch_npu leaves the calls of CANN out.
    bool isPruned(std::string_view name) const {
        static constexpr std::string_view kWords[] = {"CANN", "AscendCL",   "Runtime",       "GE", "Node", "Model",
                                                      "Hccl", "acl_to_npu", "Communication@"};
        return m_input.dialect == Dialect::Torch && m_input.tasks.isLevelZero &&
               std::any_of(std::begin(kWords), std::end(kWords),
                           [name](std::string_view word) { return name.starts_with(word); });
    }

    /// At the profiler's level 0 a group of ranks has one plane, which nothing else names.
    bool isWithoutPlanes(const Track& track) const {
        return m_input.tasks.isLevelZero && track.kind == TrackKind::Communication &&
               !track.thread.starts_with(kPlanePrefix);
    }
    /// At the profiler's level 0 the parts of collectives have no bars.
    bool isStepOfLevelZero(const Track& track) const {
        return m_input.tasks.isLevelZero && track.kind == TrackKind::Communication &&
               track.thread.starts_with(kPlanePrefix);
    }

    void writeSlice(EventText& events, std::uint32_t track, SliceIndex slice, std::string_view arguments) const {
        if (!m_isOlder) return writeSliceOf(events, track, slice, arguments);
        writeSliceOf(events, track, slice, olderArguments(m_trace.track({track}), m_trace.name(slice), arguments));
    }

    void writeSliceOf(EventText& events, std::uint32_t index, SliceIndex slice, std::string_view arguments) const {
        const Track& track = m_trace.track({index});
        if (isWithoutGroup(track, arguments) || isStepOfLevelZero(track)) return;
        const bool isOnHost = track.kind == TrackKind::Mstx;
        const auto mark = m_marks.at(m_trace.pos(slice));
        if (m_scope == TraceScope::Marks && !isOnHost && !mark) return;
        const TimeNs own = m_trace.begin(slice), begin = m_isOlder ? olderTime(m_input.tasks, track, own) : own;
        const EventText::Thread thread = threadOf(index);
        if (isOfIterations(track)) {
            const std::string_view category = m_trace.text(m_trace.columns().category[slice.value]);
            if (category == "Reduce" && isWithoutReductions(track)) return;
            return events.slice(m_trace.name(slice), thread, {begin, m_trace.duration(slice)}, category, arguments);
        }
        if (m_isOlder && track.kind == TrackKind::Cann)
            events.slice(m_trace.name(slice), thread, begin, olderCallTime(m_trace.duration(slice)), arguments);
        else if (const auto exact = fractionAt(m_trace.pos(slice)))
            events.slice(m_trace.name(slice), thread, begin, exactText(*exact), arguments);
        else if (!isPruned(m_trace.name(slice)))
            events.slice(m_trace.name(slice), thread, begin, m_trace.duration(slice), arguments);
        if (mark) return events.mark(isOnHost, *mark, thread, begin);
        if (m_olderArrows) return m_olderArrows->write(events, slice, thread, begin, arguments);
        writeLaunch(events, slice, thread, begin, arguments);
    }

    /// The ends of the arrow from a launch to its task that lie at the slice.
    void writeLaunch(EventText& events, SliceIndex slice, EventText::Thread thread, TimeNs begin,
                     std::string_view arguments) const {
        const bool isStart = m_launches.isStart(slice), isEnd = m_launches.isEnd(slice);
        if (!isStart && !isEnd) return;
        const auto connection = numberInArguments(arguments, "connection_id");
        if (!connection) return;
        static constexpr unsigned kConnectionBits = 32;
        char digits[24];
        const auto end =
            std::to_chars(digits, digits + sizeof digits, static_cast<std::uint64_t>(*connection) << kConnectionBits)
                .ptr;
        const std::string_view id(digits, static_cast<std::size_t>(end - digits));
        if (isStart) events.launch(true, id, thread, begin);
        if (isEnd) events.launch(false, id, thread, begin);
    }

    std::string sampleText(const Track& track, std::string_view series, std::uint64_t place) const {
        const double value = m_trace.columns().sampleValue[place];
        static constexpr std::string_view kWhole[] = {"QoS", "Acc PMU", "Stars Soc Info", "Stars Chip Trans"};
        const bool isWhole =
            series == "MHz" || std::find(std::begin(kWhole), std::end(kWhole), track.process) != std::end(kWhole);
        return isWhole ? fixedText(value, 0) : exactText(value);
    }
    /// Whether the series of a counter have their values at the same times: then these are one event.
    bool areAtOnce(std::span<const CounterSeries> all) const {
        const auto& times = m_trace.columns().sampleTime;
        return std::all_of(all.begin(), all.end(), [&](const CounterSeries& one) {
            if (one.count != all.front().count) return false;
            for (std::uint64_t i = 0; i < one.count; ++i) {
                if (times[one.first + i] != times[all.front().first + i]) return false;
            }
            return true;
        });
    }
    /// Links of a chip have threads of their own, which nothing names.
    static std::string_view threadOfCounter(const Track& track) {
        if (track.process != "Stars Chip Trans") return "0";
        return track.name.starts_with("PCIE") ? "100010" : "111111";
    }
    void writeSamples(std::uint32_t t) {
        const TrackExtent& extent = m_trace.extent({t});
        const auto all = m_trace.series().subspan(extent.firstSeries, extent.seriesCount);
        if (all.size() > 1 && areAtOnce(all)) return writeSeries(t, all);
        for (std::size_t i = 0; i < all.size(); ++i) writeSeries(t, all.subspan(i, 1));
    }
    void writeSeries(std::uint32_t t, std::span<const CounterSeries> all) {
        const Track& track = m_trace.track({t});
        for (std::uint64_t i = 0; i < all.front().count; ++i) {
            if (i % kEventsAtOnce == 0 && !m_file.goesOn()) return;
            const TimeNs time{m_trace.columns().sampleTime[all.front().first + i]};
            m_events.sample(track.name, {m_processes[t], threadOfCounter(track)},
                            m_isOlder ? olderSampleTime(track.process, time) : time);
            for (const CounterSeries& one : all) {
                const std::string_view name = m_trace.text(one.name);
                m_events.sampleValue(name, sampleText(track, name, one.first + i));
            }
            m_events.endSample();
        }
    }

    /// The JSON of each, without spaces; empty where there is none.
    void readArguments(const Slices& slices, BlockArguments& all) const {
        all.begin(slices.size());
        if (m_input.rank.arguments == nullptr) return;
        std::vector<SourcePos> positions;
        positions.reserve(slices.size());
        for (const SliceIndex slice : slices) positions.push_back(m_trace.pos(slice));
        m_input.rank.arguments->each(positions, [&all](std::size_t i, const Result<std::string_view>& text) {
            if (text.ok()) all.set(i, text.value());
        });
    }
    /// Memory of a block before, if one has been given back.
    std::unique_ptr<BlockArguments> takeArguments() {
        const std::lock_guard lock(m_mutex);
        if (m_free.empty()) return std::make_unique<BlockArguments>();
        std::unique_ptr<BlockArguments> taken = std::move(m_free.back());
        m_free.pop_back();
        return taken;
    }
    void giveArguments(std::unique_ptr<BlockArguments> used) {
        const std::lock_guard lock(m_mutex);
        m_free.push_back(std::move(used));
    }

    /// Calls write(events, i, slice, arguments) for each of the slices sliceAt(i), on all workers; the events come in
    /// the order of the slices.
    template <class SliceAt, class Write>
    void writeEach(std::size_t count, const SliceAt& sliceAt, const Write& write) {
        const auto make = [&](std::size_t block, TextBuffer& text) {
            const std::size_t from = block * kEventsAtOnce, to = std::min(from + kEventsAtOnce, count);
            Slices slices;
            slices.reserve(to - from);
            for (std::size_t i = from; i < to; ++i) slices.push_back(sliceAt(i));
            std::unique_ptr<BlockArguments> arguments = takeArguments();
            readArguments(slices, *arguments);
            EventText events(text, m_input.dialect);
            for (std::size_t i = from; i < to; ++i) write(events, i, slices[i - from], arguments->of(i - from));
            giveArguments(std::move(arguments));
        };
        m_file.eachBlock((count + kEventsAtOnce - 1) / kEventsAtOnce, make,
                         [this](std::string_view events) { append(events); });
    }

    /// Events that were written elsewhere in the same way; none if empty.
    void append(std::string_view events) {
        if (events.empty()) return;
        m_events.separate();
        m_file.append(events);
    }

    /// Slices of the framework's tracks with a category, in the order of their records.
    Slices slicesOf(TrackKind kind, std::string_view category) const {
        Slices slices;
        std::optional<StringId> wanted;  // texts have one number each
        for (std::uint32_t t = 0; t < m_trace.tracks().size(); ++t) {
            const Track& track = m_trace.track({t});
            if (track.kind != kind || track.origin == Origin::Computed) continue;
            const TrackExtent& extent = m_trace.extent({t});
            for (std::uint32_t i = 0; i < extent.sliceCount; ++i) {
                const SliceIndex slice{extent.firstSlice + i};
                const StringId own = m_trace.columns().category[slice.value];
                if (!wanted && m_trace.text(own) == category) wanted = own;
                if (own == wanted) slices.push_back(slice);
            }
        }
        const auto order = sortedNumbers(
            slices.size(), [&](std::size_t i) { return m_trace.pos(slices[i]).packed; }, m_input.cancel);
        Slices inOrder;
        inOrder.reserve(slices.size());
        for (const KeyedNumber& one : order) inOrder.push_back(slices[one.number]);
        return inOrder;
    }

    void writeFramework() {
        const Slices ops = slicesOf(TrackKind::Python, "cpu_op"), dequeues = slicesOf(TrackKind::Python, "dequeue"),
                     enqueues = slicesOf(TrackKind::Python, "enqueue");
        writeTorchSlices(ops, "cpu_op", std::nullopt);
        writeTorchSlices(dequeues, "dequeue", false);
        writeTorchSlices(enqueues, "enqueue", true);
        for (const SliceIndex slice : dequeues) m_workers.insert(trackOf(slice));
        nameThreads({&ops, &dequeues, &enqueues});
        writeForwardFlows();
        writeTorchSlices(slicesOf(TrackKind::Python, "python_function"), "python_function", std::nullopt);
        writeTorchSlices(slicesOf(TrackKind::Gc, "GC"), "GC", std::nullopt);
        nameCollector();
    }

    /// @param flow  Of the queue: whether these are where it begins.
    void writeTorchSlices(const Slices& slices, std::string_view category, std::optional<bool> flow) {
        const auto sliceAt = [&slices](std::size_t i) { return slices[i]; };
        writeEach(slices.size(), sliceAt,
                  [&](EventText& events, std::size_t, SliceIndex slice, std::string_view arguments) {
                      const EventText::Thread thread = threadOf(trackOf(slice));
                      events.torchSlice(m_trace.name(slice), thread, {m_trace.begin(slice), m_trace.duration(slice)},
                                        category, arguments);
                      const auto correlation = flow ? numberInArguments(arguments, "correlation_id") : std::nullopt;
                      if (correlation)
                          events.torchFlow(*flow, {"enqueue_to_dequeue", *correlation, "async_task_queue"}, thread,
                                           m_trace.begin(slice));
                  });
    }

    void nameProcess(const Track& track) {
        if (!m_named.insert(track.pid).second) return;
        const EventText::Thread process{track.pid, "0"};
        m_events.torchMetadata("process_name", process, "name", track.process, false);
        m_events.torchMetadata("process_labels", process, "labels", track.labels.empty() ? "CPU" : track.labels, false);
        m_events.torchMetadata("process_sort_index", process, "sort_index",
                               std::to_string(track.hasProcessSort ? track.processSort : 0), true);
    }
    void nameThread(std::uint32_t t) {
        const Track& track = m_trace.track({t});
        nameProcess(track);
        const std::string sort = m_workers.contains(t) ? std::to_string(maxThread() + 1) : m_threads[t];
        m_events.torchMetadata("thread_name", threadOf(t), "name", track.thread, false);
        m_events.torchMetadata("thread_sort_index", threadOf(t), "sort_index", sort, true);
    }
    /// Threads that take work from the queue stand below all others.
    std::int64_t maxThread() const {
        std::int64_t max = 0;
        for (const Track& track : m_trace.tracks()) {
            if (track.kind == TrackKind::Python) max = std::max(max, wholeNumber<std::int64_t>(track.tid).value_or(0));
        }
        return max;
    }
    /// Threads in the order in which these slices first name them, then those of Python's frames alone.
    void nameThreads(std::initializer_list<const Slices*> lists) {
        std::set<std::uint32_t> named;
        for (const Slices* list : lists) {
            for (const SliceIndex slice : *list) {
                if (const std::uint32_t t = trackOf(slice); named.insert(t).second) nameThread(t);
            }
        }
        for (std::uint32_t t = 0; t < m_trace.tracks().size(); ++t) {
            const Track& track = m_trace.track({t});
            if (track.kind == TrackKind::Python && track.origin != Origin::Computed && named.insert(t).second)
                nameThread(t);
        }
    }
    void nameCollector() {
        for (std::uint32_t t = 0; t < m_trace.tracks().size(); ++t) {
            if (m_trace.track({t}).kind == TrackKind::Gc) nameThread(t);
        }
    }

    struct Flow {
        SliceIndex from, to;
    };
    std::vector<Flow> flowsOf(std::string_view category) const {
        std::vector<Flow> flows;
        const auto wanted = m_trace.texts().find(category);
        for (std::size_t i = 0; wanted && i < m_trace.flowCount(); ++i) {
            const Flow flow{{m_trace.columns().flowFrom[i]}, {m_trace.columns().flowTo[i]}};
            if (m_trace.columns().flowCategory[i] == *wanted && flow.from != kNoSlice && flow.to != kNoSlice)
                flows.push_back(flow);
        }
        return flows;
    }

    void writeForwardFlows() {
        const std::vector<Flow> flows = flowsOf(kForwardFlow);
        const auto sliceAt = [&flows](std::size_t i) { return flows[i].from; };
        writeEach(flows.size(), sliceAt,
                  [&](EventText& events, std::size_t i, SliceIndex slice, std::string_view arguments) {
                      const SliceIndex to = flows[i].to;
                      const auto sequence = numberInArguments(arguments, "Sequence number");
                      if (!sequence) return;
                      const EventText::Arrow arrow{kForwardFlow, *sequence, kForwardFlow};
                      events.torchFlow(true, arrow, threadOf(trackOf(slice)), m_trace.begin(slice));
                      events.torchFlow(false, arrow, threadOf(trackOf(to)), m_trace.begin(to));
                  });
    }

    /// From operators to what they had the device do; the id is when that began.
    void writeWorkFlows() {
        std::vector<Flow> flows = flowsOf(kWorkFlow);
        std::stable_sort(flows.begin(), flows.end(), [this](const Flow& a, const Flow& b) {
            return std::tuple(m_trace.begin(a.from).value, m_trace.begin(a.to).value) <
                   std::tuple(m_trace.begin(b.from).value, m_trace.begin(b.to).value);
        });
        const auto make = [&](std::size_t block, TextBuffer& text) {
            EventText events(text, m_input.dialect);
            const std::size_t from = block * kEventsAtOnce, to = std::min(from + kEventsAtOnce, flows.size());
            for (std::size_t i = from; i < to; ++i) {
                const Flow& flow = flows[i];
                const EventText::Arrow arrow{"torch_to_npu", m_trace.begin(flow.to).value, kWorkFlow};
                events.torchFlow(true, arrow, threadOf(trackOf(flow.from)), m_trace.begin(flow.from));
                events.torchFlow(false, arrow, threadOf(trackOf(flow.to)), m_trace.begin(flow.to));
            }
        };
        m_file.eachBlock((flows.size() + kEventsAtOnce - 1) / kEventsAtOnce, make,
                         [this](std::string_view events) { append(events); });
    }

    const DeliverableInput& m_input;
    const TraceStore& m_trace;
    DeliverableFile& m_file;
    EventText m_events;
    std::vector<std::string> m_threads, m_processes;        // by track: its tid and pid
    std::set<std::string> m_named;                          // processes
    std::set<std::uint32_t> m_workers;                      // tracks that take work from the queue
    std::vector<std::pair<SourcePos, double>> m_fractions;  // sorted
    std::mutex m_mutex;                                     // of the next one
    std::vector<std::unique_ptr<BlockArguments>> m_free;    // memory for blocks
    const MarkConnections m_marks;
    const LaunchFlows m_launches;
    std::optional<OlderArrows> m_olderArrows;
    const TraceScope m_scope;
    const bool m_isOlder;
};

}  // namespace

DeliverableResult writeTraceFile(const DeliverableInput& input) {
    if (input.rank.trace == nullptr || input.rank.trace->tracks().empty()) return {DeliverableResult::State::Nothing};
    const bool isTorch = input.dialect == Dialect::Torch;
    DeliverableFile file(input.file(isTorch ? "trace_view" : "msprof", ".json"), input.dialect, input.cancel);
    TraceLines(input, file, TraceScope::All).write();
    return endDeliverable(file, input.cancel);
}

DeliverableResult writeIterationTrace(const DeliverableInput& input) {
    const bool isAny = std::any_of(input.tasks.samples.begin(), input.tasks.samples.end(), [](const auto& device) {
        return !device.iterations.empty() || !device.reductions.empty() || !device.dataFetches.empty();
    });
    if (input.rank.trace == nullptr || !isAny) return {DeliverableResult::State::Nothing};
    DeliverableFile file(input.file("step_trace", ".json"), input.dialect, input.cancel);
    TraceLines(input, file, TraceScope::Iterations).write();
    return endDeliverable(file, input.cancel);
}

DeliverableResult writeMarkTrace(const DeliverableInput& input) {
    const auto& devices = input.tasks.samples;
    const bool isAny =
        !input.tasks.marks.empty() ||
        std::any_of(devices.begin(), devices.end(), [](const auto& device) { return !device.marks.empty(); });
    if (input.rank.trace == nullptr || !isAny) return {DeliverableResult::State::Nothing};
    DeliverableFile file(input.file("msprof_tx", ".json"), input.dialect, input.cancel);
    TraceLines(input, file, TraceScope::Marks).write();
    return endDeliverable(file, input.cancel);
}

}  // namespace altiscope
