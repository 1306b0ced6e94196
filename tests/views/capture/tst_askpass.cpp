#include "views/capture/runs/askpass_server.h"

#include "tests/support/test_main.h"
#include "views/capture/runs/askpass_helper.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QThread>

#include <array>
#include <deque>
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
    Helper(const Helper&) = delete;
    Helper& operator=(const Helper&) = delete;
    ~Helper() {
        thread->wait();
        for (const int end : pipe) ::close(end);
    }
    /// As if OpenSSH had ended.
    void stopReading() { ::close(std::exchange(pipe[0], -1)); }
    QByteArray output() {
        ::close(std::exchange(pipe[1], -1));
        QByteArray text(100, '\0');
        const ssize_t size = ::read(pipe[0], text.data(), 100);
        return text.left(std::max<ssize_t>(size, 0));
    }
};

/// A window that answers, and who asks it. The server goes first: who still waits for an answer then ends, also after an
/// assertion that failed.
struct Stage {
    std::deque<Helper> helpers;
    QWidget window;
    std::unique_ptr<AskpassServer> server = std::make_unique<AskpassServer>(&window);

    Stage() { window.show(); }
    Helper& ask(const std::string& prompt) { return helpers.emplace_back(server->askpass().socket, prompt); }
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
    // Sockets lie in a folder of this test's own, and their names are short.
    QTemporaryDir m_runtime{QDir::tempPath() + QStringLiteral("/alti-XXXXXX")};
private slots:
    void initTestCase() { qputenv("XDG_RUNTIME_DIR", m_runtime.path().toUtf8()); }
    void questions_data();
    void questions();
    void secretIsHandedBack();
    void keyIsAcceptedOnlyByItsButton();
    void refusalEndsWithOne();
    void onlyTheUserCanAsk();
    void questionsComeOneAfterAnother();
    void withoutAWindowNobodyAnswers();
    void whoAsksEndsWithTheWindow();
    void questionGoesWithWhoWaitsForTheAnswer();
    void saysWhetherItAsks();
    void aWrongPasswordIsSaidToBeOne();
    void whoCancelsIsNotAskedAgain();
    void aFingerprintIsNotBroken();
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
    Stage stage;
    QVERIFY(!stage.server->askpass().socket.empty());
    Helper& helper = stage.ask("me@node7's password: ");
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(stage.window) != nullptr, kPatience);
    auto* line = dialogOf(stage.window)->findChild<QLineEdit*>();
    QCOMPARE(line->echoMode(), QLineEdit::Password);
    line->setText(QStringLiteral("geheim ü"));
    button(*dialogOf(stage.window), QDialogButtonBox::AcceptRole)->click();
    QVERIFY(line->text().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(helper.thread->isFinished(), kPatience);
    QCOMPARE(helper.status, 0);
    QCOMPARE(helper.output(), QByteArray("geheim ü\n"));
}

void TestAskpass::keyIsAcceptedOnlyByItsButton() {
    Stage stage;
    Helper& helper = stage.ask(kHostKey);
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(stage.window) != nullptr, kPatience);
    const auto* label = dialogOf(stage.window)->findChild<QLabel*>();
    QVERIFY2(label->text().contains(QStringLiteral("SHA256:abcdef")), qPrintable(label->text()));
    QVERIFY(dialogOf(stage.window)->findChild<QLineEdit*>() == nullptr);
    QVERIFY(button(*dialogOf(stage.window), QDialogButtonBox::RejectRole)->isDefault());
    QVERIFY(!button(*dialogOf(stage.window), QDialogButtonBox::AcceptRole)->isDefault());
    button(*dialogOf(stage.window), QDialogButtonBox::AcceptRole)->click();
    QTRY_VERIFY_WITH_TIMEOUT(helper.thread->isFinished(), kPatience);
    QCOMPARE(helper.output(), QByteArray("yes\n"));
}

