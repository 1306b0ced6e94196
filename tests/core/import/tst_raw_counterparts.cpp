#include "core/trace/raw/raw_layouts.h"
#include "tests/core/import/mutant_files.h"
#include "tests/support/capture_dump.h"
#include "tests/support/raw_run.h"
#include "tests/support/test_main.h"

#include <QRegularExpression>
#include <QStringList>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

using namespace altiscope;
using namespace altiscope::test;
namespace fs = std::filesystem;

namespace {

/// Sets a field of a record that begins at a byte.
template <const RawLayout& layout, RawFieldName name>
void put(std::string& bytes, std::size_t record, RawValue<layout, name> value) {
    std::memcpy(bytes.data() + record + rawField<layout, name>().offset, &value, sizeof value);
}

/// Where the n-th value of a file of FRAMEWORK begins, behind its type and length.
std::size_t valueAt(const std::string& bytes, std::size_t number) {
    static constexpr std::size_t kHead = 6;
    std::size_t at = 0;
    for (std::size_t i = 0; i < number; ++i) {
        std::uint32_t length = 0;
        std::memcpy(&length, bytes.data() + at + 2, sizeof length);
        at += kHead + length;
    }
    return at + kHead;
}

/// A run of 24 kernels and 3 collectives, of which one file is changed.
class ChangedRun {
public:
    ChangedRun() : m_root(writeRawRun(m_folder.path())), m_whole(problems()) {}

    /// What is reported besides what is of the whole run: "CODE xCOUNT" of each, by file.
    QString after(const std::string& file, const std::function<void(std::string&)>& change) {
        const fs::path path = m_root / file;
        const std::string whole = bytesOfFile(path);
        std::string changed = whole;
        change(changed);
        write(path, changed);
        const QStringList found = problems();
        if (whole.empty()) fs::remove(path);
        else write(path, whole);
        QStringList added;
        static const QRegularExpression form(QStringLiteral("^(\\w+ raw\\.\\w+) .* (x\\d+)"));
        for (const QString& line : found) {
            const auto match = form.match(line);
            if (!m_whole.contains(line) && match.hasMatch()) added << match.captured(1) + u' ' + match.captured(2);
        }
        return added.join(QStringLiteral(", "));
    }
    const QStringList& whole() const { return m_whole; }

private:
    static void write(const fs::path& path, const std::string& bytes) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    }
    QStringList problems() const {
        const auto result = importForTest(m_root);
        if (!result.ok()) return {QStringLiteral("error")};
        return QString::fromStdString(dumpDiagnostics(result.value()->diagnostics)).split(u'\n', Qt::SkipEmptyParts);
    }

    TestFolder m_folder;
    fs::path m_root;
    QStringList m_whole;
};

const std::string kHostData = "PROF_000001_20260101000000000_ABCDEFGHIJKLMNOP/host/data/";

}  // namespace

/// Records of raw data whose counterpart is missing or says something else, so that an arrow or a row is not there.
class TestRawCounterparts : public QObject {
    Q_OBJECT
private slots:
    /// But its collectives, which did not go through the queue.
    void aWholeRunHasNone() {
        const ChangedRun run;
        QVERIFY(!run.whole().isEmpty());
        for (const QString& line : run.whole())
            QVERIFY2(!line.contains(
                         QRegularExpression(QStringLiteral("raw\\.(lone_[^l]|memory_|odd_|other_m|und|unu|no_)"))),
                     qPrintable(line));
    }

    void workInTheQueueThatNobodyTakes() {
        ChangedRun run;
        // The end of the second enqueue: nobody takes its work, and nobody has put the work that is taken.
        const auto change = [](std::string& bytes) { put<kRawOpMark, "correlation">(bytes, valueAt(bytes, 5), 9999); };
        QCOMPARE(run.after("FRAMEWORK/torch.op_mark", change),
                 QStringLiteral("info raw.lone_queue x2, info raw.lone_launch x4"));
    }

    void aMarkOfTheQueueOfNoKind() {
        ChangedRun run;
        const auto change = [](std::string& bytes) { put<kRawOpMark, "kind">(bytes, valueAt(bytes, 4), 4); };
        QVERIFY(run.after("FRAMEWORK/torch.op_mark", change).contains(QStringLiteral("lost raw.bad_record x1")));
    }

    void aBackwardOperatorWithoutItsForwardOne() {
        ChangedRun run;
        const auto ofForward = [](std::string& bytes) { put<kRawOpRange, "sequence">(bytes, valueAt(bytes, 2), 777); };
        const auto ofBackward = [](std::string& bytes) { put<kRawOpRange, "sequence">(bytes, valueAt(bytes, 3), 777); };
        QCOMPARE(run.after("FRAMEWORK/torch.op_range", ofForward), QStringLiteral("info raw.lone_backward x1"));
        QCOMPARE(run.after("FRAMEWORK/torch.op_range", ofBackward), QStringLiteral("info raw.lone_backward x1"));
    }

