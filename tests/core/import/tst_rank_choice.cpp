#include "core/import/import_capture.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <filesystem>
#include <string>

using namespace altiscope;
using namespace altiscope::test;

namespace {

const char* const kTrace = R"([{"ph":"X","name":"A","pid":1,"tid":2,"ts":1,"dur":2,"args":{ "a" : [1, "}{"] }}])";

}  // namespace

class TestRankChoice : public QObject {
    Q_OBJECT

private slots:
    void whatIsReadAndWhatIsLeft() {
        const TestFolder folder;
        for (const char* rank : {"rank0", "rank1", "rank2"})
            folder.write(std::string(rank) + "_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", kTrace);
        const std::uint64_t each = std::string_view(kTrace).size();
        const auto open = [&](reader::RankChoice choice) {
            ImportTestOptions options;
            options.ranks = std::move(choice);
            return importForTest(folder.path(), options).value();
        };
        const auto read = [](const CaptureStore& capture) {
            std::string text;
            for (const RankEntry& rank : capture.ranks)
                text += rank.trace ? 'R' : rank.info.state == RankState::Listed ? '-' : '?';
            return text;
        };
        QCOMPARE(read(*open({})), std::string("RRR"));
        QCOMPARE(read(*open({.automaticBytes = 2 * each})), std::string("RR-"));
        QCOMPARE(read(*open({.automaticBytes = 2 * each - 1})), std::string("R--"));
        QCOMPARE(read(*open({.automaticBytes = 0})), std::string("R--"));
        QCOMPARE(read(*open({.wanted = {"rank2_ascend_pt"}, .automaticBytes = 0})), std::string("--R"));
        const auto first = open({.automaticBytes = each});
        QCOMPARE(first->ranks[2].info.traceBytes, each);
        QVERIFY(first->state == CaptureStore::State::Ok);
        const auto more = open({.wanted = {"rank1_ascend_pt"}, .known = first});
        QCOMPARE(read(*more), std::string("RR-"));
        QVERIFY(more->ranks[0].trace == first->ranks[0].trace);
        QVERIFY(more->ranks[1].trace->id({0}) != more->ranks[0].trace->id({0}));
        // Ids do not depend on what else was read.
        QVERIFY(more->ranks[1].trace->id({0}) == open({})->ranks[1].trace->id({0}));
        folder.write("rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json", std::string(kTrace) + " ");
        const auto changed = open({.wanted = {"rank2_ascend_pt"}, .known = more});
        QCOMPARE(read(*changed), std::string("RRR"));
        QVERIFY(changed->ranks[0].trace != more->ranks[0].trace);
    }
};

ALTI_TEST(TestRankChoice)
#include "tst_rank_choice.moc"
