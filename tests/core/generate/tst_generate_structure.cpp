#include "tests/core/generate/capture_reading.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <cmath>
#include <set>

using namespace altiscope;
using namespace altiscope::test;

namespace {

const char* typeName(const Json& value) {
    // Python writes whole doubles with a decimal, so that 5 and 5.0 are different types of one key.
    if (value.is_number_integer()) return "integer";
    if (value.is_number_float()) return "real";
    return value.type_name();
}

/// Which kind of event it is: phase, process, category, and for arguments that depend on it the kind of name.
std::string kindOf(const Json& event, const TraceNames& names) {
    std::string kind = event["ph"].get<std::string>() + " ";
    const std::string name = event["name"];
    if (event["ph"] == "M") return kind + name;
    if (event["ph"] == "s" || event["ph"] == "f") return kind + event["cat"].get<std::string>();
    kind += names.process(event) + " " + (event.contains("cat") ? event["cat"].get<std::string>() : std::string());
    if (event["ph"] == "C" && name.find(' ') != std::string::npos) return kind + name.substr(name.find(' '));
    if (event["ph"] == "C") return kind + name;
    if (names.process(event) == "HCCL") return kind + (names.thread(event).starts_with("Group") ? "collective" : name);
    if (names.process(event) == "CANN") return kind + name.substr(0, name.find('@'));
    if (names.process(event) == "Ascend Hardware") return kind + event["args"]["Task Type"].get<std::string>();
    return kind;
}

/// Keys with types, of the event and of its arguments; `dur` and numbers in arguments may be written either way.
std::string shapeOf(const Json& event) {
    std::string shape;
    for (const auto& [key, value] : event.items())
        shape += key + ":" + (key == "dur" ? "number" : typeName(value)) + " ";
    if (!event.contains("args")) return shape;
    for (const auto& [key, value] : event["args"].items()) shape += "/" + key + ":" + typeName(value);
    return shape;
}

std::map<std::string, std::set<std::string>> shapesOf(const Json& trace) {
    const TraceNames names(trace);
    std::map<std::string, std::set<std::string>> shapes;
    for (const Json& event : trace) { shapes[kindOf(event, names)].insert(shapeOf(event)); }
    return shapes;
}

/// Paths of all keys with the types at their ends; names of operators, groups, links and steps are replaced.
void collectKeys(const Json& value, const std::string& path, std::set<std::string>& keys) {
    if (!value.is_object()) {
        keys.insert(path + ":" + (value.is_number() ? "number" : value.type_name()));
        return;
    }
    if (value.empty()) keys.insert(path + ":empty");
    for (const auto& [key, inner] : value.items()) {
        std::string word = key;
        if (key.find('@') != std::string::npos)
            word = key.substr(0, key.find('@')).find("-") != std::string::npos ? key.substr(0, key.find('@')) : "OP";
        if (key.starts_with("step")) word = "STEP";
        if (!key.empty() && key.find_first_not_of("0123456789-.e") == std::string::npos) word = "NUMBER";
        collectKeys(inner, path + "/" + word, keys);
    }
}

std::set<std::string> keysOf(const std::filesystem::path& path) {
    std::set<std::string> keys;
    collectKeys(fileJson(path), {}, keys);
    return keys;
}

QString missing(const std::set<std::string>& from, const std::set<std::string>& in) {
    QStringList list;
    for (const std::string& one : from) {
        if (in.count(one) == 0) list << QString::fromStdString(one);
    }
    return list.join(u'\n');
}

std::string firstLine(const std::filesystem::path& path) {
    const std::string text = fileText(path);
    return text.substr(0, text.find('\n'));
}

/// How the cells of a column are written: digits as 9, runs of them shortened; texts as "text".
std::string cellShape(const std::string& cell) {
    if (cell.empty()) return "empty";
    if (cell == "N/A") return "N/A";
    if (cell.find_first_not_of("0123456789.") != std::string::npos) return "text";
    return cell.find('.') == std::string::npos ? "integer" : "decimal";
}

}  // namespace

