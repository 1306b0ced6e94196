#include "tests/core/generate/db_reading.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <csignal>

#include <sys/resource.h>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// Tables that the real sample does not have, and why they are written all the same.
const std::map<std::string, const char*> kFurtherTables{
    {"QOS", "from newer versions: the text export of the same version shows these counters"}};

/// Rows of enumerations that the real sample does not have.
const std::map<std::string, const char*> kFurtherNames{
    {"ENUM_MODULE", "AML: a component that the real text export lists and the real enumeration lacks"}};

std::vector<std::string> tablesOf(const DbFile& db) {
    std::vector<std::string> tables;
    for (const auto& row : db.rows("SELECT name FROM sqlite_master WHERE type = 'table'"))
        tables.push_back(row.front());
    return tables;
}

/// Types of the values of each column of a table.
std::set<std::string> valueTypes(const DbFile& db, const std::string& table) {
    std::set<std::string> types;
    for (const auto& column : db.rows("SELECT name FROM pragma_table_info('" + table + "')")) {
        for (const auto& row : db.rows("SELECT DISTINCT typeof(" + column.front() + ") FROM " + table))
            types.insert(column.front() + " " + row.front());
    }
    return types;
}

/// While it lives, no file of this process grows beyond a size.
class SmallFiles {
public:
    explicit SmallFiles(rlim_t bytes) {
        m_signal = std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SmallFiles() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_signal);
    }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

private:
    rlimit m_before{};
    void (*m_signal)(int) = nullptr;
};

std::map<std::string, std::string> filesOf(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file())
            files[std::filesystem::relative(entry.path(), folder).string()] = fileText(entry.path());
    }
    return files;
}

const std::vector<std::string> kWords{"--format", "db", "--ranks", "4", "--steps", "2", "--layers", "1"};

}  // namespace

/// Tables, columns and types of the databases against the real sample of the same level, and what holds for the files.
class TestDbSchema : public QObject {
    Q_OBJECT

private slots:
    void sameAsReal_data() {
        QTest::addColumn<QString>("file");
        QTest::addRow("profiler") << "ascend_pytorch_profiler_1.db";
        QTest::addRow("analysis") << "analysis.db";
    }

    void sameAsReal() {
        QFETCH(QString, file);
        const auto folder = sharedData("torch_db/level1/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT");
        if (!folder) QSKIP(kNoSharedData);
        const GeneratedCapture capture(kWords);
        const DbFile real(*folder / file.toStdString());
        const DbFile made(capture.output(1) / file.toStdString());
        QVERIFY(!tablesOf(real).empty());
        for (const std::string& table : tablesOf(real)) {
            const std::string columns = "SELECT name, type, pk FROM pragma_table_info('" + table + "')";
            QCOMPARE(made.rows(columns), real.rows(columns));
            QVERIFY2(made.rows("SELECT 1 FROM " + table + " LIMIT 1").size() == 1, table.c_str());
            const std::set<std::string> types = valueTypes(real, table);
            for (const std::string& type : valueTypes(made, table))
                QVERIFY2(types.count(type) == 1, (table + "." + type).c_str());
            if (!table.starts_with("ENUM_")) continue;
            const Lines names = real.lines("SELECT * FROM " + table);
            for (const std::string& name : made.lines("SELECT * FROM " + table))
                QVERIFY2(names.count(name) == 1 || kFurtherNames.count(table) == 1, (table + ": " + name).c_str());
        }
        const auto tables = tablesOf(real);
        for (const std::string& table : tablesOf(made)) {
            const bool known = std::find(tables.begin(), tables.end(), table) != tables.end();
            QVERIFY2(known || kFurtherTables.count(table) == 1, table.c_str());
        }
        const std::string indexes = "SELECT name, sql FROM sqlite_master WHERE type = 'index'";
        QVERIFY(made.lines(indexes) == real.lines(indexes));
    }

    void identity() {
        const GeneratedCapture capture(kWords);
        const DbFile db(capture.output(3) / "ascend_pytorch_profiler_3.db");
        QCOMPARE(db.lines("SELECT * FROM RANK_DEVICE_MAP"), Lines{"3|3"});
        QCOMPARE(db.lines("PRAGMA integrity_check"), Lines{"ok"});
        const Json info = fileJson(capture.rank(3) / "profiler_info_3.json");
        QVERIFY(info["config"]["experimental_config"]["_export_type"] == "db");
        const std::string groups =
            db.rows("SELECT value FROM META_DATA WHERE name = 'parallel_group_info'").front().front();
        QVERIFY(Json::parse(groups) == fileJson(capture.rank(3) / "profiler_metadata.json")["parallel_group_info"]);
        const Json truth = fileJson(capture.path() / "truth.json");
        Lines steps;
        for (const Json& step : truth["ranks"][3]["steps"])
            steps.insert(step["step"].dump() + "|" + step["start_ts"].dump() + "|" + step["end_ts"].dump());
        QCOMPARE(db.lines("SELECT * FROM STEP_TIME"), steps);
        // Every id that rows refer to has a text.
        for (const auto& [table, column] :
             {std::pair("TASK", "taskType"), std::pair("CANN_API", "name"), std::pair("PYTORCH_API", "name"),
              std::pair("PYTORCH_CALLCHAINS", "stack"), std::pair("COMPUTE_TASK_INFO", "attrInfo"),
              std::pair("COMMUNICATION_OP", "groupName"), std::pair("COMMUNICATION_TASK_INFO", "name"),
              std::pair("MEMORY_RECORD", "component"), std::pair("OP_MEMORY", "name")}) {
            const auto missing = db.rows(std::string("SELECT COUNT(*) FROM ") + table + " WHERE " + column +
                                         " NOT IN (SELECT id FROM STRING_IDS)");
            QCOMPARE(missing.front().front(), std::string("0"));
        }
    }

    void sameBytesWithAnyNumberOfThreads() {
        const GeneratedCapture one(kWords, 1);
        const GeneratedCapture four(kWords, 4);
        QVERIFY(one.summary.ok() && four.summary.ok());
        QVERIFY(filesOf(one.path()) == filesOf(four.path()));
    }

    /// The truth of a run is the same whichever twin is written.
    void truthOfTwins() {
        std::vector<std::string> words = kWords;
        words[1] = "text";
        Json text = fileJson(GeneratedCapture(words).path() / "truth.json");
        const GeneratedCapture capture(kWords);
        Json db = fileJson(capture.path() / "truth.json");
        text.erase("args");
        db.erase("args");
        // Databases join no operator with a copy.
        QCOMPARE(text["ranks"].size(), db["ranks"].size());
        for (std::size_t rank = 0; rank < text["ranks"].size(); ++rank) {
            QVERIFY(text["ranks"][rank]["flows"] > db["ranks"][rank]["flows"]);
            text["ranks"][rank].erase("flows");
            db["ranks"][rank].erase("flows");
        }
        QVERIFY(text == db);
    }

    void diskFull() {
        const SmallFiles limit(300'000);
        const GeneratedCapture capture(kWords);
        QVERIFY(capture.summary.failed());
        QCOMPARE(capture.summary.error().code, std::string("generate.write_failed"));
        QVERIFY(!std::filesystem::exists(capture.path()));
    }
};

ALTI_TEST(TestDbSchema)
#include "tst_db_tables.moc"
