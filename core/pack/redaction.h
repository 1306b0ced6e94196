#pragma once

#include "core/pack/secret_parts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope::pack {

/// Kind of text that a pseudonym stands for.
enum class SecretKind : std::uint8_t { Path, Host, User, SourceLine };
inline constexpr std::size_t kSecretKinds = 4;

/// Replaces what names people, machines and places in texts by pseudonyms: "/path-3.py", "host-1", "user-2",
/// "source-4". Equal texts get equal pseudonyms. They are numbered in order of the texts and not made of them, so that
/// nobody finds a text by trying; that one stands before the other in the alphabet is all they say. Numbers, and what
/// stands around a path such as its line, stay.
///
/// Paths are: what begins with "/", "~/", "./", "../", a drive or a server, URLs, files of Python, and other files
/// where a folder or a line is named; a text that begins as a path is one up to the number of a line. Hosts:
/// addresses, what a host is called by a field or a folder of the profiler, without its domain, and that name
/// anywhere else. Users: names of home folders, of fields for users, before "@", and those names anywhere else. Hosts
/// and users are the same in whatever case; names of fewer than three characters or of digits alone are replaced in
/// their fields only. Lines of source: indented lines below the name of a file, and what follows "In file F:N".
///
/// First all texts are learned, by any number of threads, then numbers are given, then texts are replaced.
class Redaction {
public:
    enum class Scope : std::uint8_t {
        All,
        Paths,  ///< Only paths.
    };
    /// Different texts of a kind, and how often any was replaced.
    struct Count {
        std::uint64_t texts = 0, replaced = 0;
    };

    explicit Redaction(Scope scope = Scope::All) : m_scope(scope) {}

    /// @param key  Name of the field that has the text; may be empty.
    void learn(std::string_view text, std::string_view key = {});
    /// All of the text is a path; "." and the empty text say nothing.
    void learnPath(std::string_view path);
    void learnHost(std::string_view name);
    /// JSON: its texts, each with its key. What is no JSON is learned as it is.
    void learnJson(std::string_view text);
    /// Ends the learning.
    void giveNumbers();

    /// @param key  As in learn(): all of what a field for hosts, users or paths has is replaced.
    std::string text(std::string_view text, std::string_view key = {}) const;
    std::string path(std::string_view path) const;
    std::string host(std::string_view name) const;
    /// JSON with its texts replaced, and else byte for byte as it was.
    std::string json(std::string_view text) const;

    Count count(SecretKind kind) const;

private:
    struct Part {
        std::size_t begin = 0, end = 0;
        SecretKind kind = SecretKind::Path;
        std::size_t named = 0;  ///< End of what has the pseudonym: of a host without its domain.
    };
    using Numbers = std::map<std::string, std::size_t, std::less<>>;

    enum class Search : std::uint8_t { Parts, PartsAndWords };

    /// Parts to be replaced, in order, not overlapping.
    std::vector<Part> partsOf(std::string_view text, Search search, bool withAddresses) const;
    /// Parts of a field for hosts, users or paths; none if the field is another, or has a number.
    std::vector<Part> partsOfField(std::string_view text, FieldKind field) const;
    void learnParts(std::string_view text, const std::vector<Part>& parts);
    void learnBeforeAt(std::string_view text);
    std::string replaced(std::string_view text, const std::vector<Part>& parts) const;
    std::size_t wordAt(std::string_view text, std::size_t at, Part& part) const;
    void note(SecretKind kind, std::string_view text);
    void noteWord(SecretKind kind, std::string_view text);
    std::string pseudonym(SecretKind kind, std::string_view text) const;

    Scope m_scope;
    mutable std::mutex m_mutex;  // guards what follows; numbers are only read once they are given
    std::array<std::set<std::string, std::less<>>, kSecretKinds> m_learned;
    std::map<std::string, SecretKind, std::less<>> m_words;   ///< To be found anywhere.
    std::set<std::string, std::less<>> m_whole;               ///< Texts that are paths as a whole, and no other word.
    std::set<std::pair<std::string, std::string>> m_atHosts;  ///< Host and user of "user@host", if there is that host.
    mutable std::array<Numbers, kSecretKinds> m_numbers;
    mutable std::array<std::uint64_t, kSecretKinds> m_replaced{};
    /// Words by the letters and digits that they begin with, in lower case, the longest first.
    std::unordered_map<std::string, std::vector<std::pair<std::string, SecretKind>>> m_byStart;
    std::map<std::string, std::string, std::less<>> m_byLower;  ///< Paths by themselves in lower case.
};

/// A JSON text in which the values of call stacks are empty texts.
std::string withoutStackTexts(std::string_view json);

}  // namespace altiscope::pack
