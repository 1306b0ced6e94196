#include "views/timeline/scene/colour_rules.h"

#include "tests/support/test_main.h"
#include "tests/views/timeline/timeline_fixture.h"
#include "views/timeline/page/colour_rules_panel.h"
#include "views/timeline/scene/track_layouts.h"

#include <QComboBox>
#include <QHash>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

using namespace altiscope;
using namespace Qt::StringLiterals;

namespace {

using Of = ColourRule::Of;

std::size_t colourOf(std::string_view word) {
    for (std::size_t i = 0; i < ruleColours().size(); ++i)
        if (ruleColours()[i].word == word) return i;
    return ruleColours().size();
}

/// The colour of the slice of a track that only it has this name.
ColourIndex shown(const TraceStore& trace, const SliceColours& colours, std::string_view name, bool onOverlap = false) {
    for (std::uint32_t i = 0; i < trace.sliceCount(); ++i) {
        if (trace.name({i}) != name) continue;
        return colours.of({.begin = trace.begin({i}),
                           .end = trace.end({i}),
                           .slice = {i},
                           .name = trace.nameId({i}),
                           .length = trace.duration({i})},
                          onOverlap);
    }
    return kFreeColour;
}

}  // namespace

/// Colours that users give to slices by their names and categories.
class TestColourRules : public QObject {
    Q_OBJECT
private slots:
    void theFirstRuleCounts();
    void aRuleComesBeforeWaitsButNotBeforeMeanings();
    void savedRulesAreReadBack();
    void damagedRulesAreLeftOut();
    void costlyPatternsEnd();
    void aRuleIsWrittenByKeys();
    void aFaultyPatternIsSaid();
    void rulesAreKeptWithTheState();
};

void TestColourRules::theFirstRuleCounts() {
    const auto trace = test::rankTrace("Python/Thread 7: forward|python_function[0,100) matmul|cpu_op[100,200) "
                                       "add|cpu_op[200,300) backward|python_function[300,400)");
    const std::vector<ColourRule> rules{{Of::Name, "^mat(mul)?$", colourOf("strong_red")},
                                        {Of::Category, "cpu_op", colourOf("strong_blue")},
                                        {Of::Name, "ward$", colourOf("lime")},
                                        {Of::Name, "^forward$", colourOf("black")}};
    const auto ruled = std::make_shared<const RuledColours>(*trace, rules, CancelToken());
    const SliceColours colours(trace, ColourBy::Category, {}, ruled);
    const auto colour = [](std::string_view word) { return ruleColours()[colourOf(word)].colour; };
    QCOMPARE(shown(*trace, colours, "matmul"), colour("strong_red"));
    QCOMPARE(shown(*trace, colours, "add"), colour("strong_blue"));
    QCOMPARE(shown(*trace, colours, "forward"), colour("lime"));
    QCOMPARE(shown(*trace, colours, "backward"), colour("lime"));
}

void TestColourRules::aRuleComesBeforeWaitsButNotBeforeMeanings() {
    const auto trace = test::traceFromText("p1/t1: EVENT_WAIT[0,10) Free[10,20) other[20,30)");
    const std::vector<ColourRule> rules{{Of::Name, "WAIT|Free", colourOf("strong_red")}};
    const auto ruled = std::make_shared<const RuledColours>(*trace, rules, CancelToken());
    const SliceColours colours(trace, ColourBy::Name, {}, ruled);
    const ColourIndex red = ruleColours()[colourOf("strong_red")].colour;
    QCOMPARE(shown(*trace, colours, "EVENT_WAIT"), red);
    QCOMPARE(shown(*trace, colours, "Free"), red);
    QCOMPARE(shown(*trace, colours, "Free", true), kFreeColour);
    QCOMPARE(shown(*trace, colours, "other"), shown(*trace, SliceColours(trace), "other"));
    QCOMPARE(shown(*trace, SliceColours(trace), "EVENT_WAIT"), kWaitColour);
}

void TestColourRules::savedRulesAreReadBack() {
    std::vector<ColourRule> rules;
    for (std::size_t i = 0; i < ruleColours().size(); ++i)
        rules.push_back({i % 2 == 0 ? Of::Name : Of::Category, "算子" + std::to_string(i), i});
    QVERIFY(rulesFrom(savedRules(rules)) == rules);
}

void TestColourRules::damagedRulesAreLeftOut() {
    const QJsonObject sound{{u"name"_s, u"A"_s}, {u"colour"_s, u"red"_s}};
    QJsonArray saved{7,
                     QJsonObject{{u"name"_s, 7}, {u"colour"_s, u"red"_s}},
                     QJsonObject{{u"name"_s, u"A"_s}, {u"colour"_s, u"no such"_s}},
                     QJsonObject{{u"name"_s, QString(2000, u'a')}, {u"colour"_s, u"red"_s}},
                     QJsonObject{{u"colour"_s, u"red"_s}},
                     sound};
    QCOMPARE(rulesFrom(saved).size(), std::size_t{1});
    for (int i = 0; i < 1000; ++i) saved.append(sound);
    QCOMPARE(rulesFrom(saved).size(), kMaxColourRules);
}

