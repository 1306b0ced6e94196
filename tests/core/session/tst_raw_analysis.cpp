#include "core/session/reading/raw_analysis.h"

#include "core/base/threads/parallel.h"
#include "core/query/database.h"
#include "core/session/raw_analysis_job.h"
#include "core/session/reading/capture_loader.h"
#include "core/session/session.h"
#include "tests/core/query/query_support.h"
#include "tests/support/capture_dump.h"
#include "tests/support/raw_run.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// What text and databases of a run both hold, without numbers that either may choose.
struct TwinQuery {
    const char* name;
    const char* sql;
};
constexpr TwinQuery kTwins[] = {
    {"slices", "SELECT t.process, t.thread, s.name, s.category, s.ts, s.dur FROM slice s JOIN track t USING (track_id) "
               "WHERE t.origin = 'recorded' ORDER BY 1, 2, 5, 6, 3"},
    {"flows", "SELECT f.category, a.name, a.ts, b.name, b.ts FROM flow f JOIN slice a ON a.slice_id = f.from_slice "
              "JOIN slice b ON b.slice_id = f.to_slice ORDER BY 1, 3, 5, 2, 4"},
    {"counters", "SELECT name, series, ts, value FROM counter ORDER BY 1, 2, 3"},
    {"steps", "SELECT step, start_ts, end_ts FROM step ORDER BY 1"},
    {"operators", "SELECT name, thread, ts, dur, step, replace(input_shapes, char(13), ''), "
                  "replace(replace(call_stack, char(13), ''), char(10), '') FROM operator ORDER BY 3, 2"},
    {"kernels",
     "SELECT kind, name, type, accelerator_core, ts, dur, wait, block_num, input_shapes, input_types, input_formats, "
     "output_shapes, output_types, output_formats, step FROM kernel ORDER BY ts, name"},
    {"samples", "SELECT component, ts, allocated, reserved, active, stream FROM memory_sample ORDER BY 2, 1, 3"},
    {"allocations",
     "SELECT name, size, alloc_ts, release_ts, active_release_ts, alloc_allocated, alloc_reserved, alloc_active, "
     "release_allocated, release_reserved, release_active, stream FROM allocation ORDER BY 3"},
    {"collectives", "SELECT step, op_name, kind, ts, elapsed, transit, wait, synchronization, idle FROM collective "
                    "WHERE origin = 'recorded' ORDER BY 4, 2"},
    {"bandwidths",
     "SELECT step, op_name, transport, size, transit, gb_per_s, large_packet_ratio FROM bandwidth ORDER BY 2, 3"},
    {"packets", "SELECT step, op_name, transport, packet_size, count, dur FROM packet ORDER BY 2, 3, 4"},
    {"links", "SELECT step, op_name, selection, src_local, dst_local, transport, size, transit, gb_per_s FROM link "
              "ORDER BY 1, 2, 3, 4, 5"},
    {"breakdown", "SELECT step, computing, communication, not_overlapped, overlapped, free, bubble FROM step_breakdown "
                  "WHERE origin = 'recorded' ORDER BY 1"},
};

std::optional<Result<RawAnalysis>> analyse(const std::filesystem::path& raw, const std::filesystem::path& out,
                                           bool writesText, bool writesDatabases, const CancelToken& cancel = {}) {
    RawAnalysisOptions options;
    options.raw = raw;
    options.out = out;
    options.writesText = writesText;
    options.writesDatabases = writesDatabases;
    WorkerArena arena(2);
    ProgressSlot progress;
    std::optional<Result<RawAnalysis>> done;
    arena.run([&] { done = analyseRaw(options, progress, cancel); });
    return done;
}

QString rowsOf(const std::filesystem::path& folder, const char* sql) {
    WorkerArena arena(2);
    ProgressSlot progress;
    std::optional<Result<std::shared_ptr<const CaptureStore>>> loaded;
    arena.run([&] { loaded = loadCapture(folder, {}, progress, {}); });
    if (!loaded->ok()) return QStringLiteral("not loaded");
    return QString::fromStdString(runSql(QueryDatabase(loaded->value()), sql));
}

std::vector<std::string> namesIn(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& one : std::filesystem::recursive_directory_iterator(folder))
        names.push_back(one.path().lexically_relative(folder).string());
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

