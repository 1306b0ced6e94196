#include "core/analysis/kernels/copy_sums.h"
#include "tests/core/analysis/rank_text.h"
#include "tests/support/test_main.h"

#include <array>

using namespace altiscope;
using altiscope::test::rankTrace;

namespace {

/// Arguments of the events of rankTrace, in the order of its text.
class TextArguments : public ArgumentSource {
public:
    explicit TextArguments(std::vector<std::string> texts) : m_texts(std::move(texts)) {}
    Result<std::string> arguments(SourcePos pos) const override { return m_texts.at(pos.offset() - 1); }

private:
    std::vector<std::string> m_texts;
};

RankEntry copies() {
    RankEntry rank;
    rank.trace = rankTrace("Ascend Hardware/Stream 1: MEMCPY_ASYNC[0,10) MEMCPY_ASYNC[20,25) MatMul[30,90) "
                           "MEMCPY_ASYNC[100,107) MEMCPY_ASYNC[200,204)\n"
                           "Python/Thread 1: MEMCPY_ASYNC[0,500)\n");
    rank.arguments = std::make_shared<TextArguments>(std::vector<std::string>{
        R"json({"memcpy direction":"host to device","data size(Byte)":"300"})json",
        R"json({"operation":"host to device","size(B)":200})json", "{}", R"json({"operation":"host to device"})json",
        R"json({"operation":"device to host","size(B)":50})json", "{}"});
    return rank;
}

}  // namespace

class TestCopySums : public QObject {
    Q_OBJECT
private slots:
    void byDirection() {
        CaptureStore capture;
        capture.ranks.push_back(copies());
        const auto sums = copySums(capture, {{.rank = {0}}}, {});
        QVERIFY(sums);
        QCOMPARE(sums->size(), std::size_t{2});
        const CopySums &back = sums->at(0), &there = sums->at(1);
        QCOMPARE(back.direction, std::string("device to host"));
        QCOMPARE(back.count, std::uint64_t{1});
        QCOMPARE((std::array{back.total, back.bytes, back.minBytes, back.maxBytes}),
                 (std::array<std::int64_t, 4>{4, 50, 50, 50}));
        QCOMPARE(there.direction, std::string("host to device"));
        QCOMPARE(there.count, std::uint64_t{3});
        QCOMPARE((std::array{there.total, there.min, there.max}), (std::array<std::int64_t, 3>{22, 5, 10}));
        // The third one has no size.
        QCOMPARE(there.sized, std::uint64_t{2});
        QCOMPARE((std::array{there.bytes, there.minBytes, there.maxBytes, there.sizedTime}),
                 (std::array<std::int64_t, 4>{500, 200, 300, 15}));
    }

    void withinTimes() {
        CaptureStore capture;
        capture.ranks.push_back(copies());
        const auto sums = copySums(capture, {{.rank = {0}, .times = std::vector<TimeRange>{{{15}, {150}}}}}, {});
        QCOMPARE(sums->size(), std::size_t{1});
        QCOMPARE(sums->at(0).count, std::uint64_t{2});
        QCOMPARE(sums->at(0).minBytes, std::int64_t{200});
        QCOMPARE(sums->at(0).maxBytes, std::int64_t{200});
    }

    void withoutArgumentsNothingIsKnownButTheTime() {
        CaptureStore capture;
        capture.ranks.push_back(copies());
        capture.ranks[0].arguments = nullptr;
        const auto sums = copySums(capture, {{.rank = {0}}}, {});
        QCOMPARE(sums->size(), std::size_t{1});
        QCOMPARE(sums->at(0).direction, std::string());
        QCOMPARE(sums->at(0).total, std::int64_t{26});
        QCOMPARE(sums->at(0).sized, std::uint64_t{0});
    }
};

ALTI_TEST(TestCopySums)
#include "tst_copy_sums.moc"
