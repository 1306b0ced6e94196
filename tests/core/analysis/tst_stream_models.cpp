#include "core/analysis/slices/stream_models.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/model_arguments.h"
#include "tests/support/test_main.h"

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// "Stream 5 = 7, ..." of the streams that run for a model.
QString modelsOf(std::string_view text, std::size_t* reads = nullptr) {
    RankEntry rank;
    rank.trace = rankTrace(text);
    const auto source = std::make_shared<const ModelArguments>(rank.trace);
    rank.arguments = source;
    QStringList reported;
    for (const auto& [track, model] : streamModels(rank, {}))
        reported << QString::fromStdString(rank.trace->track({track}).name) + QStringLiteral(" = ") +
                        QString::number(model);
    reported.sort();
    if (reads != nullptr) *reads = source->reads;
    return reported.join(QStringLiteral(", "));
}

}  // namespace

class TestStreamModels : public QObject {
    Q_OBJECT
private slots:
    void models_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::addRow("streams of graphs beside others") << "Ascend Hardware/Stream 2: Add[0,10) Mul[10,20)\n"
                                                            "Ascend Hardware/Stream 5: m7[20,30) m7[30,40) m7[50,60)\n"
                                                            "Ascend Hardware/Stream 6: m7[20,30)\n"
                                                            "Ascend Hardware/Stream 9: m8[20,30) m8[40,50)"
                                                         << "Stream 5 = 7, Stream 6 = 7, Stream 9 = 8";
        QTest::addRow("two graphs and nothing else")
            << "Ascend Hardware/Stream 5: m7[20,30)\nAscend Hardware/Stream 9: m8[20,30)"
            << "Stream 5 = 7, Stream 9 = 8";
        QTest::addRow("one model for all tells nothing")
            << "Ascend Hardware/Stream 5: m2[20,30)\nAscend Hardware/Stream 9: m2[20,30)" << QString();
        QTest::addRow("a stream that is shared is of none")
            << "Ascend Hardware/Stream 2: Add[0,10)\nAscend Hardware/Stream 5: m7[20,30) Add[30,40) m7[50,60)"
            << QString();
        QTest::addRow("used by a graph at last")
            << "Ascend Hardware/Stream 2: Add[0,10)\nAscend Hardware/Stream 5: m7[20,30) m7[30,40) m8[50,60)"
            << QString();
        QTest::addRow("other tracks are not asked")
            << "Ascend Hardware/Stream 2: Add[0,10)\nCANN/Thread 5: m7[20,30)" << QString();
    }
    void models() {
        QFETCH(QString, text);
        QTEST(modelsOf(text.toStdString()), "expected");
    }

    void fewRecordsAreRead() {
        std::string text = "Ascend Hardware/Stream 2:", graph = "\nAscend Hardware/Stream 5:";
        for (int i = 0; i < 1000; ++i) {
            text += " Add[" + std::to_string(i * 10) + ',' + std::to_string(i * 10 + 5) + ')';
            graph += " m7[" + std::to_string(i * 10) + ',' + std::to_string(i * 10 + 5) + ')';
        }
        std::size_t reads = 0;
        QCOMPARE(modelsOf(text + graph, &reads), QStringLiteral("Stream 5 = 7"));
        QCOMPARE(reads, std::size_t{4});
    }

    void withoutASourceNothingIsKnown() {
        RankEntry rank;
        QVERIFY(streamModels(rank, {}).empty());
        rank.trace = rankTrace("Ascend Hardware/Stream 5: m7[20,30)");
        QVERIFY(streamModels(rank, {}).empty());
    }
};

ALTI_TEST(TestStreamModels)
#include "tst_stream_models.moc"
