#include "views/capture/support/method_texts.h"

#include "core/capture/methods/conditions.h"
#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QStringList>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;
using capture::State;

struct MethodTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::MethodTexts)
};

/// Larger bounds guard against typing errors and say nothing to a reader.
constexpr int kSensibleBound = 100000;

/// The word for what is counted; empty for units that are written after the number.
QString countedWord(std::string_view unit) {
    if (unit == "step") return MethodTexts::tr("steps");
    if (unit == "rank") return MethodTexts::tr("ranks");
    if (unit == "entry") return MethodTexts::tr("entries");
    if (unit == "token") return MethodTexts::tr("tokens");
    if (unit == "cycle") return MethodTexts::tr("cycles");
    return {};
}

bool isNumeric(const capture::Field& field) {
    return field.type == capture::FieldType::Integer || field.type == capture::FieldType::Number;
}

}  // namespace

QString methodTitle(const capture::Method& method) {
    const std::string_view name = method.name;
    if (name == "mm-static") return MethodTexts::tr("MindSpeed-MM: chosen steps");
    if (name == "mm-dynamic") return MethodTexts::tr("MindSpeed-MM: started, then recorded");
    if (name == "mm-snapshot") return MethodTexts::tr("MindSpeed-MM: memory snapshot");
    if (name == "mm-sora") return MethodTexts::tr("MindSpeed-MM: SoRA features");
    if (name == "llm-flags") return MethodTexts::tr("MindSpeed-LLM: options of the command");
    if (name == "rl-yaml") return MethodTexts::tr("MindSpeed-RL: YAML file");
    if (name == "verl") return MethodTexts::tr("verl: overrides or YAML file");
    if (name == "mindspore-api") return MethodTexts::tr("MindSpore: lines for your program");
    if (name == "mindspore-dynamic") return MethodTexts::tr("MindSpore: running job");
    if (name == "mindspore-env") return MethodTexts::tr("MindSpore: environment variable");
    if (name == "torch-api") return MethodTexts::tr("PyTorch (torch_npu): lines for your program");
    if (name == "torch-dynamic") return MethodTexts::tr("PyTorch (torch_npu): running job");
    if (name == "msprof") return MethodTexts::tr("msprof: launch a program");
    if (name == "msprof-attach") return MethodTexts::tr("msprof: attach to a process");
    if (name == "dyno-nputrace") return MethodTexts::tr("msMonitor: trace of a running job");
    if (name == "dyno-npumonitor") return MethodTexts::tr("msMonitor: figures of a running job");
    if (name == "vllm-ascend") return MethodTexts::tr("vLLM on Ascend: service");
    if (name == "sglang") return MethodTexts::tr("SGLang: service");
    if (name == "mindie-service") return MethodTexts::tr("MindIE: service (msServiceProfiler)");
    return toQString(name);
}

QString methodPurpose(const capture::Method& method) {
    const std::string_view name = method.name;
    if (name == "mm-static")
        return MethodTexts::tr("Changes tools.json, which the job reads when it starts: it records from one step to "
                               "another.");
    if (name == "mm-dynamic")
        return MethodTexts::tr(
            "Changes tools.json so that the job can be recorded at any time, waits until the job has "
            "started and looks at its profiler_config.json, and then changes that.");
    if (name == "mm-snapshot")
        return MethodTexts::tr("Changes tools.json: the history of the allocator is written at the end step.");
    if (name == "mm-sora") return MethodTexts::tr("Changes tools.json for a run that extracts features.");
    if (name == "llm-flags") return MethodTexts::tr("Adds --profile options to the job's command.");
    if (name == "rl-yaml")
        return MethodTexts::tr("Changes profiler_config in the training's YAML file, which the job reads when it "
                               "starts.");
    if (name == "verl")
        return MethodTexts::tr(
            "Sets global_profiler and the profiler of each role, in the training's command or in its "
            "YAML file: chosen steps are recorded.");
    if (name == "mindspore-api")
        return MethodTexts::tr(
            "Lines of Python for your own program. Nothing is changed; a job that is launched here is "
            "watched.");
    if (name == "mindspore-dynamic")
        return MethodTexts::tr("Changes profiler_config.json, at which a running job with DynamicProfilerMonitor looks "
                               "every few seconds.");
    if (name == "mindspore-env")
        return MethodTexts::tr("Starts the job with MS_PROFILER_OPTIONS; its program stays as it is.");
    if (name == "torch-api")
        return MethodTexts::tr(
            "Lines of Python for your own program, with a schedule; with mstx on, also ranges around a function "
            "(decorator) and around lines. Nothing is changed; a job that is launched here is watched.");
    if (name == "torch-dynamic")
        return MethodTexts::tr("Changes profiler_config.json, at which a running job looks every few seconds "
                               "(dynamic_profile, or PROF_CONFIG_PATH in its environment).");
    if (name == "msprof") return MethodTexts::tr("msprof runs the job's command and records all of it.");
    if (name == "msprof-attach")
        return MethodTexts::tr(
            "msprof records some seconds of a process that was started with PROFILING_MODE=dynamic.");
    if (name == "dyno-nputrace")
        return MethodTexts::tr("Sends the daemon of msMonitor (dynolog) a request; a job that was started with "
                               "MSMONITOR_USE_DAEMON=1 records some steps.");
    if (name == "dyno-npumonitor")
        return MethodTexts::tr("Sends the daemon of msMonitor (dynolog) a request; a job that was started with "
                               "MSMONITOR_USE_DAEMON=1 writes figures of its kernels and calls.");
    if (name == "vllm-ascend")
        return MethodTexts::tr(
            "Calls a running service on its host to begin and to end; it must have been started with "
            "--profiler-config. Or starts one with that option, and calls it once it answers.");
    if (name == "sglang")
        return MethodTexts::tr("Calls a running service on its host: it records some seconds, or a number of steps.");
    if (name == "mindie-service")
        return MethodTexts::tr("Changes the file that SERVICE_PROF_CONFIG_PATH of a running service names: it records "
                               "requests, batches and operators, and ends by itself.");
    return {};
}

