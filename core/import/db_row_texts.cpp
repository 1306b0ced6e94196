#include "core/import/db_row_texts.h"

#include "core/base/text.h"

#include <algorithm>
#include <string>

namespace altiscope::reader {

namespace {

bool standsForNothing(std::string_view text) {
    static constexpr std::string_view kNothing[] = {"", "-", "NA", "N/A", "null", "None"};
    return std::find(std::begin(kNothing), std::end(kNothing), text) != std::end(kNothing);
}

std::string_view withoutOuterSpace(std::string_view text) {
    static constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::int64_t anyTextId(RowBatch& batch, std::string_view text) {
    return isValidUtf8(text) ? batch.textId(text) : batch.textId(repairedUtf8(text));
}

}  // namespace

std::optional<std::string_view> cellText(std::string_view text) {
    text = withoutOuterSpace(text);
    return standsForNothing(text) ? std::nullopt : std::optional(text);
}

std::optional<std::string_view> listText(std::string_view text) {
    text = withoutOuterSpace(text);
    if (text.size() >= 2 && text.front() == '"' && text.find('"', 1) == text.size() - 1) text = text.substr(1, text.size() - 2);
    return standsForNothing(text) ? std::nullopt : std::optional(text);
}

std::int64_t DbRowTexts::find(Known& known, RowBatch& batch, std::int64_t id, Kind kind) {
    const auto [entry, isNew] = known.try_emplace(id, kNoCell);
    if (!isNew) return entry->second;
    const std::string_view text = m_texts.text(id);
    if (kind == Kind::Name) return entry->second = anyTextId(batch, text);
    const auto cell = kind == Kind::List ? listText(text) : cellText(text);
    if (cell) entry->second = anyTextId(batch, *cell);
    return entry->second;
}

void setAnyText(RowBatch& batch, std::size_t column, std::string_view text) { batch.setTextId(column, anyTextId(batch, text)); }

}  // namespace altiscope::reader
