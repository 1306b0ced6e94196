#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/page/clocks_dialog.h"
#include "views/timeline/times/rank_shifts.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

using namespace altiscope;

class TestRankShifts : public QObject {
    Q_OBJECT
private slots:
    void occurrencesAgainstBruteForce();
    void plantedOffsetsAreFoundByOperator_data();
    void plantedOffsetsAreFoundByOperator();
    void ranksWithoutTheOperatorStay();
    void aRankMovedAlreadyLeadsTheOthers();
    void ownShiftsWinOverCollectives();
    void firstEventIsThatOfTheEarliestRank();
    void textsOfShifts_data();
    void textsOfShifts();
};

namespace {

struct Written {
    int thread = 0;
    std::string name;
    std::int64_t begin = 0, end = 0;
};

/// The slices as lines of traceFromText, moved.
std::string textOf(const std::vector<Written>& slices, std::int64_t by) {
    std::string text;
    for (int thread = 1; thread <= 3; ++thread) {
        text += "p1/t" + std::to_string(thread) + ":";
        for (const Written& slice : slices) {
            if (slice.thread == thread)
                text += " " + slice.name + "[" + std::to_string(slice.begin + by) + "," +
                        std::to_string(slice.end + by) + ")";
        }
        text += thread < 3 ? " \n" : " ";
    }
    return text;
}

/// Three streams with operators of five names, all at different times.
std::vector<Written> randomRun(std::mt19937& random) {
    std::vector<Written> slices;
    for (int thread = 1; thread <= 3; ++thread) {
        std::int64_t at = 1'000'000 + thread;
        for (int i = 0; i < 40; ++i) {
            const std::int64_t length = 100 + static_cast<std::int64_t>(random() % 900) * 3;
            slices.push_back({thread, std::string(1, static_cast<char>('A' + random() % 5)), at, at + length});
            at += length + 30 + static_cast<std::int64_t>(random() % 500) * 3;
        }
    }
    return slices;
}

std::optional<SliceIndex> sliceAt(const TraceStore& trace, std::string_view name, std::int64_t begin) {
    for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if (trace.name({i}) == name && trace.begin({i}).value == begin) return SliceIndex{i};
    }
    return std::nullopt;
}

std::vector<Written> byBegin(std::vector<Written> slices, const std::string& name) {
    std::erase_if(slices, [&](const Written& slice) { return slice.name != name; });
    std::sort(slices.begin(), slices.end(), [](const Written& a, const Written& b) { return a.begin < b.begin; });
    return slices;
}

}  // namespace

void TestRankShifts::occurrencesAgainstBruteForce() {
    std::mt19937 random(7);
    for (int round = 0; round < 5; ++round) {
        const std::vector<Written> slices = randomRun(random);
        const auto trace = test::traceFromText(textOf(slices, 0));
        for (const std::string name : {"A", "B", "C", "D", "E"}) {
            const std::vector<Written> sorted = byBegin(slices, name);
            for (std::uint64_t n = 0; n < sorted.size(); ++n) {
                const auto slice = sliceAt(*trace, name, sorted[n].begin);
                QVERIFY(slice.has_value());
                const Occurrence occurrence = occurrenceOf(*trace, *slice);
                QCOMPARE(occurrence.number, n);
                QVERIFY(findOccurrence(*trace, occurrence) == slice);
            }
            QVERIFY(!findOccurrence(*trace, {name, trace->track({0}).kind, sorted.size()}));
            QVERIFY2(!findOccurrence(*trace, {name, TrackKind::Gc, 0}), "of another kind of track");
        }
    }
}

void TestRankShifts::plantedOffsetsAreFoundByOperator_data() {
    QTest::addColumn<int>("edge");
    QTest::addRow("starts") << static_cast<int>(SliceEdge::Start);
    QTest::addRow("ends") << static_cast<int>(SliceEdge::End);
}

/// The same run on four ranks, each with its own clock, each time off by some ns.
void TestRankShifts::plantedOffsetsAreFoundByOperator() {
    QFETCH(int, edge);
    constexpr std::int64_t kJitter = 10;  // less than half of any gap
    const std::int64_t offsets[] = {0, 500'000, -777'123, 12};
    std::mt19937 random(11);
    const std::vector<Written> job = randomRun(random);
    CaptureStore capture;
    for (const std::int64_t offset : offsets) {
        std::vector<Written> own = job;
        for (Written& slice : own) {
            slice.begin += static_cast<std::int64_t>(random() % kJitter);
            slice.end += static_cast<std::int64_t>(random() % kJitter);
        }
        RankEntry entry;
        entry.trace = test::traceFromText(textOf(own, offset));
        capture.ranks.push_back(std::move(entry));
    }
    const TraceStore& first = *capture.ranks[0].trace;
    for (std::uint32_t i = 0; i < first.sliceCount(); i += 7) {
        const auto found = alignByOperator(capture, {0}, {i}, static_cast<SliceEdge>(edge), {}, {});
        QVERIFY(found.has_value());
        for (std::size_t r = 0; r < std::size(offsets); ++r) {
            QVERIFY(found->shifts[r].has_value());
            QVERIFY2(std::abs(*found->shifts[r] + offsets[r]) <= kJitter,
                     qPrintable(QStringLiteral("slice %1 rank %2: %3").arg(i).arg(r).arg(*found->shifts[r])));
        }
    }
}

