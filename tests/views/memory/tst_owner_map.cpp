#include "tests/support/python_script.h"
#include "tests/views/memory/memory_stage.h"
#include "views/common/tables/table_panel.h"
#include "views/memory/canvas/owner_map.h"
#include "views/memory/data/tree_map.h"
#include "views/memory/panels/allocation_panel.h"
#include "views/memory/panels/holder_panel.h"
#include "views/memory/panels/idle_bar.h"
#include "views/memory/panels/owner_panel.h"

#include <QSignalSpy>
#include <QTabWidget>
#include <QToolButton>
#include <QWheelEvent>

#include <cmath>
#include <numeric>
#include <random>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

double areaOf(const QRectF& box) { return box.width() * box.height(); }

double number(std::mt19937& random, unsigned below) { return static_cast<double>(random() % below); }

OwnerTree treeOf(const std::vector<std::pair<std::string, std::int64_t>>& owners) {
    AliveMemory alive{.at = {7}, .holders = {}};
    for (const auto& [name, bytes] : owners)
        alive.holders.push_back({.name = name, .bytes = bytes, .count = 1, .oldest = {}});
    return ownerTree(alive, {});
}

OwnerTree randomTree(std::mt19937& random, int owners) {
    std::vector<std::pair<std::string, std::int64_t>> names;
    for (int i = 0; i < owners; ++i) {
        std::string name =
            "p" + std::to_string(random() % 4) + "@m" + std::to_string(random() % 6) + "@" + std::to_string(i);
        names.emplace_back(std::move(name), std::int64_t{1} << (random() % 30));
    }
    return treeOf(names);
}

std::size_t boxNamed(const OwnerMap& map, const QString& path) {
    for (std::size_t i = 0; i < map.boxes().size(); ++i) {
        if (!map.boxes()[i].isOthers() && map.pathOf(map.boxes()[i].node) == path) return i;
    }
    return map.boxes().size();
}

/// A place of a box at which nothing is drawn within.
QPoint placeIn(const OwnerMap& map, const QString& path) {
    const MapBox& box = map.boxes()[boxNamed(map, path)];
    return (box.box.topLeft() + QPointF(6, 6)).toPoint();
}

}  // namespace

/// Owners as a tree map: the layout against brute force, the widget by mouse, wheel and keys, and the page's moment.
class TestOwnerMap : public QObject {
    Q_OBJECT
private slots:
    void squaresFillTheArea();
    void boxesAreAsLargeAsTheirBytes();
    void smallOnesAreDrawnTogether();
    void keysAndPointerGoIn();
    void wayBackIsShown();
    void dumpOfMemscope_data();
    void dumpOfMemscope();
    void profileOfTorch();
    void limitsChooseAllocations_data() { dumpOfMemscope_data(); }
    void limitsChooseAllocations();
};

void TestOwnerMap::squaresFillTheArea() {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        std::vector<double> sizes(random() % 40 + 1);
        for (double& size : sizes) size = std::pow(10, static_cast<double>(random() % 100) / 20);
        std::sort(sizes.begin(), sizes.end(), std::greater<>());
        const double sum = std::accumulate(sizes.begin(), sizes.end(), 0.0);
        const QRectF area(number(random, 50), number(random, 50), number(random, 1000) + 1, number(random, 1000) + 1);
        const auto boxes = squarified(sizes, area);
        QCOMPARE(boxes.size(), sizes.size());
        double whole = 0;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            QVERIFY(std::abs(areaOf(boxes[i]) - areaOf(area) * sizes[i] / sum) < 1e-6 * areaOf(area));
            QVERIFY(area.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(boxes[i]));
            whole += areaOf(boxes[i]);
            for (std::size_t j = 0; j < i; ++j) QVERIFY(areaOf(boxes[i].intersected(boxes[j])) <= 1e-6 * areaOf(area));
        }
        QVERIFY(std::abs(whole - areaOf(area)) < 1e-6 * areaOf(area));
    }
    // The example that its authors give: 6 6 4 3 2 2 1 in 6 x 4. The first two stand above each other.
    const std::vector<double> sizes{6, 6, 4, 3, 2, 2, 1};
    const auto boxes = squarified(sizes, {0, 0, 6, 4});
    QCOMPARE(boxes[0], QRectF(0, 0, 3, 2));
    QCOMPARE(boxes[1], QRectF(0, 2, 3, 2));
    QVERIFY(squarified(sizes, {}).size() == sizes.size() && squarified({}, {0, 0, 5, 5}).empty());
}

