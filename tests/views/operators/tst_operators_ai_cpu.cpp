#include "tests/views/operators/operators_stage.h"

#include <QTabWidget>

#include <bit>
#include <cmath>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

/// The list of operators that ran on the AI CPU.
class TestOperatorsAiCpu : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_capture.made); }
    void aiCpuIsListed();
    void plantedAiCpuStandsFirst_data();
    void plantedAiCpuStandsFirst();
    void aiCpuTabStaysChosenInAnotherScope();
    void aiCpuTabStaysChosenWhenTheCaptureIsReadAgain();
    void sharesOfTheAiCpuAddUp();

private:
    Generated m_capture{{"--ranks", "2", "--steps", "3", "--layers", "2"}};
};

void TestOperatorsAiCpu::aiCpuIsListed() {
    OperatorsFixture clean(m_capture.path());
    const auto isListed = [](OperatorsPage& page) {
        return page.tabs().isTabVisible(page.tabs().indexOf(&page.aiCpu()));
    };
    QVERIFY(!isListed(clean.page));
    const Generated planted{{"--ranks", "2", "--steps", "3", "--layers", "2", "--plant", "ai-cpu=Cumsum"}};
    QVERIFY(planted.made);
    OperatorsFixture fixture(planted.path());
    QVERIFY(isListed(fixture.page));
    const auto& source = *fixture.page.aiCpu().table().loader().source();
    QVERIFY(source.rowCount() > 0);
    for (std::size_t row = 0; row < source.rowCount(); ++row) {
        QCOMPARE(shownCell(source, groupHeadings(), static_cast<std::size_t>(GroupColumn::Core), row), u"AI_CPU"_s);
        QVERIFY(
            shownCell(source, groupHeadings(), static_cast<std::size_t>(GroupColumn::Type), row).contains(u"Cumsum"_s));
    }
}

void TestOperatorsAiCpu::plantedAiCpuStandsFirst_data() {
    QTest::addColumn<int>("seed");
    for (const int seed : {2, 6, 11}) QTest::addRow("seed %d", seed) << seed;
}

void TestOperatorsAiCpu::plantedAiCpuStandsFirst() {
    QFETCH(int, seed);
    const Generated planted{
        {"--ranks", "2", "--steps", "3", "--layers", "2", "--seed", std::to_string(seed), "--plant", "ai-cpu=Cumsum"}};
    OperatorsFixture fixture(planted.path());
    const TableLoader& loader = fixture.page.aiCpu().table().loader();
    QVERIFY(loader.rows()->count > 0);
    QVERIFY(
        shownCell(*loader.source(), groupHeadings(), static_cast<std::size_t>(GroupColumn::Type), loader.rows()->row(0))
            .contains(u"Cumsum"_s));
    // Among all operators it is told by its core: the only group that is not of an AI Core.
    fixture.group(KernelGrouping::Core);
    int found = 0;
    for (std::size_t row = 0; row < fixture.rows(); ++row)
        found += fixture.cell(GroupColumn::Core, row) == u"AI_CPU"_s ? 1 : 0;
    QCOMPARE(found, 1);
}

void TestOperatorsAiCpu::aiCpuTabStaysChosenInAnotherScope() {
    const Generated planted{{"--ranks", "2", "--steps", "3", "--layers", "2", "--plant", "ai-cpu=Cumsum"}};
    OperatorsFixture fixture(planted.path());
    QWidget* tab = &fixture.page.aiCpu();
    fixture.page.tabs().setCurrentWidget(tab);
    const std::size_t rows = fixture.page.aiCpu().table().loader().source()->rowCount();
    ContextFilter context;
    context.ranks = {1};
    fixture.selection.setContext(context);
    fixture.settle();
    QCOMPARE(fixture.page.shown()->index->selected().size(), 1U);
    QVERIFY(fixture.page.aiCpu().table().loader().source()->rowCount() <= rows);
    QCOMPARE(fixture.page.tabs().currentWidget(), tab);
    fixture.group(KernelGrouping::Name);
    QCOMPARE(fixture.page.tabs().currentWidget(), tab);
    QVERIFY(tab->isVisible());
}

void TestOperatorsAiCpu::aiCpuTabStaysChosenWhenTheCaptureIsReadAgain() {
    const Generated planted{{"--ranks", "2", "--steps", "3", "--layers", "2", "--plant", "ai-cpu=Cumsum"}};
    OperatorsFixture fixture(planted.path());
    QWidget* tab = &fixture.page.aiCpu();
    fixture.page.tabs().setCurrentWidget(tab);
    fixture.settle();
    const auto before = fixture.page.shown();
    fixture.session.reload(fixture.id);
    QVERIFY(QTest::qWaitFor([&] {
        return fixture.page.shown() != nullptr && fixture.page.shown() != before && fixture.jobs.idle() &&
               fixture.page.idle();
    }));
    QCOMPARE(fixture.page.tabs().currentWidget(), tab);
    QVERIFY(fixture.page.aiCpu().table().loader().source()->rowCount() > 0);
    // Not that it stays for good.
    fixture.session.close(fixture.id);
    fixture.open(m_capture.path());
    QVERIFY(!fixture.page.tabs().isTabVisible(fixture.page.tabs().indexOf(tab)));
}

void TestOperatorsAiCpu::sharesOfTheAiCpuAddUp() {
    const Generated planted{{"--ranks", "2", "--steps", "3", "--layers", "2", "--plant", "ai-cpu=Cumsum"}};
    OperatorsFixture fixture(planted.path());
    const auto& source = *fixture.page.aiCpu().table().loader().source();
    QVERIFY(source.rowCount() > 0);
    double sum = 0;
    for (std::size_t row = 0; row < source.rowCount(); ++row)
        sum += std::bit_cast<double>(source.cell(static_cast<std::size_t>(GroupColumn::Share), row));
    QVERIFY2(std::abs(sum - 1) < 1e-9, qPrintable(QString::number(sum)));
}

ALTI_TEST(TestOperatorsAiCpu)
#include "tst_operators_ai_cpu.moc"
