#include "core/pack/secret_parts.h"

#include "core/base/text/ascii.h"
#include "core/base/values/digits.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace altiscope::pack {

namespace {

bool isLetterByte(char c) { return isWordByte(c) && !isDigit(c); }

/// By the value of the byte.
constexpr std::array<bool, 256> pathBytes() {
    std::array<bool, 256> are{};
    for (std::size_t i = 0; i < are.size(); ++i)
        are[i] = (i >= 'a' && i <= 'z') || (i >= 'A' && i <= 'Z') || (i >= '0' && i <= '9') || i >= 0x80;
    for (const char c : std::string_view("/._-~@+%=#$*")) are[static_cast<unsigned char>(c)] = true;
    return are;
}

bool isPathByte(char c) {
    static constexpr auto kAre = pathBytes();
    return kAre[static_cast<unsigned char>(c)];
}

/// Linux takes no longer path (PATH_MAX), so nothing farther away belongs to the one that begins here.
constexpr std::size_t kLongestPath = 4096;

/// Ends of what may hold a path with spaces.
bool endsSegment(char c) {
    constexpr std::string_view kEnds = "\n\r;\"'<>|\t";
    return kEnds.find(c) != std::string_view::npos;
}

/// Behind "(123)" or ":123".
bool isLineAt(std::string_view text, std::size_t at) {
    if (at + 1 >= text.size() || !isDigit(text[at + 1])) return false;
    if (text[at] == ':') return true;
    if (text[at] != '(') return false;
    const std::size_t end = text.find_first_not_of("0123456789", at + 1);
    return end != std::string_view::npos && text[end] == ')';
}

/// Whether a byte ends an escape of JSON that stands in a text, as JSON in JSON does.
bool endsEscape(std::string_view text, std::size_t at) {
    return at > 0 && text[at - 1] == '\\' && std::string_view("nrt").find(text[at]) != std::string_view::npos;
}

bool isBoundary(std::string_view text, std::size_t at) {
    return at == 0 || endsEscape(text, at - 1) ||
           !(isWordByte(text[at - 1]) || text[at - 1] == '_' || text[at - 1] == '/' || text[at - 1] == '.' ||
             text[at - 1] == '-' || text[at - 1] == '~' || text[at - 1] == '\\');
}

bool hasLetter(std::string_view text) { return std::any_of(text.begin(), text.end(), isLetterByte); }

std::size_t runEnd(std::string_view text, std::size_t at) {
    // "\/" is how JSON in JSON has it.
    const auto isEscape = [text](std::size_t i) {
        return text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '/' || text[i + 1] == '\\');
    };
    while (at < text.size() && (isPathByte(text[at]) || isEscape(at))) ++at;
    return at;
}

/// A full stop ends a sentence, not a path.
std::size_t withoutStop(std::string_view text, std::size_t begin, std::size_t end) {
    while (end > begin + 1 && (text[end - 1] == '.' || text[end - 1] == ',')) --end;
    return end;
}

/// End of what is a path to the end of its line or quotes, but for a number of a line behind it: names of folders have
/// any byte. nullopt if `ends` do not come.
std::optional<std::size_t> lastEnd(std::string_view text, std::size_t end, std::string_view ends) {
    for (std::size_t i = end; i < text.size(); ++i)
        if (ends.find(text[i]) != std::string_view::npos || isLineAt(text, i)) return i;
    return std::nullopt;
}

/// A path with spaces, "&" or the like goes on behind the bytes that all paths have.
/// @param end  Of these bytes.
std::size_t withOthers(std::string_view text, std::size_t begin, std::size_t end) {
    const char before = begin == 0 ? '\n' : text[begin - 1];
    if (before == '\n' || before == ';' || before == '\r' || before == '\t')
        return lastEnd(text, end, "\n\r;\t").value_or(text.size());
    std::string_view near = text.substr(0, std::min(text.size(), end + kLongestPath));
    if (before == '"' || before == '\'') {
        const auto close = lastEnd(near, end, {&before, 1});
        // "\"" is how JSON in JSON has it.
        if (close && near.substr(end, *close - end).find('\n') == std::string_view::npos)
            return *close > end && near[*close - 1] == '\\' && near[*close] == before ? *close - 1 : *close;
    }
    // "/data/R&D/run": what has a "/" within it still belongs to it, and what begins with one does not.
    constexpr std::string_view kWithin = "&!,:[]()'";
    for (std::size_t i = end, from = end; i < near.size() && !isLineAt(text, i); ++i) {
        const bool isWithin = kWithin.find(near[i]) != std::string_view::npos;
        if (isWithin) from = i + 1;
        if ((!isWithin && !isPathByte(near[i])) || (near[i] == '/' && i == from)) break;
        if (near[i] != '/') continue;
        end = withoutStop(text, i, runEnd(text, i));
        near = text.substr(0, std::min(text.size(), end + kLongestPath));
        i = end - 1;
        from = end;
    }
    if (end >= text.size() || text[end] != ' ') return end;
    for (std::size_t i = end; i < near.size() && !endsSegment(near[i]); ++i) {
        if (near[i] == '(' && isLineAt(text, i)) return i;
        if (!isPathByte(near[i]) && near[i] != ' ' && near[i] != '(' && near[i] != ')') return end;
    }
    // Or to the end of its quotes.
    const std::size_t close = near.find_first_of("\"'\n", end);
    const bool isQuoted = close != std::string_view::npos && near[close] != '\n';
    return isQuoted && near.substr(end, close - end).find('/') != std::string_view::npos ? close : end;
}

