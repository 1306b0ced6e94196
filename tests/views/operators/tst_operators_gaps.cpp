#include "tests/views/operators/operators_stage.h"
#include "views/common/pages/message_page.h"
#include "views/operators/call_site_panel.h"
#include "views/operators/flame_panel.h"
#include "views/operators/kernel_list.h"

#include <QDir>
#include <QFile>

#include <algorithm>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// What the operators page says is missing.
class TestOperatorsGaps : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void nothingRecorded();
    void ranksThatAreNotInTheCapture_data();
    void ranksThatAreNotInTheCapture();
    void halfOfTheRanksWithoutKernels();
    void metricsThatWereNotRecorded();
    void ranksWithDifferentKernels();
    void kernelsWithoutTypesOpenByOperator();

private:
    Generated m_capture{{"--ranks", "2", "--steps", "3", "--layers", "2"}};
};

void TestOperatorsGaps::nothingRecorded() {
    OperatorsFixture nothing;
    QCOMPARE(nothing.page.findChild<MessagePage*>()->message().title, u"Operators"_s);
    const Generated without{{"--ranks", "2", "--steps", "2", "--layers", "1"}};
    for (const int rank : {0, 1})
        QVERIFY(
            QFile::remove(without.path() + u"/rank%1_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s.arg(rank)));
    OperatorsFixture fixture(without.path());
    const PageMessage message = fixture.page.findChild<MessagePage*>()->message();
    QCOMPARE(message.title, u"No kernels"_s);
    QVERIFY2(message.remedy.contains(u"kernel_details"_s), qPrintable(message.remedy));
    // The host's calls are there, so that the flame graph is, and above it why it stands alone.
    const QTabWidget& tabs = fixture.page.tabs();
    QVERIFY(fixture.page.flame().isVisibleTo(&fixture.page) && tabs.currentWidget() == &fixture.page.flame());
    QVERIFY(!tabs.isTabVisible(tabs.indexOf(&fixture.page.kernels())));
    QVERIFY(!fixture.page.statistics().isVisibleTo(&fixture.page));
    QVERIFY2(fixture.page.gaps().startsWith(u"No kernels: "_s), qPrintable(fixture.page.gaps()));
    const Generated half{{"--ranks", "2", "--steps", "2", "--layers", "1"}};
    QVERIFY(QFile::remove(half.path() + u"/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s));
    OperatorsFixture other(half.path());
    QVERIFY(other.rows() > 0);
    QVERIFY2(other.page.gaps().startsWith(u"No kernels: rank 0."_s), qPrintable(other.page.gaps()));
    // The tab from before comes back with the kernels.
    other.page.tabs().setCurrentWidget(other.page.findChild<CallSitePanel*>());
    const std::pair<std::int64_t, QWidget*> tabOf[] = {{0, &other.page.flame()},
                                                       {1, other.page.findChild<CallSitePanel*>()}};
    for (const auto& [rank, tab] : tabOf) {
        ContextFilter context;
        context.ranks = {rank};
        other.selection.setContext(context);
        other.settle();
        QCOMPARE(other.page.tabs().currentWidget(), tab);
    }
}

void TestOperatorsGaps::ranksThatAreNotInTheCapture_data() {
    QTest::addColumn<QList<int>>("removed");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("rank 0") << QList<int>{0} << u"Not in this capture: rank 0 of 4. Sums are those of the others."_s;
    QTest::newRow("half of them") << QList<int>{1, 3}
                                  << u"Not in this capture: ranks 1, 3 of 4. Sums are those of the others."_s;
}

void TestOperatorsGaps::ranksThatAreNotInTheCapture() {
    QFETCH(QList<int>, removed);
    QFETCH(QString, sentence);
    const Generated some{{"--ranks", "4", "--steps", "2", "--layers", "1"}};
    for (const int rank : removed) QVERIFY(QDir(some.path() + u"/rank%1_ascend_pt"_s.arg(rank)).removeRecursively());
    OperatorsFixture fixture(some.path());
    QVERIFY2(fixture.page.gaps().contains(sentence), qPrintable(fixture.page.gaps()));
    QCOMPARE(fixture.page.shown()->index->selected().size(), static_cast<std::size_t>(4 - removed.size()));
    // Who chose a rank does not want to hear of the others.
    ContextFilter context;
    context.ranks = {2};
    fixture.selection.setContext(context);
    fixture.settle();
    QVERIFY2(!fixture.page.gaps().contains(u"Not in this capture"_s), qPrintable(fixture.page.gaps()));
    OperatorsFixture whole(m_capture.path());
    QVERIFY2(!whole.page.gaps().contains(u"Not in this capture"_s), qPrintable(whole.page.gaps()));
}

void TestOperatorsGaps::halfOfTheRanksWithoutKernels() {
    const Generated some{{"--ranks", "4", "--steps", "2", "--layers", "1"}};
    for (const int rank : {0, 1})
        QVERIFY(
            QFile::remove(some.path() + u"/rank%1_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s.arg(rank)));
    OperatorsFixture fixture(some.path());
    const QString gaps = fixture.page.gaps();
    QVERIFY2(gaps.contains(u"No kernels: ranks 0, 1."_s) && gaps.contains(u"NPU"_s), qPrintable(gaps));
    QVERIFY2(!gaps.contains(u"Not in this capture"_s), qPrintable(gaps));
    QCOMPARE(fixture.page.shown()->index->selected().size(), 2U);
}

/// Cells of a CSV without the columns of metrics.
void TestOperatorsGaps::metricsThatWereNotRecorded() {
    const Generated bare{{"--ranks", "1", "--steps", "2", "--layers", "1"}};
    OperatorsFixture whole(bare.path());
    QVERIFY2(!whole.page.gaps().contains(u"AI Core metrics"_s), qPrintable(whole.page.gaps()));
    QFile file(bare.path() + u"/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s);
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QList<QByteArray> lines = file.readAll().split('\n');
    const qsizetype plain = lines.front().split(',').indexOf("Output Formats") + 1;
    QVERIFY(plain > 0 && plain < lines.front().split(',').size());
    file.resize(0);
    for (const QByteArray& line : lines) {
        // Commas within quotes are no borders.
        qsizetype cells = 0, end = 0;
        bool isQuoted = false;
        for (; end < line.size(); ++end) {
            if (line[end] == '"') isQuoted = !isQuoted;
            if (line[end] == ',' && !isQuoted && ++cells == plain) break;
        }
        file.write(line.first(end) + '\n');
    }
    file.close();
    OperatorsFixture fixture(bare.path());
    QVERIFY2(fixture.page.gaps().contains(u"No AI Core metrics of kernels: aic_metrics (PipeUtilization)"_s),
             qPrintable(fixture.page.gaps()));
    QVERIFY(fixture.rows() > 0);
}

void TestOperatorsGaps::ranksWithDifferentKernels() {
    OperatorsFixture equal(m_capture.path());
    QVERIFY2(equal.page.gaps().isEmpty(), qPrintable(equal.page.gaps()));
    const Generated shorter{{"--ranks", "2", "--steps", "2", "--layers", "1"}};
    QFile file(shorter.path() + u"/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArrayList lines = file.readAll().split('\n');
    lines.erase(lines.end() - 40, lines.end() - 1);
    QVERIFY(file.resize(0));
    file.write(lines.join('\n'));
    file.close();
    OperatorsFixture fixture(shorter.path());
    QVERIFY2(fixture.page.gaps().contains(u"Kernel counts differ"_s), qPrintable(fixture.page.gaps()));
}

void TestOperatorsGaps::kernelsWithoutTypesOpenByOperator() {
    const Generated untyped{{"--ranks", "1", "--steps", "2", "--layers", "1"}};
    QFile file(untyped.path() + u"/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"_s);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArrayList lines = file.readAll().split('\n');
    const auto type = lines[0].split(',').indexOf("Type"), core = lines[0].split(',').indexOf("Accelerator Core");
    for (qsizetype i = 1; i < lines.size(); ++i) {
        QByteArrayList cells = lines[i].split(',');
        if (cells.size() > std::max(type, core)) cells[type] = cells[core] = "N/A";
        lines[i] = cells.join(',');
    }
    QVERIFY(file.resize(0));
    file.seek(0);
    file.write(lines.join('\n'));
    file.close();

    OperatorsFixture fixture(untyped.path());
    QCOMPARE(fixture.page.shown()->groups->grouping, KernelGrouping::Name);
    QVERIFY(fixture.rows() > 3);
    QVERIFY2(fixture.page.gaps().startsWith(u"No types and cores of kernels"_s), qPrintable(fixture.page.gaps()));
    QVERIFY2(!fixture.page.gaps().contains(u"group by operator"_s), qPrintable(fixture.page.gaps()));
    // Asked for it is shown, and nothing of this is remembered.
    fixture.group(KernelGrouping::Type);
    QCOMPARE(fixture.rows(), std::size_t(1));
    QVERIFY2(fixture.page.gaps().contains(u"group by operator"_s), qPrintable(fixture.page.gaps()));
    fixture.open(m_capture.path());
    QCOMPARE(fixture.page.shown()->groups->grouping, KernelGrouping::Type);
    QVERIFY(!fixture.kept.contains(u"operators/grouping"_s));
}

ALTI_TEST(TestOperatorsGaps)
#include "tst_operators_gaps.moc"
