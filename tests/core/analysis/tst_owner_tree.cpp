#include "core/analysis/memory/owner_tree.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <map>
#include <random>
#include <string>

using namespace altiscope;

namespace {

AliveMemory aliveOf(const std::vector<std::pair<std::string, std::int64_t>>& owners) {
    AliveMemory alive{.at = {7}, .holders = {}};
    for (const auto& [name, bytes] : owners) {
        alive.holders.push_back({.name = name, .bytes = bytes, .count = 2, .oldest = {}});
        alive.bytes += bytes;
        alive.count += 2;
    }
    return alive;
}

/// "0 ''=30/6 1 PTA=30/6 ...": depth, label, bytes and allocations of each node.
std::string textOf(const OwnerTree& tree) {
    std::string text;
    for (const OwnerNode& node : tree.nodes)
        text += std::to_string(node.depth) + ' ' +
                (node.isUnused        ? "unused"
                 : node.label.empty() ? "''"
                                      : node.label) +
                '=' + std::to_string(node.bytes) + '/' + std::to_string(node.count) + ' ';
    return text;
}

}  // namespace

/// Owners of memory by their labels, against sums made by hand and by brute force.
class TestOwnerTree : public QObject {
    Q_OBJECT
private slots:
    void labelsAreLevels();
    void poolsHaveWhatTheyDoNotGiveOut();
    void sumsAreThoseOfAllBelow();
    void pathsAreFoundAgain();
    void hostileNames();
};

void TestOwnerTree::labelsAreLevels() {
    const OwnerTree tree = ownerTree(
        aliveOf({{"PTA@model@weight", 10}, {"PTA@model@gradient", 30}, {"PTA", 5}, {"CANN@HCCL", 7}, {"", 1}}), {});
    QCOMPARE(textOf(tree), std::string("0 ''=53/10 1 PTA=45/6 2 model=40/4 3 gradient=30/2 3 weight=10/2 2 ''=5/2 "
                                       "1 CANN=7/2 2 HCCL=7/2 1 ''=1/2 "));
    QCOMPARE(tree.nodes[3].holder, std::string("PTA@model@gradient"));
    QCOMPARE(tree.nodes[5].holder, std::string("PTA"));
    QVERIFY(tree.nodes[2].holder.empty());
    QCOMPARE(textOf(ownerTree(aliveOf({}), {})), std::string("0 ''=0/0 "));
}

void TestOwnerTree::poolsHaveWhatTheyDoNotGiveOut() {
    const OwnerTree tree =
        ownerTree(aliveOf({{"PTA@weight", 10}, {"ATB", 4}, {"CANN@APP", 1}}), {{"PTA", 25}, {"ATB", 3}, {"GE", 100}});
    // A pool without an owner, or one that gives out more than it has, adds nothing.
    QCOMPARE(textOf(tree),
             std::string("0 ''=30/6 1 PTA=25/2 2 unused=15/0 2 weight=10/2 1 ATB=4/2 1 CANN=1/2 2 APP=1/2 "));
    // All together have no more than the driver has given out.
    QCOMPARE(textOf(ownerTree(aliveOf({{"PTA@weight", 10}, {"CANN@APP", 7}}), {{"PTA", 25}}, 20)),
             std::string("0 ''=20/4 1 PTA=13/2 2 weight=10/2 2 unused=3/0 1 CANN=7/2 2 APP=7/2 "));
    QCOMPARE(textOf(ownerTree(aliveOf({{"PTA@weight", 10}}), {{"PTA", 25}}, 5)),
             std::string("0 ''=10/2 1 PTA=10/2 2 weight=10/2 "));
    // One without labels has two parts then.
    QCOMPARE(textOf(ownerTree(aliveOf({{"PTA", 10}}), {{"PTA", 11}})),
             std::string("0 ''=11/2 1 PTA=11/2 2 ''=10/2 2 unused=1/0 "));
}

void TestOwnerTree::sumsAreThoseOfAllBelow() {
    std::mt19937 random(5);
    for (int round = 0; round < 50; ++round) {
        std::map<std::string, std::int64_t> owners;
        for (int i = 0; i < 60; ++i) {
            std::string name = "p" + std::to_string(random() % 3);
            for (auto level = random() % 5; level > 0; --level) name += "@l" + std::to_string(random() % 3);
            owners[name] += static_cast<std::int64_t>(random() % 1000 + 1);
        }
        const OwnerTree tree = ownerTree(aliveOf({owners.begin(), owners.end()}), {{"p1", 100'000'000}});
        for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
            std::string path;
            for (const std::string_view label : tree.path(node)) path += (path.empty() ? "" : "@") + std::string(label);
            const OwnerNode& one = tree.nodes[node];
            std::int64_t expected = 0;
            for (const auto& [name, bytes] : owners) {
                const bool isWithin = node == 0 || name == path || name.starts_with(path + '@');
                const bool isLeaf = one.end == node + 1;
                if (isLeaf ? name == one.holder : isWithin) expected += bytes;
            }
            if (one.isUnused) continue;
            const auto unused = std::find_if(tree.nodes.begin(), tree.nodes.end(), [](auto& n) { return n.isUnused; });
            QVERIFY(unused != tree.nodes.end());
            if (node == 0 || path == "p1") expected += unused->bytes;
            QCOMPARE(one.bytes, expected);
            // Parts are their whole, the largest first.
            const auto parts = tree.children(node);
            std::int64_t sum = 0, last = std::numeric_limits<std::int64_t>::max();
            for (const std::uint32_t part : parts) {
                QCOMPARE(tree.nodes[part].parent, node);
                QVERIFY(tree.nodes[part].bytes <= last);
                last = tree.nodes[part].bytes;
                sum += last;
            }
            if (!parts.empty()) QCOMPARE(sum, one.bytes);
        }
    }
}

void TestOwnerTree::pathsAreFoundAgain() {
    const OwnerTree tree = ownerTree(aliveOf({{"PTA@model@weight", 10}, {"PTA@x", 30}}), {{"PTA", 50}});
    for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
        if (tree.nodes[node].isUnused) continue;
        std::vector<std::string> path;
        for (const std::string_view label : tree.path(node)) path.emplace_back(label);
        QCOMPARE(tree.find(path), node);
    }
    QCOMPARE(tree.find({"PTA", "model", "gone", "weight"}), tree.find({"PTA", "model"}));
    QCOMPARE(tree.find({"ATB"}), 0U);
}

/// Neither depth nor sums leave their bounds.
void TestOwnerTree::hostileNames() {
    std::string deep = "a";
    for (int i = 0; i < 100'000; ++i) deep += "@b";
    const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    const OwnerTree tree = ownerTree(aliveOf({{deep, huge - 10}, {"@@@", 3}, {"a@", 4}}), {{"a", huge}});
    QCOMPARE(tree.nodes.front().bytes, huge);
    std::uint32_t deepest = 0;
    for (const OwnerNode& node : tree.nodes) deepest = std::max(deepest, node.depth);
    QCOMPARE(deepest, static_cast<std::uint32_t>(kMaxOwnerDepth));
}

ALTI_TEST(TestOwnerTree)
#include "tst_owner_tree.moc"
