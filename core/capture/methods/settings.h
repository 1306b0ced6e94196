#pragma once

#include "core/capture/methods/field.h"
#include "core/capture/methods/value.h"

#include <span>
#include <string_view>
#include <vector>

namespace altiscope::capture {

struct Method;

/// Where the value of a field comes from.
enum class SettingOrigin { Standard, File, User };

struct Setting {
    const Field* field = nullptr;
    Value value;
    SettingOrigin origin = SettingOrigin::Standard;
    std::optional<Value> inFile = {};  ///< What the configuration has, also where the user sets another value.
};

/// Values of all fields that one flavour of a method's tool knows, in the order of the table.
class Settings {
public:
    /// @param variant  Flavour of the tool; empty for methods that have one only.
    Settings(const Method& method, std::string_view variant);

    const Method& method() const { return *m_method; }
    std::string_view variant() const { return m_variant; }
    std::span<const Setting> all() const { return m_settings; }

    /// By name, by its key, or by the end of its key ("static_param.level"), where "-" and "_" are the same. Null if
    /// there is none.
    const Setting* find(std::string_view name) const;
    /// @note A value of SettingOrigin::File is remembered as `inFile`.
    bool set(std::string_view name, Value value, SettingOrigin origin);
    /// Name of the field with the folder that results appear in; empty: this flavour has none.
    std::string_view outputField() const;
    /// Its value; empty without one.
    std::string output() const;

    /// Of a field that the method has; null for others.
    const Value& value(std::string_view name) const;
    bool isOn(std::string_view name) const;
    /// Its integer, or nullopt.
    std::optional<std::int64_t> integer(std::string_view name) const;
    std::string text(std::string_view name) const;
    /// Whether the value is that text or number, or a list with it.
    bool has(std::string_view name, std::string_view element) const;

private:
    const Method* m_method;
    std::string m_variant;
    std::vector<Setting> m_settings;
};

}  // namespace altiscope::capture