void TestOwnerMap::boxesAreAsLargeAsTheirBytes() {
    std::mt19937 random(11);
    const MapStyle style;
    for (int round = 0; round < 60; ++round) {
        const OwnerTree tree = randomTree(random, static_cast<int>(random() % 300) + 1);
        const QRectF area(0, 0, number(random, 1500) + 20, number(random, 900) + 20);
        for (const std::uint32_t root : {std::uint32_t{0}, tree.children(0).front()}) {
            const auto boxes = treeMap(tree, root, area, style);
            QVERIFY(boxes.size() <= style.boxes * style.boxes);
            for (const MapBox& parent : boxes) QVERIFY(parent.level < style.levels);
            // Boxes of the first level share the area by their bytes.
            double whole = 0;
            std::int64_t bytes = 0;
            for (const MapBox& box : boxes) {
                if (box.level != 0) continue;
                QCOMPARE(tree.nodes[box.node].parent, root);
                whole += areaOf(box.box);
                bytes += box.bytes;
                const double share = static_cast<double>(box.bytes) / static_cast<double>(tree.nodes[root].bytes);
                QVERIFY(std::abs(areaOf(box.box) - share * areaOf(area)) < 1e-6 * areaOf(area));
            }
            QCOMPARE(bytes, tree.nodes[root].bytes);
            QVERIFY(std::abs(whole - areaOf(area)) < 1e-6 * areaOf(area));
            // Those within lie in their parent and have all of its bytes.
            for (const MapBox& parent : boxes) {
                if (!parent.hasHeading) continue;
                std::int64_t inner = 0;
                for (const MapBox& box : boxes) {
                    if (box.level != parent.level + 1 || tree.nodes[box.node].parent != parent.node) continue;
                    inner += box.bytes;
                    QVERIFY(parent.box.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(box.box));
                }
                QCOMPARE(inner, parent.bytes);
            }
        }
    }
}

