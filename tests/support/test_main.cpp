#include "tests/support/test_main.h"

#include <QCoreApplication>
#ifdef ALTI_TEST_WIDGETS
#include <QApplication>
#endif

namespace altiscope::test {

std::vector<TestRun>& registeredTests() {
    static std::vector<TestRun> tests;
    return tests;
}

} // namespace altiscope::test

int main(int argc, char** argv) {
#ifdef ALTI_TEST_WIDGETS
    QApplication app(argc, argv);
#else
    QCoreApplication app(argc, argv);
#endif
    int failures = 0;
    for (const auto& run : altiscope::test::registeredTests()) failures += run(argc, argv);
    return failures == 0 ? 0 : 1;
}
