#include "core/store/columns/trace_store.h"
#include "core/store/seal/trace_builder.h"
#include "tests/support/test_main.h"

#include <string>
#include <utility>

using namespace altiscope;

class TestTrackIds : public QObject {
    Q_OBJECT
private slots:
    /// Ids of tracks are hashes of what the source calls them; where two would be the same, one gets another, and that
    /// is said.
    void tracksOfOneIdentityGetIdsOfTheirOwn() {
        using namespace std::string_literals;
        TraceBuilder builder("test");
        TraceBuilder::Names names(builder);
        Segment segment;
        std::uint64_t offset = 0;
        for (const auto& [process, thread] : {std::pair("a"s, "b\0tc"s), {"a\0tb"s, "c"s}, {"a"s, "c"s}})
            segment.slices.add(names.thread(process, thread), 10, 5, names.text("x"), names.text(""),
                               SourcePos::make(0, ++offset));
        builder.commit(SourcePos::make(0, 0), std::move(segment));
        Diagnostics diagnostics;
        const auto store = builder.seal("test", diagnostics, {}).value();
        QCOMPARE(store->tracks().size(), std::size_t{3});
        for (std::size_t a = 0; a < 3; ++a) {
            for (std::size_t b = 0; b < a; ++b) QVERIFY(store->tracks()[a].id.value != store->tracks()[b].id.value);
        }
        const auto entries = diagnostics.entries();
        QCOMPARE(entries.size(), std::size_t{1});
        QCOMPARE(entries[0].code, std::string("duplicate_track_id"));
        QCOMPARE(entries[0].count, std::uint64_t{1});
    }
};

ALTI_TEST(TestTrackIds)
#include "tst_track_ids.moc"
