#include "core/store/rows/row_table.h"

#include "core/base/threads/parallel.h"
#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace altiscope;

namespace {

constexpr std::size_t kTs = fixedColumn(RowKind::Kernel, "ts");
constexpr std::size_t kName = fixedColumn(RowKind::Kernel, "name");
constexpr int kBlock = RowBlock::kBlock;

struct Cells {
    std::optional<std::int64_t> ts;
    std::optional<std::string> name;
    std::optional<double> metric;
};

std::shared_ptr<const RowTables> sealed(const std::vector<Cells>& rows, std::size_t batchRows) {
    WorkerArena arena(2);
    std::shared_ptr<const RowTables> tables;
    arena.run([&] {
        RowTablesBuilder builder;
        const std::size_t metric = builder.extraColumn(RowKind::Kernel, "aiv_time");
        RowBatch batch = builder.batch(RowKind::Kernel);
        for (const Cells& row : rows) {
            batch.addRow();
            if (row.ts) batch.setInteger(kTs, *row.ts);
            if (row.name) batch.setText(kName, *row.name);
            if (row.metric) batch.setReal(metric, *row.metric);
            if (batch.size() == batchRows) builder.commit(batch);
        }
        builder.commit(batch);
        tables = builder.seal({}).value();
    });
    return tables;
}

/// Cells of one kind of content, as many as asked.
std::vector<Cells> cellsOf(const QString& content, std::size_t count) {
    std::mt19937_64 random(7);
    std::vector<Cells> rows(count);
    for (std::size_t i = 0; i < count; ++i) {
        const bool absent = random() % 5 == 0;
        Cells& row = rows[i];
        if (content == QLatin1String("equal")) row = {42, "k", 0.5};
        if (content == QLatin1String("absent")) row = {};
        if (content == QLatin1String("one absent") && i != count / 2) row = {7, "", -0.0};
        if (content == QLatin1String("decimals") && !absent)
            row = {1736408883704643212 + static_cast<std::int64_t>(random() % 1000000),
                   "n" + std::to_string(random() % 300),
                   std::strtod((std::to_string(random() % 1000) + "." + std::to_string(random() % 1000000)).c_str(),
                               nullptr)};
        if (content == QLatin1String("extremes") && !absent)
            row = {random() % 2 == 0 ? std::numeric_limits<std::int64_t>::max() : kNoCell + 1,
                   std::string(random() % 4, 'x'),
                   random() % 2 == 0 ? std::numeric_limits<double>::max() : std::numeric_limits<double>::denorm_min()};
        if (content == QLatin1String("digits grow")) {
            const std::size_t place = i % RowBlock::kBlock;
            row = {static_cast<std::int64_t>(i), "d",
                   place < 400   ? static_cast<double>(place)
                   : place < 420 ? 0.5
                                 : 12.0625};
        }
        if (content == QLatin1String("digits grow too many"))
            row = {1, "d", i % RowBlock::kBlock == 0 ? 9e14 : i % RowBlock::kBlock < 500 ? 1.0 : 0.0625};
        if (content == QLatin1String("sums"))
            row = {static_cast<std::int64_t>(i * 0x1000000ULL), "s", 0.1 * static_cast<double>(i)};
    }
    return rows;
}

}  // namespace

