#include "core/pack/argument_blocks.h"
#include "tests/support/test_main.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace altiscope;
using namespace altiscope::pack;

namespace {

using Records = std::vector<std::pair<std::uint64_t, std::string>>;

const Records& someRecords() {
    static const Records records{{1, "{}"}, {2, ""}, {300, std::string(70'000, 'x')}, {UINT64_MAX, R"({"a":"b"})"}};
    return records;
}

}  // namespace

class TestArgumentBlocks : public QObject {
    Q_OBJECT
private slots:
    void recordsComeBack() {
        const auto block = ArgumentBlock::decode(ArgumentBlock::encode(someRecords()));
        QVERIFY(block);
        QCOMPARE(block->size(), someRecords().size());
        for (std::size_t i = 0; i < someRecords().size(); ++i) {
            QCOMPARE(block->position(i).packed, someRecords()[i].first);
            QCOMPARE(std::string(block->text(i)), someRecords()[i].second);
            QCOMPARE(std::string(block->arguments({someRecords()[i].first})), someRecords()[i].second);
        }
        for (const std::uint64_t absent : {std::uint64_t{0}, std::uint64_t{3}, UINT64_MAX - 1})
            QVERIFY(block->arguments({absent}).empty());
    }

    /// 2 records at 5 and 6, "a" and "bc", by hand.
    void layout() {
        const std::string bytes("\x02\x05\x01\x01\x02"
                                "abc");
        QCOMPARE(ArgumentBlock::encode(Records{{5, "a"}, {6, "bc"}}), bytes);
    }

    /// Counts and lengths that lie, in each place.
    void wrongContent() {
        const std::string bytes = ArgumentBlock::encode(Records{{5, "a"}, {6, "bc"}});
        QVERIFY(ArgumentBlock::decode(bytes));
        for (std::size_t size = 0; size < bytes.size(); ++size) QVERIFY(!ArgumentBlock::decode(bytes.substr(0, size)));
        QVERIFY(!ArgumentBlock::decode(bytes + "d"));
        for (const auto& [place, value] : Records{{0, "\x7f"}, {2, std::string(1, '\0')}, {3, "\x05"}, {4, "\x01"}}) {
            std::string other = bytes;
            other[place] = value[0];
            QVERIFY(!ArgumentBlock::decode(other));
        }
        QVERIFY(!ArgumentBlock::decode(std::string(20, '\xff')));
    }
};

ALTI_TEST(TestArgumentBlocks)
#include "tst_argument_blocks.moc"
