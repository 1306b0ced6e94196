#pragma once

#include "core/base/values/cancel.h"

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope {

/// The token that a function of SQL was registered with as its user data.
inline const CancelToken& tokenOf(sqlite3_context* context) {
    return *static_cast<const CancelToken*>(sqlite3_user_data(context));
}

/// The bytes of a text or blob value; valid as long as the value is.
inline std::string_view valueText(sqlite3_value* value) {
    const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
    return {bytes == nullptr ? "" : bytes, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

// SQLITE_STATIC and SQLITE_TRANSIENT are casts of small integers to pointers in C style, so they are spelled once,
// here.
inline const sqlite3_destructor_type kKeptElsewhere = nullptr;
inline sqlite3_destructor_type copyIt() { return reinterpret_cast<sqlite3_destructor_type>(std::intptr_t{-1}); }

inline void resultInteger(sqlite3_context* context, std::int64_t value) { sqlite3_result_int64(context, value); }

inline void resultInteger(sqlite3_context* context, const std::optional<std::int64_t>& value) {
    if (value) sqlite3_result_int64(context, *value);
}

/// A text that outlives the statement (in a store or a constant): not copied.
inline void resultText(sqlite3_context* context, std::string_view text) {
    sqlite3_result_text(context, text.data() == nullptr ? "" : text.data(), static_cast<int>(text.size()),
                        kKeptElsewhere);
}

/// The same; NULL where it is empty, for columns in which empty means absent.
inline void resultTextOrNull(sqlite3_context* context, std::string_view text) {
    if (!text.empty()) resultText(context, text);
}

/// A text that is gone soon: copied.
inline void resultCopy(sqlite3_context* context, std::string_view text) {
    sqlite3_result_text64(context, text.data() == nullptr ? "" : text.data(), text.size(), copyIt(), SQLITE_UTF8);
}

}  // namespace altiscope
