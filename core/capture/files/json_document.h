#pragma once

#include "core/base/values/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::capture {

/// A JSON text that is changed in place: every byte that is not part of a changed value stays, so unknown keys, their
/// order, the
/// spelling of numbers and the layout are the user's. Strict, as Python's json module reads it (no comments, no
/// trailing commas); of
/// a repeated key the last one counts, as there. One thread; a change costs O(text).
class JsonDocument {
public:
    /// @return Error "capture.file.bad_json" with the line for what is no JSON object, is nested deeper than 64, or
    /// larger than 1 MiB.
    static Result<JsonDocument> parse(std::string text);

    const std::string& text() const { return m_text; }
    /// Text of the value at a dotted path; nullopt if it is not there.
    std::optional<std::string> find(std::string_view path) const;
    /// Puts `json` at a dotted path; missing objects on the way are made. What stands on the way and is no object is
    /// replaced.
    void set(std::string_view path, std::string_view json);
    /// Takes a value and its key away, if they are there.
    void remove(std::string_view path);
    /// Dotted paths of all values below `path` that are no objects.
    std::vector<std::string> leaves(std::string_view path) const;

private:
    struct Node {
        std::size_t begin = 0, end = 0;  ///< Bytes of the value.
        bool isObject = false;
        std::vector<std::string> keys;  ///< Of an object, with members beside.
        std::vector<std::size_t> keyBegins;
        std::vector<Node> members;

        const Node* member(std::string_view key) const;
    };
    class Parser;

    explicit JsonDocument(std::string text) : m_text(std::move(text)) {}
    const Node* nodeAt(std::string_view path) const;
    void insert(const Node& object, std::string_view key, std::string_view json);
    void reparse();
    static void collect(const Node& node, const std::string& path, std::vector<std::string>& out);

    std::string m_text;
    Node m_root;
};

/// A text without what `written` has changed of `original`, as far as it still stands there: values are those of
/// `original` again, and what that does not have goes.
/// @return nullopt if one of them is none that JsonDocument takes. Pure.
std::optional<std::string> jsonTakenBack(const std::string& text, const std::string& original,
                                         const std::string& written);

}  // namespace altiscope::capture
