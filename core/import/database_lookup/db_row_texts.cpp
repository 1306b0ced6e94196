#include "core/import/database_lookup/db_row_texts.h"

#include "core/base/text/text.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <string>

namespace altiscope::reader {

namespace {

bool standsForNothing(std::string_view text) {
    static constexpr std::string_view kNothing[] = {"", "-", "NA", "N/A", "null", "None"};
    return std::find(std::begin(kNothing), std::end(kNothing), text) != std::end(kNothing);
}

std::int64_t anyTextId(RowBatch& batch, std::string_view text) {
    return isValidUtf8(text) ? batch.textId(text) : batch.textId(repairedUtf8(text));
}

}  // namespace

std::optional<std::string_view> cellText(std::string_view text) {
    text = trimmed(text, " \t\r");
    return standsForNothing(text) ? std::nullopt : std::optional(text);
}

std::optional<std::string_view> listText(std::string_view text) {
    text = trimmed(text, " \t\r");
    if (text.size() >= 2 && text.front() == '"' && text.find('"', 1) == text.size() - 1)
        text = text.substr(1, text.size() - 2);
    return standsForNothing(text) ? std::nullopt : std::optional(text);
}

bool holdsWords(std::string_view text) {
    return text.find_first_not_of("0123456789,;-[]() \r\n") != std::string_view::npos;
}

bool DbRowTexts::hasWords(std::int64_t id) {
    if (id < 0) return false;
    const auto [known, isNew] = m_haveWords.try_emplace(id, false);
    if (isNew) known->second = holdsWords(m_texts.text(id));
    return known->second;
}

std::int64_t DbRowTexts::find(Known& known, RowBatch& batch, std::int64_t id, Kind kind) {
    const auto [entry, isNew] = known.try_emplace(id, kNoCell);
    if (!isNew) return entry->second;
    const std::string_view text = m_texts.text(id);
    if (kind == Kind::Name) return entry->second = anyTextId(batch, text);
    const auto cell = kind == Kind::List ? listText(text) : cellText(text);
    if (!cell) return entry->second;
    if (kind != Kind::Lines || cell->find("\r\n") == std::string_view::npos)
        return entry->second = anyTextId(batch, *cell);
    std::string lines;
    for (std::size_t i = 0; i < cell->size(); ++i) {
        if ((*cell)[i] != '\r' || i + 1 == cell->size() || (*cell)[i + 1] != '\n') lines += (*cell)[i];
    }
    entry->second = anyTextId(batch, lines);
    return entry->second;
}

void setAnyText(RowBatch& batch, std::size_t column, std::string_view text) {
    batch.setTextId(column, anyTextId(batch, text));
}

}  // namespace altiscope::reader
