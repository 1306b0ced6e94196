#include "core/analysis/slices/dispatch_chain.h"
#include "core/session/session.h"
#include "tests/support/python_script.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <algorithm>

using namespace altiscope;

namespace {

QJsonValue valueOf(std::optional<std::int64_t> value) {
    return value ? QJsonValue(static_cast<qint64>(*value)) : QJsonValue();
}

QJsonArray rowsOf(const TraceStore& trace) {
    auto dispatches = dispatchChains(trace, {});
    std::sort(dispatches.begin(), dispatches.end(),
              [&](const Dispatch& a, const Dispatch& b) { return trace.begin(a.enqueue) < trace.begin(b.enqueue); });
    QJsonArray rows;
    for (const Dispatch& d : dispatches) {
        rows.append(QJsonArray{static_cast<qint64>(trace.begin(d.enqueue).value), valueOf(d.prepare),
                               valueOf(d.pythonApi), static_cast<qint64>(d.enqueuing), valueOf(d.queue),
                               valueOf(d.pipeline2), valueOf(d.launching), valueOf(d.endToEnd)});
    }
    return rows;
}

}  // namespace

/// Dispatch chains of real captures against a script that looks through all events for each task.
class TestRealDispatch : public QObject {
    Q_OBJECT
private slots:
    void asTheScriptFinds_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("tasks");
        QTest::addRow("level 0, without CANN's calls")
            << "torch_text/level0/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json" << 159;
        QTest::addRow("level 1") << "torch_text/level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json" << 159;
        QTest::addRow("level 1, another rank")
            << "torch_text/level1/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json" << 159;
        QTest::addRow("made of raw data") << "raw/torch/expected/ASCEND_PROFILER_OUTPUT/trace_view.json" << 32;
    }
    void asTheScriptFinds() {
        QFETCH(QString, file);
        QFETCH(int, tasks);
        const auto path = test::sharedData(file.toStdString());
        if (!path) QSKIP(test::kNoSharedData);
        const auto expected = test::runScript("count_dispatch.py", {*path});
        QVERIFY(expected.has_value());
        JobRunner jobs;
        Session session(jobs);
        const CaptureId id = session.open(QString::fromStdString(path->string()));
        QVERIFY(QTest::qWaitFor(
            [&] {
                return session.capture(id)->store && session.capture(id)->store->sealed &&
                       session.capture(id)->job == 0;
            },
            30'000));
        const QJsonArray rows = rowsOf(*session.capture(id)->store->ranks.at(0).trace);
        QCOMPARE(rows.size(), tasks);
        QCOMPARE(QString::fromUtf8(QJsonDocument(rows).toJson()),
                 QString::fromUtf8(
                     QJsonDocument(QJsonDocument::fromJson(QByteArray::fromStdString(*expected)).array()).toJson()));
    }

    void aDatabaseTellsTheSame() {
        const auto path = test::sharedData("torch_db/level1");
        if (!path) QSKIP(test::kNoSharedData);
        JobRunner jobs;
        Session session(jobs);
        const CaptureId id = session.open(QString::fromStdString(path->string()));
        QVERIFY(QTest::qWaitFor(
            [&] {
                return session.capture(id)->store && session.capture(id)->store->sealed &&
                       session.capture(id)->job == 0;
            },
            30'000));
        const auto dispatches = dispatchChains(*session.capture(id)->store->ranks.at(0).trace, {});
        // The same training script as that of the text captures: 159 tasks.
        QCOMPARE(dispatches.size(), std::size_t{159});
        std::size_t complete = 0, withPath = 0;
        for (const Dispatch& d : dispatches) {
            complete += d.status == DispatchStatus::Complete ? 1 : 0;
            withPath += d.path != DispatchPath::Unknown ? 1 : 0;
        }
        QVERIFY(complete > 0);
        QVERIFY(withPath > 0);
    }
};

ALTI_TEST(TestRealDispatch)
#include "tst_real_dispatch.moc"
