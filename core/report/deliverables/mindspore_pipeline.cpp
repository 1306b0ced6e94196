#include "core/report/deliverables/mindspore_pipeline.h"

#include "core/analysis/support/saturating.h"
#include "core/base/files/file.h"
#include "core/base/text/json_text.h"
#include "core/base/values/parse.h"
#include "core/report/deliverables/deliverable_file.h"
#include "core/report/deliverables/number_text.h"
#include "core/report/deliverables/pipeline_advice.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

using PipelineJson = nlohmann::json;
constexpr std::uint64_t kMaxFile = std::uint64_t{64} << 20;
constexpr std::size_t kMaxOperators = 2'000;

double roundedTo(double value, int decimals) { return numberOf(fixedText(value, decimals)); }

struct Operator {
    std::int64_t id = 0, workers = 0;
    std::string type;
    std::vector<std::int64_t> children;
    bool hasQueue = false;
    std::vector<std::int64_t> sizes;
    std::int64_t length = 0;
};

/// Content of the files in FRAMEWORK.
struct Pipeline {
    std::map<std::int64_t, Operator> operators;
    std::int64_t interval = 0;
};

std::int64_t numberInNames(const DeliverableInput& input) {
    return input.rank.info.rankId.value_or(input.rank.info.deviceId.value_or(0));
}

std::filesystem::path sourceFile(const DeliverableInput& input, const char* begin, const char* end) {
    return input.tasks.framework / (begin + std::to_string(numberInNames(input)) + end);
}

/// Discarded: there is no such file, or it is none of JSON.
PipelineJson pipelineJsonOf(const std::filesystem::path& path) {
    const auto text = readSmallText(path, kMaxFile);
    return text.ok() ? parseJson(text.value()) : PipelineJson(PipelineJson::value_t::discarded);
}

std::optional<std::int64_t> wholeAt(const PipelineJson& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? std::optional(found->get<std::int64_t>())
                                                               : std::nullopt;
}

/// nullopt: one of them is no integer.
std::optional<std::vector<std::int64_t>> wholesAt(const PipelineJson& object, const char* key) {
    std::vector<std::int64_t> numbers;
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return numbers;
    if (!found->is_array()) return std::nullopt;
    for (const PipelineJson& one : *found) {
        if (!one.is_number_integer()) return std::nullopt;
        numbers.push_back(one.get<std::int64_t>());
    }
    return numbers;
}

std::optional<Operator> operatorOf(const PipelineJson& info) {
    if (!info.is_object()) return std::nullopt;
    const auto id = wholeAt(info, "op_id"), workers = wholeAt(info, "num_workers");
    const auto type = info.find("op_type");
    auto children = wholesAt(info, "children");
    if (!id || !workers || !children || type == info.end() || !type->is_string()) return std::nullopt;
    Operator one{*id, *workers, type->get<std::string>(), *std::move(children), false, {}, 0};
    const auto metrics = info.find("metrics");
    if (metrics == info.end() || !metrics->is_object()) return one;
    const auto queue = metrics->find("output_queue");
    if (queue == metrics->end() || !queue->is_object() || queue->empty()) return one;
    auto sizes = wholesAt(*queue, "size");
    const auto length = wholeAt(*queue, "length");
    if (!sizes || !length) return std::nullopt;
    one.hasQueue = true;
    one.sizes = *std::move(sizes);
    one.length = *length;
    return one;
}

std::optional<Pipeline> pipelineOf(const DeliverableInput& input) {
    if (input.tasks.framework.empty()) return std::nullopt;
    const PipelineJson json = pipelineJsonOf(sourceFile(input, "pipeline_profiling_", ".json"));
    const auto interval = json.is_object() ? wholeAt(json, "sampling_interval") : std::nullopt;
    const auto list = json.is_object() ? json.find("op_info") : json.end();
    if (!interval || list == json.end() || !list->is_array() || list->empty() || list->size() > kMaxOperators)
        return std::nullopt;
    Pipeline pipeline;
    pipeline.interval = *interval;
    std::size_t children = 0;
    for (const PipelineJson& info : *list) {
        auto one = operatorOf(info);
        if (!one) return std::nullopt;
        const std::int64_t id = one->id;
        children += one->children.size();
        // Each is the child of one other.
        if (children > 2 * kMaxOperators) return std::nullopt;
        if (!pipeline.operators.try_emplace(id, *std::move(one)).second) return std::nullopt;
    }
    return pipeline;
}

