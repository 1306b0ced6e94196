#include "core/capture/files/yaml_document.h"

#include "tests/support/test_main.h"

using namespace altiscope;
using capture::YamlDocument;

class TestYamlDocument : public QObject {
    Q_OBJECT

private slots:
    void set_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("expected");
        QTest::addRow("comment behind the value stays") << "a:\n  b: 1   # why\n"
                                                        << "a.b"
                                                        << "2"
                                                        << "a:\n  b: 2   # why\n";
        QTest::addRow("dash and underscore are the same") << "a:\n  b-c: 1\n"
                                                          << "a.b_c"
                                                          << "2"
                                                          << "a:\n  b-c: 2\n";
        QTest::addRow("list in block style") << "a:\n  b:\n  - x\n  # c\n  - y\n  d: 1\n"
                                             << "a.b"
                                             << "[z]"
                                             << "a:\n  b: [z]\n  # c\n  d: 1\n";
        QTest::addRow("new key behind the others") << "a:\n    b: 1\n\nc: 2\n"
                                                   << "a.d"
                                                   << "3"
                                                   << "a:\n    b: 1\n    d: 3\n\nc: 2\n";
        QTest::addRow("new sections") << "x: 1"
                                      << "a.b.c"
                                      << "2"
                                      << "x: 1\na:\n  b:\n    c: 2\n";
        QTest::addRow("flow style") << "a: {b: {c: 1, d: [1, 2]}, e: 'x,y'}  # k\n"
                                    << "a.b.c"
                                    << "2"
                                    << "a: {b: {c: 2, d: [1, 2]}, e: 'x,y'}  # k\n";
        QTest::addRow("flow style over lines") << "a: {b: 1,\n    c: 2}\nd: 3\n"
                                               << "a.c"
                                               << "5"
                                               << "a: {b: 1,\n    c: 5}\nd: 3\n";
        QTest::addRow("new key in flow style") << "a: {b: 1}\n"
                                               << "a.c"
                                               << "2"
                                               << "a: {b: 1, c: 2}\n";
        QTest::addRow("a hash within a key is no comment") << "a:\n  b#c: 1\n"
                                                           << "a.b#c"
                                                           << "2"
                                                           << "a:\n  b#c: 2\n";
        QTest::addRow("an escaped quote ends no text") << "a: {b: \"x\\\"}, c: 1\", d: 2}\n"
                                                       << "a.d"
                                                       << "3"
                                                       << "a: {b: \"x\\\"}, c: 1\", d: 3}\n";
        QTest::addRow("texts in block style are no keys") << "t: |\n  a:\n    b: 1\na:\n  b: 2\n"
                                                          << "a.b"
                                                          << "3"
                                                          << "t: |\n  a:\n    b: 1\na:\n  b: 3\n";
    }
    void set() {
        QFETCH(QString, text);
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(QString, expected);
        auto document = YamlDocument::parse(text.toStdString());
        QVERIFY(document.ok());
        QVERIFY(document.value().set(path.toStdString(), value.toStdString()).ok());
        QCOMPARE(QString::fromStdString(document.value().text()), expected);
        QCOMPARE(document.value().find(path.toStdString()), std::optional(value.toStdString()));
    }

    void refused_data() {
        QTest::addColumn<QString>("text");
        QTest::addRow("several documents") << "a: 1\n---\na: 2\n";
        QTest::addRow("tabs") << "a:\n \tb: 1\n";
        QTest::addRow("alias") << "x: &x {b: 1}\na: *x\n";
        QTest::addRow("anchor") << "a: &x\n  b: 1\n";
        QTest::addRow("no mapping") << "a: 5\n";
    }
    void refused() {
        QFETCH(QString, text);
        auto document = YamlDocument::parse(text.toStdString());
        if (!document.ok()) {
            QCOMPARE(document.error().code, std::string("capture.file.bad_yaml"));
            return;
        }
        const auto done = document.value().set("a.b", "2");
        QVERIFY(done.failed());
        QCOMPARE(done.error().code, std::string("capture.file.bad_yaml"));
        QCOMPARE(QString::fromStdString(document.value().text()), text);
    }

    void findsListsAndKeys() {
        const auto document = YamlDocument::parse("a:\n  b:\n    - x # one\n    - y\n  c: [1, 2]\n  d: 'q'\n");
        QVERIFY(document.ok());
        QCOMPARE(document.value().find("a.b"), std::optional<std::string>("[x, y]"));
        QCOMPARE(document.value().find("a.e"), std::optional<std::string>());
        QCOMPARE(document.value().keys("a"), (std::vector<std::string>{"b", "c", "d"}));
    }
};

ALTI_TEST(TestYamlDocument)
#include "tst_yaml_document.moc"
