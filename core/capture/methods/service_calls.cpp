#include "core/capture/methods/service_calls.h"

#include "core/capture/files/shell_words.h"
#include "core/capture/files/target_scripts.h"
#include "core/capture/methods/method.h"

#include <array>

namespace altiscope::capture {

namespace {

/// A member of what the service is sent when it is to begin: of vLLM's there are none.
bool isSent(const Setting& setting) {
    const bool isUnset = std::holds_alternative<std::monostate>(setting.value);
    return !setting.field->key.empty() && !isUnset;
}

std::string membersOf(const Settings& settings) {
    std::string json;
    for (const Setting& setting : settings.all()) {
        if (!isSent(setting)) continue;
        json += (json.empty() ? "{\"" : ", \"") + std::string(setting.field->key) + "\": " + jsonText(setting.value);
    }
    return json.empty() ? json : json + "}";
}

/// "http://127.0.0.1:8000".
std::string baseOf(const Settings& settings) {
    const std::string address = settings.text("address");
    const bool isSix = address.find(':') != std::string::npos;
    return "http://" + (isSix ? "[" + address + "]" : address) + ":" + settings.text("port");
}

bool isLaunched(const Settings& settings) { return settings.method().trigger == Trigger::Launch; }

/// Whether the service itself ends the recording.
bool endsByItself(const Settings& settings) { return settings.integer("num_steps").has_value(); }

}  // namespace

ServiceCalls serviceCalls(const Settings& settings) {
    const std::string base = baseOf(settings);
    return {{base + "/start_profile", isLaunched(settings) ? std::string() : membersOf(settings)},
            {base + "/stop_profile", {}}};
}

std::string serviceCallLines(const Settings& settings) {
    const ServiceCalls calls = serviceCalls(settings);
    std::vector<std::string> start{"curl", "-X", "POST"};
    if (!calls.start.body.empty())
        start.insert(start.end(), {"-H", "Content-Type: application/json", "-d", calls.start.body});
    start.push_back(calls.start.url);
    const std::array<std::string, 4> stop{"curl", "-X", "POST", calls.stop.url};
    return shellCommand(start) + "\nsleep " + settings.text("record_time") + "\n" + shellCommand(stop) + "\n";
}

std::string serviceScript(const Settings& settings) {
    const auto tenths = settings.integer("record_time").value_or(0) * 10;
    return "base=" + shellQuoted(baseOf(settings)) + "\naddress=" + shellQuoted(settings.text("address")) +
           "\nbody=" + shellQuoted(serviceCalls(settings).start.body) +
           "\nkeyfile=" + shellQuoted(settings.text("api_key_file")) + "\nresults=" + shellQuoted(settings.output()) +
           "\ntenths=" + std::to_string(tenths) + "\nends=" + (endsByItself(settings) ? "1\n" : "\n") +
           std::string(ownAddressScript()) + std::string(serviceCallsScript());
}

std::string profilerConfig(const Settings& settings) { return membersOf(settings); }

}  // namespace altiscope::capture