/// Every file against the real captures of the same profiling level: the same keys, columns and types.
class TestGenerateStructure : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_real = sharedData("torch_text/level1/rank0_ascend_pt");
        if (!m_real) QSKIP(kNoSharedData);
        m_made = std::make_unique<GeneratedCapture>(
            std::vector<std::string>{"--ranks", "4", "--steps", "2", "--layers", "2"});
        QVERIFY(m_made->summary.ok());
    }

    void cleanupTestCase() { m_made.reset(); }

    void timeline_data() {
        QTest::addColumn<bool>("resnet");
        QTest::addRow("transformer") << false;
        QTest::addRow("residual network") << true;
    }

    void timeline() {
        QFETCH(bool, resnet);
        const GeneratedCapture other({"--model=resnet", "--layers=1", "--steps=2"});
        const auto real = shapesOf(fileJson(*m_real / "ASCEND_PROFILER_OUTPUT/trace_view.json"));
        const auto made = shapesOf(fileJson((resnet ? other : *m_made).output(0) / "trace_view.json"));
        for (const auto& [kind, shapes] : made) {
            // Attention kernels run on both kinds of cores; the model of the level 1 sample has none.
            if (kind == "X Ascend Hardware MIX_AIC") continue;
            QVERIFY2(real.count(kind) == 1, kind.c_str());
            QVERIFY2(missing(shapes, real.at(kind)).isEmpty(),
                     (kind + ": " + missing(shapes, real.at(kind)).toStdString()).c_str());
        }
        // And nothing of the real file is left out but what its model alone has.
        std::set<std::string> absent;
        for (const auto& [kind, shapes] : real) {
            if (made.count(kind) == 0) absent.insert(kind);
        }
        // The real network draws masks for its dropout.
        QCOMPARE(absent, resnet ? std::set<std::string>{"X Ascend Hardware DSA_SQE"} : std::set<std::string>());
    }

    void orderOfEvents() {
        const auto sections = [](const Json& trace) {
            const TraceNames names(trace);
            std::vector<std::string> order;
            for (const Json& event : trace) {
                std::string section = names.process(event);
                if (event["ph"] == "s" || event["ph"] == "f") section = event["cat"];
                else if (event["ph"] == "M") section = section == "Python" ? "host metadata" : "device metadata";
                else if (event.contains("cat")) section = event["cat"];
                else section = "device";
                if (section == "HostToDevice") section = "device";
                if (section == "async_task_queue") continue;  // Between the slices that it joins.
                if (order.empty() || order.back() != section) order.push_back(section);
            }
            return order;
        };
        QCOMPARE(sections(fileJson(m_made->output(0) / "trace_view.json")),
                 sections(fileJson(*m_real / "ASCEND_PROFILER_OUTPUT/trace_view.json")));
    }

    void timesAsTheRealOnes() {
        const Json trace = fileJson(m_made->output(0) / "trace_view.json");
        std::size_t withoutDecimals = 0;
        for (const Json& event : trace) {
            if (event["ph"] == "M") continue;
            const std::string ts = event["ts"];
            if (ts.find('.') == std::string::npos) ++withoutDecimals;
            else QCOMPARE(ts.size() - ts.find('.'), std::size_t{4});
        }
        QCOMPARE(withoutDecimals, std::size_t{1});  // The last point of AI Core Freq.
        // 5.0200000000000005
        QVERIFY(fileText(m_made->output(0) / "trace_view.json").find("00000000") != std::string::npos);
    }

    void csvFiles_data() {
        QTest::addColumn<QString>("file");
        for (const char* file :
             {"kernel_details.csv", "operator_details.csv", "op_statistic.csv", "api_statistic.csv",
              "step_trace_time.csv", "memory_record.csv", "operator_memory.csv", "npu_module_mem.csv"}) {
            QTest::addRow("%s", file) << QString::fromLatin1(file);
        }
    }

    void csvFiles() {
        QFETCH(QString, file);
        const std::filesystem::path realFile = *m_real / "ASCEND_PROFILER_OUTPUT" / file.toStdString();
        const std::filesystem::path madeFile = m_made->output(0) / file.toStdString();
        // The header with its line end, to the letter; the NPU stands there as newer exporters write it.
        QCOMPARE(QString::fromStdString(firstLine(madeFile)).remove(QStringLiteral("Device_id,")),
                 QString::fromStdString(firstLine(realFile)));
        const CsvTable real = readCsv(realFile);
        const CsvTable made = readCsv(madeFile);
        QVERIFY(!made.rows.empty());
        for (const std::string& column : made.header) {
            if (column == "Device_id") continue;
            std::set<std::string> realShapes;
            std::set<std::string> madeShapes;
            for (const auto& row : real.rows) realShapes.insert(cellShape(row.at(column)));
            for (const auto& row : made.rows) madeShapes.insert(cellShape(row.at(column)));
            // Numbers that happen to be whole everywhere in the small real file may have decimals here.
            if (realShapes.count("integer") != 0 && column.find("ime") != std::string::npos)
                realShapes.insert("decimal");
            if (column.find("Duration(us)") != std::string::npos || column.find("(MB)") != std::string::npos)
                realShapes.insert("decimal");
            QVERIFY2(missing(madeShapes, realShapes).isEmpty(),
                     (column + " is written as " + missing(madeShapes, realShapes).toStdString()).c_str());
        }
        // Time stamps are padded with a tab so that spreadsheets keep their digits.
        QCOMPARE(fileText(madeFile).find('\t') != std::string::npos,
                 fileText(realFile).find('\t') != std::string::npos);
    }

    void jsonFiles_data() {
        QTest::addColumn<QString>("file");
        QTest::addRow("communication") << "ASCEND_PROFILER_OUTPUT/communication.json";
        QTest::addRow("matrix") << "ASCEND_PROFILER_OUTPUT/communication_matrix.json";
        QTest::addRow("info") << "profiler_info_0.json";
    }

    void jsonFiles() {
        QFETCH(QString, file);
        const auto real = keysOf(*m_real / file.toStdString());
        const auto made = keysOf(m_made->rank(0) / file.toStdString());
        QVERIFY2(missing(made, real).isEmpty(), missing(made, real).toStdString().c_str());
        QVERIFY2(missing(real, made).isEmpty(), missing(real, made).toStdString().c_str());
    }

    /// Operations between two ranks, against the real ones of a run with two pipeline stages.
    void pointToPointAsInRealFiles() {
        const auto cluster = sharedData("torch_cluster_level2/rank_0_ascend_pt/ASCEND_PROFILER_OUTPUT");
        if (!cluster) QSKIP(kNoSharedData);
        const GeneratedCapture made({"--ranks", "16", "--steps", "1", "--layers", "2"});
        QVERIFY(made.summary.ok());
        const auto entriesOf = [](const std::filesystem::path& file) {
            std::map<std::string, std::set<std::string>> keys;
            for (const Json& step : fileJson(file)) {
                for (const auto& [key, entry] : step["p2p"].items()) {
                    std::string word = key.substr(0, key.find('@'));
                    word = word.find('-') == std::string::npos ? word.substr(0, word.find("__"))
                                                               : word.substr(word.find('-'));
                    if (word.starts_with("hcom_")) word = "operation";
                    for (const Json& link : word.starts_with("-") ? entry : Json::array({entry})) {
                        std::set<std::string> paths;
                        collectKeys(link, word, paths);
                        keys[word].insert(paths.begin(), paths.end());
                    }
                }
            }
            return keys;
        };
        for (const char* file : {"communication.json", "communication_matrix.json"}) {
            const auto real = entriesOf(*cluster / file);
            for (const auto& [word, keys] : entriesOf(made.output(8) / file)) {
                QVERIFY2(real.count(word) == 1, word.c_str());
                std::set<std::string> allowed = real.at(word);
                // Over the network where the real ranks are on one host.
                allowed.insert("operation/Communication Bandwidth Info/RDMA/Size Distribution/NUMBER:array");
                allowed.insert("Total Op Info/Communication Bandwidth Info/RDMA/Size Distribution/NUMBER:array");
                allowed.insert("Total Op Info/Communication Bandwidth Info/HCCS/Size Distribution:empty");
                QVERIFY2(missing(keys, allowed).isEmpty(), missing(keys, allowed).toStdString().c_str());
            }
        }
        std::set<std::string> types;
        for (const auto& row : readCsv(made.output(8) / "kernel_details.csv").rows) {
            if (row.at("Accelerator Core") == "HCCL") types.insert(row.at("Type"));
        }
        QCOMPARE(types, (std::set<std::string>{"hcom_allReduce_", "hcom_alltoallv_", "hcom_receive_", "hcom_send_"}));
    }

    void metadataAsInNewerFiles() {
        const auto cluster = sharedData("torch_cluster_level2/rank_0_ascend_pt/profiler_metadata.json");
        if (!cluster) QSKIP(kNoSharedData);
        const Json real = fileJson(*cluster);
        const Json made = fileJson(m_made->rank(0) / "profiler_metadata.json");
        for (const auto& [key, value] : made["distributed_args"].items())
            QCOMPARE(std::string(value.type_name()), std::string(real["distributed_args"].at(key).type_name()));
        QCOMPARE(made["distributed_args"].size(), real["distributed_args"].size());
        const Json& realGroup = *real["parallel_group_info"].begin();
        for (const Json& group : made["parallel_group_info"]) {
            for (const auto& [key, value] : group.items())
                QCOMPARE(std::string(value.type_name()), std::string(realGroup.at(key).type_name()));
        }
        const Json environment = fileJson(*m_real / "profiler_metadata.json")["ENV_VARIABLES"];
        for (const auto& [key, value] : environment.items()) QVERIFY(made["ENV_VARIABLES"].contains(key));
    }

    /// Within a factor of two of the real file, for the default run; the table stands in core/generate/README.md.
    void statistics() {
        struct Statistics {
            double slicesPerKernel = 0, depth = 0, argumentBytes = 0, counters = 0, flows = 0, slicesPerName = 0;
        };
        const auto measure = [](const Json& trace) {
            const TraceNames names(trace);
            double slices = 0, kernels = 0, argumentBytes = 0, counters = 0, flows = 0;
            std::set<std::string> sliceNames;
            std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::pair<std::int64_t, std::int64_t>>> tracks;
            for (const Json& event : trace) {
                if (event.contains("args")) argumentBytes += static_cast<double>(event["args"].dump().size());
                counters += event["ph"] == "C" ? 1 : 0;
                flows += event["ph"] == "s" || event["ph"] == "f" ? 1 : 0;
                if (event["ph"] != "X") continue;
                ++slices;
                sliceNames.insert(event["name"]);
                kernels += event["name"] == "Computing" ? 1 : 0;
                tracks[{event["pid"], event["tid"]}].emplace_back(startOf(event), -startOf(event) - durationOf(event));
            }
            std::size_t depth = 0;
            for (auto& [track, list] : tracks) {
                std::sort(list.begin(), list.end());
                std::vector<std::int64_t> open;
                for (const auto& [start, negativeEnd] : list) {
                    std::erase_if(open, [start = start](std::int64_t end) { return end <= start; });
                    open.push_back(-negativeEnd);
                    depth = std::max(depth, open.size());
                }
            }
            const auto events = static_cast<double>(trace.size());
            return Statistics{slices / kernels,       static_cast<double>(depth),
                              argumentBytes / events, counters / events,
                              flows / events,         slices / static_cast<double>(sliceNames.size())};
        };
        const GeneratedCapture standard({});
        QVERIFY(standard.summary.ok());
        const Statistics real = measure(fileJson(*m_real / "ASCEND_PROFILER_OUTPUT/trace_view.json"));
        const Statistics made = measure(fileJson(standard.output(0) / "trace_view.json"));
        const auto isNear = [](const char* what, double one, double other) {
            qInfo("%-24s real %8.2f  generated %8.2f", what, one, other);
            return one < other * 2 && other < one * 2;
        };
        QVERIFY(isNear("slices per kernel", real.slicesPerKernel, made.slicesPerKernel));
        QVERIFY(isNear("nesting depth", real.depth, made.depth));
        QVERIFY(isNear("argument bytes per event", real.argumentBytes, made.argumentBytes));
        QVERIFY(isNear("share of counters", real.counters, made.counters));
        QVERIFY(isNear("share of flow ends", real.flows, made.flows));
        QVERIFY(isNear("slices per name", real.slicesPerName, made.slicesPerName));
    }

private:
    std::optional<std::filesystem::path> m_real;
    std::unique_ptr<GeneratedCapture> m_made;
};

ALTI_TEST(TestGenerateStructure)
#include "tst_generate_structure.moc"
