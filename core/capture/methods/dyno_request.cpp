#include "core/capture/methods/dyno_request.h"

#include "core/base/text/json_text.h"
#include "core/capture/methods/method.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>

namespace altiscope::capture {

namespace {

bool isMonitor(const Settings& settings) { return settings.method().results == ResultKind::Monitored; }

/// "None" is what the job's reader takes for no value; the monitor takes an empty text.
std::string dynoValue(const Setting& setting, std::string_view nothing) {
    // Digits, point and minus are all that the monitor reads.
    if (const auto* number = std::get_if<double>(&setting.value)) {
        std::array<char, 400> digits;
        const auto end = std::to_chars(digits.begin(), digits.end(), *number, std::chars_format::fixed);
        return {digits.data(), end.ptr};
    }
    std::string text = plainText(setting.value);
    const bool isNull = std::holds_alternative<std::monostate>(setting.value);
    const bool isList = setting.field->type == FieldType::TextList || setting.field->type == FieldType::ChoiceList ||
                        setting.field->type == FieldType::IntegerList;
    return isNull || (isList && text.empty()) ? std::string(nothing) : text;
}

/// Lines of KEY=VALUE.
std::string traceConfig(const Settings& settings) {
    std::string text;
    for (const Setting& setting : settings.all()) {
        const std::string_view key = setting.field->key;
        if (key.empty()) continue;
        if (key == "PROFILE_START_STEP") text += "PROFILE_START_ITERATION=0\n";
        if (key == "PROFILE_RANK_LIST")
            text += std::string("PROFILE_IS_RANK=") + (plainText(setting.value).empty() ? "false" : "true") + "\n";
        text += std::string(key) + "=" + dynoValue(setting, "None") + "\n";
    }
    text.pop_back();
    return text;
}

/// The daemon knows the request by its first word.
std::string monitorConfig(const Settings& settings, bool starts) {
    std::string text = std::string("NPU_MONITOR_START=") + (starts ? "true" : "false") +
                       "\nNPU_MONITOR_STOP=" + (starts ? "false" : "true");
    for (const Setting& setting : settings.all()) {
        if (setting.field->key.empty()) continue;
        text += "\n" + std::string(setting.field->key) + "=" + dynoValue(setting, {});
    }
    return text;
}

std::string requestOf(const Settings& settings, const std::string& config) {
    nlohmann::ordered_json pids = nlohmann::ordered_json::array();
    if (const auto* list = std::get_if<Integers>(&settings.value("pids"))) {
        for (const std::int64_t pid : *list) pids.push_back(pid);
    }
    if (pids.empty()) pids.push_back(0);  // all
    const nlohmann::ordered_json request{{"fn", "setKinetOnDemandRequest"},
                                         {"config", config},
                                         {"job_id", settings.integer("job_id").value_or(0)},
                                         {"pids", std::move(pids)},
                                         {"process_limit", settings.integer("process_limit").value_or(1000)}};
    return dumpJson(request);
}

}  // namespace

std::string dynoRequest(const Settings& settings) {
    return requestOf(settings, isMonitor(settings) ? monitorConfig(settings, true) : traceConfig(settings));
}

std::string dynoStopRequest(const Settings& settings) {
    return isMonitor(settings) ? requestOf(settings, monitorConfig(settings, false)) : std::string();
}

std::string certificatesFolder(const Settings& settings) {
    const std::string folder = settings.text("certs_dir");
    return folder == "NO_CERTS" ? std::string() : folder;
}

}  // namespace altiscope::capture
