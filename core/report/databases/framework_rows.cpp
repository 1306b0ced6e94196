#include "core/report/databases/framework_rows.h"

#include "core/base/text/text_buffer.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/parse.h"
#include "core/report/databases/database_schema.h"
#include "core/report/databases/database_texts.h"
#include "core/report/databases/launch_connections.h"
#include "core/report/databases/memory_rows.h"
#include "core/report/deliverables/argument_number.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// torch_npu adds this to numbers of its own, so that they never equal those of CANN.
constexpr std::int64_t kFrameworkConnections = std::int64_t{5} << 28;
/// Level of the calls of CANN that launch operators.
constexpr std::uint32_t kNodeLevel = 10000;
constexpr std::uint32_t kOperatorType = 50001, kQueueType = 50002, kFunctionType = 50003;
constexpr std::uint32_t kSlicesAtOnce = 4096;
constexpr std::string_view kListLine = ";\r\n";

/// Arguments of a slice; texts as they stand between their quotes.
struct FrameworkArguments {
    std::optional<std::int64_t> sequence, forwardThread, correlation;
    std::string_view shapes, types, stack;
};

FrameworkArguments frameworkArguments(std::string_view json) {
    FrameworkArguments arguments;
    for (ArgumentMembers members(json); members.next();) {
        const std::string_view key = members.key();
        if (members.isText()) {
            if (key == "Input Dims") arguments.shapes = members.value();
            else if (key == "Input type") arguments.types = members.value();
            else if (key == "Call stack") arguments.stack = members.value();
        } else if (key == "Sequence number") {
            arguments.sequence = members.number();
        } else if (key == "Fwd thread id") {
            arguments.forwardThread = members.number();
        } else if (key == "correlation_id") {
            arguments.correlation = members.number();
        }
    }
    return arguments;
}

/// The arguments of some slices of a track.
class SliceArguments {
public:
    /// @param first  Of the slices, `count` of them.
    void read(const DeliverableInput& input, std::uint32_t first, std::uint32_t count) {
        const TraceStore& trace = *input.rank.trace;
        m_text.clear();
        m_places.assign(count, {});
        m_positions.clear();
        m_numbers.clear();
        const auto function = trace.texts().find("python_function");
        for (std::uint32_t i = 0; i < count; ++i) {
            // Calls of Python have none that a database holds.
            if (function && trace.columns().category[first + i] == *function) continue;
            m_positions.push_back(trace.pos({first + i}));
            m_numbers.push_back(i);
        }
        input.rank.arguments->each(m_positions, [this](std::size_t i, const Result<std::string_view>& text) {
            if (!text.ok()) return;
            m_places[m_numbers[i]] = {m_text.size(), text.value().size()};
            m_text.add(text.value());
        });
    }
    std::string_view of(std::uint32_t i) const { return m_text.view().substr(m_places[i].first, m_places[i].second); }

private:
    TextBuffer m_text;
    std::vector<std::pair<std::size_t, std::size_t>> m_places;  // where they begin, bytes
    std::vector<SourcePos> m_positions;
    std::vector<std::uint32_t> m_numbers;
};

/// Process and thread in one number.
std::int64_t numberedThread(std::int64_t process, std::int64_t thread) {
    static constexpr unsigned kThreadBits = 32;
    return (process << kThreadBits) | thread;
}

struct FrameworkCall {
    HostInterval call;
    SliceIndex slice;
};
using FrameworkCalls = std::vector<FrameworkCall>;

std::vector<HostInterval> intervalsOf(const FrameworkCalls& calls) {
    std::vector<HostInterval> intervals;
    intervals.reserve(calls.size());
    for (const FrameworkCall& one : calls) intervals.push_back(one.call);
    return intervals;
}

/// Writes the rows of one rank.
class FrameworkRows {
public:
    FrameworkRows(const DeliverableInput& input, SqliteFile& file)
        : m_input(input), m_trace(*input.rank.trace), m_file(file), m_texts(file, DatabaseTexts::kFramework) {}

