#include "core/report/databases/cann_rows.h"

#include "core/base/values/parse.h"
#include "core/report/databases/database_schema.h"
#include "core/report/databases/database_texts.h"
#include "core/report/databases/sample_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

namespace {

constexpr std::string_view kUnknownText = "N/A";
constexpr std::size_t kRowsPerCheck = 1024;
constexpr std::int64_t kUnknownLength = std::int64_t{30} * 60 * 1'000'000'000;
/// Numbers of enumerations for what is not known, and for what does not apply.
constexpr std::uint32_t kUnknownEnum = 65534, kInvalidEnum = 65535;

std::uint32_t enumNumber(std::uint32_t number) { return number == TaskRecord::kNone ? kInvalidEnum : number; }

/// As the vendor names the generations of chips.
std::string_view chipName(std::int64_t platform) {
    switch (platform) {
    case 0: return "Ascend310";
    case 1: return "Ascend910A";
    case 4: return "Ascend310P";
    case 5: return "Ascend910B";
    case 7: return "Ascend310B";
    case 15: return "Ascend950";
    default: return "UNKNOWN";
    }
}

/// Writes the rows of one rank.
class CannRows {
public:
    CannRows(const DeliverableInput& input, SqliteFile& file)
        : m_input(input), m_records(input.tasks), m_file(file), m_texts(file, DatabaseTexts::kCann) {}

    void add() {
        addFacts();
        addCalls();
        addTasks();
        addMetrics();
        addCollectives();
        addCollectiveParts();
        addOverlap();
        addCounters();
        addCopies();
        addSampleRows(m_input, m_file, m_texts);
        addMarkRows(m_input, m_file, m_texts);
    }

private:
    /// False once nothing more is to be written; looked at for each row.
    bool goesOn() { return ++m_rows % kRowsPerCheck != 0 || (!m_input.cancel.cancelled() && m_file.state().ok()); }
    std::uint32_t textId(std::uint32_t place) {
        const std::string* text = m_records.text(place);
        return m_texts.id(text == nullptr ? kUnknownText : std::string_view(*text));
    }

    void addFacts();
    void addCalls();
    void addTasks();
    void addOperator(const TaskRecord& task);
    void addMetrics();
    void addCollectives();
    void addCollectiveParts();
    void addOverlap();
    void addCounters();
    void addCopies();

