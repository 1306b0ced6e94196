#include "core/generate/raw/raw_framework_records.h"

#include "core/base/text/text_buffer.h"
#include "core/generate/records/allocator_states.h"
#include "core/generate/records/python_name.h"
#include "core/generate/text/host_trace.h"
#include "core/trace/raw/raw_layouts.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace altiscope::generate {

namespace {

enum RawTlvType : std::uint16_t { kOpRange = 1, kOpMark = 2, kMemoryUsage = 3, kPythonText = 4 };
/// Of the texts within an operator; names of other values have type 1.
enum RawOpText : std::uint16_t { kOpName = 2, kOpTypes = 3, kOpShapes = 4, kOpStack = 8 };
constexpr std::uint16_t kPlainName = 1;
constexpr std::uint8_t kNpu = 20;
constexpr std::size_t kTlvHead = 6;

void addTlv(std::uint16_t type, std::string_view value, std::string& out) {
    const auto length = static_cast<std::uint32_t>(value.size());
    char head[kTlvHead];
    std::memcpy(head, &type, sizeof type);
    std::memcpy(head + sizeof type, &length, sizeof length);
    out.append(head, sizeof head).append(value);
}

/// Lists have line breaks in the text export only.
void addListTlv(std::uint16_t type, const std::string& list, std::string& out) {
    std::string plain;
    plain.reserve(list.size());
    for (const char c : list) {
        if (c != '\r' && c != '\n') plain += c;
    }
    addTlv(type, plain, out);
}

}  // namespace

RawFrameworkRecords::RawFrameworkRecords(const Run& run, const RankTracks& tracks, std::uint32_t rank,
                                         OutputTarget& target, std::filesystem::path folder)
    : m_run(run), m_tracks(tracks), m_rank(rank), m_identity(run.plan.identities[rank]), m_clocks(run, rank),
      m_target(target), m_folder(std::move(folder)) {}

Result<Done> RawFrameworkRecords::unit(const UnitRecord& record) {
    if (record.unit == 0) addBaseFrames(false);
    addOperators(record);
    addQueue(record);
    addPython(record);
    addMemory(record);
    if (record.unit + 1 == m_run.plan.units()) addBaseFrames(true);
    for (File* file : {&m_operators, &m_marks, &m_memory, &m_names, &m_calls, &m_garbage}) {
        const Result<Done> done = write(*file);
        if (!done.ok()) return done;
    }
    return Done{};
}

Result<Done> RawFrameworkRecords::write(File& file) {
    if (file.bytes.empty()) return Done{};
    if (!file.stream) {
        Result<std::unique_ptr<OutputStream>> stream = m_target.open(m_folder / file.name);
        if (!stream.ok()) return stream.as<Done>();
        file.stream = std::move(stream).value();
    }
    const Result<Done> done = file.stream->write(file.bytes);
    file.bytes.clear();
    return done;
}

Result<Done> RawFrameworkRecords::close() {
    for (File* file : {&m_operators, &m_marks, &m_memory, &m_names, &m_calls, &m_garbage}) {
        const Result<Done> done = file->stream ? file->stream->close() : Result<Done>(Done{});
        if (!done.ok()) return done;
    }
    return Done{};
}

void RawFrameworkRecords::addOperators(const UnitRecord& record) {
    const auto& texts = m_run.program.texts;
    std::string value;
    for (const std::uint32_t index : record.host.opsByEnd) {
        const OpSlice& op = record.host.ops[index];
        const OpSite& site = m_run.program.sites[op.site];
        const std::uint32_t thread = m_tracks.tracks()[m_tracks.python(site.thread)].tid;
        value = RawRecordBytes<kRawOpRange>()
                    .set<"begin">(m_clocks.host(op.start))
                    .set<"end">(m_clocks.host(op.start + op.duration))
                    .set<"sequence">(op.sequence)
                    .set<"process">(m_identity.hostPid)
                    .set<"thread">(thread)
                    .set<"end_thread">(thread)
                    .set<"forward_thread">(site.sequence == SequenceUse::Backward ? 1 : 0)
                    .bytes();
        addTlv(kOpName, op.step > 0 ? texts[site.name] + std::to_string(op.step) : texts[site.name], value);
        if (site.types != kNoText) {
            addListTlv(kOpTypes, texts[site.types], value);
            addListTlv(kOpShapes, texts[site.dims], value);
        }
        if (site.stack != kNoText) addListTlv(kOpStack, texts[site.stack], value);
        addTlv(kOpRange, value, m_operators.bytes);
    }
}

