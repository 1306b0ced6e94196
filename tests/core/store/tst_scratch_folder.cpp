#include "core/store/cache/scratch_folder.h"
#include "core/store/cache/store_cache.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <QElapsedTimer>
#include <QTest>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace altiscope;
using altiscope::test::TestFolder;
namespace fs = std::filesystem;

namespace {

/// A scratch folder with a file whose maker has been killed.
fs::path abandonedIn(const fs::path& parent, ScratchPlace place = ScratchPlace::Ours) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::error_code error;
        const auto folder = ScratchFolder::make(parent, {}, error, place);
        if (folder) fs::create_directory(folder->path() / "inside", error);
        ::_exit(folder ? 0 : 1);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    const auto part = "scratch-" + std::to_string(child) + '-';
    for (const auto& entry : fs::directory_iterator(parent)) {
        if (status == 0 && entry.path().filename().string().find(part) != std::string::npos) return entry.path();
    }
    return {};
}

}  // namespace

class TestScratchFolder : public QObject {
    Q_OBJECT

private slots:
    void vanishesWithTheObject();
    void folderOfAKilledProgramGoes();
    void foldersOfTheUserStay_data();
    void foldersOfTheUserStay();
    void folderWithoutAMarkGoesIfOnlyWeCouldHaveMadeIt_data();
    void folderWithoutAMarkGoesIfOnlyWeCouldHaveMadeIt();
    void folderInACaptureWaitsForItsMakerElsewhere_data();
    void folderInACaptureWaitsForItsMakerElsewhere();
    void cancelledRemovalIsFinishedByTheNext();
    void deepFoldersNeedNoDescriptors();
    void linksInsideAreNotFollowed();
    void impossiblePlaceIsSaid();
};

void TestScratchFolder::vanishesWithTheObject() {
    const TestFolder parent;
    std::error_code error;
    auto folder = ScratchFolder::make(parent.path() / "new", {}, error);
    QVERIFY(folder != nullptr && !error);
    const fs::path path = folder->path();
    QVERIFY(ScratchFolder::isOurs(path));
    QVERIFY2(!ScratchFolder::isAbandoned(path), "a living program needs its own");
    ScratchFolder::removeAbandoned(path.parent_path(), nullptr);
    QCOMPARE(StoreCache(path.parent_path()).clear(), std::size_t{0});
    QVERIFY(fs::exists(path));
    fs::create_directories(path / "a" / "b");
    folder.reset();
    QVERIFY(fs::is_empty(parent.path() / "new"));
}

void TestScratchFolder::folderOfAKilledProgramGoes() {
    const TestFolder parent;
    const fs::path folder = abandonedIn(parent.path());
    QVERIFY(ScratchFolder::isAbandoned(folder));
    ScratchFolder::removeAbandoned(parent.path(), nullptr);
    QVERIFY(!fs::exists(folder));
    QVERIFY(!abandonedIn(parent.path()).empty());
    QCOMPARE(StoreCache(parent.path()).clear(), std::size_t{0});
    QVERIFY(fs::is_empty(parent.path()));
}

void TestScratchFolder::foldersOfTheUserStay_data() {
    QTest::addColumn<int>("kind");
    int number = 0;
    for (const char* clause : {"a name of ours", "a copy of a folder of ours", "a link to one",
                               "a mark that says nothing", "a mark that is a link"})
        QTest::addRow("%s", clause) << number++;
}

void TestScratchFolder::foldersOfTheUserStay() {
    QFETCH(int, kind);
    const TestFolder parent, elsewhere;
    const fs::path mine = parent.path() / "scratch-2147483646-letters";
    const fs::path ours = abandonedIn(elsewhere.path());
    QVERIFY(!ours.empty());
    fs::path mark;
    for (const auto& entry : fs::directory_iterator(ours)) {
        if (entry.is_regular_file()) mark = entry.path();
    }
    if (kind == 1) fs::copy(ours, mine, fs::copy_options::recursive);
    if (kind == 2) fs::create_directory_symlink(ours, mine);
    if (kind != 1 && kind != 2) fs::create_directory(mine);
    if (kind == 3) std::ofstream(mine / mark.filename()) << "letters";
    if (kind == 4) fs::create_symlink(mark, mine / mark.filename());
    std::ofstream(mine / "letter.txt") << "mine";

    QVERIFY(!ScratchFolder::isAbandoned(mine));
    QVERIFY(!ScratchFolder::remove(mine, nullptr));
    ScratchFolder::removeAbandoned(parent.path(), nullptr);
    StoreCache(parent.path()).clear();
    QCOMPARE(fs::file_size(mine / "letter.txt"), std::uintmax_t{4});
}

void TestScratchFolder::folderWithoutAMarkGoesIfOnlyWeCouldHaveMadeIt_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("goes");
    // Where a kill between two calls of the system can leave a folder, and what only looks so.
    QTest::newRow("nothing in it") << 0 << true;
    QTest::newRow("an empty mark") << 1 << true;
    QTest::newRow("a letter") << 2 << false;
    QTest::newRow("an empty mark and a letter") << 3 << false;
    QTest::newRow("another name") << 4 << false;
    QTest::newRow("a living maker") << 5 << false;
}

