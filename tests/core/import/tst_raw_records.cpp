#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_records/raw_device.h"
#include "core/trace/raw/raw_layouts.h"
#include "tests/core/import/mutant_files.h"
#include "tests/core/import/raw_bytes.h"
#include "tests/support/capture_dump.h"
#include "tests/support/test_main.h"

#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace altiscope;
using namespace altiscope::reader;
using namespace altiscope::test;

namespace {

std::string starsLog(std::uint16_t function, std::uint16_t task, std::uint64_t time) {
    return RecordBytes<kRawStars>()
        .set<"kind">(function)
        .set<"magic">(kRawStarsMagic)
        .set<"stream">(2)
        .set<"task">(task)
        .set<"time">(time)
        .text();
}

}  // namespace

/// Records of raw data, from bytes to values.
class TestRawRecords : public QObject {
    Q_OBJECT
private slots:
    /// No two fields share a byte, and all lie within their record.
    void layouts() {
        for (const RawLayout* layout : kRawLayouts) {
            std::vector<int> bytes(layout->size, 0);
            for (const RawField& field : layout->fields) {
                static constexpr std::size_t kSizes[] = {1, 2, 4, 8, 8, 8};
                const std::size_t size = kSizes[static_cast<std::size_t>(field.type)] * field.count;
                QVERIFY2(field.offset + size <= layout->size, std::string(layout->name).c_str());
                for (std::size_t i = 0; i < size; ++i)
                    QVERIFY2(bytes[field.offset + i]++ == 0, std::string(layout->name).c_str());
            }
        }
    }

    /// The manual's page of records says of each field what readers take it for.
    void aRecordInTheManualIsNotTheOneThatIsRead() {
        static constexpr std::string_view kTypes[] = {"u8", "u16", "u32", "u64", "i64", "f64"};
        for (const char* language : {"en", "zh_CN"}) {
            const std::string page = bytesOfFile(qEnvironmentVariable("ALTI_SOURCE_DIR").toStdString() +
                                                 "/resources/help/manual/" + language + "/records.md");
            std::size_t sections = 0;
            for (std::size_t at = 0; (at = page.find("\n### ", at)) != std::string::npos; ++at) ++sections;
            QCOMPARE(sections, std::size(kRawLayouts));
            for (const RawLayout* layout : kRawLayouts) {
                const std::string name(layout->name);
                const auto begin = page.find("\n### " + name + "\n\n" + std::to_string(layout->size));
                QVERIFY2(begin != std::string::npos, name.c_str());
                const std::string section = page.substr(begin, page.find("\n#", begin + 1) - begin);
                QVERIFY2(section.find(layout->source) != std::string::npos, name.c_str());
                std::string rows;
                for (const RawField& field : layout->fields) {
                    rows += "\n| " + std::to_string(field.offset) + " | `" + std::string(field.name) + "` | ";
                    rows += kTypes[static_cast<std::size_t>(field.type)];
                    if (field.count > 1) rows += " × " + std::to_string(field.count);
                    rows += " | " + std::string(field.meaning) + " |";
                }
                QVERIFY2(section.find("|---|---|---|---|" + rows) != std::string::npos, name.c_str());
            }
        }
    }

    void fileNames() {
        const RawFileName host = rawFileName("aging.compact.node_basic_info.slice_12"),
                          device = rawFileName("stars_soc.data.3.slice_0");
        QVERIFY(host.stem == "compact.node_basic_info" && host.isAging && host.slice == 12 && host.device == -1);
        QVERIFY(device.stem == "stars_soc.data" && !device.isAging && device.slice == 0 && device.device == 3);
        for (const char* none : {"x", "stars_soc.data.3.slice_", "stars_soc.data.3.slice_0.done", "a.slice_0.complete",
                                 "a.slice_-1", "a.slice_99999999999999999999"})
            QVERIFY2(rawFileName(none).stem.empty(), none);
    }

