#include "core/import/raw/raw_torch_tree.h"
#include "core/import/raw_records/raw_torch.h"
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

std::string opBytes(std::uint64_t begin, std::uint64_t end, std::uint64_t thread, const std::string& name) {
    return tlvBytes(1, RecordBytes<kRawOpRange>()
                               .set<"begin">(begin)
                               .set<"end">(end)
                               .set<"sequence">(-1)
                               .set<"process">(1)
                               .set<"thread">(thread)
                               .text() +
                           tlvBytes(2, name) + tlvBytes(4, "2,3;4"));
}

std::string markBytes(std::uint64_t time, std::uint64_t kind, std::uint64_t correlation, std::uint64_t thread) {
    return tlvBytes(2, RecordBytes<kRawOpMark>()
                               .set<"time">(time)
                               .set<"kind">(kind)
                               .set<"correlation">(correlation)
                               .set<"thread">(thread)
                               .set<"process">(1)
                               .text() +
                           tlvBytes(1, "aclnnAdd"));
}

std::string callBytes(std::uint64_t time, std::uint64_t key, std::uint8_t tag) {
    return RecordBytes<kRawPythonCall>().set<"time">(time).set<"thread">(5).set<"key">(key).set<"tag">(tag).text();
}

/// What is read of a folder, on the clock of the test: ns since one second after 1970.
struct TorchFolder {
    RawTorch torch;
    std::string problems;

    explicit TorchFolder(const TestFolder& folder) {
        Diagnostics diagnostics;
        ProgressSlot progress;
        const CancelToken cancel;
        RawContext context{diagnostics, progress, cancel};
        torch = readRawTorch(folder.path(), "F", RawClock(1'000'000'000, 0, 1'000'000'000), context);
        problems = dumpDiagnostics(diagnostics);
    }
    std::string opText() const {
        std::string text;
        for (const RawTorchOp& op : torch.ops)
            text += torch.texts.text(op.name) + ' ' + std::to_string(op.begin - 1'000'000'000) + ' ' +
                    std::to_string(op.end - op.begin) + ' ' + torch.texts.text(op.shapes) + '\n';
        return text;
    }
};

}  // namespace

