#pragma once

#include "core/capture/methods/field.h"
#include "core/capture/methods/outcome.h"
#include "core/capture/methods/settings.h"

#include "core/base/values/error.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// What a method changes so that the job records.
enum class Medium {
    JsonFile,     ///< A JSON file that the job reads.
    YamlFile,     ///< A section of the job's YAML file.
    Options,      ///< Words after the job's command.
    Environment,  ///< A variable of the job's environment.
    Snippet,      ///< Lines for the user's own program.
    Command,      ///< A program that runs the job, or attaches to it.
    Request,      ///< A message to the daemon of msMonitor, which hands it to the running job.
    Service,      ///< Calls of a service's own HTTP interface, sent on its host.
};

/// Error: the capture does not start; Warning: it costs time or space.
enum class ProblemLevel { Error, Warning };

/// What is wrong with the value of a field, or worth knowing before the start.
struct SettingProblem {
    ProblemLevel severity = ProblemLevel::Error;
    std::string field;  ///< Name of its row; empty for the configuration as a whole.
    std::string code;   ///< Of the catalogue.
    MessageParameters parameters;
};
using SettingProblems = std::vector<SettingProblem>;

/// When the configuration acts, which decides how it is put in place.
enum class Trigger {
    Launch,  ///< Read when the job starts.
    Edit,    ///< A running job looks at the file.
    Attach,  ///< A program attaches to the running job.
};

/// How often the tool of a running job looks for something new, in seconds; 0: it does not.
struct PollPeriod {
    std::int64_t first = 0;         ///< At the begin.
    std::int64_t min = 0, max = 0;  ///< Later: what a step takes, within these; the same where it stays as it is.
};

/// The one of torch_npu, for a file and for a daemon. Source: `profiler/dynamic_profile.py`.
inline constexpr PollPeriod kTorchPolls{2, 1, 50};

/// Frameworks that look for a changed configuration.
enum class JobFramework { None, Torch, Mindspore, Service };

/// How the words of Medium::Options are spelled.
enum class OptionForm {
    Dashes,          ///< "--name VALUE"; without a value where it is a switch.
    Hydra,           ///< "dotted.key=VALUE", an override of Hydra (its `grammar/OverrideLexer.g4`).
    ProfilerConfig,  ///< One option, vLLM's --profiler-config, with an object of JSON.
};

/// Which paths a tool takes. Sources: the argument parser of msprof; PathManager of torch_npu and of MindSpore.
enum class PathRule {
    Cann,       ///< Refuses quotes, backslash, % > < | & $ ; and backquotes.
    Mindspore,  ///< Takes letters, digits, Chinese characters, spaces and . / _ - ~ only.
    Torch,      ///< The same, but newer versions only warn.
};

/// One way to make a job record. Sources of tables and rules: core/capture/README.md.
struct Method {
    std::string_view name;  ///< As users name it: "torch-dynamic".
    Medium medium = Medium::JsonFile;
    Trigger trigger = Trigger::Launch;
    std::span<const Field> fields;
    /// Text of a complete new file, and what a section of an existing one must have; empty: the fields are enough.
    std::string_view base = {};
    /// Values that are better than what a file has, before the user sets others. May be null.
    void (*adopt)(Settings& settings) = nullptr;
    /// Name of the field that chooses the flavour of the tool; empty: there is one only.
    std::string_view variantField = {};
    /// Names of the fields with the folder that results appear in, separated by spaces: one for each flavour.
    std::string_view outputFields = {};
    /// Rules that no row can say. What rows say (types, ranges, conditions) was checked before.
    void (*check)(const Settings& settings, SettingProblems& problems) = nullptr;
    /// Variables of the job's environment that turn the tool off or make it end, NAME or NAME=VALUE, separated by
    /// spaces.
    std::string_view forbids = {};
    /// Flavour whose configuration is a section of the job's YAML file, whatever the medium of the others; empty: none.
    std::string_view yamlVariant = {};
    /// What stands before the keys of the fields in that file.
    std::string_view yamlPrefix = {};
    /// Where a file is JSON, the job also takes YAML with the same keys.
    bool alsoYaml = false;
    /// Flavour in which the job is started with options, whatever the medium of the others; empty: none.
    std::string_view launchVariant = {};
    OptionForm options = OptionForm::Dashes;
    ResultKind results = ResultKind::Folders;
    StepFields steps = {};
    /// Ranks that leave results, empty where the settings do not say it. Null: as the field says that lists them
    /// ("rank_list", "ranks", ...).
    std::vector<std::int64_t> (*ranks)(const Settings& settings) = nullptr;
    /// Results of a rank, where there may be more than one: the tool writes one for each stage, or for each time; 0: as
    /// many as come until the job ends. Null: one.
    std::int64_t (*resultsPerRank)(const Settings& settings) = nullptr;
    /// Null: as the field says that asks for the analysis ("analyse", "analyse_flag", "profile_analysis").
    Analysis (*analysis)(const Settings& settings) = nullptr;
    /// Whose running jobs look at the file that Trigger::Edit changes.
    JobFramework watchedBy = JobFramework::None;
    PollPeriod polls = {};
    /// Name of the field that says at which step recording begins, -1 for the next one; empty: there is none such.
    std::string_view startField = {};
    /// Text that the tool itself makes of a configuration once it has recorded; empty where that is not known. Null: it
    /// leaves the file as it is.
    std::string (*ended)(const std::string& file) = nullptr;
    /// Method of a second file, which is changed once the job looks at it; empty: none. The first one is put back then.
    std::string_view followedBy = {};
    /// Name of the field with its folder, relative to where the job runs.
    std::string_view followerFolder = {};
    /// Jobs that are started with it can be recorded while they run, by another method.
    bool preparesRunningJobs = false;

    /// Code of the catalogue for what its users should know before they record; empty: nothing.
    std::string_view hint = {};

    PathRule paths = PathRule::Torch;

    /// Whether its configuration is a file, which the user names.
    bool takesFile() const { return medium == Medium::JsonFile || medium == Medium::YamlFile; }
};

/// All methods: those for frameworks by framework, then those of CANN.
std::span<const Method> methods();
/// @return Null if there is none of that name.
const Method* findMethod(std::string_view name);
/// The method as a flavour of its tool has it: the same but for medium, trigger and base.
const Method& flavourOf(const Method& method, std::string_view variant);

}  // namespace altiscope::capture
