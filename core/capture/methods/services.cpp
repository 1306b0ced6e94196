#include "core/capture/methods/tables.h"

#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/words.h"

#include <algorithm>
#include <string>

namespace altiscope::capture {

namespace {

constexpr std::int64_t kMaxRecordTime = 3600;
constexpr std::string_view kRunning = "running", kStarted = "start";

// Where the service listens, and how long it records; for us only. The key is in a file on the target.
constexpr Field kAddress = {"address", "", FieldType::Text, R"("127.0.0.1")"};
constexpr Field kRecordTime = integer("record_time", "", "10", "s", {1, kMaxRecordTime});
constexpr Field kKeyFile = path("api_key_file", "", R"("")");
constexpr Field portField(std::string_view standard) { return integer("port", "", standard, "", {1, 65535}); }

// A service that runs is asked to begin and to end, and knows all else since its start. Members of --profiler-config
// that vllm-ascend has no use for (gzip, FLOPS, shapes, a schedule) are not among these; sources: vLLM
// `config/profiler.py`, vllm-ascend `profiler/torch_npu_profiler.py`, both of August 2026. The variables
// VLLM_TORCH_PROFILER_* of before are read no more.
constexpr Field kVllmFields[] = {
    choice("service", "", R"("running")", "running start"),
    kAddress,
    portField("8000"),
    kRecordTime,
    kKeyFile,
    choice("profiler", "profiler", R"("torch")", "torch").in(kStarted).always(),
    path("torch_profiler_dir", "", R"("")").in(kRunning),
    path("torch_profiler_dir", "torch_profiler_dir", R"("./vllm_profile")").in(kStarted),
    flag("torch_profiler_with_stack", "torch_profiler_with_stack").in(kStarted),
    flag("torch_profiler_with_memory", "torch_profiler_with_memory").in(kStarted),
    flag("ignore_frontend", "ignore_frontend", "true").in(kStarted),
    integer("delay_iterations", "delay_iterations", "0", "step", {0, kMaxStep}).in(kStarted),
    integer("max_iterations", "max_iterations", "0", "step", {0, kMaxStep}).in(kStarted),
};

// Members of the call, by SGLang's ProfileReq; on Ascend its GPU is the NPU.
constexpr Field kSglangFields[] = {
    kAddress,
    portField("30000"),
    kRecordTime,
    kKeyFile,
    path("output_dir", "output_dir", R"("")"),
    steps("start_step", "start_step", "null", 1).orNull(),
    steps("num_steps", "num_steps", "null", 1).orNull(),
    choices("activities", "activities", R"(["CPU", "GPU"])", "CPU GPU"),
    flag("with_stack", "with_stack"),
    flag("record_shapes", "record_shapes"),
    flag("profile_by_stage", "profile_by_stage"),
};

/// It becomes a part of an address.
void checkAddress(const Settings& settings, SettingProblems& problems) {
    const std::string address = settings.text("address");
    const bool isPlain = std::all_of(address.begin(), address.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
               c == ':';
    });
    if (address.empty() || !isPlain || address.front() == '-')
        addError(problems, "address", "capture.rule.service_address");
    const std::string key = settings.text("api_key_file");
    if (!key.empty() && !key.starts_with('/')) addError(problems, "api_key_file", "capture.rule.service_key");
}

void checkVllm(const Settings& settings, SettingProblems& problems) {
    checkAddress(settings, problems);
    if (settings.variant() == kRunning && settings.text("torch_profiler_dir").empty())
        addError(problems, "torch_profiler_dir", "capture.rule.service_folder");
    static constexpr std::string_view kCosts[] = {"torch_profiler_with_stack", "torch_profiler_with_memory"};
    warnOfCosts(settings, kCosts, problems);
}

void checkSglang(const Settings& settings, SettingProblems& problems) {
    checkAddress(settings, problems);
    const std::string output = settings.text("output_dir");
    if (!output.starts_with('/'))
        addError(problems, "output_dir", output.empty() ? "capture.rule.log_folder" : "capture.rule.service_absolute");
    if (settings.text("activities").empty()) addError(problems, "activities", "capture.rule.empty_means_all");
    // Its scheduler compares a count with the limit, which would not be there, and ends.
    const bool isByStage = settings.isOn("profile_by_stage");
    if (isByStage && !settings.integer("num_steps")) addError(problems, "num_steps", "capture.rule.sglang_stages");
    if (isByStage && settings.integer("start_step"))
        addError(problems, "start_step", "capture.rule.sglang_stage_start");
    static constexpr std::string_view kCosts[] = {"with_stack"};
    warnOfCosts(settings, kCosts, problems);
}

/// Stages have results of their own, as far as the service gets to them.
std::int64_t resultsOfSglang(const Settings& settings) { return settings.isOn("profile_by_stage") ? 0 : 1; }

}  // namespace

const Method kVllmAscend{.name = "vllm-ascend",
                         .medium = Medium::Service,
                         .trigger = Trigger::Attach,
                         .fields = kVllmFields,
                         .variantField = "service",
                         .outputFields = "torch_profiler_dir",
                         .check = checkVllm,
                         .forbids = "PROFILING_MODE PROFILER_SAMPLECONFIG MSMONITOR_USE_DAEMON=1",
                         .launchVariant = kStarted,
                         .options = OptionForm::ProfilerConfig,
                         .hint = "capture.hint.vllm"};
const Method kSglang{.name = "sglang",
                     .medium = Medium::Service,
                     .trigger = Trigger::Attach,
                     .fields = kSglangFields,
                     .outputFields = "output_dir",
                     .check = checkSglang,
                     .steps = {.end = "num_steps"},
                     .resultsPerRank = resultsOfSglang,
                     .hint = "capture.hint.sglang"};

}  // namespace altiscope::capture
