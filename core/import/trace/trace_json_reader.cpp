#include "core/import/trace/trace_json_reader.h"

#include "core/base/threads/parallel.h"
#include "core/import/json/json_text.h"
#include "core/import/trace/record_walk.h"
#include "core/import/trace/trace_container.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

/// Read after a chunk to find the border at which it ends; events are rarely longer.
constexpr std::size_t kTail = std::size_t{64} << 10;
/// With its tail a chunk must be smaller than the largest record, so that what counts as too large does not depend on
/// it.
constexpr std::size_t kMaxChunk = kMaxRecordBytes / 2;
/// Step of the walk through what the chunks leave over.
constexpr std::size_t kStep = std::size_t{1} << 20;

/// State of one worker; handed from chunk to chunk.
struct Worker {
    Worker(TraceBuilder& builder, std::uint32_t file, const ReadOnlyFile& source, std::int64_t baseTime,
           const CancelToken& cancel)
        : window(source), writer(builder, file, baseTime), walk(writer, cancel) {}
    FileWindow window;
    EventWriter writer;
    RecordWalk walk;
};

/// A worker's result for one chunk, which it read as if its first border were a true one.
struct Chunk {
    bool done = false;
    bool begins = false;      ///< There is a border in it.
    std::uint64_t begin = 0;  ///< The record at its first border.
    WalkPlace end;
    ReadPart part;
};

/// One pass over the events of a file.
///
/// Chunk i covers the records from the first border at or after its i-th share of the file to the first border of the
/// next share. Workers read chunks in any order on the guess that these borders are true. Then they are accepted in
/// file order:
/// the walk that has come to the beginning of a chunk proves it; what was read from a place that turns out to lie
/// inside a string or a nested array is thrown away, and the walk goes through it event by event. So the result depends
/// on the bytes of the file alone.
class EventPass {
public:
    EventPass(const SourceFile& source, const ReadOnlyFile& file, const TraceContainer& container,
              ImportContext& context)
        : m_source(source), m_file(file), m_context(context), m_first(container.firstRecord),
          m_baseTime(container.baseTime),
          m_chunkBytes(std::clamp<std::size_t>(context.chunkBytes, 1, kMaxChunk)), m_place{WalkPlace::At::Record,
                                                                                           container.firstRecord} {}

    /// Reads all chunks on the workers of the arena.
    void readInParallel();
    /// Reads from the first record to the end with one worker that never guesses.
    void readInOrder();

    const WalkPlace& place() const { return m_place; }
    const std::optional<Error>& error() const { return m_error; }
    DiagnosticLog& problems() { return m_problems; }
    std::uint64_t records() const { return m_records; }
    std::uint64_t rows() const { return m_rows; }
    /// Texts that only a wrong guess read have reached the builder; it must be filled anew.
    bool polluted() const { return m_polluted; }

private:
    bool stopped() const { return m_failed.load(std::memory_order_relaxed) || m_context.cancel.cancelled(); }
    std::unique_ptr<Worker> borrowWorker();
    void giveBack(std::unique_ptr<Worker> worker);
    void readNextChunk();
    Chunk readChunk(std::size_t number, Worker& worker);
    void accept(std::size_t number, Chunk chunk);
    void acceptNext(Chunk& chunk);
    void walkUpTo(std::uint64_t limit);
    void commit(std::uint64_t firstByte, ReadPart part);
    void fail(const Error& error);

    const SourceFile& m_source;
    const ReadOnlyFile& m_file;
    ImportContext& m_context;
    const std::uint64_t m_first;
    const std::int64_t m_baseTime;
    const std::size_t m_chunkBytes;

    std::atomic<std::size_t> m_nextChunk{0};
    std::atomic<bool> m_failed{false};
    std::mutex m_mutex;  // guards the next six
    std::vector<std::unique_ptr<Worker>> m_idle;
    std::vector<Chunk> m_chunks;
    std::size_t m_accepted = 0;
    bool m_accepting = false;
    std::optional<Error> m_error;

