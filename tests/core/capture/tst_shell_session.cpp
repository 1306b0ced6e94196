#include "core/capture/targets/shell_session.h"
#include "tests/support/test_main.h"

#include <QElapsedTimer>
#include <QTest>

#include <csignal>

using namespace altiscope;
using namespace altiscope::capture;

namespace {

std::unique_ptr<ShellSession> session() { return ShellSession::start({"/bin/sh", "-s"}); }

Exchange say(ShellSession& shell, const std::string& text, const ShellLimits& limits = {},
             const CancelCheck& stop = {}) {
    return shell.exchange(text + "\necho MARK $?\n", "MARK", limits, stop);
}

}  // namespace

class TestShellSession : public QObject {
    Q_OBJECT
private slots:
    void manyTextsOneProcess();
    void largeTextsBothWays();
    void aTextThatIsBrokenOffRunsOn();
    void whatNeverEnds();
    void aShellThatEnds();
    void aProgramThatIsNotThere();
    void interruptOfTheTerminalEndsNothing();
};

void TestShellSession::manyTextsOneProcess() {
    const auto shell = session();
    QVERIFY(shell != nullptr);
    const Exchange first = say(*shell, "echo $$; echo wrong >&2");
    QVERIFY(first.end == Exchange::End::Replied);
    QCOMPARE(QByteArray::fromStdString(first.errors), QByteArray("wrong\n"));
    for (int i = 0; i < 100; ++i) QCOMPARE(say(*shell, "echo $$").output, first.output);
    QVERIFY(shell->condition() == ShellSession::Condition::Idle);
}

void TestShellSession::largeTextsBothWays() {
    const auto shell = session();
    const std::string text(1 << 20, 'x');
    const Exchange done = say(*shell, "printf %s '" + text + "'\necho");
    QVERIFY(done.end == Exchange::End::Replied);
    QCOMPARE(done.output.substr(0, text.size()), text);
}

void TestShellSession::aTextThatIsBrokenOffRunsOn() {
    const auto shell = session();
    QElapsedTimer clock;
    clock.start();
    const Exchange broken = say(*shell, "sleep 3; echo late", {}, [&clock] { return clock.elapsed() > 100; });
    QVERIFY(broken.end == Exchange::End::Cancelled);
    QVERIFY(clock.elapsed() < 2'500);
    QVERIFY(shell->condition() == ShellSession::Condition::Busy);
    QTRY_VERIFY_WITH_TIMEOUT(shell->condition() == ShellSession::Condition::Idle, 30'000);
    const Exchange next = say(*shell, "echo next");
    QCOMPARE(QByteArray::fromStdString(next.output), QByteArray("next\nMARK 0\n"));
}

void TestShellSession::whatNeverEnds() {
    const auto shell = session();
    QVERIFY(say(*shell, "cat /dev/zero", {1 << 20, std::chrono::seconds(60)}).end == Exchange::End::TooMuch);
    QVERIFY(shell->condition() == ShellSession::Condition::Broken);
    const auto silent = session();
    QVERIFY(say(*silent, "sleep 60", {1 << 20, std::chrono::seconds(1)}).end == Exchange::End::Late);
}

void TestShellSession::aShellThatEnds() {
    const auto shell = session();
    const Exchange done = say(*shell, "echo last >&2; exit 7");
    QVERIFY(done.end == Exchange::End::Broken);
    QCOMPARE(done.status, 7);
    QCOMPARE(QByteArray::fromStdString(done.errors), QByteArray("last\n"));
    QVERIFY(shell->condition() == ShellSession::Condition::Broken);
}

void TestShellSession::aProgramThatIsNotThere() { QVERIFY(ShellSession::start({"/nowhere/program"}) == nullptr); }

void TestShellSession::interruptOfTheTerminalEndsNothing() {
    const auto shell = session();
    const Exchange done = say(*shell, "kill -INT $$; echo here");
    QVERIFY(done.end == Exchange::End::Replied);
    QVERIFY(done.output.find("here") != std::string::npos);
}

ALTI_TEST(TestShellSession)
#include "tst_shell_session.moc"
