#include "views/capture/form/target_list.h"

#include "tests/support/test_main.h"

#include <QListWidget>
#include <QSignalSpy>
#include <QVariantMap>

using namespace altiscope;
using Names = std::vector<std::string>;

namespace {

struct Remembered {
    QVariantMap values;
    ViewMemory memory() {
        return {[this](const QString& name) { return values.value(name); },
                [this](const QString& name, const QVariant& value) { values.insert(name, value); }};
    }
};

}  // namespace

class TestTargetList : public QObject {
    Q_OBJECT
private slots:
    void thisMachineAtFirst();
    void choicesAreRemembered();
    void onlyTargetsAreAdded();
    void aliasesStandBetween();
};

void TestTargetList::thisMachineAtFirst() {
    const TargetList list{ViewMemory()};
    QCOMPARE(list.chosen(), Names{"local"});
}

void TestTargetList::choicesAreRemembered() {
    Remembered remembered;
    {
        TargetList list(remembered.memory());
        const QSignalSpy spy(&list, &TargetList::changed);
        QVERIFY(list.add(QStringLiteral("me@node7:2222")));
        QVERIFY(spy.size() > 0);
        list.setAliases({QStringLiteral("alias")});
        list.choose({QStringLiteral("alias"), QStringLiteral("me@node7:2222")});
    }
    TargetList list(remembered.memory());
    list.setAliases({QStringLiteral("alias")});
    QCOMPARE(list.chosen(), (Names{"alias", "me@node7:2222"}));
}

void TestTargetList::onlyTargetsAreAdded() {
    TargetList list{ViewMemory()};
    for (const char* name : {"", "-oProxyCommand=x", "a b", "a:99999"}) QVERIFY(!list.add(QString::fromUtf8(name)));
    QCOMPARE(list.findChild<QListWidget*>()->count(), 1);
}

void TestTargetList::aliasesStandBetween() {
    TargetList list{ViewMemory()};
    list.add(QStringLiteral("added"));
    list.setAliases({QStringLiteral("one"), QStringLiteral("two")});
    const auto* items = list.findChild<QListWidget*>();
    QStringList texts;
    for (int i = 0; i < items->count(); ++i) texts << items->item(i)->text();
    QCOMPARE(texts, QStringList({QStringLiteral("This machine"), QStringLiteral("one"), QStringLiteral("two"),
                                 QStringLiteral("added")}));
    QCOMPARE(list.chosen(), (Names{"local", "added"}));
}

ALTI_TEST(TestTargetList)
#include "tst_target_list.moc"
