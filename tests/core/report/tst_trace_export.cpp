#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"
#include "core/query/database.h"
#include "core/report/export/result_writer.h"
#include "core/report/export/table_export.h"
#include "core/report/export/trace_export.h"
#include "tests/core/report/odd_trace.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace altiscope;
namespace fs = std::filesystem;

namespace {

const char* kComparisons[] = {
    "SELECT process, thread, name, kind, origin, sort_index FROM track",
    "SELECT t.process, t.name, s.rank_id, s.name, s.category, s.ts, s.dur, s.depth, s.self_dur, replace(s.args, "
    "':NaN', ':\"NaN\"'), p.name, p.ts, p.depth "
    "FROM slice s JOIN track t USING (track_id) LEFT JOIN slice p ON p.slice_id = s.parent_id",
    "SELECT t.process, t.name, c.name, c.series, c.ts, c.value FROM counter c JOIN track t USING (track_id)",
    "SELECT t.process, t.name, i.name, i.ts, i.args FROM instant i JOIN track t USING (track_id)",
    "SELECT f.category, a.name, a.ts, a.depth, b.name, b.ts, b.depth FROM flow f LEFT JOIN slice a ON a.slice_id = "
    "f.from_slice "
    "LEFT JOIN slice b ON b.slice_id = f.to_slice",
};

std::shared_ptr<const CaptureStore> import(const fs::path& path) {
    WorkerArena arena(2);
    ProgressSlot progress;
    std::shared_ptr<const CaptureStore> capture;
    arena.run([&] { capture = reader::importCapture(path, {}, progress, {}).value(); });
    return capture;
}

Result<TraceExportSummary> exported(const CaptureStore& capture, const fs::path& file,
                                    const TraceExportOptions& options = {}, const CancelToken& cancel = {}) {
    WorkerArena arena(2);
    ProgressSlot progress;
    std::optional<Result<TraceExportSummary>> result;
    arena.run([&] { result = exportTrace(capture, options, file, progress, cancel); });
    return std::move(*result);
}

std::vector<std::string> runSql(const std::shared_ptr<const CaptureStore>& capture, const std::string& sql) {
    std::string text;
    const auto writer = makeResultWriter(ResultFormat::Json, [&](std::string_view part) {
        text += part;
        return true;
    });
    const QueryDatabase database(capture);
    if (!database.run(sql, *writer, {}).ok() || !writer->finish()) return {"failed"};
    std::vector<std::string> rows;
    for (const auto& row : nlohmann::ordered_json::parse(text)) rows.push_back(row.dump());
    std::sort(rows.begin(), rows.end());
    return rows;
}

std::string contentOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class TestTraceExport : public QObject {
    Q_OBJECT
    QTemporaryDir m_temp;

    fs::path path(const char* name) const { return fs::path(m_temp.path().toStdString()) / name; }
    fs::path sample() const {
        std::ofstream(path("sample.json")) << test::kOddTrace;
        return path("sample.json");
    }
    void compare(const std::shared_ptr<const CaptureStore>& before,
                 const std::shared_ptr<const CaptureStore>& after) const {
        for (const char* sql : kComparisons) {
            const auto expected = runSql(before, sql), actual = runSql(after, sql);
            QCOMPARE(actual.size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(actual[i], expected[i]);
        }
    }

private slots:
    void readBackItIsTheSame() {
        const auto before = import(sample());
        const auto summary = exported(*before, path("out.json"));
        QVERIFY(summary.ok());
        QCOMPARE(summary.value().slices, std::uint64_t{7});
        QCOMPARE(summary.value().samples, std::uint64_t{4});
        QCOMPARE(summary.value().instants, std::uint64_t{1});
        QCOMPARE(summary.value().flows, std::uint64_t{3});
        QCOMPARE(summary.value().bytes, static_cast<std::uint64_t>(fs::file_size(path("out.json"))));
        QVERIFY(nlohmann::json::accept(contentOf(path("out.json"))));
        compare(before, import(path("out.json")));
        // What was written once is written the same again.
        QVERIFY(exported(*import(path("out.json")), path("again.json")).ok());
        QVERIFY(contentOf(path("again.json")) == contentOf(path("out.json")));
    }

    void realRankReadBackIsTheSame() {
        const auto capture = test::sharedData("torch_text/level1/rank0_ascend_pt");
        if (!capture) QSKIP(test::kNoSharedData);
        const auto before = import(*capture);
        QVERIFY(exported(*before, path("real.json")).ok());
        const auto after = import(path("real.json"));
        QCOMPARE(after->ranks.at(0).info.rankId, before->ranks.at(0).info.rankId);
        compare(before, after);
    }

    void partsOfATrace_data() {
        QTest::addColumn<QByteArrayList>("tracks");
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<qint64>("end");
        QTest::addColumn<QByteArrayList>("slices");
        QTest::addColumn<int>("samples");
        QTest::addColumn<int>("flows");
        constexpr qint64 kBase = 1736412474714000000;
        using L = QByteArrayList;
        QTest::addRow("by name, with the flow that begins nowhere")
            << L{"Thread 2"} << qint64{0} << qint64{0} << L{"task"} << 0 << 1;
        QTest::addRow("by process and pattern")
            << L{"Python/*"} << qint64{0} << qint64{0} << L{"outer", "overlaps", "point", "same", "same"} << 0 << 0;
        QTest::addRow("counters by name") << L{"H?M"} << qint64{0} << qint64{0} << L{} << 4 << 0;
        QTest::addRow("a range takes what touches it")
            << L{} << kBase + 264000 << kBase + 266000 << L{"outer", "overlaps"} << 0 << 0;
        QTest::addRow("flows within") << L{} << kBase + 260500 << kBase + 271500
                                      << L{"open \xC3\xA9", "outer", "overlaps", "point", "same", "same", "task"} << 0
                                      << 3;
        QTest::addRow("a range takes what ends where it begins")
            << L{} << kBase + 262000 << kBase + 262500 << L{"outer", "same", "same"} << 0 << 0;
        QTest::addRow("flows of a slice that ends where the range begins")
            << L{} << kBase + 262000 << kBase + 271000 << L{"outer", "overlaps", "point", "same", "same", "task"} << 0
            << 2;
        QTest::addRow("samples within") << L{} << kBase + 259000 << kBase + 260000 << L{"outer"} << 3 << 0;
    }
    void partsOfATrace() {
        QFETCH(QByteArrayList, tracks);
        QFETCH(qint64, begin);
        QFETCH(qint64, end);
        QFETCH(QByteArrayList, slices);
        QFETCH(int, samples);
        QFETCH(int, flows);
        TraceExportOptions options;
        if (end != 0) options.range = TimeRange{{begin}, {end}};
        const auto capture = import(sample());
        for (const QByteArray& track : tracks) options.tracks.push_back(track.toStdString());
        const auto summary = exported(*capture, path("part.json"), options);
        QVERIFY(summary.ok());
        QCOMPARE(summary.value().samples, static_cast<std::uint64_t>(samples));
        QCOMPARE(summary.value().flows, static_cast<std::uint64_t>(flows));
        QByteArrayList names;
        const auto written = nlohmann::json::parse(contentOf(path("part.json")));
        for (const auto& event : written["traceEvents"]) {
            if (event["ph"] == "X") names.push_back(QByteArray::fromStdString(event["name"].get<std::string>()));
        }
        std::sort(names.begin(), names.end());
        QCOMPARE(names, slices);
    }

    void aCutOfChosenTracksReadBackIsTheSame() {
        const auto folder = test::sharedData("torch_text/level1/rank0_ascend_pt");
        if (!folder) QSKIP(test::kNoSharedData);
        const auto before = import(*folder);
        const TraceStore& trace = *before->ranks.at(0).trace;
        const TimeRange all = trace.homeRange();
        const TimeRange range{{all.begin.value + all.length().value * 4 / 10},
                              {all.begin.value + all.length().value * 6 / 10}};
        // Every second track, so that some flows lose an end.
        TraceExportOptions options{.range = range, .ranks = {}, .tracks = {}};
        options.chosen.emplace();
        std::string ids;
        for (std::uint32_t t = 0; t < trace.tracks().size(); t += 2) {
            // Made anew from what is read back.
            if (trace.track({t}).kind == TrackKind::Stack) continue;
            options.chosen->push_back({0, trace.track({t}).id});
            ids += (ids.empty() ? "" : ",") + std::to_string(trace.track({t}).id.value);
        }
        std::sort(options.chosen->begin(), options.chosen->end());
        QVERIFY(exported(*before, path("cut.json"), options).ok());
        const auto after = import(path("cut.json"));
        const std::string begin = std::to_string(range.begin.value), end = std::to_string(range.end.value);
        const auto same = [&](const std::string& select, const std::string& where) {
            const auto expected = runSql(before, select + " WHERE t.track_id IN (" + ids + ") AND " + where),
                       actual = runSql(after, select + " WHERE t.kind <> 'stack'");
            QCOMPARE(actual.size(), expected.size());
            QVERIFY(!expected.empty());
            for (std::size_t i = 0; i < expected.size(); ++i)
                QVERIFY2(actual[i] == expected[i], (actual[i] + "\n" + expected[i]).c_str());
        };
        // Not self_dur and depth: children, and slices that overlap, are gone where they do not touch the range.
        same("SELECT t.process, t.name, s.name, s.category, s.ts, s.dur, s.args FROM slice s JOIN track t USING "
             "(track_id)",
             "s.ts < " + end + " AND s.ts + s.dur >= " + begin);
        same("SELECT t.process, t.name, c.name, c.series, c.ts, c.value FROM counter c JOIN track t USING (track_id)",
             "c.ts >= " + begin + " AND c.ts < " + end);
        const std::string within = "ts < " + end + " AND ";
        const auto flows = runSql(before, "SELECT f.category, a.name, a.ts, b.name, b.ts FROM flow f JOIN slice a ON "
                                          "a.slice_id = f.from_slice JOIN slice b ON b.slice_id = f.to_slice "
                                          "WHERE a.track_id IN (" +
                                              ids + ") AND b.track_id IN (" + ids + ") AND a." + within + "b." +
                                              within + "a.ts + a.dur >= " + begin + " AND b.ts + b.dur >= " + begin);
        QCOMPARE(runSql(after, "SELECT f.category, a.name, a.ts, b.name, b.ts FROM flow f JOIN slice a ON a.slice_id = "
                               "f.from_slice JOIN slice b ON b.slice_id = f.to_slice"),
                 flows);
    }

    void severalRanksStayApart() {
        for (const char* rank : {"rank3_ascend_pt", "rank5_ascend_pt"}) {
            const fs::path output = path("two") / rank / "ASCEND_PROFILER_OUTPUT";
            fs::create_directories(output);
            std::ofstream(output / "trace_view.json") << test::kOddTrace;
            std::ofstream(output.parent_path() / (std::string("profiler_info_") + rank[4] + ".json")) << "{}";
        }
        const auto capture = import(path("two"));
        QVERIFY(exported(*capture, path("both.json")).ok());
        const auto back = import(path("both.json"));
        QCOMPARE(back->ranks.size(), std::size_t{1});
        QCOMPARE(back->ranks[0].trace->sliceCount(), std::size_t{14});
        QCOMPARE(back->ranks[0].trace->flowCount(), std::size_t{6});
        QCOMPARE(back->ranks[0].trace->tracks().size(), 2 * capture->ranks[0].trace->tracks().size());
        QVERIFY(contentOf(path("both.json")).find("\"labels\":\"rank 3, CPU\"") != std::string::npos);
        // Each flow has a number of its own, and each rank stays together, whatever the order of its processes.
        std::map<std::string, std::vector<std::string>> pidsOfFlows;
        const auto written = nlohmann::json::parse(contentOf(path("both.json")));
        for (const auto& event : written["traceEvents"]) {
            const std::string kind = event["ph"].get<std::string>();
            QVERIFY(event.value("name", std::string()) != "process_sort_index");
            if (kind == "s" || kind == "f") pidsOfFlows[event["id"].dump()].push_back(event["pid"].dump());
        }
        QCOMPARE(pidsOfFlows.size(), std::size_t{6});
        for (const auto& [id, pids] : pidsOfFlows) QCOMPARE(pids.size(), std::size_t{2});
        TraceExportOptions one;
        one.ranks = {5};
        QVERIFY(exported(*capture, path("one.json"), one).ok());
        const auto single = import(path("one.json"));
        QCOMPARE(single->ranks[0].info.rankId, std::optional<std::int64_t>(5));
        QCOMPARE(single->ranks[0].trace->sliceCount(), std::size_t{7});
        QVERIFY(contentOf(path("one.json")).find("process_sort_index") != std::string::npos);
    }

    void refusals() {
        const auto capture = import(sample());
        TraceExportOptions rank;
        rank.ranks = {4};
        QCOMPARE(exported(*capture, path("no.json"), rank).error().code, std::string("export.no_rank"));
        TraceExportOptions track;
        track.tracks = {"Python/*", "nobody"};
        const auto noTrack = exported(*capture, path("no.json"), track);
        QCOMPARE(noTrack.error().code, std::string("export.no_track"));
        QCOMPARE(noTrack.error().parameters.at(0).second, std::string("nobody"));
        QCOMPARE(exported(*capture, path("none") / "no.json").error().code, std::string("export.not_written"));
        QCOMPARE(exported(CaptureStore{}, path("no.json")).error().code, std::string("export.no_timeline"));
        QVERIFY(!fs::exists(path("no.json")));
    }

    void cancelLeavesTheOldFile() {
        const auto capture = import(sample());
        std::ofstream(path("kept.json")) << "old";
        CancelToken cancel;
        cancel.requestCancel();
        QVERIFY(exported(*capture, path("kept.json"), {}, cancel).cancelled());
        QCOMPARE(contentOf(path("kept.json")), std::string("old"));
        std::size_t files = 0;
        for (const auto& entry : fs::directory_iterator(fs::path(m_temp.path().toStdString()))) {
            files += entry.path().filename().string().find(".tmp.") != std::string::npos;
        }
        QCOMPARE(files, std::size_t{0});
    }

    void vanishedSourceIsSaid() {
        const fs::path copy = path("vanishing.json");
        std::ofstream(copy) << test::kOddTrace;
        const auto capture = import(copy);
        fs::remove(copy);
        const auto summary = exported(*capture, path("without.json"));
        QVERIFY(summary.ok());
        const auto entries = summary.value().diagnostics.entries();
        QCOMPARE(entries.size(), std::size_t{1});
        QCOMPARE(entries[0].code, std::string("args.source_changed"));
        QCOMPARE(entries[0].count, std::uint64_t{8});
        QVERIFY(entries[0].severity == Severity::Lost);
        QCOMPARE(import(path("without.json"))->ranks[0].trace->sliceCount(), std::size_t{7});
    }

    void tablesAsText() {
        const auto capture = import(sample());
        const auto rows = exportTable(capture, "instant", ResultFormat::Json, path("instant.json"), {});
        QVERIFY(rows.ok());
        QCOMPARE(rows.value().rows, std::uint64_t{1});
        const auto json = nlohmann::json::parse(contentOf(path("instant.json")));
        QCOMPARE(json.at(0)["name"].get<std::string>(), std::string("mark"));
        QVERIFY(exportTable(capture, "slice", ResultFormat::Csv, path("slice.csv"), {}).ok());
        const std::string csv = contentOf(path("slice.csv"));
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{8});
        QVERIFY(csv.starts_with("slice_id,track_id,rank_id,name,"));
        QCOMPARE(exportTable(capture, "nothing", ResultFormat::Csv, path("x.csv"), {}).error().code,
                 std::string("export.no_table"));
        QVERIFY(!fs::exists(path("x.csv")));
    }
};

ALTI_TEST(TestTraceExport)
#include "tst_trace_export.moc"
