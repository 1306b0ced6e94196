#include "core/import/raw_records/raw_device.h"
#include "core/import/raw_records/raw_hwts.h"
#include "core/trace/raw/raw_layouts.h"
#include "tests/core/import/raw_bytes.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::reader;
using namespace altiscope::test;

namespace {

/// Records of one log, counted as the chip counts them.
class HwtsLog {
public:
    HwtsLog& add(unsigned tag, std::uint16_t stream, std::uint16_t task, std::uint64_t time, std::uint8_t type = 0) {
        m_text += RecordBytes<kRawHwts>()
                      .set<"head">(static_cast<std::uint8_t>(tag | ((m_count++ % 16) << 4)))
                      .set<"type">(type)
                      .set<"magic">(kRawStarsMagic)
                      .set<"task">(task)
                      .set<"time">(time)
                      .set<"stream">(stream)
                      .text();
        return *this;
    }
    HwtsLog& task(std::uint16_t stream, std::uint16_t task, std::uint64_t begin, std::uint64_t end) {
        return add(0, stream, task, begin).add(1, stream, task, end);
    }
    /// As if a record had been lost.
    HwtsLog& skip(unsigned records) {
        m_count += records;
        return *this;
    }
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
    unsigned m_count = 0;
};

struct NamedFile {
    std::string name, bytes;
};

/// "STREAM/TASK#ROUND TYPE BEGIN-END" of each task, and the diagnostics.
QString hwtsTasks(const std::vector<NamedFile>& files) {
    const TestFolder folder;
    for (const NamedFile& file : files) folder.write("device_0/data/" + file.name, file.bytes);
    Diagnostics diagnostics;
    ProgressSlot progress;
    const CancelToken cancel;
    RawContext context{diagnostics, progress, cancel};
    const RawFiles listed = listRawFiles(folder.path(), ".", diagnostics, cancel);
    std::string text;
    for (const RawDeviceTask& task : readRawDevice(listed.devices.at(0), false, context))
        text += std::to_string(task.stream) + '/' + std::to_string(task.task) + '#' + std::to_string(task.batch) + ' ' +
                std::string(rawDeviceTypeName(task)) + ' ' + std::to_string(task.begin) + '-' +
                std::to_string(task.end) + '\n';
    return QString::fromStdString(text + dumpDiagnostics(diagnostics));
}

QString hwtsTasks(const std::string& log) { return hwtsTasks({{"hwts.data.0.slice_0", log}}); }

}  // namespace

/// The task log of chips 1 to 4.
class TestRawHwts : public QObject {
    Q_OBJECT
private slots:
    /// The first record of the real log, byte for byte.
    void asARealLogHasThem() {
        const std::string first("\x00\x00\xd3\x6b\x00\x00\x62\xea\x75\xb1\xde\x05\x09\x00\x00\x00\x01\x02\x00\x00", 20);
        const std::string bytes = HwtsLog().add(0, 0x201, 0xea62, 0x905deb175).text();
        QCOMPARE(bytes.size(), std::size_t{64});
        QCOMPARE(bytes.substr(0, 20), first);
        QCOMPARE(bytes.substr(20), std::string(44, '\0'));
    }

    void decodesWhatWasEncoded() {
        QCOMPARE(hwtsTasks(HwtsLog()
                               .task(5, 60002, 100, 101)
                               .add(0, 2047, 65535, 102, 1)
                               .add(0, 6, 1, 103, 7)
                               .add(1, 2047, 65535, 1ULL << 40, 1)
                               .add(1, 6, 1, 104, 7)
                               .text()),
                 QStringLiteral("5/60002#0 AI_CORE 100-101\n2047/65535#0 AI_CPU 102-1099511627776\n"
                                "6/1#0 HWTS_TASK 103-104\n"));
        // Of the stream only 11 bits are its number.
        RecordBytes<kRawHwts> record;
        record.set<"magic">(kRawStarsMagic).set<"stream">(0xfffff803);
        const std::string begin = record.text(), end = record.set<"head">(0x11).text();
        QCOMPARE(hwtsTasks(begin + end), QStringLiteral("3/0#0 AI_CORE 0-0\n"));
    }

