#include "core/capture/session/size_estimate.h"

#include "core/capture/methods/method.h"
#include "core/capture/methods/presets.h"
#include "core/capture/methods/validation.h"
#include "core/capture/methods/value.h"
#include "core/capture/session/expectation.h"

#include <algorithm>
#include <iterator>

namespace altiscope::capture {

namespace {

/// How much is recorded, by whom, and where it goes or comes from; all others say what is recorded of a step.
bool saysWhat(const Field& field) {
    static constexpr std::string_view kOthers[] = {"is_rank", "pid",         "pids",       "job_id",
                                                   "port",    "config_path", "start_step", "repeat"};
    return field.unit != "step" && field.unit != "rank" && field.type != FieldType::Path &&
           std::find(std::begin(kOthers), std::end(kOthers), field.name) == std::end(kOthers);
}

bool haveSameContent(const Settings& one, const Settings& other) {
    if (one.variant() != other.variant()) return false;
    const auto all = one.all();
    return std::all_of(all.begin(), all.end(), [&other](const Setting& setting) {
        const Setting* same = other.find(setting.field->name);
        return !saysWhat(*setting.field) || (same != nullptr && plainText(same->value) == plainText(setting.value));
    });
}

Settings settingsOf(const CaptureRecord& record, const Method& method, const TargetRecord& target) {
    auto assignments = presetAssignments(method, record.preset);
    assignments.insert(assignments.end(), record.assignments.begin(), record.assignments.end());
    SettingProblems ignored;
    return makeSettings(method, assignments, target.original ? &*target.original : nullptr, ignored);
}

}  // namespace

std::optional<std::int64_t> recordedStepCount(const Settings& settings) {
    const std::string_view method = settings.method().name;
    const auto between = [&settings](std::string_view first, std::string_view end,
                                     std::int64_t more) -> std::optional<std::int64_t> {
        const auto from = settings.integer(first), to = settings.integer(end);
        if (!from || !to || *from < 0 || *to < 0 || *to + more <= *from) return std::nullopt;
        return *to + more - *from;
    };
    const auto positive = [&settings](std::string_view name) -> std::optional<std::int64_t> {
        const auto count = settings.integer(name);
        return count && *count > 0 ? count : std::nullopt;
    };
    if (method == "mm-static") return between("start_step", "end_step", 0);
    if (method == "llm-flags" || method == "rl-yaml") return between("profile_step_start", "profile_step_end", 0);
    if (method == "mindspore-dynamic") return between("start_step", "stop_step", 1);
    if (method == "torch-dynamic") return positive("active");
    if (method == "dyno-nputrace") return positive("iterations");
    return std::nullopt;
}

std::optional<SizeEstimate> estimateSize(const Settings& settings, const std::string& target,
                                         const std::string& workdir, std::span<const CaptureRecord> formers) {
    const auto steps = recordedStepCount(settings);
    if (!steps) return std::nullopt;
    const auto ranks = expectationOf(settings).ranks.size();
    for (const CaptureRecord& former : formers) {
        if (former.method != settings.method().name || former.state != State::Done) continue;
        const auto there = std::find_if(former.targets.begin(), former.targets.end(), [&](const TargetRecord& one) {
            return one.name == target && one.workdir == workdir;
        });
        const Method* method = findMethod(former.method);
        if (there == former.targets.end() || method == nullptr) continue;
        const Settings before = settingsOf(former, *method, *there);
        const auto stepsBefore = recordedStepCount(before);
        const auto ranksBefore = former.expectedRanks.size();
        std::uint64_t bytes = 0;
        for (const RankRecord& rank : there->ranks) bytes += rank.bytes;
        if (bytes == 0 || !stepsBefore || (ranks == 0) != (ranksBefore == 0) || !haveSameContent(settings, before))
            continue;
        double scale = static_cast<double>(*steps) / static_cast<double>(*stepsBefore);
        if (ranks > 0) scale *= static_cast<double>(ranks) / static_cast<double>(ranksBefore);
        return SizeEstimate{static_cast<std::uint64_t>(static_cast<double>(bytes) * scale), former.id, bytes};
    }
    return std::nullopt;
}

}  // namespace altiscope::capture
