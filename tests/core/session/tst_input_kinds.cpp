#include "core/session/reading/input_kinds.h"

#include "tests/support/test_main.h"

#include <QtTest>

using namespace altiscope;

class TestInputKinds : public QObject {
    Q_OBJECT
private slots:
    /// The file dialog offers what opens by itself; of CSV files dumps of msMemScope do.
    void whatOpensIsOfferedByItsEnding() {
        const std::vector<std::string> expected{"altipack", "csv", "db",  "gz",  "json", "jsonl",
                                                "pickle",   "pkl", "tar", "tgz", "zip",  "zst"};
        QCOMPARE(inputEndings(), expected);
    }
};

ALTI_TEST(TestInputKinds)
#include "tst_input_kinds.moc"