    /// Fractions of both counters are cut once.
    void clocks() {
        const RawClock whole(50'000'000, 900'000, 1'767'225'600'000'000'000);
        QCOMPARE(whole.wall(900'001).value(), std::int64_t{1'767'225'600'000'000'020});
        QCOMPARE(whole.wall(899'999).value(), std::int64_t{1'767'225'599'999'999'980});
        const RawClock odd(48'000'000, 0, 1'000'000'000, 1, 38'400'000);  // 26.041666 ns later
        QCOMPARE(odd.wall(0).value(), std::int64_t{1'000'000'026});
        QCOMPARE(odd.wall(46).value(), std::int64_t{1'000'000'984});  // 958.3333 + 26.0416
        QCOMPARE(odd.wall(47).value(), std::int64_t{1'000'001'005});  // 979.1666 + 26.0416
        QVERIFY(!odd.wall(std::uint64_t{1} << 63).has_value());
        QVERIFY(!RawClock(1, 0, 0).wall(0).has_value());
    }

    void foldedIds() {
        const auto folded = [](unsigned stream, unsigned task, unsigned type, bool isExpanded) {
            const RawTaskId id = foldedTask(static_cast<std::uint16_t>(stream), static_cast<std::uint16_t>(task),
                                            static_cast<std::uint8_t>(type), isExpanded);
            return QStringLiteral("%1 %2").arg(id.stream).arg(id.task);
        };
        QCOMPARE(folded(5, 9, 0, false), QStringLiteral("5 9"));
        QCOMPARE(folded(0xf005, 9, 0, false), QStringLiteral("5 %1").arg(0xe009));
        QCOMPARE(folded(0x2005, 9, 0, false), QStringLiteral("9 5"));
        QCOMPARE(folded(0x8005, 0x8009, 0, true), QStringLiteral("9 %1").arg(0x8005));
        QCOMPARE(folded(0x8005, 9, 3, true), QStringLiteral("5 9"));
    }

    /// Whatever the cuts into slices, the same tasks.
    void cutAnywhere() {
        std::string log;
        for (std::uint16_t task = 1; task <= 3; ++task)
            log += starsLog(0, task, task * 100U) + starsLog(1, task, task * 100U + 50);
        const auto read = [](const std::vector<std::string>& slices) {
            const TestFolder folder;
            std::size_t number = 0;
            for (const std::string& slice : slices)
                folder.write("device_0/data/stars_soc.data.0.slice_" + std::to_string(number++), slice);
            Diagnostics diagnostics;
            ProgressSlot progress;
            const CancelToken cancel;
            RawContext context{diagnostics, progress, cancel};
            const RawFiles files = listRawFiles(folder.path(), ".", diagnostics, cancel);
            std::string text;
            for (const RawDeviceTask& task : readRawDevice(files.devices.at(0), false, context))
                text += std::to_string(task.task) + ' ' + std::to_string(task.begin) + ' ' + std::to_string(task.end) +
                        '\n';
            return text + dumpDiagnostics(diagnostics);
        };
        const std::string whole = read({log});
        QCOMPARE(QString::fromStdString(whole), QStringLiteral("1 100 150\n2 200 250\n3 300 350\n"));
        for (std::size_t cut = 1; cut < log.size(); ++cut) QCOMPARE(read({log.substr(0, cut), log.substr(cut)}), whole);
        QCOMPARE(read({log.substr(0, 70), log.substr(70, 20), log.substr(90)}), whole);
        // The rest of a record is not there: what follows begins anew.
        QCOMPARE(QString::fromStdString(read({log.substr(0, 140), log.substr(192)})),
                 QStringLiteral("1 100 150\n3 300 350\nlost raw.unpaired device_0/data x1\nlost raw.cut "
                                "device_0/data/stars_soc.data.0.slice_0 x1 byte 128\n"));
        QCOMPARE(QString::fromStdString(read({log.substr(0, 64)})),
                 QStringLiteral("lost raw.unpaired device_0/data x1\n"));
    }
};

ALTI_TEST(TestRawRecords)
#include "tst_raw_records.moc"
