#include "core/generate/text/host_trace.h"

#include "core/generate/records/python_name.h"

#include <map>
#include <tuple>

namespace altiscope::generate {

namespace {

/// Only line breaks need escaping, see TextTable.
std::string jsonEscaped(const std::string& text) {
    std::string escaped;
    escaped.reserve(text.size());
    for (const char c : text) {
        if (c == '\r') escaped += "\\r";
        else if (c == '\n') escaped += "\\n";
        else escaped += c;
    }
    return escaped;
}

}  // namespace

JsonTexts::JsonTexts(const RunProgram& program) {
    m_texts.reserve(program.texts.size());
    for (std::uint32_t i = 0; i < program.texts.size(); ++i) m_texts.push_back(jsonEscaped(program.texts[TextId{i}]));
    std::map<std::tuple<TextId, TextId, TextId, bool>, std::uint32_t> known;
    for (const OpSite& site : program.sites) {
        const bool backward = site.sequence == SequenceUse::Backward;
        const auto key = std::tuple(site.dims, site.types, site.stack, backward);
        const auto [place, isNew] = known.emplace(key, static_cast<std::uint32_t>(m_tails.size()));
        m_tailOfSite.push_back(place->second);
        if (!isNew) continue;
        std::string tail = backward ? ", \"Fwd thread id\": 1" : ", \"Fwd thread id\": 0";
        if (site.types != kNoText) {
            tail += ", \"Input Dims\": \"" + (*this)[site.dims] + "\", \"Input type\": \"" + (*this)[site.types] + "\"";
        }
        if (site.stack != kNoText) tail += ", \"Call stack\": \"" + (*this)[site.stack] + "\"";
        m_tails.push_back(tail + "}}");
    }
}

std::vector<std::string> tracePlaces(const RankTracks& tracks) {
    std::vector<std::string> places;
    for (const TraceTrack& track : tracks.tracks()) {
        places.push_back("\", \"pid\": " + std::to_string(tracks.pid(track.process)) +
                         ", \"tid\": " + std::to_string(track.tid) + ", \"ts\": \"");
    }
    return places;
}

HostTraceWriter::HostTraceWriter(const Run& run, const JsonTexts& texts, const RankTracks& tracks, std::uint32_t rank)
    : m_run(run), m_texts(texts), m_tracks(tracks), m_rank(rank), m_places(tracePlaces(tracks)) {}

void HostTraceWriter::addSliceHead(std::string_view name, std::uint32_t track, TextBuffer& out) const {
    out.add(", {\"ph\": \"X\", \"name\": \"");
    out.add(name);
    out.add(m_places[track]);
}

void HostTraceWriter::operators(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const {
    for (const std::uint32_t index : record.host.opsByEnd) {
        const OpSlice& op = record.host.ops[index];
        const OpSite& site = m_run.program.sites[op.site];
        const std::uint32_t track = m_tracks.python(site.thread);
        out.add(", {\"ph\": \"X\", \"name\": \"");
        out.add(m_texts[site.name]);
        if (op.step > 0) out.addNumber(op.step);
        out.add(m_places[track]);
        out.addTime(op.start);
        out.add("\", \"dur\": ");
        out.addTrimmed(op.duration.value, 3);
        out.add(", \"cat\": \"cpu_op\", \"args\": {\"Sequence number\": ");
        out.addNumber(op.sequence);
        out.add(m_texts.opTail(op.site));
        tally.slice(track, op.duration.value);
    }
}

void HostTraceWriter::addFlow(const FlowPoint& point, std::string_view name, std::string_view category,
                              TextBuffer& out) const {
    out.add(", {\"ph\": \"");
    out.add(point.phase);
    out.add("\", \"bp\": \"e\", \"name\": \"");
    out.add(name);
    out.add("\", \"id\": ");
    out.addNumber(point.id);
    // The place begins with the quote that ends a name.
    out.add(std::string_view(m_places[point.track]).substr(1));
    out.addTime(point.time);
    out.add("\", \"cat\": \"");
    out.add(category);
    out.add("\"}");
}

void HostTraceWriter::enqueues(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const {
    for (const QueueSlice& slice : record.host.queue) {
        const std::uint32_t track = m_tracks.python(slice.thread);
        addSliceHead("Enqueue", track, out);
        out.addTime(slice.enqueue);
        out.add("\", \"dur\": ");
        out.addTrimmed(slice.enqueueDuration.value, 3);
        out.add(", \"cat\": \"enqueue\", \"args\": {\"correlation_id\": ");
        out.addNumber(slice.correlation);
        out.add("}}");
        tally.slice(track, slice.enqueueDuration.value);
        addFlow({'s', slice.correlation, track, slice.enqueue}, "enqueue_to_dequeue", "async_task_queue", out);
    }
}

void HostTraceWriter::dequeues(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const {
    for (const QueueSlice& slice : record.host.queue) {
        addSliceHead(m_texts[slice.dequeueName], m_tracks.queue(), out);
        out.addTime(slice.dequeue);
        out.add("\", \"dur\": ");
        out.addTrimmed(slice.dequeueDuration.value, 3);
        out.add(", \"cat\": \"dequeue\", \"args\": {\"correlation_id\": ");
        out.addNumber(slice.correlation);
        out.add("}}");
        tally.slice(m_tracks.queue(), slice.dequeueDuration.value);
        addFlow({'f', slice.correlation, m_tracks.queue(), slice.dequeue}, "enqueue_to_dequeue", "async_task_queue",
                out);
        ++tally.flows;
    }
}

void HostTraceWriter::forwardBackwardFlows(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const {
    // The start is the innermost forward operator with the number, so the last one met before the backward operator.
    const auto microBatch = static_cast<std::uint32_t>(record.unit % m_run.program.microBatches);
    std::vector<const OpSlice*> forward(m_run.program.unit(record.stage, microBatch).counts.sequences);
    for (const OpSlice& op : record.host.ops) {
        const OpSite& site = m_run.program.sites[op.site];
        if (site.sequence == SequenceUse::Forward) forward[site.sequenceIndex] = &op;
    }
    std::vector<const OpSlice*> backward(forward.size());
    for (const OpSlice& op : record.host.ops) {
        const OpSite& site = m_run.program.sites[op.site];
        if (site.sequence == SequenceUse::Backward) backward[site.sequenceIndex] = &op;
    }
    for (std::size_t i = 0; i < forward.size(); ++i) {
        if (forward[i] == nullptr || backward[i] == nullptr) continue;
        const auto id = static_cast<std::uint64_t>(forward[i]->sequence);
        addFlow({'s', id, m_tracks.python(HostThread::Main), forward[i]->start}, "fwdbwd", "fwdbwd", out);
        addFlow({'f', id, m_tracks.python(HostThread::Autograd), backward[i]->start}, "fwdbwd", "fwdbwd", out);
        ++tally.flows;
    }
}

void HostTraceWriter::pythonFunctions(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const {
    const std::uint32_t track = m_tracks.python(HostThread::Main);
    for (const PythonSlice& slice : record.host.python) {
        out.add(", {\"ph\": \"X\", \"name\": \"");
        addPythonName(m_texts[slice.name], slice, out);
        out.add(m_places[track]);
        out.addTime(slice.start);
        out.add("\", \"dur\": ");
        out.addTrimmed(slice.duration.value, 3);
        out.add(", \"cat\": \"python_function\", \"args\": {\"Python id\": ");
        out.addNumber(slice.id);
        out.add(", \"Python parent id\": ");
        out.addNumber(slice.parent);
        if (slice.module > 0) {
            out.add(", \"Python module id\": ");
            out.addNumber(std::uint64_t{slice.module} - 1);
        }
        out.add("}}");
        tally.slice(track, slice.duration.value);
    }
}

void HostTraceWriter::garbageCollections(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const {
    const std::uint32_t track = m_tracks.garbage();
    for (const GarbageSlice& slice : record.host.garbage) {
        addSliceHead("GC", track, out);
        out.addTime(slice.start);
        out.add("\", \"dur\": ");
        out.addTrimmed(slice.duration.value, 3);
        out.add(", \"cat\": \"GC\", \"args\": {}}");
        tally.slice(track, slice.duration.value);
    }
}

TimeRange baseFrameRange(const Run& run, std::uint32_t rank, std::size_t frame) {
    // Each frame begins and ends some microseconds around the one that it calls; the program runs inside the last.
    const auto margin = static_cast<std::int64_t>(run.program.baseFrames.size() - frame);
    return {run.schedule.unit(rank, 0).hostStart - DurationNs{margin * 2'400},
            run.schedule.end(rank) + DurationNs{margin * 1'100}};
}

void HostTraceWriter::baseFrames(TextBuffer& out, TraceTally& tally) const {
    const std::uint32_t track = m_tracks.python(HostThread::Main);
    const std::vector<TextId>& frames = m_run.program.baseFrames;
    for (std::size_t i = frames.size(); i-- > 0;) {
        const TimeRange range = baseFrameRange(m_run, m_rank, i);
        addSliceHead(m_texts[frames[i]], track, out);
        out.addTime(range.begin);
        out.add("\", \"dur\": ");
        out.addTrimmed(range.length().value, 3);
        out.add(", \"cat\": \"python_function\", \"args\": {\"Python id\": ");
        out.addNumber(std::uint64_t{i});
        out.add(", \"Python parent id\": ");
        out.addNumber(std::uint64_t{i == 0 ? 0 : i - 1});
        out.add("}}");
        tally.slice(track, range.length().value);
    }
}

void HostTraceWriter::deviceFlows(const UnitRecord& record, TextBuffer& out, TraceTally& tally) const {
    std::uint64_t lastConnection = 0;
    for (std::size_t i = 0; i < record.tasks.size(); ++i) {
        const DeviceWork& work = record.host.work[i];
        if (work.task->kind == TaskKind::EventRecord || work.task->kind == TaskKind::EventWait) continue;
        // Of a copy in several tasks the first one is linked.
        if (work.connection == lastConnection) continue;
        lastConnection = work.connection;
        const OpSlice& op = record.host.ops[work.op];
        const TimeNs end = record.tasks[i].start;
        const auto id = static_cast<std::uint64_t>(end.value);
        const bool collective = work.task->kind == TaskKind::Collective;
        const std::uint32_t target = collective ? m_tracks.groupRow(work.task->groupSlot)
                                                : m_tracks.stream(streamIndex(work.task->stream, work.task->groupSlot));
        addFlow({'s', id, m_tracks.python(m_run.program.sites[op.site].thread), op.start}, "torch_to_npu", "async_npu",
                out);
        addFlow({'f', id, target, end}, "torch_to_npu", "async_npu", out);
        ++tally.flows;
    }
}

}  // namespace altiscope::generate
