#include "core/base/files/file.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QStringConverter>
#include <QTemporaryDir>
#include <QTest>

#include <random>
#include <string>

using namespace altiscope;

namespace {

/// What Qt makes of the text in UTF-16.
std::string inUtf16(const QString& text, Utf16Order order, bool withMark) {
    QStringEncoder encoder(order == Utf16Order::Little ? QStringConverter::Utf16LE : QStringConverter::Utf16BE,
                           withMark ? QStringConverter::Flag::WriteBom : QStringConverter::Flag::Default);
    const QByteArray bytes = encoder(text);
    return bytes.toStdString();
}

QString written(const QTemporaryDir& folder, const std::string& bytes) {
    const QString path = folder.filePath(QStringLiteral("x"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    return path;
}

}  // namespace

class TestUtf16 : public QObject {
    Q_OBJECT

private slots:
    void textsAreRecognised() {
        using namespace std::string_view_literals;
        QVERIFY(!utf16FormOf(""sv) && !utf16FormOf("a"sv) && !utf16FormOf("{\"a\":1}"sv));
        QVERIFY(!utf16FormOf("SQLite format 3\0"sv) && !utf16FormOf("\xFF\xFE\0\0a\0\0\0"sv) &&
                !utf16FormOf("\0\0\0\0"sv));
        QVERIFY(!utf16FormOf("\xEF\xBB\xBF{"sv));
        QCOMPARE(utf16FormOf("\xFF\xFE{\0"sv)->mark, std::size_t{2});
        QVERIFY(utf16FormOf("\xFE\xFF\0{"sv)->order == Utf16Order::Big);
        QVERIFY(utf16FormOf("[\0{\0"sv)->order == Utf16Order::Little);
        QCOMPARE(utf16FormOf("\0[\0{"sv)->mark, std::size_t{0});
    }

    /// Any place and length of any text, also where pairs stand on the borders of blocks, equals what Qt converts.
    void everyPlaceIsReadAsConverted_data() {
        QTest::addColumn<bool>("isLittle");
        QTest::addColumn<bool>("withMark");
        for (const bool isLittle : {false, true}) {
            for (const bool withMark : {false, true})
                QTest::addRow("%s%s", isLittle ? "little" : "big", withMark ? ", mark" : "") << isLittle << withMark;
        }
    }
    void everyPlaceIsReadAsConverted() {
        QFETCH(bool, isLittle);
        QFETCH(bool, withMark);
        std::mt19937 random(7);
        QString text = QStringLiteral("[{\"ph\": \"X\"}]").repeated(8);
        const QString parts[] = {QStringLiteral("a"), QStringLiteral("\u00e4"), QStringLiteral("\u7b97\u5b50"),
                                 QStringLiteral("\U0001F600")};
        while (text.size() < 140000) text += parts[random() % 4];
        const QTemporaryDir folder;
        const std::string utf8 = text.toUtf8().toStdString();
        const QString path = written(folder, inUtf16(text, isLittle ? Utf16Order::Little : Utf16Order::Big, withMark));
        const auto file = ReadOnlyFile::openText(path.toStdString());
        QVERIFY(file.ok() && file.value().isConverted());
        QCOMPARE(file.value().size(), std::uint64_t{utf8.size()});
        for (int i = 0; i < 40; ++i) {
            const std::size_t from = random() % utf8.size();
            std::string out(i == 0 ? utf8.size() : random() % 70000, '\0');
            const auto got = file.value().read(from, out);
            QVERIFY(got.ok());
            out.resize(got.value());
            QVERIFY(out == utf8.substr(from, std::min(out.size(), utf8.size() - from)));
        }
    }

    void halfCharactersBecomeReplacements() {
        using namespace std::string_view_literals;
        const QTemporaryDir folder;
        const QString path = written(folder, std::string("\xFF\xFE"
                                                         "a\0\x3D\xD8"
                                                         "b\0\x00\xDE"
                                                         "c"sv));
        const auto text = readSmallText(path.toStdString(), 100);
        QCOMPARE(text.value(), std::string("a\uFFFDb\uFFFD\uFFFD"));
    }

    void marksAreNoPartOfSmallTexts() {
        const QTemporaryDir folder;
        QCOMPARE(readSmallText(written(folder, "\xEF\xBB\xBF{}").toStdString(), 100).value(), std::string("{}"));
        QCOMPARE(readSmallText(written(folder, inUtf16(QStringLiteral("{}"), Utf16Order::Big, true)).toStdString(), 100)
                     .value(),
                 std::string("{}"));
    }

    void convertingCanBeCancelled() {
        const QTemporaryDir folder;
        const QString path = written(folder, inUtf16(QString(200000, u'a'), Utf16Order::Little, true));
        const CancelToken cancel;
        cancel.requestCancel();
        QVERIFY(ReadOnlyFile::openText(path.toStdString(), cancel).cancelled());
    }
};

ALTI_TEST(TestUtf16)
#include "tst_utf16.moc"