void TestScratchFolder::folderWithoutAMarkGoesIfOnlyWeCouldHaveMadeIt() {
    QFETCH(int, kind);
    QFETCH(bool, goes);
    const TestFolder parent;
    std::error_code error;
    auto living = ScratchFolder::make(parent.path(), {}, error);
    fs::path folder = kind == 5 ? living->path() : abandonedIn(parent.path());
    fs::path mark;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.is_regular_file()) mark = entry.path();
    }
    QVERIFY(fs::remove(mark));
    fs::remove(folder / "inside");
    if (kind == 1 || kind == 3) std::ofstream{mark};
    if (kind == 2 || kind == 3) std::ofstream(folder / "letter.txt") << "mine";
    if (kind == 4) {
        const fs::path other = folder.string() + "0";
        fs::rename(folder, other);
        folder = other;
    }
    ScratchFolder::removeAbandoned(parent.path(), nullptr);
    QCOMPARE(!fs::exists(folder), goes);
    if (kind == 2 || kind == 3) QCOMPARE(fs::file_size(folder / "letter.txt"), std::uintmax_t{4});
}

void TestScratchFolder::folderInACaptureWaitsForItsMakerElsewhere_data() {
    QTest::addColumn<bool>("isSameStart");
    QTest::newRow("another machine") << false;
    QTest::newRow("another container") << true;
}

void TestScratchFolder::folderInACaptureWaitsForItsMakerElsewhere() {
    QFETCH(bool, isSameStart);
    const TestFolder capture;
    std::error_code error;
    const auto living = ScratchFolder::make(capture.path(), {}, error, ScratchPlace::Capture);
    QVERIFY(living->path().filename().string().starts_with(kCaptureScratchName));
    const fs::path killed = abandonedIn(capture.path(), ScratchPlace::Capture);
    QVERIFY(!killed.empty());
    const fs::path other = abandonedIn(capture.path(), ScratchPlace::Capture), mark = other / ".altiscope-folder";
    std::vector<std::string> lines;
    std::ifstream in(mark);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    in.close();
    QCOMPARE(lines.size(), std::size_t{6});
    const std::size_t space = lines.back().find(' ');
    QVERIFY2(space != std::string::npos && lines.back().find("pid:") != std::string::npos, lines.back().c_str());
    if (isSameStart) lines.back().replace(space, std::string::npos, " pid:[1]");
    else lines.back().replace(0, space, "00000000-0000-4000-8000-000000000000");
    std::ofstream out(mark, std::ios::trunc);
    for (const std::string& line : lines) out << line << '\n';
    out.close();

    // Those of our own folders are another matter.
    QVERIFY(ScratchFolder::removeAbandoned(capture.path(), nullptr).empty());
    QCOMPARE(ScratchFolder::removeAbandoned(capture.path(), nullptr, ScratchPlace::Capture), std::vector{killed});
    QVERIFY(fs::exists(living->path()) && fs::exists(other));
    const auto age = [](const fs::path& path) {
        fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(25));
    };
    age(mark);
    age(other);
    // A file deep in it has changed since.
    QVERIFY(ScratchFolder::removeAbandoned(capture.path(), nullptr, ScratchPlace::Capture).empty());
    age(other / "inside");
    QCOMPARE(ScratchFolder::removeAbandoned(capture.path(), nullptr, ScratchPlace::Capture), std::vector{other});
}

void TestScratchFolder::cancelledRemovalIsFinishedByTheNext() {
    const TestFolder parent;
    const CancelToken cancel;
    std::error_code error;
    auto folder = ScratchFolder::make(parent.path(), cancel, error);
    const fs::path path = folder->path();
    fs::create_directories(path / "files" / "deep");
    // Links of one file: the file system is slow to make files after it has deleted many.
    const fs::path file = path / "files/deep/file";
    std::ofstream(file) << "x";
    for (int i = 0; i < 30'000; ++i)
        QCOMPARE(::link(file.c_str(), (path / "files/deep" / std::to_string(i)).c_str()), 0);
    cancel.requestCancel();
    QElapsedTimer timer;
    timer.start();
    folder.reset();
    // Nobody waits for 30,000 files: what is not done soon is left. A busy machine only makes that later.
    QVERIFY2(fs::exists(path) || timer.elapsed() < 100, qPrintable(QString::number(timer.elapsed())));
    if (fs::exists(path)) QVERIFY(ScratchFolder::isOurs(path));
    QVERIFY(!fs::exists(path) || ScratchFolder::remove(path, nullptr));
    QVERIFY(fs::is_empty(parent.path()));
}

void TestScratchFolder::deepFoldersNeedNoDescriptors() {
    const TestFolder parent;
    std::error_code error;
    auto folder = ScratchFolder::make(parent.path(), {}, error);
    fs::path deep = folder->path();
    for (int i = 0; i < 1200; ++i) {
        deep /= "d";
        QCOMPARE(::mkdir(deep.c_str(), 0700), 0);
    }
    std::ofstream(deep / "file") << "x";
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    const rlimit few{64, before.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
    folder.reset();
    ::setrlimit(RLIMIT_NOFILE, &before);
    QVERIFY(fs::is_empty(parent.path()));
}

void TestScratchFolder::linksInsideAreNotFollowed() {
    const TestFolder parent, elsewhere;
    const fs::path letter = elsewhere.write("letters/letter.txt", "mine");
    std::error_code error;
    auto folder = ScratchFolder::make(parent.path(), {}, error);
    fs::create_directory_symlink(letter.parent_path(), folder->path() / "letters");
    fs::create_symlink(letter, folder->path() / "letter.txt");
    folder.reset();
    QVERIFY(fs::is_empty(parent.path()));
    QVERIFY(fs::exists(letter));
}

void TestScratchFolder::impossiblePlaceIsSaid() {
    const TestFolder parent;
    std::error_code error;
    QVERIFY(ScratchFolder::make(parent.write("file", "") / "below", {}, error) == nullptr);
    QVERIFY(error);
}

ALTI_TEST(TestScratchFolder)
#include "tst_scratch_folder.moc"