class TestRowTable : public QObject {
    Q_OBJECT
private slots:
    void keepsCells_data() {
        QTest::addColumn<QString>("content");
        QTest::addColumn<int>("count");
        for (const char* content :
             {"equal", "absent", "one absent", "decimals", "extremes", "sums", "digits grow", "digits grow too many"}) {
            for (const int count : {1, kBlock - 1, kBlock, kBlock + 1, 5000}) {
                const QString name = QStringLiteral("%1, %2 rows").arg(QLatin1String(content)).arg(count);
                QTest::newRow(name.toLatin1().constData()) << QString::fromLatin1(content) << count;
            }
        }
    }
    void keepsCells() {
        QFETCH(QString, content);
        QFETCH(int, count);
        const auto rows = cellsOf(content, static_cast<std::size_t>(count));
        const auto one = sealed(rows, 1U << 20);
        const auto many = sealed(rows, 333);
        QCOMPARE(one->tables().size(), std::size_t{1});
        for (const auto& tables : {one, many}) {
            const RowTable* table = tables->find(RowKind::Kernel);
            QVERIFY(table != nullptr);
            QCOMPARE(table->size(), rows.size());
            QCOMPARE(table->extras(), std::vector<std::string>{"aiv_time"});
            for (std::size_t i = 0; i < rows.size(); ++i) {
                QCOMPARE(table->integer(kTs, i), rows[i].ts);
                const auto text = table->text(kName, i);
                QCOMPARE(text ? std::optional(std::string(tables->text(*text))) : std::nullopt, rows[i].name);
                QCOMPARE(table->real(rowColumns(RowKind::Kernel).size(), i), rows[i].metric);
            }
        }
        // What is kept does not depend on how the rows came.
        const auto& a = one->tables()[0].columns();
        const auto& b = many->tables()[0].columns();
        for (std::size_t c = 0; c < a.size(); ++c)
            QVERIFY(std::equal(a[c].bytes.begin(), a[c].bytes.end(), b[c].bytes.begin(), b[c].bytes.end()));
    }

