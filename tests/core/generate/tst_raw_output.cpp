#include "core/generate/raw/raw_collective_steps.h"
#include "core/generate/raw/raw_output.h"
#include "core/generate/raw/raw_tensor_lists.h"
#include "core/generate/raw/raw_texts.h"
#include "tests/support/test_main.h"

#include <map>
#include <string>

using namespace altiscope;
using namespace altiscope::generate;

namespace {

/// Keeps how long each file is, or its text if that is short.
class KeepingTarget : public OutputTarget {
public:
    Result<std::unique_ptr<OutputStream>> open(const std::filesystem::path& relative) override {
        return std::unique_ptr<OutputStream>(std::make_unique<Stream>(files[relative.string()]));
    }
    std::map<std::string, std::string> files;

private:
    class Stream : public OutputStream {
    public:
        explicit Stream(std::string& text) : m_text(text) {}
        Result<Done> write(std::string_view text) override {
            m_text += text;
            return Done{};
        }
        Result<Done> close() override { return Done{}; }

    private:
        std::string& m_text;
    };
};

QString tensorsOf(std::string_view shapes, std::string_view types, std::string_view formats) {
    std::vector<RawTensor> tensors;
    addRawTensors(shapes, types, formats, true, tensors);
    QString text;
    for (const RawTensor& tensor : tensors) {
        for (const std::uint32_t number : tensor) text += QString::number(number) + u' ';
        text += u'|';
    }
    return text;
}

}  // namespace

/// Parts of the writer of raw data.
class TestRawOutput : public QObject {
    Q_OBJECT
private slots:
    void slicesEndWithWholeRecords() {
        KeepingTarget target;
        RawSlices slices(target, "host/data/x");
        const std::string records(std::size_t{5} << 22, 'r');  // 20 MiB
        for (int i = 0; i < 3; ++i) QVERIFY(slices.write(records).ok());
        QVERIFY(slices.write({}).ok());
        QVERIFY(slices.close().ok());
        QCOMPARE(slices.bytes(), std::uint64_t{3 * 20971520});
        QCOMPARE(target.files.size(), std::size_t{4});
        QCOMPARE(target.files["host/data/x.slice_0"].size(), std::size_t{2 * 20971520});
        QCOMPARE(target.files["host/data/x.slice_1"].size(), std::size_t{20971520});
        QCOMPARE(target.files["host/data/x.slice_0.done"], std::string("filesize:41943040"));
        QCOMPARE(target.files["host/data/x.slice_1.done"], std::string("filesize:20971520"));
    }

    void nothingIsNoFile() {
        KeepingTarget target;
        RawSlices slices(target, "x");
        QVERIFY(slices.write({}).ok() && slices.close().ok());
        QVERIFY(target.files.empty());
    }

    void tensors() {
        QCOMPARE(tensorsOf("N/A", "N/A", "N/A"), QString());
        QCOMPARE(tensorsOf("128,64;", "DT_BF16;INT64", "FORMAT_ND;NCHW"),
                 QStringLiteral("1 2 27 128 64 0 0 0 0 0 0 |1 0 9 0 0 0 0 0 0 0 0 |"));
        QCOMPARE(tensorsOf("1,2,3,4,5,6,7,8", "COMPLEX", "FRACTAL_Z"),
                 QStringLiteral("1 4 4294967295 1 2 3 4 5 6 7 8 |"));
    }

    void texts() {
        RawTexts texts;
        QCOMPARE(texts.hash(""), std::uint64_t{0});
        QCOMPARE(texts.hash("ab"), texts.hash("ab"));
        QVERIFY(texts.hash("ab") != texts.hash("ba"));
        QCOMPARE(texts.hashes(),
                 std::to_string(texts.hash("ab")) + ":ab\n" + std::to_string(texts.hash("ba")) + ":ba\n");
        QCOMPARE(texts.aclType(5, "aclnnAdd"), std::uint32_t{5 << 16 | 1});
        QCOMPARE(texts.aclType(3, "aclnnAdd"), std::uint32_t{3 << 16 | 2});
        QCOMPARE(texts.aclType(5, "aclnnAdd"), std::uint32_t{5 << 16 | 1});
        const std::string types = texts.types();
        for (const char* line : {"10000_5:launch\n", "5500_65537:master\n", "5000_0:KERNEL_AICORE\n",
                                 "20000_327681:aclnnAdd\n", "20000_196610:aclnnAdd\n"})
            QVERIFY2(types.find(line) != std::string::npos, line);
        QVERIFY(types.find("5000_98:") == std::string::npos);
    }

    /// The main plane has the first and the last step; behind what RDMA sends are as many notifications as its end needs.
    void collectives() {
        PlayedCollective record;
        record.view.start = TimeNs{100};
        record.view.end = TimeNs{900};
        record.tasks = {{TimeNs{100}, {32 * 50}, PlaneTaskKind::Memcpy, Transport::Local, 0, 0, 0, 64},
                        {TimeNs{200}, {32 * 30}, PlaneTaskKind::Memcpy, Transport::Rdma, 1, 7, 1, 64}};
        for (const auto& [operation, notifies] :
             {std::pair(CollectiveOperation::AllReduce, std::size_t{4}), {CollectiveOperation::Send, std::size_t{2}}}) {
            record.view.operation = operation;
            const auto steps = rawCollectiveSteps(record);
            QCOMPARE(steps.size(), 4 + notifies);
            for (const std::size_t end : {std::size_t{0}, steps.size() - 1}) {
                QVERIFY(steps[end].role == RawCollectiveStep::Role::Frame);
                QCOMPARE(steps[end].task.plane, 1U);
                QCOMPARE(steps[end].task.peer, 7U);
                QCOMPARE(steps[end].task.start.value, end == 0 ? std::int64_t{100} : std::int64_t{900});
            }
            for (std::size_t i = 3; i < 3 + notifies; ++i) {
                QVERIFY(steps[i].role == RawCollectiveStep::Role::RdmaNotify);
                QCOMPARE(steps[i].task.start.value, std::int64_t{230});
            }
        }
    }
};

ALTI_TEST(TestRawOutput)
#include "tst_raw_output.moc"
