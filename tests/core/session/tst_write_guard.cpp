#include "core/session/files/write_guard.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

using namespace altiscope;
namespace fs = std::filesystem;

class TestWriteGuard : public QObject {
    Q_OBJECT

    QTemporaryDir m_temp;

    fs::path path(const QString& name) const { return m_temp.filePath(name).toStdString(); }
    fs::path path(const char* name) const { return path(QString::fromLatin1(name)); }
    void make(const QString& file) const {
        fs::create_directories(path(file).parent_path());
        std::ofstream(path(file)) << "evidence";
    }

private slots:
    void initTestCase() {
        for (const char* file : {
                 "run/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json",
                 "run/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv",
                 "run/rank0_ascend_pt/profiler_info_0.json",
                 "run/rank0_ascend_pt/PROF_000001_20260101000000000_ABC/device_0/data/x.slice_0",
                 "run/rank0_ascend_pt/PROF_000001_20260101000000000_ABC/mindstudio_profiler_output/msprof_1.json",
                 "run/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv",
                 "run/cluster_analysis_output/cluster_step_trace_time.csv",
                 "plain/a.json",
                 "plain/kernel_details.csv",
                 "plain/below/notes.txt",
                 "renamed/trace_view.json",
                 "renamed/kernel_details.csv",
                 "renamed/op_statistic.csv",
                 "renamed/notes.txt",
                 "moved/ASCEND_PROFILER_OUTPUT/trace_view.json",
                 "moved/profiler_metadata.txt",
                 "analysed/mindstudio_profiler_output/op_summary_1.csv",
                 "analysed/analyze/communication.json",
                 "analysed/msprof_1.db",
                 "snapshots/a.pkl",
                 "snapshots/b.pkl",
                 "saved/kernel_details.csv",
                 "saved/op_statistic.csv",
                 "saved/step_trace_time.csv",
             })
            make(QString::fromLatin1(file));
        fs::create_directory_symlink(path("run"), path("link"));
        fs::create_symlink(path("run/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/new.csv"), path("dangling.csv"));
        fs::create_symlink("dangling.csv", path("second.csv"));
        fs::create_symlink(path("run/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"), path("file_link.json"));
        fs::create_symlink(path("snapshots/b.pkl"), path("other_snapshot.csv"));
        fs::create_symlink(path("analysed/msprof_1.db"), path("database.csv"));
        fs::create_hard_link(path("plain/below/notes.txt"), path("hard.csv"));
        fs::create_hard_link(path("plain/a.json"), path("hard.json"));
    }

    void answer_data() {
        QTest::addColumn<QString>("capture");
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("isEvidence");
        const auto row = [](const char* name, const char* capture, const char* file, bool isEvidence) {
            QTest::newRow(name) << QString::fromLatin1(capture) << QString::fromLatin1(file) << isEvidence;
        };
        const char* const trace = "run/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json";
        const char* const output = "run/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT";
        row("the file itself", trace, trace, true);
        row("a file of the folder that is opened", "plain", "plain/below/x.json", true);
        row("another file of the rank", trace, "run/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv", true);
        row("a new file beside it", trace, "run/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/x.csv", true);
        row("the rank's folder above it", trace, "run/rank0_ascend_pt/profiler_info_0.json", true);
        row("raw data of the rank", output,
            "run/rank0_ascend_pt/PROF_000001_20260101000000000_ABC/device_0/data/x.slice_0", true);
        row("from raw data to the rank",
            "run/rank0_ascend_pt/PROF_000001_20260101000000000_ABC/mindstudio_profiler_output",
            "run/rank0_ascend_pt/new.json", true);
        row("another rank", output, "run/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv", true);
        row("a cluster's result", output, "run/cluster_analysis_output/x.csv", true);
        row("a capture that is not open", "plain", "run/rank1_ascend_pt/x.csv", true);
        row("another case", trace, "RUN/RANK0_ASCEND_PT/Ascend_Profiler_Output/x.csv", true);
        row("a folder above with ..", output, "run/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/../x.csv", true);
        row("through a link to a folder", trace, "link/rank0_ascend_pt/x.csv", true);
        row("a link to a file that is not there yet", "plain", "dangling.csv", true);
        row("a link to such a link", "plain", "second.csv", true);
        row("opened through a link", "file_link.json", "run/rank0_ascend_pt/x.csv", true);
        row("the link that was opened", "file_link.json", "file_link.json", true);
        row("another name of a file in the folder", "plain", "hard.csv", true);
        row("another name of the file", "plain/a.json", "hard.json", true);
        row("another name of something else", "run", "hard.csv", false);
        row("a profiler's file beside a trace", "plain/a.json", "plain/kernel_details.csv", true);
        row("a new file beside a trace in a folder of any kind", "plain/a.json", "plain/x.csv", false);
        row("a renamed folder of results", "renamed/trace_view.json", "renamed/x.csv", true);
        row("a renamed folder that is not open", "plain", "renamed/notes.txt", true);
        row("a rank with a name of the user's", "moved/ASCEND_PROFILER_OUTPUT/trace_view.json",
            "moved/profiler_metadata.txt", true);
        row("another snapshot, by a link with the name of a table", "snapshots/a.pkl", "other_snapshot.csv", true);
        row("a new file beside a snapshot", "snapshots/a.pkl", "snapshots/x.csv", false);
        row("the communication of a renamed PROF folder that is not open", "plain",
            "analysed/analyze/communication.json", true);
        row("the database of a renamed PROF folder that is not open", "plain", "database.csv", true);
        row("results that were saved together", "plain", "saved/kernel_details.csv", false);
        row("beside the capture", "plain", "plain2.json", false);
        row("above it", "plain/below", "plain/x.json", false);
        row("beside a rank", output, "run/x.csv", false);
        row("a capture that is not there", "nothing", "x.csv", false);
    }
    void answer() {
        QFETCH(QString, capture);
        QFETCH(QString, file);
        QFETCH(bool, isEvidence);
        QCOMPARE(liesInCapture(path(capture), path(file)), isEvidence);
        // As a user types it, from within.
        const fs::path before = fs::current_path();
        fs::current_path(path("plain/below"));
        QCOMPARE(liesInCapture(fs::path("../..") / capture.toStdString(), fs::path("../..") / file.toStdString()),
                 isEvidence);
        fs::current_path(before);
    }

    void anyCapture() {
        QVERIFY(liesInProfilerFolder(path("run/rank0_ascend_pt/deep/new/folder")));
        QVERIFY(liesInProfilerFolder(path("renamed/new")));
        QVERIFY(!liesInProfilerFolder(path("new_ascend_pt")));
        QVERIFY(!liesInProfilerFolder(path("saved/new")));
        QVERIFY(!liesInProfilerFolder("/dev/stdout"));
    }
};

ALTI_TEST(TestWriteGuard)
#include "tst_write_guard.moc"
