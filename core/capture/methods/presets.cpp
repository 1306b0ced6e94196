#include "core/capture/methods/presets.h"

#include "core/base/text/ascii.h"
#include "core/capture/methods/conditions.h"

#include <algorithm>

namespace altiscope::capture {

namespace {

constexpr std::string_view kNames[] = {"first-look", "communication", "memory", "operator-metrics", "light-marks"};

/// The word of a level field that ends like `end`: "Level1", "level1", "l1".
std::string levelWord(const Field& field, std::string_view end) {
    std::string_view words = field.choices;
    while (!words.empty()) {
        const std::string_view word = words.substr(0, words.find(' '));
        words.remove_prefix(std::min(words.size(), word.size() + 1));
        if (word.size() < end.size()) continue;
        const std::string_view tail = word.substr(word.size() - end.size());
        if (std::equal(tail.begin(), tail.end(), end.begin(), [](char a, char b) { return asciiLower(a) == b; })) {
            return std::string(word);
        }
    }
    return {};
}

}  // namespace

std::span<const std::string_view> presetNames() { return kNames; }

std::vector<Assignment> presetAssignments(const Method& method, std::string_view preset) {
    std::vector<Assignment> assignments;
    const auto field = [&](std::initializer_list<std::string_view> names) -> const Field* {
        for (const std::string_view name : names) {
            for (const Field& row : method.fields) {
                if (row.name == name) return &row;
            }
        }
        return nullptr;
    };
    const auto level = [&](std::string_view end) {
        const Field* row = field({"profiler_level", "profile_level", "level", "actor_level"});
        if (row == nullptr || row->type != FieldType::Choice) return;
        if (const std::string word = levelWord(*row, end); !word.empty()) assignments.emplace_back(row->name, word);
    };
    const auto turnOn = [&](std::initializer_list<std::string_view> names) {
        const Field* row = field(names);
        if (row != nullptr) assignments.emplace_back(row->name, row->type == FieldType::Bool ? "true" : "on");
    };
    // verl has a list where others have switches.
    const auto addContent = [&](std::string_view word) {
        if (field({"actor_contents"}) != nullptr)
            assignments.emplace_back("actor_contents", "npu,cpu," + std::string(word));
    };
    if (preset == "first-look" || preset == "communication") {
        level("1");
        turnOn({"with_cpu", "profile_with_cpu"});
    } else if (preset == "memory") {
        level("1");
        turnOn({"profile_memory", "with_memory", "profile_with_memory", "task_memory"});
        addContent("memory");
        turnOn({"with_cpu", "profile_with_cpu"});
    } else if (preset == "operator-metrics") {
        level("1");
        const Field* metrics = field({"aic_metrics", "aic_metrics_type"});
        if (metrics != nullptr) assignments.emplace_back(metrics->name, "PipeUtilization");
        turnOn({"record_shapes", "profile_record_shapes"});
        addContent("shapes");
    } else if (preset == "light-marks") {
        level("none");
        turnOn({"mstx", "msproftx"});
    }
    return assignments;
}

}  // namespace altiscope::capture
