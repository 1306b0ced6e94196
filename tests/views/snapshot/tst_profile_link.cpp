#include "core/analysis/slices/slice_details.h"
#include "tests/views/snapshot/snapshot_stage.h"
#include "views/snapshot/canvas/block_canvas.h"
#include "views/snapshot/data/profile_link.h"

#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

bool generateTwins(const QString& path, const std::vector<std::string>& formats, const std::string& seed) {
    std::vector<std::string> words{path.toStdString(), "--ranks", "2", "--steps", "3", "--layers", "2", "--seed", seed};
    for (const std::string& format : formats) words.insert(words.end(), {"--format", format});
    ProgressSlot progress;
    const auto options = generate::parseGenerateOptions(words);
    return options.ok() && generate::generateCapture(options.value(), progress, {}).ok();
}

/// The slice that is selected, as SQL would find it: by its id in the trace.
std::string selectedName(const SnapshotFixture& fixture) {
    const SelectionState& state = fixture.selection.current();
    const OpenCapture* open = fixture.session.capture(state.capture);
    if (open == nullptr || !state.slice) return {};
    const auto found = findSlice(*open->store, *state.slice);
    return found ? std::string(open->store->ranks[found->rank.value].trace->name(found->slice)) : std::string();
}

}  // namespace

/// A snapshot and a profile of the same rank: generated twins.
class TestProfileLink : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(generateTwins(path("both"), {"text", "snapshot"}, "1"));
        QVERIFY(generateTwins(path("profile"), {"text"}, "1"));
        QVERIFY(generateTwins(path("snapshot"), {"snapshot"}, "1"));
    }

    void everyAllocationHasItsTimeAndSize();
    void aProfileMayBeACaptureOfItsOwn();
    void aBlockLeadsToTheOperatorThatAllocatedIt();
    void theTimelineShowsOnTheHistoryAndBack();
    void withoutAProfileNothingIsClaimed();
    void timesSetByHand();

private:
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QTemporaryDir m_folder;
};