    void add() {
        gatherFlows();
        gatherLaunches();
        for (std::uint32_t t = 0; t < m_trace.tracks().size() && goesOn(); ++t) {
            const Track& track = m_trace.track({t});
            if (track.origin == Origin::Computed) continue;
            if (track.kind == TrackKind::Python) addTrack(t);
            if (track.kind == TrackKind::Gc) addCollections(t);
        }
        addMemoryRows(m_input, m_file);
    }

private:
    bool goesOn() const { return !m_input.cancel.cancelled() && m_file.state().ok(); }
    /// @param text  As it stands between its quotes. Its form without them is found out once for each.
    DbValue textOrNull(std::string_view text) {
        if (text.empty()) return nullptr;
        const auto known = m_known.find(text);
        if (known != m_known.end()) return known->second;
        const std::uint32_t id = m_texts.id(plainArgument(text));
        m_known.emplace(text, id);
        return id;
    }

    /// The layer stands below the process in the text export's process numbers.
    static std::int64_t globalThread(const Track& track) {
        static constexpr unsigned kLayerBits = 10;
        const std::int64_t process = wholeNumber(track.pid).value_or(0);
        const bool isLayer = track.kind == TrackKind::Gc;
        return numberedThread(isLayer ? process >> kLayerBits : process, wholeNumber(track.tid).value_or(0));
    }

    void gatherFlows();
    void gatherLaunches();
    std::vector<std::optional<std::int64_t>> correlationsOf(const FrameworkCalls& calls) const;
    void keepPairs(FrameworkCalls& enqueued, FrameworkCalls& dequeued);
    void addTrack(std::uint32_t track);
    void addSlice(SliceIndex slice, std::int64_t thread, std::string_view json);
    std::int64_t connect(std::int64_t connection) {
        m_file.insert(ProfilerTable::ConnectionIds, {m_nextConnection, connection});
        return m_nextConnection;
    }
    DbValue connectionOf(SliceIndex slice, const FrameworkArguments& arguments);
    DbValue callChain(std::string_view stack);
    void addCollections(std::uint32_t track);

    const DeliverableInput& m_input;
    const TraceStore& m_trace;
    SqliteFile& m_file;
    DatabaseTexts m_texts;
    std::vector<std::pair<std::uint32_t, std::int64_t>> m_launches;  // slice of an operator, call of CANN; ascending
    std::unordered_map<std::uint32_t, std::int64_t> m_pairs;  // numbers of forward and backward operators, by slice
    std::int64_t m_firstPair = 0;                             // after all correlations of the queue
    std::int64_t m_nextConnection = 0, m_nextChain = 0;
    template <class Value>
    using ByText = std::unordered_map<std::string, Value, DatabaseTexts::Hash, std::equal_to<>>;
    TextBuffer m_times;                           // of the slice at hand
    ByText<std::uint32_t> m_known;                // ids, by text between its quotes
    ByText<std::vector<std::uint32_t>> m_chains;  // ids of frames, by stack between its quotes
};

void FrameworkRows::gatherFlows() {
    std::int64_t pair = 0;
    for (std::size_t i = 0; i < m_trace.flowCount(); ++i) {
        const SliceIndex from{m_trace.columns().flowFrom[i]}, to{m_trace.columns().flowTo[i]};
        if (from == kNoSlice || to == kNoSlice) continue;
        const std::string_view category = m_trace.flowCategory(i);
        if (category != "fwdbwd") continue;
        m_pairs.emplace(from.value, pair);
        m_pairs.emplace(to.value, pair++);
    }
}

std::vector<std::optional<std::int64_t>> FrameworkRows::correlationsOf(const FrameworkCalls& calls) const {
    std::vector<SourcePos> positions;
    positions.reserve(calls.size());
    for (const FrameworkCall& one : calls) positions.push_back(m_trace.pos(one.slice));
    std::vector<std::optional<std::int64_t>> correlations(calls.size());
    m_input.rank.arguments->each(positions, [&](std::size_t i, const Result<std::string_view>& text) {
        if (text.ok()) correlations[i] = frameworkArguments(text.value()).correlation;
    });
    return correlations;
}

