#pragma once

#include "core/import/json/json_keys.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// A key of a JSON object, without escapes. Shared by all that lie below it: keys of cluster files list thousands of
/// ranks.
using JsonKey = std::shared_ptr<const std::string>;

/// An object inside nested objects of a JSON file, with the keys that lead to it.
struct JsonLeaf {
    std::vector<JsonKey> path;  ///< From the outermost key.
    std::size_t begin = 0;      ///< Offset of its '{' in the text.
    std::size_t length = 0;
};

/// Walks through a JSON text of nested objects that comes piece by piece, and finds the objects whose first key is one
/// of those given. Texts that are no such nesting end the walk where that is seen.
class JsonLeafWalk {
public:
    explicit JsonLeafWalk(std::vector<std::string_view> leafKeys) : m_leafKeys(std::move(leafKeys)) {}

    enum class State : std::uint8_t {
        NeedMore,  ///< The text ends; go on with a longer one.
        Done,      ///< The outermost object is closed.
        Broken,    ///< No JSON, or another nesting, at position().
    };
    /// Goes on in `text`, which begins where position() was when it was last shortened, and adds what it finds.
    /// @param limit  Ends the call (NeedMore) after as many leaves.
    State advance(std::string_view text, std::vector<JsonLeaf>& leaves, std::size_t limit);

    /// How far the walk has come in the text; what is before is no longer needed, but for the leaves found there.
    std::size_t position() const { return m_at; }
    /// The text will begin so many bytes later.
    void shorten(std::size_t bytes) {
        m_at -= bytes;
        m_shortened += bytes;
    }
    struct Oddities {
        std::uint64_t count = 0;
        std::uint64_t first = 0;  ///< Where, counted from the begin of the whole text.
    };
    /// Values where an object was expected, which were passed over: what it would have held is missing.
    const Oddities& oddValues() const { return m_odd; }
    /// Texts and numbers beside the outermost objects, which say something of the file.
    const Oddities& oddFacts() const { return m_oddFacts; }
    /// Keys that an object above the leaves has twice; what stands below each is found.
    const RepeatedKeys& repeatedKeys() const { return m_keys.repeated(); }
    /// Why the walk is Broken: nested deeper than kMaxNesting.
    bool isTooDeep() const { return m_isTooDeep; }
    /// Real files nest five deep; a bomb must not fill the memory with keys.
    static constexpr std::size_t kMaxNesting = 64;

private:
    struct Member {
        std::string name;
        std::size_t key = 0, value = 0;  // their offsets in the text
    };
    /// Takes one member or one bracket; only then m_at moves, so that a turn without its end is taken again.
    /// @return What ends the walk, if anything does; the other steps likewise.
    std::optional<State> turn(std::string_view text, std::vector<JsonLeaf>& leaves);
    std::optional<State> close(std::size_t at);
    std::optional<State> member(std::string_view text, Member one, std::vector<JsonLeaf>& leaves);
    std::optional<State> enter(Member one);
    State brokenAt(std::size_t at) {
        m_at = at;
        return State::Broken;
    }
    /// Whether the object at an offset begins as a leaf does; nullopt: the text ends before that is seen.
    std::optional<bool> hasLeafKey(std::string_view text, std::size_t object) const;

    std::vector<std::string_view> m_leafKeys;
    std::vector<JsonKey> m_path;
    std::size_t m_at = 0;
    std::size_t m_depth = 0;
    std::uint64_t m_shortened = 0;
    Oddities m_odd, m_oddFacts;
    KeysOnce m_keys;
    bool m_isTooDeep = false;
};

}  // namespace altiscope::reader
