#include "tests/support/test_main.h"

#include "core/analysis/support/lazy.h"

#include <atomic>
#include <optional>
#include <thread>

using namespace altiscope;

class TestLazy : public QObject {
    Q_OBJECT
private slots:
    void isMadeOnce() {
        Lazy<int> lazy;
        int made = 0;
        const auto make = [&] { return std::optional(++made); };
        const auto first = lazy.get(make, {});
        QCOMPARE(*first, 1);
        QCOMPARE(lazy.get(make, {}).get(), first.get());
    }

    void aCancelledMakerLeavesItToTheNext() {
        Lazy<int> lazy;
        QVERIFY(lazy.get([] { return std::optional<int>(); }, {}) == nullptr);
        QCOMPARE(*lazy.get([] { return std::optional(7); }, {}), 7);
    }

    void whoWaitsForAnotherCanBeCancelled() {
        Lazy<int> lazy;
        std::atomic<bool> isMaking{false}, mayEnd{false};
        std::thread maker([&] {
            lazy.get(
                [&] {
                    isMaking = true;
                    while (!mayEnd) std::this_thread::yield();
                    return std::optional(1);
                },
                {});
        });
        while (!isMaking) std::this_thread::yield();
        const CancelToken token;
        token.requestCancel();
        // The maker goes on until this one has come back: a plain lock would wait for ever.
        const auto none = lazy.get([] { return std::optional(2); }, token);
        mayEnd = true;
        maker.join();
        QVERIFY(none == nullptr);
        QCOMPARE(*lazy.get([] { return std::optional(3); }, {}), 1);
    }
};

ALTI_TEST(TestLazy)
#include "tst_lazy.moc"
