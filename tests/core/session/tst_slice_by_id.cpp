#include "core/session/find/slice_by_id.h"

#include "core/session/session.h"
#include "tests/support/test_main.h"

using namespace altiscope;

class TestSliceSearch : public QObject {
    Q_OBJECT
private slots:
    void findsInWhateverRank();
};

void TestSliceSearch::findsInWhateverRank() {
    JobRunner jobs;
    Session session(jobs);
    const CaptureId id =
        session.open(qEnvironmentVariable("ALTI_SOURCE_DIR") + QStringLiteral("/tests/golden/torch_two_ranks/capture"));
    QVERIFY(QTest::qWaitFor([&] { return session.capture(id)->job == 0; }, 10'000));
    const CaptureStore& store = *session.capture(id)->store;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        const TraceStore& trace = *store.ranks[rank].trace;
        for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
            const std::optional<SliceKey> found = findSliceInAnyRank(store, trace.id({i}));
            QVERIFY(found == (SliceKey{.rank = {rank}, .id = trace.id({i})}));
        }
    }
    QVERIFY(!findSliceInAnyRank(store, SliceId{1}));
    QVERIFY(!findSliceInAnyRank(CaptureStore{}, SliceId{1}));
}

ALTI_TEST(TestSliceSearch)
#include "tst_slice_by_id.moc"
