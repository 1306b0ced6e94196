#include "core/import/ranks/diagnostics_json.h"
#include "core/pack/pack_json.h"
#include "tests/support/test_main.h"

#include <string>

using namespace altiscope;

namespace {

/// The list of one rank with its steps and state as given, all in JSON.
std::optional<pack::PackedRanks> listWith(const std::string& steps, const std::string& state = "1",
                                          const std::string& number = "3") {
    return pack::ranksFromJson(R"({"identity":"i","path":"p","program":"1","groups":false,"state":)" + state +
                               R"(,"ranks":[{"rank_id":)" + number +
                               R"(,"device_id":null,"host":"","framework":0,"source":0,"path":"r","place":"",)"
                               R"("state":0,"trace_bytes":5,"present":[],"missing":[],"alternatives":[],)"
                               R"("metadata":[],"trace":true,"store":true,"arguments":false,"steps":)" +
                               steps + "}]}");
}

std::string diagnosticWith(const std::string& severity, const std::string& count, const std::string& places) {
    return R"([{"code":"c","file":"f","parameters":[],"severity":)" + severity + R"(,"count":)" + count +
           R"(,"places":)" + places + "}]";
}

}  // namespace

class TestPackJson : public QObject {
    Q_OBJECT
private slots:
    void stepsAreInOrderAndTimesAreTimes() {
        const auto list = listWith("[[9,10,20,false],[7,5,5,true],[8,20,10,false],[10,0,9223372036854775807,false]]");
        QVERIFY(list.has_value());
        const auto& steps = list->ranks[0].steps;
        QCOMPARE(steps.size(), std::size_t{4});
        QCOMPARE(steps[0].number, std::int64_t{7});
        QVERIFY(steps[0].range == (TimeRange{{5}, {5}}) && steps[0].isOfDevice);
        QCOMPARE(steps[1].number, std::int64_t{8});
        QVERIFY(!steps[1].range && !steps[3].range);
        QVERIFY(steps[2].range == (TimeRange{{10}, {20}}));
    }

    void numbersAreIntegersOfTheirTypes() {
        QVERIFY(listWith("[]").has_value());
        for (const char* number : {"1.5", "true", "\"1\"", "9223372036854775808", "1e3"}) {
            QVERIFY2(!listWith("[]", "1", number), number);
            QVERIFY2(!listWith(std::string("[[") + number + ",null,null,false]]"), number);
        }
        QVERIFY(!listWith("[[1,null,null,0]]"));
        QVERIFY(!listWith("[[1]]"));
    }

    /// What is packed was read: it is Ok or Partial.
    void states() {
        for (const auto& [state, isGood] :
             {std::pair("0", false), {"1", true}, {"2", true}, {"3", false}, {"-1", false}})
            QVERIFY2(listWith("[]", state).has_value() == isGood, state);
    }

    void diagnosticsHaveKnownKindsAndCounts() {
        const auto isRead = [](const std::string& text) { return reader::diagnosticsOfJson(text).has_value(); };
        QVERIFY(isRead("[]"));
        QVERIFY(isRead(diagnosticWith("2", "3", "[[1,17],[2,3]]")));
        QVERIFY(!isRead(diagnosticWith("3", "3", "[[1,17]]")));
        QVERIFY(!isRead(diagnosticWith("-1", "3", "[[1,17]]")));
        QVERIFY(!isRead(diagnosticWith("2", "3", "[[3,17]]")));
        QVERIFY(!isRead(diagnosticWith("2", "3", "[[1,-17]]")));
        QVERIFY(!isRead(diagnosticWith("2", "3", "[]")));
        QVERIFY(!isRead(diagnosticWith("2", "1", "[[1,17],[1,18]]")));
        QVERIFY(!isRead(diagnosticWith("2", "18446744073709551615", "[[1,17]]")));
        const std::string one = diagnosticWith("2", "3", "[[1,17]]");
        QVERIFY(!isRead(one.substr(0, one.size() - 1) + "," + one.substr(1)));
        const auto back = reader::diagnosticsOfJson(diagnosticWith("2", "3", "[[1,17],[2,3]]"));
        QCOMPARE(back->entries()[0].count, std::uint64_t{3});
    }
};

ALTI_TEST(TestPackJson)
#include "tst_pack_json.moc"
