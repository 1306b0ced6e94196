#include "core/base/memory/discard.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <future>
#include <optional>
#include <thread>

using namespace altiscope;

namespace {

/// Tells on which thread it is destroyed, if it was not moved from.
class Witness {
public:
    explicit Witness(std::promise<std::thread::id> ended) : m_ended(std::move(ended)) {}
    Witness(Witness&& other) noexcept : m_ended(std::exchange(other.m_ended, std::nullopt)) {}
    Witness(const Witness&) = delete;
    Witness& operator=(const Witness&) = delete;
    Witness& operator=(Witness&&) = delete;
    ~Witness() {
        if (m_ended) m_ended->set_value(std::this_thread::get_id());
    }

private:
    std::optional<std::promise<std::thread::id>> m_ended;
};

}  // namespace

class TestDiscard : public QObject {
    Q_OBJECT

private slots:
    void whatWasNotCancelledIsDestroyedByItsOwner() {
        std::promise<std::thread::id> promise;
        auto ended = promise.get_future();
        {
            const CancelToken cancel;
            Witness witness(std::move(promise));
            const DiscardOnCancel later(cancel, witness);
        }
        QCOMPARE(ended.wait_for(std::chrono::seconds(0)), std::future_status::ready);
        QVERIFY(ended.get() == std::this_thread::get_id());
    }

    void whatWasCancelledIsDestroyedOnceAndElsewhere() {
        std::promise<std::thread::id> first, second;
        auto firstEnded = first.get_future(), secondEnded = second.get_future();
        {
            const CancelToken cancel;
            Witness one(std::move(first)), two(std::move(second));
            const DiscardOnCancel later(cancel, one, two);
            cancel.requestCancel();
        }
        QVERIFY(firstEnded.get() != std::this_thread::get_id());
        QVERIFY(secondEnded.get() != std::this_thread::get_id());
    }

    void sharedOnesLiveOnWithTheirOtherOwners() {
        std::promise<std::thread::id> promise;
        auto ended = promise.get_future();
        auto shared = std::make_shared<const Witness>(std::move(promise));
        discardAside(shared);
        discardAside(nullptr);
        const std::weak_ptr<const Witness> watched = shared;
        while (watched.use_count() > 1) std::this_thread::yield();
        QCOMPARE(ended.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
        shared.reset();
        QCOMPARE(ended.wait_for(std::chrono::seconds(0)), std::future_status::ready);
    }
};

ALTI_TEST(TestDiscard)
#include "tst_discard.moc"
