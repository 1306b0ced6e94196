#include "core/capture/methods/tables.h"

#include "core/capture/methods/conditions.h"
#include "core/capture/methods/dyno_request.h"
#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/words.h"

#include <algorithm>

namespace altiscope::capture {

namespace {

constexpr std::string_view kTracesNpu = "activities has NPU";
constexpr std::string_view kTracesMarks = "msprof_tx and activities has NPU";
constexpr std::string_view kKinds =
    "Marker Kernel API Hccl Memory MemSet MemCpy Communication AclAPI NodeAPI RuntimeAPI";
constexpr std::int64_t kMaxSeconds = 4294967295;  // the daemon takes 32 bits
/// The daemon hands a job a datagram of 4096 bytes; what is longer is cut.
constexpr std::size_t kMaxDomainBytes = 1024;

// Whom the daemon asks: not part of the text that the job reads.
constexpr Field kPort = integer("port", "", "1778", "", {1, 65535});
// A folder on this machine with ca.crt, client.crt, client.key, perhaps ca.crl; empty or NO_CERTS: without TLS.
constexpr Field kCertsDir = path("certs_dir", "", R"("")");
constexpr Field kServerName = {"server_name", ""};
constexpr Field kJobId = integer("job_id", "", "0", "", {0});
constexpr Field kPids = {"pids", "", FieldType::IntegerList, "[]", {}, {}, 0, 4194304};
constexpr Field kProcessLimit = integer("process_limit", "", "1000", "", {1, 1'000'000});

// In the order in which the daemon's own client sends the keys.
constexpr Field kTraceFields[] = {
    path("log_file", "ACTIVITIES_LOG_FILE", R"("")"),
    steps("start_step", "PROFILE_START_STEP", "-1", -1),
    steps("iterations", "ACTIVITIES_ITERATIONS", "1", 1),
    steps("warmup", "WARMUP_ITERATIONS", "0", 0),
    flag("record_shapes", "PROFILE_RECORD_SHAPES"),
    flag("profile_memory", "PROFILE_PROFILE_MEMORY"),
    flag("with_stack", "PROFILE_WITH_STACK"),
    flag("with_flops", "PROFILE_WITH_FLOPS"),
    flag("with_modules", "PROFILE_WITH_MODULES"),
    choices("activities", "PROFILE_ACTIVITIES", R"(["CPU", "NPU"])", "CPU NPU"),
    flag("analyse", "PROFILE_ANALYSE"),
    flag("async_mode", "PROFILE_ASYNC_MODE").when("analyse"),
    choice("profiler_level", "PROFILE_PROFILER_LEVEL", R"("Level0")", "Level0 Level1 Level2 Level_none")
        .when(kTracesNpu),
    choice("aic_metrics", "PROFILE_AIC_METRICS", R"("AiCoreNone")", kAicMetrics).when(kTracesNpu),
    flag("l2_cache", "PROFILE_L2_CACHE").when(kTracesNpu),
    flag("op_attr", "PROFILE_OP_ATTR").when("export_type=Db and activities has NPU"),
    flag("msprof_tx", "PROFILE_MSPROF_TX").when(kTracesNpu),
    number("gc_detect_threshold", "PROFILE_GC_DETECT_THRESHOLD", "null", "ms", {0})
        .orNull()
        .when("activities has CPU and activities has NPU"),
    flag("data_simplification", "PROFILE_DATA_SIMPLIFICATION", "true").when(kTracesNpu),
    choice("export_type", "PROFILE_EXPORT_TYPE", R"("Text")", "Text Db").when(kTracesNpu),
    choices("host_sys", "PROFILE_HOST_SYS", "[]", "cpu mem disk network osrt").when(kTracesNpu),
    flag("sys_io", "PROFILE_SYS_IO").when(kTracesNpu),
    flag("sys_interconnection", "PROFILE_SYS_INTERCONNECTION").when(kTracesNpu),
    texts("mstx_domain_include", "PROFILE_MSTX_DOMAIN_INCLUDE").when(kTracesMarks),
    texts("mstx_domain_exclude", "PROFILE_MSTX_DOMAIN_EXCLUDE").when(kTracesMarks),
    ranks("rank_list", "PROFILE_RANK_LIST", "[]", 0),
    kPort,
    kCertsDir,
    kServerName,
    kJobId,
    kPids,
    kProcessLimit,
};

constexpr Field kMonitorFields[] = {
    path("log_file", "NPU_MONITOR_LOG_FILE", R"("")"),
    integer("report_interval_s", "REPORT_INTERVAL_S", "60", "s", {0, kMaxSeconds}),
    number("duration", "DURATION", "0", "s", {0, kMaxSeconds}),
    choices("mspti_activity_kind", "MSPTI_ACTIVITY_KIND", R"(["Marker"])", kKinds),
    choice("export_type", "NPU_MONITOR_EXPORT_TYPE", R"("DB")", "DB Jsonl"),
    integer("json_rotate_log_lines", "JSONL_ROTATE_LOG_LINES", "null", "line", {100, 500000})
        .orNull()
        .when("export_type=Jsonl"),
    integer("json_rotate_log_files", "JSONL_ROTATE_LOG_FILES", "null", "", {-1, 1'000'000})
        .orNull()
        .when("export_type=Jsonl"),
    {"filter", "NPU_MONITOR_FILTER"},
    kPort,
    kCertsDir,
    kServerName,
    kJobId,
    kPids,
    kProcessLimit,
};

/// A value with "=" is dropped by the job's reader, and a text is cut after 1024 bytes by the daemon's client.
void checkTexts(const Settings& settings, std::initializer_list<std::string_view> names, SettingProblems& problems) {
    for (const std::string_view name : names) {
        const std::string text = settings.text(name);
        if (text.find('=') != std::string::npos) addError(problems, name, "capture.rule.no_equals");
        if (name != "log_file" && text.size() > kMaxDomainBytes)
            addError(problems, name, "capture.rule.too_long", {{"limit", std::to_string(kMaxDomainBytes)}});
    }
}

/// Another process that goes on with the capture has another working directory.
void checkCertificates(const Settings& settings, SettingProblems& problems) {
    const std::string folder = certificatesFolder(settings);
    if (!folder.empty() && !folder.starts_with('/')) addError(problems, "certs_dir", "capture.rule.certs_absolute");
}

void checkTrace(const Settings& settings, SettingProblems& problems) {
    checkCertificates(settings, problems);
    if (settings.text("log_file").empty()) addError(problems, "log_file", "capture.rule.log_folder");
    checkTexts(settings, {"log_file", "mstx_domain_include", "mstx_domain_exclude"}, problems);
    if (settings.integer("start_step") == 0) addError(problems, "start_step", "capture.rule.start_never");
    if (settings.text("activities").empty()) addError(problems, "activities", "capture.rule.empty_means_all");
    checkMetrics(settings, "profiler_level", "aic_metrics", "AiCoreNone", problems);
    if (settings.text("profiler_level") == "Level_none" && !settings.isOn("msprof_tx"))
        addError(problems, "msprof_tx", "capture.rule.marks_only", {{"level", "Level_none"}});
    checkExclusive(settings, "mstx_domain_include", "mstx_domain_exclude", problems);
    static constexpr std::string_view kCosts[] = {"with_stack", "profile_memory", "with_modules"};
    warnOfCosts(settings, kCosts, problems);
}

/// "Kind:name[,name][;Kind:...]".
bool isFilter(std::string_view text) {
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(';'));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        const auto colon = part.find(':');
        if (colon == std::string_view::npos || !hasWord(kKinds, part.substr(0, colon))) return false;
        // An entry with one more colon the job leaves out, silently.
        if (part.find(':', colon + 1) != std::string_view::npos) return false;
        for (std::string_view names = part.substr(colon + 1);;) {
            const std::string_view name = names.substr(0, names.find(','));
            if (name.find_first_not_of(' ') == std::string_view::npos) return false;
            if (name.size() == names.size()) break;
            names.remove_prefix(name.size() + 1);
        }
    }
    return true;
}

