#include "core/query/functions/source_search.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <algorithm>

using namespace altiscope;

namespace {

/// Says where a text stands, as told.
class ScriptedSource : public ArgumentSource {
public:
    explicit ScriptedSource(std::vector<std::uint64_t> bytes) {
        for (const std::uint64_t byte : bytes) m_places.push_back(SourcePos::make(0, byte));
    }
    Result<std::string> arguments(SourcePos) const override { return std::string(); }
    Result<std::vector<SourcePos>> find(std::string_view, bool, const CancelToken& cancel) const override {
        if (cancel.cancelled()) return Cancelled{};
        return m_places;
    }

private:
    std::vector<SourcePos> m_places;
};

class UnsearchableSource : public ArgumentSource {
    Result<std::string> arguments(SourcePos) const override { return std::string(); }
};

}  // namespace

class TestSourceSearch : public QObject {
    Q_OBJECT

private slots:
    void needles_data() {
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<bool>("isLike");
        QTest::addColumn<QByteArray>("needle");
        const auto add = [](const char* clause, const char* pattern, bool isLike, const char* needle) {
            QTest::addRow("%s", clause) << QByteArray(pattern) << isLike << QByteArray(needle);
        };
        add("between wildcards", "%Conv2D%", true, "Conv2D");
        add("the longest part", "%abc_defg%hij", true, "defg");
        add("no wildcard at all", "{\"a\": 1}", true, "{\"a\": 1}");
        add("too short to help", "%ab%", true, "");
        add("nothing literal", "%_%", true, "");
        add("empty", "", true, "");
        add("wildcards of GLOB are letters for LIKE", "%a*b?c[d%", true, "a*b?c[d");
        add("GLOB", "*Con?D_xy*", false, "D_xy");
        add("sets of GLOB", "abc[]x]defgh[^]]i", false, "defgh");
        add("a set that never ends", "abcd[efgh", false, "abcd");
        add("wildcards of LIKE are letters for GLOB", "*a%b_c*", false, "a%b_c");
    }
    void needles() {
        QFETCH(QByteArray, pattern);
        QFETCH(bool, isLike);
        QFETCH(QByteArray, needle);
        const auto found = needleOf(pattern.toStdString(), isLike);
        QCOMPARE(QByteArray::fromStdString(found ? found->text : std::string()), needle);
        if (found) QCOMPARE(found->ignoreCase, isLike);
    }

    void recordsInFrontOfAPlaceHoldIt() {
        Diagnostics diagnostics;
        RankEntry rank;
        // Positions are 0, 1, 2 ... in the order of the text.
        rank.trace = test::traceFromText("p1/t1: A[0,100) B[10,40) C[20,30)\np1/t2: D[5,60)", &diagnostics);
        const auto pos = rank.trace->columns().pos.span();
        std::vector<std::uint64_t> offsets;
        for (const SourcePos p : pos) offsets.push_back(p.offset());
        std::sort(offsets.begin(), offsets.end());
        const auto matching = [&](std::vector<std::uint64_t> places) {
            rank.arguments = std::make_shared<ScriptedSource>(std::move(places));
            const auto holds = slicesHolding(rank, {"x", false}, {}).value();
            std::string names;
            for (std::uint32_t i = 0; i < holds.size(); ++i) {
                if (holds[i] != 0) names += rank.trace->name({i});
            }
            return names;
        };
        QCOMPARE(matching({}), std::string());
        QCOMPARE(matching({offsets[0]}), std::string("A"));
        QCOMPARE(matching({offsets[1], offsets[3]}), std::string("BD"));
        QCOMPARE(matching({offsets[3] + 500, offsets[3] + 900}), std::string("D"));
        rank.arguments = std::make_shared<UnsearchableSource>();
        QVERIFY(slicesHolding(rank, {"x", false}, {}).value().empty());
        rank.arguments = std::make_shared<ScriptedSource>(std::vector<std::uint64_t>{});
        CancelToken cancel;
        cancel.requestCancel();
        QVERIFY(slicesHolding(rank, {"x", false}, cancel).cancelled());
    }
};

ALTI_TEST(TestSourceSearch)
#include "tst_source_search.moc"
