#include "core/report/databases/framework_rows.h"

#include "core/base/parse.h"
#include "core/report/databases/database_schema.h"
#include "core/report/databases/database_texts.h"

#include <nlohmann/json.hpp>

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
constexpr std::uint32_t kOperatorType = 50001, kQueueType = 50002, kFunctionType = 50003;
constexpr std::uint32_t kSlicesAtOnce = 4096;
constexpr std::string_view kListLine = ";\r\n";

/// What the arguments of a slice say, as the text export has them.
struct FrameworkArguments {
    std::optional<std::int64_t> sequence, forwardThread, correlation;
    std::string shapes, types, stack;
};

std::optional<FrameworkArguments> frameworkArguments(std::string_view json) {
    const auto object = nlohmann::json::parse(json, nullptr, false);
    if (!object.is_object()) return std::nullopt;
    FrameworkArguments arguments;
    const auto number = [&object](const char* key) -> std::optional<std::int64_t> {
        const auto found = object.find(key);
        if (found == object.end() || !found->is_number_integer()) return std::nullopt;
        return found->is_number_unsigned() ? static_cast<std::int64_t>(found->get<std::uint64_t>())
                                           : found->get<std::int64_t>();
    };
    const auto text = [&object](const char* key) {
        const auto found = object.find(key);
        return found == object.end() || !found->is_string() ? std::string() : found->get<std::string>();
    };
    arguments.sequence = number("Sequence number");
    arguments.forwardThread = number("Fwd thread id");
    arguments.correlation = number("correlation_id");
    arguments.shapes = text("Input Dims");
    arguments.types = text("Input type");
    arguments.stack = text("Call stack");
    return arguments;
}

/// Writes the rows of one rank.
class FrameworkRows {
public:
    FrameworkRows(const DeliverableInput& input, SqliteFile& file)
        : m_input(input), m_trace(*input.rank.trace), m_file(file), m_texts(file, DatabaseTexts::kFramework),
          m_memoryTexts(file, DatabaseTexts::kMemory) {}

    void add() {
        gatherFlows();
        for (std::uint32_t t = 0; t < m_trace.tracks().size() && goesOn(); ++t) {
            const Track& track = m_trace.track({t});
            if (track.origin == Origin::Computed) continue;
            if (track.kind == TrackKind::Python) addTrack(t);
            if (track.kind == TrackKind::Gc) addCollections(t);
        }
        for (const Step& step : m_input.rank.steps) {
            if (step.range)
                m_file.insert(ProfilerTable::StepTime, {step.number, step.range->begin.value, step.range->end.value});
        }
        addSamples();
        addAllocations();
    }

private:
    bool goesOn() const { return !m_input.cancel.cancelled() && m_file.state().ok(); }
    DbValue textOrNull(const std::string& text) { return text.empty() ? DbValue(nullptr) : DbValue(m_texts.id(text)); }

    /// Process and thread in one number. The layer stands below the process in the text export's process numbers.
    static std::int64_t globalThread(const Track& track) {
        static constexpr unsigned kLayerBits = 10, kThreadBits = 32;
        const std::int64_t process = wholeNumber(track.pid).value_or(0);
        const bool isLayer = track.kind == TrackKind::Gc;
        return ((isLayer ? process >> kLayerBits : process) << kThreadBits) | wholeNumber(track.tid).value_or(0);
    }

    void gatherFlows();
    void addTrack(std::uint32_t track);
    void addSlice(SliceIndex slice, std::int64_t thread, std::string_view json);
    std::int64_t connect(std::int64_t connection) {
        m_file.insert(ProfilerTable::ConnectionIds, {m_nextConnection, connection});
        return m_nextConnection;
    }
    DbValue connectionOf(SliceIndex slice, const FrameworkArguments& arguments);
    DbValue callChain(const std::string& stack);
    void addCollections(std::uint32_t track);
    void addSamples();
    void addAllocations();

    const DeliverableInput& m_input;
    const TraceStore& m_trace;
    SqliteFile& m_file;
    DatabaseTexts m_texts, m_memoryTexts;
    std::unordered_multimap<std::uint32_t, std::int64_t> m_launches;  // by slice of an operator: calls of CANN
    std::unordered_set<std::uint32_t> m_paired;                       // operators with a forward or backward one
    std::int64_t m_nextConnection = 0, m_nextChain = 0;
};

void FrameworkRows::gatherFlows() {
    std::unordered_map<std::uint64_t, std::int64_t> launches;  // by position of the slice on the device
    for (const TaskRecord& task : m_input.tasks.tasks) {
        if (task.pos && task.connection >= 0) launches.emplace(task.pos->packed, task.connection);
    }
    for (const CollectiveDetail& collective : m_input.tasks.collectiveDetails)
        launches.emplace(collective.pos.packed, collective.connection);
    for (std::size_t i = 0; i < m_trace.flowCount(); ++i) {
        const SliceIndex from{m_trace.columns().flowFrom[i]}, to{m_trace.columns().flowTo[i]};
        if (from == kNoSlice || to == kNoSlice) continue;
        const std::string_view category = m_trace.flowCategory(i);
        if (category == "fwdbwd") {
            m_paired.insert(from.value);
            m_paired.insert(to.value);
        }
        if (category != "async_npu") continue;
        if (const auto launch = launches.find(m_trace.pos(to).packed); launch != launches.end())
            m_launches.emplace(from.value, launch->second);
    }
}

