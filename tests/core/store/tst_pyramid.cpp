#include "core/store/columns/pyramid.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <random>
#include <vector>

using namespace altiscope;

class TestPyramid : public QObject {
    Q_OBJECT
private slots:
    /// The greatest of each range of arrays of all lengths about the borders of blocks, with one element above all
    /// others.
    void everyElementCounts() {
        std::mt19937 random(3);
        const auto greater = [](int a, int b) { return std::max(a, b); };
        for (const std::size_t count : {1U, 15U, 16U, 17U, 31U, 32U, 33U, 255U, 256U, 257U, 300U, 4097U}) {
            const std::size_t step = count > 1000 ? 97 : 1;
            for (std::size_t spike = 0; spike < count; spike += step) {
                std::vector<int> elements(count);
                for (int& element : elements) element = static_cast<int>(random() % 100);
                elements[spike] = 1000;
                const auto leaf = [&](std::size_t i) { return elements[i]; };
                std::vector<int> nodes(pyramidNodes(count));
                buildPyramid(count, nodes.data(), leaf, greater);
                for (int i = 0; i < 20; ++i) {
                    const std::size_t from = random() % count, to = from + 1 + random() % (count - from);
                    QCOMPARE(foldPyramid<int>(count, nodes.data(), from, to, leaf, greater),
                             *std::max_element(elements.begin() + static_cast<std::ptrdiff_t>(from),
                                               elements.begin() + static_cast<std::ptrdiff_t>(to)));
                }
            }
        }
    }
};

ALTI_TEST(TestPyramid)
#include "tst_pyramid.moc"
