#include "views/common/support/landing_view.h"

#include "tests/support/test_main.h"

using namespace altiscope;

class TestLandingView : public QObject {
    Q_OBJECT
private slots:
    void whatIsThereAlone_data();
    void whatIsThereAlone();
};

void TestLandingView::whatIsThereAlone_data() {
    QTest::addColumn<QByteArrayList>("present");
    QTest::addColumn<int>("view");
    const auto add = [](const char* clause, const QByteArrayList& present, std::optional<ViewId> view) {
        QTest::addRow("%s", clause) << present << (view ? static_cast<int>(*view) : -1);
    };
    add("a snapshot", {"snapshot"}, ViewId::Snapshot);
    add("a dump of msMemScope", {"memory", "snapshot"}, ViewId::Snapshot);
    add("tables of memory", {"memory"}, ViewId::Memory);
    add("a table of kernels", {"kernels"}, ViewId::Operators);
    add("a matrix", {"communication"}, ViewId::Communication);
    add("a timeline", {"timeline"}, std::nullopt);
    add("a whole capture", {"communication", "kernels", "memory", "snapshot", "steps", "timeline"}, std::nullopt);
    add("steps of a cluster", {"cluster", "communication"}, std::nullopt);
    add("nothing that a page is about", {"raw"}, std::nullopt);
    add("nothing", {}, std::nullopt);
}

void TestLandingView::whatIsThereAlone() {
    QFETCH(QByteArrayList, present);
    QFETCH(int, view);
    std::vector<std::string_view> words;
    for (const QByteArray& word : present) words.emplace_back(word.constData(), static_cast<std::size_t>(word.size()));
    const auto found = landingView(words);
    QCOMPARE(found ? static_cast<int>(*found) : -1, view);
}

ALTI_TEST(TestLandingView)
#include "tst_landing_view.moc"
