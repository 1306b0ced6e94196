#include "tests/views/communication/communication_stage.h"
#include "views/common/tables/table_panel.h"
#include "views/communication/data/link_table.h"

#include <bit>
#include <cmath>

using namespace altiscope;
using namespace altiscope::test;

namespace {

LinkMatrix matrixOf(std::vector<std::int64_t> ranks, std::vector<LinkSum> sums) {
    std::vector<LinkNode> nodes;
    for (const std::int64_t rank : ranks) nodes.push_back({rank, {}, 0});
    return LinkMatrix::make(std::move(nodes), {"HCCS"}, std::move(sums));
}

/// The rank of a node's place.
std::int64_t rankOf(const LinkMatrix& matrix, std::uint32_t node) { return *matrix.nodes()[node].rank; }

constexpr std::int64_t kMB = 1'000'000;

}  // namespace

/// Links of a base beside those that are shown.
class TestLinkBase : public QObject {
    Q_OBJECT
private slots:
    void linksOfOneSideAreThereOnBoth();
    void pictureShowsTheLargestChange();
    void tableHasTheNumbersOfTheBase();
};

void TestLinkBase::linksOfOneSideAreThereOnBoth() {
    const LinkMatrix now = matrixOf({0, 1, 2}, {{0, 1, 40 * kMB, 4'000'000, 2, 1}, {1, 2, 10 * kMB, 1'000'000, 1, 1}});
    const LinkMatrix before = matrixOf({0, 1, 3}, {{0, 1, 80 * kMB, 4'000'000, 4, 1}, {0, 2, 6 * kMB, 600'000, 1, 1}});
    const auto both = compareLinks(now, 2, before, 4, {});
    QVERIFY(both != nullptr);
    QVERIFY(both->current->nodes() == both->base->nodes());
    QCOMPARE(both->current->size(), std::size_t{3});
    QCOMPARE(both->base->size(), std::size_t{3});
    const LinkMatrix& matrix = *both->current;
    for (std::uint32_t source = 0; source < matrix.nodes().size(); ++source)
        for (std::size_t place = matrix.rowBegin(source); place < matrix.rowEnd(source); ++place) {
            const auto ends = std::pair(rankOf(matrix, source), rankOf(matrix, matrix.target(place)));
            const auto size = both->values(source, place, LinkMetric::Size),
                       time = both->values(source, place, LinkMetric::Time),
                       rate = both->values(source, place, LinkMetric::Bandwidth),
                       calls = both->values(source, place, LinkMetric::Count);
            QVERIFY(size && time && calls);
            if (ends == std::pair<std::int64_t, std::int64_t>(0, 1)) {
                QCOMPARE(size->current, 20e6);
                QCOMPARE(size->base, 20e6);
                QCOMPARE(time->current - time->base, 1e6);
                QVERIFY(rate && std::abs(rate->current - 10) < 1e-9 && std::abs(rate->base - 20) < 1e-9);
                QCOMPARE(calls->base, 1.0);
            } else if (ends.second == 2) {
                QCOMPARE(size->base, 0.0);
                QCOMPARE(time->current, 5e5);
                QVERIFY(!rate);
            } else {
                QCOMPARE(ends.second, std::int64_t{3});
                QCOMPARE(size->current, 0.0);
                QCOMPARE(time->base, 1.5e5);
            }
        }
}

void TestLinkBase::pictureShowsTheLargestChange() {
    const LinkMatrix now = matrixOf({0, 1}, {{0, 1, 40 * kMB, 4'000'000, 2, 1}, {1, 0, 10 * kMB, 1'000'000, 1, 1}});
    const LinkMatrix before = matrixOf({0, 1}, {{0, 1, 40 * kMB, 1'000'000, 2, 1}, {1, 0, 10 * kMB, 5'000'000, 1, 1}});
    const auto picture = LinkPicture::makeDifference(compareLinks(now, 1, before, 1, {}), LinkMetric::Time,
                                                     LinkPicture::Inner::Hidden, {});
    QVERIFY(picture && picture->isDifference());
    QCOMPARE(*picture->min(), -4e6);
    QCOMPARE(*picture->max(), 3e6);
    const auto cells = picture->sample({0, 0, 2, 2}, 2, 2);
    QVERIFY(std::isnan(cells[0]) && std::isnan(cells[3]));
    QCOMPARE(cells[1], 3e6F);
    QCOMPARE(cells[2], -4e6F);
    // One pixel for all: what changed most, in either direction.
    QCOMPARE(picture->sample({0, 0, 2, 2}, 1, 1).front(), -4e6F);
    QCOMPARE(*picture->ofSources()[0], 3e6);
    QCOMPARE(picture->standsFor({0, 0, 2, 2})->source, 1U);
}

void TestLinkBase::tableHasTheNumbersOfTheBase() {
    const SlowLinkCapture capture;
    QVERIFY(capture.made);
    CommunicationFixture fixture;
    fixture.open(capture.path());
    const auto tableOf = [&] {
        return std::dynamic_pointer_cast<const LinkTable>(fixture.page.matrix().links().table().loader().source());
    };
    QVERIFY(tableOf()->comparison() == nullptr);
    const auto store = fixture.session.capture(fixture.id)->store;
    const std::vector<std::int64_t> steps{store->ranks[0].steps[0].number, store->ranks[0].steps[1].number};
    ContextFilter context;
    context.steps = {steps[1]};
    fixture.selection.setContext(context);
    fixture.selection.setBase(BaseChoice{.capture = fixture.id, .ranks = {}, .steps = {steps[0]}});
    fixture.settle();
    const auto both = tableOf();
    QVERIFY(both->comparison() != nullptr && both->rowCount() > 0);
    QVERIFY(fixture.page.matrix().canvas().picture()->isDifference());
    // What is compared stands together.
    const auto nameOf = [&](std::size_t column) { return both->columns()[column].name; };
    QCOMPARE(nameOf(LinkTable::Bandwidth), std::string("bandwidth"));
    QCOMPARE(nameOf(LinkTable::Bandwidth + 1), std::string("base_bandwidth"));
    QCOMPARE(nameOf(both->column(LinkTable::BaseColumn::TimePerStep) + 1), std::string("base_transit"));
    QCOMPARE(both->headings().size(), both->columns().size());
    fixture.selection.setBase(std::nullopt);
    context.steps = {steps[0]};
    fixture.selection.setContext(context);
    fixture.settle();
    const auto before = tableOf();
    for (std::size_t row = 0; row < both->rowCount(); ++row) {
        const auto time = both->cell(both->column(LinkTable::BaseColumn::BaseTime), row);
        std::optional<std::int64_t> expected;
        for (std::size_t other = 0; other < before->rowCount(); ++other)
            if (before->text(0, before->cell(0, other)) == both->text(0, both->cell(0, row)) &&
                before->text(1, before->cell(1, other)) == both->text(1, both->cell(1, row)))
                expected = before->cell(LinkTable::Time, other);
        QVERIFY(expected);
        QCOMPARE(time, *expected);
        QCOMPARE(both->cell(both->column(LinkTable::BaseColumn::TimeDifference), row),
                 both->cell(both->column(LinkTable::BaseColumn::TimePerStep), row) - time);
    }
    QVERIFY(!fixture.page.matrix().canvas().picture()->isDifference());
}

ALTI_TEST(TestLinkBase)
#include "tst_link_base.moc"
