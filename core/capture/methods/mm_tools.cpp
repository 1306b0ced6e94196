#include "core/capture/methods/tables.h"

#include "core/capture/methods/field_rules.h"
#include "core/capture/methods/rows.h"
#include "core/capture/methods/torch_dynamic.h"
#include "core/capture/methods/words.h"

namespace altiscope::capture {

namespace {

// The tool reads every key without a fallback, so a new file must be complete.
constexpr std::string_view kToolsJson = R"({
    "profile": {
        "enable": false,
        "profile_type": "static",
        "ranks": [0],
        "static_param": {
            "level": "level1",
            "with_stack": false,
            "with_memory": false,
            "record_shapes": false,
            "with_cpu": true,
            "save_path": "./npu_profiling",
            "start_step": 10,
            "end_step": 11,
            "data_simplification": false,
            "aic_metrics_type": "PipeUtilization",
            "analyse_flag": true
        },
        "dynamic_param": {
            "config_path": "./profiler_config"
        }
    },
    "memory_profile": {
        "enable": false,
        "start_step": 0,
        "end_step": 2,
        "save_path": "./memory_snapshot",
        "dump_ranks": [0],
        "stacks": "all",
        "max_entries": null,
        "mem_info": false
    },
    "sorafeature": {
        "save_path": "./sora_features"
    }
}
)";

// FSDP2 has the same keys below "tools" in the YAML file of the training, and standard values of its own.
constexpr std::string_view kTools = "tools.";
constexpr Field kBackend = choice("backend", "", R"("megatron")", "megatron fsdp2");

constexpr Field kMmStaticFields[] = {
    kBackend,
    flag("enable", "profile.enable", "true").always(),
    choice("profile_type", "profile.profile_type", R"("static")", "static").always(),
    ranks("ranks", "profile.ranks", "[0, 1, 2, 3]", -1).in(kMegatron),
    ranks("ranks", "profile.ranks", "[0]", -1).in(kFsdp2),
    choice("level", "profile.static_param.level", R"("level1")", "level0 level1 level2"),
    flag("with_stack", "profile.static_param.with_stack"),
    flag("with_memory", "profile.static_param.with_memory"),
    flag("record_shapes", "profile.static_param.record_shapes"),
    flag("with_cpu", "profile.static_param.with_cpu", "true").in(kMegatron),
    flag("with_cpu", "profile.static_param.with_cpu").in(kFsdp2),
    path("save_path", "profile.static_param.save_path", R"("./npu_profiling")").in(kMegatron),
    path("save_path", "profile.static_param.save_path", R"("./profiling")").in(kFsdp2),
    steps("start_step", "profile.static_param.start_step", "10", 0),
    steps("end_step", "profile.static_param.end_step", "11", 1),
    flag("data_simplification", "profile.static_param.data_simplification"),
    choice("aic_metrics_type", "profile.static_param.aic_metrics_type", R"("PipeUtilization")",
           "PipeUtilization ArithmeticUtilization")
        .when("level!=level0"),
    flag("analyse_flag", "profile.static_param.analyse_flag", "true"),
};

constexpr Field kMmDynamicRows[] = {
    flag("enable", "profile.enable", "true").always(),
    choice("profile_type", "profile.profile_type", R"("dynamic")", "dynamic").always(),
    ranks("ranks", "profile.ranks", "[-1]", -1),
    path("config_path", "profile.dynamic_param.config_path", R"("./profiler_config")"),
};
// tools.json only says where the file lies that says what is recorded.
constexpr auto kMmDynamicFields = joined(kMmDynamicRows, withoutKeys(kTorchDynamicRows));

