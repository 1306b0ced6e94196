#include "core/import/raw_records/raw_device.h"
#include "core/trace/raw/raw_layouts.h"
#include "tests/core/import/raw_bytes.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <string>
#include <utility>
#include <vector>

using namespace altiscope;
using namespace altiscope::reader;
using namespace altiscope::test;

namespace {

constexpr std::uint16_t kStream = 2;

std::string starsLog(std::uint16_t function, std::uint16_t task, std::uint64_t time) {
    return RecordBytes<kRawStars>()
        .set<"kind">(function)
        .set<"magic">(kRawStarsMagic)
        .set<"stream">(kStream)
        .set<"task">(task)
        .set<"time">(time)
        .text();
}
std::string startLog(std::uint16_t task, std::uint64_t time) { return starsLog(0, task, time); }
std::string endLog(std::uint16_t task, std::uint64_t time) { return starsLog(1, task, time); }

std::string flipLog(std::uint16_t task, std::uint64_t time) {
    return RecordBytes<kRawTsTrack>()
        .set<"kind">(0x0e)
        .set<"time">(time)
        .set<"stream">(kStream)
        .set<"task">(task)
        .text();
}

/// "TASK#ROUND BEGIN-END" of each task of a device, and the diagnostics.
QString tasksOf(const std::string& logs, const std::string& flips = {}) {
    const TestFolder folder;
    folder.write("device_0/data/stars_soc.data.0.slice_0", logs);
    if (!flips.empty()) folder.write("device_0/data/ts_track.data.0.slice_0", flips);
    Diagnostics diagnostics;
    ProgressSlot progress;
    const CancelToken cancel;
    RawContext context{diagnostics, progress, cancel};
    const RawFiles files = listRawFiles(folder.path(), ".", diagnostics, cancel);
    std::string text;
    for (const RawDeviceTask& task : readRawDevice(files.devices.at(0), false, context))
        text += std::to_string(task.task) + '#' + std::to_string(task.batch) + ' ' + std::to_string(task.begin) + '-' +
                std::to_string(task.end) + '\n';
    return QString::fromStdString(text + dumpDiagnostics(diagnostics));
}

}  // namespace

/// The task log of a device.
class TestRawDevice : public QObject {
    Q_OBJECT
private slots:
    void beginsAndEndsOfOneTask() {
        const QString alone = QStringLiteral("lost raw.unpaired device_0/data x%1\n");
        QCOMPARE(tasksOf(startLog(7, 10) + endLog(7, 20) + startLog(7, 20) + endLog(7, 25)),
                 QStringLiteral("7#0 10-20\n7#0 20-25\n"));
        // As many of both: they belong together in their order, unless an end comes before its begin.
        QCOMPARE(tasksOf(endLog(7, 5) + startLog(7, 10)), alone.arg(2));
        QCOMPARE(tasksOf(startLog(7, 10) + endLog(7, 10)), QStringLiteral("7#0 10-10\n"));
        // An end is missing: what ends where the next one begins is the first one's.
        QCOMPARE(tasksOf(startLog(7, 10) + endLog(7, 30) + startLog(7, 30)),
                 QStringLiteral("7#0 10-30\n") + alone.arg(1));
        QCOMPARE(tasksOf(startLog(7, 10) + startLog(7, 30) + endLog(7, 31)),
                 QStringLiteral("7#0 30-31\n") + alone.arg(1));
        // A begin is missing.
        QCOMPARE(tasksOf(endLog(7, 5) + startLog(7, 10) + endLog(7, 12)), QStringLiteral("7#0 10-12\n") + alone.arg(1));
        QCOMPARE(tasksOf(startLog(7, 10) + endLog(8, 20)), alone.arg(2));
    }

    /// Numbers of tasks begin anew after 65535. Some of the new round begin before the record of it.
    void roundsOfTaskNumbers() {
        std::string logs;
        for (const auto& [task, time] :
             {std::pair<std::uint16_t, std::uint64_t>(65'534, 10), {65'535, 20}, {0, 30}, {1, 40}, {2, 50}, {3, 60}})
            logs += startLog(task, time) + endLog(task, time + 5);
        QCOMPARE(tasksOf(logs, flipLog(2, 55)),
                 QStringLiteral("65534#0 10-15\n65535#0 20-25\n0#1 30-35\n1#1 40-45\n2#1 50-55\n3#1 60-65\n"));
        QCOMPARE(tasksOf(logs, flipLog(1, 45)),
                 QStringLiteral("65534#0 10-15\n65535#0 20-25\n0#1 30-35\n1#1 40-45\n2#1 50-55\n3#1 60-65\n"));
        // All are of the new round.
        QCOMPARE(tasksOf(startLog(3, 10) + endLog(3, 15), flipLog(1, 5)), QStringLiteral("3#1 10-15\n"));
        // A stream that was destroyed begins anew at that time.
        QCOMPARE(tasksOf(logs, flipLog(0xffff, 45)),
                 QStringLiteral("65534#0 10-15\n65535#0 20-25\n0#0 30-35\n1#0 40-45\n2#1 50-55\n3#1 60-65\n"));
    }

    /// A stream whose first task on the device begins after the flip: that one is of the new round already.
    void firstTaskAfterAFlipIsOfTheNewRound() {
        const std::string logs = startLog(0, 10) + endLog(0, 15) + startLog(1, 20) + endLog(1, 25);
        const QString newRound = QStringLiteral("0#1 10-15\n1#1 20-25\n");
        for (const std::uint16_t task : {std::uint16_t{0}, std::uint16_t{5}, std::uint16_t{0xffff}})
            QCOMPARE(tasksOf(logs, flipLog(task, 5)), newRound);
        // A second flip before any task.
        QCOMPARE(tasksOf(logs, flipLog(0, 5) + flipLog(0, 6)), QStringLiteral("0#2 10-15\n1#2 20-25\n"));
    }

    void missingSlices() {
        for (const auto& [number, missing] : {std::pair(0, 0), {1, 0}, {2, 1}, {4, 3}}) {
            const TestFolder folder;
            folder.write("device_0/data/stars_soc.data.0.slice_0", startLog(1, 1));
            folder.write("device_0/data/stars_soc.data.0.slice_" + std::to_string(number), startLog(1, 1));
            Diagnostics diagnostics;
            listRawFiles(folder.path(), ".", diagnostics, {});
            const std::string name = "device_0/data/stars_soc.data.0.slice_" + std::to_string(number);
            QCOMPARE(
                QString::fromStdString(dumpDiagnostics(diagnostics)),
                missing == 0
                    ? QString()
                    : QStringLiteral("lost raw.slice_missing %1 x%2\n").arg(QString::fromStdString(name)).arg(missing));
        }
    }
};

ALTI_TEST(TestRawDevice)
#include "tst_raw_device.moc"
