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
        QTest::addRow("member of JSON") << "got {\"token\": \"x y\", \"n\": 1}"
                                        << "got {\"token\": ***, \"n\": 1}";
        QTest::addRow("member of JSON with a quote in it") << "{\"api_key\":\"a\\\"b\"}"
                                                           << "{\"api_key\":***}";
        QTest::addRow("member of JSON in a string") << "x \"{\\\"token\\\": \\\"abc\\\"}\" y"
                                                    << "x \"{\\\"token\\\": ***}\" y";
        QTest::addRow("number in JSON") << "{'token': 17}"
                                        << "{'token': ***}";
        QTest::addRow("option in quotes") << "x '--token=correct horse; battery' y"
                                          << "x '--token=***' y";
        QTest::addRow("name in quotes") << "x \"--token\" 'a b' y"
                                        << "x \"--token\" *** y";
        QTest::addRow("sshpass") << "sshpass -p 'a b' ssh -p 2222 host; sshpass -pabc scp -p x y"
                                 << "sshpass -p *** ssh -p 2222 host; sshpass -p*** scp -p x y";
        QTest::addRow("docker login") << "/usr/bin/docker login -u me -p abc r.io && mkdir -p out"
                                      << "/usr/bin/docker login -u me -p *** r.io && mkdir -p out";
        QTest::addRow("mysql") << "mysql -u me -pabc db | torchrun -p 8080"
                               << "mysql -u me -p*** db | torchrun -p 8080";
        QTest::addRow("end of the text") << "--token"
                                         << "--token";
    }
    void hidden() {
        QFETCH(QString, text);
        const std::string clean = capture::withoutSecrets(text.toStdString());
        QTEST(QString::fromStdString(clean), "clean");
        QCOMPARE(capture::lacksSecret(clean), clean != text.toStdString());
    }

    /// Whatever a password holds, nothing of it is left of the words that a job was started with.
    void hiddenInWords_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("clean");
        // Words with lines between them.
        const auto row = [](const char* name, const char* words, const char* clean) {
            QTest::addRow("%s", name) << QString::fromUtf8(words).split(u'\n') << QString::fromUtf8(clean);
        };
        row("blank", "--token=correct horse battery", "--token=***");
        row("&", "--password=p&ss\n-x", "--password=*** -x");
        row("& at the begin", "--api-key=&abc", "--api-key=***");
        row(";", "DB_PASSWORD=a;b", "DB_PASSWORD=***");
        row("quotes", "--password=a'b \"c\nd", "--password=*** d");
        row("words", "--password\na b;c\n--token\n--lr\n1", "--password *** --token --lr 1");
        row("colon", "password:\na b", "password: ***");
        row("JSON", "--config={\"token\": \"a b\", \"n\": 1}\nx", "--config='{\"token\": ***, \"n\": 1}' x");
        row("JSON alone", "{\"token\": \"a'b\"}", "'{\"token\": ***}'");
        row("Python", "-c\nf({'token': 'a b'})", "-c 'f({'\\''token'\\'': ***})'");
        row("address", "https://me:p&w@host/x", "'https://me:***@host/x'");
        row("-p of sshpass", "sshpass\n-p\na b\nssh\n-p\n22\nhost", "sshpass -p *** ssh -p 22 host");
        row("nothing",
            "python3\na b\n--name=x y\n--pad-token=0\n=\na=", "python3 'a b' --name='x y' --pad-token=0 = a=");
    }
    void hiddenInWords() {
        QFETCH(const QStringList, words);
        std::vector<std::string> plain;
        for (const QString& word : words) plain.push_back(word.toStdString());
        QTEST(QString::fromStdString(capture::commandWithoutSecrets(plain)), "clean");
    }

    void allElseStays_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"python3 train.py --tokenizer-path ./t --max-tokens 4096 --pad-token 0", "--password --verbose",
              "step 5: loss 0.1", "cp host:/x y", "mkdir -p a && ssh -p 22 host", "python3 mysql.py -p 80",
              "the token was refused", "https://host:8080/a@b", "é=1 \x1b[0m", ""})
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
