#include "core/capture/session/secrets.h"

#include "tests/support/test_main.h"

using namespace altiscope;

/// What a capture remembers of a user's command holds no password.
class TestSecrets : public QObject {
    Q_OBJECT

private slots:
    void hidden_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("clean");
        QTest::addRow("option and value") << "train --password hunter2 --lr 1"
                                          << "train --password *** --lr 1";
        QTest::addRow("option with =") << "train --api-key=abc --x"
                                       << "train --api-key=*** --x";
        QTest::addRow("token") << "login --token abc -y"
                               << "login --token *** -y";
        QTest::addRow("variable") << "HF_TOKEN=abc python3 x.py"
                                  << "HF_TOKEN=*** python3 x.py";
        QTest::addRow("quotes") << "X --db-password 'a b' \"c\"; DB_SECRET=\"x y\"z next"
                                << "X --db-password *** \"c\"; DB_SECRET=*** next";
        QTest::addRow("address") << "wget https://me:pw@host/x?y"
                                 << "wget https://me:***@host/x?y";
        QTest::addRow("addresses") << "a://b:8080 c://me:pw@d e@f"
                                   << "a://b:8080 c://me:***@d e@f";
        QTest::addRow("line of a log") << "login with password: hunter2 done"
                                       << "login with password: *** done";
        QTest::addRow("end of the text") << "--token"
                                         << "--token";
    }
    void hidden() {
        QFETCH(QString, text);
        const std::string clean = capture::withoutSecrets(text.toStdString());
        QTEST(QString::fromStdString(clean), "clean");
        QCOMPARE(capture::lacksSecret(clean), clean != text.toStdString());
    }

    void allElseStays_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"python3 train.py --tokenizer-path ./t --max-tokens 4096 --pad-token 0", "--password --verbose",
              "step 5: loss 0.1", "cp host:/x y", "the token was refused", "https://host:8080/a@b", "é=1 \x1b[0m", ""})
            QTest::addRow("%s", text) << text;
    }
    void allElseStays() {
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(capture::withoutSecrets(text.toStdString())), text);
        QVERIFY(!capture::lacksSecret(text.toStdString() + " ***"));
    }
};

ALTI_TEST(TestSecrets)
#include "tst_secrets.moc"
