#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"
#include "tests/core/generate/capture_reading.h"
#include "tests/core/import/row_dump.h"
#include "tests/support/table_text.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace altiscope;
using namespace altiscope::test;

namespace {

std::shared_ptr<const CaptureStore> imported(const std::filesystem::path& folder, bool preferText = true) {
    std::shared_ptr<const CaptureStore> capture;
    WorkerArena arena(2);
    arena.run([&] {
        ProgressSlot progress;
        reader::ImportOptions options;
        options.preferText = preferText;
        auto result = reader::importCapture(folder, options, progress, {});
        if (result.ok()) capture = std::move(result).value();
    });
    return capture;
}

/// A row as "name=value ..."; slices by their names, because they are numbered by source. Metrics are left out.
std::string comparableRow(const RankEntry& rank, const RowTable& table, std::size_t row) {
    std::string text;
    const auto columns = rowColumns(table.kind());
    for (std::size_t column = 0; column < columns.size(); ++column) {
        std::string cell = cellText(*rank.rows, table, column, row);
        if (columns[column].cell == RowCell::Slice) {
            const auto slice = table.integer(column, row);
            if (slice) cell = std::string(rank.trace->name({static_cast<std::uint32_t>(*slice)}));
        }
        text += std::string(columns[column].name) + '=' + cell + ' ';
    }
    return text;
}

std::vector<std::string> comparableRows(const RankEntry& rank, RowKind kind) {
    std::vector<std::string> rows;
    const RowTable* table = rank.rows == nullptr ? nullptr : rank.rows->find(kind);
    for (std::size_t row = 0; table != nullptr && row < table->size(); ++row)
        rows.push_back(comparableRow(rank, *table, row));
    std::sort(rows.begin(), rows.end());
    return rows;
}

/// What a timeline shows, a line each with how often and how long: slices by track and name, flows by what they join,
/// counters.
std::map<std::string, std::pair<std::uint64_t, std::int64_t>> comparableTimeline(const TraceStore& store) {
    std::map<std::string, std::pair<std::uint64_t, std::int64_t>> lines;
    const auto add = [&lines](const std::string& line, std::int64_t sum) {
        ++lines[line].first;
        lines[line].second += sum;
    };
    const auto placeOf = [&store](std::uint32_t slice) {
        const Track& track = store.track({store.runOf({slice}).track});
        // Text numbers the groups, databases name them.
        const bool isGroup = track.thread.starts_with("Group ");
        return track.process + "/" + (isGroup ? std::string("Group") : track.thread);
    };
    for (std::uint32_t i = 0; i < store.sliceCount(); ++i)
        add(placeOf(i) + " " + std::string(store.name({i})), store.duration({i}).value);
    const TraceColumns& columns = store.columns();
    const auto endOf = [&](std::uint32_t slice) {
        return slice == kNoSlice.value ? std::string("-") : placeOf(slice) + " " + std::string(store.name({slice}));
    };
    for (std::size_t i = 0; i < store.flowCount(); ++i)
        add("flow " + endOf(columns.flowFrom[i]) + " -> " + endOf(columns.flowTo[i]), 0);
    for (const CounterSeries& series : store.series()) {
        for (std::uint64_t s = series.first; s < series.first + series.count; ++s) {
            add("counter " + store.track({series.track}).name + " " + std::string(store.text(series.name)),
                columns.sampleTime[s] % 1'000'000'000);
        }
    }
    return lines;
}

}  // namespace

/// Twins of one run, read back: what two formats both hold is the same.
class TestTableTwins : public QObject {
    Q_OBJECT

private slots:
    void textAndDatabase_data() {
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char* name, const char* words) {
            QTest::addRow("%s", name) << QString::fromLatin1(words).split(u' ', Qt::SkipEmptyParts);
        };
        row("plain", "");
        row("drifting clocks", "--clock-offset-us 500 --clock-drift-ppm 20");
        row("nothing hidden, collections", "--plant no-overlap --plant gc-pause=5");
        row("residual network", "--model resnet --layers 2");
    }

