#include "core/generate/records/overlap_lanes.h"
#include "tests/support/test_main.h"

#include <QRegularExpression>

using namespace altiscope;
using namespace altiscope::generate;

namespace {

/// "[0,10) [30,50)"
std::vector<TimeRange> ranges(const QString& text) {
    std::vector<TimeRange> result;
    static const QRegularExpression kRange(u"\\[(\\d+),(\\d+)\\)"_qs);
    auto matches = kRange.globalMatch(text);
    while (matches.hasNext()) {
        const auto match = matches.next();
        result.push_back({TimeNs{match.captured(1).toLongLong()}, TimeNs{match.captured(2).toLongLong()}});
    }
    return result;
}

/// "C[0,10) M[5,20) N[10,20) F[20,30)": computing, communication, not overlapped, free.
QString text(const std::vector<OverlapSlice>& slices) {
    QStringList parts;
    for (const OverlapSlice& slice : slices) {
        parts << u"%1[%2,%3)"_qs.arg(QLatin1Char("CMNF"[static_cast<int>(slice.lane)]))
                     .arg(slice.range.begin.value)
                     .arg(slice.range.end.value);
    }
    return parts.join(u' ');
}

}  // namespace

class TestOverlapLanes : public QObject {
    Q_OBJECT

private slots:
    void lanes_data() {
        QTest::addColumn<QString>("computing");
        QTest::addColumn<QString>("communication");
        QTest::addColumn<qint64>("before");
        QTest::addColumn<QString>("expected");
        QTest::addRow("nothing") << ""
                                 << "" << qint64{0} << "";
        QTest::addRow("gap is free") << "[10,20) [30,40)"
                                     << "" << qint64{0} << "C[10,20) F[20,30) C[30,40)";
        QTest::addRow("union of streams") << "[10,20) [15,30)"
                                          << "" << qint64{0} << "C[10,30)";
        QTest::addRow("touching ranges join") << "[10,20) [20,30)"
                                              << "" << qint64{0} << "C[10,30)";
        QTest::addRow("hidden communication") << "[10,50)"
                                              << "[20,30)" << qint64{0} << "C[10,50) M[20,30)";
        QTest::addRow("two parts stand out") << "[20,30)"
                                             << "[10,40)" << qint64{0} << "M[10,40) N[10,20) C[20,30) N[30,40)";
        QTest::addRow("open communication is not free")
            << "[10,20)"
            << "[30,40)" << qint64{0} << "C[10,20) F[20,30) M[30,40) N[30,40)";
        QTest::addRow("free since the unit before") << "[10,20)"
                                                    << "" << qint64{4} << "F[4,10) C[10,20)";
        QTest::addRow("empty ranges vanish") << "[10,10) [20,30)"
                                             << "" << qint64{0} << "C[20,30)";
    }

    void lanes() {
        QFETCH(QString, computing);
        QFETCH(QString, communication);
        QFETCH(qint64, before);
        QTEST(text(overlapLanes(ranges(computing), ranges(communication), TimeNs{before})), "expected");
    }
};

ALTI_TEST(TestOverlapLanes)
#include "tst_overlap_lanes.moc"