    // Touched by the worker that is accepting, and afterwards.
    WalkPlace m_place;
    DiagnosticLog m_problems;
    std::uint64_t m_records = 0;
    std::uint64_t m_rows = 0;
    bool m_polluted = false;
};

std::unique_ptr<Worker> EventPass::borrowWorker() {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_idle.empty()) {
            std::unique_ptr<Worker> worker = std::move(m_idle.back());
            m_idle.pop_back();
            return worker;
        }
    }
    return std::make_unique<Worker>(m_context.builder, m_source.number, m_file, m_baseTime, m_context.cancel);
}

void EventPass::giveBack(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(m_mutex);
    m_idle.push_back(std::move(worker));
}

void EventPass::fail(const Error& error) {
    const std::lock_guard lock(m_mutex);
    if (!m_error) m_error = error;
    m_failed.store(true, std::memory_order_relaxed);
}

void EventPass::readInParallel() {
    const std::uint64_t bytes = m_file.size() - std::min(m_first, m_file.size());
    m_chunks.resize(static_cast<std::size_t>((bytes + m_chunkBytes - 1) / m_chunkBytes));
    // Bodies take chunks from a common counter: in file order, so that the first ones can be shown early.
    parallelFor(m_chunks.size(), [this](std::size_t) { readNextChunk(); });
    if (!stopped()) walkUpTo(UINT64_MAX);
}

void EventPass::readInOrder() { walkUpTo(UINT64_MAX); }

void EventPass::readNextChunk() {
    if (stopped()) return;
    const std::size_t number = m_nextChunk.fetch_add(1, std::memory_order_relaxed);
    std::unique_ptr<Worker> worker = borrowWorker();
    Chunk chunk = readChunk(number, *worker);
    giveBack(std::move(worker));
    accept(number, std::move(chunk));
}

Chunk EventPass::readChunk(std::size_t number, Worker& worker) {
    Chunk chunk;
    chunk.done = true;
    const std::uint64_t from = m_first + std::uint64_t{number} * m_chunkBytes;
    FileWindow& window = worker.window;
    if (const auto loaded = window.load(from, m_chunkBytes + kTail); !loaded.ok()) {
        fail(loaded.error());
        return chunk;
    }
    m_context.progress.addDone(std::min<std::uint64_t>(m_chunkBytes, m_file.size() - from));
    const std::string_view text = window.text();
    const auto begin = number == 0 ? std::optional<std::size_t>{0} : findEventBorder(text, 0, m_chunkBytes);
    if (!begin) return chunk;
    chunk.begins = true;
    chunk.begin = from + *begin;

    const bool isLast = window.endsFile() && text.size() <= m_chunkBytes;
    const auto border = isLast ? std::nullopt : findEventBorder(text, m_chunkBytes, text.size());
    std::optional<WalkPlace> end;
    if (border || window.endsFile()) {
        const std::size_t stop = border.value_or(text.size());
        end = window.withZeroAt(stop, [&] {
            return worker.walk.walkFast({text.substr(*begin, stop - *begin), chunk.begin, !border});
        });
        if (!end) worker.writer.discard();
    }
    if (!end) {
        const std::uint64_t limit = border ? from + *border : UINT64_MAX;
        end = worker.walk.walkExact({text, from, window.endsFile()}, {WalkPlace::At::Record, chunk.begin}, limit);
    }
    chunk.end = *end;
    chunk.part = worker.writer.take();
    return chunk;
}

void EventPass::accept(std::size_t number, Chunk chunk) {
    std::unique_lock lock(m_mutex);
    m_chunks[number] = std::move(chunk);
    if (m_accepting) return;
    m_accepting = true;
    while (m_accepted < m_chunks.size() && m_chunks[m_accepted].done && !stopped()) {
        Chunk next = std::exchange(m_chunks[m_accepted], {});
        lock.unlock();
        acceptNext(next);
        lock.lock();
        ++m_accepted;
    }
    m_accepting = false;
}