    const DeliverableInput& m_input;
    const TaskRecords& m_records;
    SqliteFile& m_file;
    DatabaseTexts m_texts;
    std::size_t m_rows = 0;
};

void CannRows::addFacts() {
    std::int64_t begin = 0, end = 0;
    std::vector<std::int64_t> devices;
    std::map<std::int64_t, std::string_view> chips;  // by device
    for (const TaskRecords::Collection& one : m_records.collections) {
        begin = begin == 0 ? one.wall : std::min(begin, one.wall);
        // Where nothing says when a collection ended the vendor takes it for half an hour.
        end = std::max(end, one.wallEnd != 0 ? one.wallEnd : one.wall + kUnknownLength);
        if (std::find(devices.begin(), devices.end(), one.device) == devices.end()) devices.push_back(one.device);
        chips.emplace(one.device, chipName(one.platform));
    }
    m_file.insert(ProfilerTable::SessionTimeInfo, {begin, end});
    if (!m_records.hostId.empty() || !m_records.hostName.empty())
        m_file.insert(ProfilerTable::HostInfo, {m_records.hostId, m_records.hostName});
    const bool isTorch = m_input.dialect == Dialect::Torch;
    // msprof knows no ranks.
    const std::int64_t rank = isTorch ? m_input.rank.info.rankId.value_or(-1) : -1;
    for (const std::int64_t device : devices) {
        m_file.insert(ProfilerTable::NpuInfo, {device, chips[device]});
        m_file.insert(ProfilerTable::RankDeviceMap, {rank, device});
    }
    if (devices.empty()) m_file.insert(ProfilerTable::RankDeviceMap, {rank, m_input.rank.info.deviceId.value_or(-1)});
    for (const auto& [name, value] : {std::pair("SCHEMA_VERSION_MICRO", "0"), std::pair("SCHEMA_VERSION_MINOR", "2"),
                                      std::pair("SCHEMA_VERSION_MAJOR", "1"), std::pair("SCHEMA_VERSION", "1.2.0")})
        m_file.insert(ProfilerTable::MetaData, {name, value});
    for (std::size_t table = 0; table < profilerTables().size(); ++table) {
        for (const auto& [id, name] : enumerationOf(static_cast<ProfilerTable>(table), isTorch))
            m_file.insert(static_cast<ProfilerTable>(table), {id, name});
    }
}

void CannRows::addCalls() {
    for (const CallRecord& call : m_records.calls) {
        if (!goesOn()) return;
        m_file.insert(ProfilerTable::CannApi, {call.begin, call.end, call.level, (call.process << 32) | call.thread,
                                               call.connection, textId(call.name)});
    }
}

void CannRows::addTasks() {
    for (const TaskRecord& task : m_records.tasks) {
        if (!goesOn()) return;
        m_file.insert(ProfilerTable::Task,
                      {task.begin, task.end, task.device, task.connection, task.id, m_records.process,
                       textId(task.runtimeType), task.context, task.stream, task.task, task.model});
    }
    // An operator has one row, however often its task ran, and also where no device ran it.
    std::vector<bool> hasRow(m_records.tasks.size() + m_records.notRun.size());
    for (const auto* tasks : {&m_records.tasks, &m_records.notRun}) {
        for (const TaskRecord& task : *tasks) {
            if (!goesOn()) return;
            if (!task.hasOp || hasRow[task.id]) continue;
            hasRow[task.id] = true;
            addOperator(task);
        }
    }
}

void CannRows::addOperator(const TaskRecord& task) {
    const std::string* name = m_records.text(task.opName);
    if (name != nullptr && name->ends_with("AicpuKernel")) {
        m_file.insert(ProfilerTable::CommunicationScheduleTaskInfo,
                      {textId(task.opName), task.id, textId(task.opCore), textId(task.opType)});
        return;
    }
    static constexpr std::string_view kStates[] = {"N/A", "static", "dynamic"}, kHf32[] = {"N/A", "NO", "YES"};
    const TaskRecords::Tensors* tensors =
        task.tensors < m_records.tensors.size() ? &m_records.tensors[task.tensors] : nullptr;
    enum : std::size_t { kShapes, kTypes, kFormats, kParts };
    const auto cell = [&](std::size_t side, std::size_t part) {
        const std::string* types = tensors == nullptr ? nullptr : &(*tensors)[side * kParts + kTypes];
        if (types == nullptr || types->empty()) return m_texts.id(kUnknownText);
        const std::string& text = (*tensors)[side * kParts + part];
        return m_texts.id(part == kShapes ? '"' + text + '"' : text);
    };
    const std::uint32_t unknown = m_texts.id(kUnknownText);
    const std::string* attributeText = m_records.text(task.attributes);
    const std::uint32_t attributes = m_texts.id(attributeText == nullptr ? "" : std::string_view(*attributeText));
    m_file.insert(ProfilerTable::ComputeTaskInfo,
                  {textId(task.opName), task.id, task.blocks, task.mixedBlocks, textId(task.opCore),
                   textId(task.opType), cell(0, kFormats), cell(0, kTypes), cell(0, kShapes), cell(1, kFormats),
                   cell(1, kTypes), cell(1, kShapes), attributes,
                   m_texts.id(kStates[static_cast<std::size_t>(task.state)]),
                   m_texts.id(kHf32[static_cast<std::size_t>(task.hf32)]), unknown, unknown});
}

void CannRows::addMetrics() {
    const auto& collections = m_records.collections;
    if (std::none_of(collections.begin(), collections.end(), [](const auto& one) { return one.isNewer(); })) return;
    for (const MetricRecords& device : m_records.metrics) {
        std::vector<std::uint32_t> names;
        for (const std::string& name : device.names) names.push_back(m_texts.id(name));
        for (const MetricRecords::Row& row : device.rows) {
            if (!goesOn()) return;
            for (std::size_t i = 0; i < std::min(names.size(), row.values.size()); ++i) {
                if (!std::isnan(row.values[i]))
                    m_file.insert(ProfilerTable::TaskPmuInfo, {row.task, names[i], row.values[i]});
            }
        }
    }
}

void CannRows::addCollectives() {
    for (std::size_t i = 0; i < m_records.collectiveDetails.size(); ++i) {
        if (!goesOn()) return;
        const CollectiveRecord& record = m_records.collectives[i];
        const CollectiveDetail& detail = m_records.collectiveDetails[i];
        // The vendor has -1, and no group, where no record says it.
        const DbValue relayed = detail.hasInfo ? DbValue(detail.isRelayed) : DbValue(-1),
                      retried = detail.hasInfo ? DbValue(detail.isRetried) : DbValue(-1),
                      count = detail.hasInfo ? DbValue(detail.count) : DbValue(-1);
        m_file.insert(ProfilerTable::CommunicationOp,
                      {m_texts.id(record.name), record.begin, detail.end, detail.connection,
                       textId(detail.hasInfo ? detail.group : TaskRecord::kNone), i, relayed, retried,
                       detail.hasInfo ? detail.dataType : kUnknownEnum, textId(detail.algorithm), count,
                       textId(detail.type), record.device, detail.rankSize});
    }
}

void CannRows::addCollectiveParts() {
    static constexpr double kThousand = 1000;
    for (const CollectivePart& part : m_records.collectiveParts) {
        if (!goesOn()) return;
        // The vendor's program takes this way to bytes per second.
        const double rate = part.rate * kThousand * kThousand * kThousand;
        const DbValue collective = part.collective == TaskRecord::kNone ? DbValue(nullptr) : DbValue(part.collective);
        const auto known = [&part](auto value, DbValue other) { return part.isDescribed ? DbValue(value) : other; };
        const auto enumOf = [&](std::uint32_t number) { return known(enumNumber(number), kUnknownEnum); };
        m_file.insert(ProfilerTable::CommunicationTaskInfo,
                      {textId(part.name), part.task, textId(part.type), part.plane, textId(part.group),
                       known(part.notify, -1), enumOf(part.rdma), part.source, part.target, enumOf(part.transport),
                       known(part.bytes, -1), enumOf(part.dataType), enumOf(part.link), collective, part.isMaster,
                       rate});
    }
}

void CannRows::addOverlap() {
    if (m_input.rank.trace == nullptr) return;
    const TraceStore& trace = *m_input.rank.trace;
    static constexpr std::string_view kTracks[] = {"Computing", "Communication", "Communication(Not Overlapped)",
                                                   "Free"};
    std::map<std::pair<std::int64_t, std::size_t>, std::uint32_t> tracks;  // by device and type
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.track({t});
        const auto type = std::find(std::begin(kTracks), std::end(kTracks), track.thread) - std::begin(kTracks);
        if (track.kind == TrackKind::Overlap && type < std::ssize(kTracks))
            tracks.emplace(std::pair(deviceOfTrack(track), static_cast<std::size_t>(type)), t);
    }
    std::int64_t id = 0;
    for (const auto& [key, t] : tracks) {
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = 0; i < extent.sliceCount; ++i) {
            if (!goesOn()) return;
            const SliceIndex slice{extent.firstSlice + i};
            m_file.insert(ProfilerTable::OverlapAnalysis,
                          {id++, key.first, trace.begin(slice).value, trace.end(slice).value, key.second});
        }
    }
}

