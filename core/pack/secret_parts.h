#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::pack {

// Where texts name places and machines. All return the end of what begins at `at`, and `at` if nothing does.

/// A path or URL, without the line behind it.
std::size_t pathEnd(std::string_view text, std::size_t at);
/// An address of a host: IPv4, IPv6 or MAC.
std::size_t addressEnd(std::string_view text, std::size_t at);

/// Parts that are lines of source, first and behind the last byte of each.
std::vector<std::pair<std::size_t, std::size_t>> sourceLines(std::string_view text);

/// The name of the user whose home folder a path lies in; empty: none.
std::string_view userOfPath(std::string_view path);
/// The ending of a file, with its dot, if it is a usual one.
std::string_view knownEnding(std::string_view path);
/// The host in the name of a profiler's folder, "HOST_PID_TIME_ascend_pt"; empty: none.
std::string_view hostOfFolder(std::string_view path);

/// Meaning of all of a field's text, by the field's name.
enum class FieldKind : std::uint8_t {
    Other,
    Host,          ///< Names or addresses of hosts.
    HostOrNumber,  ///< The same, or a count or an address in memory.
    User,
    Path,
    Version,  ///< "8.0.1.3" is none of a host.
};
FieldKind fieldKind(std::string_view key);

/// A letter or digit; bytes of other alphabets count.
bool isWordByte(char c);

}  // namespace altiscope::pack
