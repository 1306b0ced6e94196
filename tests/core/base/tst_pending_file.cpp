#include "core/base/files/pending_file.h"
#include "core/base/files/real_place.h"

#include "tests/support/test_main.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace altiscope;
namespace fs = std::filesystem;

namespace {

std::string textOf(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

class TestPendingFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_temp;

    fs::path path(const char* name) const { return fs::path(m_temp.path().toStdString()) / name; }
    QStringList names() const {
        return QDir(m_temp.path()).entryList(QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot);
    }

private slots:
    void init() {
        for (const auto& entry : fs::directory_iterator(path(""))) fs::remove_all(entry);
    }

    void appearsWhenComplete() {
        PendingFile file(path("a"), PendingFile::Access::Owner);
        QVERIFY(file.write("text"));
        QVERIFY(!fs::exists(path("a")));
        QVERIFY(file.keep());
        QCOMPARE(textOf(path("a")), std::string("text"));
        QCOMPARE(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
        QCOMPARE(names(), QStringList{QStringLiteral("a")});
    }

    void replacesWhenComplete() {
        std::ofstream(path("a")) << "old";
        {
            PendingFile file(path("a"), PendingFile::Access::Shared);
            QVERIFY(file.write("new"));
            QCOMPARE(textOf(path("a")), std::string("old"));
        }
        QCOMPARE(textOf(path("a")), std::string("old"));
        PendingFile file(path("a"), PendingFile::Access::Shared);
        QVERIFY(file.write("new") && file.keep());
        QCOMPARE(textOf(path("a")), std::string("new"));
        QCOMPARE(names(), QStringList{QStringLiteral("a")});
    }

    void throughLinks() {
        std::ofstream(path("a")) << "old";
        fs::create_symlink("a", path("link"));
        fs::create_symlink("later", path("dangling"));
        PendingFile file(path("link"), PendingFile::Access::Shared),
            later(path("dangling"), PendingFile::Access::Shared);
        QVERIFY(file.write("new") && file.keep());
        QVERIFY(later.write("late") && later.keep());
        QVERIFY(fs::is_symlink(path("link")) && fs::is_symlink(path("dangling")));
        QCOMPARE(textOf(path("a")), std::string("new"));
        QCOMPARE(textOf(path("later")), std::string("late"));
        QCOMPARE(realPlace(path("dangling")), fs::canonical(path("later")));
        QCOMPARE(realPlace(path("none") / ".." / "x"), fs::canonical(path("")) / "x");
    }

    void anotherNameOfAFileKeepsItsContent() {
        std::ofstream(path("a")) << "old";
        fs::create_hard_link(path("a"), path("b"));
        PendingFile file(path("b"), PendingFile::Access::Shared);
        QVERIFY(file.write("new") && file.keep());
        QCOMPARE(textOf(path("a")), std::string("old"));
    }

    void failuresAreSaid() {
        PendingFile missing(path("none") / "a", PendingFile::Access::Shared);
        QVERIFY(!missing.opened() && !missing.keep());
        QCOMPARE(missing.problem(), std::string("No such file or directory"));
        PendingFile full("/dev/full", PendingFile::Access::Shared);
        QVERIFY(full.opened() && !full.write("x") && !full.keep());
        QCOMPARE(full.problem(), std::string("No space left on device"));
        PendingFile folder(path(""), PendingFile::Access::Shared);
        QVERIFY(!folder.opened());
    }

    void aPipeThatNobodyReads() {
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        const PendingFile atOnce(path("pipe"), PendingFile::Access::Shared);
        QVERIFY(!atOnce.opened());
        CancelToken cancel;
        std::thread later([&cancel] {
            ::usleep(100'000);
            cancel.requestCancel();
        });
        QElapsedTimer timer;
        timer.start();
        const PendingFile waits(path("pipe"), PendingFile::Access::Shared, &cancel);
        later.join();
        QVERIFY(!waits.opened());
        QVERIFY(timer.elapsed() >= 100);
        QCOMPARE(names(), QStringList{QStringLiteral("pipe")});
    }

    void aPipeThatIsReadSlowly() {
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        const std::string text(1'000'000, 'x');
        std::size_t read = 0;
        std::thread reader([&] {
            const int pipe = ::open(path("pipe").c_str(), O_RDONLY);
            char bytes[30'000];
            for (ssize_t got = 1; got > 0; read += static_cast<std::size_t>(got)) {
                ::usleep(1000);
                got = ::read(pipe, bytes, sizeof bytes);
            }
            ::close(pipe);
        });
        const CancelToken cancel;
        bool good = false;
        {
            PendingFile file(path("pipe"), PendingFile::Access::Shared, &cancel);
            good = file.opened() && file.write(text) && file.keep();
        }
        reader.join();
        QVERIFY(good);
        QCOMPARE(read, text.size());
    }
};

ALTI_TEST(TestPendingFile)
#include "tst_pending_file.moc"