void TestOwnerMap::smallOnesAreDrawnTogether() {
    std::vector<std::pair<std::string, std::int64_t>> owners{{"big", 1'000'000}};
    for (int i = 0; i < 5000; ++i) owners.emplace_back("small" + std::to_string(i), 3);
    const OwnerTree tree = treeOf(owners);
    const MapStyle style;
    const auto boxes = treeMap(tree, 0, {0, 0, 600, 400}, style);
    QCOMPARE(boxes.size(), std::size_t{2});
    QVERIFY(boxes[1].isOthers());
    QCOMPARE(boxes[1].together, 5000U);
    QCOMPARE(boxes[1].bytes, std::int64_t{15'000});
    // Many of one size: as many as may be drawn, and the rest.
    owners.clear();
    for (int i = 0; i < 5000; ++i) owners.emplace_back("equal" + std::to_string(i), 3);
    const auto many = treeMap(treeOf(owners), 0, {0, 0, 6000, 4000}, style);
    QCOMPARE(many.size(), style.boxes);
    QCOMPARE(std::count_if(many.begin(), many.end(), [](const MapBox& box) { return box.isOthers(); }), 1);
    QVERIFY(treeMap(tree, 0, {}, style).empty() && treeMap(tree, 99'999, {0, 0, 9, 9}, style).empty());
}

void TestOwnerMap::keysAndPointerGoIn() {
    OwnerMap map;
    map.resize(800, 500);
    map.show();
    map.setTree(std::make_shared<OwnerTree>(treeOf({{"PTA@model@weight", 400},
                                                    {"PTA@model@gradient", 300},
                                                    {"PTA@ops", 100},
                                                    {"ATB@ops", 90},
                                                    {"CANN@HCCL", 80}})));
    QSignalSpy moved(&map, &OwnerMap::rootChanged), wanted(&map, &OwnerMap::holderRequested);
    QCOMPARE(map.root(), 0U);
    QVERIFY(map.tipOf(map.boxes()[boxNamed(map, u"PTA › model › weight"_s)]).contains(u"41 % of all memory"_s));
    QVERIFY(map.tipOf(map.boxes()[boxNamed(map, u"PTA › model › weight"_s)]).contains(u"57 % of PTA › model"_s));
    // A click on the heading of a box.
    QTest::mouseClick(&map, Qt::LeftButton, {}, placeIn(map, u"PTA"_s));
    QCOMPARE(map.pathOf(map.root()), u"PTA"_s);
    QTest::keyClick(&map, Qt::Key_Return);
    QCOMPARE(map.pathOf(map.root()), u"PTA › model"_s);
    QCOMPARE(map.pathOf(*map.current()), u"PTA › model › weight"_s);
    // Keys go to the neighbour, and a box without parts leads to its allocations.
    QTest::keyClick(&map, Qt::Key_Right);
    QCOMPARE(map.pathOf(*map.current()), u"PTA › model › gradient"_s);
    QTest::keyClick(&map, Qt::Key_Left);
    QCOMPARE(map.pathOf(*map.current()), u"PTA › model › weight"_s);
    QTest::keyClick(&map, Qt::Key_Return);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.front().front().toString(), u"PTA@model@weight"_s);
    // The same place in the tree of another moment, or what is left of it.
    map.setTree(std::make_shared<OwnerTree>(treeOf({{"ATB@ops", 90}, {"PTA@model@weight", 4}})));
    QCOMPARE(map.pathOf(map.root()), u"PTA › model"_s);
    QTest::keyClick(&map, Qt::Key_Backspace);
    QCOMPARE(map.pathOf(map.root()), u"PTA"_s);
    QCOMPARE(map.pathOf(*map.current()), u"PTA › model"_s);
    map.setTree(std::make_shared<OwnerTree>(treeOf({{"ATB@ops", 90}, {"PTA@model@weight", 4}})));
    QTest::keyClick(&map, Qt::Key_Escape);
    QCOMPARE(map.root(), 0U);
    // At the whole these keys are of the window.
    QVERIFY(moved.count() > 0);
    moved.clear();
    QTest::keyClick(&map, Qt::Key_Escape);
    QTest::keyClick(&map, Qt::Key_Backspace);
    QCOMPARE(moved.count(), 0);
    const auto turn = [&](int angle) {
        QWheelEvent event(placeIn(map, u"ATB"_s), map.mapToGlobal(placeIn(map, u"ATB"_s)), {}, {0, angle}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&map, &event);
    };
    turn(60);
    QCOMPARE(map.root(), 0U);
    turn(60);
    QCOMPARE(map.pathOf(map.root()), u"ATB"_s);
    QWheelEvent back({5, 5}, map.mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                     Qt::NoScrollPhase, false);
    QApplication::sendEvent(&map, &back);
    QCOMPARE(map.root(), 0U);
    map.setTree(nullptr);
    QTest::keyClick(&map, Qt::Key_Return);
    QTest::mouseClick(&map, Qt::LeftButton, {}, {5, 5});
    QVERIFY(map.boxes().empty() && !map.grab().isNull());
}

void TestOwnerMap::wayBackIsShown() {
    JobRunner jobs;
    Session session{jobs};
    OwnerPanel panel(session);
    panel.resize(700, 400);
    panel.show();
    panel.map().setTree(std::make_shared<OwnerTree>(treeOf({{"A&B@model@weight", 400}, {"ATB", 4}})));
    panel.map().setRoot(2);
    const auto way = [&] {
        QStringList texts;
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        for (const QToolButton* button : panel.findChildren<QToolButton*>()) texts << button->text();
        return texts;
    };
    QCOMPARE(way(), (QStringList{u"All memory"_s, u"A&&B"_s, u"model"_s}));
    panel.findChildren<QToolButton*>()[1]->click();
    QCOMPARE(panel.map().root(), 1U);
    QCOMPARE(way(), (QStringList{u"All memory"_s, u"A&&B"_s}));
}

void TestOwnerMap::dumpOfMemscope_data() {
    QTest::addColumn<QString>("name");
    QTest::addRow("database") << u"memscope_dump_1.db"_s;
    QTest::addRow("csv") << u"memscope_dump_1.csv"_s;
}

void TestOwnerMap::dumpOfMemscope() {
    QFETCH(QString, name);
    QTemporaryDir folder;
    const QString file = folder.filePath(name);
    QVERIFY(runScript("make_memscope.py", {file.toStdString(), "--events", "400", "--seed", "4"}));
    MemoryFixture fixture(file);
    fixture.page.tabs().setCurrentWidget(&fixture.page.owners());
    fixture.settle();
    OwnerMap& map = fixture.page.owners().map();
    const auto tree = map.tree();
    QVERIFY(tree != nullptr);
    const AliveMemory& alive = *fixture.page.holders().alive();
    QCOMPARE(tree->at, alive.at);
    std::int64_t unused = 0;
    for (const OwnerNode& node : tree->nodes) unused += node.isUnused ? node.bytes : 0;
    QVERIFY(unused > 0);
    QCOMPARE(tree->nodes.front().bytes, alive.bytes + unused);
    map.setRoot(tree->find({"PTA", "model"}));
    QVERIFY(boxNamed(map, u"PTA › model › weight"_s) < map.boxes().size());
    // It follows the moment that is chosen on the curve.
    CurveCanvas& canvas = fixture.page.curves();
    const QPoint other(canvas.plotRect().left() + canvas.plotRect().width() * 2 / 3, canvas.plotRect().center().y());
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, other);
    fixture.settle();
    QVERIFY(map.tree()->at != tree->at);
    QCOMPARE(std::optional(map.tree()->at), fixture.page.holders().moment());
    // And leads to the allocations that it counts.
    const std::size_t box = boxNamed(map, u"PTA › model › weight"_s);
    QVERIFY(box < map.boxes().size());
    const std::uint64_t count = map.tree()->nodes[map.boxes()[box].node].count;
    QCOMPARE(map.pathOf(map.root()), u"PTA › model"_s);
    QTest::mouseClick(&map, Qt::LeftButton, {}, map.boxes()[box].box.center().toPoint());
    QTest::keyClick(&map, Qt::Key_Return);
    fixture.settle();
    QCOMPARE(fixture.page.tabs().currentWidget(), &fixture.page.allocations());
    QTRY_COMPARE(fixture.page.allocations().table().table().loader().rows()->count, count);
}

/// The fields of the list of allocations, against the rows that SQL would choose.
void TestOwnerMap::limitsChooseAllocations() {
    QFETCH(QString, name);
    QTemporaryDir folder;
    const QString file = folder.filePath(name);
    QVERIFY(runScript("make_memscope.py", {file.toStdString(), "--events", "400", "--seed", "4"}));
    MemoryFixture fixture(file);
    AllocationPanel& panel = fixture.page.allocations();
    fixture.page.tabs().setCurrentWidget(&panel);
    fixture.settle();
    QVERIFY(panel.limits().isVisible());
    const RowTable& table = *fixture.page.shown()->entry().rows->find(RowKind::Allocation);
    const auto uses = useColumns(table);
    QVERIFY(uses);
    const auto countOf = [&](double share) {
        std::size_t count = 0;
        for (std::size_t row = 0; row < table.size(); ++row) {
            const auto begin = table.integer(fixedColumn(RowKind::Allocation, "alloc_ts"), row),
                       end = table.integer(fixedColumn(RowKind::Allocation, "release_ts"), row);
            const auto first = table.real(uses->firstUse, row);
            if (begin && end && first && *first > share * static_cast<double>(*end - *begin)) ++count;
        }
        return count;
    };
    const auto shown = [&] {
        fixture.settle();
        return panel.table().table().loader().rows()->count;
    };
    QVERIFY(countOf(0.4) > 0 && countOf(0.4) < countOf(0.1) && countOf(0.1) < table.size());
    panel.limits().setLimits(IdleLimits{.early = {{}, 0.4}, .late = {}, .idle = {}});
    QTRY_COMPARE(shown(), countOf(0.4));
    panel.limits().setLimits(IdleLimits{.early = {{}, 0.1}, .late = {}, .idle = {}});
    QTRY_COMPARE(shown(), countOf(0.1));
    // Limits that are all off, and the box unchecked, leave all rows.
    panel.limits().setLimits(IdleLimits{});
    QTRY_COMPARE(shown(), table.size());
    panel.limits().setLimits(std::nullopt);
    QTRY_COMPARE(shown(), table.size());
    QCOMPARE(fixture.kept.value(u"memory/limits/early/share"_s).toInt(), 0);
}

/// Names without labels are owners of one level.
void TestOwnerMap::profileOfTorch() {
    const LeakingCapture capture(1);
    QVERIFY(capture.made);
    MemoryFixture fixture(capture.path());
    fixture.page.tabs().setCurrentWidget(&fixture.page.owners());
    fixture.settle();
    const auto tree = fixture.page.owners().map().tree();
    QVERIFY(tree != nullptr);
    QCOMPARE(tree->nodes.front().bytes, fixture.page.holders().alive()->bytes);
    QCOMPARE(tree->nodes.size(), fixture.page.holders().alive()->holders.size() + 1);
}

ALTI_TEST(TestOwnerMap)
#include "tst_owner_map.moc"
