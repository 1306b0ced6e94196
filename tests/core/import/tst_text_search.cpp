#include "core/import/trace/text_search.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

using namespace altiscope;

class TestTextSearch : public QObject {
    Q_OBJECT
    QTemporaryDir m_temp;

    std::vector<std::uint64_t> find(const std::string& content, std::string_view text, bool ignoreCase,
                                    const CancelToken& cancel = {}) const {
        const auto path = std::filesystem::path(m_temp.path().toStdString()) / "f";
        std::ofstream(path, std::ios::binary) << content;
        const auto file = ReadOnlyFile::open(path);
        const auto found = reader::findText(file.value(), text, ignoreCase, cancel);
        return found.ok() ? found.value() : std::vector<std::uint64_t>{UINT64_MAX};
    }

private slots:
    void places_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("ignoreCase");
        QTest::addColumn<QVector<qulonglong>>("places");
        using P = QVector<qulonglong>;
        QTest::addRow("none") << QByteArray("{abc}") << QByteArray("x") << false << P{};
        QTest::addRow("empty file") << QByteArray("") << QByteArray("x") << false << P{};
        QTest::addRow("first of each record") << QByteArray("{ab ab},{ab}") << QByteArray("ab") << false << P{1, 9};
        QTest::addRow("with its bracket") << QByteArray("{a},{a},{b}") << QByteArray("{a") << false << P{0, 4};
        QTest::addRow("case counts") << QByteArray("{Ab},{ab}") << QByteArray("ab") << false << P{6};
        QTest::addRow("case does not count") << QByteArray("{Ab},{aB}") << QByteArray("AB") << true << P{1, 6};
        QTest::addRow("only ASCII letters have a case")
            << QByteArray("{\xC3\x84},{\xC3\xA4}") << QByteArray("\xC3\xA4") << true << P{6};
        QTest::addRow("at the very end") << QByteArray("{..xyz") << QByteArray("xyz") << false << P{3};
    }
    void places() {
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, text);
        QFETCH(bool, ignoreCase);
        QFETCH(QVector<qulonglong>, places);
        const auto found = find(content.toStdString(), text.toStdString(), ignoreCase);
        QCOMPARE(QVector<qulonglong>(found.begin(), found.end()), places);
    }

    /// Over the borders of blocks and of the parts of workers: every record that holds the text is told of.
    void acrossAllBorders() {
        std::mt19937 random(7);
        std::string content;
        std::vector<std::uint64_t> expected;
        while (content.size() < (std::size_t{35} << 20)) {
            const std::size_t begin = content.size();
            content += '{' + std::string(random() % 3000, '.');
            if (random() % 3 == 0) {
                expected.push_back(content.size());
                content += "needle in a haystack";
            }
            content += std::string(random() % 50, '-') + "},";
            if (begin == 0) QVERIFY(content.size() > 2);
        }
        QVERIFY(find(content, "needle in a haystack", false) == expected);
        QVERIFY(find(content, "NEEDLE IN A HAYSTACK", true) == expected);
    }

    void cancelled() {
        CancelToken cancel;
        cancel.requestCancel();
        QCOMPARE(find(std::string(100, 'a'), "a", false, cancel), std::vector<std::uint64_t>{UINT64_MAX});
    }
};

ALTI_TEST(TestTextSearch)
#include "tst_text_search.moc"