/// Children that have a queue, or the nearest ones below them that have.
std::vector<std::int64_t> childrenWithQueues(const Pipeline& pipeline, const Operator& of) {
    std::vector<std::int64_t> found;
    std::deque<std::int64_t> waiting(of.children.begin(), of.children.end());
    std::set<std::int64_t> seen;
    while (!waiting.empty()) {
        const auto child = pipeline.operators.find(waiting.front());
        waiting.pop_front();
        // A tree that bites its own tail ends where it does.
        if (child == pipeline.operators.end() || !seen.insert(child->first).second) continue;
        const std::vector<std::int64_t>& below = child->second.children;
        if (child->second.hasQueue) found.push_back(child->first);
        else waiting.insert(waiting.end(), below.begin(), below.end());
    }
    return found;
}

struct Visited {
    std::int64_t id;
    std::optional<std::int64_t> parent;
};

/// Breadth first from the root, whose number is 0. From then on children are those with queues, of what was visited.
std::optional<std::vector<Visited>> visit(Pipeline& pipeline) {
    if (!pipeline.operators.contains(0)) return std::nullopt;
    std::vector<Visited> order{{0, std::nullopt}};
    std::set<std::int64_t> seen{0};
    for (std::size_t i = 0; i < order.size(); ++i) {
        Operator& one = pipeline.operators.at(order[i].id);
        one.children = childrenWithQueues(pipeline, one);
        // The program fails on these.
        if (one.hasQueue && one.length == 0) return std::nullopt;
        for (const std::int64_t child : one.children) {
            if (seen.insert(child).second) order.push_back({child, one.id});
        }
    }
    return order;
}

/// As Python prints a list.
std::string listText(const std::vector<std::int64_t>& numbers) {
    std::string text = "[";
    for (const std::int64_t number : numbers) text += (text.size() > 1 ? ", " : "") + std::to_string(number);
    return text + ']';
}

double meanOf(const std::vector<std::int64_t>& numbers) {
    double sum = 0;
    for (const std::int64_t number : numbers) sum += static_cast<double>(number);
    return sum / static_cast<double>(numbers.size());
}

/// By the number of an operator: percent of a processor, mean of its samples.
std::optional<std::vector<PipelineNumber>> processorUse(const DeliverableInput& input) {
    const PipelineJson json = pipelineJsonOf(sourceFile(input, "minddata_cpu_utilization_", ".json"));
    if (!json.is_object() || !json.contains("cpu_processor_num")) return std::nullopt;
    const auto list = json.find("op_info");
    if (list == json.end() || !list->is_array() || list->empty()) return std::nullopt;
    std::map<std::int64_t, PipelineNumber> found;
    for (const PipelineJson& one : *list) {
        const auto id = one.is_object() ? wholeAt(one, "op_id") : std::nullopt;
        const auto metrics = id ? one.find("metrics") : one.end();
        if (!id || metrics == one.end() || !metrics->is_object()) return std::nullopt;
        if (*id == -1) continue;
        const auto system = wholesAt(*metrics, "sys_utilization"), user = wholesAt(*metrics, "user_utilization");
        if (!system || !user) return std::nullopt;
        std::vector<std::int64_t> sums;
        for (std::size_t i = 0; i < std::min(system->size(), user->size()); ++i)
            sums.push_back(saturatedSum((*system)[i], (*user)[i]));
        found[*id] = sums.empty() ? PipelineNumber{0, true} : PipelineNumber{roundedTo(meanOf(sums), 2), false};
    }
    std::vector<PipelineNumber> use(found.size(), kNoPipelineNumber);
    for (const auto& [id, value] : found) {
        if (id < 0 || static_cast<std::size_t>(id) >= use.size()) return std::nullopt;
        use[static_cast<std::size_t>(id)] = value;
    }
    return use;
}

