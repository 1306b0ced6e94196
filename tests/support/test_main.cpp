#include "tests/support/test_main.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QList>
#ifdef ALTI_TEST_WIDGETS
#include <QApplication>
#endif

#include <cstdio>

namespace altiscope::test {

std::vector<RegisteredTest>& registeredTests() {
    static std::vector<RegisteredTest> tests;
    return tests;
}

}  // namespace altiscope::test

int main(int argc, char** argv) {
#ifdef ALTI_TEST_WIDGETS
    QApplication app(argc, argv);
#else
    QCoreApplication app(argc, argv);
#endif
    const QByteArray wanted = qgetenv("ALTI_TEST_CLASSES");
    const QList<QByteArray> names = wanted.isEmpty() ? QList<QByteArray>() : wanted.split(',');
    int failures = 0;
    qsizetype found = 0;
    for (const auto& test : altiscope::test::registeredTests()) {
        if (!names.isEmpty() && !names.contains(test.name)) continue;
        ++found;
        failures += test.run(argc, argv);
    }
    if (found < names.size()) {
        std::fprintf(stderr, "ALTI_TEST_CLASSES names a class that is not here: %s\n", wanted.constData());
        return 1;
    }
    return failures == 0 ? 0 : 1;
}
