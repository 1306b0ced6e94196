// How soon the first rows of a statement are there for the window, and what its result takes: builds N slices through the
// builder, then runs statements as the page SQL does. Usage: bench_sql [SLICES] [SQL...]   prints one JSON object:
// statement -> {"first_ms": from run() until the rows are with the GUI thread, "s": until the end, "rows": kept,
// "mb": growth of the memory of the process, by its peak}.
#include "core/base/threads/parallel.h"
#include "core/session/session.h"
#include "core/session/sql_runner.h"
#include "core/store/capture_store.h"
#include "core/store/seal/trace_builder.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFile>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace altiscope;

namespace {

constexpr std::uint64_t kSqlTracks = 100, kSqlNames = 20'000, kSqlSegment = 65536;

/// Groups of one outer slice with 15 inner ones on changing tracks.
void fillSlices(TraceBuilder& builder, std::uint64_t first, std::uint64_t last) {
    TraceBuilder::Names names(builder);
    Segment segment;
    for (std::uint64_t i = first; i < last; ++i) {
        const std::uint64_t group = i / 16, member = i % 16;
        const auto track = names.thread("1", std::to_string(group % kSqlTracks));
        const auto begin = static_cast<std::int64_t>(group / kSqlTracks) * 20000;
        const auto name = names.text("kernel_" + std::to_string((i * 2654435761U) % kSqlNames));
        const std::int64_t start = member == 15 ? begin : begin + static_cast<std::int64_t>(member) * 1000;
        segment.slices.add(track, start, member == 15 ? 16000 : 900, name, names.text("c"),
                           SourcePos::make(0, i * 200));
    }
    builder.commit(SourcePos::make(0, first * 200), std::move(segment));
}

std::shared_ptr<const CaptureStore> makeSlices(std::uint64_t slices) {
    TraceBuilder builder("bench");
    parallelFor((slices + kSqlSegment - 1) / kSqlSegment, [&](std::size_t s) {
        fillSlices(builder, s * kSqlSegment, std::min<std::uint64_t>(slices, (s + 1) * kSqlSegment));
    });
    auto capture = std::make_shared<CaptureStore>();
    RankEntry& rank = capture->ranks.emplace_back();
    rank.info.rankId = 0;
    rank.trace = builder.seal("bench", capture->diagnostics, {}).value();
    return capture;
}

/// Of /proc/self/status, in MB.
double memory(const QByteArray& field) {
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : file.readAll().split('\n')) {
        if (line.startsWith(field + ':')) return line.mid(field.size() + 1).simplified().split(' ')[0].toDouble() / 1e3;
    }
    return 0;
}

/// The peak of the memory begins anew.
void forgetPeak() {
    QFile file(QStringLiteral("/proc/self/clear_refs"));
    if (file.open(QIODevice::WriteOnly)) file.write("5");
}

struct Measured {
    double first = 0, seconds = 0, megabytes = 0;
    std::uint64_t rows = 0;
};

Measured measure(const std::shared_ptr<const CaptureStore>& capture, const char* sql) {
    JobRunner jobs;
    Session session(jobs);
    SqlRunner runner(session);
    runner.setCapture(capture, {});
    forgetPeak();
    const double before = memory("VmRSS");
    Measured measured;
    const auto start = std::chrono::steady_clock::now();
    const auto since = [start] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    QEventLoop loop;
    QObject::connect(&runner, &SqlRunner::changed, &loop, [&] {
        if (measured.first == 0 && runner.current().table != nullptr) measured.first = since();
        if (!runner.busy()) loop.quit();
    });
    runner.run({sql, {}});
    loop.exec();
    measured.seconds = since();
    measured.rows = runner.current().rows;
    measured.megabytes = memory("VmHWM") - before;
    return measured;
}

}  // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    const std::uint64_t slices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
    std::vector<const char*> statements(argv + std::min(argc, 2), argv + argc);
    if (statements.empty())
        statements = {"SELECT * FROM slice", "SELECT * FROM slice ORDER BY dur DESC", "SELECT * FROM slice ORDER BY ts",
                      "SELECT name, count(*), sum(dur) FROM slice GROUP BY name",
                      "SELECT slice_id, name || '/' || slice_id AS text FROM slice"};
    const auto capture = makeSlices(slices);
    std::printf("{");
    for (const char* sql : statements) {
        const Measured measured = measure(capture, sql);
        std::printf("%s\n  \"%s\": {\"first_ms\": %.1f, \"s\": %.2f, \"rows\": %llu, \"mb\": %.0f}",
                    sql == statements[0] ? "" : ",", sql, measured.first * 1e3, measured.seconds,
                    static_cast<unsigned long long>(measured.rows), measured.megabytes);
        std::fflush(stdout);
    }
    std::printf("\n}\n");
    return 0;
}
