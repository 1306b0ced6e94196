#include "core/capture/targets/password.h"

#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>

#include <array>

using namespace altiscope;
using namespace altiscope::capture;

/// A program that OpenSSH would start to ask the user; here a script.
class TestPassword : public QObject {
    Q_OBJECT
private slots:
    void answers_data();
    void answers();
    void noticesThatTheCallerHasLostInterest();
    void programThatIsNotThere();

private:
    std::string helper(const QString& script) {
        QFile file(m_folder.filePath(QStringLiteral("helper")));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)) return {};
        file.write(QStringLiteral("#!/bin/sh\n%1\n").arg(script).toUtf8());
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName().toStdString();
    }
    QTemporaryDir m_folder;
};

void TestPassword::answers_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("answer");
    QTest::addRow("a line") << "echo 'a b'"
                            << "a b";
    QTest::addRow("without its end") << "printf secret"
                                     << "secret";
    QTest::addRow("the prompt is an argument") << "echo \"$1\""
                                               << "Password of it: ";
    QTest::addRow("where to find the window") << "echo \"$ALTISCOPE_ASKPASS\""
                                              << "/a/socket";
    QTest::addRow("of several lines the first") << "printf 'one\\ntwo\\n'"
                                                << "one";
    QTest::addRow("refused") << "exit 1"
                             << "";
    QTest::addRow("refused after all") << "echo no; exit 1"
                                       << "";
    QTest::addRow("longer than there is room") << "echo 12345678901234567"
                                               << "";
    QTest::addRow("as long as there is room") << "echo 1234567890123456"
                                              << "1234567890123456";
}

void TestPassword::answers() {
    QFETCH(const QString, script);
    QFETCH(const QString, answer);
    std::array<char, 16> buffer{};
    const auto size = promptPassword("Password of it: ", {helper(script), "/a/socket"}, buffer, {});
    QVERIFY(size.ok());
    QCOMPARE(QString::fromUtf8(buffer.data(), static_cast<qsizetype>(size.value())), answer);
}

void TestPassword::noticesThatTheCallerHasLostInterest() {
    std::array<char, 16> buffer{};
    QVERIFY(
        promptPassword("?", {helper(QStringLiteral("exec sleep 1000")), {}}, buffer, [] { return true; }).cancelled());
}

void TestPassword::programThatIsNotThere() {
    std::array<char, 16> buffer{};
    const auto size = promptPassword("?", {m_folder.filePath(QStringLiteral("none")).toStdString(), {}}, buffer, {});
    QVERIFY(size.ok() && size.value() == 0);
}

ALTI_TEST(TestPassword)
#include "tst_password.moc"
