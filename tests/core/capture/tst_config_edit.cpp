#include "core/capture/targets/config_edit.h"

#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

using namespace altiscope;
using namespace altiscope::capture;
namespace fs = std::filesystem;

class TestConfigEdit : public QObject {
    Q_OBJECT
private slots:
    void hostsOfOneDiskPutBackAtTheSameTime();
    void aLockThatWasLeftDoesNotStay();
    void hostsOfOneDiskWriteAtTheSameTime();
    void whatIsTakenOutOfAFileOfOthersKeepsItsTime();
    void whatOthersChangedIsSaidAgainWhereTheReplyWasLost();
    void aSecondChangeHasALaterTimeThanTheFirst();
};

namespace {

std::string textOf(const fs::path& path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

std::size_t namesIn(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

void TestConfigEdit::hostsOfOneDiskPutBackAtTheSameTime() {
    const QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "profiler_config.json";
    const std::string before = "{\"active\": 1}\n";
    std::ofstream(path) << before;
    const auto shell = RemoteShell::open(*parseTarget("local"), {});
    QVERIFY(shell.ok());
    for (int round = 0; round < 2; ++round) {
        QVERIFY(
            writeConfig(shell.value(), path.string(), before, "{\"active\": 2}\n", "20260101-000000-000001 me").ok());
        std::atomic<int> failed = 0;
        std::vector<std::thread> hosts;
        for (int i = 0; i < 8; ++i) {
            hosts.emplace_back([&] {
                const auto own = RemoteShell::open(*parseTarget("local"), {});
                if (!restoreConfig(own.value(), path.string(), "20260101-000000-000001", true).ok()) ++failed;
            });
        }
        for (std::thread& host : hosts) host.join();
        QCOMPARE(failed.load(), 0);
        QCOMPARE(textOf(path), before);
        QCOMPARE(namesIn(path.parent_path()), std::size_t{1});
    }
}

void TestConfigEdit::aLockThatWasLeftDoesNotStay() {
    const QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "profiler_config.json";
    std::ofstream(path) << "before";
    const auto shell = RemoteShell::open(*parseTarget("local"), {});
    QVERIFY(shell.ok());
    QVERIFY(
        writeConfig(shell.value(), path.string(), std::string("before"), "after", "20260101-000000-000001 me").ok());
    fs::create_directory(path.string() + ".altiscope.lock");
    QVERIFY(restoreConfig(shell.value(), path.string(), "20260101-000000-000001", false).ok());
    QCOMPARE(textOf(path), std::string("before"));
    QCOMPARE(namesIn(path.parent_path()), std::size_t{1});
}

/// One of them writes; all others know at once that it is their own capture.
void TestConfigEdit::hostsOfOneDiskWriteAtTheSameTime() {
    const QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "profiler_config.json";
    const std::string before = "{\"active\": 1}\n", id = "20260101-000000-000001";
    std::ofstream(path) << before;
    std::atomic<int> written = 0, ours = 0;
    std::vector<std::thread> hosts;
    for (int i = 0; i < 8; ++i) {
        hosts.emplace_back([&] {
            const auto own = RemoteShell::open(*parseTarget("local"), {});
            const auto done = writeConfig(own.value(), path.string(), before, "{\"active\": 2}\n", id + " me");
            if (done.ok()) ++written;
            else if (done.failed() && done.error().code == "capture.config.busy" && !done.error().parameters.empty() &&
                     done.error().parameters[0].second == id + " me")
                ++ours;
        });
    }
    for (std::thread& host : hosts) host.join();
    QCOMPARE(written.load(), 1);
    QCOMPARE(ours.load(), 7);
    QCOMPARE(textOf(path), std::string("{\"active\": 2}\n"));
    QCOMPARE(namesIn(path.parent_path()), std::size_t{2});
    const auto shell = RemoteShell::open(*parseTarget("local"), {});
    QVERIFY(restoreConfig(shell.value(), path.string(), id, false).ok());
    QCOMPARE(textOf(path), before);
    QCOMPARE(namesIn(path.parent_path()), std::size_t{1});
}

void TestConfigEdit::whatIsTakenOutOfAFileOfOthersKeepsItsTime() {
    // A job that looks at the time would take another one for a new configuration, and record.
    const QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "profiler_config.json";
    std::ofstream(path) << "before";
    const auto time = fs::last_write_time(path) - std::chrono::hours(1);
    fs::last_write_time(path, time);
    const auto shell = RemoteShell::open(*parseTarget("local"), {});
    QVERIFY(replaceConfig(shell.value(), path.string(), "before", "after").ok());
    QCOMPARE(textOf(path), std::string("after"));
    QVERIFY(fs::last_write_time(path) == time);
    QVERIFY(replaceConfig(shell.value(), path.string(), "before", "other").failed());
    QCOMPARE(textOf(path), std::string("after"));
    QCOMPARE(namesIn(path.parent_path()), std::size_t{1});
}

void TestConfigEdit::whatOthersChangedIsSaidAgainWhereTheReplyWasLost() {
    const QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "profiler_config.json";
    const std::string id = "20260101-000000-000001";
    std::ofstream(path) << "before";
    const auto shell = RemoteShell::open(*parseTarget("local"), {});
    QVERIFY(writeConfig(shell.value(), path.string(), "before", "ours", id + " me").ok());
    std::ofstream(path) << "theirs";
    for (int i = 0; i < 2; ++i) {
        const auto restored = restoreConfig(shell.value(), path.string(), id, false);
        QVERIFY(restored.ok());
        QVERIFY(restored.value().isChangedByOthers);
        QCOMPARE(restored.value().original, path.string() + "." + id + ".original");
    }
    QCOMPARE(textOf(path), std::string("theirs"));
    QCOMPARE(textOf(path.string() + "." + id + ".original"), std::string("before"));
}

void TestConfigEdit::aSecondChangeHasALaterTimeThanTheFirst() {
    // Also where the file itself comes from the future, as from another machine's clock.
    const QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "profiler_config.json";
    const std::string id = "20260101-000000-000001", owner = id + " me";
    std::ofstream(path) << "before";
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::hours(1));
    const auto shell = RemoteShell::open(*parseTarget("local"), {});
    QVERIFY(writeConfig(shell.value(), path.string(), "before", "first", owner).ok());
    const auto first = fs::last_write_time(path);
    const auto restored = restoreConfig(shell.value(), path.string(), id, false);
    QVERIFY(restored.ok() && restored.value().time);
    QVERIFY(writeConfig(shell.value(), path.string(), "before", "second", owner, {}, restored.value().time).ok());
    QVERIFY(fs::last_write_time(path) - first >= std::chrono::seconds(1));
}

ALTI_TEST(TestConfigEdit)
#include "tst_config_edit.moc"