std::size_t rootedEnd(std::string_view text, std::size_t at) {
    std::size_t from = at;
    for (const std::string_view start : {"~/", "../", "./", "/", "\\/"}) {
        if (!text.substr(at).starts_with(start)) continue;
        from = at + start.size();
        break;
    }
    // "~name/..." is the home of another user.
    const std::string_view start = text.substr(at, kLongestPath);
    if (from == at && text[at] == '~' && at + 1 < text.size() && isLetterByte(text[at + 1]) &&
        start.substr(0, runEnd(start, 0)).find('/') != std::string_view::npos)
        from = at + 1;
    if (from == at) return at;
    // A number divided by another is no path.
    const std::string_view near = text.substr(0, from + kLongestPath);
    if (!hasLetter(near.substr(from, runEnd(near, from) - from))) return at;
    return withOthers(text, at, withoutStop(text, at, runEnd(text, from)));
}

std::size_t windowsEnd(std::string_view text, std::size_t at) {
    const bool isDrive = at + 2 < text.size() && isLetterByte(text[at]) && text[at + 1] == ':' &&
                         (text[at + 2] == '\\' || text[at + 2] == '/');
    const bool isServer = text.substr(at).starts_with("\\\\") && at + 2 < text.size() && isWordByte(text[at + 2]);
    if (!isDrive && !isServer) return at;
    std::size_t end = at + 2;
    while (end < text.size() && (isPathByte(text[end]) || text[end] == '\\')) ++end;
    return withOthers(text, at, withoutStop(text, at, end));
}

std::size_t urlEnd(std::string_view text, std::size_t at) {
    if (!isLetterByte(text[at])) return at;
    // No scheme that is in use is longer.
    constexpr std::size_t kLongestScheme = 32;
    std::size_t end = at;
    while (end < text.size() && end - at < kLongestScheme &&
           (isWordByte(text[end]) || text[end] == '+' || text[end] == '-'))
        ++end;
    if (!text.substr(end).starts_with("://")) return at;
    while (end < text.size() && text[end] != ' ' && text[end] != ',' && text[end] != ')' && !endsSegment(text[end]))
        ++end;
    return end;
}

/// "model/layer.py", "train.py(12)", "loss.cpp:7".
std::size_t fileEnd(std::string_view text, std::size_t at) {
    if (!isWordByte(text[at]) && text[at] != '_' && text[at] != '.') return at;
    const std::string_view near = text.substr(0, std::min(text.size(), at + kLongestPath));
    const std::size_t end = withoutStop(text, at, runEnd(near, at));
    const std::string_view name = text.substr(at, end - at);
    const std::string_view ending = knownEnding(name);
    if (ending.empty() || ending.size() == name.size()) return at;
    const bool isPlaced = name.find('/') != std::string_view::npos || isLineAt(text, end);
    return ending.starts_with(".py") || isPlaced ? end : at;
}

/// Whether what begins at `at` is the version of something, by the word before it: "CANN 8.0.1.3".
bool isVersionAt(std::string_view text, std::size_t at) {
    constexpr std::size_t kFar = 24;
    const std::size_t begin = at - std::min(at, kFar);
    std::string before = asciiLower(text.substr(begin, at - begin));
    while (!before.empty() && std::string_view(" :=\"'\\/_-").find(before.back()) != std::string_view::npos)
        before.pop_back();
    constexpr std::string_view kWords[] = {"version", "cann", "driver", "firmware", "toolkit"};
    return std::any_of(std::begin(kWords), std::end(kWords),
                       [&before](std::string_view word) { return before.ends_with(word); });
}

