#include "core/store/columns/home_range.h"
#include "core/store/columns/trace_store.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_text.h"

#include <string>
#include <vector>

using namespace altiscope;
using altiscope::test::traceFromText;

class TestHomeRange : public QObject {
    Q_OBJECT
private slots:
    /// Of 60 events three on each side tell nothing. The others lie within 1 ms, so that 10 ms on either side belong to
    /// them: to the nanosecond.
    void eventsAtTheLimitsBelongToIt() {
        std::string text = "p1/t1:";
        for (int i = 0; i < 56; ++i) text += " !a[" + std::to_string(20'000'000 + i) + "]";
        const std::int64_t low = 20'000'001, high = 20'000'054, reach = 10'000'000;
        for (const std::int64_t time : {low - reach - 1, low - reach, high + reach, high + reach + 1})
            text += " !a[" + std::to_string(time) + "]";
        const auto store = traceFromText(text);
        QCOMPARE(store->homeRange().begin.value, low - reach);
        QCOMPARE(store->homeRange().end.value, high + reach);
        std::vector<std::int64_t> far;
        eachFarEvent(*store, [&](const FarEvent& event) { far.push_back(event.time.value); });
        QCOMPARE(far, (std::vector<std::int64_t>{low - reach - 1, high + reach + 1}));
    }
};

ALTI_TEST(TestHomeRange)
#include "tst_home_range.moc"
