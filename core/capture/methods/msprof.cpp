#include "core/capture/methods/tables.h"

#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/words.h"

#include <utility>

namespace altiscope::capture {

namespace {

constexpr std::int64_t kMaxCount = 4294967295;  // the parser of msprof takes 32 bits
constexpr std::int64_t kMaxPid = 4194304, kMaxDevice = 1024;
constexpr std::string_view kMetrics = "ArithmeticUtilization PipeUtilization Memory MemoryL0 MemoryUB L2Cache "
                                      "ResourceConflictRatio PipelineExecuteUtilization "
                                      "MemoryAccess";
constexpr std::string_view kTaskTimes = "on off l0 l1 l2 l3";

constexpr Field onOff(std::string_view name, std::string_view option, std::string_view standard = R"("off")") {
    return choice(name, option, standard, kOnOff);
}
constexpr Field hertz(std::string_view name, std::string_view option, std::string_view standard, std::int64_t max) {
    return integer(name, option, standard, "Hz", {1, max});
}

// Availability of options differs between chips; the ranges are those of the open parser.

// Of msprof as it runs a program, and as it attaches to one.
constexpr Field kResultRows[] = {
    path("output", "--output", R"("")"),
    choice("type", "--type", R"("text")", kTextDb),
};
constexpr Field kDeviceRows[] = {
    integer("storage_limit", "--storage-limit", "null", "MB", {200, kMaxCount}).orNull(),
    onOff("ascendcl", "--ascendcl", R"("on")"),
    onOff("runtime_api", "--runtime-api"),
    choice("task_time", "--task-time", R"("on")", kTaskTimes),
    choice("ge_api", "--ge-api", R"("off")", "off l0 l1"),
    onOff("task_memory", "--task-memory"),
    onOff("aicpu", "--aicpu"),
    onOff("ai_core", "--ai-core", R"("on")"),
    choice("aic_mode", "--aic-mode", R"("task-based")", "task-based sample-based").when("ai_core=on"),
    hertz("aic_freq", "--aic-freq", "100", 100).when("aic_mode=sample-based"),
    choice("aic_metrics", "--aic-metrics", R"("PipeUtilization")", kMetrics).when("ai_core=on"),
};
constexpr Field kMarkRows[] = {
    onOff("msproftx", "--msproftx"),
    texts("mstx_domain_include", "--mstx-domain-include").when("msproftx=on"),
    texts("mstx_domain_exclude", "--mstx-domain-exclude").when("msproftx=on"),
    onOff("l2", "--l2"),
};

// Of the former only.
constexpr Field kApplicationRow[] = {
    {"application", ""},
};
constexpr Field kEnvironmentRow[] = {
    {"environment", "--environment"},
};
constexpr Field kModelRows[] = {
    onOff("hccl", "--hccl"),
    onOff("model_execution", "--model-execution"),
};
constexpr Field kSystemRows[] = {
    Field{"sys_devices", "--sys-devices", FieldType::IntegerList, "[]", {}, {}, 0, kMaxDevice}.orWord("all"),
    integer("sys_period", "--sys-period", "null", "s", {1, 2592000}).orNull(),
    onOff("sys_hardware_mem", "--sys-hardware-mem"),
    integer("sys_hardware_mem_freq", "--sys-hardware-mem-freq", "50", "Hz", {1, 10000}).when("sys_hardware_mem=on"),
    choice("llc_profiling", "--llc-profiling", "null", "read write capacity bandwidth")
        .orNull()
        .when("sys_hardware_mem=on"),
    onOff("sys_cpu_profiling", "--sys-cpu-profiling"),
    hertz("sys_cpu_freq", "--sys-cpu-freq", "50", 50).when("sys_cpu_profiling=on"),
    onOff("sys_profiling", "--sys-profiling"),
    hertz("sys_sampling_freq", "--sys-sampling-freq", "10", 10).when("sys_profiling=on"),
    onOff("sys_pid_profiling", "--sys-pid-profiling"),
    hertz("sys_pid_sampling_freq", "--sys-pid-sampling-freq", "10", 10).when("sys_pid_profiling=on"),
    onOff("sys_io_profiling", "--sys-io-profiling"),
    hertz("sys_io_sampling_freq", "--sys-io-sampling-freq", "100", 100).when("sys_io_profiling=on"),
    onOff("sys_interconnection_profiling", "--sys-interconnection-profiling"),
    hertz("sys_interconnection_freq", "--sys-interconnection-freq", "50", 50).when("sys_interconnection_profiling=on"),
    onOff("dvpp_profiling", "--dvpp-profiling"),
    hertz("dvpp_freq", "--dvpp-freq", "50", 100).when("dvpp_profiling=on"),
    onOff("instr_profiling", "--instr-profiling"),
    integer("instr_profiling_freq", "--instr-profiling-freq", "1000", "cycle", {300, 30000}).when("instr_profiling=on"),
    choices("host_sys", "--host-sys", "[]", "cpu mem disk network osrt"),
    choices("host_sys_usage", "--host-sys-usage", "[]", "cpu mem"),
    hertz("host_sys_usage_freq", "--host-sys-usage-freq", "50", 50).when("host_sys_usage!="),
    integer("host_sys_pid", "--host-sys-pid", "null", "", {1, kMaxPid}).orNull(),
    integer("delay", "--delay", "null", "s", {1, kMaxCount}).orNull(),
    integer("duration", "--duration", "null", "s", {1, kMaxCount}).orNull(),
    path("python_path", "--python-path", R"("")"),
};

// Of the latter only.
constexpr Field kProcessRows[] = {
    choice("dynamic", "--dynamic", R"("on")", "on").always(),
    integer("pid", "--pid", "null", "", {1, kMaxPid}).orNull(),
    integer("record_time", "", "10", "s", {1, 1800}),
};

// In the order in which users see them.
constexpr auto kMsprofFields =
    joined(kApplicationRow, kResultRows, kEnvironmentRow, kDeviceRows, kModelRows, kMarkRows, kSystemRows);
constexpr auto kAttachFields = joined(kProcessRows, kResultRows, kDeviceRows, kMarkRows);

/// Without a program msprof records a machine for some time, and ends if one of three options is missing.
void checkWholeSystem(const Settings& settings, SettingProblems& problems) {
    const bool hasDevices = !settings.text("sys_devices").empty(),
               hasPeriod = settings.integer("sys_period").has_value();
    if (!hasDevices && !hasPeriod) return;
    for (const auto& [field, isThere] : {std::pair<std::string_view, bool>("sys_devices", hasDevices),
                                         {"sys_period", hasPeriod},
                                         {"output", !settings.text("output").empty()}}) {
        if (!isThere) addError(problems, field, "capture.rule.whole_system");
    }
    if (!settings.text("host_sys").empty() && settings.text("application").empty() && !settings.integer("host_sys_pid"))
        addError(problems, "host_sys_pid", "capture.rule.host_sys_needs_pid");
}

void checkMsprof(const Settings& settings, SettingProblems& problems) {
    // msprof ends here, unlike the frameworks.
    checkExclusive(settings, "mstx_domain_include", "mstx_domain_exclude", problems);
    checkWholeSystem(settings, problems);
    if (settings.has("host_sys", "osrt") && settings.text("output").empty()) {
        addError(problems, "output", "capture.rule.osrt_needs_output");
    }
    if (settings.text("output").empty()) addWarning(problems, "output", "capture.rule.default_path");
}

void checkMsprofAttach(const Settings& settings, SettingProblems& problems) {
    if (!settings.integer("pid")) addError(problems, "pid", "capture.rule.pid_missing");
    if (settings.text("output").empty()) addWarning(problems, "output", "capture.rule.default_path");
    checkExclusive(settings, "mstx_domain_include", "mstx_domain_exclude", problems);
    addWarning(problems, "pid", "capture.rule.attach_needs_mode");
}

}  // namespace

const Method kMsprof{.name = "msprof",
                     .medium = Medium::Command,
                     .fields = kMsprofFields,
                     .outputFields = "output",
                     .check = checkMsprof,
                     .forbids = "PROFILING_MODE PROFILING_OPTIONS",
                     .paths = PathRule::Cann};
const Method kMsprofAttach{.name = "msprof-attach",
                           .medium = Medium::Command,
                           .trigger = Trigger::Attach,
                           .fields = kAttachFields,
                           .outputFields = "output",
                           .check = checkMsprofAttach,
                           .paths = PathRule::Cann};

}  // namespace altiscope::capture