/// Files of FRAMEWORK, from bytes to operators, queue, stacks and memory.
class TestRawFramework : public QObject {
    Q_OBJECT
private slots:
    void operators() {
        const TestFolder folder;
        folder.write("torch.op_range", opBytes(10, 30, 5, "outer") + opBytes(12, 20, 5, "inner"));
        const TorchFolder read(folder);
        QCOMPARE(QString::fromStdString(read.opText()), QStringLiteral("outer 10 20 2,3;4\ninner 12 8 2,3;4\n"));
        QVERIFY(read.problems.empty());
        const RawTorchTree tree(read.torch);
        QVERIFY(tree.parent(0) == RawTorchTree::kNone && tree.parent(1) == 0);
        QVERIFY(tree.innermostAt(1'000'000'015) == 1 && tree.innermostAt(1'000'000'025) == 0);
        // Before the first operator that one counts, and within it likewise: what torch_npu's search does.
        QCOMPARE(tree.innermostAt(1'000'000'005), std::uint32_t{1});
        QCOMPARE(tree.innermostAt(1'000'000'035), RawTorchTree::kNone);
    }

    /// Wherever the file ends, what is whole is read, and the cut is named with its place.
    void cutAnywhere() {
        const std::string one = opBytes(10, 30, 5, "a"), two = opBytes(40, 50, 5, "bc");
        for (std::size_t cut = 0; cut <= one.size() + two.size(); ++cut) {
            const TestFolder folder;
            folder.write("torch.op_range", (one + two).substr(0, cut));
            const TorchFolder read(folder);
            const std::size_t whole = (cut >= one.size() ? 1U : 0U) + (cut == one.size() + two.size() ? 1U : 0U);
            QCOMPARE(read.torch.ops.size(), whole);
            const bool isCut = cut != 0 && cut != one.size() && cut != one.size() + two.size();
            const std::string byte = std::to_string(cut < one.size() ? 0 : one.size());
            QCOMPARE(read.problems, cut == 0 ? "info raw.slice_empty F/torch.op_range x1\n"
                                    : isCut  ? "lost raw.cut F/torch.op_range x1 byte " + byte + '\n'
                                             : std::string());
        }
    }

    /// Values of another type, too short ones, and lengths beyond the file.
    void badRecords() {
        const TestFolder folder;
        const std::string good = opBytes(10, 30, 5, "a");
        std::string hostile = good;
        hostile[2] = hostile[3] = hostile[4] = hostile[5] = '\xff';
        folder.write("torch.op_range", tlvBytes(9, std::string(80, 'x')) + tlvBytes(1, "short") + good + hostile);
        const TorchFolder read(folder);
        QCOMPARE(read.torch.ops.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(read.problems),
                 QString::fromStdString("lost raw.bad_record F/torch.op_range x2 byte 0, byte 86\nlost raw.cut "
                                        "F/torch.op_range x1 byte " +
                                        std::to_string(97 + good.size()) + '\n'));
    }

    /// An end meets the newest begin of its thread, name and side; correlations lead from one side to the other.
    void queue() {
        const TestFolder folder;
        folder.write("torch.op_range", opBytes(5, 100, 5, "op"));
        folder.write("torch.op_mark", markBytes(10, 0, 7, 5) + markBytes(12, 0, 7, 5) + markBytes(14, 1, 7, 5) +
                                          markBytes(20, 2, 7, 6) + markBytes(40, 3, 7, 6) + markBytes(41, 3, 8, 6));
        const TorchFolder read(folder);
        QCOMPARE(read.torch.enqueues.size(), std::size_t{1});
        QCOMPARE(read.torch.enqueues[0].begin, std::int64_t{1'000'000'012});
        QCOMPARE(read.torch.dequeues.size(), std::size_t{1});
        QCOMPARE(read.torch.dequeues[0].end, std::int64_t{1'000'000'040});
        QCOMPARE(QString::fromStdString(read.problems), QStringLiteral("lost raw.unpaired F/torch.op_mark x2\n"));
        QVERIFY(RawTorchTree(read.torch).ownerOf(0) == 0);
        QVERIFY((rawQueueWork(read.torch, {1'000'000'000, 1'000'000'030, 1'000'000'090}) ==
                 std::vector<std::uint32_t>{RawTorchTree::kNone, 0, RawTorchTree::kNone}));
    }

    /// Modules are numbered by class; what never returns lasts to the last record.
    void frames() {
        const TestFolder folder;
        folder.write(
            "torch.python_tracer_hash",
            tlvBytes(4, RecordBytes<kRawPythonText>().set<"key">(1).text() + tlvBytes(1, "Linear######a")) +
                tlvBytes(4, RecordBytes<kRawPythonText>().set<"key">(2).text() + tlvBytes(1, "Linear######b")));
        folder.write("torch.python_tracer_func", callBytes(10, 1, 0) + callBytes(20, 2, 0) + callBytes(30, 2, 1) +
                                                     callBytes(40, 3, 2) + callBytes(50, 9, 1) + "tail");
        const TorchFolder read(folder);
        std::string text;
        for (const RawPythonFrame& frame : read.torch.frames)
            text += read.torch.texts.text(frame.name) + ' ' + std::to_string(frame.end - frame.begin) + ' ' +
                    std::to_string(frame.id) + ' ' + std::to_string(frame.parent) + '\n';
        QCOMPARE(QString::fromStdString(text),
                 QStringLiteral("nn.Module: Linear_1 10 1 0\n3 10 3 0\nnn.Module: Linear_0 40 0 0\n"));
        QCOMPARE(QString::fromStdString(read.problems),
                 QStringLiteral("lost raw.cut F/torch.python_tracer_func x1 byte 165\n"
                                "info raw.lone_frame F/torch.python_tracer_func x1\n"
                                "repaired raw.odd_text F/torch.python_tracer_hash x1\n"));
    }
};

ALTI_TEST(TestRawFramework)
#include "tst_raw_framework.moc"