std::optional<std::size_t> ip4End(std::string_view text, std::size_t at) {
    for (int part = 0; part < 4; ++part) {
        if (part > 0) {
            if (at >= text.size() || text[at] != '.') return std::nullopt;
            ++at;
        }
        const std::size_t begin = at;
        int value = 0;
        for (; at < text.size() && isDigit(text[at]) && at - begin < 3; ++at) value = value * 10 + (text[at] - '0');
        if (at == begin || value > 255) return std::nullopt;
    }
    const bool goesOn = at < text.size() &&
                        (isWordByte(text[at]) || (text[at] == '.' && at + 1 < text.size() && isDigit(text[at + 1])));
    return goesOn ? std::nullopt : std::optional(at);
}

bool isHexByte(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// Groups of digits with colons; at least four colons, or two next to each other after a prefix of local addresses:
/// names of C++ have such too.
std::size_t colonsEnd(std::string_view text, std::size_t at) {
    std::size_t end = at, group = 0, colons = 0;
    bool isHex = false;
    for (; end < text.size() && (isHexByte(text[end]) || text[end] == ':'); ++end) {
        if (text[end] == ':') {
            ++colons;
            group = 0;
        } else if (++group > 4) {
            return at;
        }
        isHex = isHex || (text[end] != ':' && !isDigit(text[end]));
    }
    while (end > at && text[end - 1] == ':' && !text.substr(0, end).ends_with("::")) --end, --colons;
    if (end < text.size() && (isWordByte(text[end]) || text[end] == '_')) return at;
    const std::string_view all = text.substr(at, end - at);
    const bool isLocal = all.starts_with("fe80:") || all.starts_with("fd") || all.starts_with("2001:");
    const bool isShort = isLocal && all.find("::") != std::string_view::npos;
    return (colons >= 4 && (isHex || all.find("::") != std::string_view::npos)) || isShort ? end : at;
}

std::string lastComponent(std::string_view key) {
    const std::size_t dot = key.rfind('.');
    std::string name(dot == std::string_view::npos ? key : key.substr(dot + 1));
    for (char& c : name) c = c == '-' || c == ' ' ? '_' : asciiLower(c);
    return name;
}

template <std::size_t N>
bool isOneOf(std::string_view name, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool isWordByte(char c) { return isAlnum(c) || static_cast<unsigned char>(c) >= 0x80; }

std::size_t pathEnd(std::string_view text, std::size_t at) {
    if (!isBoundary(text, at)) return at;
    for (const auto endOf : {urlEnd, windowsEnd, rootedEnd, fileEnd})
        if (const std::size_t end = endOf(text, at); end > at) return end;
    return at;
}

std::size_t addressEnd(std::string_view text, std::size_t at) {
    const char before = at == 0 ? ' ' : text[at - 1];
    // "group.10.1.2.3" is a name and an address, "8.0.0.1.2" is neither.
    const bool isAfterName = before == '.' && at > 1 && !isDigit(text[at - 2]);
    if ((isWordByte(before) && !endsEscape(text, at - 1)) || (before == '.' && !isAfterName) || before == ':')
        return at;
    if (!isHexByte(text[at]) && text[at] != ':') return at;
    if (const auto end = ip4End(text, at)) return isVersionAt(text, at) ? at : *end;
    return isAfterName ? at : colonsEnd(text, at);
}

std::vector<std::pair<std::size_t, std::size_t>> sourceLines(std::string_view text) {
    std::vector<std::pair<std::size_t, std::size_t>> lines;
    bool isBelowFile = false;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = text.find('\n', begin);
        if (end == std::string_view::npos) end = text.size();
        const std::string_view line = text.substr(begin, end - begin);
        const std::size_t named = line.find("In file ");
        const bool namesFile = named != std::string_view::npos || line.find("File \"") != std::string_view::npos;
        const std::size_t indent = line.find_first_not_of(" \t");
        if (named != std::string_view::npos) {
            // "In file F:12/    code/", or the code in the next line.
            const std::size_t colon = line.find(':', named);
            std::size_t after = colon == std::string_view::npos ? std::string_view::npos
                                                                : line.find_first_not_of("0123456789~, ", colon + 1);
            if (after != std::string_view::npos && line[after] == '/') after = line.find_first_not_of(" \t", after + 1);
            if (after != std::string_view::npos && after + 1 < line.size()) lines.emplace_back(begin + after, end);
        } else if (isBelowFile && !namesFile && indent != std::string_view::npos && indent >= 2) {
            std::size_t last = end;
            while (last > begin + indent && text[last - 1] == '\r') --last;
            lines.emplace_back(begin + indent, last);
        }
        isBelowFile = namesFile || (isBelowFile && indent != std::string_view::npos && indent >= 2);
        begin = end + 1;
    }
    return lines;
}

std::string_view userOfPath(std::string_view path) {
    for (const std::string_view homes : {"/home/", "/Users/", "\\Users\\", "/Users\\", "\\home\\"}) {
        const std::size_t at = path.find(homes);
        if (at == std::string_view::npos) continue;
        const std::string_view rest = path.substr(at + homes.size());
        return rest.substr(0, rest.find_first_of("/\\"));
    }
    if (path.starts_with('~')) return path.substr(1, std::min(path.find('/'), path.size()) - 1);
    return {};
}

std::string_view knownEnding(std::string_view path) {
    constexpr std::array<std::string_view, 34> kEndings{
        ".py",   ".pyc", ".pyx", ".pyi", ".ipynb", ".cpp", ".cc",    ".cxx",  ".c",      ".h",  ".hpp", ".cu",
        ".so",   ".a",   ".o",   ".sh",  ".json",  ".csv", ".db",    ".txt",  ".log",    ".pt", ".pth", ".bin",
        ".yaml", ".yml", ".pkl", ".gz",  ".zip",   ".tar", ".jsonl", ".ckpt", ".mindir", ".om"};
    const std::size_t dot = path.rfind('.');
    if (dot == std::string_view::npos) return {};
    const std::string_view ending = path.substr(dot);
    return isOneOf(ending, kEndings) ? ending : std::string_view();
}

std::string_view hostOfFolder(std::string_view path) {
    for (const std::string_view mark : {"_ascend_pt", "_ascend_ms"}) {
        const std::size_t end = path.find(mark);
        if (end == std::string_view::npos) continue;
        std::string_view name = path.substr(0, end);
        if (const std::size_t slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
        for (int number = 0; number < 2; ++number) {
            const std::size_t line = name.rfind('_');
            if (line == std::string_view::npos || line + 1 == name.size() ||
                !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(line) + 1, name.end(), isDigit))
                return {};
            name = name.substr(0, line);
        }
        return name;
    }
    return {};
}

FieldKind fieldKind(std::string_view key) {
    constexpr std::array<std::string_view, 12> kPlain{"node",      "server",  "addr",        "machine",
                                                      "ip",        "host",    "hosts",       "nodes",
                                                      "server_ip", "host_ip", "master_addr", "ip_address"};
    constexpr std::array<std::string_view, 12> kHosts{"hostname", "host_name", "nodename", "node_name",
                                                      "hostuid",  "host_uid",  "nodelist", "node_list",
                                                      "hostlist", "podname",   "pod_name", "topology_addr"};
    constexpr std::array<std::string_view, 8> kUsers{"user",  "username", "user_name", "logname",
                                                     "login", "owner",    "account",   "job_account"};
    constexpr std::array<std::string_view, 4> kPaths{"path", "dir", "file", "folder"};
    constexpr std::array<std::string_view, 9> kPlaces{"filepath", "filename", "workdir", "homedir", "basedir",
                                                      "pwd",      "oldpwd",   "home",    "cwd"};
    if (asciiLower(key).find("version") != std::string::npos) return FieldKind::Version;
    const std::string name = lastComponent(key);
    const auto ends = [&name](const auto& words, std::string_view between) {
        return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
            return name == word || name.ends_with(std::string(between) + std::string(word));
        });
    };
    if (ends(kHosts, {}) || name.starts_with("hostname") || name.starts_with("host_name")) return FieldKind::Host;
    if (isOneOf(name, kPlain) || name.ends_with("_host") || name.ends_with("_hosts") || name.ends_with("_ip") ||
        name.ends_with("_ipaddr"))
        return FieldKind::HostOrNumber;
    if (isOneOf(name, kUsers) || name.ends_with("_user") || name.ends_with("_username")) return FieldKind::User;
    // "outputPath", too.
    const bool isCamel =
        key.ends_with("Path") || key.ends_with("Dir") || key.ends_with("File") || key.ends_with("Folder");
    return isCamel || ends(kPaths, "_") || isOneOf(name, kPlaces) ? FieldKind::Path : FieldKind::Other;
}

}  // namespace altiscope::pack
