#include "core/query/capture_summary.h"

#include "core/store/capture_store.h"
#include "tests/support/test_main.h"

using namespace altiscope;

class TestCaptureSummary : public QObject {
    Q_OBJECT
private slots:
    /// What --strict fails for: data that was lost, also where the state of the capture is ok.
    void dataThatWasLost() {
        using State = CaptureStore::State;
        for (const auto& [severity, isPartial] :
             {std::pair(Severity::Info, false), {Severity::Repaired, false}, {Severity::Lost, true}}) {
            CaptureStore capture;
            capture.state = State::Ok;
            QVERIFY(!holdsPartialData(capture));
            capture.diagnostics.add("csv.cut", severity, "f", {PlaceUnit::Row, 1});
            QCOMPARE(holdsPartialData(capture), isPartial);
            capture.state = State::Partial;
            QVERIFY(holdsPartialData(capture));
        }
    }

    void states() {
        using State = CaptureStore::State;
        CaptureStore capture;
        for (const auto& [state, name] : {std::pair(State::Ok, "ok"),
                                          {State::Loading, "partial"},
                                          {State::Partial, "partial"},
                                          {State::Failed, "failed"}}) {
            capture.state = state;
            QCOMPARE(captureStateName(capture), std::string_view(name));
            QCOMPARE(isUnreadable(capture), state == State::Failed);
        }
    }
};

ALTI_TEST(TestCaptureSummary)
#include "tst_capture_summary.moc"
