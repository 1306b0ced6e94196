#pragma once

#include "core/capture/methods/field.h"

#include <array>
#include <cstddef>
#include <span>

namespace altiscope::capture {

// Rows of tables by type: name, key, standard value as JSON, and what the type needs.

constexpr Field flag(std::string_view name, std::string_view key, std::string_view standard = "false") {
    return {name, key, FieldType::Bool, standard};
}
constexpr Field choice(std::string_view name, std::string_view key, std::string_view standard, std::string_view words) {
    return {name, key, FieldType::Choice, standard, {}, words};
}
constexpr Field choices(std::string_view name, std::string_view key, std::string_view standard,
                        std::string_view words) {
    return {name, key, FieldType::ChoiceList, standard, {}, words};
}
constexpr Field path(std::string_view name, std::string_view key, std::string_view standard) {
    return {name, key, FieldType::Path, standard};
}
constexpr Field texts(std::string_view name, std::string_view key) { return {name, key, FieldType::TextList, "[]"}; }

/// Bounds of numbers, inclusive.
struct Bounds {
    std::int64_t min = Field::kNoMin, max = Field::kNoMax;
};
constexpr Field integer(std::string_view name, std::string_view key, std::string_view standard, std::string_view unit,
                        Bounds bounds) {
    return {name, key, FieldType::Integer, standard, unit, {}, bounds.min, bounds.max};
}
constexpr Field number(std::string_view name, std::string_view key, std::string_view standard, std::string_view unit,
                       Bounds bounds) {
    return {name, key, FieldType::Number, standard, unit, {}, bounds.min, bounds.max};
}

/// Ranks and steps are numbers of the job; more than these are typing errors.
inline constexpr std::int64_t kMaxRank = 1'000'000;
inline constexpr std::int64_t kMaxStep = 1'000'000'000;

constexpr Field steps(std::string_view name, std::string_view key, std::string_view standard, std::int64_t min) {
    return integer(name, key, standard, "step", {min, kMaxStep});
}
/// A list of ranks; `min` is -1 where that stands for all of them.
constexpr Field ranks(std::string_view name, std::string_view key, std::string_view standard, std::int64_t min) {
    return {name, key, FieldType::IntegerList, standard, "rank", {}, min, kMaxRank};
}

/// Rows that steer us only, where their values are written into another file.
template <std::size_t Count>
constexpr std::array<Field, Count> withoutKeys(const Field (&table)[Count]) {
    std::array<Field, Count> rows{};
    for (std::size_t i = 0; i < Count; ++i) {
        rows[i] = table[i];
        rows[i].key = {};
    }
    return rows;
}

/// Tables with rows that several methods have, one after the other.
template <std::size_t First, std::size_t Second>
constexpr std::array<Field, First + Second> joined(const Field (&first)[First],
                                                   const std::array<Field, Second>& second) {
    std::array<Field, First + Second> all{};
    for (std::size_t i = 0; i < First; ++i) all[i] = first[i];
    for (std::size_t i = 0; i < Second; ++i) all[First + i] = second[i];
    return all;
}
template <std::size_t... Counts>
constexpr auto joined(const Field (&... tables)[Counts]) {
    std::array<Field, (Counts + ...)> all{};
    std::size_t count = 0;
    const auto add = [&](std::span<const Field> table) {
        for (const Field& field : table) all[count++] = field;
    };
    (add(tables), ...);
    return all;
}

}  // namespace altiscope::capture
