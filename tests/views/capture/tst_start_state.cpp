#include "views/capture/form/start_state.h"

#include "tests/support/test_main.h"

using namespace altiscope;

class TestStartState : public QObject {
    Q_OBJECT
private slots:
    void sentence_data();
    void sentence();
};

void TestStartState::sentence_data() {
    using Edits = std::vector<capture::Assignment>;
    QTest::addColumn<std::string>("method");
    QTest::addColumn<Edits>("edits");
    QTest::addColumn<JobInput>("job");
    QTest::addColumn<bool>("possible");
    QTest::addColumn<QString>("part");
    const auto add = [](const char* name, const char* method, const Edits& edits, const JobInput& job, bool possible,
                        const char* part) {
        QTest::newRow(name) << std::string(method) << edits << job << possible << QString::fromUtf8(part);
    };
    const Edits results{{"prof_dir", "/data/p"}};
    add("wrong settings come first", "torch-dynamic", {{"active", "0"}, {"warmup", "-1"}}, {}, false,
        "2 setting(s) to correct: ");
    add("no target", "torch-dynamic", results, {{}, "c.json"}, false, "target on the left");
    add("no target of ssh", "torch-dynamic", results, {{"-oX"}, "c.json"}, false, "-oX is not a target");
    add("no file", "torch-dynamic", results, {{"local"}, ""}, false, "Give the configuration file");
    add("a running job", "torch-dynamic", results, {{"local"}, "c.json"}, true,
        "On this machine: c.json is changed as shown; the running job takes it up by itself");
    add("a running job elsewhere has results somewhere", "torch-dynamic", {}, {{"local"}, "c.json"}, false,
        "Give the folder for results");
    add("that folder", "torch-dynamic", {}, {{"local"}, "c.json", "", "", "/data"}, true, "c.json is changed");
    add("a job that is launched", "mm-static", {}, {{"a", "b"}, "tools.json", "", "sh run.sh"}, true,
        "On a, b: tools.json is changed as shown, the command is started");
    add("a job that the user starts", "mm-static", {}, {{"a"}, "tools.json"}, true, "then you start the job");
    add("options need a command", "llm-flags", {}, {{"local"}}, false, "Give the command");
    add("options", "llm-flags", {}, {{"local"}, "", "", "sh run.sh"}, true, "started with the options shown");
    add("a section", "llm-flags", {{"backend", "fsdp2"}}, {{"local"}, "", "", "sh run.sh"}, false,
        "Give the configuration file");
    add("its file", "llm-flags", {{"backend", "fsdp2"}}, {{"local"}, "a.yaml", "", "sh run.sh"}, true,
        "a.yaml is changed as shown, the command is started");
    add("msprof without a program", "msprof", {{"output", "/d"}, {"sys_devices", "all"}, {"sys_period", "5"}},
        {{"local"}}, true, "msprof runs");
    add("a variable", "mindspore-env", {{"output_path", "/data"}}, {{"local"}, "", "", "sh run.sh"}, true,
        "started with the variable shown");
    add("lines for a program", "mindspore-api", {}, {{"local"}}, false, "Put the lines into your program");
    add("msprof needs a command", "msprof", {{"output", "/data"}}, {{"local"}}, false, "Give the command");
    add("msprof with its own", "msprof", {{"output", "/data"}, {"application", "./a"}}, {{"local"}}, true,
        "msprof runs the command");
    add("attach", "msprof-attach", {{"output", "/data"}, {"pid", "42"}}, {{"local"}}, true, "attaches to the process");
    add("more targets than fit", "mm-static", {}, {{"a", "b", "c", "d"}, "tools.json"}, true,
        "On a, b and 2 more target");
    add("opened", "mm-static", {}, {{"a"}, "tools.json"}, true, "copied here and opened.");
    add("fetched only", "mm-snapshot", {}, {{"a"}, "tools.json"}, true, "results are copied here.");
    add("left there", "mm-static", {}, {{"a"}, "tools.json", "", "", "", false}, true,
        "stay there until you fetch them");
}

void TestStartState::sentence() {
    QFETCH(std::string, method);
    QFETCH(std::vector<capture::Assignment>, edits);
    QFETCH(JobInput, job);
    QFETCH(QString, part);
    FormInput input;
    input.method = capture::findMethod(method);
    input.edits = edits;
    const StartState state = startState(formState(input), job);
    QVERIFY2(state.sentence.contains(part), qPrintable(state.sentence));
    QTEST(state.possible, "possible");
}

ALTI_TEST(TestStartState)
#include "tst_start_state.moc"
