#include "core/capture/files/shell_words.h"
#include "core/capture/files/text_diff.h"

#include "tests/support/test_main.h"

#include <string>

using namespace altiscope;

class TestTextDiff : public QObject {
    Q_OBJECT

private slots:
    /// As `diff -u` writes it, without the two lines at the top.
    void hunks_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* what, const char* before, const char* after, const char* expected) {
            QTest::addRow("%s", what) << QString::fromUtf8(before) << QString::fromUtf8(after)
                                      << QString::fromUtf8(expected);
        };
        row("nothing differs", "a\nb\n", "a\nb\n", "");
        row("a new text", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n");
        row("all is gone", "a\n", "", "@@ -1,1 +0,0 @@\n-a\n");
        row("one line more of the same", "a\n", "a\na\n", "@@ -1,1 +1,2 @@\n a\n+a\n");
        row("one line less of the same", "a\na\na\n", "a\na\n", "@@ -1,3 +1,2 @@\n a\n a\n-a\n");
        row("three lines around a change", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
        row("near changes are one hunk", "1\n2\n3\n4\n5\n6\n7\n", "x\n2\n3\n4\n5\n6\ny\n",
            "@@ -1,7 +1,7 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n-7\n+y\n");
        row("far changes are two", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "x\n1\n2\n3\n4\n5\n6\n7\n8\n",
            "@@ -1,3 +1,4 @@\n+x\n 1\n 2\n 3\n@@ -6,4 +7,3 @@\n 6\n 7\n 8\n-9\n");
        row("no line end", "a\nb", "a\nc",
            "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n");
    }
    void hunks() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, expected);
        const QString top = expected.isEmpty() ? QString() : QStringLiteral("--- f\n+++ f\n");
        QCOMPARE(QString::fromStdString(capture::unifiedDiff(before.toStdString(), after.toStdString(), "f")),
                 top + expected);
    }

    void wordsOfAShell() {
        QCOMPARE(capture::shellQuoted("a-b/c.d"), std::string("a-b/c.d"));
        QCOMPARE(capture::shellQuoted(""), std::string("''"));
        QCOMPARE(capture::shellQuoted("a b"), std::string("'a b'"));
        QCOMPARE(capture::shellQuoted("a'b"), std::string("'a'\\''b'"));
        QCOMPARE(capture::shellQuoted("$x"), std::string("'$x'"));
        const std::string words[] = {"ls", "-l", "my file"};
        QCOMPARE(capture::shellCommand(words), std::string("ls -l 'my file'"));
    }
};

ALTI_TEST(TestTextDiff)
#include "tst_text_diff.moc"