void FrameworkRows::addTrack(std::uint32_t track) {
    const TrackExtent& extent = m_trace.extent({track});
    const std::int64_t thread = globalThread(m_trace.track({track}));
    std::vector<SourcePos> positions;
    for (std::uint32_t first = 0; first < extent.sliceCount && goesOn(); first += kSlicesAtOnce) {
        const auto count = std::min<std::uint32_t>(extent.sliceCount - first, kSlicesAtOnce);
        positions.clear();
        for (std::uint32_t i = 0; i < count; ++i) positions.push_back(m_trace.pos({extent.firstSlice + first + i}));
        std::vector<std::string> arguments(count);
        // Calls of Python have none that a database holds.
        std::vector<SourcePos> read;
        std::vector<std::uint32_t> places;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (m_trace.category({extent.firstSlice + first + i}) == "python_function") continue;
            read.push_back(positions[i]);
            places.push_back(i);
        }
        m_input.rank.arguments->each(read, [&](std::size_t i, const Result<std::string_view>& text) {
            if (text.ok()) arguments[places[i]] = text.value();
        });
        for (std::uint32_t i = 0; i < count; ++i) addSlice({extent.firstSlice + first + i}, thread, arguments[i]);
    }
}

void FrameworkRows::addSlice(SliceIndex slice, std::int64_t thread, std::string_view json) {
    const std::string begin = std::to_string(m_trace.begin(slice).value),
                      end = std::to_string(m_trace.end(slice).value);
    const std::string_view category = m_trace.category(slice);
    const std::uint32_t name = m_texts.id(m_trace.name(slice));
    if (category == "python_function") {
        m_file.insert(ProfilerTable::PytorchApi,
                      {begin, end, thread, nullptr, name, nullptr, nullptr, nullptr, nullptr, nullptr, kFunctionType});
        return;
    }
    const FrameworkArguments arguments = frameworkArguments(json).value_or(FrameworkArguments());
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
    if (arguments.sequence && m_paired.contains(slice.value)) id = connect(kFrameworkConnections + *arguments.sequence);
    const auto [launch, last] = m_launches.equal_range(slice.value);
    for (auto at = launch; at != last; ++at) id = connect(at->second);
    if (!id) return nullptr;
    ++m_nextConnection;
    return *id;
}

/// The innermost frame comes first.
DbValue FrameworkRows::callChain(const std::string& stack) {
    if (stack.empty()) return nullptr;
    std::string_view rest = stack;
    for (std::int64_t depth = 0; !rest.empty(); ++depth) {
        const std::size_t end = std::min(rest.find(kListLine), rest.size());
        m_file.insert(ProfilerTable::PytorchCallchains, {m_nextChain, m_texts.id(rest.substr(0, end)), depth});
        rest.remove_prefix(std::min(end + kListLine.size(), rest.size()));
    }
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

DbValue numberOrNull(std::optional<std::int64_t> number) { return number ? DbValue(*number) : DbValue(nullptr); }

/// As in the text export: the device of the folder, if there is one.
std::int64_t memoryDevice(const DeliverableInput& input, const NamedCells& cells, std::size_t row) {
    const auto device = input.rank.info.deviceId ? input.rank.info.deviceId : cells.integer("device_id", row);
    return device.value_or(0);
}

void FrameworkRows::addSamples() {
    const NamedCells cells(m_input.rank, RowKind::MemorySample);
    for (std::size_t row = 0; row < cells.size() && goesOn(); ++row) {
        // The driver's count of the process is in NPU_MEM.
        if (cells.text("component", row) == std::optional<std::string_view>("APP")) continue;
        const auto number = [&](std::string_view column) { return numberOrNull(cells.integer(column, row)); };
        m_file.insert(ProfilerTable::MemoryRecord,
                      {m_memoryTexts.id(cells.text("component", row).value_or(std::string_view())), number("ts"),
                       number("allocated"), number("reserved"), number("active"), number("stream"),
                       memoryDevice(m_input, cells, row)});
    }
}

void FrameworkRows::addAllocations() {
    const NamedCells cells(m_input.rank, RowKind::Allocation);
    for (std::size_t row = 0; row < cells.size() && goesOn(); ++row) {
        const auto number = [&](std::string_view column) { return numberOrNull(cells.integer(column, row)); };
        const auto begin = cells.integer("alloc_ts", row);
        const auto since = [&](std::string_view column) {
            const auto end = cells.integer(column, row);
            return begin && end ? DbValue(*end - *begin) : DbValue(nullptr);
        };
        m_file.insert(ProfilerTable::OpMemory,
                      {m_memoryTexts.id(cells.text("name", row).value_or(std::string_view())), number("size"),
                       number("alloc_ts"), number("release_ts"), number("active_release_ts"), since("release_ts"),
                       since("active_release_ts"), number("alloc_allocated"), number("alloc_reserved"),
                       number("alloc_active"), number("release_allocated"), number("release_reserved"),
                       number("release_active"), number("stream"), memoryDevice(m_input, cells, row)});
    }
}

}  // namespace

void addFrameworkRows(const DeliverableInput& input, SqliteFile& file) {
    if (input.rank.trace != nullptr && input.rank.arguments != nullptr) FrameworkRows(input, file).add();
}

}  // namespace altiscope
