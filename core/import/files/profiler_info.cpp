#include "core/import/files/profiler_info.h"

#include "core/base/files/file.h"
#include "core/base/text/json_text.h"
#include "core/base/values/decimal.h"
#include "core/import/json/json_keys.h"
#include "core/import/json/json_text.h"
#include "core/trace/data_kinds.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace altiscope::reader {

namespace {

using Json = nlohmann::ordered_json;

/// Metadata files hold some kilobytes; users may add texts of their own.
constexpr std::uint64_t kMaxFileBytes = std::uint64_t{16} << 20;

void flatten(const Json& object, const std::string& prefix, Metadata& out) {
    for (const auto& [key, value] : object.items()) {
        const std::string path = prefix.empty() ? key : prefix + '.' + key;
        if (value.is_object() && !value.empty()) flatten(value, path, out);
        else out.emplace_back(path, plainJson(value));
    }
}

}  // namespace

Metadata readMetadata(const std::filesystem::path& path, std::string_view name, Diagnostics& diagnostics) {
    const auto content = readSmallText(path, kMaxFileBytes);
    if (!content.ok()) {
        diagnostics.add(content.error().code, Severity::Lost, name, {}, content.error().parameters);
        return {};
    }
    const std::string& text = content.value();
    const auto broken = [&](std::uint64_t byte) {
        diagnostics.add("metadata.broken", Severity::Lost, name, {PlaceUnit::Byte, byte});
        return Metadata{};
    };
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    // Also keeps the depth within bounds: the library recurses.
    const ValueExtent extent = valueExtent(std::string_view(text).substr(begin));
    if (extent.isTooDeep) {
        diagnostics.add("json.too_deep", Severity::Lost, name, {PlaceUnit::Byte, begin + extent.length},
                        {{"limit", std::to_string(kMaxValueDepth)}});
        return {};
    }
    if (extent.end != ValueExtent::End::Complete) return broken(begin + extent.length);
    std::size_t errorByte = 0;
    const Json json = parseOrderedJson(text, &errorByte);
    if (!json.is_object()) return broken(errorByte == 0 ? begin : errorByte - 1);
    reportRepeatedKeys(text, name, diagnostics);
    Metadata metadata;
    flatten(json, {}, metadata);
    return metadata;
}

void addMetadata(Metadata& metadata, const std::string& key, const std::string& value) {
    // The extent also keeps the depth within bounds: the library recurses.
    const bool mayBeObject = value.starts_with('{') && valueExtent(value).end == ValueExtent::End::Complete;
    const Json json = mayBeObject ? parseOrderedJson(value) : Json();
    if (json.is_object() && !json.empty()) flatten(json, key, metadata);
    else metadata.emplace_back(key, value);
}

const std::string* findOption(const Metadata& metadata, std::string_view option) {
    for (const auto& [key, value] : metadata) {
        std::string_view last = key;
        last.remove_prefix(last.rfind('.') + 1);  // npos + 1 is 0
        while (last.starts_with('_')) last.remove_prefix(1);
        if (last == option) return &value;
    }
    return nullptr;
}

const std::string* findKey(const Metadata& metadata, std::string_view key) {
    const auto found =
        std::find_if(metadata.begin(), metadata.end(), [key](const auto& one) { return one.first == key; });
    return found == metadata.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> scaledValue(const Metadata& metadata, std::string_view key, std::int64_t factor) {
    const std::string* value = findKey(metadata, key);
    return value == nullptr ? std::nullopt : parseScaled(*value, factor);
}

namespace {

/// Whether the settings say that the switch was on; nullopt if they say nothing.
std::optional<bool> isOn(const DataKind& one, const Metadata& metadata) {
    const std::string* value = findOption(metadata, one.option);
    if (one.option == "mstx") {
        // Older writers know it by another name.
        const std::string* older = findOption(metadata, "msprof_tx");
        if (older != nullptr && one.isOn(*older)) return true;
        if (value == nullptr) value = older;
    }
    if (value == nullptr) return std::nullopt;
    return one.isOn(*value);
}

}  // namespace

std::vector<std::string> presentData(const std::vector<std::string>& contents, const Metadata& metadata) {
    std::vector<std::string> present = contents;
    for (const DataKind& one : dataKinds()) {
        if (!one.hasFile && isOn(one, metadata) == true) present.emplace_back(one.what());
    }
    std::sort(present.begin(), present.end());
    present.erase(std::unique(present.begin(), present.end()), present.end());
    return present;
}

std::vector<MissingData> missingData(const std::vector<std::string>& present, const Metadata& metadata) {
    std::vector<MissingData> missing;
    for (const DataKind& one : dataKinds()) {
        if (std::binary_search(present.begin(), present.end(), one.what())) continue;
        if (isOn(one, metadata) == false) missing.push_back({std::string(one.what()), std::string(one.option)});
    }
    return missing;
}

MissingData missingTimeline(std::string_view switchName) {
    static constexpr std::string_view kCode = "missing.timeline";
    return {std::string(kCode.substr(kCode.find('.') + 1)), std::string(switchName)};
}

}  // namespace altiscope::reader
