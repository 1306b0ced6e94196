#include "core/capture/session/driving.h"

#include "tests/core/capture/ssh_standin.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace altiscope;
using namespace altiscope::capture;
namespace fs = std::filesystem;

namespace {

/// In the place of OpenSSH: a host that takes connections and never says anything.
constexpr const char* kSilentSsh = R"sh(exec sleep 1000)sh";

}  // namespace

class TestDriving : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QByteArray m_path = qgetenv("PATH");
    fs::path folder() const { return m_folder.path().toStdString(); }
private slots:
    void initTestCase();
    void cleanupTestCase() { qputenv("PATH", m_path); }
    void whatIsAbandonedStaysForTheNext();
    void cancelIsNotRefusedWhileFilesArePutBack();
    void whatCannotBeWrittenIsNotSaidToBeAnothersWork();

private:
    static CaptureRecord armed(const RecordStore& store);
};

CaptureRecord TestDriving::armed(const RecordStore& store) {
    CaptureRecord record;
    record.method = "torch-dynamic";
    record.state = State::Armed;
    record.targets.resize(1);
    record.targets[0].name = "local";
    record.targets[0].state = State::Armed;
    return store.create(record).ok() ? record : CaptureRecord{};
}

/// On a busy machine many hosts take longer than anybody would wait who does not see that it goes on.
void TestDriving::cancelIsNotRefusedWhileFilesArePutBack() {
    const RecordStore store(folder() / "slow");
    for (const bool showsWork : {true, false}) {
        CaptureRecord record = armed(store);
        auto lock = CaptureLock::take(store, record.id);
        QVERIFY(lock.has_value());
        std::thread holder([&] {
            for (int i = 0; i < 24; ++i) {
                std::this_thread::sleep_for(std::chrono::milliseconds(500));
                if (showsWork) store.showWork(record.id);
            }
            record.state = State::Cancelled;
            static_cast<void>(store.save(record));
            lock.reset();
        });
        const auto done = cancelCapture(store, record.id, {});
        holder.join();
        QCOMPARE(done.ok(), showsWork);
        if (!showsWork) QCOMPARE(done.error().code, std::string("capture.session.busy"));
        // Who could not wait has said what is wanted.
        QCOMPARE(store.isCancelRequested(record.id), !showsWork);
    }
}

void TestDriving::whatCannotBeWrittenIsNotSaidToBeAnothersWork() {
    const RecordStore store(folder() / "foreign");
    const CaptureRecord record = armed(store);
    // As root may open everything: a folder in its place is what nobody can open so.
    fs::create_directory(store.folderOf(record.id) / "lock");
    const auto begin = std::chrono::steady_clock::now();
    const auto done = cancelCapture(store, record.id, {});
    QVERIFY(done.failed());
    QCOMPARE(done.error().code, std::string("capture.session.not_written"));
    QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
}

void TestDriving::initTestCase() {
    const fs::path ssh = folder() / "ssh";
    std::ofstream(ssh) << test::sshStandIn(kSilentSsh);
    fs::permissions(ssh, fs::perms::owner_all);
    qputenv("PATH", m_folder.path().toLocal8Bit() + ':' + m_path);
}

void TestDriving::whatIsAbandonedStaysForTheNext() {
    const RecordStore store(folder() / "captures");
    CaptureRecord record;
    record.method = "torch-dynamic";
    record.state = State::Armed;
    record.targets.resize(1);
    record.targets[0].name = "node7";
    record.targets[0].state = State::Armed;
    record.targets[0].config = "/job/profiler_config.json";
    record.targets[0].isConfigChanged = true;
    QVERIFY(store.create(record).ok());
    int polls = 0;
    const Driver driver{{}, {}, {}, [&polls] { return ++polls > 20; }};
    const auto done = cancelCapture(store, record.id, driver);
    QVERIFY(done.cancelled());
    const auto after = store.load(record.id);
    QVERIFY(after.ok());
    QCOMPARE(stateText(after.value().state), std::string_view("armed"));
    QVERIFY(after.value().targets[0].isConfigChanged);
    QVERIFY(store.isCancelRequested(record.id));
    QVERIFY(CaptureLock::take(store, record.id).has_value());
}

ALTI_TEST(TestDriving)
#include "tst_driving.moc"