    void textAndDatabase() {
        QFETCH(QStringList, words);
        std::vector<std::string> all{"--format=text", "--format=db", "--ranks=2", "--steps=3", "--layers=2"};
        for (const QString& word : words) all.push_back(word.toStdString());
        const GeneratedCapture made(all);
        QVERIFY(made.summary.ok());
        const auto text = imported(made.path(), true);
        const auto tables = imported(made.path(), false);
        QVERIFY(text && tables);
        QCOMPARE(text->ranks.size(), std::size_t{2});
        QCOMPARE(tables->ranks.size(), std::size_t{2});
        for (std::size_t r = 0; r < 2; ++r) {
            QCOMPARE(text->ranks[r].info.source, SourceKind::Text);
            QCOMPARE(tables->ranks[r].info.source, SourceKind::Db);
            for (const RowKind kind :
                 {RowKind::Kernel, RowKind::MemorySample, RowKind::Allocation, RowKind::ModuleMemory,
                  RowKind::StepBreakdown, RowKind::Collective, RowKind::Bandwidth, RowKind::Packet, RowKind::Link}) {
                const auto expected = comparableRows(text->ranks[r], kind);
                const auto found = comparableRows(tables->ranks[r], kind);
                QVERIFY2(!expected.empty(), std::string(rowKindName(kind)).c_str());
                for (std::size_t row = 0; row < std::min(found.size(), expected.size()); ++row)
                    QCOMPARE(QString::fromStdString(found[row]), QString::fromStdString(expected[row]));
                QCOMPARE(found.size(), expected.size());
            }
            metricsAreTheSame(*text->ranks[r].rows->find(RowKind::Kernel),
                              *tables->ranks[r].rows->find(RowKind::Kernel));
            timelinesAreTheSame(*text->ranks[r].trace, *tables->ranks[r].trace);
        }
    }

    /// What ranks and the files of their cluster both hold.
    void ranksAndCluster() {
        const GeneratedCapture made({"--format=text", "--format=cluster", "--ranks=16", "--steps=2", "--layers=2"});
        QVERIFY(made.summary.ok());
        const auto ranks = imported(made.path());
        const auto cluster = imported(made.path() / "cluster_analysis_output");
        QVERIFY(ranks && cluster);
        QCOMPARE(ranks->ranks.size(), std::size_t{16});
        QCOMPARE(cluster->ranks.size(), std::size_t{16});
        for (std::size_t r = 0; r < 16; ++r) {
            QVERIFY(ranks->ranks[r].info.source == SourceKind::Text &&
                    cluster->ranks[r].info.source == SourceKind::Cluster);
            for (const RowKind kind :
                 {RowKind::StepBreakdown, RowKind::Collective, RowKind::Bandwidth, RowKind::Packet, RowKind::Link}) {
                const auto expected = comparableRows(ranks->ranks[r], kind);
                const auto found = comparableRows(cluster->ranks[r], kind);
                QVERIFY2(!expected.empty(), std::string(rowKindName(kind)).c_str());
                for (std::size_t row = 0; row < std::min(found.size(), expected.size()); ++row)
                    QCOMPARE(QString::fromStdString(found[row]), QString::fromStdString(expected[row]));
                QCOMPARE(found.size(), expected.size());
            }
        }
    }

private:
    /// What both sources hold; each has some that the other lacks.
    static void metricsAreTheSame(const RowTable& text, const RowTable& table) {
        std::size_t compared = 0;
        const std::size_t fixed = rowColumns(RowKind::Kernel).size();
        for (std::size_t t = 0; t < text.extras().size(); ++t) {
            const auto known = std::find(table.extras().begin(), table.extras().end(), text.extras()[t]);
            if (known == table.extras().end()) continue;
            ++compared;
            const auto other = static_cast<std::size_t>(known - table.extras().begin());
            for (std::size_t row = 0; row < text.size(); ++row)
                QVERIFY2(table.real(fixed + other, row) == text.real(fixed + t, row), known->c_str());
        }
        QVERIFY(compared >= 20);
    }

    static void timelinesAreTheSame(const TraceStore& text, const TraceStore& table) {
        auto expected = comparableTimeline(text);
        // The vendor's databases join no operator with a copy.
        const auto isOfCopy = [](const auto& line) {
            return line.first.starts_with("flow Python/") && line.first.ends_with("MEMCPY_ASYNC");
        };
        QVERIFY(std::erase_if(expected, isOfCopy) > 0);
        const auto found = comparableTimeline(table);
        QStringList differences;
        const auto addMissing = [&differences](const auto& from, const auto& in, const char* where) {
            for (const auto& [line, sum] : from) {
                const auto other = in.find(line);
                if (other != in.end() && other->second == sum) continue;
                differences << QString::fromLatin1("%1 %2: %3 times, %4")
                                   .arg(QLatin1String(where), QString::fromStdString(line))
                                   .arg(sum.first)
                                   .arg(sum.second);
            }
        };
        addMissing(expected, found, "text");
        addMissing(found, expected, "db");
        QVERIFY2(differences.isEmpty(), qPrintable(differences.mid(0, 60).join(u'\n')));
        QVERIFY(expected.size() > 100);
    }
};

ALTI_TEST(TestTableTwins)
#include "tst_table_twins.moc"
