#include "core/query/schema/schema.h"
#include "core/query/schema/schema_text.h"
#include "core/query/schema/table_functions.h"
#include "tests/core/query/query_support.h"
#include "tests/support/test_main.h"

#include <nlohmann/json.hpp>

#include <set>

using namespace altiscope;
using namespace altiscope::test;

namespace {

/// The tables of resources/help/reference/sql.md, as a reader of it would copy them.
constexpr const char* kPromised[] = {
    "rank: rank_id device_id host framework source path start_ts end_ts clock_offset clock_residual recording",
    "track: track_id rank_id process thread name kind origin sort_index recording",
    "slice: slice_id track_id rank_id name category ts dur depth self_dur parent_id args recording",
    "instant: track_id rank_id name ts args recording",
    "counter: track_id rank_id name series ts value recording",
    "flow: flow_id category from_slice to_slice",
    "step: rank_id step start_ts end_ts recording",
    "operator: rank_id slice_id step name thread ts dur self_dur device_dur input_shapes input_types call_stack "
    "recording",
    "kernel: rank_id slice_id step kind name type accelerator_core stream ts dur wait block_num input_shapes "
    "input_types "
    "input_formats output_shapes output_types output_formats operator_slice_id device_id recording",
    "kernel_metric: rank_id kernel_rowid name value recording",
    "op_stat: rank_id origin name core_type count total min avg max device_id recording",
    "api_stat: rank_id origin level name count total min avg max variance recording",
    "name_stat: rank_id track_id name count total self_total min max recording",
    "memory_sample: rank_id component ts allocated reserved active stream device_id recording",
    "allocation: rank_id name size alloc_ts release_ts active_release_ts alloc_allocated alloc_reserved alloc_active "
    "release_allocated release_reserved release_active stream device_id first_use longest_idle unused_end recording",
    "module_memory: rank_id component ts reserved device_id recording",
    "static_memory: rank_id graph name node_start node_end size recording",
    "snapshot_event: device_id event_id action address size stream allocated reserved stack ts annotation "
    "device_free pool rank_id recording",
    "snapshot_block: device_id address size requested state segment_address alloc_event free_event stack "
    "stream pool expandable rank_id recording",
    "snapshot_annotation: device_id name start_ts end_ts rank_id recording",
    "step_breakdown: rank_id step origin computing communication not_overlapped overlapped free stage bubble "
    "not_overlapped_excl_receive preparing device_id left_out recording",
    "step_phase: rank_id step model_id phase name ts dur device_id recording",
    "collective: rank_id step origin group_name op_name kind ts elapsed transit wait synchronization idle instance "
    "recording",
    "bandwidth: rank_id step group_name op_name transport size transit gb_per_s large_packet_ratio recording",
    "packet: rank_id step group_name op_name transport packet_size count dur recording",
    "link: rank_id step group_name op_name selection src_rank dst_rank src_local dst_local transport size transit "
    "gb_per_s recording",
    "comm_group: group_name hash parallel_type ranks",
    "dataset_op: rank_id operation stage occurrences avg_time custom_info recording",
    "pipeline_queue: rank_id op_id op_type num_workers output_queue_size output_queue_average_size output_queue_length "
    "output_queue_usage_rate sample_interval parent_id children_id recording",
    "l2_cache: rank_id device_id stream_id task_id hit_rate victim_rate op_name recording",
    "hardware_stat: rank_id source device_id item name unit value recording",
    "gap: rank_id step track_id ts dur cause cause_slice cause_name host_thread coverage recording",
    "blame: rank_id step group_name op_name ts late cause cause_rank cause_slice cause_name recoverable alone coverage "
    "hops path recording",
    "critical_path: step position rank_id slice_id ts dur kind recording",
    "slack: rank_id step group_name op_name instance slack recording",
    "parallel_group: kind index ranks source",
    "pipeline_block: rank_id step stage micro_batch direction ts dur recording",
    "finding: rule severity rank_id step ts dur recoverable title detail parameters evidence thresholds recording",
    "metadata: rank_id key value recording",
    "diagnostic: severity code count file place message",
};

std::string listed(const TableInfo& table) {
    std::string text = std::string(table.name) + ":";
    for (const ColumnInfo& column : table.columns) text += " " + std::string(column.name);
    return text;
}

}  // namespace

