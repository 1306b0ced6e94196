#include "core/tables/overview/overview_numbers.h"

#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"

#include <map>
#include <utility>

using namespace altiscope;

/// The overview of a rank that recorded several devices.
class TestOverviewDevices : public QObject {
    Q_OBJECT
private slots:
    /// Four devices of one folder were shown as the mean of the four.
    void eachDeviceHasStepsOfItsOwn() {
        constexpr auto SB = RowKind::StepBreakdown;
        for (const int devices : {1, 4}) {
            RowTablesBuilder builder;
            RowBatch batch = builder.batch(SB);
            for (int device = 0; device < devices; ++device) {
                batch.addRow();
                batch.setText(fixedColumn(SB, "origin"), "recorded");
                batch.setInteger(fixedColumn(SB, "step"), 5);
                batch.setInteger(fixedColumn(SB, "computing"), 100 * (device + 1));
                // A step without one of its parts has no time.
                for (const char* part : {"not_overlapped", "free"}) batch.setInteger(rowColumn(SB, part), 0);
                batch.setInteger(fixedColumn(SB, "device_id"), device);
            }
            builder.commit(batch);
            const auto rows = builder.seal(CancelToken()).value();
            const std::vector<StepTime> times = stepTimesOf(*rows, {2});
            QCOMPARE(times.size(), static_cast<std::size_t>(devices));
            for (std::size_t i = 0; i < times.size(); ++i) {
                QCOMPARE(times[i].rank.value, 2U);
                QCOMPARE(times[i].total(), static_cast<std::int64_t>(100 * (i + 1)));
                // Of one device the rank itself tells the number.
                QCOMPARE(times[i].device, devices == 1 ? std::nullopt : std::optional(static_cast<std::int64_t>(i)));
            }
        }
    }
};

ALTI_TEST(TestOverviewDevices)
#include "tst_overview_devices.moc"