    void anOperatorWhoseNameIsNone() {
        ChangedRun run;
        const auto name = [](std::string& bytes) { return valueAt(bytes, 4) + kRawOpRange.size + 6; };
        const auto zeros = [&](std::string& bytes) { bytes[name(bytes) + 3] = '\0'; };
        const auto isNoUtf8 = [&](std::string& bytes) { bytes[name(bytes) + 3] = '\xff'; };
        const auto isOther = [&](std::string& bytes) { bytes[name(bytes) - 6] = 7; };
        for (const std::function<void(std::string&)>& change :
             {std::function<void(std::string&)>(zeros), {isNoUtf8}, {isOther}})
            QCOMPARE(run.after("FRAMEWORK/torch.op_range", change), QStringLiteral("repaired raw.odd_text x1"));
    }

    void aReleaseOfMemoryThatNobodyAllocated() {
        ChangedRun run;
        const auto atOther = [](std::string& bytes) {
            put<kRawMemoryUsage, "pointer">(bytes, valueAt(bytes, 3), 12345);
        };
        QCOMPARE(run.after("FRAMEWORK/torch.memory_usage", atOther), QStringLiteral("info raw.lone_release x2"));
        const auto isRelease = [](std::string& bytes) { put<kRawMemoryUsage, "event">(bytes, valueAt(bytes, 3), 1); };
        QCOMPARE(run.after("FRAMEWORK/torch.memory_usage", isRelease),
                 QStringLiteral("info raw.lone_release x3, info raw.memory_jump x1"));
    }

    void memoryOfTheHost() {
        ChangedRun run;
        const auto change = [](std::string& bytes) {
            put<kRawMemoryUsage, "device_type">(bytes, valueAt(bytes, 0), 0);
            put<kRawMemoryUsage, "device_type">(bytes, valueAt(bytes, 1), 0);
            put<kRawMemoryUsage, "device_type">(bytes, valueAt(bytes, 2), 0);
            put<kRawMemoryUsage, "allocator">(bytes, valueAt(bytes, bytes.size() / 83 - 1), 1);
        };
        QCOMPARE(run.after("FRAMEWORK/torch.memory_usage", change), QStringLiteral("info raw.other_memory x4"));
    }

    /// What is allocated changes by what the record says, and is a part of what is in use and reserved.
    void totalsOfMemoryThatDoNotFollow() {
        ChangedRun run;
        const auto after = [&run](const std::function<void(std::string&)>& change) {
            return run.after("FRAMEWORK/torch.memory_usage", change);
        };
        const QString jump = QStringLiteral("info raw.memory_jump x");
        // Of another allocator: between the records beside it the totals change by what only it says.
        QCOMPARE(after([](std::string& bytes) { put<kRawMemoryUsage, "component">(bytes, valueAt(bytes, 6), 1); }),
                 jump + u'1');
        QCOMPARE(after([](std::string& bytes) { put<kRawMemoryUsage, "allocated">(bytes, valueAt(bytes, 6), 4097); }),
                 jump + u'2');
        QCOMPARE(after([](std::string& bytes) { put<kRawMemoryUsage, "reserved">(bytes, valueAt(bytes, 6), 5); }),
                 jump + u'1');
        QCOMPARE(after([](std::string& bytes) { put<kRawMemoryUsage, "active">(bytes, valueAt(bytes, 7), 12288); }),
                 jump + u'2');
        // Real captures free the block first: then both totals fall with it, and not with the release.
        QCOMPARE(after([](std::string& bytes) {
                     put<kRawMemoryUsage, "event">(bytes, valueAt(bytes, 7), 2);
                     put<kRawMemoryUsage, "active">(bytes, valueAt(bytes, 7), 4096);
                     put<kRawMemoryUsage, "event">(bytes, valueAt(bytes, 8), 1);
                 }),
                 QString());
    }

    void aCallOfPythonThatNeverReturns() {
        ChangedRun run;
        const auto calls = [](std::initializer_list<std::uint8_t> tags) {
            return [tags](std::string& bytes) {
                std::uint64_t time = 5'000'100;
                for (const std::uint8_t tag : tags)
                    bytes +=
                        RecordBytes<kRawPythonCall>().set<"time">(time++).set<"thread">(4242).set<"tag">(tag).text();
            };
        };
        QCOMPARE(run.after("FRAMEWORK/torch.python_tracer_func", calls({0, 2, 3, 1})), QString());
        QCOMPARE(run.after("FRAMEWORK/torch.python_tracer_func", calls({0, 2, 3})),
                 QStringLiteral("info raw.lone_frame x1"));
        QCOMPARE(run.after("FRAMEWORK/torch.python_tracer_func", calls({1, 0, 1, 3})),
                 QStringLiteral("info raw.lone_frame x2"));
    }

