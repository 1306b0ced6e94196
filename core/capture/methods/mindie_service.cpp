#include "core/capture/methods/tables.h"

#include "core/base/text/json_text.h"
#include "core/capture/methods/conditions.h"
#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/words.h"

#include <QRegularExpression>
#include <QString>

#include <nlohmann/json.hpp>

namespace altiscope::capture {

namespace {

// As msServiceProfiler reads them (`cpp/src/Config.cpp`): a type that it does not expect it silently takes for the
// standard value.
constexpr std::string_view kServiceLevels = "INFO ERROR DETAILED VERBOSE LEVEL_CORE_TRACE LEVEL_OUTLIER_ENENT "
                                            "LEVEL_NORMAL_TRACE LEVEL_DETAILED_TRACE L0 L1 L2";
constexpr std::string_view kDomains = "Request KVCache ModelExecute BatchSchedule Communication eplb_observe";
constexpr std::string_view kDataTypes =
    "ACL_PROF_ACL_API ACL_PROF_TASK_TIME ACL_PROF_TASK_TIME_L0 ACL_PROF_OP_ATTR ACL_PROF_AICORE_METRICS "
    "ACL_PROF_TASK_MEMORY ACL_PROF_AICPU ACL_PROF_L2CACHE ACL_PROF_HCCL_TRACE ACL_PROF_TRAINING_TRACE "
    "ACL_PROF_RUNTIME_API ACL_PROF_MSPROFTX";
constexpr std::string_view kServiceMetrics =
    "ACL_AICORE_PIPE_UTILIZATION ACL_AICORE_MEMORY_BANDWIDTH ACL_AICORE_L0B_AND_WIDTH "
    "ACL_AICORE_RESOURCE_CONFLICT_RATIO ACL_AICORE_MEMORY_UB ACL_AICORE_L2_CACHE ACL_AICORE_NONE";
constexpr std::string_view kByTorch = "acl_task_time=3", kByMspti = "acl_task_time=2", kByAcl = "acl_task_time!=0";

constexpr Field kServiceFields[] = {
    integer("enable", "enable", "1", "", {0, 1}).always(),
    path("prof_dir", "prof_dir", R"("")"),
    integer("timelimit", "timelimit", "120", "s", {0, 7200}).spelledOut(),
    integer("profiler_step_num", "profiler_step_num", "null", "step", {1, kMaxStep}).orAbsent(),
    choice("profiler_level", "profiler_level", R"("INFO")", kServiceLevels),
    texts("domain", "domain").joinedBy(";"),
    integer("host_system_usage_freq", "host_system_usage_freq", "-1", "Hz", {-1, 50}),
    integer("npu_memory_usage_freq", "npu_memory_usage_freq", "-1", "Hz", {-1, 50}),
    integer("acl_task_time", "acl_task_time", "0", "", {0, 3}),
    Field{"acl_prof_task_time_level", "acl_prof_task_time_level"}.when(kByAcl),
    choices("aclDataTypeConfig", "aclDataTypeConfig", "[]", kDataTypes).joinedBy(", ").when("acl_task_time=1"),
    choice("aclprofAicoreMetrics", "aclprofAicoreMetrics", R"("ACL_AICORE_PIPE_UTILIZATION")", kServiceMetrics)
        .when("aclDataTypeConfig has ACL_PROF_AICORE_METRICS"),
    Field{"api_filter", "api_filter"}.when(kByMspti),
    Field{"kernel_filter", "kernel_filter"}.when(kByMspti),
    flag("torch_prof_stack", "torch_prof_stack").when(kByTorch),
    flag("torch_prof_modules", "torch_prof_modules").when(kByTorch),
    integer("torch_prof_step_num", "torch_prof_step_num", "0", "step", {0, kMaxStep}).when(kByTorch),
};

// The file that the service makes by itself has no end.
void adoptMindieService(Settings& settings) {
    if (settings.integer("timelimit") == 0 && !settings.integer("profiler_step_num"))
        settings.set("timelimit", std::int64_t{120}, SettingOrigin::User);
}

/// "L0", "L1;10": a level, and for how many seconds operators are recorded.
bool isTaskTimeLevel(const std::string& text) {
    static const QRegularExpression form(QStringLiteral("\\A(?:L0|L1)?(?:;[1-9][0-9]{0,2})?\\z"));
    return form.match(QString::fromStdString(text)).hasMatch();
}

void checkFrequency(const Settings& settings, std::string_view field, SettingProblems& problems) {
    if (settings.integer(field) != 0) return;
    const MessageParameters range{{"value", "0"}, {"range", "-1, 1..50"}};
    // The service has taken what is in its file.
    if (settings.find(field)->origin == SettingOrigin::User)
        addError(problems, field, "capture.field.out_of_range", range);
    else addWarning(problems, field, "capture.field.out_of_range", range);
}

void checkMindieService(const Settings& settings, SettingProblems& problems) {
    const Setting& enable = *settings.find("enable");
    // Only a change of it is looked at.
    if (enable.inFile && sameValue(*enable.inFile, Value(std::int64_t{1})))
        addError(problems, "enable", "capture.rule.service_records");
    if (settings.text("prof_dir").empty()) addError(problems, "prof_dir", "capture.rule.log_folder");
    if (settings.integer("timelimit") == 0 && !settings.integer("profiler_step_num"))
        addError(problems, "timelimit", "capture.rule.service_no_end");
    const Setting& steps = *settings.find("profiler_step_num");
    if (steps.inFile && std::holds_alternative<std::monostate>(steps.value))
        addError(problems, "profiler_step_num", "capture.rule.service_steps_stay");
    checkFrequency(settings, "host_system_usage_freq", problems);
    checkFrequency(settings, "npu_memory_usage_freq", problems);
    if (!isTaskTimeLevel(settings.text("acl_prof_task_time_level")))
        addError(problems, "acl_prof_task_time_level", "capture.rule.service_level");
    if (const auto* domains = std::get_if<Texts>(&settings.value("domain"))) {
        for (const std::string& domain : *domains) {
            if (!hasWord(kDomains, domain))
                addWarning(problems, "domain", "capture.rule.service_domain",
                           {{"value", domain}, {"choices", std::string(kDomains)}});
        }
    }
    if (settings.integer("acl_task_time") == 2) addWarning(problems, "acl_task_time", "capture.rule.service_mspti");
    static constexpr std::string_view kCosts[] = {"torch_prof_stack", "torch_prof_modules"};
    warnOfCosts(settings, kCosts, problems);
}

/// The service writes its file anew once the time or the steps are over (`Config::SetFileEnable`): with the same
/// library, so that each byte is known before.
std::string endedText(const std::string& text) {
    auto json = parseOrderedJson(text);
    if (!json.is_object()) return {};
    json["enable"] = 0;
    return json.dump(4, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

const Method kMindieService{.name = "mindie-service",
                            .medium = Medium::JsonFile,
                            .trigger = Trigger::Edit,
                            .fields = kServiceFields,
                            .adopt = adoptMindieService,
                            .outputFields = "prof_dir",
                            .check = checkMindieService,
                            .results = ResultKind::Served,
                            .watchedBy = JobFramework::Service,
                            .ended = endedText};

}  // namespace altiscope::capture