    void cutAnywhere() {
        const std::string log = HwtsLog().task(1, 1, 10, 15).task(1, 2, 20, 25).task(2, 1, 30, 35).text();
        const QString whole = hwtsTasks(log);
        QCOMPARE(whole, QStringLiteral("1/1#0 AI_CORE 10-15\n1/2#0 AI_CORE 20-25\n2/1#0 AI_CORE 30-35\n"));
        for (std::size_t cut = 1; cut < log.size(); ++cut)
            QCOMPARE(hwtsTasks({{"hwts.data.0.slice_0", log.substr(0, cut)}, {"hwts.data.0.slice_1", log.substr(cut)}}),
                     whole);
        // A tail that nobody finished.
        for (std::size_t end = 321; end < 384; ++end)
            QCOMPARE(hwtsTasks(log.substr(0, end)),
                     QStringLiteral("1/1#0 AI_CORE 10-15\n1/2#0 AI_CORE 20-25\n"
                                    "lost raw.cut device_0/data/hwts.data.0.slice_0 x1 byte 320\n"
                                    "lost raw.unpaired device_0/data/hwts.data.0.slice_0 x1 byte 256\n"));
    }

    void damage() {
        const QString file = QStringLiteral("device_0/data/hwts.data.0.slice_0");
        // A record without its mark; the next one's count tells that one is missing.
        std::string log = HwtsLog().task(1, 1, 10, 15).task(1, 2, 20, 25).text();
        log[64 * 2 + 2] = 0;
        QCOMPARE(hwtsTasks(log), QStringLiteral("1/1#0 AI_CORE 10-15\nlost raw.bad_record %1 x1 byte 128\n"
                                                "lost raw.log_gap %1 x1 byte 192\n"
                                                "lost raw.unpaired %1 x1 byte 192\n")
                                     .arg(file));
        QCOMPARE(hwtsTasks(HwtsLog().task(1, 1, 10, 15).skip(15).add(1, 1, 2, 20).text()),
                 QStringLiteral("1/1#0 AI_CORE 10-15\nlost raw.log_gap %1 x15 byte 128\n"
                                "lost raw.unpaired %1 x1 byte 128\n")
                     .arg(file));
        // Begins alone: the first ones are named, the last of them for all the others.
        HwtsLog many;
        for (std::uint16_t task = 0; task < 9; ++task) many.add(0, 3, static_cast<std::uint16_t>(9 - task), task);
        QCOMPARE(hwtsTasks(many.text()),
                 QStringLiteral("lost raw.unpaired %1 x9 byte 0, byte 64, byte 128, byte 192, byte 256\n").arg(file));
        // Neither begins nor ends.
        QCOMPARE(hwtsTasks(HwtsLog().add(2, 1, 1, 10).task(1, 1, 11, 12).add(7, 1, 1, 13).text()),
                 QStringLiteral("1/1#0 AI_CORE 11-12\ninfo raw.other_logs %1 x2\n").arg(file));
    }

    void vectorCoresAndOldNames() {
        const std::string one = HwtsLog().task(1, 1, 10, 15).text(), two = HwtsLog().task(2, 1, 11, 12).text();
        QCOMPARE(hwtsTasks({{"hwts.data.0.slice_0", one}, {"hwts.aiv_data.0.slice_0", two}}),
                 QStringLiteral("1/1#0 AI_CORE 10-15\n2/1#0 AI_CORE 11-12\n"
                                "info reader.experimental device_0/data/hwts.aiv_data.0.slice_0 x1\n"));
        QCOMPARE(hwtsTasks({{"hwts.aiv_data.0.slice_0", HwtsLog().add(1, 2, 1, 11).text()}}),
                 QStringLiteral("lost raw.unpaired device_0/data/hwts.aiv_data.0.slice_0 x1 byte 0\n"
                                "info reader.experimental device_0/data/hwts.aiv_data.0.slice_0 x1\n"));
        QCOMPARE(hwtsTasks({{"hwts.log.data.45.dev.profiler_default_tag.0.slice_0", one}}),
                 QStringLiteral("1/1#0 AI_CORE 10-15\n"));
        QVERIFY(isRawHwtsLog("hwts.data") && !isRawHwtsLog("hwts.dat") && !isRawHwtsLog("stars_soc.data"));
    }

    /// Numbers begin anew at a record of ts_track, as with STARS.
    void roundsOfTaskNumbers() {
        const std::string flip =
            RecordBytes<kRawTsTrack>().set<"kind">(0x0e).set<"time">(25).set<"stream">(1).set<"task">(0).text();
        QCOMPARE(hwtsTasks({{"hwts.data.0.slice_0", HwtsLog().task(1, 9, 10, 15).task(1, 9, 30, 35).text()},
                            {"ts_track.data.0.slice_0", flip}}),
                 QStringLiteral("1/9#0 AI_CORE 10-15\n1/9#1 AI_CORE 30-35\n"));
    }
};

ALTI_TEST(TestRawHwts)
#include "tst_raw_hwts.moc"
