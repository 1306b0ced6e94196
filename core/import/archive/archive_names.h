#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Whether a path is to be opened as an archive: a file whose first bytes say so (see FileType), or one named .tar,
/// since old ones have no mark.
bool isArchive(const std::filesystem::path& path);

/// The parts of a member's name, none of which is empty, "." or "..".
/// @return nullopt for a name that must not become a path: absolute, leading out of the archive, with control
///         characters, longer or deeper than file systems and listings bear.
std::optional<std::vector<std::string>> memberParts(std::string_view name);

/// A name for messages: control characters become '?'.
std::string shownMemberName(std::string_view name);

/// Whether it lies among raw binary data, which is not expanded (of its folder only the name is kept: "raw_only").
bool liesInRawData(const std::vector<std::string>& parts);

/// Use of a member, by its name and size.
enum class MemberUse : std::uint8_t {
    Needed,   ///< A reader may want it.
    Nested,   ///< An archive in the archive.
    Unknown,  ///< Its first bytes decide.
};
MemberUse useByName(std::string_view fileName, std::optional<std::uint64_t> size);
/// The same by the first bytes; Unknown: no reader wants it.
MemberUse useByHead(std::string_view fileName, std::string_view head);

/// The name of an archive's content: "run" for "run.tar.gz". Never empty.
std::string nameOfContent(const std::filesystem::path& archive);

}  // namespace altiscope::reader
