#include "core/pack/block_coding.h"
#include "tests/support/test_main.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace altiscope::pack;

namespace {

template <class Word>
std::string bytesOfWords(const std::vector<Word>& words) {
    return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(Word)};
}

std::string decoded(const CodedBlock& block, std::size_t size) {
    std::string out(size, '?');
    return decodeBlock(block.bytes, static_cast<std::uint32_t>(block.coding), out) ? out : std::string("not decoded");
}

/// Begins of slices: ascending, some distance apart, at the end of the range of their type.
std::string times() {
    std::vector<std::int64_t> all;
    std::int64_t time = INT64_MAX - 20'000'000;
    for (int i = 0; i < 20'000; ++i) all.push_back(time += 100 + i * 7919 % 401);
    return bytesOfWords(all);
}

std::string mixed(std::size_t size) {
    std::string text;
    for (std::uint32_t i = 0; text.size() < size; ++i) text += std::to_string(i * 2654435761U);
    text.resize(size);
    return text;
}

}  // namespace

class TestBlockCoding : public QObject {
    Q_OBJECT
private slots:
    void contentComesBack_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a byte") << QByteArray("x");
        QTest::newRow("times") << QByteArray::fromStdString(times());
        QTest::newRow("times and what is left at the end") << QByteArray::fromStdString(times() + "abc");
        QTest::newRow("small numbers") << QByteArray::fromStdString(bytesOfWords(std::vector<std::uint32_t>(5000, 7)) +
                                                                    std::string(3, 'y'));
        QTest::newRow("text") << QByteArray::fromStdString(mixed(100'001));
        QTest::newRow("zeros") << QByteArray(1'000'000, '\0');
        QTest::newRow("all bits") << QByteArray(70'003, '\xff');
    }
    void contentComesBack() {
        QFETCH(QByteArray, content);
        const std::string bytes = content.toStdString();
        for (const BlockContent kind : {BlockContent::Texts, BlockContent::Columns}) {
            const CodedBlock block = encodeBlock(bytes, kind);
            QCOMPARE(decoded(block, bytes.size()), bytes);
            QVERIFY(block.bytes.size() <= bytes.size());
        }
    }

    void differencesAreFound() {
        const std::string all = times();
        const CodedBlock columns = encodeBlock(all, BlockContent::Columns),
                         texts = encodeBlock(all, BlockContent::Texts);
        QCOMPARE(columns.coding, BlockCoding::Difference8);
        QVERIFY(columns.bytes.size() * 2 < texts.bytes.size());
    }

    /// What no encoder wrote is refused: other sizes, codings and bytes.
    void wrongBytes() {
        const std::string all = times();
        const CodedBlock block = encodeBlock(all, BlockContent::Columns);
        const auto coding = static_cast<std::uint32_t>(block.coding);
        std::string larger(all.size() + 8, '?'), smaller(all.size() - 8, '?'), out(all.size(), '?');
        QVERIFY(!decodeBlock(block.bytes, coding, larger));
        QVERIFY(!decodeBlock(block.bytes, coding, smaller));
        QVERIFY(!decodeBlock(block.bytes.substr(0, block.bytes.size() - 1), coding, out));
        QVERIFY(!decodeBlock(block.bytes, 6, out));
        QVERIFY(!decodeBlock(block.bytes, 0, out));
        QVERIFY(!decodeBlock("no frame", 1, out));
        QVERIFY(!decodeBlock({}, 1, out));
    }
};

ALTI_TEST(TestBlockCoding)
#include "tst_block_coding.moc"
