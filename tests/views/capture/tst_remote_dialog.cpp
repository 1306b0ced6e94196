#include "views/capture/hosts/remote_dialog.h"

#include "core/session/job_runner.h"
#include "tests/core/capture/ssh_standin.h"
#include "tests/support/test_main.h"
#include "views/capture/support/tone_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

constexpr int kPatience = 120'000;

/// A host that is this machine with another home, behind a stand-in of ssh; the capture there is one file.
class RemoteStage {
public:
    RemoteStage() {
        for (const char* name : {"bin", "home", "home/run", "none"})
            QDir(m_folder.path()).mkpath(QLatin1StringView(name));
        write(u"home/run/trace_view.json"_s, "[]");
        write(u"home/.ssh-config"_s, "");
        connectTo("exec /bin/sh -s");
        qputenv("PATH", (path(u"bin"_s) + u':' + m_path).toUtf8());
        qputenv("HOME", path(u"home"_s).toUtf8());
        qunsetenv("XDG_CACHE_HOME");
        qputenv("ALTISCOPE_PROGRAMS", path(u"none"_s).toUtf8());
        qputenv("ALTISCOPE_SSH_CONFIG", path(u"home/.ssh-config"_s).toUtf8());
    }
    ~RemoteStage() {
        qputenv("PATH", m_path.toUtf8());
        qputenv("HOME", m_home);
        qputenv("XDG_CACHE_HOME", m_cache);
        for (const char* name : {"ALTISCOPE_PROGRAMS", "ALTISCOPE_SSH_CONFIG"}) qunsetenv(name);
    }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    void connectTo(const char* act) { write(u"bin/ssh"_s, QByteArray::fromStdString(test::sshStandIn(act))); }
    void write(const QString& name, const QByteArray& text) {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    std::filesystem::path cache() const { return path(u"cache"_s).toStdString(); }

private:
    QTemporaryDir m_folder;
    QString m_path = qEnvironmentVariable("PATH");
    QByteArray m_home = qgetenv("HOME"), m_cache = qgetenv("XDG_CACHE_HOME");
};

QPushButton* buttonOf(const QWidget& widget, const QString& text) {
    for (auto* button : widget.findChildren<QPushButton*>())
        if (button->text() == text) return button;
    return nullptr;
}

/// The message of the dialog about wrong input.
QString problemOf(const RemoteDialog& dialog) {
    const auto* label = dialog.findChild<ToneLabel*>();
    return label->isVisible() ? label->text() : QString();
}

}  // namespace

class TestRemoteDialog : public QObject {
    Q_OBJECT
private slots:
    void namesOfHostsAreKnown();
    void aPlaceOpensWithConsent();
    void withoutConsentNothingIsFetched();
    void aHostThatCannotBeReachedIsNamed();
    void cancelEndsTheWork();
};

void TestRemoteDialog::namesOfHostsAreKnown() {
    QVERIFY(namesCaptureOnHost(u"host:/a"_s));
    QVERIFY(namesCaptureOnHost(u"ssh://host/a"_s));
    QVERIFY(namesCaptureOnHost(u"ssh://"_s));
    QVERIFY(!namesCaptureOnHost(u"/a:b"_s));
    QVERIFY(!namesCaptureOnHost(u"a folder"_s));
    QVERIFY(!namesCaptureOnHost({}));
}

void TestRemoteDialog::aPlaceOpensWithConsent() {
    const RemoteStage stage;
    JobRunner jobs;
    RemoteDialog dialog({}, jobs, stage.cache(), nullptr);
    dialog.show();
    const QSignalSpy opened(&dialog, &RemoteDialog::openRequested);
    dialog.start(u"host1:run"_s);
    QTRY_VERIFY_WITH_TIMEOUT(dialog.findChild<QMessageBox*>() != nullptr, kPatience);
    auto* box = dialog.findChild<QMessageBox*>();
    QVERIFY(box->text().contains(u"host1"_s));
    QVERIFY(box->informativeText().contains(u"2 B"_s));
    QVERIFY(box->defaultButton() == buttonOf(*box, u"&No"_s));
    buttonOf(*box, u"&Yes"_s)->click();
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
    QCOMPARE(opened[0][1].toString(), u"host1:run"_s);
    QFile file(opened[0][0].toString() + u"/trace_view.json"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("[]"));
    QVERIFY(!QFile::exists(stage.path(u"home/.cache/altiscope"_s)));
    jobs.shutdown();
}

void TestRemoteDialog::withoutConsentNothingIsFetched() {
    const RemoteStage stage;
    JobRunner jobs;
    RemoteDialog dialog({}, jobs, stage.cache(), nullptr);
    dialog.show();
    const QSignalSpy opened(&dialog, &RemoteDialog::openRequested);
    dialog.start(u"ssh://host1:2222/~/run"_s);
    QTRY_VERIFY_WITH_TIMEOUT(dialog.findChild<QMessageBox*>() != nullptr, kPatience);
    dialog.findChild<QMessageBox*>()->reject();
    QTRY_VERIFY_WITH_TIMEOUT(!problemOf(dialog).isEmpty(), kPatience);
    QVERIFY(opened.isEmpty());
    QVERIFY(dialog.isVisible());
    QVERIFY(buttonOf(dialog, u"&Open"_s)->isEnabled());
    jobs.shutdown();
}

void TestRemoteDialog::aHostThatCannotBeReachedIsNamed() {
    RemoteStage stage;
    stage.connectTo("echo 'ssh: connect to host host1 port 22: Connection refused' >&2; exit 255");
    JobRunner jobs;
    RemoteDialog dialog({}, jobs, stage.cache(), nullptr);
    dialog.show();
    dialog.start(u"host1:run"_s);
    QTRY_VERIFY_WITH_TIMEOUT(problemOf(dialog).contains(u"Connection refused"_s), kPatience);
    dialog.start(u"ssh://%"_s);
    QTRY_VERIFY(dialog.isVisible());
    jobs.shutdown();
}

void TestRemoteDialog::cancelEndsTheWork() {
    RemoteStage stage;
    stage.connectTo("exec sleep 1000");
    JobRunner jobs;
    RemoteDialog dialog({}, jobs, stage.cache(), nullptr);
    dialog.show();
    dialog.start(u"host1:run"_s);
    QVERIFY(!buttonOf(dialog, u"&Open"_s)->isEnabled());
    buttonOf(dialog, u"Cancel"_s)->click();
    QTRY_VERIFY_WITH_TIMEOUT(buttonOf(dialog, u"&Open"_s)->isEnabled(), kPatience);
    QVERIFY(dialog.isVisible());
    buttonOf(dialog, u"Cancel"_s)->click();
    QVERIFY(!dialog.isVisible());
    jobs.shutdown();
}

ALTI_TEST(TestRemoteDialog)
#include "tst_remote_dialog.moc"
