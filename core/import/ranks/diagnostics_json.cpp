#include "core/import/ranks/diagnostics_json.h"

#include "core/base/text/json_text.h"

#include <nlohmann/json.hpp>

namespace altiscope::reader {

std::string diagnosticsJson(const Diagnostics& diagnostics) {
    nlohmann::json list = nlohmann::json::array();
    for (const Diagnostic& entry : diagnostics.entries()) {
        nlohmann::json places = nlohmann::json::array();
        for (const Place& place : entry.places) places.push_back({static_cast<int>(place.unit), place.value});
        list.push_back({{"code", entry.code},
                        {"severity", static_cast<int>(entry.severity)},
                        {"file", entry.file},
                        {"count", entry.count},
                        {"places", places},
                        {"parameters", entry.parameters}});
    }
    return dumpJson(list);
}

std::optional<Diagnostics> diagnosticsOfJson(std::string_view text) {
    const nlohmann::json list = parseJson(text);
    if (!list.is_array()) return std::nullopt;
    Diagnostics diagnostics;
    try {
        for (const nlohmann::json& item : list) {
            const auto code = item.at("code").get<std::string>();
            const auto file = item.at("file").get<std::string>();
            const auto severity = static_cast<Severity>(item.at("severity").get<int>());
            const auto parameters = item.at("parameters").get<MessageParameters>();
            auto count = item.at("count").get<std::uint64_t>();
            // The places one by one; the first brings the rest of the count.
            const nlohmann::json& places = item.at("places");
            count -= places.size() - 1;
            for (const nlohmann::json& place : places) {
                diagnostics.add(code, severity, file,
                                {static_cast<PlaceUnit>(place.at(0).get<int>()), place.at(1).get<std::uint64_t>()},
                                parameters, count);
                count = 1;
            }
        }
    } catch (const nlohmann::json::exception&) { return std::nullopt; }
    return diagnostics;
}

}  // namespace altiscope::reader
