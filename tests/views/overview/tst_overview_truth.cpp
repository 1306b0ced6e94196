#include "core/base/threads/parallel.h"
#include "core/base/threads/progress.h"
#include "core/generate/generate_capture.h"
#include "core/generate/options/generate_options.h"
#include "core/query/database.h"
#include "core/query/results/row_sink.h"
#include "tests/support/test_main.h"
#include "tests/views/overview/golden_captures.h"
#include "views/overview/page/overview_tables.h"

#include <QTemporaryDir>

#include <algorithm>

using namespace altiscope;
using namespace altiscope::test;
using namespace Qt::StringLiterals;

namespace {

QString textOf(const Value& value) {
    switch (value.type) {
    case ValueType::Null: return u"-"_s;
    case ValueType::Integer: return QString::number(value.integer);
    case ValueType::Real: return QString::number(value.real, 'g', 12);
    case ValueType::Text: return QString::fromUtf8(value.bytes.data(), static_cast<qsizetype>(value.bytes.size()));
    case ValueType::Blob: break;
    }
    return u"?"_s;
}

class Lines : public RowSink {
public:
    bool begin(std::span<const std::string>) override { return true; }
    bool row(std::span<const Value> values) override {
        QStringList cells;
        for (const Value& value : values) cells << textOf(value);
        rows << cells.join(u'|');
        return true;
    }
    QStringList rows;
};

/// Cells of some columns of a table, a line a row, sorted.
QStringList linesOf(const ColumnTable& table, const std::vector<std::size_t>& columns) {
    QStringList lines;
    for (std::size_t row = 0; row < table.rowCount(); ++row) {
        QStringList cells;
        for (const std::size_t column : columns) {
            const std::int64_t cell = table.cell(column, row);
            const bool isText = table.columns()[column].type == CellType::Text;
            const std::string_view text = isText && cell != kAbsentCell ? table.text(column, cell) : std::string_view();
            cells << (cell == kAbsentCell ? u"-"_s
                      : isText            ? QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()))
                                          : QString::number(cell));
        }
        lines << cells.join(u'|');
    }
    lines.sort();
    return lines;
}

}  // namespace

/// What the overview shows of a capture against what the SQL says that its headings name.
class TestOverviewTruth : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void steps();
    void operators();
    void peaks();

private:
    QStringList sql(const char* statement) const {
        Lines lines;
        const auto result = m_database->run(statement, lines, {});
        if (result.failed()) return {QString::fromStdString(result.error().code)};
        lines.rows.sort();
        return lines.rows;
    }

    QTemporaryDir m_folder;
    std::unique_ptr<JobRunner> m_jobs;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<QueryDatabase> m_database;
    std::optional<OverviewNumbers> m_numbers;
};

void TestOverviewTruth::initTestCase() {
    const std::string output = (m_folder.path() + u"/run"_s).toStdString();
    const std::vector<std::string> words{output,     "--ranks", "4",       "--steps",       "3",
                                         "--layers", "2",       "--plant", "slow-rank=1:30"};
    auto options = generate::parseGenerateOptions(words);
    QVERIFY(!options.failed());
    ProgressSlot progress;
    WorkerArena arena;
    arena.run([&] { QVERIFY(!generate::generateCapture(options.value(), progress, {}).failed()); });
    m_jobs = std::make_unique<JobRunner>();
    m_session = std::make_unique<Session>(*m_jobs);
    const CaptureId id = openAndWait(*m_session, QString::fromStdString(output));
    QVERIFY(id != kNoCapture);
    const auto store = m_session->capture(id)->store;
    m_database = std::make_unique<QueryDatabase>(store);
    m_numbers = recordedOverview(store, {}, {});
    QVERIFY(m_numbers.has_value());
    const CaptureAnalysis analysis(store);
    arena.run([&] { QVERIFY(addComputed(*m_numbers, analysis, {})); });
}

void TestOverviewTruth::steps() {
    const QStringList expected =
        sql("WITH parts AS (SELECT rank_id, step, origin, computing + not_overlapped + free AS total, "
            "preparing, computing - overlapped AS alone, overlapped, not_overlapped_excl_receive AS exposed, "
            "not_overlapped - not_overlapped_excl_receive AS bubble, free FROM step_breakdown) "
            "SELECT b.rank_id, r.device_id, b.step, b.origin, b.total, c.total, "
            // Exact in both here: the generator writes what it counts.
            "c.total - b.total, b.preparing, "
            "b.alone, b.overlapped, b.exposed, b.bubble, b.free, c.preparing, c.alone, c.overlapped, c.exposed, "
            "c.bubble, c.free FROM parts b JOIN rank r USING (rank_id) JOIN parts c ON c.rank_id = b.rank_id AND "
            "c.step = b.step WHERE b.origin = 'recorded' AND c.origin = 'computed'");
    QCOMPARE(expected.size(), 4 * 3);
    const auto table = stepTable(*m_numbers, selectedSteps(*m_numbers, {}));
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < table->columns().size(); ++column)
        if (table->columns()[column].name != "host") columns.push_back(column);
    QCOMPARE(linesOf(*table, columns), expected);
}

void TestOverviewTruth::operators() {
    const QStringList expected = sql("SELECT name, core_type, origin, sum(count), sum(total), max(max), count(*) FROM "
                                     "op_stat GROUP BY name, core_type, origin");
    QVERIFY(expected.size() > 10);
    QCOMPARE(linesOf(*consumerTable(*m_numbers), {0, 1, 2, 3, 4, 7, 8}), expected);
}

void TestOverviewTruth::peaks() {
    const QStringList expected = sql("SELECT rank_id, component, max(reserved) FROM memory_sample WHERE reserved IS "
                                     "NOT NULL GROUP BY rank_id, component");
    QVERIFY(expected.size() >= 4);
    QCOMPARE(linesOf(*peakTable(*m_numbers, {}), {0, 2, 3}), expected);
}

ALTI_TEST(TestOverviewTruth)
#include "tst_overview_truth.moc"