void TestRankShifts::ranksWithoutTheOperatorStay() {
    const auto capture = test::captureFromTexts(
        {"p1/t1: A[0,10) A[20,30)", "p1/t1: A[100,110)", "p1/t1: B[0,10)", "", "p1/t1: A[5,6) B[7,8) A[70,90)"});
    const auto found = alignByOperator(*capture, {0}, {1}, SliceEdge::Start, {}, {});
    QVERIFY(found.has_value());
    using Shifts = std::vector<std::optional<std::int64_t>>;
    QCOMPARE(found->shifts, (Shifts{0, std::nullopt, std::nullopt, std::nullopt, -50}));
    QCOMPARE(alignByOperator(*capture, {0}, {1}, SliceEdge::End, {}, {})->shifts,
             (Shifts{0, std::nullopt, std::nullopt, std::nullopt, -60}));
    CancelToken cancelled;
    cancelled.requestCancel();
    QVERIFY(!alignByOperator(*capture, {0}, {1}, SliceEdge::Start, {}, cancelled));
}

void TestRankShifts::aRankMovedAlreadyLeadsTheOthers() {
    const auto capture = test::captureFromTexts({"p1/t1: A[0,10)", "p1/t1: A[100,110)"});
    const auto found = alignByOperator(*capture, {1}, {0}, SliceEdge::Start, {7}, {});
    QCOMPARE(found->shifts, (std::vector<std::optional<std::int64_t>>{107, 7}));
}

void TestRankShifts::ownShiftsWinOverCollectives() {
    auto clocks = std::make_shared<ClockAlignment>();
    clocks->ranks.resize(4);
    clocks->ranks[1].state = RankClock::State::Aligned;
    clocks->ranks[1].offset = 50;
    clocks->ranks[2] = clocks->ranks[1];
    clocks->ranks[3].offset = 9;  // could not be aligned
    const RankShifts shifts{clocks,
                            {OwnShift{-4, ShiftOrigin::Hand}, std::nullopt, OwnShift{0, ShiftOrigin::Operator, "A"}}};
    const std::int64_t by[] = {-4, 50, 0, 0, 0};
    const ShiftOrigin origins[] = {ShiftOrigin::Hand, ShiftOrigin::Collectives, ShiftOrigin::None, ShiftOrigin::None,
                                   ShiftOrigin::None};
    for (std::uint32_t r = 0; r < 5; ++r) {
        QCOMPARE(shifts.of({r}).value, by[r]);
        QVERIFY(shifts.originOf({r}) == origins[r]);
    }
    QVERIFY(shifts.hasOwn());
    QVERIFY(!(RankShifts{clocks, {std::nullopt}}.hasOwn()));
}

void TestRankShifts::firstEventIsThatOfTheEarliestRank() {
    QCOMPARE(firstEventOf(*test::captureFromTexts({"p1/t1: A[50,60)", "", "p1/t1: A[20,21)"})),
             std::optional(TimeNs{20}));
    QVERIFY(!firstEventOf(*test::captureFromTexts({""})));
}

void TestRankShifts::textsOfShifts_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shift");
    const std::pair<const char*, const char*> cases[] = {{"0", "0"},
                                                         {"-1500", "-1500"},
                                                         {"1,500", "1500"},
                                                         {"-1.5 us", "-1500"},
                                                         {"\u22122 ms", "-2000000"},
                                                         {"+3 s", "3000000000"},
                                                         {" 12 ns ", "12"},
                                                         {"", ""},
                                                         {"abc", ""},
                                                         {"#7", ""},
                                                         {"1.5", ""},
                                                         {"4e18", "4000000000000000000"},
                                                         {"5e18", ""}};
    for (const auto& [text, shift] : cases)
        QTest::addRow("%s", text) << QString::fromUtf8(text) << QString::fromUtf8(shift);
}

void TestRankShifts::textsOfShifts() {
    QFETCH(QString, text);
    const auto shift = readShift(text);
    QTEST(shift ? QString::number(shift->value) : QString(), "shift");
}

ALTI_TEST(TestRankShifts)
#include "tst_rank_shifts.moc"