    /// A text's digits and the double that they stand for are the same cell, in any neighbourhood.
    void decimalsAsTheirReals() {
        std::mt19937_64 random(11);
        const auto tablesWith = [&](std::size_t batchRows, auto set) {
            std::mt19937_64 cells(random());
            RowTablesBuilder builder;
            const std::size_t metric = builder.extraColumn(RowKind::Kernel, "aiv_time");
            RowBatch batch = builder.batch(RowKind::Kernel);
            for (int i = 0; i < 4 * kBlock; ++i) {
                // Quiet stretches, long numbers, and both in one block.
                const bool isLong = i > kBlock && cells() % 300 == 0;
                const auto digits = static_cast<std::int64_t>(cells() % (isLong ? 1'000'000'000'000'000 : 2000));
                batch.addRow();
                if (cells() % 7 != 0)
                    set(batch, metric, digits, static_cast<std::uint8_t>(cells() % (isLong ? 10 : 4)));
                if (batch.size() == batchRows) builder.commit(batch);
            }
            builder.commit(batch);
            return builder.seal({}).value();
        };
        for (int round = 0; round < 20; ++round) {
            const auto asReal = [](RowBatch& batch, std::size_t column, std::int64_t digits, std::uint8_t scale) {
                batch.setReal(column, static_cast<double>(digits) / std::pow(10.0, scale));
            };
            const auto asDecimal = [](RowBatch& batch, std::size_t column, std::int64_t digits, std::uint8_t scale) {
                batch.setDecimal(column, digits, scale);
            };
            const auto before = random;
            const auto reals = tablesWith(100000, asReal);
            random = before;
            const auto decimals = tablesWith(777, asDecimal);
            const std::size_t metric = rowColumns(RowKind::Kernel).size();
            const RowTable &a = reals->tables()[0], &b = decimals->tables()[0];
            for (std::size_t i = 0; i < a.size(); ++i) QCOMPARE(b.real(metric, i), a.real(metric, i));
            const auto &aBytes = a.columns()[metric].bytes, &bBytes = b.columns()[metric].bytes;
            QVERIFY(std::equal(aBytes.begin(), aBytes.end(), bBytes.begin(), bBytes.end()));
        }
    }

    void isSmall() {
        std::vector<Cells> rows(10000);
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i] = {1736408883704643212 + static_cast<std::int64_t>(i) * 50, "k",
                       static_cast<double>(i % 200) / 1000};
        // Two bytes of time, none of the name, one of the metric, none of the sixteen absent cells.
        std::size_t bytes = 0;
        const auto tables = sealed(rows, 1U << 20);
        for (const PackedColumn& column : tables->tables()[0].columns())
            bytes += column.blocks.bytes() + column.bytes.bytes();
        QVERIFY(bytes > 0);
        QVERIFY(bytes < rows.size() * 4);
    }

    void columnsThatComeLater() {
        WorkerArena arena(1);
        arena.run([] {
            RowTablesBuilder builder;
            RowBatch early = builder.batch(RowKind::Kernel);
            early.addRow();
            early.setInteger(kTs, 1);
            builder.commit(early);
            const std::size_t metric = builder.extraColumn(RowKind::Kernel, "m");
            QCOMPARE(builder.extraColumn(RowKind::Kernel, "m"), metric);
            RowBatch late = builder.batch(RowKind::Kernel);
            late.addRow();
            late.setReal(metric, 2.5);
            late.addRow();
            late.setReal(metric, 3.5);
            late.dropRow();
            builder.commit(late);
            QCOMPARE(builder.rowCount(RowKind::Kernel), std::size_t{2});
            const auto tables = builder.seal({}).value();
            const RowTable& table = *tables->find(RowKind::Kernel);
            QCOMPARE(table.real(metric, 0), std::optional<double>());
            QCOMPARE(table.real(metric, 1), std::optional<double>(2.5));
            QCOMPARE(table.integer(kTs, 1), std::optional<std::int64_t>());
        });
    }

    void manySmallBatchesAreOneTable() {
        WorkerArena arena(1);
        arena.run([] {
            // Of files with a row each, then one with many rows, then small ones again with a column that comes later.
            constexpr std::size_t kSmall = 3 * RowBlock::kBlock, kLarge = 2 * RowBlock::kBlock + 7;
            RowTablesBuilder small, whole;
            std::size_t metric = 0;
            RowBatch all = whole.batch(RowKind::Kernel);
            const auto add = [&](RowBatch& batch, std::size_t row) {
                batch.addRow();
                if (row % 5 != 0) batch.setInteger(kTs, static_cast<std::int64_t>(row) * 7);
                batch.setText(kName, "k" + std::to_string(row % 11));
                if (metric != 0) batch.setDecimal(metric, static_cast<std::int64_t>(row), 3);
            };
            std::size_t row = 0;
            const auto fill = [&](std::size_t rows, std::size_t atATime) {
                for (std::size_t end = row + rows; row < end;) {
                    RowBatch batch = small.batch(RowKind::Kernel);
                    for (std::size_t i = 0; i < atATime && row < end; ++i, ++row) {
                        add(batch, row);
                        add(all, row);
                    }
                    small.commit(batch);
                }
            };
            fill(kSmall, 1);
            fill(kLarge, kLarge);
            whole.commit(all);
            metric = small.extraColumn(RowKind::Kernel, "m");
            QCOMPARE(whole.extraColumn(RowKind::Kernel, "m"), metric);
            all = whole.batch(RowKind::Kernel);
            fill(kSmall, 2);
            whole.commit(all);
            QCOMPARE(small.rowCount(RowKind::Kernel), row);

            const auto one = small.seal({}).value(), other = whole.seal({}).value();
            const RowTable &a = *one->find(RowKind::Kernel), &b = *other->find(RowKind::Kernel);
            QCOMPARE(a.size(), row);
            for (std::size_t c = 0; c < a.columns().size(); ++c) {
                const auto &aBytes = a.columns()[c].bytes, &bBytes = b.columns()[c].bytes;
                QVERIFY2(std::equal(aBytes.begin(), aBytes.end(), bBytes.begin(), bBytes.end()),
                         std::to_string(c).c_str());
            }
            QCOMPARE(a.integer(kTs, kSmall + kLarge + 1), b.integer(kTs, kSmall + kLarge + 1));
            QCOMPARE(a.real(metric, row - 1), std::optional(static_cast<double>(row - 1) / 1000));
            QCOMPARE(a.real(metric, 0), std::optional<double>());
        });
    }

    void otherValues() {
        const auto tables = sealed({{1, "a", {}}, {2, "b", {}}}, 10);
        const RowTables changed = tables->with(RowKind::Kernel, 0, {kNoCell, 17});
        QCOMPARE(changed.find(RowKind::Kernel)->integer(0, 0), std::optional<std::int64_t>());
        QCOMPARE(changed.find(RowKind::Kernel)->integer(0, 1), std::optional<std::int64_t>(17));
        QCOMPARE(changed.find(RowKind::Kernel)->integer(kTs, 1), std::optional<std::int64_t>(2));
        QCOMPARE(tables->find(RowKind::Kernel)->integer(0, 1), std::optional<std::int64_t>());
    }

    void nothing() {
        RowTablesBuilder builder;
        QVERIFY(builder.seal({}).value() == nullptr);
    }
};

ALTI_TEST(TestRowTable)
#include "tst_row_table.moc"