    void aKernelThatNobodyDescribes() {
        ChangedRun run;
        // The description is of the call before, whose operator then is described twice.
        const auto change = [](std::string& bytes) {
            put<kRawNodeInfo, "time">(bytes, kRawNodeInfo.size, 5'000'000 + 2000 + 1350);
        };
        QCOMPARE(run.after(kHostData + "aging.compact.node_basic_info.slice_0", change),
                 QStringLiteral("repaired raw.undescribed x1"));
    }

    void aKernelThatIsDescribedAsNone() {
        ChangedRun run;
        for (const std::uint32_t type : {3U, 9U, 11U}) {
            const auto change = [type](std::string& bytes) {
                put<kRawNodeInfo, "task_type">(bytes, kRawNodeInfo.size, type);
            };
            QCOMPARE(run.after(kHostData + "aging.compact.node_basic_info.slice_0", change),
                     QStringLiteral("info raw.no_kernel x1"));
        }
    }

    void aPartOfACollectiveThatNoTaskIs() {
        ChangedRun run;
        // The task of the first part (behind 8 kernels): of a time at which there is no call.
        const auto change = [](std::string& bytes) {
            put<kRawTaskTrack, "time">(bytes, 8 * kRawTaskTrack.size, 5'000'001);
        };
        QVERIFY(run.after(kHostData + "unaging.compact.task_track.slice_0", change)
                    .contains(QStringLiteral("info raw.unused x1")));
    }

    void aPartOfACollectiveThatNobodyDescribes() {
        ChangedRun run;
        const auto change = [](std::string& bytes) { bytes.resize(3 * kRawHcclTask.size); };
        QVERIFY(run.after(kHostData + "unaging.additional.hccl_info.slice_0", change)
                    .contains(QStringLiteral("repaired raw.undescribed x6")));
    }

    void copiesWhoseTypeIsNoneOfCopies() {
        ChangedRun run;
        const auto change = [](std::string& bytes) { bytes.replace(bytes.find("MEMCPY_ASYNC"), 6, "MEMSET"); };
        QCOMPARE(run.after(kHostData + "unaging.additional.type_info_dic.slice_0", change),
                 QStringLiteral("info raw.lone_task x6"));
    }

    void aCollectiveThatBeganBeforeTheRecording() {
        ChangedRun run;
        const auto change = [](std::string& bytes) { put<kRawStars, "time">(bytes, 16 * kRawStars.size, 5); };
        QVERIFY(
            run.after("PROF_000001_20260101000000000_ABCDEFGHIJKLMNOP/device_0/data/stars_soc.data.0.slice_0", change)
                .contains(QStringLiteral("info raw.early x2")));
    }

    void aSequenceOnTwoThreadsWithoutBackward() {
        ChangedRun run;
        const auto change = [](std::string& bytes) { put<kRawOpRange, "forward_thread">(bytes, valueAt(bytes, 3), 0); };
        QCOMPARE(run.after("FRAMEWORK/torch.op_range", change), QStringLiteral("info raw.lone_backward x1"));
    }

    void aFileOfTheFrameworkIsEmpty() {
        ChangedRun run;
        QCOMPARE(run.after("FRAMEWORK/torch.gc_record", [](std::string&) {}),
                 QStringLiteral("info raw.slice_empty x1"));
    }

    void aCopyOfWhichNoTaskIs() {
        ChangedRun run;
        // The second part of the first collective copies.
        const std::uint64_t time = 5'000'000 + 9 * 2000 + 700;
        const auto copy = [](std::uint64_t at) {
            return [at](std::string& bytes) {
                bytes = RecordBytes<kRawMemoryCopy>()
                            .set<"magic">(kRawHostMagic)
                            .set<"thread">(4243)
                            .set<"time">(at)
                            .set<"bytes">(5)
                            .set<"most">(5)
                            .text();
            };
        };
        QCOMPARE(run.after(kHostData + "unaging.compact.memcpy_info.slice_0", copy(time)), QString());
        QCOMPARE(run.after(kHostData + "unaging.compact.memcpy_info.slice_0", copy(time + 1)),
                 QStringLiteral("info raw.lone_copy x1"));
    }
};

ALTI_TEST(TestRawCounterparts)
#include "tst_raw_counterparts.moc"
