#include "core/import/raw_files/raw_dictionary.h"

#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/import/raw_files/raw_lines.h"

#include <optional>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr std::uint64_t typeKey(std::uint16_t level, std::uint64_t type) { return (std::uint64_t{level} << 48) ^ type; }

std::string rawUtf8(std::string_view text) { return isValidUtf8(text) ? std::string(text) : repairedUtf8(text); }

}  // namespace

void RawDictionary::read(const RawFiles& files, RawContext& context) {
    for (const RawFileSeries& series : files.host) {
        if (series.stem == "additional.hash_dic") readSeries(series, false, context);
        else if (series.stem == "additional.type_info_dic") readSeries(series, true, context);
    }
}

void RawDictionary::readSeries(const RawFileSeries& series, bool isTypes, RawContext& context) {
    eachRawLine(series, "raw.bad_line", context,
                [&](std::string_view line, bool /*isFirst*/) { return addLine(line, isTypes); });
}

bool RawDictionary::addLine(std::string_view line, bool isTypes) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return false;
    // Bytes that no text has are left of what was overwritten.
    if (line.find('\0') != std::string_view::npos) return false;
    const std::string_view key = line.substr(0, colon);
    if (!isTypes) {
        const auto hash = wholeNumber<std::uint64_t>(key);
        if (!hash) return false;
        // The first one counts; another one of the same number belongs to nothing.
        std::string text = rawUtf8(line.substr(colon + 1));
        const auto known = m_texts.find(*hash);
        if (known != m_texts.end()) return known->second == text;
        m_texts.emplace(*hash, std::move(text));
        return true;
    }
    const auto underscore = key.find('_');
    if (underscore == std::string_view::npos) return false;
    const auto level = wholeNumber<std::uint16_t>(key.substr(0, underscore));
    const auto type = wholeNumber<std::uint32_t>(key.substr(underscore + 1));
    if (!level || !type) return false;
    std::string text = rawUtf8(line.substr(colon + 1));
    const auto [known, isNew] = m_types.try_emplace(typeKey(*level, *type), text);
    return isNew || known->second == text;
}

std::string_view RawDictionary::text(std::uint64_t hash, std::string& number) const {
    const auto found = m_texts.find(hash);
    return found == m_texts.end() ? number = std::to_string(hash) : found->second;
}

std::string RawDictionary::text(std::uint64_t hash) const {
    std::string number;
    return std::string(text(hash, number));
}

bool RawDictionary::hasType(std::uint16_t level, std::uint64_t type) const {
    return m_types.contains(typeKey(level, type));
}

std::string_view RawDictionary::type(std::uint16_t level, std::uint64_t type, std::string& number) const {
    const auto found = m_types.find(typeKey(level, type));
    return found == m_types.end() ? number = std::to_string(type) : found->second;
}

std::string RawDictionary::type(std::uint16_t level, std::uint64_t typeNumber) const {
    std::string number;
    return std::string(type(level, typeNumber, number));
}

}  // namespace altiscope::reader