class TestRawAnalysis : public QObject {
    Q_OBJECT

    TestFolder m_folder;
    std::filesystem::path m_raw, m_text, m_databases;

private slots:
    void initTestCase() {
        m_raw = writeRawRun(m_folder.path());
        m_text = m_folder.path() / "text";
        m_databases = m_folder.path() / "databases";
        for (const bool isText : {true, false}) {
            const auto done = analyse(m_raw, isText ? m_text : m_databases, isText, !isText);
            QVERIFY(done->ok());
            QCOMPARE(done->value().captures.size(), std::size_t{1});
            QCOMPARE(done->value().captures.front().state, AnalysedCapture::State::Done);
        }
    }

    void textAndDatabasesAreTwins_data() {
        QTest::addColumn<QString>("sql");
        for (const TwinQuery& one : kTwins) QTest::addRow("%s", one.name) << QString::fromLatin1(one.sql);
    }
    void textAndDatabasesAreTwins() {
        QFETCH(QString, sql);
        const QString text = rowsOf(m_text, qPrintable(sql));
        QVERIFY(!text.isEmpty());
        QCOMPARE(rowsOf(m_databases, qPrintable(sql)), text);
    }

    void bothKindsAreWrittenTogether() {
        const auto both = m_folder.path() / "both";
        QVERIFY(analyse(m_raw, both, true, true)->ok());
        const auto names = namesIn(both);
        QCOMPARE(names.size() + 2, namesIn(m_text).size() + namesIn(m_databases).size());
        QVERIFY(std::filesystem::exists(both / m_raw.filename() / "ASCEND_PROFILER_OUTPUT/trace_view.json"));
        QVERIFY(
            std::filesystem::exists(both / m_raw.filename() / "ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db"));
    }

    void databasesOfAProfFolderGoBesideItsData() {
        const TestFolder folder;
        RawRun run;
        run.hasFramework = false;
        const std::filesystem::path raw = writeRawRun(folder.path(), run);
        const auto inPlace = analyse(raw, {}, false, true);
        QVERIFY(inPlace->ok());
        const AnalysedCapture& one = inPlace->value().captures.front();
        QCOMPARE(one.state, AnalysedCapture::State::Done);
        QCOMPARE(one.files.size(), std::size_t{2});
        for (const std::string& file : one.files) QVERIFY(std::filesystem::exists(raw / file));
        const std::vector<std::string> before = namesIn(raw);
        // Nothing is overwritten: the name of the first one holds another time, perhaps.
        const auto again = analyse(raw, {}, false, true);
        QCOMPARE(again->value().captures.front().state, AnalysedCapture::State::Failed);
        QCOMPARE(namesIn(raw), before);
    }

    void aJobOfTheWindowWritesThem() {
        JobRunner jobs;
        Session session(jobs);
        session.open(QString::fromStdString(m_raw.string()));
        QTRY_VERIFY_WITH_TIMEOUT(jobs.idle() && !session.captures().empty(), 60'000);
        QVERIFY(holdsRawData(*session.captures().front().store));
        RawAnalysisOptions options;
        options.raw = m_raw;
        options.out = m_raw / "FRAMEWORK" / "out";
        std::optional<RawAnalysisOutcome> outcome;
        const auto take = [&outcome](const RawAnalysisOutcome& one) { outcome = one; };
        // An open capture is evidence.
        startRawAnalysis(session, options, take);
        QVERIFY(outcome && outcome->problem);
        outcome.reset();
        options.out = m_folder.path() / "job";
        startRawAnalysis(session, options, take);
        QTRY_VERIFY_WITH_TIMEOUT(outcome.has_value(), 60'000);
        QVERIFY(!outcome->problem && !outcome->cancelled);
        QCOMPARE(outcome->analysis.captures.front().state, AnalysedCapture::State::Done);
        QCOMPARE(namesIn(options.out), namesIn(m_text));
    }

    void aCancelledAnalysisLeavesNothing() {
        const CancelToken cancel;
        cancel.requestCancel();
        const auto out = m_folder.path() / "cancelled";
        QVERIFY(analyse(m_raw, out, true, true, cancel)->cancelled());
        QVERIFY(!std::filesystem::exists(out));
    }
};

ALTI_TEST(TestRawAnalysis)
#include "tst_raw_analysis.moc"