constexpr Field kMmSnapshotFields[] = {
    kBackend,
    flag("enable", "memory_profile.enable", "true").always(),
    steps("start_step", "memory_profile.start_step", "0", 0).in(kMegatron),
    steps("start_step", "memory_profile.start_step", "1", 0).in(kFsdp2),
    steps("end_step", "memory_profile.end_step", "2", 1),
    path("save_path", "memory_profile.save_path", R"("./memory_snapshot")"),
    // Every rank is null, which the other back end does not take.
    ranks("dump_ranks", "memory_profile.dump_ranks", "[0]", 0).orNull().in(kMegatron),
    ranks("dump_ranks", "memory_profile.dump_ranks", "[0]", 0).in(kFsdp2),
    choice("stacks", "memory_profile.stacks", R"("all")", "python all"),
    integer("max_entries", "memory_profile.max_entries", "null", "entry", {1}).orNull(),
    flag("mem_info", "memory_profile.mem_info"),
};

constexpr Field kMmSoraFields[] = {
    path("save_path", "sorafeature.save_path", R"("./sora_features")"),
    flag("extract_video_feature", "sorafeature.extract_video_feature"),
    flag("extract_text_feature", "sorafeature.extract_text_feature"),
};

void checkRanks(const Settings& settings, SettingProblems& problems) {
    checkAllRanksAlone(settings, "ranks", problems);
    if (settings.text("ranks").empty()) addError(problems, "ranks", "capture.rule.no_ranks");
}

void checkMmStatic(const Settings& settings, SettingProblems& problems) {
    checkRanks(settings, problems);
    checkSteps(settings, "start_step", "end_step", problems);
    static constexpr std::string_view kCosts[] = {"with_stack", "with_memory"};
    warnOfCosts(settings, kCosts, problems);
}

void checkMmDynamic(const Settings& settings, SettingProblems& problems) {
    checkRanks(settings, problems);
    if (settings.text("config_path").ends_with(".json")) {
        addError(problems, "config_path", "capture.rule.folder_not_file");
    }
    checkTorchDynamic(settings, problems);
}

void checkMmSnapshot(const Settings& settings, SettingProblems& problems) {
    if (settings.text("dump_ranks").empty()) addError(problems, "dump_ranks", "capture.rule.no_ranks");
    checkSteps(settings, "start_step", "end_step", problems);
    // With FSDP2 what was recorded until then is written.
    if (settings.variant() == kMegatron) addWarning(problems, "end_step", "capture.rule.snapshot_at_end");
}

void checkMmSora(const Settings& settings, SettingProblems& problems) {
    for (const std::string_view name : {"extract_video_feature", "extract_text_feature"}) {
        if (settings.isOn(name)) addWarning(problems, name, "capture.rule.ignored_upstream");
    }
}

}  // namespace

const Method kMmStatic{.name = "mm-static",
                       .fields = kMmStaticFields,
                       .base = kToolsJson,
                       .variantField = "backend",
                       .outputFields = "save_path",
                       .check = checkMmStatic,
                       .forbids = "PROFILING_MODE PROFILER_SAMPLECONFIG OOTB_OPTIMIZER_PROFILING=TRUE",
                       .yamlVariant = kFsdp2,
                       .yamlPrefix = kTools,
                       .alsoYaml = true,
                       .steps = {"start_step", "end_step", 0, PrintedSteps::OwnCount}};
const Method kMmDynamic{.name = "mm-dynamic",
                        .fields = kMmDynamicFields,
                        .base = kToolsJson,
                        .outputFields = "prof_dir",
                        .check = checkMmDynamic,
                        .forbids = kOtherTools,
                        .alsoYaml = true,
                        .steps = {.end = "active"},
                        .analysis = analysisOfTorch,
                        .followedBy = "torch-dynamic",
                        .followerFolder = "config_path",
                        .preparesRunningJobs = true};
const Method kMmSnapshot{.name = "mm-snapshot",
                         .fields = kMmSnapshotFields,
                         .base = kToolsJson,
                         .variantField = "backend",
                         .outputFields = "save_path",
                         .check = checkMmSnapshot,
                         .yamlVariant = kFsdp2,
                         .yamlPrefix = kTools,
                         .alsoYaml = true,
                         .results = ResultKind::Snapshots};
const Method kMmSora{.name = "mm-sora",
                     .fields = kMmSoraFields,
                     .base = kToolsJson,
                     .outputFields = "save_path",
                     .check = checkMmSora,
                     .alsoYaml = true,
                     .results = ResultKind::Features};

}  // namespace altiscope::capture