QString presetTitle(std::string_view name) {
    if (name.empty()) return MethodTexts::tr("As the tool has it");
    if (name == "first-look") return MethodTexts::tr("First look");
    if (name == "communication") return MethodTexts::tr("Communication");
    if (name == "memory") return MethodTexts::tr("Memory");
    if (name == "operator-metrics") return MethodTexts::tr("Operator metrics");
    if (name == "light-marks") return MethodTexts::tr("Light marks");
    return toQString(name);
}

QString stateTitle(State state) {
    switch (state) {
    case State::Preparing: return MethodTexts::tr("preparing");
    case State::Armed: return MethodTexts::tr("armed");
    case State::Recording: return MethodTexts::tr("recording");
    case State::Analysing: return MethodTexts::tr("analysing");
    case State::Fetching: return MethodTexts::tr("fetching");
    case State::Done: return MethodTexts::tr("done");
    case State::Failed: return MethodTexts::tr("failed");
    case State::Cancelled: return MethodTexts::tr("cancelled");
    }
    return {};
}

QString stateIcon(State state) {
    switch (state) {
    case State::Preparing:
    case State::Armed: return u"waiting"_s;
    case State::Recording: return u"recorded"_s;
    case State::Analysing: return u"view_operators"_s;
    case State::Fetching: return u"open_folder"_s;
    case State::Done: return u"ok"_s;
    case State::Failed: return u"error"_s;
    case State::Cancelled: return u"stopped"_s;
    }
    return {};
}

IconTone stateTone(State state) {
    switch (state) {
    case State::Preparing:
    case State::Armed:
    case State::Cancelled: return IconTone::Muted;
    case State::Recording:
    case State::Analysing:
    case State::Fetching: return IconTone::Accent;
    case State::Done: return IconTone::Ok;
    case State::Failed: return IconTone::Error;
    }
    return IconTone::Text;
}

QString fieldHint(const capture::Field& field) {
    QStringList parts;
    if (isNumeric(field)) {
        const bool hasMin = field.min != capture::Field::kNoMin;
        const bool hasMax = field.max != capture::Field::kNoMax && field.max <= kSensibleBound;
        if (hasMin && hasMax) parts << QString::number(field.min) + u'…' + QString::number(field.max);
        else if (hasMin) parts << u"≥ "_s + QString::number(field.min);
    }
    if (const QString word = countedWord(field.unit); !word.isEmpty()) parts.prepend(word);
    else if (!field.unit.empty()) parts << toQString(field.unit);
    return parts.join(u' ');
}

QString fieldTip(const capture::Field& field) {
    QStringList lines{toQString(field.key.empty() ? field.name : field.key),
                      MethodTexts::tr("Type: %1").arg(toQString(capture::typeText(field.type)))};
    if (const std::string range = capture::rangeText(field); !range.empty())
        lines << MethodTexts::tr("Values: %1").arg(toQString(range));
    if (!field.unit.empty()) lines << MethodTexts::tr("Unit: %1").arg(toQString(field.unit));
    lines << MethodTexts::tr("Default: %1").arg(toQString(field.standard));
    if (!field.applies.empty())
        lines << MethodTexts::tr("Has an effect if: %1")
                     .arg(toQString(capture::conditionText(field.applies, catalogueLanguage())));
    if (!field.variants.empty()) lines << MethodTexts::tr("Versions: %1").arg(toQString(field.variants));
    return lines.join(u'\n');
}

}  // namespace altiscope
