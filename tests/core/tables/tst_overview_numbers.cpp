#include "core/tables/overview/overview_numbers.h"

#include "core/store/rows/row_builder.h"
#include "tests/support/test_main.h"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace altiscope;

namespace {

using Cells = std::vector<std::pair<std::string, std::string>>;

/// Rows of one kind; what a column of texts has is a text, all else a number.
std::shared_ptr<const RowTables> rowsOf(RowKind kind, const std::vector<Cells>& rows) {
    RowTablesBuilder builder;
    RowBatch batch = builder.batch(kind);
    for (const Cells& row : rows) {
        batch.addRow();
        for (const auto& [name, value] : row) {
            const std::size_t column = rowColumn(kind, name);
            if (rowColumns(kind)[column].cell == RowCell::Text) batch.setText(column, value);
            else batch.setInteger(column, std::stoll(value));
        }
    }
    builder.commit(batch);
    return builder.seal({}).value();
}

/// "preparing computing-alone overlapped exposed bubble free step", "-" where nothing is known.
QString partsText(const Cells& cells) {
    const StepTime time = stepTimesOf(*rowsOf(RowKind::StepBreakdown, {cells}), {0}).at(0);
    QString text;
    for (const StepPart part : {StepPart::Preparing, StepPart::ComputingAlone, StepPart::Overlapped, StepPart::Exposed,
                                StepPart::Bubble, StepPart::Free, StepPart::Step})
        text += (text.isEmpty() ? QString() : QStringLiteral(" ")) +
                (time.part(part) ? QString::number(*time.part(part)) : QStringLiteral("-"));
    return text;
}

}  // namespace

class TestOverviewNumbers : public QObject {
    Q_OBJECT
private slots:
    void partsOfAStep() {
        const Cells whole{{"preparing", "5"},       {"computing", "100"}, {"overlapped", "30"},
                          {"not_overlapped", "50"}, {"free", "7"},        {"not_overlapped_excl_receive", "20"}};
        QCOMPARE(partsText(whole), QStringLiteral("5 70 30 20 30 7 157"));
        const Cells withoutReceive{{"computing", "100"}, {"overlapped", "30"}, {"not_overlapped", "50"}, {"free", "7"}};
        QCOMPARE(partsText(withoutReceive), QStringLiteral("- 70 30 50 - 7 157"));
        QCOMPARE(partsText({{"computing", "100"}, {"not_overlapped_excl_receive", "20"}}),
                 QStringLiteral("- 100 - 20 - - -"));
        QCOMPARE(partsText({{"free", "-7"}}), QStringLiteral("- - - - - -7 -"));
    }

    /// Models of one step add up; of reduces that run at the same time the time counts once.
    void phasesOfAStep() {
        const auto row = [](const char* step, const char* phase, const char* ts, const char* dur) {
            Cells cells{{"step", step}, {"phase", phase}, {"dur", dur}};
            if (*ts != 0) cells.emplace_back("ts", ts);
            return cells;
        };
        const auto rows =
            rowsOf(RowKind::StepPhase,
                   {row("2", "iteration_interval", "0", "5"), row("2", "forward_backward", "5", "60"),
                    row("2", "tail", "65", "7"), row("2", "iteration_interval", "0", "1"),
                    row("2", "reduce", "10", "20"), row("2", "reduce", "15", "30"), row("2", "reduce", "50", "8"),
                    row("1", "forward", "0", "9"), row("1", "reduce", "", "4"), row("1", "stage", "", "100")});
        QString text;
        for (const StepPhases& one : stepPhasesOf(*rows, {3})) {
            text += QStringLiteral("%1/%2:").arg(one.rank.value).arg(one.step.value_or(-1));
            for (const auto& duration : one.durations)
                text += duration ? QStringLiteral(" %1").arg(*duration) : QStringLiteral(" -");
            text += QStringLiteral("; ");
        }
        QCOMPARE(text, QStringLiteral("3/1: - 9 - -; 3/2: 6 60 7 43; "));
    }

    void consumersOfSeveralRanks() {
        std::vector<TopConsumer> sums;
        for (const auto& [count, total, most] : {std::tuple("2", "10", "5"), {"3", "20", "9"}, {"1", "4", "4"}})
            addConsumers(*rowsOf(RowKind::OpStat, {{{"name", "MatMul"},
                                                    {"core_type", "AI_CORE"},
                                                    {"count", count},
                                                    {"total", total},
                                                    {"max", most}}}),
                         sums);
        addConsumers(*rowsOf(RowKind::OpStat, {{{"name", "Add"}, {"total", "34"}}, {{"name", "Mul"}, {"total", "35"}}}),
                     sums);
        sortConsumers(sums);
        QString text;
        for (const TopConsumer& sum : sums)
            text += QStringLiteral("%1 %2 %3 %4 %5; ")
                        .arg(QString::fromStdString(sum.name))
                        .arg(sum.count)
                        .arg(sum.total)
                        .arg(sum.max)
                        .arg(sum.ranks);
        QCOMPARE(text, QStringLiteral("Mul 0 35 0 1; Add 0 34 0 1; MatMul 6 34 9 3; "));
    }

    /// The first of equal peaks, and what was allocated then.
    void peaksOfMemory() {
        const auto sample = [](const char* component, const char* ts, const char* reserved, const char* allocated) {
            return Cells{{"component", component}, {"ts", ts}, {"reserved", reserved}, {"allocated", allocated}};
        };
        auto capture = std::make_shared<CaptureStore>();
        RankEntry& rank = capture->ranks.emplace_back();
        rank.steps = {{4, TimeRange{{25}, {45}}}};
        rank.rows = rowsOf(RowKind::MemorySample,
                           {sample("PTA", "10", "7", "1"), sample("PTA", "20", "9", "2"), sample("PTA", "30", "9", "3"),
                            sample("PTA", "40", "9", "4"), sample("GE", "45", "5", "5")});
        for (const auto& [steps, peaks] :
             {std::pair(std::vector<std::int64_t>(), "GE 5 5@45; PTA 9 2@20; "), {{4}, "PTA 9 3@30; "}}) {
            ContextFilter context;
            context.steps = steps;
            const auto numbers = recordedOverview(capture, context, {});
            QVERIFY(numbers);
            QString text;
            for (const MemoryPeak& peak : numbers->peaks)
                text += QStringLiteral("%1 %2 %3@%4; ")
                            .arg(QString::fromStdString(peak.component))
                            .arg(peak.reserved)
                            .arg(peak.allocated.value_or(-1))
                            .arg(peak.at);
            QCOMPARE(text, QString::fromUtf8(peaks));
            QCOMPARE(numbers->mostReserved, std::optional<std::int64_t>(9));
        }
    }
};

ALTI_TEST(TestOverviewNumbers)
#include "tst_overview_numbers.moc"
