#include "core/pack/secret_parts.h"

#include "core/base/text/ascii.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace altiscope::pack {

namespace {

bool isDigitByte(char c) { return c >= '0' && c <= '9'; }
bool isLetterByte(char c) { return isWordByte(c) && !isDigitByte(c); }

bool isPathByte(char c) {
    constexpr std::string_view kOthers = "/._-~@+%=#$*";
    return isWordByte(c) || kOthers.find(c) != std::string_view::npos;
}

/// Ends of what may hold a path with spaces.
bool endsSegment(char c) {
    constexpr std::string_view kEnds = "\n\r;\"'<>|\t";
    return kEnds.find(c) != std::string_view::npos;
}

/// Behind "(123)" or ":123".
bool isLineAt(std::string_view text, std::size_t at) {
    if (at + 1 >= text.size() || !isDigitByte(text[at + 1])) return false;
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

/// A path with spaces goes on to the line that is named after it.
std::size_t withSpaces(std::string_view text, std::size_t end) {
    if (end >= text.size() || text[end] != ' ') return end;
    for (std::size_t i = end; i < text.size() && !endsSegment(text[i]); ++i) {
        if (text[i] == '(' && isLineAt(text, i)) return i;
        if (!isPathByte(text[i]) && text[i] != ' ' && text[i] != '(' && text[i] != ')') return end;
    }
    // Or to the end of its quotes.
    const std::size_t close = text.find_first_of("\"'\n", end);
    const bool isQuoted = close != std::string_view::npos && text[close] != '\n';
    return isQuoted && text.substr(end, close - end).find('/') != std::string_view::npos ? close : end;
}

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

std::size_t rootedEnd(std::string_view text, std::size_t at) {
    std::size_t from = at;
    for (const std::string_view start : {"~/", "../", "./", "/", "\\/"}) {
        if (!text.substr(at).starts_with(start)) continue;
        from = at + start.size();
        break;
    }
    // "~name/..." is the home of another user.
    if (from == at && text[at] == '~' && at + 1 < text.size() && isLetterByte(text[at + 1]) &&
        text.substr(at, runEnd(text, at) - at).find('/') != std::string_view::npos)
        from = at + 1;
    if (from == at) return at;
    const std::size_t end = withSpaces(text, withoutStop(text, at, runEnd(text, from)));
    return hasLetter(text.substr(from, end - std::min(end, from))) ? end : at;
}

std::size_t windowsEnd(std::string_view text, std::size_t at) {
    const bool isDrive = at + 2 < text.size() && isLetterByte(text[at]) && text[at + 1] == ':' &&
                         (text[at + 2] == '\\' || text[at + 2] == '/');
    const bool isServer = text.substr(at).starts_with("\\\\") && at + 2 < text.size() && isWordByte(text[at + 2]);
    if (!isDrive && !isServer) return at;
    std::size_t end = at + 2;
    while (end < text.size() && (isPathByte(text[end]) || text[end] == '\\')) ++end;
    return withSpaces(text, withoutStop(text, at, end));
}

std::size_t urlEnd(std::string_view text, std::size_t at) {
    if (!isLetterByte(text[at])) return at;
    std::size_t end = at;
    while (end < text.size() && (isWordByte(text[end]) || text[end] == '+' || text[end] == '-')) ++end;
    if (!text.substr(end).starts_with("://")) return at;
    while (end < text.size() && text[end] != ' ' && text[end] != ',' && text[end] != ')' && !endsSegment(text[end]))
        ++end;
    return end;
}

/// "model/layer.py", "train.py(12)", "loss.cpp:7".
std::size_t fileEnd(std::string_view text, std::size_t at) {
    if (!isWordByte(text[at]) && text[at] != '_' && text[at] != '.') return at;
    const std::size_t end = withoutStop(text, at, runEnd(text, at));
    const std::string_view name = text.substr(at, end - at);
    const std::string_view ending = knownEnding(name);
    if (ending.empty() || ending.size() == name.size()) return at;
    const bool isPlaced = name.find('/') != std::string_view::npos || isLineAt(text, end);
    return ending.starts_with(".py") || isPlaced ? end : at;
}

std::optional<std::size_t> ip4End(std::string_view text, std::size_t at) {
    for (int part = 0; part < 4; ++part) {
        if (part > 0) {
            if (at >= text.size() || text[at] != '.') return std::nullopt;
            ++at;
        }
        const std::size_t begin = at;
        int value = 0;
        for (; at < text.size() && isDigitByte(text[at]) && at - begin < 3; ++at) value = value * 10 + (text[at] - '0');
        if (at == begin || value > 255) return std::nullopt;
    }
    const bool goesOn = at < text.size() && (isWordByte(text[at]) ||
                                             (text[at] == '.' && at + 1 < text.size() && isDigitByte(text[at + 1])));
    return goesOn ? std::nullopt : std::optional(at);
}

bool isHexByte(char c) { return isDigitByte(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

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
        isHex = isHex || (text[end] != ':' && !isDigitByte(text[end]));
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

bool isWordByte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigitByte(c) || static_cast<unsigned char>(c) >= 0x80;
}

std::size_t pathEnd(std::string_view text, std::size_t at) {
    if (!isBoundary(text, at)) return at;
    for (const auto endOf : {urlEnd, windowsEnd, rootedEnd, fileEnd})
        if (const std::size_t end = endOf(text, at); end > at) return end;
    return at;
}

std::size_t addressEnd(std::string_view text, std::size_t at) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool isWithin = (isWordByte(before) && !endsEscape(text, at - 1)) || before == '.' || before == ':';
    if (isWithin || (!isHexByte(text[at]) && text[at] != ':')) return at;
    if (const auto end = ip4End(text, at)) return *end;
    return colonsEnd(text, at);
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
                !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(line) + 1, name.end(), isDigitByte))
                return {};
            name = name.substr(0, line);
        }
        return name;
    }
    return {};
}

bool isHostKey(std::string_view key) {
    constexpr std::array<std::string_view, 10> kNames{
        "node", "node_name", "nodename", "master_addr", "ip", "server_ip", "server", "addr", "machine", "ip_address"};
    const std::string name = lastComponent(key);
    return isOneOf(name, kNames) || name == "host" || name.ends_with("_host") || name.starts_with("hostname") ||
           name.starts_with("host_name") || name.ends_with("hostname") || name == "hosts" || name == "host_ip" ||
           name == "hostuid" || name == "host_uid" || name.ends_with("_ip");
}

bool isUserKey(std::string_view key) {
    constexpr std::array<std::string_view, 7> kNames{"user",  "username", "user_name", "logname",
                                                     "login", "owner",    "account"};
    return isOneOf(lastComponent(key), kNames);
}

}  // namespace altiscope::pack
