#include "core/import/ranks/diagnostics_json.h"

#include "core/base/text/json_text.h"

#include <nlohmann/json.hpp>

namespace altiscope::reader {

namespace {

/// A number of an enumeration, whose last value is given.
template <class Enum>
std::optional<Enum> numbered(const nlohmann::json& value, Enum last) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(last))
        return std::nullopt;
    return static_cast<Enum>(value.get<std::uint64_t>());
}

/// Counts above are none of any file, and would wrap when they are added.
constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 48U;

/// @return False if the item is no diagnostic.
bool addItem(Diagnostics& diagnostics, const nlohmann::json& item) {
    const auto code = item.at("code").get<std::string>();
    const auto file = item.at("file").get<std::string>();
    const auto severity = numbered(item.at("severity"), Severity::Lost);
    const auto parameters = item.at("parameters").get<MessageParameters>();
    const nlohmann::json &said = item.at("count"), &places = item.at("places");
    if (!severity || !said.is_number_unsigned() || !places.is_array() || places.empty() ||
        places.size() > Diagnostic::kSamples)
        return false;
    auto count = said.get<std::uint64_t>();
    if (count < places.size() || count > kMaxCount) return false;
    // The places one by one; the first brings the rest of the count.
    count -= places.size() - 1;
    for (const nlohmann::json& place : places) {
        const auto unit = numbered(place.at(0), PlaceUnit::Row);
        if (!unit || !place.at(1).is_number_unsigned()) return false;
        diagnostics.add(code, *severity, file, {*unit, place.at(1).get<std::uint64_t>()}, parameters, count);
        count = 1;
    }
    return true;
}

}  // namespace

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
        for (const nlohmann::json& item : list)
            if (!addItem(diagnostics, item)) return std::nullopt;
    } catch (const nlohmann::json::exception&) { return std::nullopt; }
    // Each file and code once, so that counts are not added up beyond their type.
    if (diagnostics.entries().size() != list.size()) return std::nullopt;
    return diagnostics;
}

}  // namespace altiscope::reader