void RawFrameworkRecords::addQueue(const UnitRecord& record) {
    static constexpr std::string_view kPrefix = "Dequeue@";
    std::string value;
    for (const QueueSlice& slice : record.host.queue) {
        std::string_view name = m_run.program.texts[slice.dequeueName];
        if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
        const std::uint32_t from = m_tracks.tracks()[m_tracks.python(slice.thread)].tid;
        const std::pair<TimeNs, std::uint32_t> marks[] = {{slice.enqueue, from},
                                                          {slice.enqueue + slice.enqueueDuration, from},
                                                          {slice.dequeue, m_identity.queueTid},
                                                          {slice.dequeue + slice.dequeueDuration, m_identity.queueTid}};
        for (std::size_t kind = 0; kind < std::size(marks); ++kind) {
            value = RawRecordBytes<kRawOpMark>()
                        .set<"time">(m_clocks.host(marks[kind].first))
                        .set<"kind">(kind)
                        .set<"correlation">(slice.correlation)
                        .set<"thread">(marks[kind].second)
                        .set<"process">(m_identity.hostPid)
                        .bytes();
            addTlv(kPlainName, name, value);
            addTlv(kOpMark, value, m_marks.bytes);
        }
    }
}

std::uint64_t RawFrameworkRecords::keyOf(std::string_view name) {
    const std::uint64_t key = groupHash(name);
    if (m_keys.insert(key).second) {
        std::string value(RawRecordBytes<kRawPythonText>().set<"key">(key).bytes());
        addTlv(kPlainName, name, value);
        addTlv(kPythonText, value, m_names.bytes);
    }
    return key;
}

void RawFrameworkRecords::addCall(TimeNs time, std::uint64_t key, bool isReturn) {
    m_calls.bytes += RawRecordBytes<kRawPythonCall>()
                         .set<"time">(m_clocks.host(time))
                         .set<"thread">(m_identity.hostPid)
                         .set<"process">(m_identity.hostPid)
                         .set<"key">(key)
                         .set<"tag">(isReturn ? 1 : 0)
                         .bytes();
}

void RawFrameworkRecords::addPython(const UnitRecord& record) {
    struct Moment {
        TimeNs time;
        bool isReturn;
        std::uint64_t frame;  ///< Frames are numbered by their begin.
        std::uint64_t key;
    };
    std::vector<Moment> moments;
    moments.reserve(record.host.python.size() * 2);
    TextBuffer name;
    for (const PythonSlice& slice : record.host.python) {
        name.clear();
        addPythonName(m_run.program.texts[slice.name], slice, name);
        const std::uint64_t key = keyOf(name.view());
        moments.push_back({slice.start, false, slice.id, key});
        moments.push_back({slice.start + slice.duration, true, slice.id, key});
    }
    // Where one begins as another one ends, the end comes first.
    std::sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) {
        return std::tuple(a.time, !a.isReturn, a.frame) < std::tuple(b.time, !b.isReturn, b.frame);
    });
    for (const Moment& moment : moments) addCall(moment.time, moment.key, moment.isReturn);
    for (const GarbageSlice& slice : record.host.garbage) {
        m_garbage.bytes += RawRecordBytes<kRawCollection>()
                               .set<"process">(m_identity.hostPid)
                               .set<"begin">(m_clocks.host(slice.start))
                               .set<"end">(m_clocks.host(slice.start + slice.duration))
                               .bytes();
    }
}

/// Frames around the training loop last for the whole run.
void RawFrameworkRecords::addBaseFrames(bool isEnd) {
    const std::vector<TextId>& frames = m_run.program.baseFrames;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const std::size_t frame = isEnd ? frames.size() - 1 - i : i;
        const TimeRange range = baseFrameRange(m_run, m_rank, frame);
        addCall(isEnd ? range.end : range.begin, keyOf(m_run.program.texts[frames[frame]]), isEnd);
    }
}

void RawFrameworkRecords::addMemory(const UnitRecord& record) {
    static constexpr std::int64_t kBlock = kBlockBytes;
    for (const MemoryRow& row : record.memory) {
        if (row.pool != MemoryPool::Framework) continue;
        const std::int64_t size = m_run.program.tensors[row.tensor].blocks * kBlock;
        const bool isNew = row.change == MemoryChange::Allocate;
        if (isNew) {
            m_blocks[row.tensor] = m_nextBlock;
            m_nextBlock += size;
        }
        const auto bytesOf = [](std::uint64_t blocks) { return static_cast<std::int64_t>(blocks) * kBlock; };
        const std::uint8_t event = isNew ? 0 : row.change == MemoryChange::Release ? 1 : 2;
        const std::string value(RawRecordBytes<kRawMemoryUsage>()
                                    .set<"pointer">(m_blocks[row.tensor])
                                    .set<"time">(m_clocks.host(row.time))
                                    .set<"bytes">(isNew ? size : -size)
                                    .set<"allocated">(bytesOf(row.allocated))
                                    .set<"reserved">(bytesOf(row.reserved))
                                    .set<"active">(bytesOf(row.active))
                                    .set<"stream">(static_cast<std::int64_t>(streamPointer(row.secondStream)))
                                    .set<"device_type">(kNpu)
                                    .set<"device">(static_cast<std::uint8_t>(m_identity.device))
                                    .set<"event">(event)
                                    .set<"thread">(m_tracks.tracks()[m_tracks.python(row.thread)].tid)
                                    .set<"process">(m_identity.hostPid)
                                    .bytes());
        addTlv(kMemoryUsage, value, m_memory.bytes);
    }
}

}  // namespace altiscope::generate