/// Takes out what was enqueued and never dequeued, and the other way round.
void FrameworkRows::keepPairs(FrameworkCalls& enqueued, FrameworkCalls& dequeued) {
    const auto first = correlationsOf(enqueued), second = correlationsOf(dequeued);
    // Numbers beyond are no sequence of the framework's.
    constexpr std::int64_t kMostPairs = std::int64_t{1} << 61;
    for (const auto& number : first)
        if (number && *number >= 0 && *number < kMostPairs) m_firstPair = std::max(m_firstPair, *number + 1);
    const auto keep = [](FrameworkCalls& calls, const auto& own, const auto& others) {
        std::unordered_set<std::int64_t> known;
        for (const auto& number : others) {
            if (number) known.insert(*number);
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (own[i] && known.contains(*own[i])) calls[kept++] = calls[i];
        }
        calls.resize(kept);
    };
    keep(enqueued, first, second);
    keep(dequeued, second, first);
}

void FrameworkRows::gatherLaunches() {
    std::vector<LaunchCall> launches;
    for (const CallRecord& call : m_input.tasks.calls) {
        const std::string* name = m_input.tasks.text(call.name);
        if (call.level == kNodeLevel && name != nullptr && *name == "launch")
            launches.push_back({{numberedThread(call.process, call.thread), call.begin, call.end}, call.connection});
    }
    std::stable_sort(launches.begin(), launches.end(),
                     [](const LaunchCall& a, const LaunchCall& b) { return a.call.begin < b.call.begin; });
    FrameworkCalls operators, enqueued, dequeued;
    for (std::uint32_t t = 0; t < m_trace.tracks().size() && goesOn(); ++t) {
        const Track& track = m_trace.track({t});
        if (track.origin == Origin::Computed || track.kind != TrackKind::Python) continue;
        const TrackExtent& extent = m_trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            const std::string_view category = m_trace.category({i});
            if (category == "python_function") continue;
            (category == "enqueue"   ? enqueued
             : category == "dequeue" ? dequeued
                                     : operators)
                .push_back({{globalThread(track), m_trace.begin({i}).value, m_trace.end({i}).value}, SliceIndex{i}});
        }
    }
    keepPairs(enqueued, dequeued);
    // The order of the vendor's lists: what the queue passed on by its end, operators by their begin.
    const auto byFile = [this](const FrameworkCall& a, const FrameworkCall& b) {
        return m_trace.pos(a.slice).packed < m_trace.pos(b.slice).packed;
    };
    for (FrameworkCalls* list : {&operators, &enqueued, &dequeued}) {
        std::sort(list->begin(), list->end(), [&, isByBegin = list == &operators](const auto& a, const auto& b) {
            const std::int64_t first = isByBegin ? a.call.begin : a.call.end,
                               second = isByBegin ? b.call.begin : b.call.end;
            return first != second ? first < second : byFile(a, b);
        });
    }
    const std::vector<HostInterval> calls = intervalsOf(operators);
    for (const OperatorLaunch& one :
         operatorLaunches(calls, {intervalsOf(enqueued), intervalsOf(dequeued)}, launches, m_input.cancel))
        m_launches.emplace_back(operators[one.number].slice.value, one.connection);
    std::stable_sort(m_launches.begin(), m_launches.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
}

void FrameworkRows::addTrack(std::uint32_t track) {
    const TrackExtent& extent = m_trace.extent({track});
    const std::int64_t thread = globalThread(m_trace.track({track}));
    // The next arguments are read while rows are written.
    SliceArguments arguments[2];
    const auto countFrom = [&extent](std::uint32_t first) {
        return std::min(extent.sliceCount - first, kSlicesAtOnce);
    };
    arguments[0].read(m_input, extent.firstSlice, countFrom(0));
    for (std::uint32_t first = 0; first < extent.sliceCount && goesOn();) {
        const std::uint32_t count = countFrom(first), next = first + count;
        parallelFor(2, [&](std::size_t part) {
            if (part == 1) return arguments[1].read(m_input, extent.firstSlice + next, countFrom(next));
            for (std::uint32_t i = 0; i < count; ++i)
                addSlice({extent.firstSlice + first + i}, thread, arguments[0].of(i));
        });
        std::swap(arguments[0], arguments[1]);
        first = next;
    }
}

