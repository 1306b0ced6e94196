#pragma once

#include "core/base/values/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// A YAML text in whose nested mappings single values are changed: all other lines stay as they are, comments too.
/// Mappings on the
/// way may be in block style, or in flow style on one line or several. One thread; a change costs O(text).
class YamlDocument {
public:
    /// @return Error "capture.file.bad_yaml" with the line for what cannot be changed safely: several documents,
    ///         indents with tabs, more than 1 MiB.
    static Result<YamlDocument> parse(std::string text);

    const std::string& text() const { return m_text; }
    /// Text of the value at a dotted path, in flow style if it is a list in block style; nullopt if it is not there.
    /// In keys "-" and "_"
    /// are the same.
    std::optional<std::string> find(std::string_view path) const;
    /// Puts `yaml`, a scalar or flow list, at a dotted path; missing mappings are made.
    /// @return Error "capture.file.bad_yaml" if something on the way is no mapping, or an anchor, alias or merge.
    Result<Done> set(std::string_view path, std::string_view yaml);
    /// Keys of the mapping at a dotted path; empty if it is not there.
    std::vector<std::string> keys(std::string_view path) const;

private:
    struct Entry {
        std::string key;
        std::size_t indent = 0;
        /// Bytes of the value, without its comment; empty if it stands on later lines.
        std::size_t valueBegin = 0, valueEnd = 0;
        std::size_t bodyBegin = 0, bodyEnd = 0;  ///< Bytes of the later lines that belong to it; of flow style none.
        bool inFlow = false;
    };
    /// Bytes that hold the entries of a mapping.
    struct Span {
        std::size_t begin = 0, end = 0;
        bool inFlow = false;
    };

    explicit YamlDocument(std::string text) : m_text(std::move(text)) {}
    Span whole() const;
    std::vector<Entry> entries(Span span) const;
    std::vector<Entry> blockEntries(Span span) const;
    std::vector<Entry> flowEntries(Span span) const;
    std::optional<Span> mappingOf(const Entry& entry) const;
    std::string valueOf(const Entry& entry) const;
    void replace(const Entry& entry, std::string_view yaml);
    void insert(Span mapping, std::size_t indent, std::string_view path, std::string_view yaml);

    std::string m_text;
};

}  // namespace altiscope::capture
