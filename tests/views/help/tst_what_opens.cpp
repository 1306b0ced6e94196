#include "views/help/what_opens.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace altiscope;

class TestWhatOpens : public QObject {
    Q_OBJECT
private slots:
    /// By hand from core/import/csv/FORMAT.md section 11 and core/import/scan/FORMAT.md section 2, so that a list that
    /// loses an entry is noticed.
    void namesFilesSwitchesAndPages_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"*_ascend_pt",
                                 "*_ascend_ms",
                                 "PROF_*",
                                 "cluster_analysis_output",
                                 "*.tar.zst",
                                 "*.altipack",
                                 "trace_view.json",
                                 "msprof_*.db",
                                 "kernel_details*.csv",
                                 "op_summary*.csv",
                                 "operator_memory*.csv",
                                 "step_trace_time*.csv",
                                 "communication_matrix.json",
                                 "analysis.db",
                                 "static_op_mem*.csv",
                                 "hccl_raw_*.csv",
                                 "host_memory_*.csv",
                                 "minddata_pipeline_summary_*.json",
                                 "profile_memory = True",
                                 "profiler_level = Level1",
                                 "l2_cache = True",
                                 "gc_detect_threshold",
                                 "with_stack",
                                 "record_shapes",
                                 "sys_io",
                                 "Memory (<code>profile_memory = True</code>)",
                                 "Timeline",
                                 "Communication",
                                 "any capture"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void namesFilesSwitchesAndPages() {
        QFETCH(QString, text);
        QVERIFY2(whatOpensHtml().contains(text), qPrintable(whatOpensHtml()));
    }

    void everySentenceIsKnown() {
        for (const char* unknown : {"input.", "missing.", "{switch}"})
            QVERIFY(!whatOpensHtml().contains(QLatin1StringView(unknown)));
    }
};

ALTI_TEST(TestWhatOpens)
#include "tst_what_opens.moc"