void TestColourRules::costlyPatternsEnd() {
    std::string text;
    for (int i = 0; i < 200; ++i)
        text += std::string(i == 0 ? "p1/t1: " : " ") + std::string(40, 'a') + std::to_string(i) + "[" +
                std::to_string(10 * i) + "," + std::to_string(10 * i + 5) + ")";
    const auto trace = test::traceFromText(text);
    QElapsedTimer timer;
    timer.start();
    const RuledColours ruled(*trace, {{Of::Name, "(a+)+b", 0}, {Of::Name, "a", 1}}, CancelToken());
    QVERIFY2(timer.elapsed() < 5000, "one name is tried, not all of them");
    QCOMPARE(ruled.of(trace->nameId({0}), {}), ruleColours()[1].colour);
}

void TestColourRules::aRuleIsWrittenByKeys() {
    JobRunner jobs(1);
    TimelineScene scene(jobs);
    ColourRulesPanel panel(scene);
    panel.show();
    auto* add = panel.findChild<QPushButton*>();
    QTest::keyClick(add, Qt::Key_Space);
    auto* pattern = panel.findChild<QLineEdit*>();
    QVERIFY(pattern != nullptr);
    QTest::keyClicks(pattern, u"Mat"_s);
    QCOMPARE(scene.colourRules(), (std::vector<ColourRule>{{Of::Name, "Mat", 0}}));
    const auto boxes = panel.findChildren<QComboBox*>();
    QCOMPARE(boxes.size(), 2);
    QTest::keyClick(boxes[1], Qt::Key_Down);
    QTest::keyClick(boxes[0], Qt::Key_Down);
    QCOMPARE(scene.colourRules(), (std::vector<ColourRule>{{Of::Category, "Mat", 1}}));
    // A second one, which is then the first.
    QTest::keyClick(add, Qt::Key_Space);
    QTRY_COMPARE(panel.findChildren<QLineEdit*>().size(), 2);
    QTest::keyClicks(panel.findChildren<QLineEdit*>()[1], u"x"_s);
    for (QToolButton* button : panel.findChildren<QToolButton*>())
        if (button->accessibleName() == u"Earlier in the order"_s && button->isEnabled()) button->click();
    QTRY_COMPARE(scene.colourRules(), (std::vector<ColourRule>{{Of::Name, "x", 0}, {Of::Category, "Mat", 1}}));
    QTRY_COMPARE(panel.findChildren<QLineEdit*>().size(), 2);
    for (QToolButton* button : panel.findChildren<QToolButton*>()) {
        if (button->accessibleName() != u"Removes the rule"_s) continue;
        QTest::keyClick(button, Qt::Key_Space);
        break;
    }
    QCOMPARE(scene.colourRules(), (std::vector<ColourRule>{{Of::Category, "Mat", 1}}));
    jobs.shutdown();
}

void TestColourRules::aFaultyPatternIsSaid() {
    JobRunner jobs(1);
    TimelineScene scene(jobs);
    scene.setColourRules({{Of::Name, "Mat", 0}});
    ColourRulesPanel panel(scene);
    panel.show();
    const auto says = [&panel](const QString& text) {
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(text)) return true;
        return false;
    };
    QVERIFY(!says(u"no regular expression"_s));
    QTest::keyClicks(panel.findChild<QLineEdit*>(), u"("_s);
    QVERIFY(says(u"Mat( is no regular expression"_s));
    QVERIFY2(scene.colourRules().empty(), "a faulty rule colours nothing");
    QTest::keyClicks(panel.findChild<QLineEdit*>(), u")"_s);
    QVERIFY(!says(u"no regular expression"_s));
    QCOMPARE(scene.colourRules().front().pattern, std::string("Mat()"));
    jobs.shutdown();
}

void TestColourRules::rulesAreKeptWithTheState() {
    JobRunner jobs(2);
    TimelineScene scene(jobs);
    const auto capture = test::captureFromTexts({"p1/t1: A[0,100) B[100,200)"});
    const CaptureId id{1};
    test::showIn(scene, {{id, capture}});
    TrackLayouts layouts(scene, {}, nullptr);
    const std::vector<ColourRule> rules{{Of::Name, "^A$", colourOf("strong_red")}};
    scene.setColourRules(rules);
    const auto shownColour = [&] {
        const TraceStore& trace = *capture->ranks[0].trace;
        for (const TimelineRow& row : scene.model().rows()) {
            if (row.kind != TimelineRowKind::Thread) continue;
            return shown(trace, *scene.coloursOf(row), "A");
        }
        return kFreeColour;
    };
    QTRY_COMPARE(shownColour(), ruleColours()[colourOf("strong_red")].colour);
    const WorkspaceIds ids{{id}};
    const QJsonObject state = layouts.state(ids);
    scene.setColourRules({});
    QTRY_VERIFY(shownColour() < Theme::kHues);
    layouts.restore(state, ids);
    QVERIFY(scene.colourRules() == rules);
    QTRY_COMPARE(shownColour(), ruleColours()[colourOf("strong_red")].colour);
    // The text of an older version says nothing of rules, and changes none.
    QJsonObject older = state;
    older.remove(u"rules"_s);
    layouts.restore(older, ids);
    QVERIFY(scene.colourRules() == rules);
    jobs.shutdown();
}

ALTI_TEST(TestColourRules)
#include "tst_colour_rules.moc"
