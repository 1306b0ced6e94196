// How fast SQL over a large store is: builds N slices through the builder and times queries. What depends on SQLite's
// own machinery row by row is also asked of an ordinary table of SQLite, in memory, with an index that holds all that
// is asked. Usage: bench_query [SLICES] [SQL...]   prints one JSON object: statement -> {"s": seconds, "sqlite_s":
// seconds}.
#include "core/base/threads/parallel.h"
#include "core/query/database.h"
#include "core/store/capture_store.h"
#include "core/store/seal/trace_builder.h"

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

constexpr std::uint64_t kTracks = 100;
constexpr std::uint64_t kNames = 20'000;
constexpr std::uint64_t kSegment = 65536;

/// Groups of one outer slice with 15 inner ones on changing tracks.
void fill(TraceBuilder& builder, std::uint64_t first, std::uint64_t last) {
    TraceBuilder::Names names(builder);
    Segment segment;
    for (std::uint64_t i = first; i < last; ++i) {
        const std::uint64_t group = i / 16;
        const auto track = names.thread("1", std::to_string(group % kTracks));
        const auto begin = static_cast<std::int64_t>(group / kTracks) * 20000;
        const auto name = names.text("kernel_" + std::to_string((i * 2654435761U) % kNames));
        const std::uint64_t member = i % 16;
        const std::int64_t start = member == 15 ? begin : begin + static_cast<std::int64_t>(member) * 1000;
        segment.slices.add(track, start, member == 15 ? 16000 : 900, name, names.text("c"),
                           SourcePos::make(0, i * 200));
    }
    builder.commit(SourcePos::make(0, first * 200), std::move(segment));
}

std::shared_ptr<const CaptureStore> makeCapture(std::uint64_t slices) {
    TraceBuilder builder("bench");
    parallelFor((slices + kSegment - 1) / kSegment, [&](std::size_t s) {
        fill(builder, s * kSegment, std::min<std::uint64_t>(slices, (s + 1) * kSegment));
    });
    auto capture = std::make_shared<CaptureStore>();
    RankEntry& rank = capture->ranks.emplace_back();
    rank.info.rankId = 0;
    rank.trace = builder.seal("bench", capture->diagnostics, {}).value();
    return capture;
}

class CountingSink : public RowSink {
public:
    bool begin(std::span<const std::string>) override { return true; }
    bool row(std::span<const Value>) override { return true; }
};

/// The same slices as an ordinary table.
class NativeTwin {
public:
    explicit NativeTwin(const QueryDatabase& database) {
        sqlite3_open(":memory:", &m_connection);
        execute(
            "CREATE TABLE track(track_id INTEGER PRIMARY KEY, kind TEXT);"
            "CREATE TABLE slice(slice_id INTEGER PRIMARY KEY, track_id INTEGER, name TEXT, ts INTEGER, dur INTEGER);"
            "BEGIN");
        copy(database, "SELECT track_id, kind FROM track WHERE track_id", "INSERT INTO track VALUES(?, ?)");
        copy(database, "SELECT slice_id, track_id, ts, dur, name FROM slice WHERE slice_id",
             "INSERT INTO slice(slice_id, track_id, ts, dur, name) VALUES(?, ?, ?, ?, ?)");
        execute("CREATE INDEX by_name ON slice(name, dur, track_id, ts); COMMIT; ANALYZE");
    }
    ~NativeTwin() { sqlite3_close(m_connection); }
    void execute(const char* sql) {
        if (sqlite3_exec(m_connection, sql, nullptr, nullptr, nullptr) != SQLITE_OK) std::abort();
    }

private:
    /// Rows of four integers at most and a text, kept until no query runs: its limit of memory is that of all connections.
    struct Collector : RowSink {
        struct Row {
            std::vector<std::int64_t> integers;
            std::string text;
        };
        bool begin(std::span<const std::string>) override { return true; }
        bool row(std::span<const Value> values) override {
            Row& row = rows.emplace_back();
            for (const Value& value : values) {
                if (value.type == ValueType::Integer) row.integers.push_back(value.integer);
                else row.text = value.bytes;
            }
            return true;
        }
        std::vector<Row> rows;
    };
    /// @param from  With the row's number first, which is asked for in parts. @param into  The text is its last column.
    void copy(const QueryDatabase& database, const std::string& from, const char* into) {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v2(m_connection, into, -1, &statement, nullptr) != SQLITE_OK) std::abort();
        constexpr std::int64_t kPart = 500'000;
        for (std::int64_t last = -1;;) {
            Collector part;
            const std::string sql = from + " > " + std::to_string(last) + " ORDER BY 1 LIMIT " + std::to_string(kPart);
            if (!database.run(sql, part, {}).ok()) std::abort();
            for (const Collector::Row& row : part.rows) {
                int column = 0;
                for (const std::int64_t integer : row.integers) sqlite3_bind_int64(statement, ++column, integer);
                sqlite3_bind_text(statement, ++column, row.text.data(), static_cast<int>(row.text.size()),
                                  SQLITE_TRANSIENT);
                if (sqlite3_step(statement) != SQLITE_DONE || sqlite3_reset(statement) != SQLITE_OK) std::abort();
                last = row.integers.front();
            }
            if (part.rows.empty()) break;
        }
        sqlite3_finalize(statement);
    }
    sqlite3* m_connection = nullptr;
};

