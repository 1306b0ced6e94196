#include "core/import/csv/kernel_slices.h"

#include "core/store/rows/row_builder.h"
#include "core/store/seal/trace_builder.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <string>
#include <vector>

using namespace altiscope;

namespace {

constexpr auto K = RowKind::Kernel;

struct NamedRange {
    std::string name;
    std::int64_t begin = 0, duration = 0;
};

/// Each slice on a stream of its own, and one of the same name and time on the host; some on the host alone.
std::shared_ptr<const TraceStore> traceOf(const std::vector<NamedRange>& slices,
                                          const std::vector<NamedRange>& ofHost = {}) {
    TraceBuilder builder("test");
    TraceBuilder::Names names(builder);
    Segment segment;
    std::uint64_t offset = 0;
    builder.setProcessName("1", "Ascend Hardware", SourcePos::make(0, 0));
    builder.setProcessName("2", "Python", SourcePos::make(0, 0));
    for (std::size_t i = 0; i < slices.size(); ++i) {
        for (const char* process : {"1", "2"})
            segment.slices.add(names.thread(process, std::to_string(i)), slices[i].begin, slices[i].duration,
                               names.text(slices[i].name), names.text(""), SourcePos::make(0, ++offset));
    }
    for (const NamedRange& slice : ofHost)
        segment.slices.add(names.thread("2", "host"), slice.begin, slice.duration, names.text(slice.name),
                           names.text(""), SourcePos::make(0, ++offset));
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    Diagnostics diagnostics;
    return builder.seal("test", diagnostics, {}).value();
}

std::shared_ptr<const RowTables> tableOf(const std::vector<NamedRange>& kernels) {
    RowTablesBuilder builder;
    RowBatch batch = builder.batch(K);
    for (const NamedRange& kernel : kernels) {
        batch.addRow();
        batch.setText(fixedColumn(K, "name"), kernel.name);
        batch.setInteger(fixedColumn(K, "ts"), kernel.begin);
        batch.setInteger(fixedColumn(K, "dur"), kernel.duration);
    }
    builder.commit(batch);
    return builder.seal({}).value();
}

}  // namespace

class TestKernelSlices : public QObject {
    Q_OBJECT
private slots:
    /// The slice of a kernel has its name, begins within 1 ns of it, and is the nearest by begin, then by length.
    void slices_data() {
        QTest::addColumn<QString>("expected");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* what, const char* expected, const NamedRange& kernel,
                            const std::vector<NamedRange>& slices, const std::vector<NamedRange>& ofHost = {}) {
            const auto trace = traceOf(slices, ofHost);
            const RowTables tables = reader::withKernelSlices(*tableOf({kernel}), *trace);
            const auto slice = tables.find(K)->integer(fixedColumn(K, "slice_id"), 0);
            QString found = QStringLiteral("-");
            if (slice) {
                const SliceIndex index{static_cast<std::uint32_t>(*slice)};
                found = QStringLiteral("%1 %2+%3")
                            .arg(QString::fromStdString(std::string(trace->name(index))))
                            .arg(trace->begin(index).value)
                            .arg(trace->duration(index).value);
                if (trace->track({trace->runOf(index).track}).kind != TrackKind::Hardware)
                    found += QStringLiteral(" on the host");
            }
            QTest::addRow("%s", what) << QString::fromUtf8(expected) << found;
        };
        row("at its time", "A 100+10", {"A", 100, 10}, {{"A", 100, 10}});
        row("1 ns before", "A 99+10", {"A", 100, 10}, {{"A", 99, 10}});
        row("1 ns behind", "A 101+10", {"A", 100, 10}, {{"A", 101, 10}});
        row("2 ns before", "-", {"A", 100, 10}, {{"A", 98, 10}});
        row("2 ns behind", "-", {"A", 100, 10}, {{"A", 102, 10}});
        row("another name", "-", {"A", 100, 10}, {{"B", 100, 10}});
        row("another name is nearer", "A 101+10", {"A", 100, 10}, {{"B", 100, 10}, {"A", 101, 10}, {"C", 101, 10}});
        row("a name that the timeline lacks", "-", {"D", 100, 10}, {{"A", 100, 10}});
        row("behind the operator that launched it", "A 100+10", {"Default/net/A", 100, 10}, {{"A", 100, 10}});
        row("the whole name first", "S/A 100+12", {"S/A", 100, 10}, {{"A", 100, 10}, {"S/A", 100, 12}});
        row("the whole name is the operator of the host", "MatMul-op1 100+10", {"Default/network/MatMul-op1", 100, 10},
            {{"MatMul-op1", 100, 10}}, {{"Default/network/MatMul-op1", 50, 80}});
        row("the whole name at another time", "A 100+10", {"S/A", 100, 10}, {{"A", 100, 10}, {"S/A", 700, 10}});
        row("nothing behind the slash", "-", {"Default/", 100, 10}, {{"", 100, 10}});
        row("another kernel of the operator", "-", {"Default/A/B", 100, 10}, {{"A", 100, 10}});
        row("the nearer begin first", "A 100+90", {"A", 100, 10}, {{"A", 99, 10}, {"A", 100, 90}, {"A", 101, 10}});
        row("then the nearer length", "A 100+12", {"A", 100, 10}, {{"A", 100, 7}, {"A", 100, 12}, {"A", 100, 14}});
    }
    void slices() {
        QFETCH(QString, found);
        QTEST(found, "expected");
    }

    /// A table that pandas saved again, or a timeline that Python wrote anew, had no kernel on a slice.
    void timesThatWereDoublesOfMicroseconds() {
        constexpr std::int64_t kNow = 1'700'000'000'000'000'000;
        // Exact times, and what is printed of the doubles next to them.
        std::vector<NamedRange> exact{{"A", kNow + 123, 5'000},
                                      {"B", kNow + 10'377, 5'000},
                                      {"A", kNow + 20'611, 5'000},
                                      {"B", kNow + 30'999, 5'000}};
        // Fewer than eight may look so by chance.
        for (int i = 0; i < 4; ++i) exact.push_back({"C", kNow + 100'000 * (i + 1), 5'000});
        std::vector<NamedRange> kept = exact;
        kept[0].begin = kNow;
        kept[1].begin = kNow + 10'500;
        kept[2].begin = kNow + 20'500;
        kept[3].begin = kNow + 31'000;
        const auto found = [](const std::vector<NamedRange>& kernels, const std::vector<NamedRange>& slices) {
            return reader::withKernelSlices(*tableOf(kernels), *traceOf(slices))
                .find(K)
                ->presentCount(fixedColumn(K, "slice_id"));
        };
        QCOMPARE(found(kept, exact), std::size_t{8});
        QCOMPARE(found(exact, kept), std::size_t{8});
        const auto firstOf = [](const std::vector<NamedRange>& all) {
            return std::vector(all.begin(), all.begin() + 7);
        };
        QCOMPARE(found(firstOf(kept), firstOf(exact)), std::size_t{4});
        // One time that no double gives: those of the file were none.
        kept[3].begin = kNow + 31'130;
        QCOMPARE(found(kept, exact), std::size_t{4});
        // Farther away than doubles are from each other.
        kept[3].begin = kNow + 31'250;
        QCOMPARE(found(kept, exact), std::size_t{7});
    }
};

ALTI_TEST(TestKernelSlices)
#include "tst_kernel_slices.moc"
