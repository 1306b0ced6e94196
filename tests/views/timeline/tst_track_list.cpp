#include "views/timeline/panels/track_list.h"

#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"

using namespace altiscope;

namespace {

std::string namesOf(const ListedSlices& listed) {
    std::string text;
    for (const SliceSpan& span : listed.spans) {
        const TraceStore& trace = storeOf(listed.selection, span.selected);
        for (std::uint32_t i = span.first; i < span.last; ++i)
            text +=
                std::to_string(listed.selection.ranks[span.selected].rank.value) + std::string(trace.name({i})) + ' ';
    }
    return text;
}

}  // namespace

class TestTrackList : public QObject {
    Q_OBJECT
private slots:
    void slicesOfTheTracksWithinTheTimes();
};

void TestTrackList::slicesOfTheTracksWithinTheTimes() {
    const auto capture = test::captureFromTexts({"p1/t1: A[0,100) B[10,20) C[90,95)\np1/t2: D[0,5)", "p1/t1: E[0,10)"});
    const auto id = [&](std::uint32_t rank, std::uint32_t track) {
        return capture->ranks[rank].trace->track({track}).id;
    };
    const TrackChoice one{.capture = {1}, .parts = {{.rank = {0}, .track = id(0, 0)}}};
    const TrackChoice all{.capture = {1},
                          .parts = {{.rank = {0}, .track = id(0, 0)},
                                    {.rank = {0}, .track = id(0, 1)},
                                    {.rank = {1}, .track = id(1, 0)},
                                    {.rank = {9}, .track = id(0, 0)}}};
    const std::vector<RankWindow> always{{0, std::nullopt}, {1, std::nullopt}};
    QCOMPARE(namesOf(slicesOfTracks(capture, one, always)), std::string("0A 0B 0C "));
    QCOMPARE(namesOf(slicesOfTracks(capture, all, always)), std::string("0A 0B 0C 0D 1E "));
    // Once each, though the first lasts over both times.
    QCOMPARE(namesOf(slicesOfTracks(capture, all, {{0, std::vector{TimeRange{{12}, {15}}, TimeRange{{92}, {93}}}}})),
             std::string("0A 0B 0C "));
    QCOMPARE(namesOf(slicesOfTracks(capture, one, {{1, std::nullopt}})), std::string());
}

ALTI_TEST(TestTrackList)
#include "tst_track_list.moc"
