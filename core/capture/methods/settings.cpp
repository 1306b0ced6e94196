#include "core/capture/methods/settings.h"

#include "core/capture/methods/conditions.h"
#include "core/capture/methods/method.h"

#include <algorithm>

namespace altiscope::capture {

namespace {

std::string normalised(std::string_view name) {
    std::string text(name.substr(std::min(name.find_first_not_of('-'), name.size())));
    std::replace(text.begin(), text.end(), '-', '_');
    return text;
}

bool isNamed(const Field& field, std::string_view name) {
    const std::string wanted = normalised(name), key = normalised(field.key);
    if (wanted.empty()) return false;
    if (wanted == normalised(field.name) || wanted == key) return true;
    return key.ends_with("." + wanted);
}

}  // namespace

Settings::Settings(const Method& method, std::string_view variant)
    : m_method(&flavourOf(method, variant)), m_variant(variant) {
    for (const Field& field : method.fields) {
        if (!field.variants.empty() && !hasWord(field.variants, variant)) continue;
        m_settings.push_back({&field, *valueOfJson(field.standard), SettingOrigin::Standard, {}});
        if (field.name == method.variantField) m_settings.back().value = std::string(variant);
    }
}

const Setting* Settings::find(std::string_view name) const {
    const auto found = std::find_if(m_settings.begin(), m_settings.end(),
                                    [name](const Setting& setting) { return isNamed(*setting.field, name); });
    return found == m_settings.end() ? nullptr : &*found;
}

bool Settings::set(std::string_view name, Value value, SettingOrigin origin) {
    for (Setting& setting : m_settings) {
        if (!isNamed(*setting.field, name)) continue;
        if (origin == SettingOrigin::File) setting.inFile = value;
        setting.value = std::move(value);
        setting.origin = origin;
        return true;
    }
    return false;
}

std::string_view Settings::outputField() const {
    for (const Setting& setting : m_settings) {
        if (hasWord(m_method->outputFields, setting.field->name)) return setting.field->name;
    }
    return {};
}

std::string Settings::output() const {
    const std::string_view field = outputField();
    return field.empty() ? std::string() : text(field);
}

const Value& Settings::value(std::string_view name) const {
    static const Value none;
    const Setting* setting = find(name);
    return setting == nullptr ? none : setting->value;
}

bool Settings::isOn(std::string_view name) const {
    const auto* flag = std::get_if<bool>(&value(name));
    return flag != nullptr && *flag;
}

std::optional<std::int64_t> Settings::integer(std::string_view name) const {
    const auto* whole = std::get_if<std::int64_t>(&value(name));
    return whole == nullptr ? std::nullopt : std::optional(*whole);
}

std::string Settings::text(std::string_view name) const { return plainText(value(name)); }

bool Settings::has(std::string_view name, std::string_view element) const {
    const Value& found = value(name);
    if (const auto* list = std::get_if<Texts>(&found))
        return std::find(list->begin(), list->end(), element) != list->end();
    if (const auto* list = std::get_if<Integers>(&found)) {
        return std::any_of(list->begin(), list->end(),
                           [element](std::int64_t n) { return std::to_string(n) == element; });
    }
    return plainText(found) == element;
}

}  // namespace altiscope::capture
