#include "core/base/files/write_all.h"

#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>

#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

using namespace altiscope;

class TestWriteAll : public QObject {
    Q_OBJECT
private slots:
    void whereTheFileStandsAndAtAnOffset() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("file"));
        const int file = ::open(qPrintable(path), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        QVERIFY(file >= 0);
        QCOMPARE(writeAll(file, std::string_view("abcd")), 0);
        QCOMPARE(writeAll(file, std::string_view("ef")), 0);
        QCOMPARE(writeAll(file, std::string_view("XY"), 1), 0);
        QCOMPARE(writeAll(file, std::string_view("g")), 0);
        ::close(file);
        QFile written(path);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.readAll(), QByteArray("aXYdefg"));
    }

    void fullDiskIsReported() {
        const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
        QVERIFY(full >= 0);
        QCOMPARE(writeAll(full, std::string_view("a")), ENOSPC);
        ::close(full);
    }
};

ALTI_TEST(TestWriteAll)
#include "tst_write_all.moc"