void CannRows::addCounters() {
    if (m_input.rank.trace == nullptr) return;
    static constexpr double kBytesOfMegabyte = 1024 * 1024;
    static constexpr std::string_view kMemory = "HBM ", kFrequency = "AI Core Freq";
    const TraceStore& trace = *m_input.rank.trace;
    for (const CounterSeries& series : trace.series()) {
        const Track& track = trace.track({series.track});
        const bool isMemory = track.process == "HBM" && track.name.starts_with(kMemory);
        if (!isMemory && track.name != kFrequency) continue;
        const std::int64_t device = deviceOfTrack(track);
        // "HBM 0/Read"
        const std::string_view rest = std::string_view(track.name).substr(kMemory.size());
        const std::int64_t memory = wholeNumber(rest.substr(0, rest.find('/'))).value_or(0);
        const std::uint32_t type = isMemory ? m_texts.id(track.name.ends_with("/Read") ? "read" : "write") : 0;
        for (std::uint64_t i = series.first; i < series.first + series.count; ++i) {
            if (!goesOn()) return;
            const std::int64_t time = trace.columns().sampleTime[i];
            const double value = trace.columns().sampleValue[i];
            if (isMemory)
                m_file.insert(ProfilerTable::Hbm, {device, time, std::trunc(value * kBytesOfMegabyte), memory, type});
            else m_file.insert(ProfilerTable::AicoreFreq, {device, time, std::llround(value), -1});
        }
    }
}

/// Only where some task says how much it copied.
void CannRows::addCopies() {
    for (const CopyRecord& copy : m_records.copies) {
        if (!goesOn()) return;
        m_file.insert(ProfilerTable::MemcpyInfo, {copy.task, copy.bytes, copy.direction});
    }
}

}  // namespace

void addCannRows(const DeliverableInput& input, SqliteFile& file) { CannRows(input, file).add(); }

}  // namespace altiscope
