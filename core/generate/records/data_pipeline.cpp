#include "core/generate/records/data_pipeline.h"

#include "core/base/text/json_text.h"
#include "core/base/text/text_buffer.h"
#include "core/generate/support/noise.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <tuple>

namespace altiscope::generate {

namespace {

constexpr std::uint64_t kPipelineDomain = 41;
constexpr std::int64_t kQueueLength = 64;
constexpr std::int64_t kMsNs = 1'000'000;

/// One operation of the pipeline; data flows from the last one to the first.
struct PipelineOp {
    std::string_view type;
    std::uint32_t workers;
    std::uint32_t busyPercent;          ///< Of a processor.
    std::vector<std::int64_t> samples;  ///< Of its output queue; the root has none.

    std::int64_t total() const { return std::accumulate(samples.begin(), samples.end(), std::int64_t{0}); }
    /// Thousandths of an element, halves up.
    std::int64_t average() const {
        const auto count = static_cast<std::int64_t>(samples.size());
        return (total() * 1000 * 2 + count) / (2 * count);
    }
};

struct Pipeline {
    std::vector<PipelineOp> ops{{"Batch", 4, 31, {}}, {"Shuffle", 1, 9, {}}, {"TFReader", 4, 17, {}}};
    std::int64_t intervalMs = 10;
};

Pipeline pipelineOf(const Run& run, std::uint32_t rank) {
    Pipeline pipeline;
    const std::int64_t ms = std::max<std::int64_t>((run.schedule.end(rank) - run.plan.startOf(rank)).value / kMsNs, 10);
    pipeline.intervalMs = 10 * ((ms + 10 * kPipelineSamples - 1) / (10 * kPipelineSamples));
    const std::int64_t count = ms / pipeline.intervalMs;
    for (std::size_t i = 1; i < pipeline.ops.size(); ++i) {
        Noise noise(mixedKey({run.plan.seed, kPipelineDomain, rank, i}));
        std::vector<std::int64_t>& samples = pipeline.ops[i].samples;
        for (std::int64_t n = 0; n < std::max<std::int64_t>(count, 1); ++n)
            samples.push_back(std::min<std::int64_t>(noise.hostTime(kQueueLength * 3 / 4), kQueueLength));
    }
    return pipeline;
}

std::string rawCsv(const Pipeline& pipeline) {
    TextBuffer out;
    out.add("op_id,op_type,num_workers,output_queue_size,output_queue_average_size,output_queue_length,"
            "output_queue_usage_rate,sample_interval,parent_id,children_id\r\n");
    for (std::size_t i = 0; i < pipeline.ops.size(); ++i) {
        const PipelineOp& op = pipeline.ops[i];
        out.addNumber(std::uint64_t{i});
        out.add(',');
        out.add(op.type);
        out.add(',');
        out.addNumber(std::uint64_t{op.workers});
        if (op.samples.empty()) {
            out.add(",,,,0,");
        } else {
            out.add(",\"");
            char before = '[';
            for (const std::int64_t sample : op.samples) {
                out.add(before);
                if (before == ',') out.add(' ');
                out.addNumber(sample);
                before = ',';
            }
            out.add("]\",");
            out.addTrimmed(op.average(), 3);
            out.add(',');
            out.addNumber(kQueueLength);
            out.add(',');
            out.addTrimmed(op.average() * 1000 / kQueueLength, 6);
            out.add(',');
        }
        out.addNumber(pipeline.intervalMs);
        out.add(',');
        if (i > 0) out.addNumber(std::uint64_t{i - 1});
        out.add(',');
        if (i + 1 < pipeline.ops.size()) {
            out.add('[');
            out.addNumber(std::uint64_t{i + 1});
            out.add(']');
        }
        out.add("\r\n");
    }
    return std::string(out.view());
}

/// Keys with one value for each operation, or one in all.
nlohmann::ordered_json summaryOf(const Pipeline& pipeline) {
    nlohmann::ordered_json summary;
    for (std::size_t i = 0; i < pipeline.ops.size(); ++i) {
        const PipelineOp& op = pipeline.ops[i];
        const bool queue = !op.samples.empty();
        const auto empty = std::count(op.samples.begin(), op.samples.end(), 0);
        const std::string id = std::to_string(i);
        summary["op_ids"].push_back(i);
        summary["op_names"].push_back(op.type);
        summary["pipeline_ops"].push_back(std::string(op.type) + "(id=" + id + ")");
        summary["num_workers"].push_back(op.workers);
        summary["queue_average_size"].push_back(queue ? static_cast<double>(op.average()) / 1000.0 : -1.0);
        summary["queue_utilization_pct"].push_back(
            queue ? static_cast<double>(op.average() * 100 / kQueueLength) / 1000.0 : -1.0);
        summary["queue_empty_freq_pct"].push_back(
            queue ? static_cast<double>(empty * 100) / static_cast<double>(op.samples.size()) : -1.0);
        summary["children_ids"].push_back(i + 1 < pipeline.ops.size() ? nlohmann::ordered_json::array({i + 1})
                                                                      : nlohmann::ordered_json::array());
        summary["parent_id"].push_back(static_cast<std::int64_t>(i) - 1);
        summary["avg_cpu_pct"].push_back(op.busyPercent);
    }
    summary["per_pipeline_time"] = {1.74};
    summary["per_push_queue_time"] = {0.06};
    summary["per_batch_time"] = {1.8};
    return summary;
}

/// Transposed and without a header: the key, then its values.
std::string summaryCsv(const nlohmann::ordered_json& summary) {
    std::string text;
    for (const auto& [key, values] : summary.items()) {
        text += key;
        for (const auto& value : values) {
            const std::string cell = plainJson(value);
            text += cell.find(',') == std::string::npos ? "," + cell : ",\"" + cell + "\"";
        }
        text += "\r\n";
    }
    return text;
}

/// Each micro-batch takes one batch out of the pipeline.
std::string datasetCsv(const Run& run, std::uint32_t rank) {
    Noise noise(mixedKey({run.plan.seed, kPipelineDomain, rank}));
    TextBuffer out;
    out.add("Operation,Stage,Occurrences,Avg. time (us),Custom Info\r\n");
    for (const auto& [operation, stage, typicalNs] :
         {std::tuple("PipelineIterator", "GetNext", 1'740'000), std::tuple("BatchOp", "Pack", 640'000),
          std::tuple("ShuffleOp", "Fill", 120'000), std::tuple("TFReaderOp", "LoadFile", 910'000)}) {
        out.add(operation);
        out.add(',');
        out.add(stage);
        out.add(',');
        out.addNumber(run.plan.units());
        out.add(',');
        out.addTrimmed(noise.hostTime(typicalNs), 3);
        out.add(",\r\n");
    }
    return std::string(out.view());
}

}  // namespace

std::vector<std::pair<std::string, std::string>> dataPipelineFiles(const Run& run, std::uint32_t rank) {
    const Pipeline pipeline = pipelineOf(run, rank);
    const nlohmann::ordered_json summary = summaryOf(pipeline);
    const std::string number = std::to_string(rank);
    return {{"dataset.csv", datasetCsv(run, rank)},
            {"minddata_pipeline_raw_" + number + ".csv", rawCsv(pipeline)},
            {"minddata_pipeline_summary_" + number + ".csv", summaryCsv(summary)},
            {"minddata_pipeline_summary_" + number + ".json", dumpJson(summary)}};
}

}  // namespace altiscope::generate