void EventPass::acceptNext(Chunk& chunk) {
    if (!chunk.begins) return;
    // Unless the walk stands at a record here or behind, it has to come here first.
    if (m_place.byte < chunk.begin) walkUpTo(chunk.begin);
    if (m_place.at == WalkPlace::At::Record && m_place.byte == chunk.begin) {
        m_place = chunk.end;
        commit(chunk.begin, std::move(chunk.part));
    } else if (chunk.part.rows > 0) {
        m_polluted = true;
    }
}

void EventPass::walkUpTo(std::uint64_t limit) {
    std::unique_ptr<Worker> worker = borrowWorker();
    for (std::size_t step = kStep; !stopped();) {
        if (m_place.at == WalkPlace::At::Closed || m_place.at == WalkPlace::At::End) break;
        if (m_place.at == WalkPlace::At::Record && m_place.byte >= limit) break;
        if (const auto loaded = worker->window.load(m_place.byte, step); !loaded.ok()) {
            fail(loaded.error());
            break;
        }
        const TracePiece piece{worker->window.text(), worker->window.byte(), worker->window.endsFile()};
        const WalkPlace from = std::exchange(m_place, worker->walk.walkExact(piece, m_place, limit));
        if (m_place.byte == from.byte && m_place.at == from.at) {
            if (step < kMaxRecordBytes) {
                step *= 2;
                continue;
            }
            // Text within it is often as broken: the step stays large, so that no smaller ones are tried in vain.
            if (m_place.at != WalkPlace::At::Search)
                worker->writer.problems().add(Problem::TooLarge, m_place.byte, "limit",
                                              std::to_string(kMaxRecordBytes));
            m_place = {WalkPlace::At::Search, m_place.byte + 1};
        } else {
            step = kStep;
        }
        commit(from.byte, worker->writer.take());
    }
    giveBack(std::move(worker));
}

void EventPass::commit(std::uint64_t firstByte, ReadPart part) {
    m_records += part.records;
    m_rows += part.rows;
    m_problems.append(part.problems);
    for (const MetadataFact& fact : part.facts) note(m_context.builder, fact);
    m_context.builder.commit(SourcePos::make(m_source.number, firstByte), std::move(part.segment));
    if (m_context.committed) m_context.committed(m_place.byte);
}

class TraceJsonReader final : public TraceReader {
public:
    Result<ReadSummary> read(const SourceFile& source, ImportContext& context) override;
};

Result<ReadSummary> TraceJsonReader::read(const SourceFile& source, ImportContext& context) {
    const auto opened = ReadOnlyFile::openText(source.path, context.cancel);
    const auto container = opened.ok() ? findTraceContainer(opened.value(), source.name) : opened.as<TraceContainer>();
    // The chunks report their own bytes; reading again is no progress.
    if (!context.inOrder) context.progress.addDone(container.ok() ? container.value().firstRecord : source.size);
    if (!container.ok()) return container.as<ReadSummary>();
    const ReadOnlyFile& file = opened.value();
    if (file.isConverted()) context.diagnostics.add("text.utf16", Severity::Info, source.name, {});

    EventPass pass(source, file, container.value(), context);
    if (context.inOrder) pass.readInOrder();
    else pass.readInParallel();
    if (context.cancel.cancelled()) return Cancelled{};
    if (pass.place().at == WalkPlace::At::Closed) {
        const auto checked = checkTraceEnd(file, container.value(), pass.place().byte, pass.problems());
        if (!checked.ok()) return checked.as<ReadSummary>();
    }
    if (pass.records() == 0 && !pass.error()) {
        const bool hasOther =
            pass.problems().count(Problem::MissingField) > 0 || pass.problems().count(Problem::NotAnEvent) > 0;
        if (hasOther) return Error{"trace.not_a_timeline", source.name, {}, {}};
        pass.problems().add(Problem::NoEvents, container.value().firstRecord);
    }
    pass.problems().addTo(context.diagnostics, source.name);
    if (pass.error()) return *pass.error();
    return ReadSummary{file.size(), pass.rows(), pass.polluted()};
}

}  // namespace

std::unique_ptr<TraceReader> makeTraceJsonReader() { return std::make_unique<TraceJsonReader>(); }

}  // namespace altiscope::reader