class TestSchema : public QObject {
    Q_OBJECT
private slots:
    void tablesAreThePromisedOnes() {
        QCOMPARE(tableSchema().size(), std::size(kPromised));
        for (std::size_t i = 0; i < tableSchema().size(); ++i)
            QCOMPARE(listed(tableSchema()[i]), std::string(kPromised[i]));
    }

    void everythingIsExplained() {
        std::set<std::string_view> names;
        for (const TableInfo& table : tableSchema()) {
            QVERIFY(names.insert(table.name).second);
            QVERIFY(!table.meaning.empty());
            for (const ColumnInfo& column : table.columns)
                QVERIFY2(!column.meaning.empty(), std::string(column.name).c_str());
            QCOMPARE(findTable(table.name), &table);
        }
        QCOMPARE(findTable("nothing"), nullptr);
        QCOMPARE(columnNumber(*findTable("slice"), "ts"), 5);
        QCOMPARE(columnNumber(*findTable("slice"), "end"), -1);
    }

    void timesAndSizesHaveUnits() {
        for (const TableInfo& table : tableSchema()) {
            for (const ColumnInfo& column : table.columns) {
                const std::string_view name = column.name;
                if (name == "ts" || name == "dur" || name.ends_with("_ts"))
                    QCOMPARE(column.unit, std::string_view("ns"));
                if (name == "size" || name.starts_with("alloc_a")) QCOMPARE(column.unit, std::string_view("bytes"));
            }
        }
    }

    /// A table without input is empty and has its columns; all have the declared types.
    void everyTableAnswers() {
        const QueryDatabase database(captureFromTexts({}));
        for (const TableInfo& table : tableSchema()) {
            TextSink sink;
            const auto result = database.run("SELECT * FROM \"" + std::string(table.name) + "\"", sink, {});
            QVERIFY(result.ok());
            QCOMPARE(result.value().rows, 0U);
            std::string columns = std::string(table.name) + ":";
            for (const std::string& name : sink.names) columns += " " + name;
            QCOMPARE(columns, listed(table));
            std::string types;
            for (const ColumnInfo& column : table.columns)
                types += (types.empty() ? "" : "\n") + std::string(columnTypeName(column.type));
            QCOMPARE(runSql(database, "SELECT type FROM pragma_table_info('" + std::string(table.name) + "')"), types);
        }
    }

    void everyViewAnswers() {
        const QueryDatabase database(captureFromTexts({}));
        for (const ViewInfo& view : schemaViews()) {
            TextSink sink;
            QVERIFY2(database.run("SELECT * FROM " + std::string(view.name), sink, {}).ok(), view.name.data());
            std::vector<std::string> columns;
            for (const ColumnInfo& column : view.columns) columns.emplace_back(column.name);
            QCOMPARE(sink.names, columns);
            QVERIFY(sink.rows.empty());
        }
        for (const TableFunctionInfo& function : tableFunctions()) {
            std::string columns;
            for (const ColumnInfo& column : function.columns)
                columns += (columns.empty() ? "" : "\n") + std::string(column.name);
            QCOMPARE(runSql(database, "SELECT name FROM pragma_table_info('" + std::string(function.name) + "')"),
                     columns);
        }
    }

    void schemaJsonHoldsAll() {
        const auto json = nlohmann::json::parse(schemaJson());
        QCOMPARE(json.size(), tableSchema().size() + schemaViews().size() + tableFunctions().size());
        QCOMPARE(json[2]["table"].get<std::string>(), std::string("slice"));
        QCOMPARE(json[2]["columns"][5]["name"].get<std::string>(), std::string("ts"));
        QCOMPARE(json[2]["columns"][5]["unit"].get<std::string>(), std::string("ns"));
        QCOMPARE(json[2]["columns"][5]["type"].get<std::string>(), std::string("INTEGER"));
        QVERIFY(!json[2]["columns"][5]["meaning"].get<std::string>().empty());
    }

    void schemaTextNamesAll() {
        const std::string text = schemaText();
        for (const TableInfo& table : tableSchema()) {
            QVERIFY(text.find(std::string(table.name) + ": ") != std::string::npos);
            for (const ColumnInfo& column : table.columns)
                QVERIFY(text.find("  " + std::string(column.name)) != std::string::npos);
        }
    }
};

ALTI_TEST(TestSchema)
#include "tst_schema.moc"