void checkMonitor(const Settings& settings, SettingProblems& problems) {
    if (!isFilter(settings.text("filter"))) addError(problems, "filter", "capture.rule.filter_form");
    checkCertificates(settings, problems);
    if (settings.text("log_file").empty()) addError(problems, "log_file", "capture.rule.log_folder");
    checkTexts(settings, {"log_file", "filter"}, problems);
    if (settings.text("mspti_activity_kind").empty()) addError(problems, "mspti_activity_kind", "capture.rule.no_kind");
    const auto files = settings.integer("json_rotate_log_files");
    if (files && *files != -1 && *files < 2) {
        addError(problems, "json_rotate_log_files", "capture.field.out_of_range",
                 {{"value", std::to_string(*files)}, {"range", "-1, >= 2"}});
    }
    for (const std::string_view kind : {"Hccl", "Memory", "MemSet", "MemCpy"}) {
        if (settings.has("mspti_activity_kind", kind))
            addWarning(problems, "mspti_activity_kind", "capture.rule.kind_not_written", {{"kind", std::string(kind)}});
    }
    // 0 is "without an end" for the tool.
    if (settings.text("duration") == "0") addWarning(problems, "duration", "capture.rule.until_cancelled");
}

}  // namespace

const Method kDynoNputrace{.name = "dyno-nputrace",
                           .medium = Medium::Request,
                           .trigger = Trigger::Edit,
                           .fields = kTraceFields,
                           .outputFields = "log_file",
                           .check = checkTrace,
                           .steps = {.end = "iterations"},
                           .polls = kTorchPolls,
                           .startField = "start_step"};
const Method kDynoNpumonitor{.name = "dyno-npumonitor",
                             .medium = Medium::Request,
                             .trigger = Trigger::Edit,
                             .fields = kMonitorFields,
                             .outputFields = "log_file",
                             .check = checkMonitor,
                             .results = ResultKind::Monitored};

}  // namespace altiscope::capture