void TestAskpass::refusalEndsWithOne() {
    Stage stage;
    Helper& helper = stage.ask(kHostKey);
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(stage.window) != nullptr, kPatience);
    dialogOf(stage.window)->reject();
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
    Stage stage;
    Helper& first = stage.ask("one");
    Helper& second = stage.ask("two");
    for (int i = 0; i < 2; ++i) {
        QTRY_VERIFY_WITH_TIMEOUT(dialogOf(stage.window) != nullptr, kPatience);
        auto* dialog = dialogOf(stage.window);
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

void TestAskpass::whoAsksEndsWithTheWindow() {
    Stage stage;
    const Helper& shown = stage.ask("one");
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(stage.window) != nullptr, kPatience);
    // One whose question nobody has read yet.
    const Helper& waiting = stage.ask("two");
    stage.server.reset();
    QVERIFY(shown.thread->wait(kPatience));
    QVERIFY(waiting.thread->wait(kPatience));
    QCOMPARE(shown.status, 1);
    QCOMPARE(waiting.status, 1);
}

void TestAskpass::questionGoesWithWhoWaitsForTheAnswer() {
    Stage stage;
    Helper& first = stage.ask("one");
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(stage.window) != nullptr, kPatience);
    stage.ask("two");
    first.stopReading();
    const auto asks = [&stage](const char* prompt) {
        const auto* dialog = dialogOf(stage.window);
        return dialog != nullptr && dialog->findChild<QLabel*>()->text() == QLatin1String(prompt);
    };
    QTRY_VERIFY_WITH_TIMEOUT(asks("two"), kPatience);
    QVERIFY(first.thread->wait(kPatience));
    QCOMPARE(first.status, 1);
}

void TestAskpass::saysWhetherItAsks() {
    Stage stage;
    const auto isPrompting = stage.server->askpass().isPrompting;
    QVERIFY(!isPrompting());
    stage.ask("one");
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(stage.window) != nullptr, kPatience);
    QVERIFY(isPrompting());
    dialogOf(stage.window)->reject();
    QTRY_VERIFY_WITH_TIMEOUT(!isPrompting(), kPatience);
    stage.ask("two");
    QTRY_VERIFY_WITH_TIMEOUT(isPrompting(), kPatience);
    stage.server.reset();
    QVERIFY(!isPrompting());
}

/// OpenSSH asks again in the same words; here one process asks each time.
void TestAskpass::aWrongPasswordIsSaidToBeOne() {
    Stage stage;
    const auto answer = [&stage](const char* prompt) {
        stage.ask(prompt);
        if (!QTest::qWaitFor([&stage] { return dialogOf(stage.window) != nullptr; }, kPatience)) return QString();
        auto* dialog = dialogOf(stage.window);
        QStringList texts;
        for (const QLabel* label : dialog->findChildren<QLabel*>()) texts << label->text();
        dialog->findChild<QLineEdit*>()->setText(QStringLiteral("wrong"));
        dialog->accept();
        return texts.join(QLatin1Char('|'));
    };
    const QString refused = QStringLiteral("What was entered before was not accepted.");
    QVERIFY(!answer("me@node7's password: ").contains(refused));
    QVERIFY(answer("me@node7's password: ").contains(refused));
    QVERIFY(!answer("me@node8's password: ").contains(refused));
    QVERIFY(!answer("me@node7's password: ").contains(refused));
}

/// As OpenSSH does, which asks three times.
void TestAskpass::whoCancelsIsNotAskedAgain() {
    Stage stage;
    stage.ask("me@node7's password: ");
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(stage.window) != nullptr, kPatience);
    dialogOf(stage.window)->reject();
    Helper& again = stage.ask("me@node7's password: ");
    QTRY_VERIFY_WITH_TIMEOUT(again.thread->isFinished(), kPatience);
    QCOMPARE(again.status, 1);
    QVERIFY(dialogOf(stage.window) == nullptr);
    // Another question is another one.
    stage.ask("Enter passphrase for key '/home/user/key': ");
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(stage.window) != nullptr, kPatience);
}

void TestAskpass::aFingerprintIsNotBroken() {
    Stage stage;
    stage.window.resize(1280, 800);
    const QString line =
        QStringLiteral("ED25519 key fingerprint is SHA256:tnKcO7rDu8M++DQzNh0wuZSb2QphtqU+A8sTKK40m4Y.");
    stage.ask(line.toStdString() + "\nAre you sure you want to continue connecting (yes/no/[fingerprint])? ");
    QTRY_VERIFY_WITH_TIMEOUT(dialogOf(stage.window) != nullptr, kPatience);
    const auto* label = dialogOf(stage.window)->findChild<QLabel*>();
    QVERIFY(label->width() >= label->fontMetrics().horizontalAdvance(line));
}

ALTI_TEST(TestAskpass)
#include "tst_askpass.moc"