/// Mean ms of pipeline, push and batch; nullopt: there is no file, or it is none.
std::optional<std::array<PipelineNumber, 3>> batchTimes(const DeliverableInput& input) {
    std::error_code none;
    const auto queue = sourceFile(input, "device_queue_profiling_", ".txt");
    const bool hasQueue = std::filesystem::exists(queue, none);
    const auto text =
        readSmallText(hasQueue ? queue : sourceFile(input, "dataset_iterator_profiling_", ".txt"), kMaxFile);
    if (!text.ok() || text.value().empty()) return std::nullopt;
    std::array<std::vector<std::int64_t>, 3> times;
    std::int64_t before = 0;
    for (std::string_view rest = text.value(); !rest.empty();) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        std::vector<std::int64_t> record;
        for (line = trimmed(line); !line.empty();) {
            const std::string_view word = line.substr(0, line.find(' '));
            line.remove_prefix(std::min(line.size(), word.size() + 1));
            const auto number = wholeNumber(trimmed(word));
            if (!number) return std::nullopt;
            record.push_back(*number);
        }
        if (record.size() < 5) continue;
        if (record[2] < 2) {
            before = record[4];
        } else if (record[0] == 0) {
            if (record[1] < 0 || record[1] > 2) return std::nullopt;
            times[static_cast<std::size_t>(record[1])].push_back(record[3]);
        } else if (record[0] == 1 && !hasQueue) {
            times[2].push_back(saturatedDifference(record[4], before));
            before = record[4];
        }
    }
    std::array<PipelineNumber, 3> means{kNoPipelineNumber, kNoPipelineNumber, kNoPipelineNumber};
    for (std::size_t i = 0; i < means.size(); ++i) {
        if (!times[i].empty()) means[i] = {roundedTo(meanOf(times[i]), 3), false};
    }
    return means;
}

/// A key with its values, as JSON and as cells.
struct SummaryLine {
    std::string key;
    std::vector<std::string> json, cells;

    void add(const PipelineNumber& number) { json.push_back(cells.emplace_back(number.text())); }
    void add(std::int64_t number) { json.push_back(cells.emplace_back(std::to_string(number))); }
    void add(const std::vector<std::int64_t>& list) { json.push_back(cells.emplace_back(listText(list))); }
    void add(const std::string& text) {
        cells.push_back(text);
        json.push_back(dumpJson(PipelineJson(text)));
    }
};

/// Mean size of an operator's queue, how much of it is used, and how often it is empty.
void addQueue(const Operator& one, PipelineNumbers& numbers) {
    PipelineNumber mean = kNoPipelineNumber, used = kNoPipelineNumber, empty = kNoPipelineNumber;
    if (!one.sizes.empty()) {
        const auto zeros = static_cast<double>(std::count(one.sizes.begin(), one.sizes.end(), 0));
        mean = {roundedTo(meanOf(one.sizes), 2), false};
        if (one.length != 0) used = {roundedTo(100 * mean.value / static_cast<double>(one.length), 2), false};
        empty = {roundedTo(100 * zeros / static_cast<double>(one.sizes.size()), 2), false};
    }
    numbers.queueMeans.push_back(mean);
    numbers.queueUse.push_back(used);
    numbers.queueEmpty.push_back(empty);
}

/// All but the use of the workers.
PipelineNumbers numbersOf(const Pipeline& pipeline) {
    PipelineNumbers numbers;
    for (const auto& [id, one] : pipeline.operators) {
        numbers.ids.push_back(id);
        numbers.names.push_back(one.type.substr(0, one.type.size() - std::min<std::size_t>(2, one.type.size())));
        numbers.titles.push_back(numbers.names.back() + "(id=" + std::to_string(id) + ')');
        numbers.workers.push_back(one.workers);
        numbers.children.push_back(one.children);
        addQueue(one, numbers);
    }
    return numbers;
}

/// The parent of each operator; -1: it has none.
std::vector<std::int64_t> parentsOf(const Pipeline& pipeline) {
    std::map<std::int64_t, std::int64_t> parents;
    for (const auto& [id, one] : pipeline.operators)
        for (const std::int64_t child : one.children) parents[child] = id;
    std::vector<std::int64_t> ids;
    for (const auto& [id, one] : pipeline.operators) {
        const auto parent = parents.find(id);
        ids.push_back(parent == parents.end() ? -1 : parent->second);
    }
    return ids;
}