template <class Work>
double secondsOf(Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

constexpr int kPairs = 3;

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + kPairs / 2, values.end());
    return values[kPairs / 2];
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t slices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    WorkerArena arena;
    std::shared_ptr<const CaptureStore> capture;
    arena.run([&] { capture = makeCapture(slices); });
    const TimeRange range = capture->ranks[0].trace->range();
    const std::string middle = std::to_string(range.begin.value + range.length().value / 2);
    std::vector<std::string> statements(argv + std::min(argc, 2), argv + argc);
    if (statements.empty()) {
        statements = {
            "SELECT name, sum(count), sum(total) FROM name_stat GROUP BY name",
            "SELECT count(*) FROM slice",
            "SELECT sum(dur) FROM slice",
            "SELECT name, count(*), sum(dur) FROM slice GROUP BY name",
            "SELECT name, count(*), sum(dur) FROM slice WHERE ts < " + middle + " GROUP BY name",
            "SELECT s.name, count(*), sum(s.dur) FROM slice s JOIN track t USING (track_id) WHERE t.kind = 'other' "
            "GROUP BY s.name",
            "SELECT * FROM slice WHERE name = 'kernel_77' ORDER BY ts LIMIT 100",
            "SELECT slice_id FROM slice WHERE name LIKE '%_777%' LIMIT 100",
            "SELECT count(*) FROM slice WHERE name LIKE '%_777%'",
            "SELECT sum(count) FROM name_stat WHERE name LIKE '%7%'",
            "SELECT count(*) FROM slice WHERE name LIKE '%7%'",
            "SELECT count(*) FROM slice WHERE name REGEXP '_7[0-9]7'",
            "SELECT sum(count) FROM name_stat WHERE name REGEXP '[0-9]7$'",
            "SELECT slice_id FROM slice ORDER BY ts LIMIT 100",
            "SELECT max(ts) FROM slice",
            "SELECT DISTINCT name FROM slice",
        };
    }
    const QueryDatabase database(capture);
    CountingSink sink;
    std::optional<NativeTwin> native;
    std::printf("{\"slices\": %llu", static_cast<unsigned long long>(slices));
    for (const std::string& sql : statements) {
        const bool everyRow = sql.find("sum(dur)") != std::string::npos || sql.find("sum(s.dur)") != std::string::npos;
        if (everyRow && !native) native.emplace(database);
        std::vector<double> ours, sqlite;
        bool ok = true;
        for (int i = 0; i < kPairs; ++i) {
            ours.push_back(secondsOf([&] { ok = database.run(sql, sink, {}).ok() && ok; }));
            if (everyRow) sqlite.push_back(secondsOf([&] { native->execute(sql.c_str()); }));
        }
        std::printf(",\n \"%s\": {\"s\": %.3f", sql.c_str(), ok ? median(ours) : -1.0);
        if (everyRow) std::printf(", \"sqlite_s\": %.3f", median(sqlite));
        std::printf("}");
        std::fflush(stdout);
    }
    std::printf("}\n");
    return 0;
}
