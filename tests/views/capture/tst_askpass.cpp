#include "views/capture/askpass_server.h"

#include "tests/support/test_main.h"
#include "views/capture/askpass_helper.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QThread>

#include <array>
#include <memory>

#include <sys/stat.h>
#include <unistd.h>

using namespace altiscope;

namespace {

constexpr int kPatience = 120'000;
constexpr const char* kHostKey = "The authenticity of host 'node7 (10.0.0.7)' can't be established.\n"
                                 "ED25519 key fingerprint is SHA256:abcdef.\n"
                                 "Are you sure you want to continue connecting (yes/no/[fingerprint])? ";

/// A program that asks as OpenSSH's would.
struct Helper {
    std::array<int, 2> pipe{-1, -1};
    int status = -1;
    std::unique_ptr<QThread> thread;

    Helper(const std::string& socket, const std::string& prompt, const std::string& kind = {}) {
        if (::pipe(pipe.data()) != 0) return;
        thread.reset(
            QThread::create([this, socket, prompt, kind] { status = runAskpass(socket, prompt, kind, pipe[1]); }));
        thread->start();
    }
    ~Helper() {
        thread->wait();
        for (const int end : pipe) ::close(end);
    }
    QByteArray output() {
        ::close(std::exchange(pipe[1], -1));
        QByteArray text(100, '\0');
        const ssize_t size = ::read(pipe[0], text.data(), 100);
        return text.left(std::max<ssize_t>(size, 0));
    }
};

QDialog* dialogOf(const QWidget& window) {
    for (auto* dialog : window.findChildren<QDialog*>()) {
        if (dialog->isVisible()) return dialog;
    }
    return nullptr;
}

QPushButton* button(const QDialog& dialog, QDialogButtonBox::ButtonRole role) {
    const auto* box = dialog.findChild<QDialogButtonBox*>();
    for (QAbstractButton* each : box->buttons()) {
        if (box->buttonRole(each) == role) return static_cast<QPushButton*>(each);
    }
    return nullptr;
}

}  // namespace

class TestAskpass : public QObject {
    Q_OBJECT
private slots:
    void questions_data();
    void questions();
    void secretIsHandedBack();
    void keyIsAcceptedOnlyByItsButton();
    void refusalEndsWithOne();
    void onlyTheUserCanAsk();
    void questionsComeOneAfterAnother();
    void withoutAWindowNobodyAnswers();
};

void TestAskpass::questions_data() {
    using Kind = AskpassQuestion::Kind;
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("prompt");
    QTest::addColumn<int>("expected");
    QTest::addColumn<QString>("text");
    const auto add = [](const char* name, const char* kind, const char* prompt, Kind expected, const char* text) {
        QTest::newRow(name) << QByteArray(kind) << QByteArray(prompt) << static_cast<int>(expected)
                            << QString::fromUtf8(text);
    };
    add("password", "", "me@node7's password: ", Kind::Secret, "me@node7's password:");
    add("host key", "", "key is SHA256:x.\nContinue (yes/no/[fingerprint])? ", Kind::HostKey,
        "key is SHA256:x.\nContinue (yes/no/[fingerprint])?");
    add("confirm", "confirm", "Allow use of key?", Kind::Confirm, "Allow use of key?");
    add("notice", "none", "Touch your key", Kind::Notice, "Touch your key");
    add("what a terminal obeys", "", "a\x1b[2J", Kind::Secret, "a\\x1b[2J");
}

void TestAskpass::questions() {
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, prompt);
    const AskpassQuestion question = askpassQuestion(kind, prompt);
    QTEST(static_cast<int>(question.kind), "expected");
    QTEST(question.prompt, "text");
}

void TestAskpass::secretIsHandedBack() {
    QWidget window;
    window.show();
    const AskpassServer server(&window);
    const std::string socket = server.askpass().socket;
    QVERIFY(!socket.empty());
    Helper helper(socket, "me@node7's password: ");
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(window) != nullptr, kPatience);
    auto* line = dialogOf(window)->findChild<QLineEdit*>();
    QCOMPARE(line->echoMode(), QLineEdit::Password);
    line->setText(QStringLiteral("geheim ü"));
    button(*dialogOf(window), QDialogButtonBox::AcceptRole)->click();
    QVERIFY(line->text().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(helper.thread->isFinished(), kPatience);
    QCOMPARE(helper.status, 0);
    QCOMPARE(helper.output(), QByteArray("geheim ü\n"));
}

void TestAskpass::keyIsAcceptedOnlyByItsButton() {
    QWidget window;
    window.show();
    const AskpassServer server(&window);
    Helper helper(server.askpass().socket, kHostKey);
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(window) != nullptr, kPatience);
    const auto* label = dialogOf(window)->findChild<QLabel*>();
    QVERIFY2(label->text().contains(QStringLiteral("SHA256:abcdef")), qPrintable(label->text()));
    QVERIFY(dialogOf(window)->findChild<QLineEdit*>() == nullptr);
    QVERIFY(button(*dialogOf(window), QDialogButtonBox::RejectRole)->isDefault());
    QVERIFY(!button(*dialogOf(window), QDialogButtonBox::AcceptRole)->isDefault());
    button(*dialogOf(window), QDialogButtonBox::AcceptRole)->click();
    QTRY_VERIFY_WITH_TIMEOUT(helper.thread->isFinished(), kPatience);
    QCOMPARE(helper.output(), QByteArray("yes\n"));
}

void TestAskpass::refusalEndsWithOne() {
    QWidget window;
    window.show();
    const AskpassServer server(&window);
    Helper helper(server.askpass().socket, kHostKey);
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(window) != nullptr, kPatience);
    dialogOf(window)->reject();
    QTRY_VERIFY_WITH_TIMEOUT(helper.thread->isFinished(), kPatience);
    QCOMPARE(helper.status, 1);
    QCOMPARE(helper.output(), QByteArray());
}

void TestAskpass::onlyTheUserCanAsk() {
    QWidget window;
    std::string socket;
    {
        const AskpassServer server(&window);
        socket = server.askpass().socket;
        struct stat folder {};
        QCOMPARE(::stat(socket.substr(0, socket.rfind('/')).c_str(), &folder), 0);
        QCOMPARE(folder.st_mode & 077, mode_t{0});
        QVERIFY(AskpassServer(&window).askpass().socket != socket);
    }
    struct stat gone {};
    QVERIFY(::stat(socket.c_str(), &gone) != 0);
}

void TestAskpass::questionsComeOneAfterAnother() {
    QWidget window;
    window.show();
    const AskpassServer server(&window);
    Helper first(server.askpass().socket, "one"), second(server.askpass().socket, "two");
    for (int i = 0; i < 2; ++i) {
        QTRY_VERIFY_WITH_TIMEOUT(dialogOf(window) != nullptr, kPatience);
        auto* dialog = dialogOf(window);
        dialog->findChild<QLineEdit*>()->setText(dialog->findChild<QLabel*>()->text() + QLatin1Char('!'));
        dialog->accept();
    }
    QTRY_VERIFY_WITH_TIMEOUT(first.thread->isFinished() && second.thread->isFinished(), kPatience);
    QCOMPARE(first.output(), QByteArray("one!\n"));
    QCOMPARE(second.output(), QByteArray("two!\n"));
}

void TestAskpass::withoutAWindowNobodyAnswers() {
    Helper helper("/nowhere/socket", "password: ");
    QTRY_VERIFY_WITH_TIMEOUT(helper.thread->isFinished(), kPatience);
    QCOMPARE(helper.status, 1);
}

ALTI_TEST(TestAskpass)
#include "tst_askpass.moc"
