#include "core/capture/methods/snippet.h"

#include "core/capture/methods/method.h"

#include <algorithm>
#include <iterator>

namespace altiscope::capture {

namespace {

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

std::string upperCase(std::string text) {
    for (char& c : text) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return text;
}

/// Names of the module that the lines write before each of its own.
constexpr std::string_view kTorchModule = "torch_npu.profiler.";

/// A value as an argument; words of the enumerations by their members.
/// @param module  What stands before their names: of MindSpore nothing, since the lines import them.
std::string argument(const Setting& setting, std::string_view module) {
    const std::string_view name = setting.field->name;
    const std::string text = plainText(setting.value), before(module);
    if (std::holds_alternative<std::monostate>(setting.value)) return "None";
    if (name == "profiler_level") return before + "ProfilerLevel." + text;
    // In 2.3 it is a number.
    const bool isWord = std::holds_alternative<std::string>(setting.value);
    if (isWord && (name == "aic_metrics" || name == "aicore_metrics"))
        return before + (module.empty() ? "AicoreMetrics." : "AiCMetrics.") + text;
    const std::string_view type = name == "activities"    ? "ProfilerActivity."
                                  : name == "export_type" ? "ExportType."
                                  : name == "host_sys"    ? "HostSystem."
                                                          : "";
    const auto* list = std::get_if<Texts>(&setting.value);
    if (type.empty() || list == nullptr) return pythonText(setting.value);
    std::string members;
    for (const std::string& word : *list)
        members += (members.empty() ? "" : ", ") + before + std::string(type) +
                   (name == "host_sys" ? upperCase(word) : capitalised(word));
    return "[" + members + "]";
}

/// "name=value, ..." of the fields whose key begins with `call`.
std::string arguments(const Settings& settings, std::string_view call) {
    const bool isTorch = settings.method().name == "torch-api";
    std::string text;
    for (const Setting& setting : settings.all()) {
        if (!setting.field->key.starts_with(call)) continue;
        // Empty texts and lists stand for what the call takes without the argument.
        const bool isWord = setting.field->type != FieldType::Bool && setting.field->name != "export_type" &&
                            setting.field->name != "activities";
        if (isWord && plainText(setting.value).empty()) continue;
        // Not all versions of a flavour know these.
        static constexpr std::string_view kLater[] = {
            "mstx_domain_include", "mstx_domain_exclude", "host_sys", "sys_io", "sys_interconnection", "start_profile"};
        const std::string_view name = setting.field->name;
        const bool isLater = std::find(std::begin(kLater), std::end(kLater), name) != std::end(kLater);
        if (isLater && setting.origin == SettingOrigin::Standard) continue;
        // It was msprof_tx in older versions of torch_npu.
        if (isTorch && name == "mstx" && setting.origin == SettingOrigin::Standard) continue;
        // The schedule of 2.4 spells it so.
        const bool isWarmUp = name == "warmup" && settings.variant() == "2.4";
        text += (text.empty() ? "" : ", ") + std::string(isWarmUp ? "warm_up" : name) + "=" +
                argument(setting, isTorch ? kTorchModule : std::string_view());
    }
    return text;
}

/// A callback that records from one step, or epoch, to another, around the lines that make the profiler. Graph mode has
/// no loop of its own. @param stops  What ends the recording.
std::string callbackLines(const Settings& settings, const std::string& profiler, std::string_view stops) {
    const std::string what = settings.text("program"), number = "run_context.original_args().cur_" + what + "_num";
    // Since 2.6 the profiler's own step() counts the schedule.
    const bool hasSteps = settings.variant() == "2.6" && what == "step";
    return "class Recording(mindspore.Callback):\n"
           "    def __init__(self, start, stop):\n"
           "        super().__init__()\n"
           "        self.start, self.stop = start, stop\n"
           "        self.profiler = " +
           profiler + "\n\n    def on_train_" + what +
           "_begin(self, run_context):\n"
           "        if " +
           number +
           " == self.start:\n"
           "            self.profiler.start()\n\n"
           "    def on_train_" +
           what + "_end(self, run_context):\n" +
           (hasSteps ? "        if self.start <= " + number +
                           " <= self.stop:\n"
                           "            self.profiler.step()\n"
                     : std::string()) +
           "        if " + number +
           " == self.stop:\n"
           "            self.profiler.stop()\n" +
           std::string(stops) + "\nmodel.train(epochs, dataset, callbacks=[Recording(" +
           plainText(settings.value("start")) + ", " + plainText(settings.value("stop")) + ")])\n";
}

/// "" or "name=value, ...".
std::string followedByComma(const std::string& text) { return text.empty() ? text : text + ", "; }

/// Lines with a callback, for all versions.
std::string callbackSnippet(const Settings& settings) {
    if (settings.variant() != "2.6") {
        return "import mindspore\n"
               "from mindspore import Profiler\n"
               "from mindspore.profiler import " +
               std::string(settings.variant() == "2.3" ? "ProfilerLevel"
                                                       : "AicoreMetrics, ProfilerActivity, ProfilerLevel") +
               "\n\n\n" +
               callbackLines(settings,
                             "Profiler(" + followedByComma(arguments(settings, "class.")) + "start_profile=False)",
                             "            self.profiler.analyse()\n");
    }
    const auto* host = std::get_if<Texts>(&settings.value("host_sys"));
    const bool hasHost = host != nullptr && !host->empty();
    const std::string schedule = settings.text("program") == "step"
                                     ? "            schedule=mindspore.profiler.schedule(wait=0, warmup=0, "
                                       "active=stop - start + 1, repeat=1, skip_first=0),\n"
                                     : std::string();
    return "import mindspore\n"
           "from mindspore.profiler import AicoreMetrics, ExportType, " +
           std::string(hasHost ? "HostSystem, " : "") +
           "ProfilerActivity, ProfilerLevel\n\n"
           "config = mindspore.profiler._ExperimentalConfig(" +
           arguments(settings, "config.") + ")\n\n\n" +
           callbackLines(settings,
                         "mindspore.profiler.profile(\n"
                         "            " +
                             followedByComma(arguments(settings, "profile.")) + "start_profile=False,\n" + schedule +
                             "            on_trace_ready=mindspore.profiler.tensorboard_trace_handler(" +
                             arguments(settings, "handler.") +
                             "),\n"
                             "            experimental_config=config)",
                         {});
}

/// The domain that ranges must be in to be recorded, as an argument; empty: any.
std::string rangeDomain(const Settings& settings) {
    const auto* domains = std::get_if<Texts>(&settings.value("mstx_domain_include"));
    return domains == nullptr || domains->empty() ? std::string() : ", domain=" + pythonText(domains->front());
}

/// Lines for torch_npu: a loop with a schedule; with marks, a range around each call of a function, by the decorator,
/// and one around some lines.
std::string torchSnippet(const Settings& settings) {
    const bool hasRanges = settings.isOn("mstx");
    const std::string module(kTorchModule), domain = rangeDomain(settings), mstx = "torch_npu.npu.mstx.";
    std::string text =
        "import torch_npu\n\nconfig = " + module + "_ExperimentalConfig(" + arguments(settings, "config.") + ")\n";
    if (hasRanges)
        text += "\n\n@" + mstx + "mstx_range(\"train_step\"" + domain +
                ")\n"
                "def marked_step(batch):\n"
                "    train_step(batch)\n\n\n";
    text += "with " + module + "profile(\n        " + arguments(settings, "profile.") +
            ",\n        schedule=" + module + "schedule(" + arguments(settings, "schedule.") +
            "),\n        on_trace_ready=" + module + "tensorboard_trace_handler(" + arguments(settings, "handler.") +
            "),\n        experimental_config=config) as profiler:\n"
            "    for step in range(steps):\n";
    text += hasRanges ? "        loading = " + mstx + "range_start(\"load\"" + domain +
                            ")\n"
                            "        batch = load_batch()\n"
                            "        " +
                            mstx + "range_end(loading" + domain +
                            ")\n"
                            "        marked_step(batch)\n"
                      : "        train_step()\n";
    return text + "        profiler.step()\n";
}

/// A step of a loop of MindSpore, in a range where marks are recorded.
std::string stepLines(const Settings& settings) {
    if (settings.variant() != "2.6" || !settings.isOn("mstx")) return "        train_step()\n";
    const std::string domain = rangeDomain(settings);
    return "        marked = mindspore.profiler.mstx.range_start(\"train_step\"" + domain +
           ")\n"
           "        train_step()\n"
           "        mindspore.profiler.mstx.range_end(marked" +
           domain + ")\n";
}

}  // namespace

std::string profilerSnippet(const Settings& settings) {
    if (settings.method().name == "torch-api") return torchSnippet(settings);
    if (settings.text("program") != "loop") return callbackSnippet(settings);
    if (settings.variant() == "2.3") {
        return "from mindspore import Profiler\n"
               "from mindspore.profiler import ProfilerLevel\n\n"
               "profiler = Profiler(" +
               arguments(settings, "class.") +
               ")\n"
               "train()\n"
               "profiler.analyse()\n";
    }
    if (settings.variant() != "2.6") {
        return "from mindspore import Profiler\n"
               "from mindspore.profiler import (AicoreMetrics, ProfilerActivity, ProfilerLevel, schedule,\n"
               "                                tensor_board_trace_handler)\n\n"
               "with Profiler(\n"
               "        " +
               arguments(settings, "class.") +
               ",\n"
               "        schedule=schedule(" +
               arguments(settings, "schedule.") +
               "),\n"
               "        on_trace_ready=tensor_board_trace_handler) as profiler:\n"
               "    for step in range(steps):\n"
               "        train_step()\n"
               "        profiler.step()\n";
    }
    const auto* host = std::get_if<Texts>(&settings.value("host_sys"));
    const bool hasHost = host != nullptr && !host->empty();
    return "import mindspore\n"
           "from mindspore.profiler import AicoreMetrics, ExportType, " +
           std::string(hasHost ? "HostSystem, " : "") +
           "ProfilerActivity, ProfilerLevel\n\n"
           "config = mindspore.profiler._ExperimentalConfig(" +
           arguments(settings, "config.") +
           ")\n"
           "with mindspore.profiler.profile(\n"
           "        " +
           arguments(settings, "profile.") +
           ",\n"
           "        schedule=mindspore.profiler.schedule(" +
           arguments(settings, "schedule.") +
           "),\n"
           "        on_trace_ready=mindspore.profiler.tensorboard_trace_handler(" +
           arguments(settings, "handler.") +
           "),\n"
           "        experimental_config=config) as profiler:\n"
           "    for step in range(steps):\n" +
           stepLines(settings) + "        profiler.step()\n";
}

}  // namespace altiscope::capture