void TestProfileLink::everyAllocationHasItsTimeAndSize() {
    SnapshotFixture fixture(path("both"));
    ProfileLink& link = fixture.page.link();
    QVERIFY(link.profile());
    QCOMPARE(link.profile()->capture, fixture.id);
    const SnapshotAgreement& agreement = link.agreement();
    QVERIFY(agreement.verdict == SnapshotAgreement::Verdict::Agrees);
    QVERIFY(agreement.inHistory > 100);
    QCOMPARE(agreement.outside, 0U);
    QVERIFY(!link.text().isEmpty());
    // The twins are of one run: what the framework allocated in the profile is the end of the history, one by one.
    constexpr RowKind A = RowKind::Allocation;
    const RowTable& rows = *link.profile()->entry().rows->find(A);
    std::vector<std::pair<std::int64_t, std::int64_t>> recorded;
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (rows.integer(fixedColumn(A, "stream"), row))
            recorded.emplace_back(*rows.integer(fixedColumn(A, "alloc_ts"), row),
                                  *rows.integer(fixedColumn(A, "size"), row));
    std::stable_sort(recorded.begin(), recorded.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    QCOMPARE(agreement.shared, recorded.size());
    QCOMPARE(agreement.unshared, 0U);
    std::vector<EventNumber> allocations;
    for (EventNumber at = 0; at < fixture.device().events; ++at)
        if (fixture.device().entry(at).action == SnapshotAction::Alloc) allocations.push_back(at);
    QCOMPARE(allocations.size(), agreement.inHistory);
    const std::size_t before = allocations.size() - recorded.size();
    for (std::size_t i = 0; i < allocations.size(); ++i) {
        const auto time = link.clock().timeOf(allocations[i]);
        QCOMPARE(time.has_value(), i >= before);
        if (!time) continue;
        QCOMPARE(time->value, recorded[i - before].first);
        QCOMPARE((fixture.device().entry(allocations[i]).size + 511) / 512 * 512, recorded[i - before].second);
    }
}

void TestProfileLink::aProfileMayBeACaptureOfItsOwn() {
    SnapshotFixture fixture(path("snapshot"));
    ProfileLink& link = fixture.page.link();
    QVERIFY(!link.profile());
    const auto profile = openAndWait(fixture.session, path("profile"));
    fixture.selection.showCapture(fixture.id);
    fixture.settle();
    QVERIFY(link.profile());
    QCOMPARE(link.profile()->capture, profile);
    QVERIFY(link.agreement().verdict == SnapshotAgreement::Verdict::Agrees);
    fixture.session.close(profile);
    fixture.settle();
    QVERIFY(!link.profile());
    QVERIFY(link.clock().empty());
}

void TestProfileLink::aBlockLeadsToTheOperatorThatAllocatedIt() {
    SnapshotFixture fixture(path("both"));
    ProfileLink& link = fixture.page.link();
    QSignalSpy timeline(&fixture.page, &SnapshotPage::timelineRequested);
    const auto& blocks = fixture.device().blocks;
    std::size_t led = 0;
    for (BlockNumber block = 0; block < blocks.size(); block += 1 + static_cast<BlockNumber>(blocks.size() / 20)) {
        const SnapshotMoment* moment = link.clock().momentOf(blocks[block].begin);
        if (moment == nullptr) continue;
        link.goToOperator(block);
        fixture.settle();
        const RowTables& rows = *link.profile()->entry().rows;
        const RowTable& table = *rows.find(RowKind::Allocation);
        const auto name = table.text(fixedColumn(RowKind::Allocation, "name"), moment->row);
        // The slice of that operator, around the time of the allocation.
        QCOMPARE(selectedName(fixture), std::string(rows.text(*name)));
        const auto found = findSlice(*link.profile()->store, *fixture.selection.current().slice);
        const TraceStore& trace = *link.profile()->entry().trace;
        QVERIFY(trace.begin(found->slice) <= moment->time && moment->time <= trace.end(found->slice));
        QCOMPARE(timeline.size(), static_cast<qsizetype>(++led));
    }
    QVERIFY(led >= 10);
}

void TestProfileLink::theTimelineShowsOnTheHistoryAndBack() {
    SnapshotFixture fixture(path("both"));
    ProfileLink& link = fixture.page.link();
    QSignalSpy moments(&fixture.page, &SnapshotPage::momentChanged);
    const auto& known = link.clock().moments;
    const SnapshotMoment &first = known[known.size() / 4], &second = known[known.size() / 2];
    fixture.page.selection().setEvent(first.event);
    QCOMPARE(moments.last().at(2).value<std::optional<TimeNs>>(), std::optional(first.time));
    QVERIFY(!link.eventTime().isEmpty());
    SelectionState state = fixture.selection.current();
    state.capture = fixture.id;
    state.range = TimeRange{first.time, second.time};
    fixture.selection.set(state);
    QVERIFY(link.timelineEvents());
    QVERIFY(*link.timelineEvents() == (EventRange{first.event, second.event}));
    // Ranks may be drawn elsewhere than recorded: marked times are those as drawn.
    const DurationNs later{5'000'000};
    fixture.selection.setShifts(fixture.id, std::make_shared<const std::vector<DurationNs>>(2, later));
    QVERIFY(link.timelineEvents() != std::optional(EventRange{first.event, second.event}));
    fixture.selection.setRange(TimeRange{first.time + later, second.time + later});
    QVERIFY(*link.timelineEvents() == (EventRange{first.event, second.event}));
    // Before the history there is nothing.
    fixture.selection.setRange(TimeRange{{known[0].time.value - 2000}, {known[0].time.value - 1000}});
    QVERIFY(!link.timelineEvents());
}

void TestProfileLink::withoutAProfileNothingIsClaimed() {
    SnapshotFixture fixture(path("snapshot"));
    ProfileLink& link = fixture.page.link();
    QVERIFY(link.text().contains(u"No timeline"));
    QVERIFY(link.eventTime().isEmpty());
    QSignalSpy said(&fixture.page, &SnapshotPage::statusMessage);
    link.goToOperator(0);
    QCOMPARE(said.size(), 1);
    QVERIFY(!fixture.selection.current().slice);
}

void TestProfileLink::timesSetByHand() {
    SnapshotFixture fixture(path("both"));
    ProfileLink& link = fixture.page.link();
    const auto known = link.clock().moments;
    const auto set = [&](EventNumber event, std::int64_t time) {
        fixture.page.selection().setEvent(event);
        link.setByHand({time});
    };
    set(10, known[0].time.value);
    QCOMPARE(link.clock().moments.size(), 1U);
    set(30, known[0].time.value + 2000);
    QCOMPARE(link.clock().timeOf(20)->value, known[0].time.value + 1000);
    QVERIFY(link.text().contains(u"by hand"));
    // An operator is not named by times that people have set: the time is marked.
    const auto& blocks = fixture.device().blocks;
    const auto within = std::find_if(blocks.begin(), blocks.end(),
                                     [](const BlockLife& block) { return block.begin > 10 && block.begin < 30; });
    QVERIFY(within != blocks.end());
    link.goToOperator(static_cast<BlockNumber>(within - blocks.begin()));
    fixture.settle();
    QVERIFY(!fixture.selection.current().slice);
    QCOMPARE(fixture.selection.current().range->begin.value, known[0].time.value);
    set(40, known[0].time.value - 5000);
    QVERIFY(link.clock().empty());
    link.forgetByHand();
    QVERIFY(link.clock().moments == known);
}

ALTI_TEST(TestProfileLink)
#include "tst_profile_link.moc"
