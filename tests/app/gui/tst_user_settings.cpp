#include "app/gui/user_settings.h"

#include "tests/support/test_main.h"
#include "tests/support/thread_clock.h"
#include "views/common/widgets/recent_list.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace altiscope;
using namespace Qt::StringLiterals;

class TestUserSettings : public QObject {
    Q_OBJECT

    QTemporaryDir m_temp;

    /// A file of settings with this text.
    QString written(const QString& name, const QByteArray& text) const {
        QFile file(m_temp.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("not written");
        return file.fileName();
    }

private slots:
    void longListsAreCut() {
        QByteArray list = "recent=a", muted = "muted=a";
        for (int i = 0; i < 100'000; ++i) {
            list += ", b";
            muted += ", c";
        }
        UserSettings settings(written(u"long.ini"_s, "[General]\n" + list + "\n[view]\n" + muted + "\n"));
        QCOMPARE(settings.recent().size(), qsizetype{kMaxRecent});
        QCOMPARE(settings.viewValue(u"muted"_s).toStringList().size(), UserSettings::kMaxListed);
    }

    void longTextsAreNotThere() {
        UserSettings settings(
            written(u"text.ini"_s, "[General]\ntheme=" + QByteArray(2 << 20, 'x') + "\nlanguage=en\n"));
        QCOMPARE(settings.theme(), QString());
        QCOMPARE(settings.language(), u"en"_s);
    }

    void wrongTypesAreDefaults() {
        UserSettings settings(written(
            u"types.ini"_s, "[General]\nrecent=@Invalid()\ntheme=@Point(1 2)\n[window]\ngeometry=7\nlayout=a, b\n"));
        QVERIFY(settings.recent().isEmpty());
        QCOMPARE(settings.theme(), QString());
        QVERIFY(settings.layout().isEmpty());
    }

    void aHugeFileGoesOutOfTheWay() {
        const QString file = m_temp.filePath(u"huge.ini"_s);
        QVERIFY(QFile(written(u"huge.ini"_s, "[General]\nlanguage=en\n")).resize(qint64{100} << 20));
        ThreadClock timer;
        UserSettings settings(file);
        settings.setLanguage(u"zh_CN"_s);
        QVERIFY(timer.elapsed() < 1000);
        QCOMPARE(QFile(file + u".unread"_s).size(), qint64{100} << 20);
    }

    void aPipeIsNotWaitedFor() {
        const QString file = m_temp.filePath(u"pipe.ini"_s);
        QCOMPARE(::mkfifo(QFile::encodeName(file).constData(), 0600), 0);
        UserSettings settings(file);
        settings.setLanguage(u"en"_s);
        QCOMPARE(settings.language(), u"en"_s);
    }

    void nothingIsWrittenIntoACapture() {
        const QString folder = m_temp.filePath(u"rank0_ascend_pt"_s);
        QVERIFY(QDir().mkpath(folder));
        {
            UserSettings settings(folder + u"/altiscope/altiscope.ini"_s);
            settings.setLanguage(u"en"_s);
            QCOMPARE(settings.language(), u"en"_s);
        }
        QVERIFY(QDir(folder).isEmpty());
    }
};

ALTI_TEST(TestUserSettings)
#include "tst_user_settings.moc"
