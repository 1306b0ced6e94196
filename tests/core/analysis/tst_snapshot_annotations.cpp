#include "core/analysis/snapshot/device_snapshot.h"
#include "tests/core/analysis/snapshot_script.h"
#include "tests/support/test_main.h"

#include <map>
#include <random>
#include <string>

using namespace altiscope;

/// Times and annotations of a history's entries, and which blocks have which.
class TestSnapshotAnnotations : public QObject {
    Q_OBJECT
private slots:
    void aBlockHasThatOfItsAllocation() {
        test::SnapshotScript script;
        script.segment(4096, 1 << 20);
        script.older(4096, 100);
        script.annotation = "forward";
        script.alloc(8192, 10);
        script.annotation.clear();
        script.alloc(12288, 20);
        script.annotation = "late";
        script.note(8192);   // it has one
        script.note(12288);  // it has none yet
        script.note(12288 + 512);
        script.annotation = "later";
        script.note(12288);
        script.free(8192);
        script.annotation.clear();
        script.alloc(8192, 30);  // another block
        const auto snapshot = script.snapshot();
        QVERIFY(snapshot->hasAnnotations);
        std::map<std::int64_t, std::string> texts;  // by bytes
        for (const BlockLife& block : snapshot->blocks) texts[block.bytes] = snapshot->annotationText(block.annotation);
        QCOMPARE(texts, (std::map<std::int64_t, std::string>{{10, "forward"}, {20, "late"}, {30, ""}, {100, ""}}));
        QCOMPARE(std::string(snapshot->entryAnnotation(1)), std::string("forward"));
        QVERIFY(snapshot->entryAnnotation(2).empty());
        QVERIFY(snapshot->entryAnnotation(kBeforeHistory).empty());
        QCOMPARE(snapshot->annotations.size(), 3U);
    }

    void withoutAnyThereIsNone() {
        test::SnapshotScript script;
        script.segment(4096, 1 << 20);
        script.alloc(4096, 10);
        const auto snapshot = script.snapshot();
        QVERIFY(!snapshot->hasAnnotations && !snapshot->firstTime);
        QVERIFY(!snapshot->timeAt(1) && !snapshot->timeAt(kBeforeHistory));
        QCOMPARE(snapshot->annotations.size(), 1U);
    }

    /// Whole blocks of rows without any are passed over.
    void fewAmongMany() {
        for (unsigned seed = 1; seed <= 5; ++seed) {
            std::mt19937 random(seed);
            test::SnapshotScript script;
            script.segment(4096, std::int64_t{1} << 40);
            std::map<EventNumber, std::string> expected;
            std::map<EventNumber, std::int64_t> times;
            for (std::int64_t i = 0; i < 6000; ++i) {
                script.annotation.clear();
                script.time.reset();
                if (random() % 1500 == 0)
                    expected[static_cast<EventNumber>(script.events())] = script.annotation =
                        "a" + std::to_string(i % 3);
                if (random() % 1500 == 0) times[static_cast<EventNumber>(script.events())] = *(script.time = 1000 + i);
                script.alloc(4096 + i * 512, 1 + i);
            }
            const auto snapshot = script.snapshot();
            for (const BlockLife& block : snapshot->blocks) {
                const auto known = expected.find(block.begin);
                QCOMPARE(std::string(snapshot->annotationText(block.annotation)),
                         known == expected.end() ? std::string() : known->second);
            }
            QCOMPARE(snapshot->hasAnnotations, !expected.empty());
            QCOMPARE(snapshot->firstTime.has_value(), !times.empty());
            if (!times.empty()) QCOMPARE(snapshot->firstTime->value, times.begin()->second);
            for (EventNumber at = 0; at < snapshot->events; ++at)
                QCOMPARE(snapshot->timeAt(at).has_value(), times.contains(at));
        }
    }
};

ALTI_TEST(TestSnapshotAnnotations)
#include "tst_snapshot_annotations.moc"
