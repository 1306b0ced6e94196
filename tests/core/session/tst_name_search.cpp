#include "core/session/find/name_search.h"

#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

using namespace altiscope;

class TestNameSearch : public QObject {
    Q_OBJECT
private slots:
    void countsOverTracksAndRanks();
    void wordsInAnyOrderAndCase();
    void exactNamesComeFirst();
    void signsOfPatternsAreText();
    void noMoreThanRequested();
    void nothingForBlanks();
    void cancelledSearchEnds();
};

namespace {

std::vector<std::shared_ptr<const CaptureStore>> sample() {
    auto capture = std::make_shared<CaptureStore>();
    for (const std::string_view text : {"p1/t1: aten::mm[0,10) aten::mm[20,25) aten::add[30,130)\n"
                                        "p1/t2: aten::mm[0,7) Copy.(x)[50,60)\n",
                                        "p1/t1: aten::mm[0,1) matmul_mm[5,1005)\n"}) {
        RankEntry rank;
        rank.trace = test::traceFromText(text);
        capture->ranks.push_back(std::move(rank));
    }
    return {capture};
}

QStringList namesOf(const std::vector<FoundName>& found) {
    QStringList names;
    for (const FoundName& name : found)
        names << QStringLiteral("%1 %2 %3").arg(QString::fromStdString(name.name)).arg(name.count).arg(name.total);
    return names;
}

QStringList look(std::string_view text, std::size_t most = 10) {
    return namesOf(findNames(sample(), text, most, {}, CancelToken()));
}

}  // namespace

void TestNameSearch::countsOverTracksAndRanks() {
    QCOMPARE(look("aten::mm"), QStringList{QStringLiteral("aten::mm 4 23")});
}

void TestNameSearch::wordsInAnyOrderAndCase() {
    QCOMPARE(look("ADD aTen"), QStringList{QStringLiteral("aten::add 1 100")});
    QCOMPARE(look("add mm"), QStringList());
}

void TestNameSearch::exactNamesComeFirst() {
    // "matmul_mm" takes longer, but neither is nor begins with what is looked for.
    QCOMPARE(look("aten::mm").front(), QStringLiteral("aten::mm 4 23"));
    QCOMPARE(look("mm"), (QStringList{QStringLiteral("matmul_mm 1 1000"), QStringLiteral("aten::mm 4 23")}));
    QCOMPARE(look("mat"), QStringList{QStringLiteral("matmul_mm 1 1000")});
}

void TestNameSearch::signsOfPatternsAreText() {
    QCOMPARE(look("copy.(x)"), QStringList{QStringLiteral("Copy.(x) 1 10")});
    QCOMPARE(look("m.tmul"), QStringList());
    QCOMPARE(look("\\E"), QStringList());
}

void TestNameSearch::noMoreThanRequested() { QCOMPARE(look("m", 1), QStringList{QStringLiteral("matmul_mm 1 1000")}); }

void TestNameSearch::nothingForBlanks() {
    QCOMPARE(look(""), QStringList());
    QCOMPARE(look("  \t"), QStringList());
}

void TestNameSearch::cancelledSearchEnds() {
    CancelToken cancel;
    cancel.requestCancel();
    QVERIFY(findNames(sample(), "mm", 10, {}, cancel).empty());
}

ALTI_TEST(TestNameSearch)
#include "tst_name_search.moc"