void FrameworkRows::addSlice(SliceIndex slice, std::int64_t thread, std::string_view json) {
    m_times.clear();
    m_times.addNumber(m_trace.begin(slice).value);
    const std::size_t length = m_times.size();
    m_times.addNumber(m_trace.end(slice).value);
    const std::string_view begin = m_times.view().substr(0, length), end = m_times.view().substr(length);
    const std::string_view category = m_trace.category(slice);
    const std::uint32_t name = m_texts.id(m_trace.name(slice));
    if (category == "python_function") {
        m_file.insert(ProfilerTable::PytorchApi,
                      {begin, end, thread, nullptr, name, nullptr, nullptr, nullptr, nullptr, nullptr, kFunctionType});
        return;
    }
    const FrameworkArguments arguments = frameworkArguments(json);
    const DbValue connection = connectionOf(slice, arguments);
    if (category == "enqueue" || category == "dequeue") {
        m_file.insert(ProfilerTable::PytorchApi,
                      {begin, end, thread, connection, name, nullptr, nullptr, nullptr, nullptr, nullptr, kQueueType});
        return;
    }
    m_file.insert(ProfilerTable::PytorchApi, {begin, end, thread, connection, name, arguments.sequence.value_or(-1),
                                              arguments.forwardThread.value_or(0), textOrNull(arguments.types),
                                              textOrNull(arguments.shapes), callChain(arguments.stack), kOperatorType});
}

DbValue FrameworkRows::connectionOf(SliceIndex slice, const FrameworkArguments& arguments) {
    std::optional<std::int64_t> id;
    if (arguments.correlation) id = connect(kFrameworkConnections + *arguments.correlation);
    if (const auto pair = m_pairs.find(slice.value); pair != m_pairs.end())
        id = connect(kFrameworkConnections + m_firstPair + pair->second);
    auto launch = std::lower_bound(m_launches.begin(), m_launches.end(), std::pair(slice.value, INT64_MIN));
    for (; launch != m_launches.end() && launch->first == slice.value; ++launch) id = connect(launch->second);
    if (!id) return nullptr;
    ++m_nextConnection;
    return *id;
}

/// The innermost frame comes first.
DbValue FrameworkRows::callChain(std::string_view stack) {
    if (stack.empty()) return nullptr;
    auto known = m_chains.find(stack);
    if (known == m_chains.end()) {
        const std::string plain = plainArgument(stack);
        std::vector<std::uint32_t> frames;
        for (std::string_view rest = plain; !rest.empty();) {
            const std::size_t end = std::min(rest.find(kListLine), rest.size());
            frames.push_back(m_texts.id(rest.substr(0, end)));
            rest.remove_prefix(std::min(end + kListLine.size(), rest.size()));
        }
        known = m_chains.emplace(stack, std::move(frames)).first;
    }
    for (std::size_t depth = 0; depth < known->second.size(); ++depth)
        m_file.insert(ProfilerTable::PytorchCallchains, {m_nextChain, known->second[depth], depth});
    return m_nextChain++;
}

void FrameworkRows::addCollections(std::uint32_t track) {
    const TrackExtent& extent = m_trace.extent({track});
    const std::int64_t thread = globalThread(m_trace.track({track}));
    for (std::uint32_t i = 0; i < extent.sliceCount && goesOn(); ++i) {
        const SliceIndex slice{extent.firstSlice + i};
        m_file.insert(ProfilerTable::GcRecord, {m_trace.begin(slice).value, m_trace.end(slice).value, thread});
    }
}

}  // namespace

void addFrameworkRows(const DeliverableInput& input, std::span<const HostStep> steps, SqliteFile& file) {
    if (input.rank.trace == nullptr || input.rank.arguments == nullptr) return;
    FrameworkRows(input, file).add();
    for (const HostStep& step : steps)
        file.insert(ProfilerTable::StepTime, {step.number, step.range.begin.value, step.range.end.value});
}

}  // namespace altiscope