std::optional<std::vector<SummaryLine>> summaryOf(const DeliverableInput& input) {
    auto pipeline = pipelineOf(input);
    if (!pipeline) return std::nullopt;
    // The lines of the other file are made before, of the same operators.
    visit(*pipeline);
    const auto use = processorUse(input);
    const auto batches = use ? batchTimes(input) : std::nullopt;
    if (!batches) return std::nullopt;
    std::vector<SummaryLine> lines;
    const auto add = [&lines](const char* key, const auto& values) {
        SummaryLine& line = lines.emplace_back(SummaryLine{key, {}, {}});
        for (const auto& value : values) line.add(value);
    };
    PipelineNumbers numbers = numbersOf(*pipeline);
    add("op_ids", numbers.ids);
    add("op_names", numbers.names);
    add("pipeline_ops", numbers.titles);
    add("num_workers", numbers.workers);
    add("queue_average_size", numbers.queueMeans);
    add("queue_utilization_pct", numbers.queueUse);
    add("queue_empty_freq_pct", numbers.queueEmpty);
    add("children_ids", numbers.children);
    add("parent_id", parentsOf(*pipeline));
    add("avg_cpu_pct", *use);
    static constexpr std::array<const char*, 3> kBatches{"per_pipeline_time", "per_push_queue_time", "per_batch_time"};
    for (std::size_t i = 0; i < kBatches.size(); ++i) add(kBatches[i], std::array{(*batches)[i]});
    if (use->size() != numbers.ids.size()) return lines;
    for (std::size_t i = 0; i < use->size(); ++i) {
        const bool isKnown = numbers.workers[i] != 0 && (*use)[i].value >= 0;
        numbers.workerUse.push_back(
            isKnown ? PipelineNumber{roundedTo((*use)[i].value / static_cast<double>(numbers.workers[i]), 2), false}
                    : kNoPipelineNumber);
    }
    add("avg_cpu_pct_per_worker", numbers.workerUse);
    for (const auto& [key, texts] : pipelineAdvice(numbers)) add(key, texts);
    return lines;
}

}  // namespace

std::string pipelineRawStem(const DeliverableInput& input) {
    return "minddata_pipeline_raw_" + std::to_string(numberInNames(input));
}

std::string pipelineSummaryStem(const DeliverableInput& input) {
    return "minddata_pipeline_summary_" + std::to_string(numberInNames(input));
}

DeliverableResult writePipelineRaw(const DeliverableInput& input) {
    auto pipeline = pipelineOf(input);
    const auto order = pipeline ? visit(*pipeline) : std::nullopt;
    if (!order) return {DeliverableResult::State::Nothing};
    std::vector<std::vector<std::string>> lines{
        {"op_id", "op_type", "num_workers", "output_queue_size", "output_queue_average_size", "output_queue_length",
         "output_queue_usage_rate", "sample_interval", "parent_id", "children_id"}};
    for (const auto& [id, parent] : *order) {
        const Operator& one = pipeline->operators.at(id);
        const bool isSampled = !one.sizes.empty();
        const double mean = isSampled ? meanOf(one.sizes) : 0;
        lines.push_back({std::to_string(id), one.type, std::to_string(one.workers),
                         one.hasQueue ? listText(one.sizes) : std::string(),
                         isSampled ? exactText(mean) : std::string(),
                         one.hasQueue ? std::to_string(one.length) : std::string(),
                         isSampled ? exactText(mean / static_cast<double>(one.length)) : std::string(),
                         std::to_string(pipeline->interval), parent ? std::to_string(*parent) : std::string(),
                         one.children.empty() ? std::string() : listText(one.children)});
    }
    return writeLines(input, pipelineRawStem(input), lines);
}

DeliverableResult writePipelineSummaryJson(const DeliverableInput& input) {
    const auto lines = summaryOf(input);
    if (!lines) return {DeliverableResult::State::Nothing};
    DeliverableFile file(input.file(pipelineSummaryStem(input), ".json"), input.dialect, input.cancel);
    std::string text;
    for (const SummaryLine& line : *lines) {
        text += (text.empty() ? "{" : ", ") + ('"' + line.key + "\": [");
        for (std::size_t i = 0; i < line.json.size(); ++i) text += (i == 0 ? "" : ", ") + line.json[i];
        text += ']';
    }
    file.append(text + '}');
    return endDeliverable(file, input.cancel);
}

DeliverableResult writePipelineSummaryCsv(const DeliverableInput& input) {
    const auto lines = summaryOf(input);
    if (!lines) return {DeliverableResult::State::Nothing};
    std::vector<std::vector<std::string>> records;
    for (const SummaryLine& line : *lines) {
        std::vector<std::string>& cells = records.emplace_back(1, line.key);
        cells.insert(cells.end(), line.cells.begin(), line.cells.end());
    }
    return writeLines(input, pipelineSummaryStem(input), records);
}

}  // namespace altiscope
