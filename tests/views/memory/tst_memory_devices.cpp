#include "core/base/threads/parallel.h"
#include "core/store/rows/row_builder.h"
#include "core/tables/rows/allocation_rows.h"
#include "tests/support/test_main.h"
#include "views/memory/data/memory_lines.h"
#include "views/memory/data/memory_tables.h"
#include "views/memory/data/rank_memory.h"

#include <QStringList>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

/// A sample and an allocation of each device, which hold 1, 2, 3 ... MiB.
std::shared_ptr<const CaptureStore> captureOf(const std::vector<std::int64_t>& devices) {
    RowTablesBuilder builder;
    RowBatch samples = builder.batch(RowKind::MemorySample), allocations = builder.batch(RowKind::Allocation);
    std::int64_t bytes = 0;
    for (const std::int64_t device : devices) {
        bytes += std::int64_t{1} << 20;
        samples.addRow();
        samples.setText(fixedColumn(RowKind::MemorySample, "component"), "PTA");
        samples.setInteger(fixedColumn(RowKind::MemorySample, "ts"), 10);
        samples.setInteger(fixedColumn(RowKind::MemorySample, "allocated"), bytes);
        samples.setInteger(fixedColumn(RowKind::MemorySample, "device_id"), device);
        allocations.addRow();
        allocations.setText(fixedColumn(RowKind::Allocation, "name"), "aten::add");
        allocations.setInteger(fixedColumn(RowKind::Allocation, "size"), bytes);
        allocations.setInteger(fixedColumn(RowKind::Allocation, "alloc_ts"), 5);
        allocations.setInteger(fixedColumn(RowKind::Allocation, "device_id"), device);
    }
    builder.commit(samples);
    builder.commit(allocations);
    auto capture = std::make_shared<CaptureStore>();
    capture->ranks.emplace_back().rows = builder.seal({}).value();
    return capture;
}

std::shared_ptr<const RankMemory> memoryOf(const std::vector<std::int64_t>& devices) {
    std::shared_ptr<const RankMemory> memory;
    WorkerArena arena(2);
    arena.run([&] { memory = rankMemory(captureOf(devices), {0}, false, {}, {}); });
    return memory;
}

QStringList namesOf(const std::vector<CurveLine>& lines) {
    QStringList names;
    for (const CurveLine& line : lines) names << line.name;
    return names;
}

}  // namespace

/// The memory page of a rank that recorded several NPUs.
class TestMemoryDevices : public QObject {
    Q_OBJECT
private slots:
    void eachDeviceHasItsCurve() {
        const auto memory = memoryOf({3, 4});
        QCOMPARE(namesOf(memoryLines(memory->set, MemoryGrouping::Overall)),
                 (QStringList{u"PTA, NPU 3 allocated"_s, u"PTA, NPU 4 allocated"_s}));
        // What is shown of the peak is that of the fuller one, of which it says so.
        QCOMPARE(memory->peak->value, std::int64_t{2} << 20);
        QCOMPARE(*memory->leading->device(), 4);
        const auto peaks = componentPeakTable(memory->peaks, {});
        QCOMPARE(peaks->rowCount(), std::size_t{2});
        QCOMPARE(peaks->columns().size(), componentPeakHeadings(memory->peaks).size());
        QCOMPARE(peaks->cell(static_cast<std::size_t>(PeakColumn::Device), 1), 4);
        const AllocationRows allocations(memory->entry().rows, {});
        QCOMPARE(allocations.cell(AllocationRows::Device, 0), 3);
        QCOMPARE(allocations.columns().size(), allocationHeadings(allocations).size());
    }

    void oneDeviceNeedsNoNumber() {
        const auto memory = memoryOf({3});
        QCOMPARE(namesOf(memoryLines(memory->set, MemoryGrouping::Overall)), QStringList{u"PTA allocated"_s});
        const auto peaks = componentPeakTable(memory->peaks, {});
        QCOMPARE(peaks->columns().back().name, std::string("unused_share_at"));
        QCOMPARE(peaks->columns().size(), componentPeakHeadings(memory->peaks).size());
        const AllocationRows allocations(memory->entry().rows, {});
        QCOMPARE(allocations.columns().back().name, std::string("stream"));
        QCOMPARE(allocations.columns().size(), allocationHeadings(allocations).size());
    }
};

ALTI_TEST(TestMemoryDevices)
#include "tst_memory_devices.moc"
