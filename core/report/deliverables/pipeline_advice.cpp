#include "core/report/deliverables/pipeline_advice.h"

#include "core/report/deliverables/number_text.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

namespace altiscope {

namespace {

constexpr double kBusyWorker = 75, kIdleWorker = 20, kReaderQueue = 50, kEmptyInput = 60, kQueueStep = 50,
                 kStarvedInput = 10;
constexpr std::int64_t kNone = -1;

/// Operators that one thread does.
bool isSingle(std::string_view name) {
    static constexpr std::string_view kNames[] = {"Barrier", "Concat", "EpochCtrl", "Rename", "Repeat",
                                                  "Shuffle", "Skip",   "Take",      "Zip"};
    return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

class Advisor {
public:
    explicit Advisor(const PipelineNumbers& numbers) : m_numbers(numbers), m_count(numbers.ids.size()) {}

    /// Whether each number of an operator is the place of one.
    bool isConsistent() const {
        const auto isPlace = [this](std::int64_t id) { return id >= 0 && static_cast<std::size_t>(id) < m_count; };
        return m_numbers.workerUse.size() == m_count &&
               std::all_of(m_numbers.ids.begin(), m_numbers.ids.end(), isPlace) &&
               std::all_of(m_numbers.children.begin(), m_numbers.children.end(),
                           [&](const auto& of) { return std::all_of(of.begin(), of.end(), isPlace); });
    }
    std::vector<std::string> ofProcessors() const;
    std::vector<std::string> ofQueues() const;
    /// The operator and why; empty texts: there is none.
    std::pair<std::string, std::string> bottleneck() const;

private:
    static std::size_t place(std::int64_t id) { return static_cast<std::size_t>(id); }
    const std::string& title(std::int64_t id) const { return m_numbers.titles[place(id)]; }
    std::string workers(std::int64_t id) const { return std::to_string(m_numbers.workers[place(id)]); }
    std::string worker(std::int64_t id) const { return m_numbers.workerUse[place(id)].text(); }
    double workerUse(std::int64_t id) const { return m_numbers.workerUse[place(id)].value; }
    const PipelineNumber& queue(std::int64_t id) const { return m_numbers.queueUse[place(id)]; }
    /// The nearest operator below that has a queue, going by first children; kNone: there is none.
    std::int64_t input(std::int64_t id) const;
    std::string busy(std::int64_t id) const {
        return title(id) + " is using " + worker(id) + "% CPU per worker. Setting num_parallel_workers>" + workers(id) +
               " might bring extra performance.";
    }

    const PipelineNumbers& m_numbers;
    const std::size_t m_count;
};

std::int64_t Advisor::input(std::int64_t id) const {
    // A tree that bites its own tail has none.
    for (std::size_t steps = 0; steps <= m_count; ++steps) {
        const std::vector<std::int64_t>& children = m_numbers.children[place(id)];
        if (children.empty()) return kNone;
        id = children.front();
        if (m_numbers.queueMeans[place(id)].value != kNone) return id;
    }
    return kNone;
}

std::vector<std::string> Advisor::ofProcessors() const {
    std::vector<std::string> found;
    for (const std::int64_t id : m_numbers.ids) {
        if (isSingle(m_numbers.names[place(id)])) continue;
        if (workerUse(id) > kBusyWorker && !m_numbers.names[place(id)].empty()) found.push_back(busy(id));
        else if (workerUse(id) < kIdleWorker && m_numbers.workers[place(id)] > 1)
            found.push_back(title(id) + " is using " + worker(id) + "% CPU per worker. Using num_parallel_workers=" +
                            workers(id) + " might not bring as much benefit due to low CPU usage per worker.");
    }
    return found;
}

std::vector<std::string> Advisor::ofQueues() const {
    std::vector<std::string> found;
    for (const std::int64_t id : m_numbers.ids) {
        const std::string& name = m_numbers.names[place(id)];
        if (isSingle(name) || name == "Batch") continue;
        const std::int64_t from = input(id);
        const PipelineNumber& out = queue(id);
        const bool hasOut = out.value != kNone;
        if (from == kNone && hasOut) {
            if (out.value <= kReaderQueue)
                found.push_back("Leaf op " + title(id) + " is using " + out.text() +
                                "% of its output queue. Setting num_parallel_workers>" + workers(id) +
                                " might speed up I/O.");
        } else if (name == "DeviceQueue" && from != kNone) {
            const PipelineNumber& empty = m_numbers.queueEmpty[place(from)];
            if (empty.value > kEmptyInput)
                found.push_back(title(id) + "'s input queue is empty " + empty.text() +
                                "% of the time. This might indicate dataset bottlenecks. Hence host cannot keep up "
                                "with the device " +
                                empty.text() + "% of the time. Device waits whenever input queue is empty.");
        } else if (from != kNone && hasOut) {
            const PipelineNumber& in = queue(from);
            if (in.value != kNone && in.value - out.value > kQueueStep)
                found.push_back(title(id) + "'s input queue usage=" + in.text() +
                                "% is greater than output queue usage=" + out.text() + "%. This indicates child op " +
                                title(from) + " might be producing faster than its parent " + title(id) +
                                " can consume. If this op has low CPU utilization, try increasing prefetch_size or "
                                "increasing num_workers.");
        }
    }
    return found;
}

std::pair<std::string, std::string> Advisor::bottleneck() const {
    std::pair<std::string, std::string> found;
    for (auto one = m_numbers.ids.rbegin(); one != m_numbers.ids.rend(); ++one) {
        const std::int64_t id = *one;
        const std::string& name = m_numbers.names[place(id)];
        if (isSingle(name) || name == "DeviceQueue") continue;
        const std::int64_t from = input(id);
        if (workerUse(id) > kBusyWorker) {
            found = {title(id), busy(id)};
        } else if (workerUse(id) < kIdleWorker && from != kNone) {
            const double in = queue(from).value;
            if (in < kStarvedInput || queue(id).value - in > kQueueStep)
                found = {title(id), title(id) + " has low CPU utilization per worker of " + worker(id) +
                                        "% and abnormal queue usage. Try increasing prefetch_size."};
        }
    }
    return found;
}

}  // namespace

std::string PipelineNumber::text() const {
    return isWhole ? std::to_string(static_cast<std::int64_t>(value)) : exactText(value);
}

std::vector<std::pair<const char*, std::vector<std::string>>> pipelineAdvice(const PipelineNumbers& numbers) {
    const Advisor advisor(numbers);
    std::vector<std::pair<const char*, std::vector<std::string>>> advice;
    if (!advisor.isConsistent()) return advice;
    if (auto texts = advisor.ofProcessors(); !texts.empty())
        advice.emplace_back("cpu_analysis_details", std::move(texts));
    if (auto texts = advisor.ofQueues(); !texts.empty())
        advice.emplace_back("queue_analysis_details", std::move(texts));
    if (auto [title, why] = advisor.bottleneck(); !title.empty()) {
        advice.emplace_back("bottleneck_warning", std::vector{std::move(title)});
        advice.emplace_back("bottleneck_suggestion", std::vector{std::move(why)});
    }
    return advice;
}

}  // namespace altiscope
