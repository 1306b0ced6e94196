#pragma once

#include "core/import/raw_files/raw_blocks.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace altiscope::reader {

/// The texts for which host records have numbers. Source: core/import/raw_records/FORMAT.md, "Text
/// dictionaries".
class RawDictionary {
public:
    /// Reads hash_dic and type_info_dic. A line that is none, or whose end is missing, is dropped: "raw.bad_line"
    /// (lost).
    void read(const RawFiles& files, RawContext& context);

    /// The text of a hash, or the number if no line has it.
    std::string text(std::uint64_t hash) const;
    /// The same without a copy of a long name. @param number  Holds the number, if it is one.
    std::string_view text(std::uint64_t hash, std::string& number) const;
    bool contains(std::uint64_t hash) const { return m_texts.contains(hash); }
    /// The name of a type of a level, or its number.
    std::string type(std::uint16_t level, std::uint64_t type) const;
    std::string_view type(std::uint16_t level, std::uint64_t type, std::string& number) const;
    bool hasTexts() const { return !m_texts.empty(); }
    bool hasTypes() const { return !m_types.empty(); }
    bool hasType(std::uint16_t level, std::uint64_t type) const;

private:
    void readSeries(const RawFileSeries& series, bool isTypes, RawContext& context);
    bool addLine(std::string_view line, bool isTypes);

    std::unordered_map<std::uint64_t, std::string> m_texts;
    std::unordered_map<std::uint64_t, std::string> m_types;  // by level and type
};

}  // namespace altiscope::reader
