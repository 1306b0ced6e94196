#include "views/common/support/finding_settings.h"

#include "tests/support/test_main.h"
#include "views/common/support/finding_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/threshold_texts.h"

#include <QSignalSpy>

#include <cmath>

using namespace altiscope;
using namespace Qt::StringLiterals;

class TestFindingSettings : public QObject {
    Q_OBJECT
private slots:
    void thresholdsReadAsTheyAreWritten();
    void whatIsTaken_data();
    void whatIsTaken();
    void remembersWhatDiffers();
    void damagedSettingsAreLeftOut();
    void findingsInWords();
};

void TestFindingSettings::thresholdsReadAsTheyAreWritten() {
    for (const ThresholdInfo& info : thresholdInfos()) {
        for (const double value : {FindingThresholds{}.*info.value, 0.07, 0.123456789012345, 1.0 / 3, 1.0}) {
            const auto read = thresholdValue(info, thresholdText(info, value));
            QVERIFY2(read && std::abs(*read - value) <= 1e-15 * value,
                     qPrintable(toQString(info.name) + u' ' + thresholdText(info, value)));
        }
    }
    const auto text = [](const char* name, double value) { return thresholdText(*findThreshold(name), value); };
    QCOMPARE(text("ai_cpu", 20'000), u"20 µs"_s);
    QCOMPARE(text("gc_pause", 1'500'000), u"1.5 ms"_s);
    QCOMPARE(text("rank_gap_share", 0.07), u"7 %"_s);
    QCOMPARE(text("small_packet_bytes", 1048576), u"1 MiB"_s);
    QCOMPARE(text("fast_link_bandwidth", 18), u"18 GB/s"_s);
    QCOMPARE(text("outlier_z", 3.5), u"3.5"_s);
}

void TestFindingSettings::whatIsTaken_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");  // 0: refused
    QTest::addRow("unit") << u"gc_pause"_s << u"5ms"_s << 5e6;
    QTest::addRow("blanks") << u"gc_pause"_s << u"  5 ms "_s << 5e6;
    QTest::addRow("bare number is ns") << u"gc_pause"_s << u"5"_s << 5.0;
    QTest::addRow("bare share") << u"free_share"_s << u"0.25"_s << 0.25;
    QTest::addRow("percent") << u"free_share"_s << u"25%"_s << 0.25;
    QTest::addRow("bare rate is bytes per ns") << u"network_bandwidth"_s << u"20"_s << 20.0;
    QTest::addRow("rate") << u"network_bandwidth"_s << u"20 GB/s"_s << 20.0;
    QTest::addRow("small rate without a unit") << u"network_bandwidth"_s << u"1e-05"_s << 1e-5;
    QTest::addRow("more than all") << u"free_share"_s << u"101 %"_s << 0.0;
    QTest::addRow("nothing") << u"free_share"_s << QString() << 0.0;
    QTest::addRow("zero") << u"network_bandwidth"_s << u"0"_s << 0.0;
    QTest::addRow("below zero") << u"gc_pause"_s << u"-1ms"_s << 0.0;
    QTest::addRow("no number") << u"gc_pause"_s << u"often"_s << 0.0;
    QTest::addRow("wrong unit") << u"gc_pause"_s << u"5 MB"_s << 0.0;
    QTest::addRow("more than a number") << u"gc_pause"_s << u"5 or value > 2"_s << 0.0;
    QTest::addRow("not finite") << u"gc_pause"_s << u"1e999"_s << 0.0;
}

void TestFindingSettings::whatIsTaken() {
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(double, value);
    QCOMPARE(thresholdValue(*findThreshold(name.toStdString()), text).value_or(0), value);
}

void TestFindingSettings::remembersWhatDiffers() {
    QVariantMap kept;
    const ViewMemory memory{[&](const QString& name) { return kept.value(name); },
                            [&](const QString& name, const QVariant& value) { kept[name] = value; }};
    {
        FindingSettings settings(memory);
        const QSignalSpy changed(&settings, &FindingSettings::thresholdsChanged);
        QCOMPARE(settings.changedThresholds(), 0);
        settings.setThreshold(*findThreshold("gc_pause"), 5e6);
        settings.setThreshold(*findThreshold("free_share"), 0.07);
        settings.setThreshold(*findThreshold("free_share"), 0.07);  // nothing new
        QCOMPARE(changed.count(), 2);
        settings.setMuted(u"gc_pause:rank3"_s, true);
    }
    FindingSettings settings(memory);
    QCOMPARE(settings.changedThresholds(), 2);
    QCOMPARE(settings.thresholds().gcPauseNs, 5e6);
    QCOMPARE(settings.thresholds().freeShare, 0.07);
    QVERIFY(settings.isMuted(u"gc_pause:rank3"_s));
    settings.setThreshold(*findThreshold("gc_pause"), FindingThresholds{}.gcPauseNs);
    QCOMPARE(settings.changedThresholds(), 1);
    settings.resetThresholds();
    settings.setMuted(u"gc_pause:rank3"_s, false);
    const FindingSettings again(memory);
    QCOMPARE(again.changedThresholds(), 0);
    QVERIFY(!again.isMuted(u"gc_pause:rank3"_s));
}

void TestFindingSettings::damagedSettingsAreLeftOut() {
    const ViewMemory memory{[](const QString&) {
                                return QVariant(QStringList{u"gc_pause"_s, u"no_such=5"_s, u"free_share=-1"_s, u"=3"_s,
                                                            u"launch_gap=30000"_s});
                            },
                            {}};
    const FindingSettings settings(memory);
    QCOMPARE(settings.changedThresholds(), 1);
    QCOMPARE(settings.thresholds().launchGapNs, 30'000.0);
}

void TestFindingSettings::findingsInWords() {
    Finding finding;
    finding.rule = "gc_pause";
    finding.severity = FindingSeverity::Medium;
    finding.rankId = 3;
    finding.recoverable = 1'250'000;
    finding.thresholds = {{"gc_pause", 1e6}, {"high_share", 0.05}};
    const FindingItem item = findingItem(finding);
    QCOMPARE(item.key, u"gc_pause:rank3"_s);
    QCOMPARE(findingHead(item), u"Medium · 1.25 ms per step"_s);
    // What happened once is no time of each step.
    Finding once = finding;
    once.step = 7;
    once.parameters = {{"share", "108.9 %"}, {"all_share", "54.4 %"}};
    once.thresholds = {{"high_share", 0.05}, {"medium_share", 0.03}};
    QCOMPARE(findingHead(findingItem(once)), u"Medium · 1.25 ms in one step"_s);
    QVERIFY(findingItem(once).severityReason.startsWith(u"54.4 % of all steps"_s));
    // The severity says by what it was given.
    QVERIFY(item.severityReason.contains(u"not known"_s));
    Finding rated = finding;
    rated.parameters = {{"share", "4.1 %"}};
    rated.thresholds = {{"high_share", 0.05}, {"medium_share", 0.03}};
    QCOMPARE(findingItem(rated).severityReason,
             u"4.1 % of a step is recoverable. High from 5 % on, medium from 3 % on."_s);
    QVERIFY2(item.formula.endsWith(u"gc_pause = 1 ms, high_share = 5 %"_s), qPrintable(item.formula));
    // Each kind of data that is missing can be hidden by itself, here and on the overview.
    Finding missing;
    missing.rule = "missing_data";
    missing.parameters = {{"what", "l2_cache"}, {"switch", "l2_cache"}, {"ranks", "2"}};
    QCOMPARE(findingItem(missing).key, u"missing/l2_cache"_s);
    QCOMPARE(findingItem(missing).title, u"1 kind(s) of data not recorded"_s);
    missing.parameters[0].second = "l2_cache, memory";
    QCOMPARE(findingItem(missing).title, u"2 kind(s) of data not recorded"_s);
    QVERIFY(findingItem(missing).detail.contains(u"L2 cache, Memory"_s));
    QCOMPARE(ruleWord(u"gc_pause"_s), u"Garbage collection"_s);
    QCOMPARE(ruleWord(u"unheard_of"_s), u"unheard_of"_s);
    QCOMPARE(severityWord(u"high"_s), u"High"_s);
    QCOMPARE(originWord(u"computed"_s), u"computed"_s);
}

ALTI_TEST(TestFindingSettings)
#include "tst_finding_settings.moc"
