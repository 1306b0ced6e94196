#pragma once

#include <QTest>

#include <functional>
#include <vector>

namespace altiscope::test {

/// Runs one test class with the program's arguments.
using TestRun = std::function<int(int argc, char** argv)>;

struct RegisteredTest {
    const char* name;
    TestRun run;
};

/// All classes of this program, in order of registration. The room's test program runs each of them, or those that the
/// environment variable ALTI_TEST_CLASSES names (with commas between).
std::vector<RegisteredTest>& registeredTests();

struct Registration {
    Registration(const char* name, TestRun run) { registeredTests().push_back({name, std::move(run)}); }
};

}  // namespace altiscope::test

/// Puts a Qt Test class into the program of its room: one program per room keeps linking cheap.
/// Usage at the end of tst_x.cpp:   ALTI_TEST(TestX)   then   #include "tst_x.moc"
#define ALTI_TEST(Class)                                                                                               \
    static const altiscope::test::Registration registered##Class{#Class, [](int argc, char** argv) {                   \
                                                                     Class test;                                       \
                                                                     return QTest::qExec(&test, argc, argv);           \
                                                                 }};
